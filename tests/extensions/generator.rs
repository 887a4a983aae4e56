//! Random rules with `based on`, `called` and `repetition = judge`, and what must hold for them. Bytes choose the rules,
//! so that a fuzzer can make them smaller.

use multigame_compiler::compile;
use multigame_game::{BrokenPromise, Game, Line, Random, check_position, notation};
use multigame_ir::{Program, RulesGame};
use multigame_jit::JitGame;

/// Statements for one move; rules that need more are left alone.
const MOST_STEPS: u64 = 100_000;

/// Bases, some of which do not exist or are the game itself.
const BASES: &[&str] = &[
    "tic-tac-toe",
    "three-mens-morris",
    "breakthrough",
    "pegged",
    "go-9x9",
    "quarto",
    "no-such-game",
    "extended",
];

/// Names that rules may have in a base, and some that none has.
const RULES: &[&str] =
    &["main", "three_in_a_row", "place", "shift", "goal", "breathes", "choose", "extra", "repeated"];

const NAMES: &[&str] = &[
    "nothing",
    "called field",
    "called \"x\"",
    "called \"\"",
    "called \" -> \"",
    "called \"pass\"",
    "called (row)",
    "called (column - 5)",
    "called \"a\" field (column)",
    "called field field",
    "called (n)",
    "either called \"a\" or called \"b\"",
    "optionally called (p)",
    "test called \"never\"",
];

const STATEMENTS: &[&str] = &[
    "nothing",
    "irreversible",
    "keep turn",
    "win",
    "lose",
    "draw",
    "score (n - 3)",
    "assign (n = (n + 1) % 10)",
    "assign (p = (p + 1) % 10)",
    "assign (opponent's p = 3)",
    "assert (p < 5)",
    "assert (cycle > 2)",
    "assert (2 * p >= cycle)",
    "find own man",
    "find empty field",
    "find any field",
    "replace by man",
    "replace by empty field",
    "as opponent find own man",
    "not find opponent's man",
    "find own mark",
    "three_in_a_row",
    "extra",
];

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % end
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn sequence(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..=self.below(4) {
            parts.push(match self.below(6) {
                0 => format!("try [ {}, {} ]", self.one(STATEMENTS), self.one(STATEMENTS)),
                1 => format!("either {} or {}", self.one(STATEMENTS), self.one(STATEMENTS)),
                2 => self.one(NAMES).to_string(),
                _ => self.one(STATEMENTS).to_string(),
            });
        }
        parts.join(", ")
    }
}

/// The rules that some bytes choose.
pub fn rules(bytes: &[u8]) -> String {
    let mut bytes = Bytes(bytes);
    if bytes.below(2) == 0 { small(&mut bytes) } else { based(&mut bytes) }
}

/// Men that walk to and fro, so that positions come back.
fn small(bytes: &mut Bytes) -> String {
    let repetition = ["judge 2 (cycle)", "judge 3 (cycle)", "judge 2", "draw 3", "forbidden", "judge 1 (n)"];
    let repetition = bytes.one(&repetition);
    let notation =
        bytes.one(&["", "notation { coordinates }", "notation { uci algebraic }", "notation { pdn }"]);
    let (first, last) = (bytes.one(NAMES), bytes.one(NAMES));
    let (more, repeated) = (bytes.sequence(), bytes.sequence());
    format!(
        "dimensions (3, 2) no moves = loss repetition = {repetition} {notation}\n\
         pieces {{ man 'M' 'm' }}\n\
         properties {{ n : board : [0 .. 9] p : player : [0 .. 9] unhashed cycle : move : [0 .. 9] }}\n\
         setup {{ \".m.\" \".M.\" }}\n\
         main = find own man, {first}, pick up, orthogonal, step, points at empty field, put down, {last}, optionally extra.\n\
         extra = {more}.\n\
         repeated = {repeated}."
    )
}

/// A game with some of its rules and declarations replaced.
fn based(bytes: &mut Bytes) -> String {
    let mut text = format!("based on \"{}\"\n", bytes.one(BASES));
    text += "properties { n : board : [0 .. 9] p : player : [0 .. 9] unhashed cycle : move : [0 .. 9] }\n";
    let declarations = [
        "",
        "pieces { man 'Y' 'y' }",
        "pieces { mark 'X' 'O' }",
        "no moves = draw",
        "dimensions (4, 4)",
        "repetition = judge 2 (cycle)",
        "parameter size = 3 [2 .. 9]",
        "setup { black to move }",
    ];
    for _ in 0..bytes.below(3) {
        text += &format!("{}\n", bytes.one(&declarations));
    }
    for _ in 0..bytes.below(4) {
        text += &format!("{} = {}.\n", bytes.one(RULES), bytes.sequence());
    }
    text
}

/// Compiles the rules, plays them, and checks names, judgements and texts on the way; nothing to check if they are wrong.
pub fn check(text: &str) {
    let options = multigame_compiler::Options { name: "extended".to_string(), ..Default::default() };
    let Some(program) = compile(text, &options).program else { return };
    let printed = multigame_ir::print(&program);
    assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "programs round-trip:\n{text}");
    let game = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let native = JitGame::new(program).ok();
    for seed in 0..2 {
        play(&game, native.as_ref(), seed, text);
    }
}

fn play(game: &RulesGame, native: Option<&JitGame>, seed: u64, text: &str) {
    let mut random = Random::new(seed);
    let mut line = Line::new(game, game.initial());
    for _ in 0..12 {
        let position = line.position();
        match check_position(game, position, 30) {
            Ok(_) => {}
            Err(BrokenPromise::Rules(_)) => return,
            Err(broken) => panic!("{broken}\n{text}"),
        }
        // A run-time error while a repetition is judged is the rules' own.
        let Ok(status) = line.status() else { return };
        if status.outcome().is_some() {
            return;
        }
        let judged = [0, 4, u32::MAX].map(|cycle| game.judge(line.position(), cycle));
        if let Some(native) = native {
            let twin = native.position(&game.diagram(line.position()));
            assert_eq!(judged, [0, 4, u32::MAX].map(|cycle| native.judge(&twin, cycle)), "{text}");
            let names = |named: Vec<String>| named.into_iter().collect::<std::collections::BTreeSet<_>>();
            let ours =
                notation::names(game, line.position()).unwrap().into_iter().map(|named| named.name).collect();
            let theirs =
                notation::names(native, &twin).unwrap().into_iter().map(|named| named.name).collect();
            assert_eq!(names(ours), names(theirs), "{text}");
        }
        let mut moves = Vec::new();
        if game.moves(line.position(), &mut moves).is_err() || moves.is_empty() {
            return;
        }
        let mv = moves[random.below(moves.len())].clone();
        line.play(&mv);
    }
}

/// Whether rules of this kind are ever accepted; a generator of nothing but errors would test little.
#[allow(dead_code, reason = "the fuzz target has no use for it")]
pub fn program(text: &str) -> Option<Program> {
    compile(text, &Default::default()).program
}
