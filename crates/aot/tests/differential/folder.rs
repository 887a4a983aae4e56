//! A folder with a Rust program, which is compiled with the libraries of this test.

use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder of this process.
    pub fn new(name: &str) -> Folder {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("aot-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Compiles `main.rs`. Overflowing shifts and the like would be mistakes of the compiler: they show.
    pub fn compile(&self, optimization: &str, libraries: &[&str]) -> PathBuf {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let program = self.0.join("program");
        let mut command = Command::new(rustc);
        command.args(["--edition", "2024", "-C", "debug-assertions=yes", "-A", "warnings"]);
        command.arg("-C").arg(format!("opt-level={optimization}"));
        command.arg("-o").arg(&program).arg(self.0.join("main.rs"));
        for name in libraries {
            let library = library(name);
            command.arg("-L").arg(format!("dependency={}", library.parent().unwrap().display()));
            command.arg("--extern").arg(format!("{name}={}", library.display()));
        }
        let compiled = command.output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        program
    }

    /// Removes the folder; where a test fails, it stays for somebody to look at.
    pub fn remove(self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// A library, as this test was linked with it: the newest one.
fn library(name: &str) -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| {
        let file = file.file_name().unwrap().to_string_lossy();
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    });
    files.max_by_key(|file| file.metadata().unwrap().modified().unwrap()).expect("a dependency of this test")
}
