//! Every bundled game against what is known about it: `games/NAME/known.toml`.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use multigame_compiler::{Options, compile};
use multigame_game::{
    Ending, Game, Line, Portable, Random, Status, check_position, notation, parse_position, perft, playout,
    position_text,
};
use multigame_ir::{RulesGame, RulesPosition};
use multigame_jit::JitGame;
use serde::Deserialize;

/// Counts beyond this are left to machine code.
const MAX_LEAVES: u64 = 30_000;

/// Counts beyond this are left to `experiments/library`.
const MAX_NATIVE_LEAVES: u64 = if cfg!(debug_assertions) { 300_000 } else { 20_000_000 };

/// What is known about a game.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// Which lists show it with which other games; `crates/loader` reads and checks it.
    #[serde(rename = "family")]
    _family: String,
    #[serde(default)]
    perft: Vec<Counts>,
    #[serde(default)]
    states: Vec<Counts>,
    #[serde(default)]
    over: Vec<Over>,
    #[serde(default)]
    moves: Vec<Moves>,
    /// Random games that the test plays; a game may ask for fewer where the interpreter is slow.
    playouts: Option<u32>,
    /// Whether random games of two players may go on for ever.
    #[serde(default)]
    endless: bool,
}

/// Numbers of move sequences (from depth 1) or of positions (from distance 0).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    position: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    #[serde(default)]
    through_goals: bool,
    counts: Vec<u64>,
    source: String,
}

/// A position, or the position after some moves, in which the game is over.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Over {
    position: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    #[serde(default)]
    moves: Vec<String>,
    outcome: String,
    why: String,
}

/// All legal moves of a position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Moves {
    position: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    moves: Vec<String>,
    why: String,
}

struct Bundled {
    name: String,
    folder: PathBuf,
    known: Known,
}

fn bundled() -> Vec<Bundled> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut games = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !folder.is_dir() || name.starts_with('.') {
            continue;
        }
        let text = std::fs::read_to_string(folder.join("known.toml"))
            .unwrap_or_else(|error| panic!("{name}: known.toml: {error}"));
        let known = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: known.toml: {error}"));
        games.push(Bundled { name, folder, known });
    }
    games.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(games.len() >= 100);
    games
}

impl Bundled {
    fn game(&self, set: &BTreeMap<String, i64>, through_goals: bool) -> RulesGame {
        let text = std::fs::read_to_string(self.folder.join("rules.mg")).unwrap();
        let parameters = set.iter().map(|(name, value)| (name.clone(), *value)).collect();
        let compilation = compile(&text, &Options { name: self.name.clone(), parameters });
        assert_eq!(
            compilation.diagnostics,
            vec![],
            "{}: rules of bundled games have no diagnostics",
            self.name
        );
        let mut program = compilation.program.unwrap();
        if through_goals {
            program.goal = None;
        }
        RulesGame::new(program)
    }

    /// Machine code and the position to count from.
    fn native(&self, known: &Counts) -> (JitGame, <JitGame as Game>::Position) {
        let program = self.game(&known.set, known.through_goals).program().clone();
        let game = JitGame::new(program).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let position = match &known.position {
            None => game.initial(),
            Some(text) => game.position(&parse_position(game.description(), text).unwrap()),
        };
        (game, position)
    }

    fn position(&self, game: &RulesGame, text: &Option<String>) -> RulesPosition {
        let Some(text) = text else { return game.initial() };
        let diagram = parse_position(game.description(), text);
        game.position(&diagram.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.name)))
    }
}

#[test]
fn perft_counts_are_as_published() {
    for bundled in bundled() {
        for known in &bundled.known.perft {
            assert!(!known.source.is_empty());
            let game = bundled.game(&known.set, known.through_goals);
            let position = bundled.position(&game, &known.position);
            for (depth, &count) in (1..).zip(&known.counts).take_while(|(_, count)| **count <= MAX_LEAVES) {
                let found = perft(&game, &position, depth).unwrap();
                assert_eq!(found, count, "{} {:?} depth {depth}", bundled.name, known.position);
            }
            native_counts(&bundled, known);
        }
    }
}

/// The counts that are too large for the interpreter, where the rules become machine code.
fn native_counts(bundled: &Bundled, known: &Counts) {
    let larger = |(_, count): &(u32, u64)| (MAX_LEAVES + 1..=MAX_NATIVE_LEAVES).contains(count);
    let counts: Vec<(u32, u64)> = (1..).zip(known.counts.iter().copied()).filter(larger).collect();
    if counts.is_empty() {
        return;
    }
    let (game, position) = bundled.native(known);
    for (depth, count) in counts {
        let found = perft(&game, &position, depth).unwrap();
        assert_eq!(found, count, "{} {:?} depth {depth}", bundled.name, known.position);
    }
}

#[test]
fn state_counts_are_as_published() {
    for bundled in bundled() {
        for known in &bundled.known.states {
            let within = |limit: u64| known.counts.iter().take_while(|count| **count <= limit).count();
            let (few, many) = (within(MAX_LEAVES), within(MAX_NATIVE_LEAVES));
            let game = bundled.game(&known.set, known.through_goals);
            let start = bundled.position(&game, &known.position);
            let levels = levels(&game, start, few, |position| game.diagram(position));
            assert_eq!(levels, known.counts[..few], "{}", bundled.name);
            if many > few {
                let (game, start) = bundled.native(known);
                let levels = self::levels(&game, start, many, |position| game.signature(position));
                assert_eq!(levels, known.counts[..many], "{}", bundled.name);
            }
        }
    }
}

/// How many positions are at each of this many distances; `key` tells them apart.
fn levels<G: Game, K: Eq + Hash>(
    game: &G,
    start: G::Position,
    distances: usize,
    key: impl Fn(&G::Position) -> K,
) -> Vec<u64> {
    let mut met = HashSet::from([key(&start)]);
    let mut level = vec![start];
    let mut counts = Vec::new();
    while counts.len() < distances {
        counts.push(level.len() as u64);
        let mut next = Vec::new();
        // Distances beyond the last one are not asked for.
        for position in level.iter().filter(|_| counts.len() < distances) {
            let visit = game.visit(position, &mut |_, child| {
                if met.insert(key(child)) {
                    next.push(child.clone());
                }
                ControlFlow::Continue(())
            });
            visit.unwrap();
        }
        level = next;
    }
    counts
}

#[test]
fn games_end_as_their_rules_say() {
    for bundled in bundled() {
        for known in &bundled.known.over {
            let game = bundled.game(&known.set, false);
            let mut line = Line::new(&game, bundled.position(&game, &known.position));
            for text in &known.moves {
                let status = line.status().unwrap();
                assert_eq!(status, Status::Playing, "{}: {} before {text}", bundled.name, known.why);
                let mv = notation::find(&game, line.position(), text);
                line.play(&mv.unwrap_or_else(|error| panic!("{}: {}: {error}", bundled.name, known.why)));
            }
            let outcome = line.status().unwrap().outcome();
            let outcome = outcome.map_or("playing".to_string(), |outcome| outcome.to_string());
            assert_eq!(outcome, known.outcome, "{}: {}", bundled.name, known.why);
        }
    }
}

#[test]
fn legal_moves_are_as_players_know_them() {
    for bundled in bundled() {
        for known in &bundled.known.moves {
            let game = bundled.game(&known.set, false);
            let position = bundled.position(&game, &known.position);
            let named = notation::names(&game, &position).unwrap();
            let mut found: Vec<String> = named.into_iter().map(|named| named.name).collect();
            let mut wanted = known.moves.clone();
            found.sort();
            wanted.sort();
            assert_eq!(found, wanted, "{}: {}", bundled.name, known.why);
        }
    }
}

/// Positions that were compared with other programs, written by `experiments/compare`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Frozen {
    oracle: String,
    positions: Vec<FrozenPosition>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrozenPosition {
    position: String,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    successors: usize,
    hash: String,
}

#[test]
fn successors_are_those_that_other_programs_found() {
    let mut games = 0;
    for bundled in bundled() {
        let Ok(text) = std::fs::read_to_string(bundled.folder.join("frozen.toml")) else { continue };
        let frozen: Frozen =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: frozen.toml: {error}", bundled.name));
        assert!(!frozen.oracle.is_empty());
        let mut game: Option<(BTreeMap<String, i64>, RulesGame)> = None;
        for known in frozen.positions {
            if game.as_ref().is_none_or(|(set, _)| *set != known.set) {
                game = Some((known.set.clone(), bundled.game(&known.set, false)));
            }
            let (_, game) = game.as_ref().unwrap();
            let position = bundled.position(game, &Some(known.position.clone()));
            let mut texts = std::collections::BTreeSet::new();
            let visit = game.visit(&position, &mut |_, child| {
                texts.insert(position_text(game.description(), &game.diagram(child)));
                ControlFlow::Continue(())
            });
            visit.unwrap();
            assert_eq!(texts.len(), known.successors, "{}: {}", bundled.name, known.position);
            let joined = texts.into_iter().collect::<Vec<_>>().join("\n");
            assert_eq!(format!("{:016x}", fnv(&joined)), known.hash, "{}: {}", bundled.name, known.position);
        }
        games += 1;
    }
    assert!(games > 20, "{games} games have frozen comparisons");
}

/// FNV-1a of 64 bits.
fn fnv(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Along random games: texts and names round-trip, signatures are kept up to date, and games end.
#[test]
fn random_games_keep_every_promise() {
    for bundled in bundled() {
        let game = bundled.game(&BTreeMap::new(), false);
        let mut random = Random::new(7);
        let playouts = bundled.known.playouts.unwrap_or(if cfg!(debug_assertions) { 3 } else { 20 });
        for _ in 0..playouts {
            let mut line = Line::new(&game, game.initial());
            // Random moves hardly ever solve a puzzle.
            let must_end = game.description().players == 2 && !bundled.known.endless;
            let end = playout(&mut line, if must_end { 2_000 } else { 200 }, &mut random).unwrap();
            assert!(end.ending != Ending::TooLong || !must_end, "{}: no end in sight", bundled.name);
            for position in line.positions() {
                assert_eq!(game.signature(position), game.recomputed_signature(position), "{}", bundled.name);
                let diagram = game.diagram(position);
                let text = position_text(game.description(), &diagram);
                assert_eq!(
                    parse_position(game.description(), &text).as_ref(),
                    Ok(&diagram),
                    "{}: {text}",
                    bundled.name
                );
            }
            let middle = &line.positions()[random.below(line.positions().len())];
            let checked = check_position(&game, middle, 40);
            assert!(checked.is_ok(), "{}: {checked:?}", bundled.name);
            moves_keep_signatures(&bundled.name, &game, middle);
        }
    }
}

/// Positions and moves survive the journey to another process, and nothing is made of bytes that are not one
/// of them.
#[test]
fn positions_and_moves_travel() {
    for bundled in bundled() {
        let rules = bundled.game(&BTreeMap::new(), false);
        travel_along_games(&bundled.name, &rules, 1);
        let native = JitGame::new(rules.program().clone());
        travel_along_games(
            &bundled.name,
            &native.unwrap_or_else(|error| panic!("{}: {error}", bundled.name)),
            3,
        );
    }
}

fn travel_along_games<G: Portable>(name: &str, game: &G, games: u64) {
    for seed in 0..games {
        let mut line = Line::new(game, game.initial());
        playout(&mut line, 60, &mut Random::new(seed)).unwrap();
        for position in line.positions() {
            let mut bytes = Vec::new();
            game.pack_position(position, &mut bytes);
            for length in [0, bytes.len() / 2, bytes.len() - 1] {
                assert!(game.unpack_position(&mut &bytes[..length]).is_err(), "{name}: {length} bytes");
            }
            let read =
                game.unpack_position(&mut &bytes[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(&read, position, "{name}");
            assert_eq!(game.signature(&read), game.signature(position), "{name}");
            assert_eq!(game.is_irreversible(&read), game.is_irreversible(position), "{name}");
        }
        let (mut position, mut child) = (game.initial(), game.initial());
        for mv in line.moves() {
            let mut bytes = Vec::new();
            game.pack_move(mv, &mut bytes);
            assert!(game.unpack_move(&mut &bytes[..bytes.len() - 1]).is_err(), "{name}");
            let read = game.unpack_move(&mut &bytes[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(&read, mv, "{name}");
            assert_eq!(game.move_key(&read), game.move_key(mv), "{name}");
            game.apply(&position, &read, &mut child);
            position.clone_from(&child);
        }
        assert_eq!(&position, line.position(), "{name}");
    }
}

/// Whatever bytes arrive: machine code is given a position that a diagram has, or nothing.
#[test]
fn damaged_positions_are_refused_or_are_positions() {
    for bundled in bundled().into_iter().filter(|bundled| bundled.name != "go") {
        let game = JitGame::new(bundled.game(&BTreeMap::new(), false).program().clone()).unwrap();
        let mut random = Random::new(5);
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 30, &mut Random::new(9)).unwrap();
        for round in 0..200 {
            let position = &line.positions()[random.below(line.positions().len())];
            let mut bytes = Vec::new();
            game.pack_position(position, &mut bytes);
            for _ in 0..1 + round % 3 {
                let place = random.below(bytes.len());
                bytes[place] ^= 1 << random.below(8);
            }
            if let Ok(read) = game.unpack_position(&mut &bytes[..]) {
                let again = game.position(&game.diagram(&read));
                let (mut first, mut second) = (Vec::new(), Vec::new());
                game.pack_position(&read, &mut first);
                game.pack_position(&again, &mut second);
                // Signature and header, which says how the game ended, are not part of a diagram.
                assert_eq!(first[16..], second[16..], "{}: {:?}", bundled.name, game.diagram(&read));
                let _ = game.count(&read);
            }
        }
    }
}

/// A line that starts again remembers nothing of the game before, repetitions least of all.
#[test]
fn a_line_starts_again() {
    let bundled = bundled().into_iter().find(|bundled| bundled.name == "three-mens-morris").expect("bundled");
    let game = bundled.game(&BTreeMap::new(), false);
    let mut line = Line::new(&game, game.initial());
    let play = |line: &mut Line<'_, RulesGame>| playout(line, 2_000, &mut Random::new(3)).unwrap();
    let first = play(&mut line);
    let positions = line.positions().to_vec();
    line.restart();
    assert_eq!((line.positions(), line.moves()), (&[game.initial()][..], &[][..]));
    let second = play(&mut line);
    assert_eq!((first.plies, first.choices, first.ending), (second.plies, second.choices, second.ending));
    assert_eq!(line.positions(), positions);
}

fn moves_keep_signatures(name: &str, game: &RulesGame, position: &RulesPosition) {
    let mut moves = Vec::new();
    game.moves(position, &mut moves).unwrap();
    for mv in moves.iter().take(40) {
        let mut child = position.clone();
        game.apply(position, mv, &mut child);
        assert_eq!(game.signature(&child), game.recomputed_signature(&child), "{name}: {mv:?}");
    }
}

/// Textbook values: 255168 complete games, 5478 positions, 765 up to symmetry.
#[test]
fn tic_tac_toe_is_counted_completely() {
    let bundled = bundled().into_iter().find(|bundled| bundled.name == "tic-tac-toe").unwrap();
    let game = bundled.game(&BTreeMap::new(), false);
    let mut positions = HashSet::new();
    let games = complete_games(&game, &game.initial(), &mut positions);
    assert_eq!(games, 255_168);
    assert_eq!(positions.len(), 5_478);
    let classes: HashSet<Vec<u8>> = positions.iter().map(|cells| least_image(cells)).collect();
    assert_eq!(classes.len(), 765);
}

fn complete_games(game: &RulesGame, position: &RulesPosition, positions: &mut HashSet<Vec<u8>>) -> u64 {
    positions.insert(game.diagram(position).cells.iter().map(|piece| piece.0).collect());
    let mut games = 0;
    let outcome = game.visit(position, &mut |_, child| {
        games += complete_games(game, child, positions);
        ControlFlow::Continue(())
    });
    if outcome.unwrap().is_some() { 1 } else { games }
}

/// The least of the eight images of a 3x3 board.
fn least_image(cells: &[u8]) -> Vec<u8> {
    let turned = |cells: &[u8]| (0..9).map(|i| cells[(2 - i % 3) * 3 + i / 3]).collect::<Vec<u8>>();
    let mirrored = |cells: &[u8]| (0..9).map(|i| cells[i / 3 * 3 + 2 - i % 3]).collect::<Vec<u8>>();
    let mut image = cells.to_vec();
    let mut images = Vec::new();
    for _ in 0..4 {
        image = turned(&image);
        images.push(mirrored(&image));
        images.push(image.clone());
    }
    images.into_iter().min().unwrap()
}
