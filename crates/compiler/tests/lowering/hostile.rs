//! Texts written to blow up: size and time stay in proportion to the text.

use std::fmt::Write;
use std::time::{Duration, Instant};

use multigame_compiler::{Options, compile};

fn size(text: &str) -> Option<usize> {
    let start = Instant::now();
    let compilation = compile(text, &Options::default());
    let time = start.elapsed();
    assert!(time < Duration::from_secs(20), "{time:?}");
    compilation.program.map(|program| program.origins.len() + program.functions.len())
}

#[test]
fn nested_do_loops_do_not_double() {
    let text = format!(
        "dimensions (3, 3) no moves = loss main = find any field, north, {} step {}.",
        "do [".repeat(60),
        "] while points at empty field".repeat(60)
    );
    assert!(size(&text).unwrap() < 1000);
}

#[test]
fn long_chains_of_calls() {
    let mut text = "dimensions (3, 3) no moves = loss main = r0.\n".to_string();
    for i in 0..20_000 {
        writeln!(text, "r{i} = as opponent r{}.", i + 1).unwrap();
    }
    text.push_str("r20000 = draw.");
    assert!(size(&text).unwrap() < 100_000);
}

#[test]
fn long_sequences() {
    let text = format!(
        "dimensions (3, 3) no moves = loss main = find any field {}.",
        ", replace by empty field".repeat(30_000)
    );
    assert!(size(&text).unwrap() < 50_000);
}

#[test]
fn noise() {
    for text in [
        "",
        "=",
        "main",
        "main = .",
        "[",
        "\"",
        "dimensions (9999999999999999999, 1)",
        "é'ü",
        "main = main = main.",
    ] {
        assert_eq!(size(text), None, "{text}");
    }
}

/// Programs put together by chance from the words of the language.
#[test]
fn word_soup() {
    let words = concat!(
        "own opponent's piece man king rock empty field any direction find points at replace by move to \
         match ( ) [ ] ",
        "either or try else optionally test not repeat 0 1 2 3 .. infinity times while do step backward pick \
         up put ",
        "down north northeast orthogonal turn 45 - + * / % == && || ? : = += ++ , , , . . a b c main assert \
         assign row ",
        "column b p f m win lose draw score keep turn as opponent for each count sum greatest irreversible \
         nothing"
    );
    let words: Vec<&str> = words.split(' ').collect();
    let declarations = "dimensions (3, 2) no moves = loss pieces { man 'M' 'm' king 'K' 'k' rock '#' }
        properties { b : board : [0 .. 9] p : player : [0 .. 9] f : field : [0 .. 9] m : move : [0 .. 9] }";
    let mut random: u64 = 1;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % bound
    };
    for _ in 0..5000 {
        let mut text = format!("{declarations} main = ");
        for _ in 0..1 + below(40) {
            text.push_str(words[below(words.len())]);
            text.push(' ');
        }
        text.push('.');
        let compilation = compile(&text, &Options::default());
        let errors =
            compilation.diagnostics.iter().any(|found| found.severity == multigame_syntax::Severity::Error);
        assert_eq!(compilation.program.is_none(), errors, "{text}");
    }
}

/// Programs put together by chance from statements, so that most of them can be compiled.
#[test]
fn statement_soup() {
    let simple = [
        "find own man",
        "points at rock",
        "replace by [man or king]",
        "pick up",
        "put down",
        "north",
        "step",
        "turn 90",
        "any direction",
        "assert (row == b)",
        "assign (m++)",
        "win",
        "nothing",
        "main",
        "a",
        "white to move",
        "score (f)",
    ];
    let compound = [
        "[A, A, A]",
        "either A or A",
        "try A else A",
        "optionally A",
        "test A",
        "not A",
        "repeat 0 .. 2 times A",
        "while A do A",
        "do A while A",
        "as opponent A",
        "for each own man do A",
        "for each direction do A",
        "greatest (row) A",
        "assert (count [A])",
    ];
    let declarations = "dimensions (3, 2) no moves = loss pieces { man 'M' 'm' king 'K' 'k' rock '#' }
        properties { b : board : [0 .. 9] p : player : [0 .. 9] f : field : [0 .. 9] m : move : [0 .. 9] }";
    let mut random: u64 = 7;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % bound
    };
    let mut compiled = 0;
    for _ in 0..3000 {
        let mut body = "[find any field, any direction, A, A]. a = A.".to_string();
        for _ in 0..below(8) {
            body = body.replacen('A', compound[below(compound.len())], 1);
        }
        while body.contains('A') {
            body = body.replacen('A', simple[below(simple.len())], 1);
        }
        let compilation = compile(&format!("{declarations} main = {body}"), &Options::default());
        compiled += usize::from(compilation.program.is_some());
    }
    assert!(compiled > 1000, "{compiled}");
}
