//! Where fingers are: branches of a state, each with a direction and a set of fields.

use std::rc::Rc;

use multigame_game::{Direction, PieceSet};
use multigame_ir::Stmt;

use crate::analysis::geometry::{Mask, Table};
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::state::{Branch, Finger, Fingers, Reach, Set, State};
use crate::refusal::{self, R, Refusal};
use crate::sets::code::Code;
use crate::{Binary, Brevity, Value};

impl Code {
    /// The finger of a state as branches.
    pub(crate) fn branches(&mut self, state: &State) -> Vec<Branch> {
        match &state.finger {
            Finger::Many(branches) => branches.clone(),
            Finger::One(index) => {
                let table = Rc::clone(&self.geometry.identity);
                let reach = Some(Reach { origin: *index, table: Rc::clone(&table) });
                let behind = state.behind.filter(|(field, _)| field == index).map(|(_, content)| content);
                let fingers = Fingers::From(*index, table);
                vec![Branch { direction: state.direction, fingers, reach, behind }]
            }
            Finger::Nowhere => {
                // Something that is there, but is never looked at (see `unset`). It is one field, because it
                // is one state.
                let somewhere = self.geometry.somewhere();
                let fingers = Fingers::Set(self.constant_set(&somewhere));
                vec![Branch { direction: state.direction, fingers, reach: None, behind: None }]
            }
        }
    }

    pub(crate) fn step_branches(
        &mut self,
        branches: Vec<Branch>,
        content: PieceSet,
        way: impl Fn(&crate::analysis::geometry::Geometry, Direction) -> Option<Direction>,
    ) -> R<Vec<Branch>> {
        let mut stepped = Vec::new();
        for branch in branches {
            let facing = known(branch.direction)?;
            let direction = way(&self.geometry, facing)
                .ok_or_else(|| Refusal::new("a step backward without an opposite direction"))?;
            let step_table = |table: &Vec<Mask>| -> Table {
                Rc::new(table.iter().map(|mask| self.geometry.step_mask(mask, direction)).collect())
            };
            let reach =
                branch.reach.as_ref().map(|r| Reach { origin: r.origin, table: step_table(&r.table) });
            let fingers = match &branch.fingers {
                Fingers::From(index, table) => Fingers::From(*index, step_table(table)),
                Fingers::Run { with_start: true, reach, direction: along, .. } if *along == direction => {
                    Fingers::Set(reach.clone())
                }
                other => {
                    let set = self.as_set(other);
                    Fingers::Set(self.step_set(&set, direction))
                }
            };
            let behind =
                (content != self.layout.anything() && self.geometry.returns(direction)).then_some(content);
            stepped.push(Branch { direction: Some(facing), fingers, reach, behind });
        }
        Ok(stepped)
    }

    pub(crate) fn restrict(&mut self, branches: Vec<Branch>, fields: &Set) -> Vec<Branch> {
        let known: Option<Mask> = fields.iter().map(|&word| self.known(word)).collect();
        let mut kept = Vec::new();
        for branch in branches {
            if let (Fingers::From(index, table), Some(mask)) = (&branch.fingers, &known) {
                let both = |entry: &Mask| entry.iter().zip(mask).map(|(a, b)| a & b).collect();
                let table = Rc::new(table.iter().map(both).collect());
                let narrowed = |reach: &Reach| Rc::new(reach.table.iter().map(both).collect());
                let reach =
                    branch.reach.as_ref().map(|reach| Reach { origin: reach.origin, table: narrowed(reach) });
                kept.push(Branch { fingers: Fingers::From(*index, table), reach, ..branch });
                continue;
            }
            let set = self.as_set(&branch.fingers);
            let set = self.intersection(&set, fields);
            if !self.surely_empty(&set) {
                kept.push(Branch { fingers: Fingers::Set(set), ..branch });
            }
        }
        kept
    }

    pub(crate) fn keep_if(&mut self, branches: Vec<Branch>, condition: Value) -> Vec<Branch> {
        if self.known(condition).is_some_and(|known| known != 0) {
            return branches;
        }
        let mut kept = Vec::new();
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let set = self.only_if(condition, &set);
            if !self.surely_empty(&set) {
                kept.push(Branch { fingers: Fingers::Set(set), ..branch });
            }
        }
        kept
    }

    /// The finger goes elsewhere, whatever it pointed at, if it was anywhere.
    pub(crate) fn jump(&mut self, branches: &[Branch], fields: &Set, state: &State) -> Vec<Branch> {
        let mut all = Vec::new();
        for branch in branches {
            let set = if self.is_untouched(branch, state) {
                fields.clone()
            } else {
                let from = self.as_set(&branch.fingers);
                let inhabited = self.is_inhabited(&from);
                self.only_if(inhabited, fields)
            };
            all.push(Branch {
                direction: branch.direction,
                fingers: Fingers::Set(set),
                reach: None,
                behind: None,
            });
        }
        self.merge(all)
    }

    /// Whether a branch is still the state's own finger, which surely is somewhere.
    pub(crate) fn is_untouched(&self, branch: &Branch, state: &State) -> bool {
        match (&branch.fingers, &state.finger) {
            (Fingers::From(_, table), Finger::One(_)) => self.is_identity(table),
            (Fingers::Set(set), Finger::Nowhere) => {
                let somewhere = self.geometry.somewhere();
                set.iter().zip(&somewhere).all(|(&word, &bits)| self.known(word) == Some(bits))
            }
            _ => false,
        }
    }

    /// Branches that face the same direction become one.
    pub(crate) fn merge(&mut self, branches: Vec<Branch>) -> Vec<Branch> {
        let mut merged: Vec<Branch> = Vec::new();
        for branch in branches {
            let Some(same) = merged.iter().position(|other| other.direction == branch.direction) else {
                merged.push(branch);
                continue;
            };
            merged[same] = self.merge_two(&merged[same], &branch);
        }
        merged
    }

    fn merge_two(&mut self, one: &Branch, other: &Branch) -> Branch {
        let fingers = match (&one.fingers, &other.fingers) {
            (Fingers::From(a, first), Fingers::From(b, second)) if a == b => {
                Fingers::From(*a, joined(first, second))
            }
            (a, b) => {
                let (a, b) = (self.as_set(a), self.as_set(b));
                Fingers::Set(self.union_of(&a, &b))
            }
        };
        let reach = match (&one.reach, &other.reach) {
            (Some(a), Some(b)) if a.origin == b.origin => {
                Some(Reach { origin: a.origin, table: joined(&a.table, &b.table) })
            }
            _ => None,
        };
        let behind = one.behind.zip(other.behind).map(|(a, b)| a.union(b));
        Branch { direction: one.direction, fingers, reach, behind }
    }

    /// Whether a table leads every field to itself.
    pub(crate) fn is_identity(&self, table: &Table) -> bool {
        Rc::ptr_eq(table, &self.geometry.identity) || **table == *self.geometry.identity
    }
}

impl<'p> Lowering<'p> {
    /// The fingers from which a statement succeeds (or fails).
    pub(crate) fn filter(
        &mut self,
        branches: &[Branch],
        stmt: &'p Stmt,
        state: &mut State,
        succeeds: bool,
    ) -> R<Vec<Branch>> {
        let mut kept = Vec::new();
        // Where the direction does not matter, the fields are the same for all.
        let same = !self.facts.live(stmt, Live::default()).direction;
        let mut found: Option<Set> = None;
        for branch in branches {
            if let Fingers::From(_, table) = &branch.fingers
                && table.iter().all(|mask| mask.iter().map(|word| word.count_ones()).sum::<u32>() <= 1)
                && !self.facts.is_simple_test(stmt)
            {
                let mut parts = Vec::new();
                self.facts.flatten(stmt, &mut parts);
                let exists = self.exists_from(&parts, vec![branch.clone()], &mut state.clone())?;
                let condition = if succeeds { exists } else { self.code.is_zero(exists) };
                kept.extend(self.code.keep_if(vec![branch.clone()], condition));
                continue;
            }
            let fields = match found.take() {
                Some(found) => found,
                None => self.succeeding_or_not(stmt, branch.direction, state, succeeds)?,
            };
            found = same.then(|| fields.clone());
            kept.extend(self.code.restrict(vec![branch.clone()], &fields));
        }
        Ok(kept)
    }

    /// The fields from which a statement succeeds (or fails).
    fn succeeding_or_not(
        &mut self,
        stmt: &'p Stmt,
        facing: Option<Direction>,
        state: &mut State,
        succeeds: bool,
    ) -> R<Set> {
        let all = self.code.all();
        let fields = self.before(&[stmt], facing, &all, state)?;
        Ok(if succeeds { fields } else { self.code.without(&all, &fields) })
    }

    /// Runs code for each field of a set.
    pub(crate) fn for_each_field(
        &mut self,
        set: &Set,
        body: &mut dyn FnMut(&mut Self, Value) -> R<()>,
    ) -> R<()> {
        if self.size.brevity == Brevity::Loops && set.len() > 1 {
            return self.for_each_once(set, body);
        }
        for (word, &bits) in set.iter().enumerate() {
            if self.code.known(bits) == Some(0) {
                continue;
            }
            if let Some(bits) = self.code.known(bits)
                && bits.count_ones() == 1
            {
                let index = self.code.constant(word as u64 * 64 + u64::from(bits.trailing_zeros()));
                body(self, index)?;
                continue;
            }
            let bit = self.code.index_in(bits);
            self.code.open();
            let first = self.code.constant(word as u64 * 64);
            let index = self.code.binary(Binary::Add, bit, first);
            let done = body(self, index);
            let block = self.code.close();
            done?;
            self.code.push(crate::Stmt::ForBits { set: bits, index: bit, body: block });
        }
        Ok(())
    }

    /// The same with the code there once for all words of the set.
    fn for_each_once(&mut self, set: &Set, body: &mut dyn FnMut(&mut Self, Value) -> R<()>) -> R<()> {
        let left = self.code.kept_set(set);
        self.code.open();
        let index = self.code.next_or_break(&left);
        let done = body(self, index);
        let block = self.code.close();
        done?;
        self.code.push(crate::Stmt::Loop(block));
        Ok(())
    }
}

/// Where either of two tables leads.
fn joined(a: &[Mask], b: &[Mask]) -> Table {
    let join = |(a, b): (&Mask, &Mask)| a.iter().zip(b).map(|(a, b)| a | b).collect();
    Rc::new(a.iter().zip(b).map(join).collect())
}

/// A direction that must be set.
pub(crate) fn known(direction: Option<Direction>) -> R<Direction> {
    direction.ok_or_else(|| Refusal::new(refusal::UNFACED))
}
