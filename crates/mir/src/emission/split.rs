//! Splitting sets of fingers where something changes, counting them where nothing has to be made.

use std::rc::Rc;

use multigame_game::Direction;
use multigame_ir::{Op, Stmt};

use crate::analysis::geometry::{Mask, bits};
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Branch, Finger, Fingers, Hand, Place, Reach, Set, State};
use crate::refusal::{R, Refusal};
use crate::{Binary, Kind, Unary, Value, Variable};

/// What is done with a whole set of fingers.
pub(crate) enum Crowd {
    /// It has been taken care of.
    Done,
    /// Some have to be looked at one by one.
    Each(Set),
    /// Each surely gives one result, of which one at most is wanted.
    OneOf(Set),
}

/// Takes care of a whole set of fingers, or says what has to be done with it.
pub(crate) type Wholesale<'f, 'p> =
    dyn FnMut(&mut Lowering<'p>, &Set, Option<Direction>, &State) -> R<Crowd> + 'f;

impl<'p> Lowering<'p> {
    /// The set of fingers is split into single ones.
    pub(crate) fn split(&mut self, rest: &Rest<'p>, mut state: State) -> R<()> {
        self.keep_occupied(rest, &mut state);
        self.split_into(
            state,
            &mut |lowering, set, direction, state| {
                if lowering.aim.wanted.is_some() && !lowering.aim.picked {
                    if lowering.gives_one_each(rest, set, direction, state) {
                        lowering.mark_all(&rest.steps(), set);
                        return Ok(Crowd::OneOf(set.clone()));
                    }
                } else if lowering.here.left_fields.is_none()
                    && lowering.count_wholesale(rest, set, direction, state)?
                {
                    return Ok(Crowd::Done);
                }
                let set = lowering.narrowed(rest, set, state)?;
                Ok(Crowd::Each(lowering.on_prey(rest, set, state)))
            },
            &mut |lowering, state| lowering.run(rest, state),
        )
    }

    /// Code for each single finger. `wholesale` may take care of a whole set, or say that only some of it
    /// matter.
    pub(crate) fn split_into(
        &mut self,
        state: State,
        wholesale: &mut Wholesale<'_, 'p>,
        code: &mut dyn FnMut(&mut Self, State) -> R<()>,
    ) -> R<()> {
        let Finger::Many(branches) = &state.finger else { return Err(Refusal::new("nothing to split")) };
        for branch in branches.clone() {
            if let Fingers::From(origin, table) = &branch.fingers
                && table.iter().all(|mask| bits(mask).count() <= 1)
            {
                let (origin, table) = (*origin, Rc::clone(table));
                self.follow(&branch, origin, &table, &state, code)?;
                continue;
            }
            let set = self.code.as_set(&branch.fingers);
            let mut at_field = |lowering: &mut Self, index: Value| {
                let place = Place { field: index, reach: branch.reach.clone(), follows: false };
                let mut one = pointing_at(&state, branch.direction, place);
                one.behind = branch.behind.map(|content| (index, content));
                code(lowering, one)
            };
            match wholesale(self, &set, branch.direction, &state)? {
                Crowd::Done => {}
                Crowd::Each(set) => self.for_each_field(&set, &mut at_field)?,
                Crowd::OneOf(set) => self.for_one_field(&set, &mut at_field)?,
            }
        }
        Ok(())
    }

    /// The finger goes to the one field that follows from another.
    fn follow(
        &mut self,
        branch: &Branch,
        origin: Value,
        table: &[Mask],
        state: &State,
        code: &mut dyn FnMut(&mut Self, State) -> R<()>,
    ) -> R<()> {
        let to: Vec<Option<usize>> = table.iter().map(|mask| bits(mask).next()).collect();
        // Counted from where the origin itself was counted from, it may be that very field.
        let (root, to) = match self.here.derived.get(&origin) {
            Some((root, earlier)) => {
                (*root, earlier.iter().map(|field| field.and_then(|field| to[field])).collect())
            }
            None => (origin, to),
        };
        let there = to.iter().map(|field| u64::from(field.is_some())).collect();
        let condition = self.code.entry(there, root);
        self.when(condition, &mut |lowering| {
            let index = lowering.field_from(root, &to);
            let empty: Mask = smallvec::smallvec![0; lowering.facts.geometry.words];
            let single = |to: &Option<usize>| {
                to.map_or_else(|| empty.clone(), |to| lowering.facts.geometry.single(to))
            };
            let reach = Reach { origin: root, table: Rc::new(to.iter().map(single).collect()) };
            let place = Place { field: index, reach: Some(reach), follows: true };
            let mut one = pointing_at(state, branch.direction, place);
            one.behind = branch.behind.map(|content| (index, content));
            if index == root {
                return code(lowering, one);
            }
            // **Invariant:** a number is derived from another only in the code for this finger. Elsewhere the
            // same number, a constant above all, may have come from another field or have led to others.
            let outside = lowering.here.derived.insert(index, (root, to.clone()));
            let done = code(lowering, one);
            match outside {
                Some(outside) => lowering.here.derived.insert(index, outside),
                None => lowering.here.derived.remove(&index),
            };
            done
        })
    }

    /// The field that follows from another by a table.
    fn field_from(&mut self, root: Value, to: &[Option<usize>]) -> Value {
        if to.iter().enumerate().all(|(field, to)| to.is_none_or(|to| to == field)) {
            return root;
        }
        self.code.entry(to.iter().map(|to| to.unwrap_or(0) as u64).collect(), root)
    }

    /// Where each finger surely gives one move, the moves are counted, not made.
    fn count_wholesale(
        &mut self,
        rest: &Rest<'p>,
        set: &Set,
        direction: Option<Direction>,
        state: &State,
    ) -> R<bool> {
        if self.count_origins(rest, set, state)? {
            return Ok(true);
        }
        if self.aim.kind != Kind::Count {
            return Ok(false);
        }
        let steps = rest.steps();
        if self.carries_each(&steps, set, direction, state) {
            self.add_count(&steps, set)?;
            return Ok(true);
        }
        let Some(threats) = self.threats_to_each(&steps, state) else {
            return self.count_decided(rest, set, direction, state);
        };
        if threats.is_empty() {
            self.add_count(&steps, set)?;
            return Ok(true);
        }
        // With a threat about, putting the piece down must be all that happens on the board.
        let puts = matches!(steps.first(), Some(Step::Do(Stmt { op: Op::PutDown, .. })));
        let quiet =
            steps.iter().skip(1).all(|step| !matches!(step, Step::Do(stmt) if self.facts.writes(stmt)));
        if puts && quiet {
            self.count_unless_threatened(&threats, rest, set, state)?;
        }
        Ok(puts && quiet)
    }

    /// Counts a set of fingers where there is no threat; where there is one, each is followed.
    fn count_unless_threatened(
        &mut self,
        threats: &[&'p Stmt],
        rest: &Rest<'p>,
        set: &Set,
        state: &State,
    ) -> R<()> {
        let mut clear = self.code.constant(1);
        for threat in threats {
            let no_threat = self.no_threat(threat, state)?;
            clear = self.code.and(clear, no_threat);
        }
        self.when(clear, &mut |lowering| lowering.add_count(&rest.steps(), set))?;
        let threatened = self.code.is_zero(clear);
        self.when(threatened, &mut |lowering| lowering.each_field(rest, None, set, state))
    }

    /// Whether each finger gives one result whatever the board, as far as threats do not prevent it: the
    /// threats.
    pub(crate) fn threats_to_each(&self, steps: &[Step<'p>], state: &State) -> Option<Vec<&'p Stmt>> {
        let writes = |step: &Step<'p>| match step {
            Step::Do(Stmt { op: Op::PutDown, .. }) => state.hand != Hand::Empty,
            Step::Do(Stmt { op: Op::Replace(piece), .. }) => !state.content.contains(*piece),
            _ => false,
        };
        let mut threats = Vec::new();
        let mut live = Live::default();
        let sure = steps.first().is_some_and(writes)
            && steps.iter().rev().all(|step| match step {
                Step::Do(stmt) => {
                    let threat = self.threat(stmt).filter(|threat| self.only_blocks(threat, state, true));
                    threats.extend(threat);
                    let one = threat.is_some() || self.facts.surely_one(stmt, live);
                    live = self.facts.live(stmt, live);
                    one
                }
                Step::Mark(_) => true,
                Step::Found(_) | Step::Best(..) | Step::Equals(..) => false,
                Step::Round(..) | Step::Fields(..) | Step::Tally(_) | Step::Enter(..) => false,
            });
        sure.then_some(threats)
    }

    fn add_count(&mut self, steps: &[Step<'p>], set: &Set) -> R<()> {
        self.add_members(set);
        self.mark_all(steps, set);
        Ok(())
    }

    /// Counts a result for each field of a set.
    pub(crate) fn add_members(&mut self, set: &Set) {
        let mut count = self.code.get(Variable(0));
        for &word in set {
            let ones = self.code.unary(Unary::CountOnes, word);
            count = self.code.binary(Binary::Add, count, ones);
        }
        self.code.set(Variable(0), count);
    }

    /// Remembers that a set of fingers came through the steps, if there are any.
    pub(crate) fn mark_all(&mut self, steps: &[Step<'p>], set: &Set) {
        for mark in steps.iter().filter_map(|step| if let Step::Mark(v) = step { Some(*v) } else { None }) {
            let inhabited = self.code.is_inhabited(set);
            self.code.set_bits(mark, inhabited);
        }
    }
}

/// The state with the finger at a place, and what is known about it.
pub(crate) fn pointing_at(state: &State, direction: Option<Direction>, place: Place) -> State {
    let mut state = state.clone();
    let known =
        state.known_contents.iter().find(|(field, _)| *field == place.field).map(|(_, content)| *content);
    if let Some(known) = known {
        state.content = state.content.iter().filter(|&piece| known.contains(piece)).collect();
    }
    state.behind = None;
    state.finger = Finger::One(place.field);
    state.direction = direction;
    if !state.places.iter().any(|other| other.field == place.field) {
        state.places.push(place);
    }
    state
}
