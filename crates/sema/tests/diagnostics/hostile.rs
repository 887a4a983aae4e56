//! Texts written to be slow: everything ends soon and nothing panics.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::BOARD;

/// Analyses a text, which may have errors, within a time that allows for slow machines.
fn ends_soon(text: &str) -> usize {
    let parse = multigame_syntax::parse(text);
    let start = Instant::now();
    let analysis = multigame_sema::analyze(&parse.program, &[]);
    let time = start.elapsed();
    assert!(time < Duration::from_secs(20), "{time:?}");
    analysis.diagnostics.len()
}

fn rules(write: impl Fn(&mut String)) -> String {
    let mut text = BOARD.to_string();
    write(&mut text);
    text
}

#[test]
fn long_chains_of_calls() {
    let text = rules(|text| {
        text.push_str("main = r0.\n");
        for i in 0..20_000 {
            writeln!(text, "r{i} = r{}.", i + 1).unwrap();
        }
        text.push_str("r20000 = draw.\n");
    });
    assert_eq!(ends_soon(&text), 0);
}

#[test]
fn long_circles_of_calls() {
    let text = rules(|text| {
        text.push_str("main = r0.\n");
        for i in 0..20_000 {
            writeln!(text, "r{i} = r{}.", (i + 1) % 20_000).unwrap();
        }
    });
    assert_eq!(ends_soon(&text), 1);
}

#[test]
fn chains_in_which_every_rule_calls_twice() {
    let text = rules(|text| {
        text.push_str("main = r0.\n");
        for i in 0..10_000 {
            writeln!(text, "r{i} = either r{} or [r{}, r{}].", i + 1, i + 1, i + 1).unwrap();
        }
        text.push_str("r10000 = optionally find own man.\n");
    });
    assert_eq!(ends_soon(&text), 0);
}

#[test]
fn one_rule_that_calls_all_others() {
    let text = rules(|text| {
        text.push_str("main = nothing");
        for i in 0..20_000 {
            write!(text, ", r{i}").unwrap();
        }
        text.push_str(".\n");
        for i in 0..20_000 {
            writeln!(text, "r{i} = optionally find own man.").unwrap();
        }
    });
    ends_soon(&text);
}

#[test]
fn nested_loops() {
    for (open, close) in [
        ("repeat 2 .. 7 times [nothing, ", "]"),
        ("do [nothing, ", "] while find own man"),
        ("while [find own man, ", "] do nothing"),
        ("for each own man do [nothing, ", "]"),
        ("try [north, ", "] else nothing"),
        ("not [north, ", "]"),
        ("either [north, ", "] or [south]"),
        ("assert (count [north, ", "])"),
    ] {
        for depth in [60, 180] {
            ends_soon(&rules(|text| {
                let (open, close) = (open.repeat(depth), close.repeat(depth));
                writeln!(text, "main = {open} step {close}.").unwrap();
            }));
        }
    }
}

#[test]
fn long_names_and_many_errors() {
    let name = "x".repeat(300_000);
    assert!(ends_soon(&rules(|text| writeln!(text, "main = {name}y. {name} = find {name}.").unwrap())) > 0);
    let text = rules(|text| {
        text.push_str("main = nothing");
        for i in 0..50_000 {
            write!(text, ", u{i}").unwrap();
        }
        text.push_str(".\n");
    });
    assert_eq!(ends_soon(&text), 101);
}

#[test]
fn long_expressions() {
    for part in ["1 + ", "1, ", "row && ", "row ? 1 : ", "-", "- -"] {
        ends_soon(&rules(|text| writeln!(text, "main = assert ({}1).", part.repeat(50_000)).unwrap()));
    }
}

#[test]
fn large_pictures() {
    let row = "M".repeat(1000);
    let mut text = "no moves = loss pieces { man 'M' 'm' } setup {".to_string();
    for _ in 0..900 {
        write!(text, "\"{row}\" ").unwrap();
    }
    text.push_str("} main = draw.");
    assert_eq!(ends_soon(&text), 1);
}

/// The codes of all errors in a text.
fn codes(text: &str) -> Vec<&'static str> {
    let parse = multigame_syntax::parse(text);
    let analysis = multigame_sema::analyze(&parse.program, &[]);
    assert!(analysis.model.is_none());
    analysis.diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn limits_have_their_errors() {
    let name = "x".repeat(101);
    assert_eq!(
        codes(&rules(|text| writeln!(text, "main = {name}. {name} = draw.").unwrap())),
        ["name-too-long"]
    );
    let undefined = "u, ".repeat(101);
    let many = codes(&rules(|text| writeln!(text, "main = {undefined} draw.").unwrap()));
    assert_eq!(many.last(), Some(&"too-many-errors"));
    assert_eq!(many.len(), 101);
}

#[test]
fn too_many_pieces() {
    let mut text = "dimensions (3, 3) no moves = loss main = draw. pieces {".to_string();
    for i in 0..256 {
        write!(text, " p{i} '{}'", char::from_u32(0x4e00 + i).unwrap()).unwrap();
    }
    text.push('}');
    assert_eq!(codes(&text), ["too-many-pieces"]);
}

#[test]
fn too_many_values() {
    let mut text = "dimensions (32, 32) no moves = loss properties {".to_string();
    (0..59).for_each(|i| write!(text, " p{i} : field : [0 .. 1]").unwrap());
    text.push_str("} main = find any field, assert (p0");
    (1..59).for_each(|i| write!(text, " + p{i}").unwrap());
    text.push_str(").");
    assert_eq!(codes(&text), ["too-many-values"]);
}

#[test]
fn too_many_directions() {
    let mut text = "topology graph dimensions (3, 3) no moves = loss main = draw. directions {".to_string();
    (0..256).for_each(|i| write!(text, " d{i} : a1 a2").unwrap());
    text.push('}');
    assert_eq!(codes(&text), ["too-many-directions"]);
}

/// The parser has its own bound, so this tree is made by hand.
#[test]
fn too_deep() {
    use multigame_syntax::Span;
    use multigame_syntax::ast::{Name, Program, Rule, Stmt, StmtKind};
    let span = Span::default();
    let mut body = Stmt { kind: StmtKind::Nothing, span };
    for _ in 0..500 {
        body = Stmt { kind: StmtKind::Test(Box::new(body)), span };
    }
    let mut program = multigame_syntax::parse(BOARD).program;
    program.rules.push(Rule {
        name: Name { text: "main".to_string(), span },
        parameters: Vec::new(),
        body,
        span,
    });
    let program: Program = program;
    let analysis = multigame_sema::analyze(&program, &[]);
    assert_eq!(analysis.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), ["too-deep"]);
}
