//! `multigame build` as users run it, up to where cargo would begin to compile.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn multigame(arguments: &[&str], cache: &Path, cargo: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_multigame"));
    command.args(arguments).env("MULTIGAME_CACHE", cache).env("CARGO", cargo).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("build-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn generated_rust_is_printed() {
    let folder = folder("emit");
    let output = multigame(&["build", "tic-tac-toe", "--emit", "rust"], &folder, "cargo");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.starts_with("//! tic-tac-toe, generated from its rules"), "{text}");
    for part in ["impl Code for Rules", "fn main_white_generate(position: &Position", "const WHITE_"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert!(!text.contains("unsafe"));
    let file = folder.join("game.rs");
    let output = multigame(
        &["build", "tic-tac-toe", "--emit", "rust", "-o", file.to_str().unwrap()],
        &folder,
        "cargo",
    );
    assert!(output.status.success() && output.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_cargo_it_says_what_to_install() {
    let folder = folder("cargo");
    for arguments in [&["build", "hanoi"][..], &["perft", "hanoi", "2", "--backend", "aot"]] {
        let output = multigame(arguments, &folder, "no-such-program");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("https://rustup.rs") && message.contains("--backend jit"), "{message}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A cargo that copies `/bin/echo` to where the program would be: what is run, and how often it is built.
#[cfg(unix)]
#[test]
fn programs_are_built_once_and_run_with_the_same_arguments() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("cache");
    let cargo = folder.join("cargo.sh");
    let script = "#!/bin/sh\n\
        mkdir -p \"$CARGO_TARGET_DIR/release\"\n\
        test -f Cargo.lock -a -f src/game.rs -a -f src/program.ir -a -f ../../crates/cli/Cargo.toml || exit 9\n\
        cp /bin/echo \"$CARGO_TARGET_DIR/release/$(basename \"$PWD\")\"\n";
    std::fs::write(&cargo, script).unwrap();
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (cargo, cache) = (cargo.to_str().unwrap(), folder.join("cache"));
    let line = ["perft", "hanoi", "3", "--set", "discs=3", "--backend", "aot"];
    for said in ["building hanoi with cargo", ""] {
        let output = multigame(&line, &cache, cargo);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{message}");
        assert!(message.contains(said) && (said.is_empty() == message.is_empty()), "{message}");
        let expected = format!("--in-place-of-multigame {}\n", line.join(" "));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
    let program = folder.join("program");
    let output = multigame(&["build", "hanoi", "-o", program.to_str().unwrap()], &cache, cargo);
    assert!(output.status.success() && program.is_file());
    let output = multigame(&["build", "hanoi", "-o", folder.to_str().unwrap()], &cache, cargo);
    assert!(String::from_utf8(output.stderr).unwrap().contains("is a folder"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_built_is_refused() {
    let folder = folder("refused");
    let output = multigame(&["solve", "hanoi", "--backend", "aot"], &folder, "cargo");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("`--backend aot` is there for play, search"), "{message}");
    std::fs::remove_dir_all(folder).unwrap();
}
