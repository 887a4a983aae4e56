//! A machine program as one Rust module.

use std::fmt::Write;

use multigame_game::{Description, Side};
use multigame_mir::{Block, FunctionId, Kind, Module, Stmt};

use crate::function;
use crate::names::Names;

/// Everything besides the function that is being written.
pub(crate) struct Surroundings<'m> {
    pub module: &'m Module,
    pub names: Names,
    /// Which functions can fail.
    pub fails: Vec<bool>,
    /// Which functions can come back to themselves.
    pub recursive: Vec<bool>,
    /// Which functions are handed the budget of calls.
    pub budgeted: Vec<bool>,
    /// Which functions others call.
    pub called: Vec<bool>,
    /// How many variables each function reports to its caller.
    pub results: Vec<u32>,
    /// Which functions are handed what takes the positions they emit.
    pub emits: Vec<bool>,
}

/// The Rust source of a machine program: an implementation of `multigame_compiled::Code` called `Rules`.
pub fn emit(module: &Module, description: &Description) -> String {
    let names = Names::new(module, description);
    let calls = module.calls();
    let recursive = module.recursive();
    let budgeted = spread(recursive.clone(), &calls);
    let functions = module.functions.iter().zip(&budgeted);
    let fails =
        spread(functions.map(|(function, &budget)| budget || may_fail(&function.body)).collect(), &calls);
    let mut called = vec![false; calls.len()];
    calls.iter().flatten().for_each(|function| called[function.0 as usize] = true);
    let results = results(module, &calls);
    let emits = emits(module, &calls);
    let surroundings = Surroundings { module, names, fails, recursive, budgeted, called, results, emits };
    let mut out = String::new();
    surroundings.head(description, &mut out);
    surroundings.constants(&mut out);
    surroundings.implementation(&mut out);
    for number in 0..module.functions.len() {
        out.push('\n');
        function::write(&surroundings, number, &mut out);
    }
    surroundings.helpers(&mut out);
    surroundings.tables(&mut out);
    out
}

impl Surroundings<'_> {
    fn head(&self, description: &Description, out: &mut String) {
        let layout = &self.module.layout;
        let budget = if self.budgeted.contains(&true) { "Budget, " } else { "" };
        let _ = write!(
            out,
            "//! {}, generated from its rules by `multigame build`: change the rules, not this file.\n\
             //!\n\
             //! A position is {} words: signature, header (side to move, irreversible, outcome), then for each piece the\n\
             //! set of fields it stands on, then the properties. Fields are numbered row by row from White's lower left.\n\
             \n\
             use std::thread::LocalKey;\n\
             \n\
             use multigame_compiled::{{\n\
             \x20   {budget}Children, Code, Failed, Frames, Mismatch, Numbers, Program, Side, Single,\n\
             }};\n\n",
            description.name,
            layout.words(),
        );
    }

    fn constants(&self, out: &mut String) {
        let layout = &self.module.layout;
        let _ = writeln!(out, "/// Words of a position.\npub const WORDS: usize = {};\n", layout.words());
        let _ = writeln!(out, "/// A position.\ntype Position = [u64; WORDS];\n");
        let first_value = layout.first_value_word();
        for (word, name) in self.names.words[..first_value].iter().enumerate() {
            let _ = writeln!(out, "const {name}: usize = {word};");
        }
        if layout.values > 0 {
            let _ = writeln!(out, "\n/// The word in which the properties begin, two to a word.");
            let _ = writeln!(out, "const VALUES: usize = {first_value};");
            for (number, name) in self.names.values.iter().enumerate() {
                let _ = writeln!(out, "const {name}: usize = {number};");
            }
        }
        out.push('\n');
    }

    fn helpers(&self, out: &mut String) {
        out.push_str(
            "\n/// The numbers of the bits that are set, from the lowest.\n\
             #[inline(always)]\n\
             fn bits(mut set: u64) -> impl Iterator<Item = u64> {\n\
             \x20   std::iter::from_fn(move || {\n\
             \x20       if set == 0 {\n\
             \x20           return None;\n\
             \x20       }\n\
             \x20       let lowest = set.trailing_zeros();\n\
             \x20       set &= set - 1;\n\
             \x20       Some(u64::from(lowest))\n\
             \x20   })\n\
             }\n",
        );
        if self.module.layout.values == 0 {
            return;
        }
        out.push_str(
            "\n/// A property, which is a signed number of 32 bits.\n\
             #[inline(always)]\n\
             fn value(position: &Position, number: usize) -> u64 {\n\
             \x20   // The word is always there; `min` says so without a check that could fail.\n\
             \x20   let word = position[(VALUES + number / 2).min(WORDS - 1)];\n\
             \x20   (word >> (number % 2 * 32)) as u32 as i32 as u64\n\
             }\n\
             \n\
             /// Changes a property.\n\
             #[inline(always)]\n\
             fn set_value(child: &mut Position, number: usize, value: u64) {\n\
             \x20   let (word, shift) = ((VALUES + number / 2).min(WORDS - 1), number % 2 * 32);\n\
             \x20   child[word] = child[word] & !(0xffff_ffff << shift) | (value & 0xffff_ffff) << shift;\n\
             }\n",
        );
    }

    fn tables(&self, out: &mut String) {
        for (number, table) in self.module.tables.iter().enumerate() {
            // A length that is a power of two lets a mask replace the check of an index.
            let length = table.len().next_power_of_two();
            let _ = write!(out, "\nstatic TABLE_{number}: [u64; {length}] = [");
            let padding = std::iter::repeat_n(&0, length - table.len());
            for (index, entry) in table.iter().chain(padding).enumerate() {
                let separator = if index % 8 == 0 { "\n    " } else { " " };
                let _ = write!(out, "{separator}{entry:#x},");
            }
            out.push_str("\n];\n");
        }
    }

    /// What a function is for, in words.
    pub fn purpose(&self, number: usize) -> String {
        let id = FunctionId(number as u32);
        let module = self.module;
        for (side, name) in Side::BOTH.into_iter().zip(["White", "Black"]) {
            if module.generate[side.index()] == id {
                return format!("Emits every position that `main` leads to with {name} to move.");
            }
            if module.count[side.index()] == Some(id) {
                return format!(
                    "Counts what `main` leads to with {name} to move: moves, and endings without one."
                );
            }
        }
        for (side, name) in Side::BOTH.into_iter().zip(["White", "Black"]) {
            if module.pick[side.index()] == Some(id) {
                return format!("Emits the position of one number that `main` leads to with {name} to move.");
            }
            if let Some(number) = module.leaves.iter().position(|leaves| leaves[side.index()] == id) {
                return format!("Counts the sequences of {} moves with {name} to move.", number + 2);
            }
            if module.take[side.index()] == Some(id) {
                return format!("Emits positions in which {name} has taken something, and perhaps others.");
            }
            if module.last[side.index()] == Some(id) {
                return format!("Emits the results of `final` with {name} to move.");
            }
        }
        if module.goal == Some(id) {
            return "Whether the goal of the puzzle is reached.".to_string();
        }
        let function = module.function(id);
        let what = match function.kind {
            Kind::Generate => "Emits what a part of the rules leads to",
            Kind::Count => "Counts what a part of the rules leads to",
            Kind::Test => "Tests a part of the rules",
            Kind::Features => "Counts what an evaluation looks at",
        };
        format!("{what}: {}.", function.name)
    }
}

/// How many variables each function reports: generators that only the game calls need not report any.
fn results(module: &Module, calls: &[Vec<FunctionId>]) -> Vec<u32> {
    let called = |number: usize| calls.iter().flatten().any(|id| id.0 as usize == number);
    let results = module.functions.iter().enumerate().map(|(number, function)| {
        if function.kind == Kind::Generate && !called(number) { 0 } else { function.results }
    });
    results.collect()
}

/// Which functions emit positions, and those that the game asks to.
fn emits(module: &Module, calls: &[Vec<FunctionId>]) -> Vec<bool> {
    let asked: Vec<FunctionId> = [module.pick, module.take, module.last]
        .into_iter()
        .flatten()
        .flatten()
        .chain(module.generate)
        .collect();
    let functions = module.functions.iter().zip((0..).map(FunctionId));
    spread(
        functions.map(|(function, id)| asked.contains(&id) || has_emission(&function.body)).collect(),
        calls,
    )
}

/// Whether a block emits a position by itself.
fn has_emission(block: &Block) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Emit(_) => true,
        Stmt::If(_, yes, no) => has_emission(yes) || has_emission(no),
        Stmt::ForBits { body, .. } | Stmt::Loop(body) => has_emission(body),
        _ => false,
    })
}

/// Which functions are so themselves or by a call.
fn spread(mut such: Vec<bool>, calls: &[Vec<FunctionId>]) -> Vec<bool> {
    loop {
        let of_called = |called: &Vec<FunctionId>| called.iter().any(|id| such[id.0 as usize]);
        let next: Vec<bool> = calls.iter().zip(&such).map(|(called, &it)| it || of_called(called)).collect();
        if next == such {
            return such;
        }
        such = next;
    }
}

/// Whether a block can fail by itself.
fn may_fail(block: &Block) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::FailIf(_) => true,
        Stmt::If(_, yes, no) => may_fail(yes) || may_fail(no),
        Stmt::ForBits { body, .. } | Stmt::Loop(body) => may_fail(body),
        _ => false,
    })
}
