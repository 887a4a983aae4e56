//! Compiled rules and interpreter side by side.
//!
//! The tests of generated Rust (`crates/aot`) compile this file too: every back end has to pass the same
//! comparison.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use multigame_game::{
    Appraiser, Diagram, Game, Line, Outcome, Piece, Random, RulesError, Weights, notation, parse_position,
    position_text,
};
use multigame_ir::{RulesGame, RulesPosition};

/// This many single moves are made in a position, and this many where there are many and it is not looked at
/// deeply.
const SINGLE_MOVES: usize = 64;
const FEW_SINGLE_MOVES: usize = 8;

/// Once the interpreter has evaluated positions of a game for so long, only one position in this many is
/// evaluated.
const PATIENCE: Duration = Duration::from_secs(2);
const SELDOM: u32 = 16;

/// Positions with more moves are looked at deeply only once in [`SELDOM`].
const MANY_MOVES: usize = 64;

/// Children by the keys of their moves.
type Children<P> = BTreeMap<u64, P>;

/// Plays one random game with both and compares everything on the way.
pub fn follow<G: Game>(
    game: &G,
    rules: &RulesGame,
    start: &Diagram,
    seed: u64,
    plies: u32,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut position, mut reference) = (game.position(start), rules.position(start));
    let mut evaluating = Duration::ZERO;
    for ply in 0..plies {
        let place = || {
            let text = position_text(rules.description(), &rules.diagram(&reference));
            format!("seed {seed}, ply {ply}, {text}")
        };
        let expected = children(rules, &reference);
        if gave_up(&expected) {
            return Ok(());
        }
        let found = native_children(game, &position, ply % SELDOM == 0);
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
        if evaluating < PATIENCE || ply % SELDOM == 0 {
            let begin = Instant::now();
            same_evaluations(game, rules, &position, &reference)
                .map_err(|message| format!("{}: {message}", place()))?;
            evaluating += begin.elapsed();
        }
        if seen(game, &position) != seen(rules, &reference) {
            return Err(format!("{}: pieces or values differ", place()));
        }
        same_words(game, rules, &position, &reference)
            .map_err(|message| format!("{}: {message}", place()))?;
        let mut passed = position.clone();
        game.hand_over(&position, &mut passed);
        let mut turned = rules.diagram(&reference);
        turned.side = turned.side.opponent();
        let wanted = (turned.clone(), rules.signature(&rules.position(&turned)));
        if (game.diagram(&passed), game.signature(&passed)) != wanted {
            return Err(format!("{}: `hand_over` differs", place()));
        }
        if expected.is_empty() {
            break;
        }
        let choice = random.below(expected.len());
        position = found.into_values().nth(choice).expect("as many as expected");
        reference = expected.into_values().nth(choice).expect("below the number");
    }
    Ok(())
}

/// What stands where and the values of properties, as networks look at them, in order.
fn seen<G: Game>(game: &G, position: &G::Position) -> (Vec<(usize, Piece)>, Vec<i32>) {
    let mut pieces = Vec::new();
    game.for_each_piece(position, |piece, field| pieces.push((field, piece)));
    pieces.sort_unstable();
    let slots = 0..game.description().value_count();
    (pieces, slots.map(|slot| game.value(position, slot)).collect())
}

/// Cycles after which a repetition is judged: short ones, and one that is longer than any game.
const CYCLES: [u32; 4] = [2, 4, 12, 10_000];

/// What only the rules can say about a position: how its repetition is judged, what its moves are called, how
/// it ended.
fn same_words<G: Game>(
    game: &G,
    rules: &RulesGame,
    position: &G::Position,
    reference: &RulesPosition,
) -> Result<(), String> {
    for cycle in CYCLES {
        let (found, expected) = (game.judge(position, cycle), rules.judge(reference, cycle));
        if found != expected {
            return Err(format!("a cycle of {cycle} is judged {found:?} instead of {expected:?}"));
        }
    }
    // Names that grow in a loop never end, and the two give up after different numbers of steps.
    let expected = rules.called(reference);
    if !gave_up(&expected) {
        let found = game.called(position);
        if found != expected {
            return Err(format!("moves are called {found:?} instead of {expected:?}"));
        }
    }
    let (found, expected) = (game.ended(position), rules.ended(reference));
    if found != expected {
        return Err(format!("ended by {found:?} instead of {expected:?}"));
    }
    Ok(())
}

/// Whether the rules took too many steps; others may do the same with less, or give up elsewhere.
fn gave_up<T>(result: &Result<T, RulesError>) -> bool {
    matches!(result, Err(error) if error.message.starts_with("gave up"))
}

/// What is known about the game as a whole.
pub fn same_knowledge<G: Game>(game: &G, rules: &RulesGame) -> Result<(), String> {
    let same = [
        ("goals", format!("{:?}", game.goals()) == format!("{:?}", rules.goals())),
        ("puzzle", format!("{:?}", game.puzzle()) == format!("{:?}", rules.puzzle())),
        ("evaluations", game.evaluations() == rules.evaluations()),
        ("patterns", game.patterns().len() == rules.patterns().len()),
        ("network", game.network().is_some() == rules.network().is_some()),
    ];
    match same.iter().find(|(_, same)| !same) {
        Some((what, _)) => Err(format!("other {what}")),
        None => Ok(()),
    }
}

/// Whether a game ends as is known (`[[over]]` in `known.toml`) after some moves, repetition included.
pub fn ends<G: Game>(game: &G, start: Option<&str>, moves: &[&str], outcome: &str) -> Result<(), String> {
    let initial = &game.description().initial;
    let diagram = start.map_or_else(|| Ok(initial.clone()), |text| parse_position(game.description(), text));
    let diagram = diagram.map_err(|error| error.to_string())?;
    let mut line = Line::new(game, game.position(&diagram));
    for text in moves {
        let mv = notation::find(game, line.position(), text).map_err(|error| format!("{text}: {error}"))?;
        line.play(&mv);
    }
    let found = line.status().map_err(|error| error.to_string())?.outcome();
    let found = found.map_or("playing".to_string(), |outcome| outcome.to_string());
    if found == outcome { Ok(()) } else { Err(format!("{start:?} {moves:?}: {found} instead of {outcome}")) }
}

/// What evaluations count, and what pieces on fields weigh together.
fn same_evaluations<G: Game>(
    game: &G,
    rules: &RulesGame,
    position: &G::Position,
    reference: &RulesPosition,
) -> Result<(), String> {
    for (number, evaluation) in rules.evaluations().iter().enumerate() {
        let mut counts = [vec![0; evaluation.counted()], vec![0; evaluation.counted()]];
        let found = game.features(position, number, &mut counts[0]);
        let expected = rules.features(reference, number, &mut counts[1]);
        if gave_up(&expected) {
            continue;
        }
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

fn compare<G: Game>(
    game: &G,
    rules: &RulesGame,
    found: &Children<G::Position>,
    expected: &Children<RulesPosition>,
) -> Result<(), String> {
    let text = |child: &RulesPosition| position_text(rules.description(), &rules.diagram(child));
    let native_text = |child: &G::Position| position_text(game.description(), &game.diagram(child));
    if found.len() != expected.len() || !found.keys().eq(expected.keys()) {
        return Err(other_children(game, rules, found, expected));
    }
    for (key, child) in expected {
        let other = &found[key];
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
    Ok(())
}

/// Which children are missing and which there should not be; if none, their moves have other keys.
fn other_children<G: Game>(
    game: &G,
    rules: &RulesGame,
    found: &Children<G::Position>,
    expected: &Children<RulesPosition>,
) -> String {
    let native: Vec<Diagram> = found.values().map(|child| game.diagram(child)).collect();
    let interpreted: Vec<Diagram> = expected.values().map(|child| rules.diagram(child)).collect();
    let only = |these: &[Diagram], those: &[Diagram]| {
        let alone: Vec<&Diagram> = these.iter().filter(|child| !those.contains(child)).collect();
        let shown: Vec<String> =
            alone.iter().take(4).map(|child| position_text(rules.description(), child)).collect();
        (alone.len(), shown.join("; "))
    };
    let (missing, which) = only(&interpreted, &native);
    let (extra, others) = only(&native, &interpreted);
    format!(
        "{} children instead of {}: {missing} missing: {which}; {extra} too many: {others}; or moves with other keys",
        found.len(),
        expected.len()
    )
}

type Expansion<P> = Result<(Children<P>, Option<Outcome>), RulesError>;

/// The children by the keys of their moves, which must be different.
fn children<G: Game>(game: &G, position: &G::Position) -> Expansion<G::Position> {
    let mut children = BTreeMap::new();
    let outcome = game.visit(position, &mut |mv, child| {
        let earlier = children.insert(game.move_key(mv), child.clone());
        if let Some(earlier) = earlier {
            let text = |child| position_text(game.description(), &game.diagram(child));
            let (kind, one, other) = (std::any::type_name::<G>(), text(&earlier), text(child));
            panic!("two moves of a {kind} have one key: to {one} and to {other}");
        }
        ControlFlow::Continue(())
    })?;
    Ok((children, outcome))
}

/// The same, with what only native games need to prove: all ways to generate agree, and so do moves and
/// children.
fn native_children<G: Game>(game: &G, position: &G::Position, deeply: bool) -> Expansion<G::Position> {
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
    let mut picked = Vec::new();
    let mut keys: Vec<u64> = Vec::new();
    // All of them, or some where there are many: each passes over those before it.
    let deeply = deeply || moves.len() <= MANY_MOVES;
    let most = if deeply { SINGLE_MOVES } else { FEW_SINGLE_MOVES };
    let numbers: Vec<usize> = (0..moves.len().max(1)).step_by(1 + moves.len() / most).collect();
    for &number in &numbers {
        let mut choose = |count: usize| {
            assert_eq!(count, moves.len());
            number
        };
        assert_eq!(game.pick(position, &mut choose, &mut picked)?, found.1);
        keys.extend(picked.iter().filter(|_| found.1.is_none()).map(|mv| game.move_key(mv)));
    }
    keys.sort_unstable();
    keys.dedup();
    assert!(keys.iter().all(|key| found.0.contains_key(key)), "a single move is none of the moves");
    assert!(found.1.is_some() || keys.len() == numbers.len(), "two numbers are one move");
    let opponent = game.description().pieces_of(game.side_to_move(position).opponent());
    let pieces = 0..game.description().pieces.len();
    let prey = pieces.map(|piece| i32::from(opponent.contains(Piece(piece as u8))));
    let prey = Weights { pieces: prey.collect(), values: Vec::new() };
    let mut taking = Vec::new();
    assert_eq!(game.takes(position, &prey, true, &mut taking)?, found.1);
    assert!(taking.iter().eq(moves.iter().filter(|mv| game.weigh_move(position, mv, &prey) < 0)));
    if found.1.is_none() {
        let taken = std::mem::take(&mut taking);
        assert_eq!(game.takes(position, &prey, false, &mut taking)?, None);
        let keys = |moves: &[G::Move]| moves.iter().map(|mv| game.move_key(mv)).collect::<BTreeSet<u64>>();
        assert_eq!(taking.len(), taken.len());
        assert_eq!(keys(&taking), keys(&taken));
        let goes_to = |mv: &G::Move| game.ends(position, mv).1;
        for field in taken.iter().map(goes_to).collect::<BTreeSet<usize>>() {
            let there: Vec<G::Move> = taken.iter().filter(|mv| goes_to(mv) == field).cloned().collect();
            game.takes_on(position, &prey, field, &mut taking)?;
            assert_eq!(
                (taking.len(), keys(&taking)),
                (there.len(), keys(&there)),
                "captures on field {field}"
            );
        }
    }
    if deeply {
        let below: Result<u64, RulesError> = found.0.values().map(|child| game.count(child)).sum();
        let leaves = game.leaves(position, 2);
        // The two count in another order, and so give up in another place or meet another error first.
        if !gave_up(&below) && !gave_up(&leaves) {
            assert!(
                leaves == below.clone().map(Some) || leaves.is_err() && below.is_err(),
                "moves after each move: {leaves:?}, not {below:?}"
            );
        }
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
