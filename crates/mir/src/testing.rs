//! For tests of passes: small rules before, the code after.

use expect_test::Expect;
use multigame_compiler::compile;
use multigame_ir::Program;

use crate::{Function, Module, Options, Pass, lower_with};

/// The board and the pieces of most rules here.
pub(crate) const BOARD: &str = "dimensions (4, 4) no moves = loss pieces { man 'M' 'm' rock '#' }
    properties { seen : board : [0 .. 3] tried : move : [0 .. 3] }";

/// A board with kings that must not be attacked, and rooks.
pub(crate) const KINGS: &str = "dimensions (4, 4) no moves = loss pieces { king 'K' 'k' rook 'R' 'r' }
    setup { \"r..k\" \"....\" \"....\" \"R..K\" }";

/// The program of rules whose declarations and rules are given apart.
pub(crate) fn program(declarations: &str, rules: &str) -> Program {
    let options = multigame_compiler::Options { name: "test".into(), ..Default::default() };
    let compilation = compile(&format!("{declarations}\nmain = {rules}."), &options);
    compilation.program.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics))
}

pub(crate) fn module(declarations: &str, rules: &str, options: &Options) -> Module {
    lower_with(&program(declarations, rules), options).unwrap()
}

pub(crate) fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    let names: Vec<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    let function = module.functions.iter().find(|function| function.name == name);
    function.unwrap_or_else(|| panic!("no {name} among {names:?}"))
}

fn text(declarations: &str, rules: &str, options: &Options, name: &str) -> String {
    function(&module(declarations, rules, options), name).to_string() + "\n"
}

/// What a function is by all passes.
pub(crate) fn check(rules: &str, name: &str, expected: Expect) {
    check_on(BOARD, rules, name, expected);
}

pub(crate) fn check_on(declarations: &str, rules: &str, name: &str, expected: Expect) {
    expected.assert_eq(&text(declarations, rules, &Options::default(), name));
}

/// What a function is if one pass is left out.
pub(crate) fn check_without(pass: Pass, rules: &str, name: &str, expected: Expect) {
    check_on_without(pass, BOARD, rules, name, expected);
}

pub(crate) fn check_on_without(pass: Pass, declarations: &str, rules: &str, name: &str, expected: Expect) {
    expected.assert_eq(&text(declarations, rules, &Options::without(pass), name));
}

/// That a pass changes nothing about these rules.
pub(crate) fn check_unchanged_by(pass: Pass, declarations: &str, rules: &str, name: &str) {
    let with = text(declarations, rules, &Options::default(), name);
    assert_eq!(with, text(declarations, rules, &Options::without(pass), name));
}

/// Why rules are refused.
pub(crate) fn refusal(declarations: &str, rules: &str) -> String {
    match lower_with(&program(declarations, rules), &Options::default()) {
        Ok(_) => panic!("these rules are compiled"),
        Err(refusal) => refusal.to_string(),
    }
}
