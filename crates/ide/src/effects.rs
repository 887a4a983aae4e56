//! What rules may do: move the finger, change the board, end the game, and how many results they have.
//!
//! A fixed point over the calls between rules, from "nothing at all" upwards. It says what a rule may do in
//! some position and promises only a lower bound of results that every position has.

use std::collections::HashMap;

use multigame_sema::Model;
use multigame_sema::model::{Expr, ExprKind, Stmt, StmtKind, Variable};

/// More rounds than this mean a text written to be slow.
const MOST_ROUNDS: usize = 60;

/// What a statement may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Moves the finger.
    pub finger: bool,
    /// Turns the direction.
    pub direction: bool,
    /// Changes pieces or the hand.
    pub board: bool,
    /// Changes properties.
    pub properties: bool,
    /// Ends the game.
    pub ends: bool,
    /// Whether every position has a result.
    pub always: bool,
    /// Whether there may be several results.
    pub several: bool,
}

impl Effect {
    /// What it may do, the most telling first.
    pub fn parts(self) -> Vec<&'static str> {
        let all = [
            (self.board, "changes the board"),
            (self.properties, "changes properties"),
            (self.finger, "moves the finger"),
            (self.direction, "turns"),
            (self.ends, "ends the game"),
        ];
        let mut parts: Vec<&str> = all.into_iter().filter(|(does, _)| *does).map(|(_, part)| part).collect();
        if parts.is_empty() {
            parts.push("changes nothing");
        }
        parts
    }

    /// How many results there are.
    pub fn results(self) -> &'static str {
        match (self.always, self.several) {
            (true, false) => "one result",
            (false, false) => "at most one result",
            (true, true) => "at least one result",
            (false, true) => "any number of results",
        }
    }

    /// Behind "this rule".
    pub fn sentence(self) -> String {
        let parts = self.parts().join(", ");
        let may = if parts == "changes nothing" { "" } else { "possibly " };
        format!("{may}{parts}, and has {}", self.results())
    }

    /// Both are done, one after the other.
    fn then(self, next: Effect) -> Effect {
        Effect {
            always: self.always && next.always,
            several: self.several || next.several,
            ..self.joined(next)
        }
    }

    /// What either does; the results are for the caller.
    fn joined(self, other: Effect) -> Effect {
        Effect {
            finger: self.finger || other.finger,
            direction: self.direction || other.direction,
            board: self.board || other.board,
            properties: self.properties || other.properties,
            ends: self.ends || other.ends,
            always: self.always,
            several: self.several,
        }
    }

    /// Goes on unchanged, or not at all.
    fn tested(always: bool) -> Effect {
        Effect { always, ..Effect::default() }
    }

    fn with(self, always: bool, several: bool) -> Effect {
        Effect { always, several, ..self }
    }
}

/// What each rule may do.
#[derive(Clone, Debug, Default)]
pub struct Effects(HashMap<String, Effect>);

impl Effects {
    /// Computes them; nothing if rules call each other in too long a chain.
    pub fn new(model: &Model) -> Effects {
        let mut effects = vec![Effect::default(); model.rules.len()];
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for number in (0..effects.len()).rev() {
                let effect = statement(&model.rules[number].body, &effects);
                changed |= effect != effects[number];
                effects[number] = effect;
            }
            if !changed {
                let names = model.rules.iter().map(|rule| rule.name.clone());
                return Effects(names.zip(effects).collect());
            }
        }
        Effects::default()
    }

    /// What the rule of that name may do.
    pub fn of(&self, name: &str) -> Option<Effect> {
        self.0.get(name).copied()
    }
}

fn statement(stmt: &Stmt, rules: &[Effect]) -> Effect {
    let of = |stmt: &Stmt| statement(stmt, rules);
    let once = Effect { always: true, ..Effect::default() };
    match &stmt.kind {
        StmtKind::Unknown => Effect::default(),
        StmtKind::Sequence(parts) => parts.iter().map(of).fold(once, Effect::then),
        StmtKind::Either(parts) => {
            let all: Vec<Effect> = parts.iter().map(of).collect();
            let joined = all.iter().copied().fold(Effect::default(), Effect::joined);
            joined.with(all.iter().any(|part| part.always), true)
        }
        StmtKind::Try(a, None) => of(a).with(true, of(a).several),
        StmtKind::Try(a, Some(b)) => {
            let (a, b) = (of(a), of(b));
            a.joined(b).with(a.always || b.always, a.several || b.several)
        }
        StmtKind::Optionally(a) => of(a).with(true, true),
        StmtKind::Test(a) => Effect::tested(of(a).always),
        StmtKind::Not(_)
        | StmtKind::PointsAt(_)
        | StmtKind::Match(_)
        | StmtKind::ToMove(_)
        | StmtKind::BoardUnchanged => Effect::tested(false),
        StmtKind::Repeat { low, high, body } => {
            let body = of(body);
            body.with(*low == 0 || body.always, body.several || *high != Some(*low))
        }
        StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => {
            // The effects of the condition count in every round but the last.
            let (condition, body) = (of(condition), of(body));
            condition.joined(body).with(false, condition.several || body.several)
        }
        StmtKind::Find(_) => Effect { finger: true, several: true, ..Effect::default() },
        StmtKind::Replace(pieces) => Effect { board: true, several: pieces.len() > 1, ..once },
        StmtKind::Lift(_) | StmtKind::Drop(_) => Effect { board: true, ..Effect::default() },
        StmtKind::Add(pieces) => Effect { board: true, several: pieces.len() > 1, ..Effect::default() },
        StmtKind::RemoveTop => Effect { board: true, ..once },
        StmtKind::PickUp => Effect { board: true, ..Effect::default() },
        StmtKind::PutDown => Effect { board: true, ..once },
        StmtKind::MoveTo(..) | StmtKind::Step | StmtKind::StepBackward => {
            Effect { finger: true, ..Effect::default() }
        }
        StmtKind::Face(directions) => Effect {
            direction: true,
            always: !directions.is_empty(),
            several: directions.len() > 1,
            ..Effect::default()
        },
        StmtKind::Turn(_) => Effect { direction: true, ..once },
        StmtKind::Assert(e) => {
            Effect { properties: stores(e), ..Effect::tested(e.constant().is_some_and(|value| value != 0)) }
        }
        StmtKind::Assign(e) => Effect { properties: stores(e), ..once },
        StmtKind::Irreversible | StmtKind::KeepTurn | StmtKind::Called(_) => once,
        StmtKind::Outcome(_) | StmtKind::Score(_) => Effect { ends: true, ..once },
        StmtKind::Call(rule) => rules.get(rule.index()).copied().unwrap_or_default(),
        StmtKind::Greatest(_, a) | StmtKind::AsOpponent(a) => of(a),
        StmtKind::ForEachField(_, a) | StmtKind::ForEachDirection(_, a) => {
            // The finger and the direction are what they were; only the move goes on.
            Effect { finger: false, direction: false, ..of(a).with(true, of(a).several) }
        }
    }
}

/// Whether an expression changes a property that outlives the move.
fn stores(e: &Expr) -> bool {
    let here = matches!(&e.kind, ExprKind::Store(variable, ..) | ExprKind::PostAdd(variable, _)
        if !matches!(variable, Variable::Move(_)));
    here || e.operands().into_iter().any(stores)
}
