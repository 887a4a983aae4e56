//! Diagnostics as people and tools see them.

use expect_test::expect;
use multigame_syntax::{Style, parse, render, to_json};

const TEXT: &str = "# ‘typographic’\nmain =\n    find opponents pawn,\n    try [step, win.\n";

#[test]
fn for_people() {
    let shown = render(&parse(TEXT).diagnostics, "game.mg", TEXT, Style::Plain);
    expect![[r#"
        error[opponents-apostrophe]: `opponents` lacks the apostrophe of `opponent's`
         --> game.mg:3:10
          |
        3 |     find opponents pawn,
          |          ^^^^^^^^^
          |
        help: write `opponent's`
          |
        3 |     find opponent's pawn,
          |                  +

        error[unclosed-bracket]: expected `]` at the end of this sequence, found `.`
         --> game.mg:4:19
          |
        4 |     try [step, win.
          |         -         ^ expected `]`
          |         |
          |         this `[` is not closed
          |
        help: insert `]`
          |
        4 |     try [step, win].
          |                   +
    "#]]
    .assert_eq(&shown);
}

#[test]
fn with_colours() {
    let shown = render(&parse(TEXT).diagnostics, "game.mg", TEXT, Style::Colour);
    assert!(shown.contains("\u{1b}["));
}

#[test]
fn for_tools() {
    let json = to_json(&parse("a = step\nb = win.").diagnostics, "game.mg", "a = step\nb = win.");
    expect![[r#"
        [
          {
            "code": "missing-full-stop",
            "column": 9,
            "end_column": 9,
            "end_line": 1,
            "file": "game.mg",
            "fix": {
              "column": 9,
              "end_column": 9,
              "end_line": 1,
              "line": 1,
              "message": "insert `.`",
              "replacement": ".",
              "span": [
                8,
                8
              ]
            },
            "help": [],
            "label": "expected `.`",
            "line": 1,
            "message": "expected `.` at the end of the rule `a`, found `b`",
            "related": [],
            "severity": "error",
            "span": [
              8,
              8
            ]
          }
        ]
    "#]]
    .assert_eq(&format!("{json:#}\n"));
}
