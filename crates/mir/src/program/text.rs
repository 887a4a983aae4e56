//! Machine programs as text, for people who look at what lowering makes.
//!
//! Values are `v1`, variables `x1`, tables `t1`; constants are shown where they are used. The text cannot be
//! read back.

use std::fmt::{Display, Formatter, Result, Write};

use crate::{Binary, Block, Emission, Function, Op, Stmt, Unary, Value, Variable};

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut text = Text { constants: vec![None; self.values as usize], lines: String::new() };
        text.block(&self.body, 1)?;
        let parameters: Vec<String> = self.parameters.iter().map(|value| text.value(*value)).collect();
        let results: Vec<String> = (0..self.results).map(|number| Variable(number).to_string()).collect();
        let (parameters, results) = (parameters.join(", "), results.join(", "));
        write!(f, "{}({parameters}) -> {results} {{\n{}}}", self.name, text.lines)
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "x{}", self.0)
    }
}

struct Text {
    /// The values that are constants.
    constants: Vec<Option<u64>>,
    lines: String,
}

impl Text {
    fn block(&mut self, block: &Block, depth: usize) -> Result {
        block.iter().try_for_each(|stmt| self.statement(stmt, depth))
    }

    fn line(&mut self, depth: usize, line: &str) -> Result {
        writeln!(self.lines, "{:indent$}{line}", "", indent = depth * 2)
    }

    /// A block in braces, after what it belongs to.
    fn inside(&mut self, head: &str, block: &Block, depth: usize) -> Result {
        self.line(depth, &format!("{head} {{"))?;
        self.block(block, depth + 1)?;
        self.line(depth, "}")
    }

    fn statement(&mut self, stmt: &Stmt, depth: usize) -> Result {
        match stmt {
            Stmt::Let(value, Op::Const(number)) => {
                self.constants[value.0 as usize] = Some(*number);
                Ok(())
            }
            Stmt::Let(value, op) => self.line(depth, &format!("v{} = {}", value.0, self.operation(op))),
            Stmt::Set(variable, value) => self.line(depth, &format!("{variable} = {}", self.value(*value))),
            Stmt::If(condition, yes, no) => {
                self.inside(&format!("if {}", self.value(*condition)), yes, depth)?;
                if no.is_empty() { Ok(()) } else { self.inside("else", no, depth) }
            }
            Stmt::ForBits { set, index, body } => {
                self.inside(&format!("for v{} in {}", index.0, self.value(*set)), body, depth)
            }
            Stmt::Loop(body) => self.inside("loop", body, depth),
            Stmt::BreakIf(value) => self.line(depth, &format!("break if {}", self.value(*value))),
            Stmt::ReturnIf(value) => self.line(depth, &format!("return if {}", self.value(*value))),
            Stmt::FailIf(value) => self.line(depth, &format!("fail if {}", self.value(*value))),
            Stmt::Emit(emission) => self.line(depth, &self.emission(emission)),
            Stmt::Call { function, arguments, results } => {
                let (results, arguments) = (self.values(results), self.values(arguments));
                self.line(depth, &format!("{results} = call f{}({arguments})", function.0))
            }
        }
    }

    fn emission(&self, emission: &Emission) -> String {
        let of = |name: &str, list: &[(u32, Value)]| -> Vec<String> {
            list.iter().map(|&(number, value)| format!("{name} {number} = {}", self.value(value))).collect()
        };
        let changes = [of("word", &emission.words), of("property", &emission.values)].concat();
        format!("emit {}", changes.join(", "))
    }

    fn operation(&self, op: &Op) -> String {
        match *op {
            Op::Const(number) => shown(number),
            Op::Word(number) => format!("word {number}"),
            Op::Property(number) => format!("property {number}"),
            Op::Table(table, index) => format!("t{}[{}]", table.0, self.value(index)),
            Op::Get(variable) => variable.to_string(),
            Op::Binary(op, a, b) => format!("{} {} {}", self.value(a), sign(op), self.value(b)),
            Op::Unary(op, a) => format!("{} {}", name(op), self.value(a)),
            Op::Select(condition, a, b) => {
                format!("{} ? {} : {}", self.value(condition), self.value(a), self.value(b))
            }
        }
    }

    fn values(&self, values: &[Value]) -> String {
        values.iter().map(|value| self.value(*value)).collect::<Vec<_>>().join(", ")
    }

    fn value(&self, value: Value) -> String {
        self.constants[value.0 as usize].map_or_else(|| format!("v{}", value.0), shown)
    }
}

fn shown(number: u64) -> String {
    if number < 100 { number.to_string() } else { format!("{number:#x}") }
}

fn sign(op: Binary) -> &'static str {
    match op {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::AndNot => "&~",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::ShiftRightSigned => ">>>",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
    }
}

fn name(op: Unary) -> &'static str {
    match op {
        Unary::Not => "not",
        Unary::Negate => "negate",
        Unary::CountOnes => "ones",
        Unary::TrailingZeros => "trailing zeros",
        Unary::LeadingZeros => "leading zeros",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::{FunctionId, Kind};

    #[test]
    fn every_statement_has_a_line() {
        let [a, b, c, d] = [0, 1, 2, 3].map(Value);
        let body = vec![
            Stmt::Let(a, Op::Word(2)),
            Stmt::Let(b, Op::Const(0x1234)),
            Stmt::Let(c, Op::Binary(Binary::AndNot, a, b)),
            Stmt::ForBits { set: c, index: d, body: vec![Stmt::Set(Variable(0), d)] },
            Stmt::If(c, vec![Stmt::FailIf(a)], vec![Stmt::ReturnIf(a)]),
            Stmt::Loop(vec![Stmt::BreakIf(c)]),
            Stmt::Call { function: FunctionId(3), arguments: vec![a, b], results: vec![d] },
            Stmt::Emit(Emission { words: vec![(1, b)], values: vec![(0, c)] }),
        ];
        let (name, kind, parameters) = ("example".to_string(), Kind::Count, vec![d]);
        let function = Function { name, kind, parameters, results: 1, variables: 1, values: 4, body };
        let expected = expect![[r#"
            example(v3) -> x0 {
              v0 = word 2
              v2 = v0 &~ 0x1234
              for v3 in v2 {
                x0 = v3
              }
              if v2 {
                fail if v0
              }
              else {
                return if v0
              }
              loop {
                break if v2
              }
              v3 = call f3(v0, 0x1234)
              emit word 1 = 0x1234, property 0 = v2
            }"#]];
        expected.assert_eq(&function.to_string());
    }
}
