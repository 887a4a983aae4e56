//! Any lines as the state that learning goes on from: it is refused and stays as it is, or every game in it
//! can be learned from or says why not. The lines come without their checksums, so that damage gets past
//! those.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use multigame_files::stamp;
use multigame_game::{Appraiser, Game};
use multigame_learning::{Kept, SelfPlay, State, samples};
use multigame_player::{Limits, RulesEvaluator};

use crate::games::{Both, all, chosen};

const HEAD: &str = "a run";
/// Games of a seed, and their moves.
const GAMES: u32 = 2;
const MAX_PLIES: usize = 30;

/// A file of this input only, which goes away with it.
struct File(PathBuf);

impl File {
    fn new(content: &[u8]) -> File {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("multigame-fuzzing-{}-{number}", std::process::id());
        let file = File(std::env::temp_dir().join(name));
        std::fs::write(&file.0, content).expect("a file can be written");
        file
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

pub fn check(input: &[u8]) {
    let Some((Both { rules, .. }, lines)) = chosen(input) else { return };
    let content: Vec<u8> = lines.split_inclusive(|&byte| byte == b'\n').flat_map(stamped).collect();
    let file = File::new(&content);
    let appraiser = appraiser(rules);
    let weights = appraiser.as_ref().map_or(0, |appraiser| appraiser.values().len());
    let Ok((state, kept)) = State::open(Some(&file.0), HEAD, weights) else {
        assert_eq!(std::fs::read(&file.0).expect("the file is there"), content, "what is refused stays");
        return;
    };
    drop(state);
    let again = State::open(Some(&file.0), HEAD, weights).expect("what was read can be read").1;
    assert_eq!(again, kept);
    for kept in kept {
        match kept {
            Kept::Weights { values, .. } => assert_eq!(values.len(), weights),
            Kept::Game { record, .. } => {
                let (line, samples) = match &appraiser {
                    Some(appraiser) => (record.replay(rules), samples(rules, appraiser, &record, 0.5, 100.0)),
                    None => (record.replay(rules), Ok(Vec::new())),
                };
                assert!(line.is_ok() || appraiser.is_none() || samples.is_err(), "{record:?}");
                assert!(samples.map_or(true, |samples| samples.len() <= record.values.len()), "{record:?}");
            }
        }
    }
}

/// The line with its checksum; one that is not an object stays as it is.
fn stamped(line: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(line).ok().and_then(|text| text.strip_suffix('\n'));
    let stamped = text.and_then(|text| stamp(text).ok());
    stamped.map_or_else(|| line.to_vec(), |text| (text + "\n").into_bytes())
}

fn appraiser<G: Game>(game: &G) -> Option<Appraiser> {
    (game.description().players == 2 && !game.evaluations().is_empty()).then(|| Appraiser::new(game, 0))
}

/// States of runs that were interrupted after some games, and after a round.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, game) in all().iter().enumerate() {
        let Some(appraiser) = appraiser(&game.rules) else { continue };
        let head = format!(r#"{{"multigame":"state of learning","version":1,"head":"{HEAD}"}}"#);
        let mut lines = vec![head];
        for kept in played(game, &appraiser) {
            lines.push(serde_json::to_string(&kept).expect("JSON"));
        }
        let text = lines.join("\n") + "\n";
        seeds.push([&[number as u8], text.as_bytes()].concat());
    }
    seeds
}

fn played(game: &Both, appraiser: &Appraiser) -> Vec<Kept> {
    let evaluator = RulesEvaluator::with_appraiser(&game.native, appraiser.clone());
    let stop = AtomicBool::new(false);
    let selfplay = SelfPlay {
        game: &game.native,
        evaluator: &evaluator,
        limits: Limits { depth: Some(1), ..Limits::default() },
        plies: 4,
        max_plies: MAX_PLIES,
        seed: 1,
        concurrency: 1,
        farm: None,
        stop: &stop,
    };
    let mut kept = Vec::new();
    let numbers: Vec<u32> = (0..GAMES).collect();
    let taken = selfplay.play(&numbers, &mut |record| {
        kept.push(Kept::Game { round: 1, record });
        Ok(())
    });
    taken.expect("games can be played");
    kept.push(Kept::Weights { round: 1, values: appraiser.values().to_vec() });
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_states_with_games_and_weights() {
        for seed in seeds() {
            let (game, lines) = chosen(&seed).expect("a game");
            let content: Vec<u8> = lines.split_inclusive(|&byte| byte == b'\n').flat_map(stamped).collect();
            let file = File::new(&content);
            let weights = appraiser(&game.rules).expect("an evaluation").values().len();
            let (_, kept) = State::open(Some(&file.0), HEAD, weights).expect("a state");
            assert_eq!(kept.len(), GAMES as usize + 1);
            check(&seed);
        }
    }
}
