//! Random rules mean the same to native code and to the interpreter, in random positions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use multigame_compiler::{Options, compile};
use multigame_game::{Diagram, Game, Random, position_text};
use multigame_generator::{bytes, mutant, position, rules, shrink};
use multigame_ir::{Program, RulesGame};
use multigame_mir::Options as Lowering;

use super::agree;
use crate::under_test::{PROGRAMS, TestedCode, TestedError, TestedGame};

/// Programs of the long form.
const MANY_PROGRAMS: u64 = 1_000_000;

/// Random positions of each program, besides the initial one.
const POSITIONS: usize = 9;

/// Statements for one move; rules that need more are left alone.
const MOST_STEPS: u64 = 5_000;

/// Positions with more moves are left out.
const MOST_MOVES: u64 = 150;

/// Moves that are played from each position.
const PLIES: u32 = 2;

/// Programs whose code is checked while it runs: other ones than those that are compared anyway.
/// `CHECKED=10000` makes more of them.
const CHECKED_FROM: u64 = 1 << 40;
const CHECKED_PROGRAMS: u64 = 200;

/// Programs that take longer are named, because they are what the time goes to.
const SLOW: Duration = Duration::from_secs(1);

/// This many programs that differ are made smaller and shown.
const MOST_SHOWN: usize = 4;

/// What became of a program.
pub enum Verdict {
    Invalid,
    Refused,
    Agrees,
    Differs(String),
}

/// Rules made of bytes.
type Make = fn(&[u8]) -> String;

#[test]
fn random_rules_mean_the_same() {
    check(rules, number("PROGRAMS", PROGRAMS));
}

#[test]
fn changed_games_mean_the_same() {
    check(mutant, number("PROGRAMS", PROGRAMS) / 10);
}

#[test]
#[ignore = "takes hours: a million programs, ten positions each"]
fn very_many_random_rules_mean_the_same() {
    check(rules, number("PROGRAMS", MANY_PROGRAMS));
}

#[test]
#[ignore = "takes hours: a million games, ten positions each"]
fn very_many_changed_games_mean_the_same() {
    check(mutant, number("PROGRAMS", MANY_PROGRAMS));
}

/// A number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().expect("a number"))
}

fn check(make: Make, programs: u64) {
    let first = number("FIRST", 0);
    let (mut valid, mut compiled, mut different) = (0, 0, Vec::new());
    for program in first..first + programs {
        let begin = Instant::now();
        let verdict = judge(&make(&bytes(program)), &Lowering::default());
        if begin.elapsed() > SLOW {
            println!("program {program} took {:.1} s", begin.elapsed().as_secs_f64());
        }
        match verdict {
            Verdict::Invalid => continue,
            Verdict::Refused => {}
            Verdict::Agrees => compiled += 1,
            Verdict::Differs(_) => {
                compiled += 1;
                println!("program {program} differs");
                different.push(program);
            }
        }
        valid += 1;
        if different.len() == MOST_SHOWN {
            break;
        }
    }
    println!("{programs} programs, {valid} valid, {compiled} compiled");
    let shown: Vec<String> = different.iter().map(|&program| smallest(make, program)).collect();
    assert!(shown.is_empty(), "\n{}", shown.join("\n"));
    assert!(valid * 3 > programs, "many programs are valid: {valid} of {programs}");
    assert!(compiled * 4 > programs, "many programs compile: {compiled} of {programs}");
}

/// A program that differs, as small as possible.
fn smallest(make: Make, program: u64) -> String {
    let lowering = Lowering::default();
    let differs = |bytes: &[u8]| matches!(judge(&make(bytes), &lowering), Verdict::Differs(_));
    let small = shrink(&bytes(program), &mut |bytes| differs(bytes));
    match judge(&make(&small), &lowering) {
        Verdict::Differs(message) => format!("program {program}: {message}\n{}", make(&small)),
        _ => format!("program {program} differs only sometimes\n{}", make(&bytes(program))),
    }
}

/// Some random rules with indices, divisors and shifts checked while they run.
pub fn check_promises() {
    for program in CHECKED_FROM..CHECKED_FROM + number("CHECKED", CHECKED_PROGRAMS) {
        let text = rules(&bytes(program));
        if let Verdict::Differs(message) = judge(&text, &Lowering::checked()) {
            panic!("program {program}: {message}\n{text}");
        }
    }
}

fn judge(text: &str, lowering: &Lowering) -> Verdict {
    let options = Options { name: "random".to_string(), ..Options::default() };
    let Some(program) = compile(text, &options).program else { return Verdict::Invalid };
    compare(program, lowering)
}

/// Compares native code with the interpreter in the initial position and in random ones.
pub fn compare(program: Program, lowering: &Lowering) -> Verdict {
    let reference = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let game =
        match TestedCode::with_options(&program, lowering).map(|code| TestedGame::with_code(program, code)) {
            Ok(game) => game.with_most_steps(MOST_STEPS),
            Err(TestedError::Refused(_)) => return Verdict::Refused,
            Err(error) => return Verdict::Differs(error.to_string()),
        };
    let description = reference.description();
    let mut random = Random::new(7);
    let others = (0..POSITIONS).map(|_| position(description, &mut random));
    for (number, start) in [description.initial.clone()].into_iter().chain(others).enumerate() {
        // Comparing very many moves with each other takes long and tells no more than others do.
        if reference.count(&reference.position(&start)).is_ok_and(|count| count > MOST_MOVES) {
            continue;
        }
        if let Err(message) = follow(&game, &reference, &start, number as u64) {
            return Verdict::Differs(message);
        }
    }
    Verdict::Agrees
}

/// Plays from a position; a promise that is broken by a panic is a difference as well.
fn follow(game: &TestedGame, reference: &RulesGame, start: &Diagram, seed: u64) -> Result<(), String> {
    let same = AssertUnwindSafe(|| agree::follow(game, reference, start, seed, PLIES));
    catch_unwind(same).unwrap_or_else(|_| {
        Err(format!("a promise was broken after {}", position_text(reference.description(), start)))
    })
}
