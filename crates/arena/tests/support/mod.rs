//! Games and misbehaving engines for tests.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use multigame_ir::RulesGame;

/// A bundled game, played by the interpreter.
pub fn game(name: &str) -> RulesGame {
    let path = format!("{}/../../games/{name}/rules.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let options = multigame_compiler::Options { name: name.to_string(), parameters: Vec::new() };
    RulesGame::new(multigame_compiler::compile(&text, &options).program.unwrap())
}

/// A folder that is removed afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-arena-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A shell script that speaks UCI up to `go`, and then does something else.
    pub fn engine(&self, name: &str, on_go: &str) -> String {
        self.script(
            name,
            &format!(
                "while read -r line; do case \"$line\" in\n\
                 uci) echo id name {name}; echo uciok;;\n\
                 isready) echo readyok;;\n\
                 go*) {on_go};;\n\
                 quit) exit 0;;\n\
                 esac; done\n"
            ),
        )
    }

    /// Any shell script.
    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        format!("uci:{}", path.display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
