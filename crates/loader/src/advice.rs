//! What is worth saying about rules that compile, and takes running or lowering them: a game that is over
//! before it begins, and rules that are left to the interpreter.
//!
//! [`compile`](crate::compile) does not ask for this, because every command compiles and only those that show
//! diagnostics have the time.

use multigame_game::{Game, Outcome};
use multigame_ir::{OriginId, Program, RulesGame};
#[cfg(not(target_family = "wasm"))]
use multigame_mir::{Refusal, lower_moves};
use multigame_syntax::{Diagnostic, Span};

/// Statements that are run to find a first move; rules that need more have not been found wanting.
const MOST_STEPS: u64 = 2_000_000;

/// Code and explanation of what [`advice`] says.
pub const CODES: &[(&str, &str)] = &[
    (
        "no-first-move",
        "warning: the game is over before it begins, because the initial position has no legal move",
    ),
    (
        "not-compiled",
        "note: the interpreter plays these rules, because the compiler cannot; the message says why",
    ),
];

/// What there is to say about a program.
pub fn advice(program: &Program) -> Vec<Diagnostic> {
    first_move(program).into_iter().chain(refusal(program)).collect()
}

/// Why the compiler leaves rules to the interpreter.
#[cfg(not(target_family = "wasm"))]
fn refusal(program: &Program) -> Option<Diagnostic> {
    let refusal = lower_moves(program, &multigame_mir::Options::default()).err()?;
    Some(not_compiled(&refusal))
}

/// A page has an interpreter only.
#[cfg(target_family = "wasm")]
fn refusal(_: &Program) -> Option<Diagnostic> {
    None
}

fn first_move(program: &Program) -> Option<Diagnostic> {
    let main = program.function(program.main[program.description.initial.side.index()]);
    // A game without steps to spare may have a move; errors are found by whoever plays.
    let game = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let outcome = game.outcome(&game.initial()).ok()??;
    let side = program.description.initial.side;
    if let (Some(goal), true) = (program.goal, outcome.worth_to(side) > 0) {
        let span = place(program, program.function(goal).body.origin).unwrap_or_default();
        let message = "the puzzle is solved before it begins";
        let label = "this has a result in the initial position";
        return Some(Diagnostic::warning("no-first-move", span, message).label(label));
    }
    let span = place(program, main.body.origin).unwrap_or_default();
    let end = match outcome {
        Outcome::Draw => "it is drawn".to_string(),
        _ if program.description.players == 1 => "the puzzle is lost".to_string(),
        outcome => format!("{} has won", if outcome.worth_to(side) > 0 { side } else { side.opponent() }),
    };
    let message = format!("the game is over before it begins: {end}");
    let diagnostic = Diagnostic::warning("no-first-move", span, message);
    let without_pieces = program.description.initial.cells.iter().all(|piece| piece.index() == 0);
    Some(match without_pieces {
        true => diagnostic
            .label("this has no result on the empty board")
            .help("`setup` puts pieces on the board, by a picture or by `apply`"),
        false => diagnostic
            .label("in the initial position this has no result that changes anything")
            .help("`multigame moves` lists the legal moves of any position"),
    })
}

#[cfg(not(target_family = "wasm"))]
fn not_compiled(refusal: &Refusal) -> Diagnostic {
    let span = refusal.place().map_or(Span::default(), |place| Span::new(place.span.0, place.span.1));
    let message = format!("the interpreter plays these rules, which is slow: {}", refusal.reason());
    let diagnostic = Diagnostic::note("not-compiled", span, message);
    let diagnostic = match refusal.place() {
        Some(place) => diagnostic.label(format!("in rule `{}`", place.rule)),
        None => diagnostic,
    };
    match refusal.remedy() {
        Some(remedy) => diagnostic.help(remedy),
        None => diagnostic,
    }
}

fn place(program: &Program, origin: OriginId) -> Option<Span> {
    let origin = program.origins.get(origin.0 as usize)?;
    Some(Span::new(origin.span.0, origin.span.1))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use multigame_syntax::{Style, render};

    use super::*;

    const BOARD: &str = "no moves = loss\npieces { man 'M' 'm' }\nproperties { n : board : [0 .. 9] }\n";

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let compilation = multigame_compiler::compile(text, &Default::default());
        let program = compilation.program.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics));
        expected.assert_eq(&render(&advice(&program), "rules.mg", text, Style::Plain));
    }

    #[test]
    fn an_empty_board() {
        check(
            &format!(
                "dimensions (3, 3)\n{BOARD}main = find own man, assign (n = 1), replace by empty field."
            ),
            expect![[r#"
                warning[no-first-move]: the game is over before it begins: black has won
                 --> rules.mg:5:8
                  |
                5 | main = find own man, assign (n = 1), replace by empty field.
                  |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this has no result on the empty board
                  |
                  = help: `setup` puts pieces on the board, by a picture or by `apply`
            "#]],
        );
    }

    #[test]
    fn blocked_pieces() {
        check(
            &format!(
                "{BOARD}setup {{ \"m\" \"M\" }}
main = find own man, pick up, assign (n = 1), east, step, put down."
            ),
            expect![[r#"
                warning[no-first-move]: the game is over before it begins: black has won
                 --> rules.mg:5:8
                  |
                5 | main = find own man, pick up, assign (n = 1), east, step, put down.
                  |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in the initial position this has no result that changes anything
                  |
                  = help: `multigame moves` lists the legal moves of any position
            "#]],
        );
    }

    #[test]
    fn a_solved_puzzle() {
        check(
            "players = 1 no moves = loss pieces { man 'M' } setup { \"M.\" } goal = find man.
main = find man, replace by empty field.",
            expect![[r#"
                warning[no-first-move]: the puzzle is solved before it begins
                 --> rules.mg:1:70
                  |
                1 | players = 1 no moves = loss pieces { man 'M' } setup { "M." } goal = find man.
                  |                                                                      ^^^^^^^^ this has a result in the initial position
            "#]],
        );
    }

    #[test]
    fn a_division_that_may_fail() {
        check(
            &format!(
                "dimensions (3, 3)\n{BOARD}main = find empty field,\n    replace by man, assign (n = 9 / n)."
            ),
            expect![[r#"
                note[not-compiled]: the interpreter plays these rules, which is slow: a division by something that may be 0 or negative
                 --> rules.mg:6:33
                  |
                6 |     replace by man, assign (n = 9 / n).
                  |                                 ^^^^^ in rule `main`
                  |
                  = help: divide by a constant or by a property whose range begins at 1 or above
            "#]],
        );
    }

    #[test]
    fn an_assignment_inside_an_expression() {
        check(
            &format!(
                "dimensions (3, 3)\n{BOARD}main = find empty field, place.
place = replace by man, assign (row > 1 && (n = 3))."
            ),
            expect![[r#"
                note[not-compiled]: the interpreter plays these rules, which is slow: an assignment that is not always made, inside an expression
                 --> rules.mg:6:33
                  |
                6 | place = replace by man, assign (row > 1 && (n = 3)).
                  |                                 ^^^^^^^^^^^^^^^^^^ in rule `place`
                  |
                  = help: make it a statement: `try [ assert (condition), assign (p = value) ]`
            "#]],
        );
    }

    #[test]
    fn nothing_to_say() {
        check(
            &format!("dimensions (3, 3)\n{BOARD}main = find empty field, replace by man, assign (n = row)."),
            expect![[""]],
        );
    }
}
