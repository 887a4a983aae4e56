//! Which parts of the rules were ever used: the interpreter counts, and what never had a result is reported.
//!
//! Both views of a rule share their places in the text, so a part is covered as soon as one player used it.
//! Rules that only the setup or an evaluation calls have no part in a game and are left out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Expr, FunctionId, Op, OriginId, Program, Stmt};

/// How often the statements at each place of the rules were run and had a result.
#[derive(Debug)]
pub(crate) struct Counts {
    run: Vec<AtomicU64>,
    succeeded: Vec<AtomicU64>,
}

impl Counts {
    pub fn new(program: &Program) -> Counts {
        let zeros = || program.origins.iter().map(|_| AtomicU64::new(0)).collect();
        Counts { run: zeros(), succeeded: zeros() }
    }

    pub fn run(&self, origin: OriginId) {
        self.run[origin.0 as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub fn succeeded(&self, origin: OriginId) {
        self.succeeded[origin.0 as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// What was used of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How often each rule was called and how often it had a result, in the order of the text.
    pub rules: Vec<RuleCoverage>,
    /// The parts that never had a result, in the order of the text. What can only be reached through another
    /// part of the list is not in it.
    pub unused: Vec<Unused>,
}

/// How often a rule was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCoverage {
    /// Its name.
    pub rule: String,
    /// Where its body stands, from 1.
    pub line: u32,
    /// How often it was run.
    pub run: u64,
    /// How many results it had.
    pub results: u64,
}

/// A part of the rules that never had a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unused {
    /// The bytes in the rules file.
    pub span: (u32, u32),
    /// The line in the rules file, from 1.
    pub line: u32,
    /// The rule it is in.
    pub rule: String,
    /// How often it was tried in vain; 0 if it was never reached.
    pub tried: u64,
}

impl Coverage {
    pub(crate) fn new(program: &Program, counts: &Counts) -> Coverage {
        let mut walk = Walk { program, counts, unused: BTreeSet::new() };
        let mut rules: Vec<(u32, RuleCoverage)> = Vec::new();
        for id in played(program) {
            let function = program.function(id);
            let origin = function.body.origin;
            walk.statement(&function.body);
            let place = &program.origins[origin.0 as usize];
            if !rules.iter().any(|(_, known)| known.rule == function.name) {
                let (run, results) = (walk.run(origin), walk.results(origin));
                let rule = RuleCoverage { rule: function.name.clone(), line: place.line, run, results };
                rules.push((place.span.0, rule));
            }
        }
        rules.sort_by_key(|(start, _)| *start);
        let rules = rules.into_iter().map(|(_, rule)| rule).collect();
        Coverage { rules, unused: walk.unused.into_iter().collect() }
    }
}

/// What a game can run: all that is called from where moves are made, positions ended or repetitions judged.
fn played(program: &Program) -> BTreeSet<FunctionId> {
    let mut waiting = Vec::from(program.main);
    waiting.extend(program.goal);
    waiting.extend(program.last.into_iter().flatten());
    waiting.extend(program.judge.into_iter().flat_map(|judge| judge.rule));
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            calls(&program.function(id).body, &mut waiting);
        }
    }
    found
}

fn calls(stmt: &Stmt, found: &mut Vec<FunctionId>) {
    if let Op::Call(function) = stmt.op {
        found.push(function);
    }
    stmt.for_each_expression(&mut |expr| expr.for_each_statement(&mut |inside| calls(inside, found)));
    for child in stmt.children() {
        calls(child, found);
    }
}

struct Walk<'p> {
    program: &'p Program,
    counts: &'p Counts,
    unused: BTreeSet<Unused>,
}

impl Walk<'_> {
    fn run(&self, origin: OriginId) -> u64 {
        self.counts.run[origin.0 as usize].load(Ordering::Relaxed)
    }

    fn results(&self, origin: OriginId) -> u64 {
        self.counts.succeeded[origin.0 as usize].load(Ordering::Relaxed)
    }

    /// Collects what is unused in a statement; false if nothing was found to blame.
    fn statement(&mut self, stmt: &Stmt) -> bool {
        // `white to move` as Black sees it: nothing to blame, and as White sees it nothing is left of it to
        // count.
        if matches!(&stmt.op, Op::Either(parts) if parts.is_empty()) {
            return false;
        }
        let origin = stmt.origin;
        let known = origin != OriginId::default();
        if known && self.run(origin) == 0 {
            return self.report(origin);
        }
        let mut blamed = false;
        stmt.for_each_expression(&mut |expr| blamed |= self.expression(expr));
        match &stmt.op {
            Op::Sequence(parts) => {
                for part in parts {
                    blamed |= self.statement(part);
                    // The following statements were not reached because of this part.
                    if part.origin != OriginId::default() && self.results(part.origin) == 0 {
                        break;
                    }
                }
            }
            _ => {
                for child in stmt.children() {
                    blamed |= self.statement(child);
                }
            }
        }
        // A rule that never has a result is blamed where it is written, not where it is called.
        let is_call = matches!(stmt.op, Op::Call(_)) && self.callee_is_unused(stmt);
        if known && self.results(origin) == 0 && !blamed && !is_call {
            return self.report(origin);
        }
        blamed
    }

    fn callee_is_unused(&self, stmt: &Stmt) -> bool {
        let Op::Call(function) = stmt.op else { return false };
        self.results(self.program.function(function).body.origin) == 0
    }

    fn expression(&mut self, expr: &Expr) -> bool {
        let mut inside = Vec::new();
        expr.for_each_statement(&mut |stmt| inside.push(stmt));
        // All of them are looked at, not only up to the first.
        let blamed = inside.into_iter().filter(|stmt| self.statement(stmt)).count();
        blamed > 0
    }

    fn report(&mut self, origin: OriginId) -> bool {
        let place = &self.program.origins[origin.0 as usize];
        let (rule, line, span) = (place.rule.clone(), place.line, place.span);
        self.unused.insert(Unused { rule, line, span, tried: self.run(origin) });
        true
    }
}
