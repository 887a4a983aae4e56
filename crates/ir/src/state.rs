//! The state a statement works on: the matter on the board, and the registers of the move being built.

use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use multigame_game::{Direction, Field, Outcome, Piece};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

/// What a move changes: the pieces on the fields and the values of the properties.
///
/// Boards of up to 128 fields are kept in place, so copying a position takes no memory from the heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Matter {
    pub cells: SmallVec<[Piece; 128]>,
    pub values: SmallVec<[i32; 16]>,
    /// How it came about; it makes no difference to what it is.
    pub trail: Trail,
}

/// PERF: eight fields at a time; one by one, a third of the time of random programs went into hashing.
impl Hash for Matter {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for fields in self.cells.chunks(8) {
            hasher.write_u64(fields.iter().fold(0, |word, piece| word << 8 | u64::from(piece.0)));
        }
        self.values.hash(hasher);
    }
}

/// The fields that a move changed in the order in which it did, for those who ask.
///
/// States that differ in their trail only are the same state, so the trail of a result is *one* way to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    recording: bool,
    last: Option<Arc<Mark>>,
}

#[derive(Debug)]
struct Mark {
    field: Field,
    number: usize,
    before: Option<Arc<Mark>>,
}

/// Longer trails end here: they are for people, and dropping one takes a call for each mark.
const LONGEST_TRAIL: usize = 128;

impl Trail {
    /// An empty trail that grows.
    pub fn recording() -> Trail {
        Trail { recording: true, last: None }
    }

    /// A field is changed.
    pub fn mark(&mut self, field: Field) {
        let number = self.last.as_ref().map_or(0, |last| last.number) + 1;
        let again = self.last.as_ref().is_some_and(|last| last.field == field);
        if self.recording && !again && number <= LONGEST_TRAIL {
            self.last = Some(Arc::new(Mark { field, number, before: self.last.take() }));
        }
    }

    /// The fields, the first one first.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        let mut mark = self.last.as_deref();
        while let Some(Mark { field, before, .. }) = mark {
            fields.push(*field);
            mark = before.as_deref();
        }
        fields.reverse();
        fields
    }
}

impl PartialEq for Trail {
    fn eq(&self, _: &Trail) -> bool {
        true
    }
}

impl Eq for Trail {}

/// The hidden state of the language besides the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Registers {
    pub finger: Option<Field>,
    pub direction: Option<Direction>,
    pub hand: Option<Piece>,
    pub outcome: Option<Outcome>,
    pub irreversible: bool,
    pub keep_turn: bool,
    /// What the move is called so far: a number of [`crate::interpreter::Run`]'s names, 0 while moves are not
    /// named.
    pub name: u32,
}

/// A whole state. The matter is shared between states until one of them changes it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub matter: Rc<Matter>,
    pub registers: Registers,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.registers == other.registers
            && (Rc::ptr_eq(&self.matter, &other.matter) || self.matter == other.matter)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.registers.hash(hasher);
        self.matter.hash(hasher);
    }
}

/// A set of states in the order they were found.
#[derive(Default)]
pub(crate) struct StateSet {
    states: Vec<State>,
    /// By hash, once there are too many to look through one by one.
    index: FxHashMap<u64, SmallVec<[u32; 2]>>,
}

const LOOK_THROUGH: usize = 12;

impl StateSet {
    /// Adds a state; false if it was already there.
    pub fn insert(&mut self, state: State) -> bool {
        if self.states.len() < LOOK_THROUGH {
            if self.states.contains(&state) {
                return false;
            }
            self.states.push(state);
            return true;
        }
        if self.index.is_empty() {
            for number in 0..self.states.len() {
                self.index.entry(hash(&self.states[number])).or_default().push(number as u32);
            }
        }
        let same_hash = self.index.entry(hash(&state)).or_default();
        if same_hash.iter().any(|&number| self.states[number as usize] == state) {
            return false;
        }
        same_hash.push(self.states.len() as u32);
        self.states.push(state);
        true
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn as_slice(&self) -> &[State] {
        &self.states
    }

    pub fn contains(&self, state: &State) -> bool {
        match self.index.is_empty() {
            true => self.states.contains(state),
            false => self.index.get(&hash(state)).is_some_and(|same_hash| {
                same_hash.iter().any(|&number| self.states[number as usize] == *state)
            }),
        }
    }

    pub fn into_vec(self) -> Vec<State> {
        self.states
    }
}

fn hash(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
