//! Alternatives that begin alike: `either [ A, B ] or [ A, C ]` is `A, either B or C`, and A is done once.

use crate::{Op, Program, Stmt};

impl Program {
    /// The same program with what alternatives begin with in front of them.
    pub fn with_shared_prefixes(&self) -> Program {
        let mut program = self.clone();
        program.rewrite(&mut share);
        program
    }
}

fn share(stmt: &mut Stmt) {
    let Op::Either(parts) = &mut stmt.op else { return };
    let mut shared: Vec<Stmt> = Vec::with_capacity(parts.len());
    for part in std::mem::take(parts) {
        match shared.last_mut().filter(|last| alike(last, &part) > 0) {
            Some(last) => join(last, part),
            None => shared.push(part),
        }
    }
    if shared.len() == 1 {
        *stmt = shared.remove(0);
    } else {
        *parts = shared;
    }
}

/// How many statements two alternatives begin with in common. Only what is a single act is looked at: larger
/// statements know where they come from and are never the same.
fn alike(a: &Stmt, b: &Stmt) -> usize {
    let single = |stmt: &Stmt| {
        matches!(
            stmt.op,
            Op::Find(_)
                | Op::PointsAt(_)
                | Op::Replace(_)
                | Op::PickUp
                | Op::PutDown
                | Op::Face(_)
                | Op::Turn(_)
                | Op::Step
                | Op::StepBackward
                | Op::Place(_)
                | Op::Match(_)
        )
    };
    let pairs = steps(a).iter().zip(steps(b));
    pairs.take_while(|(a, b)| single(a) && a.op == b.op).count()
}

fn steps(stmt: &Stmt) -> &[Stmt] {
    match &stmt.op {
        Op::Sequence(parts) => parts,
        _ => std::slice::from_ref(stmt),
    }
}

/// Adds an alternative that begins like another one.
fn join(first: &mut Stmt, second: Stmt) {
    let common = alike(first, &second);
    let origin = first.origin;
    let rest = |stmt: &Stmt| {
        let mut steps = steps(stmt)[common..].to_vec();
        if steps.len() == 1 { steps.remove(0) } else { Stmt::new(Op::Sequence(steps), stmt.origin) }
    };
    let mut whole = steps(first)[..common].to_vec();
    // A third alternative joins the first two.
    let mut rests = match rest(first) {
        Stmt { op: Op::Either(parts), .. } => parts,
        other => vec![other],
    };
    rests.push(rest(&second));
    let mut either = Stmt::new(Op::Either(rests), origin);
    share(&mut either);
    whole.push(either);
    *first = Stmt::new(Op::Sequence(whole), origin);
}
