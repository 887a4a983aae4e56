//! Damage, foreign files, folders that cannot be written to, and what is left after failures.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::fs;
use std::path::{Path, PathBuf};

use multigame_files::{FileError, Kind, Lock, Log, Opened, Replacement, Sealed, append, seal, write};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const KIND: Kind = Kind { name: "sample", version: 2, remedy: "make it again" };
const NEWER: Kind = Kind { version: 3, ..KIND };
const OTHER: Kind = Kind { name: "example", ..KIND };

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn seal_words(path: &Path, kind: Kind, words: &[u64]) -> Result<(), FileError> {
    seal(path, kind, |output| words.iter().try_for_each(|&word| output.word(word)))
}

fn unseal_words(mut sealed: Sealed, count: usize) -> Result<Vec<u64>, FileError> {
    let words = (0..count).map(|_| sealed.word()).collect::<Result<_, _>>()?;
    sealed.finish()?;
    Ok(words)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    number: usize,
    text: String,
}

type Samples = Opened<String, Entry>;

fn open_log(path: &Path) -> Result<Samples, FileError> {
    Log::open(path, KIND)
}

fn entries(count: usize) -> Vec<Entry> {
    (0..count).map(|number| Entry { number, text: "ä\"\n".repeat(number % 3) }).collect()
}

fn write_log(path: &Path, count: usize) {
    let Opened { mut log, .. } = open_log(path).unwrap();
    log.begin(&"head".to_string()).unwrap();
    entries(count).iter().for_each(|entry| log.add(entry).unwrap());
}

fn read_log(path: &Path) -> Result<(Option<String>, Vec<Entry>), FileError> {
    let Opened { head, entries, .. } = open_log(path)?;
    Ok((head, entries.into_iter().map(|(_, entry)| entry).collect()))
}

#[test]
fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
    let folder = Folder::new("replace");
    let file = folder.file("a.5x5");
    write(&file, b"old").unwrap();
    let mut unfinished = Replacement::of(&file).unwrap();
    std::io::Write::write_all(&mut unfinished, b"half").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"old");
    drop(unfinished);
    assert_eq!(folder.names(), ["a.5x5"]);
    write(&file, b"new").unwrap();
    assert_eq!((fs::read(&file).unwrap(), folder.names()), (b"new".to_vec(), vec!["a.5x5".to_string()]));
}

#[test]
fn similar_names_do_not_disturb_each_other() {
    let folder = Folder::new("similar");
    let [five, six] = ["run.5x5", "run.6x6"].map(|name| folder.file(name));
    let mut one = Replacement::of(&five).unwrap();
    let mut other = Replacement::of(&six).unwrap();
    let mut again = Replacement::of(&five).unwrap();
    for (replacement, text) in [(&mut one, "five"), (&mut other, "six"), (&mut again, "again")] {
        std::io::Write::write_all(replacement, text.as_bytes()).unwrap();
    }
    [one, other, again].into_iter().for_each(|replacement| replacement.commit().unwrap());
    assert_eq!(fs::read_to_string(&five).unwrap(), "again");
    assert_eq!(fs::read_to_string(&six).unwrap(), "six");
}

#[test]
fn remains_of_the_dead_are_removed_and_those_of_the_living_are_not() {
    let folder = Folder::new("remains");
    let file = folder.file("a");
    fs::write(folder.file(".a.99999999-0.unfinished"), "dead").unwrap();
    fs::write(folder.file(".b.99999999-0.unfinished"), "of another file").unwrap();
    let mut living = Replacement::of(&file).unwrap();
    std::io::Write::write_all(&mut living, b"living").unwrap();
    write(&file, b"x").unwrap();
    assert_eq!(folder.names().len(), 3, "{:?}", folder.names());
    living.commit().unwrap();
    assert_eq!(folder.names(), [".b.99999999-0.unfinished", "a"]);
    assert_eq!(fs::read(&file).unwrap(), b"living");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("links");
    let (file, link) = (folder.file("file"), folder.file("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    write(&link, b"new").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let _lock = Lock::of(&link).unwrap();
    assert!(matches!(Lock::of(&file), Err(FileError::InUse { .. })), "one file has one lock");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
    let error = write(&file, b"newer").unwrap_err();
    assert!(matches!(error, FileError::System { action: "write", .. }), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_directly() {
    let device = Path::new("/dev/null");
    write(device, b"x").unwrap();
    append(device, "x\n").unwrap();
    let _lock = Lock::of(device).unwrap();
    let _another = Lock::of(device).unwrap();
}

/// Even for the administrator, who may write everywhere else.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to_is_an_error_that_says_so() {
    let file = Path::new("/sys/kernel/multigame");
    for error in [write(file, b"").unwrap_err(), Lock::of(file).unwrap_err(), open_log(file).unwrap_err()] {
        assert!(error.to_string().contains("its folder must be writable"), "{error}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_an_error_that_says_so() {
    let file = std::env::temp_dir().join("multigame-no-such-folder/a");
    for error in [
        write(&file, b"").unwrap_err(),
        Lock::of(&file).unwrap_err(),
        append(&file, "").unwrap_err(),
        open_log(&file).unwrap_err(),
    ] {
        assert!(error.to_string().contains("its folder does not exist"), "{error}");
    }
}

#[test]
fn a_second_user_is_told_who_the_first_is() {
    let folder = Folder::new("owner");
    let file = folder.file("a");
    let lock = Lock::of(&file).unwrap();
    let said = Lock::of(&file).unwrap_err().to_string();
    for part in
        [&format!("process {} on ", std::process::id()), "(`", "wait for its end, or choose another file"]
    {
        assert!(said.contains(part), "{said}");
    }
    drop(lock);
    assert!(folder.names().is_empty());
    drop(Lock::of(&file).unwrap());
    // What a killed process left.
    fs::write(folder.file("a.lock"), "process 1 on nowhere").unwrap();
    drop(Lock::of(&file).unwrap());
    assert!(folder.names().is_empty());
}

#[test]
fn a_lock_has_one_owner_however_often_it_changes_hands() {
    let folder = Folder::new("hands");
    let file = folder.file("a");
    let inside = std::sync::atomic::AtomicUsize::new(0);
    let order = std::sync::atomic::Ordering::SeqCst;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    if let Ok(_lock) = Lock::of(&file) {
                        assert_eq!(inside.fetch_add(1, order), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, order);
                    }
                }
            });
        }
    });
    assert!(folder.names().is_empty());
}

#[test]
fn lines_are_appended_whole() {
    let folder = Folder::new("append");
    let file = folder.file("book");
    append(&file, "one\n").unwrap();
    fs::write(&file, "one\ntwo").unwrap();
    append(&file, "three\n").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntwo\nthree\n");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20).for_each(|_| append(&file, "a\nb\n").unwrap()));
        }
    });
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("one\ntwo\nthree\n{}", "a\nb\n".repeat(80)));
    assert_eq!(folder.names(), ["book"]);
}

#[test]
fn sealed_files_say_what_is_wrong_in_three_ways() {
    let folder = Folder::new("sealed");
    let file = folder.file("a");
    let read = |kind| Sealed::open(&file, kind).and_then(|sealed| unseal_words(sealed, 2));
    assert!(read(KIND).unwrap_err().is_missing());
    seal_words(&file, KIND, &[7, 8]).unwrap();
    assert_eq!(read(KIND).unwrap(), [7, 8]);
    assert!(matches!(read(OTHER), Err(FileError::NotOurs { .. })));
    let error = read(NEWER).unwrap_err().to_string();
    assert!(error.contains("format 2, and this version of multigame reads format 3"), "{error}");
    for foreign in [&b""[..], b"PK\x03\x04", b"multigame", &[0xff; 200]] {
        fs::write(&file, foreign).unwrap();
        let error = read(KIND).unwrap_err();
        assert!(matches!(error, FileError::NotOurs { .. }), "{error}");
    }
}

#[test]
fn contents_longer_than_a_block_come_back() {
    let folder = Folder::new("long");
    let file = folder.file("a");
    let bytes: Vec<u8> = (0..3_000_000u32).map(|number| number as u8).collect();
    seal(&file, KIND, |output| bytes.chunks(700_001).try_for_each(|part| output.bytes(part))).unwrap();
    let read = |keep: usize| {
        let content = fs::read(&file).unwrap();
        let mut sealed = Sealed::of_bytes(&file, KIND, content[..keep].to_vec())?;
        let bytes = sealed.many(3_000_000)?;
        sealed.finish().map(|()| bytes)
    };
    let all = fs::read(&file).unwrap().len();
    assert_eq!(read(all).unwrap(), bytes);
    // Where a block ends, too.
    for keep in [all - 1, all - 12, all - 13, 22 + 12 + (1 << 20), 22 + 8] {
        assert!(matches!(read(keep), Err(FileError::Damaged { .. })), "{keep}");
    }
    let mut sealed = Sealed::open(&file, KIND).unwrap();
    assert!(
        matches!(sealed.many(u64::MAX), Err(FileError::Damaged { .. })),
        "what a file claims is not believed"
    );
}

#[test]
fn every_damaged_byte_and_every_length_of_a_sealed_file_is_noticed() {
    let folder = Folder::new("bytes");
    let file = folder.file("a");
    let words = [1, u64::MAX, 0, 0x1234_5678_9abc_def0];
    seal_words(&file, KIND, &words).unwrap();
    let whole = fs::read(&file).unwrap();
    let read = |content: Vec<u8>| {
        Sealed::of_bytes(&file, KIND, content).and_then(|sealed| unseal_words(sealed, words.len()))
    };
    assert_eq!(read(whole.clone()).unwrap(), words);
    for place in 0..whole.len() {
        for change in 1..=255 {
            let mut damaged = whole.clone();
            damaged[place] ^= change;
            assert!(read(damaged).is_err(), "byte {place} changed by {change}");
        }
        assert!(read(whole[..place].to_vec()).is_err(), "cut after {place}");
    }
    assert!(read([&whole[..], b"x"].concat()).is_err(), "something after the end");
}

#[test]
fn logs_go_on_where_they_ended() {
    let folder = Folder::new("log");
    let file = folder.file("a");
    write_log(&file, 3);
    assert_eq!(read_log(&file).unwrap(), (Some("head".to_string()), entries(3)));
    let Opened { mut log, .. } = open_log(&file).unwrap();
    assert!(matches!(open_log(&file), Err(FileError::InUse { .. })));
    log.add(&entries(4)[3]).unwrap();
    drop(log);
    assert_eq!(read_log(&file).unwrap().1, entries(4));
    assert_eq!(folder.names(), ["a"]);
    let mut again = open_log(&file).unwrap().log;
    again.begin(&"other".to_string()).unwrap();
    drop(again);
    assert_eq!(read_log(&file).unwrap(), (Some("other".to_string()), Vec::new()));
}

// A command that was refused because the log is of another match had cut its last line before.
#[test]
fn a_torn_line_stays_until_something_is_added() {
    let folder = Folder::new("torn");
    let file = folder.file("a");
    write_log(&file, 2);
    let whole = fs::read_to_string(&file).unwrap();
    let torn = whole.clone() + "{\"number\":2,\"te";
    fs::write(&file, &torn).unwrap();
    assert_eq!(read_log(&file).unwrap().1, entries(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), torn, "who only looks changes nothing");
    let Opened { mut log, .. } = open_log(&file).unwrap();
    log.add(&entries(3)[2]).unwrap();
    drop(log);
    assert_eq!(read_log(&file).unwrap().1, entries(3));
    assert!(fs::read_to_string(&file).unwrap().starts_with(&whole));
}

#[test]
fn logs_say_what_is_wrong_in_three_ways_and_stay_as_they_are() {
    let folder = Folder::new("wrong");
    let file = folder.file("a");
    write_log(&file, 2);
    let whole = fs::read_to_string(&file).unwrap();
    let error = |content: &str, kind: Kind| {
        fs::write(&file, content).unwrap();
        let error = Log::<String, Entry>::open(&file, kind).unwrap_err();
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
        error
    };
    assert!(matches!(error(&whole, OTHER), FileError::NotOurs { .. }));
    assert!(matches!(error(&whole, NEWER), FileError::OtherVersion { found: 2, known: 3, .. }));
    assert!(matches!(error(&whole.replace("head", "heat"), KIND), FileError::Damaged { .. }));
    let damaged = error(&whole.replace("\"number\":1", "\"number\":2"), KIND).to_string();
    assert!(damaged.contains("damaged in line 3; make it again"), "{damaged}");
    for foreign in ["my notes", "my notes\n", "{\"multigame\":\"example", "{}\n", "\n"] {
        assert!(matches!(error(foreign, KIND), FileError::NotOurs { .. }), "{foreign}");
    }
}

#[test]
fn every_damaged_byte_and_every_length_of_a_log_is_noticed() {
    let folder = Folder::new("lines");
    let file = folder.file("a");
    write_log(&file, 3);
    let whole = fs::read(&file).unwrap();
    let check = |content: &[u8]| {
        // Some file systems wait for the disk when a file is overwritten.
        fs::remove_file(&file).unwrap();
        fs::write(&file, content).unwrap();
        match read_log(&file) {
            Err(_) => assert_eq!(fs::read(&file).unwrap(), content, "what is refused stays"),
            // A last line that was not finished is not there.
            Ok((head, found)) => {
                assert!(head.is_none_or(|head| head == "head"));
                assert_eq!(found, entries(found.len()));
                let lost = content.last() != Some(&b'\n');
                assert!(
                    lost || found.len()
                        == content.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1)
                );
            }
        }
    };
    for place in 0..whole.len() {
        for change in [1, 128, whole[place] ^ b'\n'] {
            let mut damaged = whole.clone();
            damaged[place] ^= change;
            check(&damaged);
        }
        check(&whole[..place]);
    }
}

/// A sealed file of three words.
fn sample() -> &'static [u8] {
    static SAMPLE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    SAMPLE.get_or_init(|| {
        let folder = Folder::new("sample");
        let file = folder.file("a");
        seal_words(&file, KIND, &[1, 2, 3]).unwrap();
        fs::read(&file).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in 0..60usize) {
        let name = Path::new("bytes");
        let _ = Sealed::of_bytes(name, KIND, bytes.clone()).and_then(|sealed| unseal_words(sealed, 3));
        let mut content = sample().to_vec();
        content.truncate(cut);
        content.extend(&bytes);
        let found = Sealed::of_bytes(name, KIND, content).and_then(|sealed| unseal_words(sealed, 3));
        prop_assert!(found.is_err());
        let file = std::env::temp_dir().join(format!("multigame-files-random-{}", std::process::id()));
        fs::write(&file, bytes).unwrap();
        let _ = read_log(&file);
        fs::remove_file(&file).unwrap();
    }
}
