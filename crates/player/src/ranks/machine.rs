//! Where a rank runs, and what program it is.

use multigame_files::Checksum;
use serde::{Deserialize, Serialize};

/// Where a rank runs, and what program it is.
///
/// It travels as JSON in which everything may be missing, so that different versions of the program can still
/// tell each other that they are different.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// The name of the machine.
    pub host: String,
    /// The version of the program, with a number that differs between builds.
    pub program: String,
    /// Whether it was built for debugging.
    pub debug: bool,
    /// The cores that this rank may use: a launcher can bind it to some of them.
    pub cores: u32,
    /// Their numbers, where the system tells.
    pub core_numbers: Vec<u32>,
    /// Memory of the machine that is free, in MiB.
    pub free_mib: u64,
    /// What carries messages.
    pub library: String,
}

impl Machine {
    /// The machine that this process runs on.
    pub fn here(host: &str, library: &str) -> Machine {
        Machine {
            host: host.to_string(),
            program: program(),
            debug: cfg!(debug_assertions),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            core_numbers: core_numbers().unwrap_or_default(),
            free_mib: crate::player::free_memory_mib().unwrap_or_default() as u64,
            library: library.to_string(),
        }
    }

    /// As text that travels.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written")
    }

    /// From such a text; a rank that says something else runs another version.
    pub(crate) fn of_text(text: &str) -> Machine {
        let unknown = || Machine { program: "in another version".to_string(), ..Machine::default() };
        serde_json::from_str(text).unwrap_or_else(|_| unknown())
    }
}

/// Version and build of this program: the bytes of the executable tell builds apart.
#[expect(clippy::disallowed_methods, reason = "the program is a file")]
fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let read = std::env::current_exe().and_then(std::fs::read);
    match read {
        Ok(bytes) => {
            format!("{version} (build {:08x})", Checksum::of(&bytes) as u32)
        }
        Err(_) => version.to_string(),
    }
}

/// The numbers of the cores that this process may use, where Linux tells.
#[expect(clippy::disallowed_methods, reason = "the system tells by files")]
fn core_numbers() -> Option<Vec<u32>> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    numbers_of(list.trim())
}

/// Reads a list like `0-3,8`.
fn numbers_of(list: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        numbers.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(numbers_of("0-2,8"), Some(vec![0, 1, 2, 8]));
        assert_eq!(numbers_of("5"), Some(vec![5]));
        assert_eq!(numbers_of("all"), None);
    }

    #[test]
    fn machines_of_other_versions_can_be_read() {
        let here = Machine::here("a", "memory");
        assert_eq!(Machine::of_text(&here.text()), here);
        assert!(here.cores > 0 && here.program.contains("build"));
        let newer = r#"{"host":"b","program":"9.0 (build 1)","colour":"red"}"#;
        assert_eq!(Machine::of_text(newer).program, "9.0 (build 1)");
        assert_eq!(Machine::of_text("\u{1}b").program, "in another version");
    }
}
