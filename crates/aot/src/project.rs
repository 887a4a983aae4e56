//! The files that cargo needs: the sources of the crates that built programs use, and the project of one
//! game.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::build::Request;

// Everything that a built program may use: `build.rs` chooses.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The manifest of the workspace they come from, and the versions of libraries they were tested with.
const WORKSPACE: &str = include_str!("../../../Cargo.toml");
const LOCK: &str = include_str!("../../../Cargo.lock");

/// Files by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The crates as a workspace.
pub(crate) fn crates() -> Files {
    let mut files: Files =
        FILES.iter().map(|(path, content)| (format!("crates/{path}"), content.to_vec())).collect();
    files.insert("Cargo.toml".to_string(), workspace_manifest().into_bytes());
    files
}

/// The manifest up to the package of the `multigame` program, which is not there.
fn workspace_manifest() -> String {
    let end = WORKSPACE.find("\n[package]").map_or(WORKSPACE.len(), |end| end + 1);
    WORKSPACE[..end].to_string()
}

/// The project of one game; `crates` is where the crates are as seen from it.
pub(crate) fn game(request: &Request<'_>, package: &str, crates: &str) -> Files {
    let mut files = Files::new();
    let mut add = |path: &str, text: String| files.insert(path.to_string(), text.into_bytes());
    let code = crate::emit(request.module, &request.program.description);
    add("Cargo.toml", manifest(package, crates, &["compiled", "cli"], Care::for_code(&code)));
    add("Cargo.lock", LOCK.to_string());
    add("src/main.rs", main(request));
    add("src/game.rs", code);
    add("src/rules.mg", request.text.to_string());
    add("src/program.ir", multigame_ir::print(request.program));
    files
}

/// The project of the hand-written games.
pub(crate) fn reference(package: &str, crates: &str) -> Files {
    let mut files = Files::new();
    let mut add = |path: &str, text: String| files.insert(path.to_string(), text.into_bytes());
    add("Cargo.toml", manifest(package, crates, &["cli", "reference"], Care::THOROUGH));
    add("Cargo.lock", LOCK.to_string());
    add("src/main.rs", include_str!("reference.txt").to_string());
    files
}

/// How a program's own code is compiled: the libraries are always compiled thoroughly, once.
struct Care {
    level: u32,
    /// Many pieces are faster to build on several cores, one leaves the most to optimise.
    pieces: u32,
}

impl Care {
    /// For the yardstick.
    const THOROUGH: Care = Care { level: 3, pieces: 1 };

    /// For a game, which people wait for. Long code gains nothing from the third level: chess is built in
    /// half the time and is as fast. Othello would lose a seventh of its speed by it, random games of
    /// connect-4 as much by smaller pieces.
    ///
    /// PERF: on two cores chess takes 12.7 to 14.7 s in 4 pieces, 14.3 to 15.7 in 8 and 15.9 to 17.7 in 2.
    fn for_code(code: &str) -> Care {
        const LONG: usize = 200_000;
        Care { level: if code.len() > LONG { 2 } else { 3 }, pieces: 4 }
    }
}

fn manifest(package: &str, crates: &str, dependencies: &[&str], care: Care) -> String {
    let Care { level, pieces } = care;
    // The command line as a program for one game needs it; others have no features.
    let dependency = |name: &&str| {
        format!("multigame-{name} = {{ path = \"{crates}/{name}\", default-features = false }}\n")
    };
    let dependencies: String = dependencies.iter().map(dependency).collect();
    format!(
        "[package]\n\
         name = \"{package}\"\n\
         version = \"0.1.0\"\n\
         edition = \"2024\"\n\
         publish = false\n\
         \n\
         [dependencies]\n\
         {dependencies}\
         \n\
         [workspace]\n\
         \n\
         [profile.release]\n\
         opt-level = {level}\n\
         # Few large pieces need no second look at all of them together, which takes a third of the time.\n\
         codegen-units = {pieces}\n\
         lto = \"off\"\n\
         # Nothing is to be cleaned up after a mistake of the compiler, and code without that is built faster.\n\
         panic = \"abort\"\n\
         \n\
         [profile.release.package.\"*\"]\n\
         opt-level = 3\n\
         codegen-units = 1\n"
    )
}

fn main(request: &Request<'_>) -> String {
    format!(
        "//! The program: shell and commands for one game alone.\n\
         \n\
         mod game;\n\
         \n\
         use std::process::ExitCode;\n\
         \n\
         use multigame_cli::{{Rules, run}};\n\
         \n\
         fn main() -> ExitCode {{\n\
         \x20   run::<game::Rules>(&Rules {{\n\
         \x20       name: {:?},\n\
         \x20       file: {:?},\n\
         \x20       text: include_str!(\"rules.mg\"),\n\
         \x20       program: include_str!(\"program.ir\"),\n\
         \x20   }})\n\
         }}\n",
        request.name, request.file,
    )
}

/// A number for a set of files: the same files have the same number.
pub(crate) fn fingerprint(files: &Files) -> String {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    LOCK.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_program_uses_is_there() {
        let files = crates();
        let mut reached = vec!["cli".to_string(), "compiled".to_string()];
        let mut next = 0;
        while next < reached.len() {
            let path = format!("crates/{}/Cargo.toml", reached[next]);
            let manifest = files.get(&path).unwrap_or_else(|| panic!("{path} is missing"));
            assert!(files.contains_key(&format!("crates/{}/src/lib.rs", reached[next])));
            let manifest = String::from_utf8(manifest.clone()).unwrap();
            let end = manifest.find("[dev-dependencies]").unwrap_or(manifest.len());
            for line in manifest[..end].lines() {
                let Some(rest) = line.strip_prefix("multigame-") else { continue };
                if line.contains("optional = true") {
                    continue;
                }
                let name: String =
                    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
                if !reached.contains(&name) {
                    reached.push(name);
                }
            }
            next += 1;
        }
        assert!(reached.len() > 8, "{reached:?}");
        let workspace = String::from_utf8(files["Cargo.toml"].clone()).unwrap();
        assert!(workspace.contains("[workspace.dependencies]") && !workspace.contains("[package]"));
    }
}
