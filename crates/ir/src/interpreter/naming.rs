//! What rules call the moves they make.
//!
//! Names are made in runs of their own, so whoever only wants moves does not pay for them, and states that
//! differ in the name alone stay one state. Where several names lead to the same move the shortest is taken,
//! then the first of the alphabet.

use std::rc::Rc;

use multigame_game::RulesError;
use rustc_hash::FxHashMap;

use super::Interpreter;
use super::run::Run;
use crate::state::{Matter, Registers, State};
use crate::{FunctionId, NamePart};

/// Longer names do not grow any more, so that loops that name something end.
const LONGEST: usize = 80;

/// All names met in a run; number 0 is the empty one.
pub(super) struct Names {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, u32>,
}

impl Names {
    fn new() -> Names {
        let empty: Rc<str> = Rc::from("");
        Names { texts: vec![Rc::clone(&empty)], numbers: FxHashMap::from_iter([(empty, 0)]) }
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (text, number) = (Rc::from(text), self.texts.len() as u32);
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

impl Interpreter {
    /// All results of a function, started as a move starts, with what the rules call them.
    pub(crate) fn named_results(
        &self,
        function: FunctionId,
        matter: &Matter,
    ) -> Result<Vec<(State, Rc<str>)>, Box<RulesError>> {
        let beginning = self.beginning(matter);
        let mut run = Run::new(self, &beginning);
        run.names = Some(Names::new());
        let start = State { matter: beginning, registers: Registers::default() };
        let states = run.collect(&self.program.function(function).body, &start)?.into_vec();
        let names = run.names.map_or(Vec::new(), |names| names.texts);
        let name = |state: &State| names.get(state.registers.name as usize).map_or(Rc::from(""), Rc::clone);
        Ok(states.into_iter().map(|state| (state.clone(), name(&state))).collect())
    }
}

impl<'p> Run<'p> {
    /// The number of the name so far with these parts behind it.
    pub(super) fn longer_name(
        &mut self,
        parts: &'p [NamePart],
        matter: &Rc<Matter>,
        registers: Registers,
    ) -> Result<u32, Box<RulesError>> {
        let Some(names) = &self.names else { return Ok(registers.name) };
        let mut text = names.texts[registers.name as usize].to_string();
        for part in parts {
            match part {
                NamePart::Text(part) => text.push_str(part),
                NamePart::Field => {
                    let field = registers.finger;
                    let board = &self.interpreter.program.description.board;
                    text.push_str(&field.map_or(String::new(), |field| board.field_name(field)));
                }
                NamePart::Number(value) => {
                    let value = self.evaluate(value, &mut Rc::clone(matter), registers)?;
                    text.push_str(&value.to_string());
                }
            }
        }
        if text.len() > LONGEST {
            return Ok(registers.name);
        }
        Ok(self.names.as_mut().map_or(0, |names| names.number(&text)))
    }

    /// Does something whose results are counted: states that differ in the name alone count once.
    pub(super) fn unnamed<T>(
        &mut self,
        registers: Registers,
        f: impl FnOnce(&mut Self, Registers) -> T,
    ) -> T {
        let names = self.names.take();
        // A number of their own, so that what is remembered about calls is not mixed with that of named
        // states.
        let result = f(self, Registers { name: u32::MAX, ..registers });
        self.names = names;
        result
    }
}
