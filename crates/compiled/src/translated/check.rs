//! What can be checked about a machine program before it runs, so that mistakes of the lowering have a name.
//!
//! After this check only what depends on the position is taken on trust: indices of tables and properties,
//! divisors and shift distances. Code of modules that are to be checked checks those too, while it runs.

use multigame_mir::{
    Block, Emission, Function, FunctionId, HEADER, Kind, MAX_RESULTS, Module, Op, SIGNATURE, Stmt, Value,
    Variable,
};

/// Says what is wrong with a module, if anything.
pub fn check(module: &Module) -> Result<(), String> {
    let entry = |id: FunctionId, kind: Kind, results: u32, parameters: usize| {
        let function = module.functions.get(id.0 as usize).ok_or(format!("there is no function {}", id.0))?;
        let fits =
            function.kind == kind && function.parameters.len() == parameters && function.results >= results;
        let message = || format!("`{}` is not a {kind:?} of {results} results", function.name);
        if fits { Ok(()) } else { Err(message()) }
    };
    for side in 0..2 {
        entry(module.generate[side], Kind::Generate, 0, 0)?;
        module.count[side].map_or(Ok(()), |id| entry(id, Kind::Count, 2, 0))?;
        module.leaves.iter().try_for_each(|leaves| entry(leaves[side], Kind::Count, 1, 0))?;
        module.last[side].map_or(Ok(()), |id| entry(id, Kind::Generate, 0, 0))?;
        module.pick[side].map_or(Ok(()), |id| entry(id, Kind::Generate, 0, 1))?;
    }
    module.goal.map_or(Ok(()), |id| entry(id, Kind::Test, 1, 0))?;
    for features in module.features.iter().flatten() {
        let mut left = features.numbers;
        for &function in &features.functions {
            let results = left.min(MAX_RESULTS);
            entry(function, Kind::Features, results as u32, 0)?;
            left -= results;
        }
        features.calm.map_or(Ok(()), |calm| entry(calm, Kind::Features, 2, 0))?;
        if left > 0 {
            return Err("numbers of an evaluation that nobody computes".to_string());
        }
    }
    for function in &module.functions {
        let mut checker = Checker { module, function, visible: vec![false; function.values as usize] };
        checker
            .parameters()
            .and_then(|()| checker.block(&function.body, Place::Outside))
            .map_err(|message| format!("function `{}`: {message}", function.name))?;
    }
    Ok(())
}

/// What surrounds a statement, as far as `BreakIf` is concerned.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    Loop,
    Bits,
}

struct Checker<'m> {
    module: &'m Module,
    function: &'m Function,
    /// The values that are defined here.
    visible: Vec<bool>,
}

impl Checker<'_> {
    /// Parameters are visible everywhere.
    fn parameters(&mut self) -> Result<(), String> {
        let results = self.function.results;
        if results > self.function.variables || results as usize > MAX_RESULTS {
            return Err(format!("{results} results are too many"));
        }
        let parameters = self.function.parameters.clone();
        parameters.into_iter().try_for_each(|parameter| self.define(parameter, &mut Vec::new()))
    }

    fn call(&self, function: FunctionId, arguments: &[Value], results: &[Value]) -> Result<(), String> {
        let callee = self.module.functions.get(function.0 as usize);
        let callee = callee.ok_or_else(|| format!("there is no function {}", function.0))?;
        let fits = callee.kind == self.function.kind
            && callee.parameters.len() == arguments.len()
            && callee.results as usize == results.len();
        if !fits {
            return Err(format!("a call that does not fit `{}`", callee.name));
        }
        arguments.iter().try_for_each(|argument| self.value(*argument))
    }

    /// Checks a block; what it defines is not visible afterwards.
    fn block(&mut self, block: &Block, place: Place) -> Result<(), String> {
        let mut defined = Vec::new();
        for stmt in block {
            self.statement(stmt, place, &mut defined)?;
        }
        for value in defined {
            self.visible[value] = false;
        }
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt, place: Place, defined: &mut Vec<usize>) -> Result<(), String> {
        match stmt {
            Stmt::Let(value, op) => {
                self.operation(op)?;
                self.define(*value, defined)
            }
            Stmt::Set(variable, value) => {
                self.variable(*variable)?;
                self.value(*value)
            }
            Stmt::If(condition, yes, no) => {
                self.value(*condition)?;
                self.block(yes, place)?;
                self.block(no, place)
            }
            Stmt::ForBits { set, index, body } => {
                self.value(*set)?;
                let mut inside = Vec::new();
                self.define(*index, &mut inside)?;
                self.block(body, Place::Bits)?;
                self.visible[inside[0]] = false;
                Ok(())
            }
            Stmt::Loop(body) => self.block(body, Place::Loop),
            Stmt::BreakIf(_) if place != Place::Loop => Err("a break outside of a loop".to_string()),
            Stmt::BreakIf(value) | Stmt::ReturnIf(value) | Stmt::FailIf(value) => self.value(*value),
            Stmt::Emit(emission) => self.emission(emission),
            Stmt::Call { function, arguments, results } => {
                self.call(*function, arguments, results)?;
                results.iter().try_for_each(|result| self.define(*result, defined))
            }
        }
    }

    fn define(&mut self, value: Value, defined: &mut Vec<usize>) -> Result<(), String> {
        let index = value.0 as usize;
        match self.visible.get_mut(index) {
            None => Err(format!("value {index} has no place")),
            Some(true) => Err(format!("value {index} is defined twice")),
            Some(visible) => {
                *visible = true;
                defined.push(index);
                Ok(())
            }
        }
    }

    fn value(&self, value: Value) -> Result<(), String> {
        let visible = self.visible.get(value.0 as usize) == Some(&true);
        if visible { Ok(()) } else { Err(format!("value {} is not defined here", value.0)) }
    }

    fn variable(&self, variable: Variable) -> Result<(), String> {
        let exists = variable.0 < self.function.variables;
        if exists { Ok(()) } else { Err(format!("there is no variable {}", variable.0)) }
    }

    fn word(&self, word: u32) -> Result<(), String> {
        let exists = (word as usize) < self.module.layout.words();
        if exists { Ok(()) } else { Err(format!("positions have no word {word}")) }
    }

    fn property(&self, property: u32) -> Result<(), String> {
        let exists = (property as usize) < self.module.layout.values;
        if exists { Ok(()) } else { Err(format!("positions have no value {property}")) }
    }

    fn operation(&self, op: &Op) -> Result<(), String> {
        match *op {
            Op::Const(_) => Ok(()),
            Op::Word(word) => self.word(word),
            Op::Property(property) => self.property(property),
            Op::Table(table, _) if table.0 as usize >= self.module.tables.len() => {
                Err(format!("there is no table {}", table.0))
            }
            Op::Table(_, index) => self.value(index),
            Op::Get(variable) => self.variable(variable),
            Op::Binary(_, a, b) => {
                self.value(a)?;
                self.value(b)
            }
            Op::Unary(_, a) => self.value(a),
            Op::Select(a, b, c) => [a, b, c].into_iter().try_for_each(|value| self.value(value)),
        }
    }

    fn emission(&self, emission: &Emission) -> Result<(), String> {
        if self.function.kind != Kind::Generate {
            return Err("only generators emit positions".to_string());
        }
        for &(word, value) in &emission.words {
            self.word(word)?;
            self.value(value)?;
        }
        for &(property, value) in &emission.values {
            self.property(property)?;
            self.value(value)?;
        }
        let sets = |wanted: usize| emission.words.iter().any(|&(word, _)| word as usize == wanted);
        let complete = sets(SIGNATURE) && sets(HEADER);
        if complete { Ok(()) } else { Err("a position is emitted without signature or header".to_string()) }
    }
}
