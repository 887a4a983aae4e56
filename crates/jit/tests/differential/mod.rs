//! A back end against the interpreter: every bundled game, and random rules. `under_test` names the back end.

pub mod agree;
mod random_rules;
mod regressions;
mod stacks;

use std::collections::BTreeMap;
use std::path::Path;

use multigame_compiler::{Options, compile};
use multigame_game::{Diagram, Game, Line, Random, parse_position, perft, playout};
use multigame_ir::{Program, RulesGame};
use serde::Deserialize;

use crate::under_test::{EVERY, GAMES, MAX_LEAVES, MAX_PLIES, MAX_PUBLISHED, TestedCode, TestedGame};

/// Random games that checked code plays, and their moves at most.
const CHECKED_GAMES: u64 = 2;
const CHECKED_PLIES: u32 = 60;

pub struct Bundled {
    pub name: String,
    pub program: Program,
    known: Known,
}

/// The part of `known.toml` that is of use here.
#[derive(Default, Deserialize)]
struct Known {
    #[serde(default)]
    perft: Vec<Counts>,
    #[serde(default)]
    over: Vec<Over>,
}

/// How a game ends after some moves.
#[derive(Deserialize)]
struct Over {
    position: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    #[serde(default)]
    moves: Vec<String>,
    outcome: String,
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

/// The games that are played.
pub fn bundled() -> Vec<Bundled> {
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
        known.over.retain(|over| over.set.is_empty());
        games.push(Bundled { name, program, known });
    }
    games.sort_by(|a, b| a.name.cmp(&b.name));
    let every = std::env::var("EVERY").map_or(EVERY, |every| every.parse().expect("a number"));
    if only.is_none() { games.into_iter().step_by(every).collect() } else { games }
}

/// Runs a test on every game: all of them have native code.
fn for_each_game(
    options: &multigame_mir::Options,
    test: impl Fn(&TestedGame, &RulesGame, &Known) -> Result<(), String>,
) {
    let mut failures = Vec::new();
    for Bundled { name, program, known } in bundled() {
        let rules = RulesGame::new(program.clone());
        match TestedCode::with_options(&program, options).map(|code| TestedGame::with_code(program, code)) {
            Ok(game) => match test(&game, &rules, &known) {
                Ok(()) => println!("{name}: ok, {} positions interpreted", game.interpreted()),
                Err(message) => {
                    println!("{name}: FAILED");
                    failures.push(format!("{name}: {message}"));
                }
            },
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn native_code_and_interpreter_agree() {
    let games = std::env::var("GAMES").map_or(GAMES, |games| games.parse().expect("a number"));
    for_each_game(&multigame_mir::Options::default(), |game, rules, known| {
        same_trees(game, rules)?;
        agree::same_knowledge(game, rules)?;
        for Over { position, moves, outcome, .. } in &known.over {
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            agree::ends(game, position.as_deref(), &moves, outcome)?;
        }
        let initial = &rules.description().initial;
        (0..games).try_for_each(|seed| agree::follow(game, rules, initial, seed, MAX_PLIES))?;
        for counts in &known.perft {
            let Some(text) = &counts.position else {
                published(game, rules, initial, counts)?;
                continue;
            };
            let diagram =
                parse_position(game.description(), text).map_err(|error| format!("{text}: {error}"))?;
            published(game, rules, &diagram, counts).map_err(|message| format!("{text}: {message}"))?;
            (0..GAMES).try_for_each(|seed| agree::follow(game, rules, &diagram, seed, MAX_PLIES))?;
        }
        Ok(())
    });
}

/// Indices, divisors and shifts that cannot be are noticed by checked code, in release builds as well.
#[test]
fn checked_code_keeps_its_promises() {
    for_each_game(&multigame_mir::Options::checked(), |game, _, _| {
        for seed in 0..CHECKED_GAMES {
            let mut line = Line::new(game, game.initial());
            playout(&mut line, CHECKED_PLIES, &mut Random::new(seed)).map_err(|error| error.to_string())?;
            for position in line.positions() {
                game.count(position).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    });
    random_rules::check_promises();
}

/// Counts what others have counted. Where that differs, the interpreter decides: moves that lead to the same
/// position are one move here, and two elsewhere.
fn published(game: &TestedGame, rules: &RulesGame, diagram: &Diagram, counts: &Counts) -> Result<(), String> {
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
fn same_trees(game: &TestedGame, rules: &RulesGame) -> Result<(), String> {
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
