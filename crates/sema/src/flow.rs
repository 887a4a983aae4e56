//! Finger, direction and hand: where they are surely not as a statement needs them.
//!
//! Each rule is followed with every combination of what is known when it is called. Something is an error only if it
//! goes wrong on every path that comes there; what may go wrong is left to the run-time.

use std::collections::{BTreeMap, HashMap};

use multigame_syntax::Span;

use crate::model::{Expr, ExprKind, Rule, RuleId, Stmt, StmtKind, Variable};
use crate::success::Success;

/// So many statements are followed; then nothing is said at all.
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

/// What a statement needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    Finger,
    Direction,
    EmptyHand,
    FullHand,
}

/// What is surely wrong.
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
    let unmet = seen.into_iter().filter(|((_, need), possible)| *possible == wrong(*need));
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
    /// What is known after each rule; nothing while no result is known.
    summaries: HashMap<Context, Option<State>>,
    /// Who must be followed again when a summary changes.
    callers: HashMap<Context, Vec<Context>>,
    waiting: Vec<Context>,
    current: Option<Context>,
    work: u64,
    /// In the last round: all that was possible at each place.
    seen: Option<BTreeMap<(Span, Need), u8>>,
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
    /// What is known after a rule; a new context is queued.
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
            *seen.entry((span, need)).or_default() |= *possible;
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
            StmtKind::Sequence(parts) => {
                return parts.iter().try_fold(state, |state, part| self.statement(part, Some(state)));
            }
            StmtKind::Either(parts) => {
                return parts.iter().fold(None, |union, part| join(union, self.statement(part, Some(state))));
            }
            StmtKind::Call(rule) => return self.summary((*rule, state)),
            StmtKind::Try(a, b) => {
                let after = self.statement(a, Some(state));
                if self.success.is_total(a) {
                    return after;
                }
                let other = b.as_ref().map_or(Some(state), |b| self.statement(b, Some(state)));
                return join(after, other);
            }
            StmtKind::Optionally(a) => return join(Some(state), self.statement(a, Some(state))),
            StmtKind::Test(a) => return self.statement(a, Some(state)).map(|_| state),
            StmtKind::Not(a) => {
                self.statement(a, Some(state));
                return Some(state).filter(|_| !self.success.is_total(a));
            }
            StmtKind::Repeat { low, high, body } => return self.repeat(*low, *high, body, state),
            StmtKind::While { condition, body } => return self.repeat_while(condition, body, Some(state)),
            StmtKind::DoWhile { body, condition } => {
                let after = self.statement(body, Some(state));
                return self.repeat_while(condition, body, after);
            }
            StmtKind::AsOpponent(a) => return self.statement(a, Some(state)),
            StmtKind::Greatest(e, a) => {
                let mut after = self.statement(a, Some(state))?;
                self.expression(e, &mut after);
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
            StmtKind::Step | StmtKind::StepBackward => {
                self.need(&mut state, Need::Finger, span);
                self.need(&mut state, Need::Direction, span);
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
            | StmtKind::Score(_) => {}
        }
        Some(state)
    }

    fn repeat(&mut self, low: u32, high: Option<u32>, body: &Stmt, state: State) -> Option<State> {
        let mut state = Some(state);
        let mut exact = low;
        // The counted rounds settle after a few; those that alternate are joined below.
        while exact > 0 && low - exact < 8 {
            let after = self.statement(body, state);
            exact -= 1;
            if after == state {
                exact = 0;
            }
            state = after;
        }
        if exact == 0 && high == Some(low) {
            return state;
        }
        loop {
            let wider = join(state, self.statement(body, state));
            if wider == state {
                return state;
            }
            state = wider;
        }
    }

    fn repeat_while(&mut self, condition: &Stmt, body: &Stmt, before: Option<State>) -> Option<State> {
        let mut state = before;
        loop {
            let inside = self.statement(condition, state);
            let wider = join(state, self.statement(body, inside));
            if wider == state {
                return state.filter(|_| !self.success.is_total(condition));
            }
            state = wider;
        }
    }

    /// Finger and direction are as before afterwards; the hand may have changed.
    fn for_each(&mut self, body: &Stmt, before: State, mut inside: State) -> Option<State> {
        loop {
            let hand =
                self.statement(body, Some(inside)).map_or(inside.hand, |after| inside.hand | after.hand);
            if hand == inside.hand {
                return Some(State { hand, ..before });
            }
            inside.hand = hand;
        }
    }

    fn expression(&mut self, expr: &Expr, state: &mut State) {
        match &expr.kind {
            ExprKind::Row
            | ExprKind::Column
            | ExprKind::Load(Variable::Field(_))
            | ExprKind::PostAdd(Variable::Field(_), _) => self.need(state, Need::Finger, expr.span),
            ExprKind::Count(body) => {
                self.statement(body, Some(*state));
            }
            ExprKind::Sum(e, body) => {
                if let Some(mut after) = self.statement(body, Some(*state)) {
                    self.expression(e, &mut after);
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expression(a, state);
                self.expression(b, &mut state.clone());
            }
            ExprKind::Conditional(c, a, b) => {
                self.expression(c, state);
                self.expression(a, &mut state.clone());
                self.expression(b, &mut state.clone());
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
