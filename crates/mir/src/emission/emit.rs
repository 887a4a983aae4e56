//! Results: a position is emitted, or a move is counted.

use multigame_game::{Side, Zobrist};

use crate::analysis::sites::Site;
use crate::lowering::Lowering;
use crate::lowering::state::{Hand, State};
use crate::refusal::{self, R, Refusal};
use crate::sets::code::Code;
use crate::{Binary, Emission, HEADER, Header, Kind, SIGNATURE, Value, Variable};

impl Code {
    /// Counts one more.
    fn count_one(&mut self, variable: Variable) {
        let one = self.constant(1);
        let count = self.get(variable);
        let count = self.binary(Binary::Add, count, one);
        self.set(variable, count);
    }
}

impl Lowering<'_> {
    /// A result: counted, or emitted as a position.
    pub(crate) fn result(&mut self, state: &mut State) -> R<()> {
        if state.hand != Hand::Empty {
            return Err(Refusal::new(refusal::PIECE_IN_HAND));
        }
        match self.aim.kind {
            Kind::Count => self.count_result(state),
            Kind::Generate if !self.is_prey_changed(state) => Ok(()),
            Kind::Generate => self.emit_if_wanted(state),
            Kind::Test | Kind::Features => Err(Refusal::new("a test that emits a position")),
        }
    }

    /// A move, or an ending where the position stays as it is.
    ///
    /// **Invariant:** `changed` says what may differ, not what does: rules may write what was there before.
    /// Whether a result that ends the game is a move depends on what does differ.
    fn count_result(&mut self, state: &mut State) -> R<()> {
        self.tell_apart(state)?;
        if self.code.known(state.outcome) == Some(0) || self.surely_changed(state) {
            self.code.count_one(Variable(0));
            return Ok(());
        }
        let same = self.is_unchanged(state);
        let ends = self.code.is_nonzero(state.outcome);
        let ending = self.code.and(ends, same);
        let is_move = self.code.is_zero(ending);
        for (condition, variable) in [(ending, Variable(1)), (is_move, Variable(0))] {
            self.when(condition, &mut |lowering| {
                lowering.code.count_one(variable);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Whether every result that a state leads to differs from the position, as far as is known here.
    fn surely_changed(&self, state: &State) -> bool {
        state.changed() && Site::of(state, &self.aim.class, &self.code.builder).surely_changes()
    }

    /// Whether pieces and properties are what they were.
    fn is_unchanged(&mut self, state: &mut State) -> Value {
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        for (word, new) in self.changed_words(state) {
            pairs.push((self.code.word(word as usize), new));
        }
        for scalar in 0..self.facts.layout.values {
            let slot = self.facts.layout.slot(scalar);
            if state.changed_values[slot] {
                pairs.push((self.code.property(scalar), self.value(slot, state)));
            }
        }
        let mut difference = self.code.constant(0);
        for (old, new) in pairs {
            let changed = self.code.xor(old, new);
            difference = self.code.or(difference, changed);
        }
        self.code.is_zero(difference)
    }

    /// Emits the position that a state is.
    pub(crate) fn emit(&mut self, state: &mut State) -> R<()> {
        if !self.here.told_apart {
            self.aim.sites.push(Site::of(state, &self.aim.class, &self.code.builder));
        }
        let mut words = self.changed_words(state);
        self.sign(state)?;
        let old_signature = self.code.word(SIGNATURE);
        let mut signature = self.code.xor(old_signature, state.signature);
        let values = self.changed_values(state, &mut signature)?;
        let side = self.next_side(state);
        if self.facts.program.description.players == 2 {
            let turn = self.code.constant(Zobrist::BLACK_TO_MOVE);
            let zero = self.code.constant(0);
            let turn = self.code.select(state.keep_turn, zero, turn);
            signature = self.code.xor(signature, turn);
        }
        let header = self.code.or(side, state.outcome);
        let header = self.code.or(header, state.irreversible);
        words.push((HEADER as u32, header));
        words.push((SIGNATURE as u32, signature));
        self.code.push(crate::Stmt::Emit(Emission { words, values }));
        Ok(())
    }

    /// The words of bitboards that may differ from the position's.
    fn changed_words(&self, state: &State) -> Vec<(u32, Value)> {
        let layout = &self.facts.layout;
        let mut words = Vec::new();
        for board in (0..layout.boards()).filter(|&board| state.changed_boards[board]) {
            let first = layout.board_word(board);
            let values = state.boards[board].iter().enumerate();
            words.extend(values.map(|(word, &value)| ((first + word) as u32, value)));
        }
        let mut first = 0;
        for (number, planes) in layout.planes.iter().enumerate() {
            if state.changed_planes[number] {
                let values = state.planes[first..first + planes.bits].iter().flatten().enumerate();
                words.extend(values.map(|(word, &value)| ((planes.word + word) as u32, value)));
            }
            first += planes.bits;
        }
        words
    }

    /// The other values that may differ from the position's; they are added to the signature.
    fn changed_values(&mut self, state: &mut State, signature: &mut Value) -> R<Vec<(u32, Value)>> {
        let mut values = Vec::new();
        for scalar in 0..self.facts.layout.values {
            let slot = self.facts.layout.slot(scalar);
            if state.changed_values[slot] {
                let new = self.value(slot, state);
                let old = self.code.property(scalar);
                values.push((scalar as u32, new));
                for value in [old, new] {
                    let part = self.value_signature(slot, value)?;
                    *signature = self.code.xor(*signature, part);
                }
            }
        }
        Ok(values)
    }

    /// The header's bit for the player to move next.
    fn next_side(&mut self, state: &State) -> Value {
        let [white, black] = [0, Header::BLACK];
        let (own, other) = match self.aim.side {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        let stays = self.code.constant(own);
        let passes = match self.facts.program.description.players {
            2 => self.code.constant(other),
            _ => stays,
        };
        self.code.select(state.keep_turn, stays, passes)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn only_words_that_change_are_emitted() {
        check(
            "find empty field, replace by rock, irreversible, assign (seen = 2)",
            "main_white_generate",
            expect![[r#"
                main_white_generate() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffff &~ v6
                  for v9 in v8 {
                    v10 = 1 << v9
                    v11 = t0[v9]
                    v12 = v4 | v10
                    v13 = v8 &~ v10
                    v15 = word 0
                    v16 = v11 ^ v15
                    v17 = property 0
                    v18 = t1[v17]
                    v19 = v16 ^ v18
                    v21 = v19 ^ 0x8b57b087210ac37
                    v23 = v21 ^ 0x9d39247e33776d41
                    emit word 4 = v12, word 1 = 3, word 0 = v23, property 0 = 2
                  }
                }
            "#]],
        );
    }

    #[test]
    fn an_ending_that_changes_nothing_is_counted_apart() {
        check(
            "find own man, win",
            "main_white_count",
            expect![[r#"
                main_white_count() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = 0 != v2
                  if v5 {
                    v7 = x1
                    v8 = 1 + v7
                    x1 = v8
                  }
                }
            "#]],
        );
    }
}
