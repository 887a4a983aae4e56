//! The state of a move being built, as far as the compiler knows it: everything that the interpreter keeps in
//! a state is here a value of the machine program, or a fact.
//!
//! States are never changed in place: the code for another alternative simply goes on with the older state,
//! so nothing has to be undone at run time.

use std::rc::Rc;

use multigame_game::{Direction, Piece, PieceSet};

use smallvec::SmallVec;

use crate::analysis::geometry::Table;
use crate::refusal::{self, R, Refusal};
use crate::{Layout, Value, Variable};

/// A set of fields at run time: one value for each 64 fields.
pub(crate) type Set = SmallVec<[Value; 2]>;

/// Where the finger points.
#[derive(Clone, Debug)]
pub(crate) enum Finger {
    Nowhere,
    /// At the field of this number.
    One(Value),
    /// One state for each field of a set, for each branch.
    Many(Vec<Branch>),
}

/// Fingers that face the same direction.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub direction: Option<Direction>,
    pub fingers: Fingers,
    /// Where they can be at most, if that depends on one field.
    pub reach: Option<Reach>,
    /// The content of the field one step against their direction, if that is known.
    ///
    /// **Invariant:** this is about the fingers and the direction of this very branch: whatever moves the
    /// fingers or turns the direction sets it anew or forgets it. What a whole state knows about the field
    /// behind its finger must not be asked once branches have left that finger.
    pub behind: Option<PieceSet>,
}

impl Branch {
    /// A set of fingers about which nothing else is known.
    pub fn set(direction: Option<Direction>, fields: Set) -> Branch {
        Branch { direction, fingers: Fingers::Set(fields), reach: None, behind: None }
    }
}

/// For each field of origin a set that fingers cannot leave.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub origin: Value,
    pub table: Table,
}

/// A set of fields in the making.
#[derive(Clone, Debug)]
pub(crate) enum Fingers {
    /// What a table says for the field of this number; nothing on the board has been looked at yet.
    From(Value, Table),
    /// A run along a direction over certain fields: where it began, how far it goes, and where it ends. One
    /// more step in the same direction gives `reach`.
    Run { start: Box<Fingers>, with_start: bool, run: Set, reach: Set, direction: Direction },
    /// Just a set.
    Set(Set),
}

/// What the hand holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Hand {
    Empty,
    Piece(Piece),
    /// One of these: the one whose value is 1.
    OneOf(Vec<(Piece, Value)>),
    /// The piece of this number, where numbers are kept.
    Coded(Value),
}

/// A field that was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Write {
    /// The field's number; absent where a whole set was written, or something that may not have been.
    pub field: Option<Value>,
    /// The possible contents there before the move.
    pub old: PieceSet,
    /// The possible contents there now.
    pub new: PieceSet,
}

/// Fields on which one thing became another, before that is added to the signature.
#[derive(Clone, Debug)]
pub(crate) struct Unsigned {
    pub old: Piece,
    pub new: Piece,
    pub fields: Set,
}

/// A field the finger was split into.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub field: Value,
    pub reach: Option<Reach>,
    /// Whether the field follows from the one it is counted from.
    pub follows: bool,
}

/// The whole state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub finger: Finger,
    /// With `Finger::Many` the directions are kept there.
    pub direction: Option<Direction>,
    pub hand: Hand,
    /// The possible contents of the field under the finger.
    pub content: PieceSet,
    /// For each piece (the empty field not counted, so the first entry is piece 1) its fields; or for each
    /// bit of the pieces' numbers the fields where it is set.
    pub boards: Rc<Vec<Set>>,
    /// Unions of boards that have been computed.
    pub unions: Rc<Vec<(PieceSet, Set)>>,
    /// The bitboards of the properties of fields, one property after the other.
    pub planes: Rc<Vec<Set>>,
    /// Which properties of fields may differ from the position's.
    pub changed_planes: Vec<bool>,
    /// Values of the other properties; absent while unchanged and not yet needed.
    pub values: Vec<Option<Value>>,
    /// Which values may differ from the position's.
    pub changed_values: Vec<bool>,
    /// Which boards may differ from the position's.
    pub changed_boards: Vec<bool>,
    /// What has been written on the board, for telling results apart.
    pub writes: Vec<Write>,
    /// The fields the finger has been split into so far: their numbers, and where they can be.
    pub places: Vec<Place>,
    /// The content of the field one step against the direction from the field of this number. It holds for
    /// the direction at hand only.
    pub behind: Option<(Value, PieceSet)>,
    /// What is known about fields the finger has left.
    pub known_contents: Vec<(Value, PieceSet)>,
    /// Choices that exclude each other: the number of the `try`, and which of its ways this is.
    pub ways: Vec<(Variable, bool)>,
    /// What has been added to the signature for pieces.
    pub signature: Value,
    /// Changes that have not been added to the signature yet.
    pub unsigned: Vec<Unsigned>,
    /// Bits of the header that say the outcome.
    pub outcome: Value,
    /// The header's bit for irreversible moves, or 0.
    pub irreversible: Value,
    /// 1 if the same player moves again.
    pub keep_turn: Value,
}

impl State {
    /// A state of which nothing is known but what it consists of, and in which nothing has changed.
    pub fn new(
        layout: &Layout,
        boards: Vec<Set>,
        planes: Vec<Set>,
        values: Vec<Option<Value>>,
        [signature, outcome, irreversible, keep_turn]: [Value; 4],
    ) -> State {
        State {
            finger: Finger::Nowhere,
            direction: None,
            hand: Hand::Empty,
            content: layout.anything(),
            unions: Rc::new(Vec::new()),
            changed_planes: vec![false; layout.planes.len()],
            changed_values: vec![false; values.len()],
            changed_boards: vec![false; layout.boards()],
            boards: Rc::new(boards),
            planes: Rc::new(planes),
            values,
            writes: Vec::new(),
            places: Vec::new(),
            behind: None,
            known_contents: Vec::new(),
            ways: Vec::new(),
            signature,
            unsigned: Vec::new(),
            outcome,
            irreversible,
            keep_turn,
        }
    }

    /// Signature, outcome, irreversible, keep turn: the order in which they are handed on.
    pub fn header(&self) -> [Value; 4] {
        [self.signature, self.outcome, self.irreversible, self.keep_turn]
    }

    /// The number of the field the finger points at.
    pub fn finger_index(&self) -> R<Value> {
        match self.finger {
            Finger::One(index) => Ok(index),
            _ => Err(Refusal::new(refusal::NOWHERE)),
        }
    }

    /// The direction it faces.
    pub fn faced(&self) -> R<Direction> {
        self.direction.ok_or_else(|| Refusal::new(refusal::UNFACED))
    }

    /// Whether the position may have changed.
    pub fn changed(&self) -> bool {
        self.changed_boards.iter().any(|&changed| changed)
            || self.changed_values.iter().any(|&changed| changed)
            || self.changed_planes.iter().any(|&changed| changed)
    }
}
