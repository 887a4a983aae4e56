//! What the game calls: the implementation of `multigame_native::Code`.

use std::fmt::Write;

use multigame_mir::{FunctionId, MAX_RESULTS, Module};

use crate::source::Surroundings;

impl Surroundings<'_> {
    /// Writes the implementation behind `out`.
    pub(crate) fn implementation(&self, out: &mut String) {
        let module = self.module;
        let goal = match module.goal {
            Some(id) => {
                let first = if module.function(id).results == 1 { "answer" } else { "answer[0]" };
                let call = self.answered(id);
                format!("Some({call}.map(|answer: {}| {first} != 0))", answer_type(module, id))
            }
            None => "None".to_string(),
        };
        let picks = module.pick.iter().all(Option::is_some);
        let underscore = if module.goal.is_some() { "" } else { "_" };
        let generate = self.by_side(module.generate.map(|id| self.emitted(id, "")));
        let count = module.count.map(|id| {
            let id = id?;
            let call = self.answered(id);
            Some(match module.function(id).results {
                2 => call,
                _ => format!("{call}.map(|counts| [counts[0], counts[1]])"),
            })
        });
        let picked = module.pick.map(|id| Some(self.emitted(id?, ", number")));
        let [taken, last] = [module.take, module.last].map(|ids| ids.map(|id| Some(self.emitted(id?, ""))));
        let children = ["children: &mut Children<WORDS>"];
        let single = ["number: u64", "children: &mut Single<'_, WORDS>"];
        let methods = [
            self.optional("count", &[], "[u64; 2]", count),
            self.leaves(),
            self.optional("pick", &single, "()", picked),
            self.optional("take", &children, "()", taken),
            self.optional("last", &children, "()", last),
            format!(
                "    fn goal({underscore}position: &Position) -> Option<Result<bool, Failed>> {{\n        {goal}\n    }}\n"
            ),
            self.features(),
            self.calm(),
        ];
        let _ = write!(
            out,
            "/// The rules as code.\n\
             pub struct Rules;\n\
             \n\
             impl Code<WORDS> for Rules {{\n\
             \x20   const MAY_REPEAT: bool = {};\n\
             \x20   const PICKS: bool = {picks};\n\
             \x20   const PLIES: usize = {};\n\
             \n\
             \x20   #[inline]\n\
             \x20   fn generate(side: Side, position: &Position, children: &mut Children<WORDS>) -> Result<(), Failed> {{\n\
             {generate}\
             \x20   }}\n\
             \n\
             {}\
             }}\n",
            module.may_repeat,
            module.leaves.len() + 1,
            methods.join("\n"),
        );
    }

    /// A method that answers nothing where there is no function for it.
    fn optional(&self, name: &str, more: &[&str], answer: &str, calls: [Option<String>; 2]) -> String {
        let mark = if calls.iter().any(Option::is_some) { "" } else { "_" };
        let more: String = more.iter().map(|parameter| format!(", {mark}{parameter}")).collect();
        let body = match mark {
            "" => {
                let call =
                    |call: Option<String>| call.map_or("None".to_string(), |call| format!("Some({call})"));
                self.by_side(calls.map(call))
            }
            _ => "        None\n".to_string(),
        };
        let head = format!("fn {name}({mark}side: Side, {mark}position: &Position{more})");
        format!("    {head} -> Option<Result<{answer}, Failed>> {{\n{body}    }}\n")
    }

    /// The method that counts several plies at once.
    fn leaves(&self) -> String {
        let mut arms = String::new();
        for (plies, ids) in (2..).zip(&self.module.leaves) {
            for (side, id) in ["White", "Black"].into_iter().zip(ids) {
                let _ = writeln!(arms, "            ({plies}, Side::{side}) => {},", self.answered(*id));
            }
        }
        let (mark, body) = match arms.as_str() {
            "" => ("_", "        Err(Failed)\n".to_string()),
            arms => {
                let other = "            _ => Err(Failed),\n";
                ("", format!("        match (plies, side) {{\n{arms}{other}        }}\n"))
            }
        };
        let arguments = format!("{mark}plies: usize, {mark}side: Side, {mark}position: &Position");
        format!("    #[inline]\n    fn leaves({arguments}) -> Result<u64, Failed> {{\n{body}    }}\n")
    }

    fn by_side(&self, [white, black]: [String; 2]) -> String {
        format!(
            "        match side {{\n            Side::White => {white},\n            Side::Black => {black},\n        }}\n"
        )
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

    /// The method that counts what evaluations look at.
    fn features(&self) -> String {
        let mut arms = String::new();
        for (number, features) in self.module.features.iter().enumerate() {
            // Where there are none, the interpreter counts.
            let Ok(features) = features else { continue };
            let _ = writeln!(arms, "            {number} => {{");
            for (part, id) in features.functions.iter().enumerate() {
                let mark = if self.fails[id.0 as usize] { "?" } else { "" };
                let (call, first) = (format!("{}{mark}", self.entry(*id, "", "")), part * MAX_RESULTS);
                let _ = match self.results[id.0 as usize] {
                    1 => writeln!(arms, "                numbers[{first}] = {call};"),
                    count => {
                        let last = first + count as usize;
                        writeln!(arms, "                numbers[{first}..{last}].copy_from_slice(&{call});")
                    }
                };
            }
            let _ = writeln!(arms, "                Ok(())\n            }}");
        }
        let (mark, body) = match arms.as_str() {
            "" => ("_", "        Err(Failed)\n".to_string()),
            arms => {
                let other = "            _ => Err(Failed),\n";
                ("", format!("        match evaluation {{\n{arms}{other}        }}\n"))
            }
        };
        let arguments =
            format!("{mark}evaluation: usize, {mark}position: &Position, {mark}numbers: &mut [u64]");
        format!("    fn features({arguments}) -> Result<(), Failed> {{\n{body}    }}\n")
    }

    /// The method that says whether positions are calm.
    fn calm(&self) -> String {
        let mut arms = String::new();
        for (number, features) in self.module.features.iter().enumerate() {
            if let Ok(features) = features
                && let Some(id) = features.calm
            {
                let call = self.entry(id, "", "");
                let call = if self.fails[id.0 as usize] { call } else { format!("Ok({call})") };
                let _ = writeln!(arms, "            {number} => {call},");
            }
        }
        let (mark, body) = match arms.as_str() {
            "" => ("_", "        Err(Failed)\n".to_string()),
            arms => {
                let other = "            _ => Err(Failed),\n";
                ("", format!("        match evaluation {{\n{arms}{other}        }}\n"))
            }
        };
        let arguments = format!("{mark}evaluation: usize, {mark}position: &Position");
        format!("    fn calm({arguments}) -> Result<[u64; 2], Failed> {{\n{body}    }}\n")
    }
}

fn answer_type(module: &Module, id: FunctionId) -> String {
    match module.function(id).results {
        1 => "u64".to_string(),
        count => format!("[u64; {count}]"),
    }
}
