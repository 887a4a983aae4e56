//! Results: splitting sets of fingers where something changes, counting where nothing has to be made, emitting.

use std::rc::Rc;

use multigame_game::{Direction, Piece, Side, Zobrist};
use multigame_ir::{Op, Stmt};

use crate::geometry::Mask;
use crate::lower::{Lowering, R, Refusal};
use crate::rest::{Rest, Step};
use crate::sites::Site;
use crate::state::{Branch, Finger, Fingers, Hand, Place, Reach, Set, State};
use crate::{Binary, Emission, HEADER, Header, Kind, SIGNATURE, Unary, Value, Variable};

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
                if lowering.wanted.is_some() && !lowering.picked {
                    if lowering.gives_one_each(rest, set, direction, state) {
                        lowering.mark_all(&rest.steps(), set);
                        return Ok(Crowd::OneOf(set.clone()));
                    }
                } else if lowering.left_fields.is_none()
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

    /// Code for each single finger. `wholesale` may take care of a whole set, or say that only some of it matter.
    pub(crate) fn split_into(
        &mut self,
        state: State,
        wholesale: &mut Wholesale<'_, 'p>,
        code: &mut dyn FnMut(&mut Self, State) -> R<()>,
    ) -> R<()> {
        let Finger::Many(branches) = &state.finger else { return Err(Refusal::new("nothing to split")) };
        for branch in branches.clone() {
            if let Fingers::From(origin, table) = &branch.fingers
                && table.iter().all(|mask| crate::geometry::bits(mask).count() <= 1)
            {
                let (origin, table) = (*origin, Rc::clone(table));
                self.follow(&branch, origin, &table, &state, code)?;
                continue;
            }
            let set = self.as_set(&branch.fingers);
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
        let first = |mask: &Mask| crate::geometry::bits(mask).next();
        let to: Vec<Option<usize>> = table.iter().map(first).collect();
        // Counted from where the origin itself was counted from, it may be that very field.
        let (root, to_from_root) = match self.derived.get(&origin) {
            Some((root, earlier)) => {
                (*root, earlier.iter().map(|field| field.and_then(|field| to[field])).collect::<Vec<_>>())
            }
            None => (origin, to),
        };
        let there = self.tables.add(to_from_root.iter().map(|field| u64::from(field.is_some())).collect());
        let condition = self.builder.table(&self.tables, there, root);
        let back_at_root = to_from_root.iter().enumerate().all(|(f, to)| to.is_none_or(|to| to == f));
        self.when(condition, &mut |lowering| {
            let index = if back_at_root {
                root
            } else {
                let entries = to_from_root.iter().map(|to| to.unwrap_or(0) as u64).collect();
                let entries = lowering.tables.add(entries);
                lowering.builder.table(&lowering.tables, entries, root)
            };
            if !back_at_root {
                lowering.derived.insert(index, (root, to_from_root.clone()));
            }
            let reach = Reach {
                origin: root,
                table: Rc::new(
                    to_from_root
                        .iter()
                        .map(|to| {
                            to.map_or_else(
                                || smallvec::smallvec![0; lowering.geometry.words],
                                |to| lowering.geometry.single(to),
                            )
                        })
                        .collect(),
                ),
            };
            let place = Place { field: index, reach: Some(reach), follows: true };
            let mut one = pointing_at(state, branch.direction, place);
            one.behind = branch.behind.map(|content| (index, content));
            code(lowering, one)
        })
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
        if self.kind != Kind::Count {
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
        // With a threat about, putting the piece down must be all that happens on the board.
        let puts = matches!(steps.first(), Some(Step::Do(Stmt { op: Op::PutDown, .. })));
        let quiet =
            steps.iter().skip(1).all(|step| !matches!(step, Step::Do(stmt) if self.facts.writes(stmt)));
        let harmless = threats.is_empty() || (puts && quiet);
        if !harmless {
            return Ok(false);
        }
        if threats.is_empty() {
            self.add_count(&steps, set)?;
            return Ok(true);
        }
        let mut clear = self.builder.constant(1);
        for threat in threats {
            let no_threat = self.no_threat(threat, state)?;
            clear = self.builder.and(clear, no_threat);
        }
        self.when(clear, &mut |lowering| lowering.add_count(&steps, set))?;
        let threatened = self.builder.is_zero(clear);
        let checked = state.clone();
        self.when(threatened, &mut |lowering| lowering.each_field(rest, None, set, &checked))?;
        Ok(true)
    }

    /// Whether each finger gives one result whatever the board, as far as threats do not prevent it: the threats.
    pub(crate) fn threats_to_each(&self, steps: &[Step<'p>], state: &State) -> Option<Vec<&'p Stmt>> {
        let writes = |step: &Step<'p>| match step {
            Step::Do(Stmt { op: Op::PutDown, .. }) => state.hand != Hand::Empty,
            Step::Do(Stmt { op: Op::Replace(piece), .. }) => !state.content.contains(*piece),
            _ => false,
        };
        let mut threats = Vec::new();
        let sure = steps.first().is_some_and(writes)
            && steps.iter().all(|step| match step {
                Step::Do(stmt) => {
                    let threat = self.threat(stmt).filter(|threat| self.only_blocks(threat, state, true));
                    threats.extend(threat);
                    threat.is_some() || self.facts.surely_one(stmt)
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
        let mut count = self.builder.get(Variable(0));
        for &word in set {
            let ones = self.builder.unary(Unary::CountOnes, word);
            count = self.builder.binary(Binary::Add, count, ones);
        }
        self.builder.set(Variable(0), count);
    }

    /// Remembers that a set of fingers came through the steps, if there are any.
    pub(crate) fn mark_all(&mut self, steps: &[Step<'p>], set: &Set) {
        for mark in steps.iter().filter_map(|step| if let Step::Mark(v) = step { Some(*v) } else { None }) {
            let inhabited = self.is_inhabited(set);
            self.builder.set_bits(mark, inhabited);
        }
    }

    /// A result: counted, or emitted as a position.
    pub(crate) fn result(&mut self, state: &mut State) -> R<()> {
        if state.hand != Hand::Empty {
            return Err(Refusal::new("a move that may end with a piece in hand"));
        }
        match self.kind {
            Kind::Count => {
                let one = self.builder.constant(1);
                let variable = |variable| {
                    move |lowering: &mut Self| {
                        let count = lowering.builder.get(variable);
                        let count = lowering.builder.binary(Binary::Add, count, one);
                        lowering.builder.set(variable, count);
                        Ok(())
                    }
                };
                self.tell_apart(state)?;
                if state.changed() || self.builder.known(state.outcome) == Some(0) {
                    return variable(Variable(0))(self);
                }
                let ends = self.builder.is_nonzero(state.outcome);
                let goes_on = self.builder.is_zero(ends);
                self.when(ends, &mut variable(Variable(1)))?;
                self.when(goes_on, &mut variable(Variable(0)))
            }
            Kind::Generate if !self.is_prey_changed(state) => Ok(()),
            Kind::Generate => self.emit_if_wanted(state),
            Kind::Test | Kind::Features => Err(Refusal::new("a test that emits a position")),
        }
    }

    pub(crate) fn emit(&mut self, state: &mut State) -> R<()> {
        if !self.told_apart {
            self.sites.push(Site::of(state, &self.class, &self.builder));
        }
        let mut words = Vec::new();
        for board in 0..self.layout.boards() {
            if state.changed_boards[board] {
                let first = self.layout.board_word(board);
                for (word, &value) in state.boards[board].iter().enumerate() {
                    words.push(((first + word) as u32, value));
                }
            }
        }
        let mut first = 0;
        for (number, planes) in self.layout.planes.iter().enumerate() {
            if state.changed_planes[number] {
                let values = state.planes[first..first + planes.bits].iter().flatten();
                words.extend(values.enumerate().map(|(word, &value)| ((planes.word + word) as u32, value)));
            }
            first += planes.bits;
        }
        let mut values = Vec::new();
        self.sign(state)?;
        let old_signature = self.builder.word(SIGNATURE);
        let mut signature = self.builder.xor(old_signature, state.signature);
        for scalar in 0..self.layout.values {
            let slot = self.layout.slot(scalar);
            if state.changed_values[slot] {
                let new = self.value(slot, state);
                let old = self.builder.property(scalar);
                values.push((scalar as u32, new));
                for value in [old, new] {
                    let part = self.value_signature(slot, value)?;
                    signature = self.builder.xor(signature, part);
                }
            }
        }
        let two_players = self.program.description.players == 2;
        let stays = self.builder.constant(if self.side == Side::Black { Header::BLACK } else { 0 });
        let passes = match (self.side, two_players) {
            (_, false) => stays,
            (Side::White, true) => self.builder.constant(Header::BLACK),
            (Side::Black, true) => self.builder.constant(0),
        };
        let side = self.builder.select(state.keep_turn, stays, passes);
        if two_players {
            let turn = self.builder.constant(Zobrist::BLACK_TO_MOVE);
            let zero = self.builder.constant(0);
            let turn = self.builder.select(state.keep_turn, zero, turn);
            signature = self.builder.xor(signature, turn);
        }
        let header = self.builder.or(side, state.outcome);
        let header = self.builder.or(header, state.irreversible);
        words.push((HEADER as u32, header));
        words.push((SIGNATURE as u32, signature));
        self.builder.push(crate::Stmt::Emit(Emission { words, values }));
        Ok(())
    }

    /// What a value adds to the signature.
    fn value_signature(&mut self, number: usize, value: Value) -> R<Value> {
        let (low, high) = self.facts.range(multigame_ir::Slot::Value(number as u16));
        if high - low > 4096 {
            return Err(Refusal::new("a property with more than 4096 values"));
        }
        let entries = (low..=high).map(|v| self.zobrist.value(number, v as i32)).collect();
        let table = self.tables.add(entries);
        let lowest = self.builder.constant(low as u64);
        let index = self.builder.binary(Binary::Subtract, value, lowest);
        Ok(self.builder.table(&self.tables, table, index))
    }

    /// What a piece on a field adds to the signature.
    pub(crate) fn piece_signature(&mut self, piece: Piece, index: Value) -> Value {
        let table = match self.piece_tables[piece.index()] {
            Some(table) => table,
            None => {
                let fields = (0..self.geometry.fields as u16).map(multigame_game::Field);
                let table = self.tables.add(fields.map(|field| self.zobrist.piece(piece, field)).collect());
                self.piece_tables[piece.index()] = Some(table);
                table
            }
        };
        self.builder.table(&self.tables, table, index)
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
