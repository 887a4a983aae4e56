//! Commands that are killed, used twice at once, given damaged files or a full disk: nothing is lost. The
//! long form of this is `tests/torture`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_multigame");

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-kills-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split(' ')).current_dir(&self.0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command says when it succeeds.
    fn said(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments}\n{}", errors(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn start(&self, arguments: &str) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> HashSet<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Starts a command again and again and kills it later and later, until it comes to its end.
    fn run_with_kills(&self, arguments: &str) -> usize {
        for kills in 0.. {
            let mut child = self.start(arguments);
            let until = Instant::now() + Duration::from_millis(30 + 40 * kills as u64);
            while Instant::now() < until {
                if let Some(status) = child.try_wait().unwrap() {
                    assert!(status.success(), "{arguments}: {}", errors(&child.wait_with_output().unwrap()));
                    return kills;
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            kill(child);
        }
        unreachable!("there is always a next number")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn terminate(child: Child) -> Output {
    let number = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &number]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// Waits for a file that a command makes.
fn wait_for(file: &Path) {
    let start = Instant::now();
    while !file.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} is not written", file.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const SOLVE: &str = "solve connect-4 --set columns=5 --set rows=4 --table 4";

#[test]
fn solve_survives_kills() {
    let folder = Folder::new("solve");
    for engine in ["dfpn", "negascout"] {
        let whole = json(&folder.said(&format!("{SOLVE} --engine {engine} --json")));
        let keeping = format!("{SOLVE} --engine {engine} --checkpoint run --checkpoint-every 5ms");
        let kills = folder.run_with_kills(&keeping);
        assert!(kills > 1, "{engine}: {kills}");
        let rest = json(&folder.said(&format!("{keeping} --json")));
        assert_eq!(rest["result"], whole["result"]);
        let nodes = [&rest, &whole].map(|of| of["nodes"].as_u64().unwrap());
        assert!(nodes[0] < nodes[1], "{engine}: something was kept: {nodes:?}");
        std::fs::remove_file(folder.file("run")).unwrap();
    }
}

#[test]
fn a_puzzle_in_pieces_has_the_same_shortest_solution() {
    let folder = Folder::new("puzzle");
    let solve = "solve 15-puzzle --position C5DB/2A.9/7843/E6F1 --engine idastar --table 1";
    let moves = |text: &str| json(text)["moves"].as_array().unwrap().len();
    let whole = moves(&folder.said(&format!("{solve} --json")));
    let keeping = format!("{solve} --checkpoint run --checkpoint-every 1ms");
    let kills = folder.run_with_kills(&keeping);
    assert!(kills > 1, "{kills}");
    assert_eq!(moves(&folder.said(&format!("{keeping} --json"))), whole, "after {kills} kills");
}

#[test]
fn a_checkpoint_is_written_when_the_program_is_told_to_end() {
    let folder = Folder::new("term");
    let solve = "solve connect-4 --table 4 --checkpoint run --checkpoint-every 60m";
    for threads in ["1", "2"] {
        let child = folder.start(&format!("{solve} --threads {threads}"));
        wait_for(&folder.file("run.lock"));
        std::thread::sleep(Duration::from_millis(300));
        let output = terminate(child);
        assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
        assert!(errors(&output).contains("kept in `run`"), "{}", errors(&output));
        assert_eq!(folder.names(), HashSet::from(["run".to_string()]));
        let again = folder.run(&format!("{solve} --threads {threads} --nodes 1000"));
        assert!(errors(&again).contains("going on from `run`"), "{}", errors(&again));
        std::fs::remove_file(folder.file("run")).unwrap();
    }
}

#[test]
fn a_file_has_one_user_who_is_named_to_the_second() {
    let folder = Folder::new("twice");
    std::fs::write(folder.file("rules.mg"), RULES).unwrap();
    let solve = "solve connect-4 --table 4 --checkpoint";
    let play = "match depth=6 depth=6 --game breakthrough --games 1000 --log games";
    let learn = format!("{LEARN} --games 100000 --state state --output weights.toml");
    for (arguments, lock) in [
        (format!("{solve} run.5x5"), "run.5x5.lock"),
        (play.to_string(), "games.lock"),
        (learn, "state.lock"),
    ] {
        let first = folder.start(&arguments);
        wait_for(&folder.file(lock));
        // The owner introduces itself right after it has the lock.
        std::thread::sleep(Duration::from_millis(50));
        let second = folder.run(&arguments);
        let said = errors(&second);
        assert_eq!(second.status.code(), Some(1));
        for part in
            [&format!("in use by process {} on ", first.id()), "multigame", "wait for its end, or choose"]
        {
            assert!(said.contains(part), "{arguments}: {said}");
        }
        kill(first);
    }
    // The lock of a killed process is nobody's.
    let after = folder.run(&format!("{solve} run.5x5 --nodes 1000"));
    assert!(errors(&after).contains("kept in"), "{}", errors(&after));
}

#[test]
fn checkpoints_with_similar_names_do_not_meet() {
    let folder = Folder::new("similar");
    for _ in 0..3 {
        let names = ["run.5x5", "run.6x5"];
        let children = names.map(|name| {
            let columns = &name[4..5];
            let size = format!("--set columns={columns} --set rows=5 --table 4");
            folder
                .start(&format!("solve connect-4 {size} --checkpoint {name} --checkpoint-every 1ms --time 1"))
        });
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(!errors(&output).contains("cannot"), "{}", errors(&output));
        }
        assert_eq!(folder.names(), names.map(String::from).into(), "both, and nothing else");
    }
}

/// What was played, whatever it took: each game once.
fn games(file: &Path) -> Vec<(u64, Value)> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().skip(1).map(json);
    let mut games: Vec<_> =
        lines.map(|game| (game["number"].as_u64().unwrap(), game["moves"].clone())).collect();
    games.sort_by_key(|(number, _)| *number);
    games
}

#[test]
fn a_match_survives_kills() {
    let folder = Folder::new("match");
    let play = "match depth=4 depth=3 --game breakthrough --games 60 --concurrency 2 --json --log";
    let whole = json(&folder.said(&format!("{play} whole")));
    let kills = folder.run_with_kills(&format!("{play} killed"));
    assert!(kills > 1, "{kills}");
    let counts = |of: &Value| ["games", "wins", "draws", "losses"].map(|name| of[name].clone());
    assert_eq!(counts(&json(&folder.said(&format!("{play} killed")))), counts(&whole));
    let games = ["whole", "killed"].map(|name| games(&folder.file(name)));
    assert!(games[0].iter().map(|(number, _)| *number).eq(0..60));
    assert_eq!(games[0], games[1]);
}

const RULES: &str = r#"dimensions (4, 5) no moves = loss pieces { man 'A' 'B' }
    setup { "BBBB" "...." "...." "...." "AAAA" }
    evaluation { material { man 1 } ahead -30 : count [ find own man, assert (row >= 3) ] }
    main = find own man, pick up,
        either [ north, step, points at empty field ]
        or [ either northwest or northeast, step, points at opponent's man ],
        put down, irreversible, try [ assert (row == 5), win ]."#;

const LEARN: &str =
    "learn rules.mg --depth 2 --plies 3 --rounds 2 --pull 0.001 --match-games 0 --concurrency 2";

#[test]
fn learning_survives_kills() {
    let folder = Folder::new("learn");
    std::fs::write(folder.file("rules.mg"), RULES).unwrap();
    let learn = |name: &str| format!("{LEARN} --games 300 --state {name}.state --output {name}.toml");
    folder.said(&learn("whole"));
    let kills = folder.run_with_kills(&learn("killed"));
    assert!(kills > 0, "{kills}");
    let weights =
        ["whole.toml", "killed.toml"].map(|name| std::fs::read_to_string(folder.file(name)).unwrap());
    assert_eq!(weights[0], weights[1]);
    // Damaged states are refused or read as they were.
    let whole = std::fs::read(folder.file("whole.state")).unwrap();
    for number in 0..40 {
        let place = number * whole.len() / 40;
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (number % 7);
        std::fs::write(folder.file("killed.state"), &damaged).unwrap();
        let output = folder.run(&learn("killed"));
        assert_eq!(output.status.code(), Some(1), "byte {place}: {}", errors(&output));
        assert!(errors(&output).contains("killed.state"), "{}", errors(&output));
        assert_eq!(std::fs::read(folder.file("killed.state")).unwrap(), damaged);
    }
}

#[test]
fn what_was_learned_is_checked_where_it_is_used() {
    let folder = Folder::new("learned");
    std::fs::write(folder.file("rules.mg"), RULES).unwrap();
    for (option, name) in [("patterns 3", "patterns.json"), ("network 16 --epochs 1", "network.json")] {
        let file = folder.file(name);
        let learn = format!("learn rules.mg --{option} --games 30 --rounds 1 --depth 1 --match-games 0");
        folder.said(&format!("{learn} --output learned"));
        std::fs::rename(folder.file("learned"), &file).unwrap();
        folder.said("search rules.mg --depth 1");
        // One number more in how it was learned, which nothing else would notice.
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replacen("30 games", "31 games", 1)).unwrap();
        let output = folder.run("search rules.mg --depth 1");
        assert_eq!(output.status.code(), Some(1));
        assert!(errors(&output).contains("its checksum does not fit"), "{}", errors(&output));
        std::fs::remove_file(&file).unwrap();
    }
}

const PUZZLE: &str = r#"players = 1 dimensions (3, 3) no moves = error
    pieces { t1 '1' t2 '2' t3 '3' t4 '4' t5 '5' t6 '6' t7 '7' t8 '8' }
    setup { "867" "254" "3.1" }
    abstractions { a : t1, t2, t3, t4, t5 b : t6, t7 }
    main = find empty field, orthogonal, step, pick up, step backward, put down.
    goal = match (empty field, t1, t2, t3, t4, t5, t6, t7, t8)."#;

#[test]
fn tables_are_there_as_a_whole_or_not_at_all() {
    let folder = Folder::new("tables");
    std::fs::write(folder.file("puzzle.mg"), PUZZLE).unwrap();
    let made = folder.run("tables puzzle.mg --output whole");
    assert!(made.status.success(), "{}", errors(&made));
    let whole = std::fs::read(folder.file("whole")).unwrap();
    for delay in 0..20 {
        let child = folder.start("tables puzzle.mg --output killed");
        std::thread::sleep(Duration::from_millis(4 * delay));
        kill(child);
        if let Ok(found) = std::fs::read(folder.file("killed")) {
            assert!(found == whole, "after {delay}");
        }
    }
    assert!(folder.run("tables puzzle.mg --output killed").status.success());
    assert_eq!(std::fs::read(folder.file("killed")).unwrap(), whole);
    let left: Vec<String> = folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn endgames_are_right_or_not_there() {
    let folder = Folder::new("endgames");
    let make = |name: &str| format!("endgame make checkers --slice WW-B --endgames {name}");
    folder.said(&make("whole"));
    let slices = |name: &str| -> HashSet<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(folder.file(name)).unwrap().map(|entry| entry.unwrap().path());
        let slices = entries.filter(|path| path.extension().is_some_and(|ending| ending == "endgame"));
        let slice = |path: PathBuf| {
            (path.file_name().unwrap().to_str().unwrap().to_string(), std::fs::read(path).unwrap())
        };
        slices.map(slice).collect()
    };
    let whole = slices("whole");
    assert!(whole.len() > 1);
    let kills = folder.run_with_kills(&make("killed"));
    assert!(kills > 1, "{kills}");
    assert_eq!(slices("killed"), whole);
    // Slices that a full disk has no room for are not there; those that were there stay.
    let largest = whole.iter().max_by_key(|(_, content)| content.len()).unwrap();
    std::fs::remove_file(folder.file("killed").join(&largest.0)).unwrap();
    let full = limited(&folder, 2, &make("killed"));
    assert!(!full.status.success() && errors(&full).contains("cannot write"), "{}", errors(&full));
    assert!(slices("killed").is_subset(&whole) && slices("killed").len() < whole.len());
    folder.said(&make("killed"));
    assert_eq!(slices("killed"), whole);
    let proved = folder.said("endgame verify checkers --endgames killed");
    assert_eq!(proved.matches("positions proved").count(), whole.len());
    let names: HashSet<String> = std::fs::read_dir(folder.file("killed"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), whole.len(), "nothing else is left: {names:?}");
}

#[test]
fn tables_that_are_cut_off_while_they_are_used_do_no_harm() {
    let folder = Folder::new("cut");
    std::fs::write(folder.file("puzzle.mg"), PUZZLE).unwrap();
    assert!(folder.run("tables puzzle.mg --output tables").status.success());
    // The shell waits for commands, so that the file is cut off between two searches with it.
    let mut child = folder.command("play puzzle.mg --tables tables").stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let said = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(said);
    let mut ask = |text: &str, sign: &str| {
        std::io::Write::write_all(&mut input, text.as_bytes()).unwrap();
        assert!(lines.any(|line| line.unwrap().contains(sign)), "{sign}");
    };
    ask("hint\necho first\n", "first");
    std::fs::OpenOptions::new().write(true).open(folder.file("tables")).unwrap().set_len(0).unwrap();
    ask("hint\necho second\n", "second");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// Runs a command that cannot write files of more than a number of blocks of 512 bytes, as on a full disk.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: u32, arguments: &str) -> Output {
    let script = format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$0\" {arguments}");
    Command::new("sh").args(["-c", &script, PROGRAM]).current_dir(&folder.0).output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let solve = format!("{SOLVE} --checkpoint run --checkpoint-every 1ms");
    folder.run(&format!("{solve} --nodes 10000"));
    let kept = std::fs::read(folder.file("run")).unwrap();
    let output = limited(&folder, 64, &format!("{solve} --nodes 300000"));
    let said = errors(&output);
    assert!(
        said.contains("it will be tried again") && said.contains("what was there before is still there"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(std::fs::read(folder.file("run")).unwrap() == kept);
    assert!(folder.run(&solve).status.success());
    let play = "match depth=1 random --game breakthrough --games 40 --json --log games";
    let output = limited(&folder, 4, play);
    assert!(errors(&output).contains("cannot write `games`"), "{}", errors(&output));
    let played = games(&folder.file("games")).len();
    assert!((1..40).contains(&played), "{played}");
    assert_eq!(json(&folder.said(play))["games"], 40);
    assert!(games(&folder.file("games")).iter().map(|(number, _)| *number).eq(0..40));
}
