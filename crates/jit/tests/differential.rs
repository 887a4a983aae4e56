//! Every bundled game: native code against the interpreter.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use multigame_compiler::{Options, compile};
use multigame_game::{
    Appraiser, Diagram, Game, Outcome, Random, RulesError, parse_position, perft, position_text,
};
use multigame_ir::{Program, RulesGame, RulesPosition};
use multigame_jit::{JitError, JitGame, JitPosition};
use serde::Deserialize;

/// Leaves of the largest tree that is counted.
const MAX_LEAVES: u64 = 20_000;

/// Published counts up to this are counted by native code.
const MAX_PUBLISHED: u64 = if cfg!(debug_assertions) { 100_000 } else { 10_000_000 };

/// Random games from each position, unless the environment says otherwise: `GAMES=50 GAME=chess cargo test ...`.
const GAMES: u64 = 2;

/// Moves of a random game.
const MAX_PLIES: u32 = 80;

/// Children by the keys of their moves.
type Children<P> = BTreeMap<u64, P>;

struct Bundled {
    name: String,
    program: Program,
    known: Known,
}

/// The part of `known.toml` that is of use here.
#[derive(Default, Deserialize)]
struct Known {
    #[serde(default)]
    perft: Vec<Counts>,
}

/// Numbers of move sequences from depth 1 on.
#[derive(Deserialize)]
struct Counts {
    position: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    #[serde(default)]
    through_goals: bool,
    counts: Vec<u64>,
}

fn bundled() -> Vec<Bundled> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let only = std::env::var("GAME").ok();
    let mut games = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(folder.join("rules.mg")) else { continue };
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let options = Options { name: name.clone(), ..Options::default() };
        let program = compile(&text, &options).program.unwrap_or_else(|| panic!("{name} does not compile"));
        let known = std::fs::read_to_string(folder.join("known.toml")).unwrap_or_default();
        let mut known: Known = toml::from_str(&known).unwrap_or_else(|error| panic!("{name}: {error}"));
        known.perft.retain(|counts| counts.set.is_empty() && !counts.through_goals);
        games.push(Bundled { name, program, known });
    }
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

/// Runs a test on every game that has native code, and says which have none and why.
fn for_each_game(test: impl Fn(&JitGame, &RulesGame, &Known) -> Result<(), String>) {
    let mut failures = Vec::new();
    for Bundled { name, program, known } in bundled() {
        let rules = RulesGame::new(program.clone());
        match JitGame::new(program) {
            Ok(game) => match test(&game, &rules, &known) {
                Ok(()) => println!("{name}: ok, {} positions interpreted", game.interpreted()),
                Err(message) => {
                    println!("{name}: FAILED");
                    failures.push(format!("{name}: {message}"));
                }
            },
            Err(JitError::Refused(why)) => println!("{name}: refused: {why}"),
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn native_code_and_interpreter_agree() {
    let games = std::env::var("GAMES").map_or(GAMES, |games| games.parse().expect("a number"));
    for_each_game(|game, rules, known| {
        same_trees(game, rules)?;
        let initial = &rules.description().initial;
        (0..games).try_for_each(|seed| follow(game, rules, initial, seed))?;
        for counts in &known.perft {
            let Some(text) = &counts.position else {
                published(game, rules, initial, counts)?;
                continue;
            };
            let diagram =
                parse_position(game.description(), text).map_err(|error| format!("{text}: {error}"))?;
            published(game, rules, &diagram, counts).map_err(|message| format!("{text}: {message}"))?;
            (0..games).try_for_each(|seed| follow(game, rules, &diagram, seed))?;
        }
        Ok(())
    });
}

/// Counts what others have counted. Where that differs, the interpreter decides: moves that lead to the same position
/// are one move here, and two elsewhere.
fn published(game: &JitGame, rules: &RulesGame, diagram: &Diagram, counts: &Counts) -> Result<(), String> {
    let affordable = (1..).zip(&counts.counts).take_while(|(_, count)| **count <= MAX_PUBLISHED);
    for (depth, &count) in affordable {
        let found = perft(game, &game.position(diagram), depth).map_err(|error| error.to_string())?;
        if found == count {
            continue;
        }
        let expected = perft(rules, &rules.position(diagram), depth).map_err(|error| error.to_string())?;
        if found != expected {
            return Err(format!("depth {depth}: {found} instead of {expected}, published {count}"));
        }
        println!("{}: depth {depth}: {found}, published {count}", rules.description().name);
    }
    Ok(())
}

/// Compares the sizes of trees that the interpreter can still count.
fn same_trees(game: &JitGame, rules: &RulesGame) -> Result<(), String> {
    let mut size = 1;
    for depth in 1..=12 {
        let expected = perft(rules, &rules.initial(), depth).map_err(|error| error.to_string())?;
        let found = perft(game, &game.initial(), depth).map_err(|error| error.to_string())?;
        if found != expected {
            return Err(format!("depth {depth}: {found} instead of {expected}"));
        }
        let branching = expected / size;
        if expected == 0 || expected * branching > MAX_LEAVES {
            break;
        }
        size = expected;
    }
    Ok(())
}

/// Plays one random game with both and compares everything on the way.
fn follow(game: &JitGame, rules: &RulesGame, start: &Diagram, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut position, mut reference) = (game.position(start), rules.position(start));
    for ply in 0..MAX_PLIES {
        let place = || {
            let text = position_text(rules.description(), &rules.diagram(&reference));
            format!("seed {seed}, ply {ply}, {text}")
        };
        let found = native_children(game, &position);
        let expected = children(rules, &reference);
        let (found, expected, outcome) = match (found, expected) {
            (Err(found), Err(expected)) if found == expected => return Ok(()),
            (Ok((found, outcome)), Ok((expected, same))) if outcome == same => (found, expected, outcome),
            (Ok((_, found)), Ok((_, expected))) => {
                return Err(format!("{}: outcome {found:?} instead of {expected:?}", place()));
            }
            (found, expected) => {
                let (found, expected) = (found.map(|_| ()), expected.map(|_| ()));
                return Err(format!("{}: {found:?} instead of {expected:?}", place()));
            }
        };
        compare(game, rules, &found, &expected).map_err(|message| format!("{}: {message}", place()))?;
        if game.outcome(&position) != Ok(outcome) {
            return Err(format!("{}: `outcome` differs", place()));
        }
        if game.count(&position) != Ok(expected.len() as u64) {
            let count = game.count(&position);
            return Err(format!("{}: `count` gives {count:?} instead of {}", place(), expected.len()));
        }
        same_evaluations(game, rules, &position, &reference)
            .map_err(|message| format!("{}: {message}", place()))?;
        if expected.is_empty() {
            break;
        }
        let choice = random.below(expected.len());
        position = found.into_values().nth(choice).expect("as many as expected");
        reference = expected.into_values().nth(choice).expect("below the number");
    }
    Ok(())
}

/// What evaluations count, and what pieces on fields weigh together.
fn same_evaluations(
    game: &JitGame,
    rules: &RulesGame,
    position: &JitPosition,
    reference: &RulesPosition,
) -> Result<(), String> {
    for (number, evaluation) in rules.evaluations().iter().enumerate() {
        let mut counts = [vec![0; evaluation.counted()], vec![0; evaluation.counted()]];
        let found = game.features(position, number, &mut counts[0]);
        let expected = rules.features(reference, number, &mut counts[1]);
        if found != expected || (found.is_ok() && counts[0] != counts[1]) {
            let (name, [found_counts, expected_counts]) = (&evaluation.name, counts);
            return Err(format!(
                "evaluation {name}: {found:?} {found_counts:?} instead of {expected:?} {expected_counts:?}"
            ));
        }
        let native = Appraiser::new(game, number).value(game, position);
        let interpreted = Appraiser::new(rules, number).value(rules, reference);
        if native != interpreted {
            return Err(format!("evaluation {}: {native:?}, not {interpreted:?}", evaluation.name));
        }
    }
    Ok(())
}

fn compare(
    game: &JitGame,
    rules: &RulesGame,
    found: &Children<JitPosition>,
    expected: &Children<RulesPosition>,
) -> Result<(), String> {
    let text = |child: &RulesPosition| position_text(rules.description(), &rules.diagram(child));
    let native_text = |child: &JitPosition| position_text(game.description(), &game.diagram(child));
    let missing: Vec<String> = expected
        .values()
        .filter(|child| !found.values().any(|other| game.diagram(other) == rules.diagram(child)))
        .map(text)
        .collect();
    let extra: Vec<String> = found
        .values()
        .filter(|child| !expected.values().any(|other| game.diagram(child) == rules.diagram(other)))
        .map(native_text)
        .collect();
    if !missing.is_empty() || !extra.is_empty() {
        let shown = |list: &[String]| list.iter().take(4).cloned().collect::<Vec<_>>().join("; ");
        return Err(format!(
            "{} children missing: {}; {} too many: {}",
            missing.len(),
            shown(&missing),
            extra.len(),
            shown(&extra)
        ));
    }
    for (key, child) in expected {
        let Some(other) = found.get(key) else {
            return Err(format!("no move with the key of the one to {}", text(child)));
        };
        if game.diagram(other) != rules.diagram(child) {
            return Err(format!("the move to {} goes to {}", text(child), native_text(other)));
        }
        if game.signature(other) != rules.signature(child) {
            return Err(format!("the signature of {} differs", text(child)));
        }
        if game.is_irreversible(other) != rules.is_irreversible(child) {
            return Err(format!("irreversible is {} for {}", game.is_irreversible(other), text(child)));
        }
    }
    if found.len() != expected.len() {
        return Err(format!("{} children instead of {}", found.len(), expected.len()));
    }
    Ok(())
}

type Expansion<P> = Result<(Children<P>, Option<Outcome>), RulesError>;

/// The children by the keys of their moves, which must be different.
fn children<G: Game>(game: &G, position: &G::Position) -> Expansion<G::Position> {
    let mut children = BTreeMap::new();
    let outcome = game.visit(position, &mut |mv, child| {
        let earlier = children.insert(game.move_key(mv), child.clone());
        assert!(earlier.is_none(), "two moves with one key");
        ControlFlow::Continue(())
    })?;
    Ok((children, outcome))
}

/// The same, with what only native games need to prove: all ways to generate agree, and so do moves and children.
fn native_children(game: &JitGame, position: &JitPosition) -> Expansion<JitPosition> {
    let found = children(game, position)?;
    let mut moves = Vec::new();
    assert_eq!(game.moves(position, &mut moves)?, found.1);
    assert_eq!(moves.len(), found.0.len());
    let mut applied = game.initial();
    for mv in &moves {
        game.apply(position, mv, &mut applied);
        let child = &found.0[&game.move_key(mv)];
        assert_eq!(applied, *child);
        assert_eq!(game.signature(&applied), game.signature(child));
        assert_eq!(game.is_irreversible(&applied), game.is_irreversible(child));
    }
    let mut number = 0;
    let outcome = game.children(position, &mut |child| {
        assert_eq!(*child, found.0[&game.move_key(&moves[number])]);
        number += 1;
        ControlFlow::Continue(())
    })?;
    assert_eq!((outcome, number), (found.1, moves.len()));
    Ok(found)
}
