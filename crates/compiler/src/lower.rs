//! One function for each rule and each player who looks through it.

use std::collections::{HashMap, HashSet, VecDeque};

use multigame_game::Side;
use multigame_ir::{
    CompiledEvaluation, Counted, Function, FunctionId, MoveProperty, OriginId, Program, RepetitionRule,
};
use multigame_sema::Model;
use multigame_sema::model::{EvaluationModel, Expr, RuleId, Stmt, StmtKind};
use multigame_syntax::Span;

use crate::bases::Texts;
use crate::origins::Origins;

/// Makes the move program, and the function that finishes the initial position if there is one.
pub(crate) fn lower(model: Model, texts: &Texts) -> (Program, Option<FunctionId>) {
    let mut lowering = Lowering {
        model: &model,
        value_count: model.description.value_count(),
        origins: Origins::new(texts),
        numbers: HashMap::new(),
        waiting: VecDeque::new(),
    };
    let views = if model.description.players == 1 { [Side::White; 2] } else { Side::BOTH };
    let main = views.map(|view| lowering.function(model.main, view));
    let goal = model.goal.map(|goal| lowering.function(goal, Side::White));
    let last = model.last.map(|last| views.map(|view| lowering.function(last, view)));
    let judge = model.judge.map(|(rule, cycle)| RepetitionRule {
        rule: views.map(|view| lowering.function(rule, view)),
        cycle: cycle.map(|number| number as u16),
    });
    let setup = model.setup_rule.map(|rule| lowering.function(rule, Side::White));
    let evaluations = model
        .evaluations
        .iter()
        .map(|found| CompiledEvaluation {
            evaluation: found.evaluation.clone(),
            phase: found.phase.map(|rule| lowering.function(rule, Side::White)),
            calm: found.calm.map(|rule| views.map(|view| lowering.function(rule, view))),
            counted: found
                .counted
                .iter()
                .map(|counted| Counted {
                    functions: views.map(|view| lowering.function(counted.rule, view)),
                    mover: counted.mover,
                })
                .collect(),
        })
        .collect();
    let of_evaluation = |found: &EvaluationModel| {
        found
            .counted
            .iter()
            .map(|counted| counted.rule)
            .chain(found.phase)
            .chain(found.calm)
            .collect::<Vec<_>>()
    };
    let terms: HashSet<RuleId> = model.evaluations.iter().flat_map(of_evaluation).collect();
    let mut functions = Vec::new();
    let model_main = model.main;
    while let Some((rule, view, stmt)) = lowering.waiting.pop_front() {
        let name = model.rules[rule.index()].name.clone();
        let mut body = Body { lowering: &mut lowering, rule, view };
        let body = match &stmt.kind {
            // The count of a term is wanted even if it is a constant.
            StmtKind::Assign(value) if terms.contains(&rule) => body.term(value),
            _ if rule == model_main => {
                let made = body.statement(stmt);
                body.with_empty_hand(made, stmt.span)
            }
            _ => body.statement(stmt),
        };
        functions.push(Function { name, view, body });
    }
    let origins = lowering.origins.into_vec();
    let move_properties = model
        .move_properties
        .into_iter()
        .map(|property| MoveProperty { name: property.name, low: property.low, high: property.high })
        .collect();
    let program = Program {
        description: model.description,
        move_properties,
        functions,
        main,
        goal,
        last,
        abstractions: model.abstractions,
        evaluations,
        patterns: Vec::new(),
        network: None,
        judge,
        origins,
    };
    (program, setup)
}

/// What is shared by all functions.
pub(crate) struct Lowering<'m> {
    pub model: &'m Model,
    /// The number of the first move property's slot.
    pub value_count: usize,
    origins: Origins<'m>,
    /// The number of each function: a rule, or a part of a rule that is needed twice, for each view.
    numbers: HashMap<(RuleId, Side, Option<Span>), FunctionId>,
    /// Functions that have a number and no body yet, in the order of their numbers.
    waiting: VecDeque<(RuleId, Side, &'m Stmt)>,
}

impl<'m> Lowering<'m> {
    /// The function of a rule as a player sees it.
    pub fn function(&mut self, rule: RuleId, view: Side) -> FunctionId {
        self.numbered(rule, view, None, &self.model.rules[rule.index()].body)
    }

    /// The function of a part of a rule.
    pub fn part(&mut self, rule: RuleId, view: Side, part: &'m Stmt) -> FunctionId {
        self.numbered(rule, view, Some(part.span), part)
    }

    fn numbered(&mut self, rule: RuleId, view: Side, part: Option<Span>, body: &'m Stmt) -> FunctionId {
        let next = FunctionId(self.numbers.len() as u32);
        let number = *self.numbers.entry((rule, view, part)).or_insert(next);
        if number == next {
            self.waiting.push_back((rule, view, body));
        }
        number
    }
}

/// One rule as one player sees it.
pub(crate) struct Body<'l, 'm> {
    pub lowering: &'l mut Lowering<'m>,
    pub rule: RuleId,
    pub view: Side,
}

impl<'l, 'm> Body<'l, 'm> {
    /// The number of a place in this rule.
    pub fn origin(&mut self, span: Span) -> OriginId {
        let model = self.lowering.model;
        self.lowering.origins.of(self.rule, &model.rules[self.rule.index()], span)
    }

    /// A function whose only statement computes what a term of an evaluation counts.
    fn term(&mut self, value: &'m Expr) -> multigame_ir::Stmt {
        let value = self.expression(value);
        let origin = value.origin;
        multigame_ir::Stmt::new(multigame_ir::Op::Assign(value), origin)
    }

    /// The same rule with the other player's eyes.
    pub fn turned(&mut self) -> Body<'_, 'm> {
        Body { lowering: self.lowering, rule: self.rule, view: self.view.opponent() }
    }
}
