//! The calls between rules, and fixed points over them.

use crate::model::{Expr, Rule, RuleId, Stmt, StmtKind};

/// More rounds than this mean a text written to be slow; real ones need two or three.
const MOST_ROUNDS: usize = 60;

/// The calls of each rule.
pub(crate) struct Calls {
    calls: Vec<Vec<RuleId>>,
    /// All rules, those called before those that call them as far as possible.
    order: Vec<RuleId>,
    reached: Vec<bool>,
}

impl Calls {
    /// `entries` are the rules that are run from outside.
    pub fn new(rules: &[Rule], entries: impl Iterator<Item = RuleId>) -> Calls {
        let calls = rules
            .iter()
            .map(|rule| {
                let mut called = Vec::new();
                collect_calls(&rule.body, &mut called);
                called
            })
            .collect();
        let mut graph = Calls { calls, order: Vec::new(), reached: vec![false; rules.len()] };
        let mut visited = vec![false; rules.len()];
        for entry in entries {
            graph.visit(entry, &mut visited);
        }
        graph.reached.clone_from(&visited);
        for number in 0..rules.len() {
            graph.visit(RuleId(number as u32), &mut visited);
        }
        graph
    }

    /// Depth first without recursion: chains of calls may be as long as the text.
    fn visit(&mut self, start: RuleId, visited: &mut [bool]) {
        if std::mem::replace(&mut visited[start.index()], true) {
            return;
        }
        let mut open = vec![(start, 0)];
        while let Some((rule, next)) = open.last_mut() {
            match self.calls[rule.index()].get(*next) {
                Some(&called) => {
                    *next += 1;
                    if !std::mem::replace(&mut visited[called.index()], true) {
                        open.push((called, 0));
                    }
                }
                None => {
                    self.order.push(*rule);
                    open.pop();
                }
            }
        }
    }

    /// Whether a rule can be run at all.
    pub fn is_reached(&self, rule: RuleId) -> bool {
        self.reached[rule.index()]
    }

    /// The least fixed point of `compute` over all rules, from `start` upwards; nothing if it takes too long.
    pub fn fixed_point<T: Copy + PartialEq>(
        &self,
        rules: &[Rule],
        start: T,
        compute: impl Fn(&Stmt, &[T]) -> T,
    ) -> Option<Vec<T>> {
        let mut values = vec![start; rules.len()];
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for rule in &self.order {
                let value = compute(&rules[rule.index()].body, &values);
                changed |= value != values[rule.index()];
                values[rule.index()] = value;
            }
            if !changed {
                return Some(values);
            }
        }
        None
    }
}

fn collect_calls(stmt: &Stmt, calls: &mut Vec<RuleId>) {
    if let StmtKind::Call(rule) = stmt.kind {
        calls.push(rule);
    }
    for child in stmt.children() {
        collect_calls(child, calls);
    }
    for expr in stmt.expressions() {
        collect_counted(expr, calls);
    }
}

fn collect_counted(expr: &Expr, calls: &mut Vec<RuleId>) {
    if let Some(body) = expr.counted() {
        collect_calls(body, calls);
    }
    for operand in expr.operands() {
        collect_counted(operand, calls);
    }
}

/// The first call inside a statement, in the order of the text, of a rule with that mark.
pub(crate) fn first_call(stmt: &Stmt, marked: &[bool]) -> Option<RuleId> {
    let mut calls = Vec::new();
    collect_calls(stmt, &mut calls);
    calls.into_iter().find(|rule| marked[rule.index()])
}

/// The circles in a graph in which every node has at most one way out, each beginning with its first rule.
pub(crate) fn circles(next: &[Option<RuleId>]) -> Vec<Vec<RuleId>> {
    let mut seen_from = vec![usize::MAX; next.len()];
    let mut circles = Vec::new();
    for start in 0..next.len() {
        let mut at = start;
        while seen_from[at] == usize::MAX {
            seen_from[at] = start;
            let Some(further) = next[at] else { break };
            at = further.index();
            if seen_from[at] == start {
                circles.push(circle_through(at, next));
            }
        }
    }
    circles
}

fn circle_through(start: usize, next: &[Option<RuleId>]) -> Vec<RuleId> {
    let mut circle = vec![RuleId(start as u32)];
    let mut at = next[start];
    while let Some(rule) = at.filter(|rule| rule.index() != start) {
        circle.push(rule);
        at = next[rule.index()];
    }
    let first = circle.iter().enumerate().min_by_key(|(_, rule)| **rule).map_or(0, |(i, _)| i);
    circle.rotate_left(first);
    circle
}
