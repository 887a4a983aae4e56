//! What the game calls: the implementation of `multigame_compiled::Code`.

use std::fmt::Write;

use multigame_mir::FunctionId;

use crate::source::Surroundings;

/// What code answers that leaves a question to the interpreter.
const FAILED: &str = "Err(Failed)";

impl Surroundings<'_> {
    /// Writes the implementation behind `out`.
    pub(crate) fn implementation(&self, out: &mut String) {
        let module = self.module;
        let emitted =
            |ids: [Option<FunctionId>; 2], more| by_side(ids.map(|id| Some(self.emitted(id?, more))));
        let picks = module.pick.iter().all(Option::is_some);
        let choices = if picks { "self.count(scratch, side, position)" } else { FAILED };
        let _ = write!(
            out,
            "/// The rules as code.\n\
             #[derive(Debug)]\n\
             pub struct Rules;\n\
             \n\
             // Where the interpreter answers, nobody looks at the position.\n\
             #[allow(unused_variables)]\n\
             impl Code for Rules {{\n\
             \x20   type Kept = Position;\n\
             \x20   type Children = Children<WORDS>;\n\
             \x20   type Scratch = ();\n\
             \x20   type Error = Mismatch;\n\
             \n\
             \x20   fn new(program: &Program) -> Result<Rules, Mismatch> {{\n\
             \x20       Mismatch::check(program, WORDS).map(|()| Rules)\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn frames() -> &'static LocalKey<Frames<Rules>> {{\n\
             \x20       thread_local! {{\n\
             \x20           static FRAMES: Frames<Rules> = const {{ Frames::new() }};\n\
             \x20       }}\n\
             \x20       &FRAMES\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn may_repeat(&self) -> bool {{\n\
             \x20       {may_repeat}\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn generate(&self, side: Side, position: &Position, children: &mut Children<WORDS>) -> Result<(), Failed> {{\n\
             \x20       {generate}\n\
             \x20   }}\n\
             \n\
             \x20   fn take(&self, side: Side, position: &Position, children: &mut Children<WORDS>) -> Result<(), Failed> {{\n\
             \x20       {take}\n\
             \x20   }}\n\
             \n\
             \x20   fn last(&self, side: Side, position: &Position, children: &mut Children<WORDS>) -> Result<(), Failed> {{\n\
             \x20       {last}\n\
             \x20   }}\n\
             \n\
             \x20   fn goal(&self, position: &Position) -> Result<bool, Failed> {{\n\
             \x20       {goal}\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn scratch(&self) {{}}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn count(&self, scratch: &mut (), side: Side, position: &Position) -> Result<[u64; 2], Failed> {{\n\
             \x20       {count}\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn count_at_hand(&self, side: Side, position: &Position) -> Result<[u64; 2], Failed> {{\n\
             \x20       self.count(&mut (), side, position)\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn plies(&self) -> usize {{\n\
             \x20       {plies}\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn leaves(&self, scratch: &mut (), plies: usize, side: Side, position: &Position) -> Result<u64, Failed> {{\n\
             \x20       {leaves}\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn choices(&self, scratch: &mut (), side: Side, position: &Position) -> Result<[u64; 2], Failed> {{\n\
             \x20       {choices}\n\
             \x20   }}\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn pick(&self, scratch: &mut (), side: Side, position: &Position, number: u64, child: &mut Position) -> Result<bool, Failed> {{\n\
             \x20       let children = &mut Single::at(child);\n\
             \x20       let made: Result<(), Failed> = {pick};\n\
             \x20       made.map(|()| children.is_made())\n\
             \x20   }}\n\
             \n\
             \x20   fn features(&self, evaluation: usize, position: &Position, numbers: &mut Numbers) -> Result<(), Failed> {{\n\
             \x20       {features}\n\
             \x20   }}\n\
             \n\
             \x20   fn calm(&self, evaluation: usize, position: &Position) -> Result<[u64; 2], Failed> {{\n\
             \x20       {calm}\n\
             \x20   }}\n\
             }}\n",
            may_repeat = module.may_repeat,
            generate = emitted(module.generate.map(Some), ""),
            take = emitted(module.take, ""),
            last = emitted(module.last, ""),
            goal = self.goal(),
            count = by_side(module.count.map(|id| Some(self.counted(id?)))),
            plies = module.leaves.len() + 1,
            leaves = self.leaves(),
            pick = emitted(module.pick, ", number"),
            features = self.features(),
            calm = self.calm(),
        );
    }

    /// Whether a puzzle is solved.
    fn goal(&self) -> String {
        let Some(id) = self.module.goal else { return "Ok(false)".to_string() };
        let (kind, first) = match self.module.function(id).results {
            1 => ("u64".to_string(), "answer"),
            count => (format!("[u64; {count}]"), "answer[0]"),
        };
        format!("{}.map(|answer: {kind}| {first} != 0)", self.answered(id))
    }

    /// A call that counts moves and endings.
    fn counted(&self, id: FunctionId) -> String {
        let call = self.answered(id);
        match self.module.function(id).results {
            2 => call,
            _ => format!("{call}.map(|counts| [counts[0], counts[1]])"),
        }
    }

    /// Counts several plies at once.
    fn leaves(&self) -> String {
        let mut arms = String::new();
        for (plies, ids) in (2..).zip(&self.module.leaves) {
            for (side, id) in ["White", "Black"].into_iter().zip(ids) {
                let _ = writeln!(arms, "            ({plies}, Side::{side}) => {},", self.answered(*id));
            }
        }
        one_of("(plies, side)", &arms)
    }

    /// Counts what evaluations look at.
    fn features(&self) -> String {
        let mut arms = String::new();
        for (number, features) in self.module.features.iter().enumerate() {
            // Where there are none, the interpreter counts.
            let Ok(features) = features else { continue };
            let _ = writeln!(arms, "            {number} => {{");
            for id in &features.functions {
                let mark = if self.fails[id.0 as usize] { "?" } else { "" };
                let call = format!("{}{mark}", self.entry(*id, "", ""));
                let _ = match self.results[id.0 as usize] {
                    1 => writeln!(arms, "                numbers.push({call});"),
                    _ => writeln!(arms, "                numbers.extend_from_slice(&{call});"),
                };
            }
            let _ = writeln!(arms, "                Ok(())\n            }}");
        }
        one_of("evaluation", &arms)
    }

    /// Says whether positions are calm.
    fn calm(&self) -> String {
        let mut arms = String::new();
        for (number, features) in self.module.features.iter().enumerate() {
            if let Ok(features) = features
                && let Some(id) = features.calm
            {
                let _ = writeln!(arms, "            {number} => {},", self.answered(id));
            }
        }
        one_of("evaluation", &arms)
    }

    /// A call whose result is the answer.
    fn answered(&self, id: FunctionId) -> String {
        let call = self.entry(id, "", "");
        if self.fails[id.0 as usize] { call } else { format!("Ok({call})") }
    }

    /// A call of a function that adds to the children.
    fn emitted(&self, id: FunctionId, number: &str) -> String {
        let call = self.entry(id, ", children", number);
        match (self.fails[id.0 as usize], self.results[id.0 as usize]) {
            (true, 1..) => format!("{call}.map(|_| ())"),
            (true, 0) => call,
            (false, _) => format!("{{ {call}; Ok(()) }}"),
        }
    }

    /// A call from outside of the generated functions.
    fn entry(&self, id: FunctionId, children: &str, number: &str) -> String {
        let budget = if self.budgeted[id.0 as usize] { ", &mut Budget::new()" } else { "" };
        format!("{}(position{children}{budget}{number})", self.names.function(id))
    }
}

/// One of two answers; where there is a call for neither player, the interpreter answers.
fn by_side(calls: [Option<String>; 2]) -> String {
    let mut arms = String::new();
    for (side, call) in ["White", "Black"].into_iter().zip(calls.iter()) {
        let _ = writeln!(arms, "            Side::{side} => {},", call.as_deref().unwrap_or(FAILED));
    }
    if calls.iter().all(Option::is_none) {
        return FAILED.to_string();
    }
    format!("match side {{\n{arms}        }}")
}

/// One of several answers; the interpreter gives all others.
fn one_of(what: &str, arms: &str) -> String {
    if arms.is_empty() {
        return FAILED.to_string();
    }
    format!("match {what} {{\n{arms}            _ => {FAILED},\n        }}")
}
