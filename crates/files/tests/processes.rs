//! Other processes: killed in the middle, two at once, with a disk that is full.
//!
//! The test program runs itself again as a child, which does what the environment says in its test `child`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may use files, and a child prints"
)]

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use multigame_files::{FileError, Kind, Lock, Log, Opened, Sealed, append, seal};
use serde_json::{Value, json};

const KIND: Kind = Kind { name: "sample", version: 1, remedy: "make it again" };
const WORDS: u64 = 300_000;

/// What a child does, and the file it does it to.
const TASK: &str = "MULTIGAME_FILES_TASK";
const FILE: &str = "MULTIGAME_FILES_FILE";

/// Without a task it is nobody's child.
#[test]
fn child() {
    if let (Ok(task), Ok(file)) = (std::env::var(TASK), std::env::var(FILE)) {
        run(&task, Path::new(&file));
    }
}

/// What a child does until it is killed.
fn run(task: &str, file: &Path) {
    match task {
        "replace" => {
            for number in 0.. {
                replace(file, number).unwrap();
            }
        }
        "log" => {
            let Opened { mut log, head, entries } = Log::<String, Value>::open(file, KIND).unwrap();
            if head.is_none() {
                log.begin(&"head".to_string()).unwrap();
            }
            for number in entries.len().. {
                log.add(&json!({ "number": number })).unwrap();
            }
        }
        "hold" => {
            let _lock = Lock::of(file).unwrap();
            println!("held");
            std::thread::sleep(Duration::from_secs(600));
        }
        "big" => match replace(file, 1) {
            Err(error) => println!("{error}: {}", std::error::Error::source(&error).unwrap()),
            Ok(()) => println!("written"),
        },
        "long" => println!("{}", (0..).find_map(|number| grow(file, number).err()).unwrap()),
        _ => panic!("`{task}` is not a task"),
    }
}

/// All words of a version are the same, so that a mixture is noticed.
fn replace(file: &Path, number: u64) -> Result<(), FileError> {
    seal(file, KIND, |output| (0..WORDS).try_for_each(|_| output.word(number)))
}

fn grow(file: &Path, number: u64) -> Result<(), FileError> {
    append(file, &format!("line {number}\n"))
}

fn version(file: &Path) -> u64 {
    let mut sealed = Sealed::open(file, KIND).unwrap();
    let words: Vec<u64> = (0..WORDS).map(|_| sealed.word().unwrap()).collect();
    sealed.finish().unwrap();
    assert!(words.iter().all(|word| *word == words[0]));
    words[0]
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-processes-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(program: impl AsRef<OsStr>, task: &str, file: &Path) -> Command {
    let mut command = Command::new(program);
    command.env(TASK, task).env(FILE, file).stdout(Stdio::piped());
    command
}

fn start(task: &str, file: &Path) -> Child {
    let program = std::env::current_exe().unwrap();
    command(program, task, file).args(["--exact", "child", "--nocapture"]).spawn().unwrap()
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn replacements_survive_kills() {
    let folder = Folder::new("replace");
    let file = folder.0.join("a.b");
    replace(&file, 0).unwrap();
    let mut versions = HashSet::new();
    // On a busy machine children need long to do anything.
    for round in 0..300u64 {
        if round >= 15 && versions.len() > 2 {
            break;
        }
        let children = [start("replace", &file), start("replace", &file)];
        std::thread::sleep(Duration::from_millis(7 * round));
        children.into_iter().for_each(kill);
        versions.insert(version(&file));
    }
    assert!(versions.len() > 2, "the children have written something: {versions:?}");
    replace(&file, 0).unwrap();
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1, "what they left is gone");
}

#[test]
fn logs_survive_kills() {
    let folder = Folder::new("log");
    let file = folder.0.join("log");
    let mut before = 0;
    for round in 0..300u64 {
        if round >= 15 && before > 100 {
            return;
        }
        let child = start("log", &file);
        std::thread::sleep(Duration::from_millis(5 * round));
        kill(child);
        let Opened { entries, .. } = Log::<String, Value>::open(&file, KIND).unwrap();
        let numbers = entries.iter().map(|(_, entry)| entry["number"].as_u64().unwrap());
        assert!(numbers.eq(0..entries.len() as u64), "each entry once, in order");
        assert!(entries.len() >= before);
        before = entries.len();
    }
    panic!("the children have written only {before} lines");
}

#[test]
fn locks_end_with_their_owners() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("hold");
    let file = folder.0.join("a");
    let mut holder = start("hold", &file);
    let mut said = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().ends_with("held")));
    let error = Lock::of(&file).unwrap_err().to_string();
    assert!(
        error.contains(&format!("process {}", holder.id())) && error.contains("--exact child"),
        "{error}"
    );
    kill(holder);
    drop(Lock::of(&file).unwrap());
}

/// Files of more than a MiB cannot be written, as on a full disk. Without the signal, as `trap` has it, the
/// system reports an error.
#[cfg(unix)]
fn limited(task: &str, file: &Path) -> String {
    let script = "ulimit -f $1; trap '' XFSZ; exec \"$2\" --exact child --nocapture";
    let blocks = if task == "big" { "1024" } else { "2" };
    let mut shell = command("sh", task, file);
    let output =
        shell.args(["-c", script, "sh", blocks]).arg(std::env::current_exe().unwrap()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let file = folder.0.join("a");
    replace(&file, 9).unwrap();
    let said = limited("big", &file);
    assert!(said.contains("cannot write") && said.contains("what was there before is still there"), "{said}");
    assert_eq!(version(&file), 9);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    let text = folder.0.join("text");
    let said = limited("long", &text);
    assert!(said.contains("cannot write"), "{said}");
    let lines = std::fs::read_to_string(&text).unwrap();
    assert!(lines.ends_with('\n') && lines.lines().count() > 50, "no half line: {}", lines.len());
}
