//! Properties of every text, checked on random ones.

mod support;

use multigame_syntax::{CODES, Style, format, parse, render, to_json};
use proptest::prelude::*;

/// Tokens of the language and some that are not.
const TOKENS: &[&str] = &[
    "a",
    "b",
    "pawn",
    "main",
    "=",
    "==",
    ".",
    "..",
    ",",
    ";",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ":",
    "?",
    "+",
    "-",
    "--",
    "++",
    "*",
    "/",
    "!",
    "&&",
    "||",
    "<<=",
    "'x'",
    "'",
    "\"..\"",
    "\"",
    "7",
    "99999999999999999999",
    "# comment\n",
    "\n",
    "\n\n",
    "either",
    "or",
    "try",
    "else",
    "elseif",
    "not",
    "test",
    "repeat",
    "times",
    "infinity",
    "while",
    "do",
    "find",
    "points",
    "at",
    "replace",
    "by",
    "own",
    "opponent's",
    "opponents",
    "piece",
    "field",
    "empty",
    "any",
    "direction",
    "move",
    "to",
    "match",
    "step",
    "back",
    "turn",
    "assert",
    "assign",
    "count",
    "sum",
    "greatest",
    "keep",
    "as",
    "opponent",
    "for",
    "each",
    "players",
    "sides",
    "dimensions",
    "no",
    "moves",
    "pieces",
    "properties",
    "board",
    "parameter",
    "topology",
    "directions",
    "setup",
    "repetition",
    "draw",
    "forbidden",
    "notation",
    "looks",
    "evaluation",
    "material",
    "mover",
    "phase",
    "table",
    "colour",
    "white",
    "row",
    "@",
    "\u{2212}",
    "\u{2019}",
    "é",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec((prop::sample::select(TOKENS), prop::bool::weighted(0.9)), 0..120).prop_map(
        |tokens| {
            tokens.iter().map(|(token, blank)| format!("{token}{}", if *blank { " " } else { "" })).collect()
        },
    )
}

/// Nothing panics, the tree has the text, places are in the text, and the diagnostics can be shown.
fn check_any_text(text: &str) {
    let result = parse(text);
    assert_eq!(result.syntax().text().to_string(), text);
    for diagnostic in &result.diagnostics {
        assert!(
            CODES.iter().any(|(code, _)| *code == diagnostic.code),
            "`{}` is not in CODES",
            diagnostic.code
        );
        let mut places = vec![diagnostic.span];
        places.extend(diagnostic.related.iter().map(|label| label.span));
        places.extend(diagnostic.fix.iter().map(|fix| fix.span));
        for place in places {
            assert!(text.get(place.start as usize..place.end as usize).is_some(), "{diagnostic:?}");
        }
    }
    render(&result.diagnostics, "file", text, Style::Plain);
    to_json(&result.diagnostics, "file", text);
    if result.is_ok() {
        check_format(text);
    }
}

/// The text without blanks, which is all the formatter may change.
fn tokens(text: &str) -> Vec<String> {
    let root = parse(text).syntax();
    let tokens = root.descendants_with_tokens().filter_map(|element| element.into_token());
    tokens.map(|token| token.text().trim().to_owned()).filter(|token| !token.is_empty()).collect()
}

#[track_caller]
fn check_format(text: &str) {
    let once = format(text).expect("the text has no errors");
    assert_eq!(tokens(&once), tokens(text), "tokens of\n{text}\nand of\n{once}");
    assert_eq!(support::meaning(&once), support::meaning(text), "meaning of\n{text}\nand of\n{once}");
    let twice = format(&once).expect("the formatted text has no errors");
    assert_eq!(once, twice, "formatting again");
}

/// Writes sound programs, steered by random numbers.
struct Writer {
    choices: Vec<u8>,
    next: usize,
    text: String,
    depth: u32,
}

impl Writer {
    fn choose(&mut self, count: u8) -> u8 {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice % count
    }

    fn put(&mut self, token: &str) {
        self.text.push_str(token);
        let gap = match self.choose(16) {
            0 => "\n",
            1 => "\n\n  ",
            2 => " # comment\n",
            3 => "\n# comment\n",
            4 => "   ",
            _ => " ",
        };
        self.text.push_str(gap);
    }

    fn all(&mut self, tokens: &str) {
        tokens.split(' ').for_each(|token| self.put(token));
    }

    fn program(&mut self) {
        for _ in 0..=self.choose(6) {
            match self.choose(10) {
                0 => self.all("players = 2"),
                1 => self.all("dimensions ( n + 1 , 8 )"),
                2 => self.all("pieces { pawn 'P' 'p' wall '#' longer_name 'x' }"),
                3 => {
                    self.all("properties { a , b : player : [ 0 .. - 8 ] unhashed cd : field : [ 0 .. 1 ] }")
                }
                4 => self.all("setup { \"..\" \"xx\" white to move a = 1 , - 1 f = \"4\" \"4\" apply x }"),
                5 => self.all("directions { up / down : a1 a2 , b1 b2 north : a1 b1 }"),
                6 => self.all("looks { pawn colour \"w\" \"b\" } notation { uci fen ( a , b ) } evaluation a { phase = 1 [ 0 .. 2 ] a 4 .. 5 mover : 1 }"),
                _ => {
                    self.all("some_rule =");
                    self.sequence();
                    self.put(".");
                }
            }
        }
    }

    fn sequence(&mut self) {
        self.statement();
        while self.choose(3) > 0 && self.next < self.choices.len() {
            self.put(",");
            self.statement();
        }
        if self.choose(4) == 0 {
            self.put(",");
        }
    }

    fn statement(&mut self) {
        self.depth += 1;
        let simple = self.depth > 12 || self.next >= self.choices.len();
        match self.choose(if simple { 6 } else { 18 }) {
            0 => self.put("step"),
            1 => self.all("points at [ own pawn or opponent's piece or empty field ]"),
            2 => self.put("a_rule_with_quite_a_long_name"),
            3 => self.all("match ( own pawn , empty field , wall , any field )"),
            4 => self.all("turn - 45"),
            5 => self.all("keep turn"),
            6 | 7 => {
                self.put("[");
                self.sequence();
                self.put("]");
            }
            8 | 9 => {
                self.put("either");
                self.alternative();
                for _ in 0..=self.choose(4) {
                    self.put("or");
                    self.alternative();
                }
            }
            10 => {
                self.put("try");
                self.alternative();
                self.put("else");
                self.statement();
            }
            11 => {
                self.put("not");
                self.statement();
            }
            12 => {
                self.all("repeat 0 .. infinity times");
                self.statement();
            }
            13 => {
                self.put("while");
                self.statement();
                self.put("do");
                self.statement();
            }
            14 => {
                self.all("for each own pawn do");
                self.statement();
            }
            _ => {
                self.all("assign (");
                self.expression();
                self.put(")");
            }
        }
        self.depth -= 1;
    }

    /// In brackets, so that a later `or` or `else` cannot slip in.
    fn alternative(&mut self) {
        if self.choose(2) == 0 {
            self.put("step");
        } else {
            self.put("[");
            self.sequence();
            self.put("]");
        }
    }

    fn expression(&mut self) {
        self.depth += 1;
        let simple = self.depth > 12 || self.next >= self.choices.len();
        match self.choose(if simple { 4 } else { 10 }) {
            0 => self.put("12"),
            1 => self.put("a_property_with_a_long_name"),
            2 => self.all("own a ++"),
            3 => self.all("- - - 1"),
            4 => {
                self.all("( a +=");
                self.expression();
                self.put(")");
            }
            5 => {
                self.all("( row ,");
                self.expression();
                self.put(")");
            }
            6 => {
                self.all("count [");
                self.sequence();
                self.put("]");
            }
            _ => {
                self.all("x &&");
                self.expression();
            }
        }
        self.depth -= 1;
    }
}

fn sound_program() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u8>(), 0..400).prop_map(|choices| {
        let mut writer = Writer { choices, next: 0, text: String::new(), depth: 0 };
        writer.program();
        writer.text
    })
}

/// `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(512)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_parsed_without_loss(text in any::<String>()) {
        check_any_text(&text);
    }

    #[test]
    fn any_tokens_are_parsed_without_loss(text in soup()) {
        check_any_text(&text);
    }

    #[test]
    fn any_sound_program_is_formatted_without_loss(text in sound_program()) {
        prop_assert_eq!(support::errors(&text), "", "{}", text);
        check_format(&text);
    }

    #[test]
    fn a_damaged_program_is_parsed_without_loss(text in sound_program(), place in any::<prop::sample::Index>()) {
        let mut damaged: Vec<char> = text.chars().collect();
        if !damaged.is_empty() {
            damaged.remove(place.index(damaged.len()));
        }
        check_any_text(&damaged.into_iter().collect::<String>());
    }
}

/// The work is linear: a text of the greatest length is read at once, whatever is in it.
#[test]
fn long_texts_take_no_time() {
    let pieces = [
        "[",
        "a = ",
        "try ",
        "( ",
        "assert (x = ",
        "either a or ",
        "'",
        "\"",
        "a b ",
        "{ ",
        "pieces { a ",
        "@",
        "- ",
    ];
    for piece in pieces {
        let text = piece.repeat((1 << 20) / piece.len());
        let start = std::time::Instant::now();
        let result = parse(&text);
        render(&result.diagnostics, "file", &text, Style::Plain);
        assert!(start.elapsed().as_secs() < 20, "`{piece}` takes {:?}", start.elapsed());
    }
}

#[test]
fn long_programs_are_formatted_in_no_time() {
    let pieces = "abcdefghij\n'x' ".repeat(20_000);
    let patterns = "own pawn,\nempty field, ".repeat(20_000);
    let texts = [
        "a = step,\n[ win, either b or c ], assert (x == 1 && y). # comment\n".repeat(15_000),
        format!("pieces {{ {pieces} }}"),
        format!("a = match ({patterns} pawn)."),
        format!("a = {}step.", "step, ".repeat(100_000)),
    ];
    for text in texts {
        let start = std::time::Instant::now();
        format(&text).expect("the text has no errors");
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
