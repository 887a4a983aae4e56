//! Each feature on small texts; `$0` is the place that is asked about.

use expect_test::{Expect, expect};
use multigame_ide::completion::{SNIPPETS, complete, without_places};
use multigame_ide::{Rules, apply, completion};
use multigame_ide::{diagnostics, folding, formatting, hints, hover, navigation, rename, signature};
use multigame_syntax::Span;

const GAME: &str = "\
# A game.
dimensions (3, 3)
no moves = draw
players = 2
sides = 1

pieces { mark 'X' 'O' stone 'S' }

properties {
    marks : player : [0 .. 9]
    turns : board : [0 .. 9]
    far : move : [0 .. 1]
}

parameter size = 3 [1 .. 9]

# Puts a mark.
main = find empty field, replace by mark, assign (marks++), try [ line, win ].

line = find own mark, any direction, repeat 2 times [ step, points at own mark ].
";

fn split(text: &str) -> (String, u32) {
    let at = text.find("$0").expect("a place");
    (text.replacen("$0", "", 1), at as u32)
}

/// The game with `line` replaced.
fn with(rule: &str) -> (String, u32) {
    split(&format!("{}\n{rule}", &GAME[..GAME.find("line =").unwrap()]))
}

fn labels(text: &str, at: u32) -> Vec<String> {
    complete(&Rules::new("game", text), at).items.into_iter().map(|item| item.label).collect()
}

fn offers(rule: &str, expected: Expect) {
    let (text, at) = with(rule);
    let mut labels = labels(&text, at);
    let all = labels.len();
    labels.truncate(6);
    expected.assert_eq(&format!("{} ({all})", labels.join(", ")));
}

#[test]
fn completion_knows_where_it_is() {
    offers("line = $0.", expect!["main, line, find, points at, replace by, pick up (50)"]);
    offers("line = find own mark, $0", expect!["main, line, find, points at, replace by, pick up (50)"]);
    offers("line = fi$0nd own mark.", expect!["main, line, find, points at, replace by, pick up (50)"]);
    offers("line = find $0", expect!["mark, stone, empty field, own piece, opponent's piece, any piece (9)"]);
    offers(
        "line = find [mark or $0].",
        expect!["mark, stone, empty field, own piece, opponent's piece, any piece (9)"],
    );
    offers("line = find own m$0.", expect!["mark, stone, piece (3)"]);
    offers("line = points $0", expect!["at (1)"]);
    offers("line = assert ($0).", expect!["marks, turns, far, size, row, column (11)"]);
    offers("line = assert (turns == 1 && t$0).", expect!["marks, turns, far, size, row, column (11)"]);
    offers("line = assert (opponent's $0).", expect!["marks (1)"]);
    offers("line = repeat $0 times step.", expect!["size (1)"]);
    offers("line = either step $0", expect!["or, backward (2)"]);
    offers("line = step.\n$0", expect!["main, dimensions, pieces, setup, no moves, players (21)"]);
    offers("line = missing.\nm$0", expect!["missing, main, dimensions, pieces, setup, no moves (22)"]);
    offers("line = step. # find $0", expect![" (0)"]);
    offers("line = step.\nno moves = $0", expect!["loss, draw, pass, error (4)"]);
    offers("line = step.\nproperties { a : $0 : [0 .. 1] }", expect!["board, player, field, move (4)"]);
    offers("line = step.\nproperties { $0 }", expect![" (0)"]);
    offers("line = step.\nnotation { $0 }", expect!["uci, algebraic, usi, iccs, pdn, coordinates (10)"]);
    offers("line = step.\nnotation { fen (a, $0) }", expect!["marks, turns, far (3)"]);
    offers("line = step.\nlooks { $0 }", expect!["mark, stone, fields (3)"]);
    offers("line = step.\nsetup { $0 }", expect!["marks, turns, white to move, black to move, apply (5)"]);
    offers("line = step.\nsetup { apply $0 }", expect!["main, line (2)"]);
    offers("line = step.\nevaluation { $0 }", expect!["material, table, phase, calm, greatest (5)"]);
    offers("line = step.\nevaluation { material { $0 } }", expect!["mark, stone (2)"]);
    offers("line = step.\nevaluation { table $0 }", expect!["mark, stone (2)"]);
    offers("line = step.\nevaluation { a 1 : $0 }", expect!["marks, turns, far, size, row, column (11)"]);
    offers(
        "line = step.\nevaluation { a 1 : count [ $0 ] }",
        expect!["main, line, find, points at, replace by, pick up (50)"],
    );
    offers(
        "line = step.\nbased on \"nine-$0",
        expect!["15-puzzle, 24-puzzle, abalone, amazons, antichess, antidraughts (115)"],
    );
    offers(
        "line = step.\nbased on kal$0",
        expect!["15-puzzle, 24-puzzle, abalone, amazons, antichess, antidraughts (115)"],
    );
}

/// Every snippet, filled in with what it suggests, is read without an error where it is offered.
#[test]
fn snippets_are_rules() {
    use multigame_ide::completion::Part;
    for snippet in SNIPPETS {
        let text = without_places(snippet.text);
        assert!(!text.contains(['$', '|']) || text.contains("||"), "{text}");
        let rules = match snippet.part {
            Part::Item => text.clone(),
            Part::Statement => format!("r = {text}."),
            Part::Pattern => format!("r = find {text}."),
            Part::Expression => format!("r = assert ({text})."),
            Part::Setup => format!("setup {{ {text} }}"),
            Part::Notation => format!("notation {{ {text} }}"),
            Part::Looks => format!("looks {{ {text} }}"),
            Part::Evaluation | Part::Material => format!("evaluation {{ {text} }}"),
        };
        let found = multigame_syntax::parse(&rules).diagnostics;
        assert!(found.is_empty(), "{rules}: {found:?}");
        assert!(
            completion::SNIPPETS.iter().any(|it| it == snippet)
                && (snippet.label.contains(' ') || text.contains(snippet.label)),
            "{snippet:?}"
        );
    }
}

fn says(rule: &str, expected: Expect) {
    let (text, at) = with(rule);
    let rules = Rules::new("game", &text);
    let effects = hints::effects(&rules);
    let said = hover::hover(&rules, at, effects.as_ref()).map_or("nothing".to_string(), |hover| {
        let entries: Vec<String> =
            hover.entries.iter().map(|it| format!("{}: {} [{}]", it.kind, it.about, it.more)).collect();
        format!("{}: {}", &text[hover.span.start as usize..hover.span.end as usize], entries.join(" / "))
    });
    expected.assert_eq(&said);
}

#[test]
fn hover_explains_words_and_names() {
    says(
        "line = points$0   at own mark.",
        expect![
            "points   at: statement: Goes on only if the field under the finger matches. [6. Statements]"
        ],
    );
    says("line = find own m$0ark.", expect!["mark: piece: piece of both players, written `X` and `O` []"]);
    says("line = assert ($0turns == 1).", expect!["turns: property: number of the board, 0 to 9 []"]);
    says(
        "line = assert (size$0 == 1).",
        expect!["size: parameter: 3 unless something else is asked for, 1 to 9 []"],
    );
    says(
        "line = nothing. l2 = ma$0in.",
        expect![
            "main: rule: Puts a mark. This rule possibly changes the board, changes properties, moves the finger, ends the game, and has any number of results. []"
        ],
    );
    says("line = step. # poi$0nts at", expect!["nothing"]);
    says("line = step. based on ch$0ess", expect!["chess: game: Chess, with all of its rules. []"]);
    says("line = nowh$0ere.", expect!["nothing"]);
    says(
        "line = ke$0ep turn.",
        expect!["keep turn: statement: The same player moves again. [6. Statements]"],
    );
}

fn places(text: &str, at: u32) -> Vec<String> {
    let rules = Rules::new("game", text);
    let shown = |place: multigame_ide::Place| {
        let source = &rules.sources[place.source];
        let line = source.text[..place.span.start as usize].matches('\n').count() + 1;
        format!("{}:{line}", source.name)
    };
    let definition = navigation::definition(&rules, at).into_iter().map(shown).collect::<Vec<_>>();
    let references = navigation::references(&rules, at, false).len();
    vec![definition.join(" "), references.to_string()]
}

#[test]
fn names_lead_to_their_declarations() {
    let (text, at) = with("line = find own ma$0rk.");
    assert_eq!(places(&text, at), ["game:7", "2"]);
    let (text, at) = split("based on chess\nmain = try chec$0k.\n");
    assert_eq!(places(&text, at), ["chess:502", "5"]);
    let (text, at) = split("based on chess\nche$0ck = nothing.\nmain = check.\n");
    assert_eq!(places(&text, at), ["chess:502", "5"]);
    let (text, at) = split("based on che$0ss\nmain = check.\n");
    assert_eq!(places(&text, at)[0], "chess:1");
}

/// Rules with parameters: two of them have one of the same name.
const ROWS: &str = "row (p, n) = \
    find own p, assert (n > 1), any direction, repeat n times [ step, points at own p ].\n\
    line = row (mark, 2).\n\
    other (p) = find [own p or empty field], points at p.";

#[test]
fn parameters_of_rules_are_names_of_their_rule() {
    let rules = |place: &str, by: &str| ROWS.replacen(place, by, 1);
    let p = renames(&rules("own p,", "own $0p,"), "whose").unwrap();
    assert_eq!(
        p.lines().next().unwrap(),
        "row (whose, n) = find own whose, assert (n > 1), any direction, repeat n times [ step, \
         points at own whose ]."
    );
    assert_eq!(p.lines().skip(1).collect::<Vec<_>>(), ROWS.lines().skip(1).collect::<Vec<_>>());
    let n = renames(&rules("n) =", "$0n) ="), "length").unwrap();
    assert!(n.starts_with("row (p, length) = find own p, assert (length > 1),"), "{n}");
    assert!(n.contains("repeat length times"), "{n}");
    for (new, reason) in [
        ("n", "there is a parameter of the rule `n` already"),
        ("step", "`step` is a word of the language"),
        ("two words", "is not a name"),
    ] {
        assert!(renames(&rules("p,", "$0p,"), new).unwrap_err().contains(reason), "{new}");
    }
    // A name that means something else in the same rule would be taken for the parameter.
    let mixed = "row ($0p) = find own p, points at stone. line = row (mark).";
    assert!(renames(mixed, "stone").unwrap_err().contains("read as something else"));

    let (text, at) = with(&rules("own p,", "own $0p,"));
    let rules = Rules::new("game", &text);
    let slices =
        |places: Vec<multigame_ide::Place>| -> Vec<u32> { places.iter().map(|it| it.span.start).collect() };
    let begin = text.find("row (").unwrap() as u32;
    assert_eq!(slices(navigation::definition(&rules, at)), [begin + 5]);
    assert_eq!(navigation::references(&rules, at, true).len(), 3);
    assert_eq!(navigation::highlights(&rules, at).len(), 3);
    let offered = |rule: &str| {
        let (text, at) = with(rule);
        labels(&text, at)
    };
    for place in ["find $0.", "find own $0.", "assert ($0).", "$0.", "repeat $0 times step.", "row ($0)."] {
        assert!(offered(&format!("row (p) = {place}")).contains(&"p".to_string()), "{place}");
        assert!(!offered(&format!("row (p) = find p. line = {place}")).contains(&"p".to_string()), "{place}");
    }
}

fn renames(rule: &str, new: &str) -> Result<String, String> {
    let (text, at) = with(rule);
    let rules = Rules::new("game", &text);
    let start = GAME.find("line =").unwrap() + 1;
    rename::rename(&rules, at, new).map(|edits| apply(&text, &edits)[start..].trim_start().to_string())
}

#[test]
fn names_change_where_they_mean_the_same() {
    assert_eq!(
        renames("li$0ne = row2, step. row2 = line.", "three").unwrap(),
        "three = row2, step. row2 = three."
    );
    for (new, reason) in [
        ("main", "a meaning of its own"),
        ("find", "a word of the language"),
        ("two words", "is not a name"),
        ("2x", "is not a name"),
        ("", "is not a name"),
        ("row2", "there is a rule `row2` already"),
        ("score", "read as something else"),
        ("keep", "read as something else"),
    ] {
        let rule = "li$0ne = row2, step. row2 = [ line\n, line ].\nscored = either line\n(1) or keep\nturn.";
        let found = renames(rule, new);
        if matches!(new, "score" | "keep") {
            let rule = format!("{}$0 = row2. row2 = line (1), line turn.", "line");
            assert!(renames(&rule, new).unwrap_err().contains(reason), "{new}");
        } else {
            assert!(found.as_ref().unwrap_err().contains(reason), "{new}: {found:?}");
        }
    }
    let refused = |text: &str, reason: &str| {
        let (text, at) = split(text);
        let found = rename::rename(&Rules::new("game", &text), at, "other");
        assert!(found.as_ref().unwrap_err().contains(reason), "{text}: {found:?}");
    };
    refused("ma$0in = step.", "found by its name");
    refused("main = nowh$0ere.", "is not declared");
    refused("based on chess\nmain = che$0ck.", "in the bundled game `chess`");
    refused("based on chess\nche$0ck = step.", "replaces `check` of the game `chess`");
    refused("based on che$0ss", "the name of its file");
    refused("$0# comment", "no name to change");
}

#[test]
fn brackets_tell_what_belongs_between_them() {
    let shows = |rule: &str| {
        let (text, at) = with(rule);
        signature::signature(&Rules::new("game", &text), at)
            .map_or("nothing".to_string(), |it| format!("{} {}", it.label, it.parts[it.active].0))
    };
    assert_eq!(shows("line = move to ($0"), "move to (column, row) column");
    assert_eq!(shows("line = move to ((1 + 2), $0)."), "move to (column, row) row");
    assert_eq!(shows("line = assert (tur$0ns)."), "assert (condition) condition");
    assert_eq!(shows("line = assert (turns)$0, step."), "nothing");
    assert_eq!(shows("line = step.\nparameter a = 1 [0 .. $0]"), "parameter name = usual [low .. high] high");
    assert_eq!(
        shows("line = step.\nnotation { fen (a, b, $0) }"),
        "fen (king_side, queen_side, en_passant, half_moves) en_passant"
    );
    assert_eq!(shows("line = [ $0 step ]."), "nothing");
}

#[test]
fn formatting_changes_blanks_only_where_asked() {
    let text = "main  =  find empty field,replace by mark.\nline= step.   \n# x  \nlast =   step.\n";
    let rules = Rules::new("game", text);
    let edits = formatting::format(&rules).unwrap();
    assert_eq!(apply(text, &edits), multigame_syntax::format(text).unwrap());
    let second = text.find("line").unwrap() as u32;
    let part = formatting::format_part(&rules, Span::new(second + 1, second + 5)).unwrap();
    assert_eq!(apply(text, &part), text.replace("line= step", "line = step"));
    assert!(formatting::format(&Rules::new("game", "main = ")).unwrap_err().contains("syntax errors"));
}

#[test]
fn fixes_are_applied_at_once() {
    let text = "dimensions (3, 3)\nno moves = draw\npieces { mark 'X' 'O' }\nmain = find emty field; replace by mrak.\n";
    let found = diagnostics::check("game", text).diagnostics;
    let mended = apply(text, &diagnostics::all_fixes(&found));
    assert!(mended.contains("find empty field, replace by"), "{mended}");
    let again = diagnostics::check("game", &mended).diagnostics;
    let mended = apply(&mended, &diagnostics::all_fixes(&again));
    assert!(diagnostics::check("game", &mended).program.is_some(), "{mended}");
    assert_eq!(diagnostics::fixes(&found, Span::new(0, 3)).count(), 0);
}

#[test]
fn folds_have_several_lines() {
    let folds = folding::folds(&Rules::new("game", GAME));
    let lines: Vec<(usize, bool)> = folds
        .iter()
        .map(|fold| (GAME[fold.span.start as usize..fold.span.end as usize].lines().count(), fold.comment))
        .collect();
    assert_eq!(lines, [(5, false)]);
    let comments = folding::folds(&Rules::new("game", "# a\n# b\n\n# c\nmain = step.\n"));
    assert_eq!(comments.len(), 1);
    assert!(comments[0].comment);
}

#[test]
fn hints_tell_what_rules_may_do() {
    let rules = Rules::new("game", GAME);
    let effects = hints::effects(&rules).unwrap();
    let runs = hints::runs(diagnostics::check("game", GAME).program.as_ref().unwrap());
    let all = hints::hints(&rules, Span::new(0, u32::MAX), &effects, Some(&runs));
    let labels: Vec<&str> = all.iter().map(|hint| hint.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            ": changes the board, changes properties, moves the finger, turns, ends the game, any number of results; machine code",
            ": moves the finger, turns, any number of results",
        ]
    );
    assert!(hints::effects(&Rules::new("game", "main = nowhere.")).is_none());
}
