//! What an interrupted search keeps: it is whole, it belongs to one search, and going on from it says the
//! truth.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use multigame_game::{Game, Line, Random};
use multigame_player::{Checkpoint, Identity, Knowledge, Limits, News, Solver, Solving};
use multigame_search::{Engine, Layout, Options, Proofs, TranspositionTable};

use super::{Case, cases, check};

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-checkpoints-{name}-{}", std::process::id()));
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

pub fn identity(position: &str, engine: Engine) -> Identity<'_> {
    Identity { rules: "rules", parameters: &[], position, switches: "", engine }
}

fn checkpoint(file: &Path, engine: Engine) -> anyhow::Result<Checkpoint> {
    Checkpoint::new(file.to_path_buf(), &identity("start", engine), 1)
}

fn proofs(words: &[u64]) -> Proofs {
    let proofs = Proofs::new(1000);
    proofs.extend_from_words(words);
    proofs
}

#[test]
fn every_damaged_byte_of_a_small_checkpoint_is_noticed() {
    let folder = Folder::new("bytes");
    let file = folder.0.join("a");
    // A success each.
    let words: Vec<u64> = std::iter::once(1).chain((1..11).flat_map(|key| [key, 2 << 62])).collect();
    let checkpoint = checkpoint(&file, Engine::DfPn).unwrap();
    checkpoint.save(&Knowledge::Proofs(&proofs(&words))).unwrap();
    let found = proofs(&[]);
    assert!(checkpoint.load(&Knowledge::Proofs(&found)).unwrap());
    assert!(found.words().1.eq(proofs(&words).words().1) && found.words().0 == words.len());
    let whole = std::fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, bytes).unwrap();
        let refused = checkpoint.load(&Knowledge::Proofs(&proofs(&[]))).is_err();
        refused && std::fs::read(&file).unwrap() == bytes
    };
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(refused(&damaged), "byte {place}");
        assert!(refused(&whole[..place]), "cut after {place}");
    }
}

#[test]
fn damage_of_a_large_checkpoint_is_noticed() {
    let folder = Folder::new("table");
    let file = folder.0.join("a");
    let table = TranspositionTable::new(1, Layout::default()).unwrap();
    (0..table.capacity()).for_each(|index| table.set_words(index, [index as u64, 3]));
    let checkpoint = checkpoint(&file, Engine::NegaScout).unwrap();
    checkpoint.save(&Knowledge::Table(&table)).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let mut random = Random::new(3);
    for _ in 0..150 {
        let mut damaged = whole.clone();
        let place = random.below(whole.len());
        match random.below(3) {
            0 => damaged.truncate(place),
            _ => damaged[place] ^= 1 << random.below(8),
        }
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, damaged).unwrap();
        let memory = TranspositionTable::new(1, Layout::default()).unwrap();
        assert!(checkpoint.load(&Knowledge::Table(&memory)).is_err(), "byte {place}");
    }
}

#[test]
fn a_checkpoint_belongs_to_one_search_and_one_user() {
    let folder = Folder::new("owner");
    let file = folder.0.join("run.5x5");
    let first = checkpoint(&file, Engine::DfPn).unwrap();
    first.save(&Knowledge::Proofs(&proofs(&[1]))).unwrap();
    let error = checkpoint(&file, Engine::DfPn).unwrap_err().to_string();
    assert!(error.contains("in use by process"), "{error}");
    // Names that differ only after the last dot.
    let other = checkpoint(&folder.0.join("run.6x5"), Engine::DfPn).unwrap();
    other.save(&Knowledge::Proofs(&proofs(&[0]))).unwrap();
    drop((first, other));
    let load = |identity: &Identity<'_>, mib| {
        let checkpoint = Checkpoint::new(file.clone(), identity, mib)?;
        checkpoint.load(&Knowledge::Proofs(&proofs(&[])))
    };
    assert!(load(&identity("start", Engine::DfPn), 1).unwrap());
    for (error, message) in [
        (load(&identity("end", Engine::DfPn), 1), "another position"),
        (load(&identity("start", Engine::IdaStar), 1), "another engine"),
        (load(&identity("start", Engine::DfPn), 2), "use `--table 1`"),
    ] {
        let error = format!("{:#}", error.unwrap_err());
        assert!(error.contains(message), "{error}");
    }
}

/// Solves in pieces, each of which goes on where the last one was stopped; says in how many, if a dozen is enough.
fn in_pieces(case: &Case, engine: Engine, file: &Path, random: &mut Random) -> Option<usize> {
    (1..=12).find(|&piece| {
        // Every piece gets a little farther, whatever it has to do again.
        let nodes = (piece * piece) as u64 * (100 + random.below(1000) as u64);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let keep_every = Duration::from_millis(1 + random.below(20) as u64);
        let (engine, table_mib) = (Some(engine), 1);
        let solving = Solving { engine, table_mib, limits, keep_every, ..Solving::default() };
        let checkpoint = |engine| Checkpoint::new(file.to_path_buf(), &identity(&case.name, engine), 1);
        let stop = AtomicBool::new(false);
        let solver = Solver::new(&case.game, &solving, &stop).with_checkpoint(&checkpoint);
        let line = Line::new(&case.game, case.position.clone());
        let solution = solver.run(&line, &mut |_| {}).unwrap();
        check(case, &solving, &solution);
        solution.proved.decides()
    })
}

#[test]
fn searches_in_pieces_say_the_truth() {
    use Engine::{AlphaBeta, DfPn, IdaStar, Mtdf, NegaScout, Verdict};
    let folder = Folder::new("pieces");
    let file = folder.0.join("a");
    let mut random = Random::new(8);
    let mut pieces = Vec::new();
    for case in cases() {
        let engines = match case.game.description().players {
            1 => [IdaStar, IdaStar],
            _ => [[DfPn, NegaScout], [DfPn, AlphaBeta], [Mtdf, Verdict]][random.below(3)],
        };
        // Verdicts are refused where positions can come back.
        let fits = |engine: &Engine| {
            let options = Options { engine: *engine, ..Options::default() };
            multigame_search::check(&case.game, &options).is_ok()
        };
        for engine in engines.into_iter().filter(fits) {
            pieces.extend(in_pieces(&case, engine, &file, &mut random));
            let _ = std::fs::remove_file(&file);
        }
    }
    let many = pieces.iter().filter(|&&count| count > 1).count();
    assert!(pieces.len() > 8 && many > 4, "too little was proved, or too little in pieces: {pieces:?}");
}

#[test]
fn checkpoints_are_written_while_a_search_runs_and_a_failure_does_not_end_it() {
    for engine in [Engine::DfPn, Engine::NegaScout] {
        let folder = Folder::new("failing");
        let game = super::game("connect-4", super::CONNECT_4, &[("columns", 5), ("rows", 5)]);
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let (engine, keep_every, table_mib) = (Some(engine), Duration::from_millis(1), 1);
        let solving = Solving { engine, table_mib, limits, keep_every, ..Solving::default() };
        let checkpoint = |engine| {
            let checkpoint = checkpoint(&folder.0.join("a"), engine);
            std::fs::remove_dir_all(&folder.0).unwrap();
            checkpoint
        };
        let stop = AtomicBool::new(false);
        let solver = Solver::new(&game, &solving, &stop).with_checkpoint(&checkpoint);
        let line = Line::new(&game, game.initial());
        let failures = Cell::new(0);
        let error = solver.run(&line, &mut |news| {
            if let News::NotKept(error) = news {
                assert!(error.to_string().contains("its folder does not exist"), "{error}");
                failures.set(failures.get() + 1);
            }
        });
        assert!(failures.get() > 2, "{engine:?}: {}", failures.get());
        assert!(error.unwrap_err().to_string().contains("its folder does not exist"));
    }
}
