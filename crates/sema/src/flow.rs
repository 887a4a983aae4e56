//! Finger, direction and hand: where they are surely not as a statement needs them.
//!
//! Each rule is followed with every combination of what is known when it is called. Something is an error
//! only if it goes wrong on every path that comes there, or in the first round of a loop that surely comes
//! there; what may go wrong is left to the run-time.

mod rounds;

use std::collections::{BTreeMap, HashMap};

use multigame_syntax::Span;

use crate::model::{Expr, ExprKind, NamePart, Rule, RuleId, Stmt, StmtKind, Variable};
use crate::success::Success;
use rounds::Round;

/// Greatest number of statements to follow; beyond it nothing is reported at all.
const MOST_WORK: u64 = 2_000_000;

const NO: u8 = 1;
const YES: u8 = 2;

/// For finger, direction and hand whether they can be undefined (empty), defined (full), or either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    finger: u8,
    direction: u8,
    hand: u8,
}

const START: State = State { finger: NO, direction: NO, hand: NO };

/// The needs of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    Finger,
    Direction,
    EmptyHand,
    FullHand,
}

/// Certain errors.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Statements and expressions whose need is never met, and which need.
    pub unmet: Vec<(Span, Need)>,
    /// Whether every result of `main` has a piece in the hand.
    pub main_keeps_piece: bool,
}

/// Follows the rules from the given entries, `main` first.
pub(crate) fn findings(rules: &[Rule], success: &Success<'_>, entries: &[RuleId]) -> Findings {
    let mut flow = Flow {
        rules,
        success,
        summaries: HashMap::new(),
        callers: HashMap::new(),
        waiting: Vec::new(),
        current: None,
        work: 0,
        round: Round::Only,
        seen: None,
    };
    for &entry in entries.iter().rev() {
        flow.summary((entry, START));
    }
    flow.solve();
    flow.record();
    if flow.work > MOST_WORK {
        return Findings::default();
    }
    let seen = flow.seen.unwrap_or_default();
    let wrong = |need: Need| if need == Need::EmptyHand { YES } else { NO };
    let unmet = seen
        .into_iter()
        .filter(|((_, need), possible)| possible.always == wrong(*need) || possible.at_first == wrong(*need));
    let result = entries.first().and_then(|&main| flow.summaries.get(&(main, START)).copied().flatten());
    Findings {
        unmet: unmet.map(|(place, _)| place).collect(),
        main_keeps_piece: result.is_some_and(|state| state.hand == YES),
    }
}

/// A rule and what is known where it is called.
type Context = (RuleId, State);

struct Flow<'r, 's> {
    rules: &'r [Rule],
    success: &'r Success<'s>,
    /// Facts after each rule; nothing while no result is known.
    summaries: HashMap<Context, Option<State>>,
    /// The callers that must be followed again when a summary changes.
    callers: HashMap<Context, Vec<Context>>,
    waiting: Vec<Context>,
    current: Option<Context>,
    work: u64,
    round: Round,
    /// When all summaries are known: all that was possible at each place.
    seen: Option<BTreeMap<(Span, Need), Possible>>,
}

/// The states that were possible at a place.
#[derive(Clone, Copy, Default)]
struct Possible {
    always: u8,
    /// In first rounds that surely come there; 0 if there is none.
    at_first: u8,
}

fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(State {
            finger: a.finger | b.finger,
            direction: a.direction | b.direction,
            hand: a.hand | b.hand,
        }),
        (a, b) => a.or(b),
    }
}

impl Flow<'_, '_> {
    /// Facts after a rule; a new context is queued.
    fn summary(&mut self, context: Context) -> Option<State> {
        if let Some(current) = self.current {
            let callers = self.callers.entry(context).or_default();
            if !callers.contains(&current) {
                callers.push(current);
            }
            self.work += callers.len() as u64 / 8;
        }
        match self.summaries.get(&context) {
            Some(known) => *known,
            None => {
                self.summaries.insert(context, None);
                self.waiting.push(context);
                None
            }
        }
    }

    fn solve(&mut self) {
        while let Some(context) = self.waiting.pop() {
            if self.work > MOST_WORK {
                return;
            }
            self.current = Some(context);
            let result = self.statement(&self.rules[context.0.index()].body, Some(context.1));
            let merged = join(self.summaries[&context], result);
            if merged != self.summaries[&context] {
                self.summaries.insert(context, merged);
                let callers = self.callers.get(&context).cloned().unwrap_or_default();
                self.waiting.extend(callers);
            }
        }
    }

    fn record(&mut self) {
        self.current = None;
        self.seen = Some(BTreeMap::new());
        let contexts: Vec<Context> = self.summaries.keys().copied().collect();
        for (rule, state) in contexts {
            self.statement(&self.rules[rule.index()].body, Some(state));
        }
    }

    /// Notes what is possible at a place that needs something, and goes on as if it were given.
    fn need(&mut self, state: &mut State, need: Need, span: Span) {
        let (possible, met) = match need {
            Need::Finger => (&mut state.finger, YES),
            Need::Direction => (&mut state.direction, YES),
            Need::EmptyHand => (&mut state.hand, NO),
            Need::FullHand => (&mut state.hand, YES),
        };
        if let Some(seen) = &mut self.seen {
            let entry = seen.entry((span, need)).or_default();
            entry.always |= *possible;
            if self.round > Round::Other {
                entry.at_first |= *possible;
            }
        }
        *possible = met;
    }

    fn statement(&mut self, stmt: &Stmt, before: Option<State>) -> Option<State> {
        self.work += 1;
        let mut state = before?;
        if self.work > MOST_WORK {
            return None;
        }
        for expr in stmt.expressions() {
            if !matches!(stmt.kind, StmtKind::Greatest(..)) {
                self.expression(expr, &mut state);
            }
        }
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Unknown => {
                return Some(State { finger: NO | YES, direction: NO | YES, hand: NO | YES });
            }
            StmtKind::Sequence(parts) => return self.sequence(parts, state),
            StmtKind::Either(parts) => return self.alternatives(parts, state),
            StmtKind::Call(rule) => return self.summary((*rule, state)),
            StmtKind::Try(a, b) => {
                let after = self.at_most(Round::First, |flow| flow.statement(a, Some(state)));
                if self.success.is_total(a) {
                    return after;
                }
                let Some(b) = b else { return join(after, Some(state)) };
                let other = self.at_most(Round::Other, |flow| flow.statement(b, Some(state)));
                return join(after, other);
            }
            StmtKind::Optionally(a) => {
                let round = if self.round == Round::FirstResult { Round::Other } else { Round::First };
                return join(Some(state), self.at_most(round, |flow| flow.statement(a, Some(state))));
            }
            StmtKind::Test(a) => {
                let after = self.at_most(Round::FirstResult, |flow| flow.statement(a, Some(state)));
                return after.map(|_| state);
            }
            StmtKind::Not(a) => {
                self.at_most(Round::FirstResult, |flow| flow.statement(a, Some(state)));
                return Some(state).filter(|_| !self.success.is_total(a));
            }
            StmtKind::Repeat { low, high, body } => return self.repeat(*low, *high, body, state),
            StmtKind::While { condition, body } => return self.repeat_while(condition, body, state),
            StmtKind::DoWhile { body, condition } => return self.do_while(body, condition, state),
            StmtKind::AsOpponent(a) => return self.statement(a, Some(state)),
            StmtKind::Greatest(e, a) => {
                let mut after = self.statement(a, Some(state))?;
                self.at_most(Round::Other, |flow| flow.expression(e, &mut after));
                return Some(after);
            }
            StmtKind::ForEachField(_, a) => return self.for_each(a, state, State { finger: YES, ..state }),
            StmtKind::ForEachDirection(_, a) => {
                return self.for_each(a, state, State { direction: YES, ..state });
            }
            StmtKind::Find(_) | StmtKind::MoveTo(..) => state.finger = YES,
            StmtKind::PointsAt(_) | StmtKind::Replace(_) => self.need(&mut state, Need::Finger, span),
            StmtKind::PickUp => {
                self.need(&mut state, Need::Finger, span);
                self.need(&mut state, Need::EmptyHand, span);
                state.hand = YES;
            }
            StmtKind::PutDown => {
                self.need(&mut state, Need::Finger, span);
                self.need(&mut state, Need::FullHand, span);
                state.hand = NO;
            }
            StmtKind::Lift(_) => {
                self.need(&mut state, Need::Finger, span);
                state.hand = YES;
            }
            StmtKind::Drop(number) => {
                self.need(&mut state, Need::Finger, span);
                self.need(&mut state, Need::FullHand, span);
                state.hand = if number.is_some() { NO | YES } else { NO };
            }
            StmtKind::RemoveTop | StmtKind::Add(_) => self.need(&mut state, Need::Finger, span),
            StmtKind::Step | StmtKind::StepBackward => {
                self.need(&mut state, Need::Finger, span);
                self.need(&mut state, Need::Direction, span);
            }
            StmtKind::Called(parts) => {
                if parts.contains(&NamePart::Field) {
                    self.need(&mut state, Need::Finger, span);
                }
            }
            StmtKind::Face(_) => state.direction = YES,
            StmtKind::Turn(_) => self.need(&mut state, Need::Direction, span),
            StmtKind::Assert(e) => return Some(state).filter(|_| e.constant() != Some(0)),
            StmtKind::Match(_)
            | StmtKind::Assign(_)
            | StmtKind::ToMove(_)
            | StmtKind::Irreversible
            | StmtKind::Outcome(_)
            | StmtKind::KeepTurn
            | StmtKind::BoardUnchanged
            | StmtKind::Score(_) => {}
        }
        Some(state)
    }

    fn expression(&mut self, expr: &Expr, state: &mut State) {
        match &expr.kind {
            ExprKind::Row
            | ExprKind::Column
            | ExprKind::Load(Variable::Field(_))
            | ExprKind::PostAdd(Variable::Field(_), _) => self.need(state, Need::Finger, expr.span),
            ExprKind::Count(body) => {
                self.at_most(Round::First, |flow| flow.statement(body, Some(*state)));
            }
            ExprKind::Sum(e, body) => {
                let after = self.at_most(Round::First, |flow| flow.statement(body, Some(*state)));
                if let Some(mut after) = after {
                    self.at_most(Round::Other, |flow| flow.expression(e, &mut after));
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expression(a, state);
                self.at_most(Round::Other, |flow| flow.expression(b, &mut state.clone()));
            }
            ExprKind::Conditional(c, a, b) => {
                self.expression(c, state);
                self.at_most(Round::Other, |flow| flow.expression(a, &mut state.clone()));
                self.at_most(Round::Other, |flow| flow.expression(b, &mut state.clone()));
            }
            _ => {
                for operand in expr.operands() {
                    self.expression(operand, state);
                }
                if let ExprKind::Store(Variable::Field(_), ..) = expr.kind {
                    self.need(state, Need::Finger, expr.span);
                }
            }
        }
    }
}
