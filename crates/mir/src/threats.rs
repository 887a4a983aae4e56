//! Tests that most moves cannot change, such as "the own king is attacked".
//!
//! A *threat* is a test `not [ find a rare own piece, ... ]` at the end of a move whose inside only asks for fields to
//! hold certain pieces: the more fields match, the likelier it succeeds. Putting an own piece down that is not asked
//! for can only block such a test; what can bring it about is leaving a field. So if the threat does not exist even
//! with all own pieces looked through, no move of those pieces needs the test; and if it does not exist after a piece
//! has been picked up, none of that piece's moves needs it. Which fields are *sensitive* in that way is found out once
//! for all of them (see `sensitive`). This finds pins without knowing what a pin is.

use std::rc::Rc;

use multigame_game::{Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::lower::{Lowering, R};
use crate::state::{Finger, Hand, Set, State};
use crate::{Pass, Value};

/// A threat, and what is known about it at the top of a function.
#[derive(Clone)]
pub(crate) struct Threat<'p> {
    /// The inside of the test.
    pub test: &'p Stmt,
    /// 1 if nothing the mover may leave or block can bring it about.
    pub safe: Value,
    /// Leaving another field than these, and only that, cannot bring it about. All fields if it exists already.
    pub sensitive: Set,
}

impl<'p> Lowering<'p> {
    /// The inside of a statement that tests for a threat.
    pub(crate) fn threat(&self, stmt: &'p Stmt) -> Option<&'p Stmt> {
        let Op::Not(inner) = &stmt.op else { return None };
        self.threats.iter().any(|threat| std::ptr::eq(threat.test, &**inner)).then_some(&**inner)
    }

    /// Finds the threats of the rules and computes at the top whether there is any cause for fear.
    pub(crate) fn look_for_threats(&mut self, state: &mut State) -> R<()> {
        let mut found: Vec<&'p Stmt> = Vec::new();
        for function in &self.program.functions {
            if self.is_own_view(function) && self.options.has(Pass::Threats) {
                self.collect_threats(&function.body, &mut found);
            }
        }
        for threat in found {
            let own = self.own_pieces();
            let own_fields = self.fields_of(own, state);
            let mut seen_through = state.clone();
            for &pattern in self.patterns(threat).iter() {
                let mut fields = self.fields_of(pattern, state);
                if pattern.contains(Piece::NONE) {
                    fields = self.union_of(&fields, &own_fields);
                }
                let unions = Rc::make_mut(&mut seen_through.unions);
                unions.retain(|(known, _)| *known != pattern);
                unions.push((pattern, fields));
            }
            let exists = self.exists(threat, &seen_through)?;
            let safe = self.builder.is_zero(exists);
            let sensitive = self.sensitive_fields(threat, exists, state)?;
            self.threats.push(Threat { test: threat, safe, sensitive });
        }
        Ok(())
    }

    fn collect_threats(&self, stmt: &'p Stmt, found: &mut Vec<&'p Stmt>) {
        if let Op::Not(inner) = &stmt.op
            && self.is_threat(inner)
        {
            found.push(inner);
        }
        for child in stmt.children() {
            self.collect_threats(child, found);
        }
    }

    fn is_threat(&self, inner: &'p Stmt) -> bool {
        let mut parts = Vec::new();
        self.flatten(inner, &mut parts);
        self.facts.runs_on_sets(inner)
            && parts.len() > 1
            && self.finds_rare_piece(parts[0])
            && matches!(&parts[0].op, Op::Find(pieces) if pieces.iter().all(|piece| self.own_pieces().contains(piece)))
            && parts.iter().all(|part| self.only_asks(part))
    }

    /// Whether a statement only ever asks for fields to hold pieces, never for them not to.
    fn only_asks(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Not(_) | Op::Try(..) | Op::While { .. } | Op::Assert(_) => false,
            Op::Call(function) => self.only_asks(self.facts.body(*function)),
            _ => stmt.children().into_iter().all(|child| self.only_asks(child)),
        }
    }

    pub(crate) fn patterns(&self, stmt: &'p Stmt) -> Rc<Vec<PieceSet>> {
        let key = std::ptr::from_ref(stmt);
        if let Some(known) = self.asked.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut patterns = Vec::new();
        self.collect_asked(stmt, &mut patterns);
        let patterns = Rc::new(patterns);
        self.asked.borrow_mut().insert(key, Rc::clone(&patterns));
        patterns
    }

    fn collect_asked(&self, stmt: &'p Stmt, patterns: &mut Vec<PieceSet>) {
        match &stmt.op {
            Op::Find(pieces) | Op::PointsAt(pieces) if !patterns.contains(pieces) => patterns.push(*pieces),
            Op::Match(fields) => patterns.extend(fields.iter().map(|(_, pieces)| *pieces)),
            Op::Call(function) => self.collect_asked(self.facts.body(*function), patterns),
            _ => stmt.children().into_iter().for_each(|child| self.collect_asked(child, patterns)),
        }
    }

    /// Whether all that the move has written, and what the hand still holds if it is about to be put down, can only
    /// block the threat or leave fields of own pieces.
    pub(crate) fn only_blocks(&self, threat: &'p Stmt, state: &State, about_to_put: bool) -> bool {
        let patterns = self.patterns(threat);
        let own = self.own_pieces();
        let asked = |piece: Piece| patterns.iter().any(|pattern| pattern.contains(piece));
        let blocks = |piece: Piece| piece != Piece::NONE && !asked(piece);
        let hand_blocks = match &state.hand {
            Hand::Empty => !about_to_put,
            Hand::Piece(piece) => about_to_put && blocks(*piece),
            Hand::OneOf(_) | Hand::Coded(_) => false,
        };
        let harmless = |old: PieceSet, new: PieceSet| {
            let leaves = new == PieceSet::of(Piece::NONE)
                && old.iter().all(|piece| own.contains(piece) && !asked(piece));
            leaves || new.iter().all(blocks)
        };
        hand_blocks && state.writes.iter().all(|write| harmless(write.old, write.new))
    }

    /// 1 if there is no threat: by what is known from the top, or else by looking now.
    pub(crate) fn no_threat(&mut self, threat: &'p Stmt, state: &State) -> R<Value> {
        let known = self.threats.iter().find(|known| std::ptr::eq(known.test, threat)).cloned();
        let safe = match known {
            None => self.guard,
            Some(known) => match left_field(state) {
                Some(field) => {
                    let sensitive = self.contains(&known.sensitive, field);
                    self.builder.is_zero(sensitive)
                }
                None => known.safe,
            },
        };
        let clear = self.builder.variable();
        self.builder.set(clear, safe);
        let unsure = self.builder.is_zero(safe);
        let mut now = state.clone();
        now.finger = Finger::Nowhere;
        now.direction = None;
        self.when(unsure, &mut |lowering| {
            let exists = lowering.exists(threat, &now)?;
            let none = lowering.builder.is_zero(exists);
            lowering.builder.set(clear, none);
            Ok(())
        })?;
        Ok(self.builder.get(clear))
    }
}

/// The one field that has been left, if there is only one.
fn left_field(state: &State) -> Option<Value> {
    let empty = PieceSet::of(Piece::NONE);
    let mut left = state.writes.iter().filter(|write| write.new.contains(Piece::NONE));
    match (left.next(), left.next()) {
        (Some(write), None) if write.new == empty => write.field,
        _ => None,
    }
}
