//! One function of a machine program as a Rust function.

use multigame_mir::{
    Block, Emission, Function, FunctionId, Kind, Op, Stmt, Use, Value, Variable, operands, used,
};

use crate::expression::Expression;
use crate::source::Surroundings;

/// Expressions longer than this get a name.
const LONGEST: usize = 72;

/// Writes a function behind `out`.
pub(crate) fn write(surroundings: &Surroundings<'_>, number: usize, out: &mut String) {
    let function = &surroundings.module.functions[number];
    let mut writer = Writer {
        surroundings,
        function,
        fails: surroundings.fails[number],
        results: surroundings.results[number],
        uses: used(function),
        changed: changed(&function.body, function.variables),
        values: vec![None; function.values as usize],
        names: 0,
        out,
        depth: 0,
    };
    writer.function(number);
}

struct Writer<'m, 'o> {
    surroundings: &'m Surroundings<'m>,
    function: &'m Function,
    fails: bool,
    /// How many variables are reported.
    results: u32,
    uses: Vec<Use>,
    /// Which variables are ever changed; the others are 0.
    changed: Vec<bool>,
    values: Vec<Option<Expression>>,
    /// How many values have got a name.
    names: u32,
    out: &'o mut String,
    depth: usize,
}

impl Writer<'_, '_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    fn function(&mut self, number: usize) {
        let mut parameters = vec!["position: &Position".to_string()];
        if self.surroundings.emits[number] {
            let one = self.surroundings.module.pick.contains(&Some(FunctionId(number as u32)));
            let room = if one { "Single<'_, WORDS>" } else { "Children<WORDS>" };
            parameters.push(format!("children: &mut {room}"));
        }
        if self.surroundings.budgeted[number] {
            parameters.push("budget: &mut Budget".to_string());
        }
        let mut fresh = Vec::new();
        for value in &self.function.parameters {
            let name = self.fresh("given");
            fresh.push(format!("{name}: u64"));
            self.values[value.0 as usize] = Some(Expression::whole(name));
        }
        parameters.extend(fresh);
        let result = result_type(self.results, self.fails);
        let name = &self.surroundings.names.functions[number];
        let purpose = self.surroundings.purpose(number);
        self.line(&format!("/// {purpose}"));
        // PERF: what is a function of its own is rarely needed or needed in many places. rustc would put it
        // back, which makes chess a fifth slower to build, and no faster.
        if self.surroundings.called[number] {
            self.line("#[inline(never)]");
        }
        self.open(&format!("fn {name}({}){result} {{", parameters.join(", ")));
        for number in 0..self.function.variables {
            if self.changed[number as usize] {
                let name = self.variable(Variable(number));
                self.line(&format!("let mut {name} = 0_u64;"));
            }
        }
        self.block(&self.function.body);
        let result = self.result();
        if !result.is_empty() {
            self.line(&result);
        }
        self.close("}");
    }

    /// What is reported in the end.
    fn result(&self) -> String {
        let name = |number: u32| match self.changed[number as usize] {
            true => self.variable(Variable(number)),
            false => "0".to_string(),
        };
        let names: Vec<String> = (0..self.results).map(name).collect();
        let value = match names.as_slice() {
            [] if self.fails => "()".to_string(),
            [] => return String::new(),
            [name] => name.clone(),
            names => format!("[{}]", names.join(", ")),
        };
        if self.fails { format!("Ok({value})") } else { value }
    }

    fn variable(&self, variable: Variable) -> String {
        match (self.function.kind, variable.0) {
            (Kind::Count, 0) if self.function.results == 1 => "leaves".to_string(),
            (Kind::Count, 0) => "moves".to_string(),
            (Kind::Count, 1) if self.function.results > 1 => "endings".to_string(),
            (Kind::Test, 0) => "found".to_string(),
            (_, number) => format!("x{number}"),
        }
    }

    fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn block(&mut self, block: &Block) {
        for (index, stmt) in block.iter().enumerate() {
            match stmt {
                Stmt::Let(value, op) => self.define(*value, op, &block[index + 1..]),
                _ => self.statement(stmt),
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(..) => unreachable!("blocks define their values themselves"),
            Stmt::Set(variable, value) => {
                let (name, value) = (self.variable(*variable), self.word(*value));
                self.line(&format!("{name} = {};", value.text));
            }
            Stmt::If(condition, yes, no) => self.choice(*condition, yes, no),
            Stmt::ForBits { set, index, body } => {
                let set = self.word(*set).text;
                let name = self.fresh("field");
                self.open(&format!("for {name} in bits({set}) {{"));
                self.values[index.0 as usize] = Some(Expression::whole(name));
                self.block(body);
                self.close("}");
            }
            Stmt::Loop(body) => {
                self.open("loop {");
                self.block(body);
                self.close("}");
            }
            Stmt::BreakIf(value) => self.leave(*value, "break;".to_string()),
            Stmt::ReturnIf(value) => {
                let result = self.result();
                let text =
                    if result.is_empty() { "return;".to_string() } else { format!("return {result};") };
                self.leave(*value, text);
            }
            Stmt::FailIf(value) => self.leave(*value, "return Err(Failed);".to_string()),
            Stmt::Emit(emission) => self.emit(emission),
            Stmt::Call { function, arguments, results } => {
                let mut texts = vec!["position".to_string()];
                if self.surroundings.emits[function.0 as usize] {
                    texts.push("children".to_string());
                }
                let recursive = self.surroundings.recursive[function.0 as usize];
                if self.surroundings.budgeted[function.0 as usize] {
                    texts.push("budget".to_string());
                }
                texts.extend(arguments.iter().map(|argument| self.word(*argument).text));
                let name = self.surroundings.names.function(*function);
                let mark = if self.surroundings.fails[function.0 as usize] { "?" } else { "" };
                let call = format!("{name}({}){mark};", texts.join(", "));
                let names: Vec<String> = results.iter().map(|_| self.fresh("v")).collect();
                for (result, name) in results.iter().zip(&names) {
                    self.values[result.0 as usize] = Some(Expression::whole(name.clone()));
                }
                let shown = |number: usize| match self.uses[results[number].0 as usize].count {
                    0 => "_",
                    _ => names[number].as_str(),
                };
                let line = match names.len() {
                    0 => call,
                    1 => format!("let {} = {call}", shown(0)),
                    count => {
                        let list: Vec<&str> = (0..count).map(shown).collect();
                        format!("let [{}] = {call}", list.join(", "))
                    }
                };
                if recursive {
                    self.line("budget.enter()?;");
                }
                self.line(&line);
                if recursive {
                    self.line("budget.leave();");
                }
            }
        }
    }

    fn leave(&mut self, condition: Value, how: String) {
        let condition = self.condition(condition);
        match condition.as_str() {
            "false" => {}
            _ => {
                self.open(&format!("if {condition} {{"));
                self.line(&how);
                self.close("}");
            }
        }
    }

    fn choice(&mut self, condition: Value, yes: &Block, no: &Block) {
        let condition = self.value(condition).condition();
        if yes.is_empty() && no.is_empty() {
            return;
        }
        if yes.is_empty() {
            let text =
                Expression::binary(multigame_mir::Binary::Equal, &condition, &Expression::constant(0)).text;
            self.open(&format!("if {text} {{"));
            self.block(no);
        } else {
            self.open(&format!("if {} {{", condition.text));
            self.block(yes);
            if !no.is_empty() {
                self.close("} else {");
                self.depth += 1;
                self.block(no);
            }
        }
        self.close("}");
    }

    /// Gives a value a name, or remembers what it is where it is used once or is nothing but a number.
    /// `rest` is what follows in the block.
    fn define(&mut self, value: Value, op: &Op, rest: &[Stmt]) {
        let index = value.0 as usize;
        let used = self.uses[index];
        if used.count == 0 {
            return;
        }
        let expression = self.operation(op);
        let is_fixed = match op {
            Op::Get(variable) => self.stays(value, *variable, rest),
            _ => true,
        };
        let inline = matches!(op, Op::Const(_))
            || (used.count == 1 && used.here && is_fixed && expression.text.len() <= LONGEST);
        if inline {
            self.values[index] = Some(expression);
            return;
        }
        let name = match *op {
            // Positions do not change, so a name always means the same.
            Op::Word(word) => self.surroundings.names.words[word as usize].to_lowercase(),
            Op::Property(property) => self.surroundings.names.values[property as usize].to_lowercase(),
            _ => self.fresh("v"),
        };
        let ty = if expression.truth { "bool" } else { "u64" };
        self.line(&format!("let {name}: {ty} = {};", expression.text));
        self.values[index] = Some(Expression { truth: expression.truth, ..Expression::whole(name) });
    }

    /// Whether a variable that was read is surely used before it changes: `x = x + 1`.
    fn stays(&self, mut read: Value, variable: Variable, rest: &[Stmt]) -> bool {
        for stmt in rest {
            match stmt {
                Stmt::Let(value, op) => {
                    let mut uses = false;
                    operands(op, &mut |operand| uses |= operand == read);
                    let used = self.uses[value.0 as usize];
                    if uses && (used.count != 1 || !used.here) {
                        return true;
                    }
                    if uses {
                        read = *value;
                    }
                }
                Stmt::Set(changed, value) => {
                    if *value == read {
                        return true;
                    }
                    if *changed == variable {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        false
    }

    fn operation(&self, op: &Op) -> Expression {
        let names = &self.surroundings.names;
        match *op {
            Op::Const(value) => Expression::constant(value),
            Op::Word(word) => Expression::whole(format!("position[{}]", names.words[word as usize])),
            Op::Property(property) => {
                Expression::whole(format!("value(position, {})", names.values[property as usize]))
            }
            Op::Table(table, index) => {
                let size = self.surroundings.module.tables[table.0 as usize].len().next_power_of_two();
                let index = self.word(index).index_below(size);
                Expression::whole(format!("TABLE_{}[{index}]", table.0))
            }
            Op::Get(variable) if !self.changed[variable.0 as usize] => Expression::constant(0),
            Op::Get(variable) => Expression::whole(self.variable(variable)),
            Op::Binary(operator, a, b) => Expression::binary(operator, &self.value(a), &self.value(b)),
            Op::Unary(operator, a) => Expression::unary(operator, &self.value(a)),
            Op::Select(condition, yes, no) => {
                Expression::select(&self.value(condition), &self.value(yes), &self.value(no))
            }
        }
    }

    fn emit(&mut self, emission: &Emission) {
        self.line("let child = children.add(position);");
        for &(word, value) in &emission.words {
            let (name, value) = (self.surroundings.names.words[word as usize].clone(), self.word(value));
            self.line(&format!("child[{name}] = {};", value.text));
        }
        for &(number, value) in &emission.values {
            let (name, value) = (self.surroundings.names.values[number as usize].clone(), self.word(value));
            self.line(&format!("set_value(child, {name}, {});", value.text));
        }
    }

    fn value(&self, value: Value) -> Expression {
        self.values[value.0 as usize].clone().expect("values are defined before they are used")
    }

    fn word(&self, value: Value) -> Expression {
        self.value(value).word()
    }

    fn condition(&self, value: Value) -> String {
        self.value(value).condition().text
    }
}

/// What follows the parameters.
fn result_type(results: u32, fails: bool) -> String {
    let value = match results {
        0 => "()".to_string(),
        1 => "u64".to_string(),
        count => format!("[u64; {count}]"),
    };
    match (results, fails) {
        (0, false) => String::new(),
        (_, false) => format!(" -> {value}"),
        (_, true) => format!(" -> Result<{value}, Failed>"),
    }
}

/// Which variables are ever changed.
fn changed(block: &Block, variables: u32) -> Vec<bool> {
    fn look(block: &Block, changed: &mut [bool]) {
        for stmt in block {
            match stmt {
                Stmt::Set(variable, _) => changed[variable.0 as usize] = true,
                Stmt::If(_, yes, no) => {
                    look(yes, changed);
                    look(no, changed);
                }
                Stmt::ForBits { body, .. } | Stmt::Loop(body) => look(body, changed),
                _ => {}
            }
        }
    }
    let mut changed = vec![false; variables as usize];
    look(block, &mut changed);
    changed
}
