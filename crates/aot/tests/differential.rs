//! Generated Rust against the interpreter: perft, and everything along random games.
//!
//! The compiler translates the generated source of several games together with `driver/games.rs`, which does the comparing.
//! `GAMES=all cargo test -p multigame-aot --release --test differential -- --nocapture` takes all bundled games,
//! `GAMES=chess,shogi` some; `POSITIONS=10000` compares so many positions of each.

use std::path::{Path, PathBuf};
use std::process::Command;

use multigame_compiler::{Options, compile};

/// Games that are small to compile and differ in what they need: lines, passes and scores, compulsion and long moves,
/// a goal, properties, pieces with names that Rust has kept for itself.
const USUAL: &str =
    "tic-tac-toe,connect-4,breakthrough,othello,checkers,15-puzzle,hanoi,three-mens-morris,sokoban";

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// The rules to compare: names and files.
fn rules() -> Vec<(String, PathBuf)> {
    let chosen = std::env::var("GAMES").ok();
    let wanted = chosen.clone().unwrap_or_else(|| USUAL.to_string());
    let mut names: Vec<String> = match wanted.as_str() {
        "all" => {
            let entries = std::fs::read_dir(games()).unwrap().map(|entry| entry.unwrap());
            let games = entries.filter(|entry| entry.path().join("rules.mg").is_file());
            games.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        }
        some => some.split(',').map(str::to_string).collect(),
    };
    names.sort();
    let rules = names.into_iter().map(|name| {
        let file = games().join(&name).join("rules.mg");
        (name, file)
    });
    let wander = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/wander.mg");
    // The interpreter is very slow at it.
    rules.chain([("wander".to_string(), wander)].into_iter().filter(|_| chosen.is_none())).collect()
}

/// The library of generated code, as this test was linked with it: the newest one.
fn library() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| {
        let file = file.file_name().unwrap().to_string_lossy();
        file.starts_with("libmultigame_native-") && file.ends_with(".rlib")
    });
    files.max_by_key(|file| file.metadata().unwrap().modified().unwrap()).expect("a dependency of this test")
}

#[test]
fn generated_rust_and_interpreter_agree() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("aot-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut driver = String::from(include_str!("driver/games.rs"));
    let mut calls = String::new();
    for (name, file) in rules() {
        let text = std::fs::read_to_string(&file).unwrap();
        let options = Options { name: name.clone(), ..Options::default() };
        let program = compile(&text, &options).program.unwrap_or_else(|| panic!("{name} does not compile"));
        let module = match multigame_mir::lower(&program) {
            Ok(module) => module,
            Err(reason) => {
                println!("{name}: refused: {reason}");
                continue;
            }
        };
        let identifier = format!("game_{}", name.replace('-', "_"));
        let source = multigame_aot::emit(&module, &program.description);
        std::fs::write(folder.join(format!("{identifier}.ir")), multigame_ir::print(&program)).unwrap();
        std::fs::write(folder.join(format!("{identifier}.rs")), source).unwrap();
        driver.push_str(&format!("mod {identifier};\n"));
        calls.push_str(&format!(
            "    check::<{identifier}::Rules, {{ {identifier}::WORDS }}>({name:?}, include_str!(\"{identifier}.ir\"));\n"
        ));
    }
    driver.push_str(&format!("\nfn main() {{\n{calls}}}\n"));
    std::fs::write(folder.join("main.rs"), driver).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let program = folder.join("program");
    let mut command = Command::new(rustc);
    // Overflowing shifts and the like would be mistakes of the compiler: let them show.
    command.args([
        "--edition",
        "2024",
        "-C",
        "opt-level=1",
        "-C",
        "debug-assertions=yes",
        "-A",
        "warnings",
        "-o",
    ]);
    command.arg(&program).arg(folder.join("main.rs"));
    let library = library();
    command.arg("-L").arg(format!("dependency={}", library.parent().unwrap().display()));
    command.arg("--extern").arg(format!("multigame_native={}", library.display()));
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&program).output().unwrap();
    print!("{}", String::from_utf8_lossy(&run.stdout));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}
