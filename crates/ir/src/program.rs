//! The move program: what the rules mean, with every name, side, direction and piece resolved.
//!
//! Each rule becomes one [`Function`] for each player whose eyes it looks through (its *view*), so nothing in
//! a function is relative any more: `own pawn` is a set of pieces, `north` a direction of the board, `win` a
//! winner. Control flow stays structured and keeps the set meaning of the language: a statement maps a state
//! to a set of states. Passes and code generators need exactly that structure to see what can be done for
//! many states at once.

use multigame_game::{
    Abstraction, Description, Direction, Evaluation, Field, Network, Outcome, PieceSet, Side, Tuple,
};

/// A complete move program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Board, pieces, properties, conventions, initial position.
    pub description: Description,
    /// Properties that live while one move is built. They start at their least value; their slots come after
    /// the values of the description's properties.
    pub move_properties: Vec<MoveProperty>,
    /// All functions.
    pub functions: Vec<Function>,
    /// The function that builds a move, for each player to move (the same one twice in a puzzle).
    pub main: [FunctionId; 2],
    /// Succeeds where a puzzle is solved.
    pub goal: Option<FunctionId>,
    /// Gives the outcome where `no moves = pass` and neither player can move, for each player to move.
    pub last: Option<[FunctionId; 2]>,
    /// Abstractions of a puzzle, for tables of lower bounds.
    pub abstractions: Vec<Abstraction>,
    /// How positions are judged, the usual way first.
    pub evaluations: Vec<CompiledEvaluation>,
    /// Learned tables over groups of fields.
    pub patterns: Vec<Tuple>,
    /// A learned network.
    pub network: Option<Network>,
    /// Says how the game ends where [`multigame_game::Repetition::Judge`] asks.
    pub judge: Option<RepetitionRule>,
    /// Where statements come from; entry 0 is "nowhere".
    pub origins: Vec<Origin>,
}

/// An evaluation and the functions that compute what it counts. The body of such a function is one
/// [`Op::Assign`]; the value of its expression counts.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledEvaluation {
    /// Weights and terms.
    pub evaluation: Evaluation,
    /// Computes the phase, with White's eyes; the value is brought into the phase's range.
    pub phase: Option<FunctionId>,
    /// Computes, for each player to move, whether the player may count on the value: not 0 if nothing serious
    /// is threatened.
    pub calm: Option<[FunctionId; 2]>,
    /// One for each counted term, in their order.
    pub counted: Vec<Counted>,
}

/// How a term counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Computes it with White's and with Black's eyes.
    pub functions: [FunctionId; 2],
    /// Whether it counts for the player to move only, and not minus the same for the opponent.
    pub mover: bool,
}

/// What is asked when a position has come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepetitionRule {
    /// Gives the outcome, for each player to move.
    pub rule: [FunctionId; 2],
    /// The number of the move property that tells it how many moves ago the first occurrence was.
    pub cycle: Option<u16>,
}

/// A property that lives while one move is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveProperty {
    /// Its name.
    pub name: String,
    /// Least value, and the value a move begins with.
    pub low: i32,
    /// Greatest value.
    pub high: i32,
}

/// The number of a function in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A rule as one player sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The rule's name.
    pub name: String,
    /// Through whose eyes it looks.
    pub view: Side,
    /// What it does.
    pub body: Stmt,
}

/// Where a statement comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The rule's name.
    pub rule: String,
    /// The line in the rules file, from 1.
    pub line: u32,
    /// The bytes in the rules file.
    pub span: (u32, u32),
}

/// The number of an origin in [`Program::origins`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OriginId(pub u32);

/// A statement and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub op: Op,
    /// Named in run-time errors.
    pub origin: OriginId,
}

/// What a statement does to a state. Every one maps a state to a set of states; the empty set is failure.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// One after the other; without any, the state unchanged.
    Sequence(Vec<Stmt>),
    /// The union; without any, failure.
    Either(Vec<Stmt>),
    /// The results of the first if it has any, else those of the second.
    Try(Box<Stmt>, Box<Stmt>),
    /// The state unchanged if there is a result.
    Test(Box<Stmt>),
    /// The state unchanged if there is no result.
    Not(Box<Stmt>),
    /// The union over all counts from `low` to `high`; without `high` the least fixed point.
    Repeat {
        /// Least count.
        low: u32,
        /// Greatest count.
        high: Option<u32>,
        /// What is repeated.
        body: Box<Stmt>,
    },
    /// `either [condition, body, again] or not condition`, as a least fixed point.
    While {
        /// Goes on while this has a result; its effects stay.
        condition: Box<Stmt>,
        /// What is done each time.
        body: Box<Stmt>,
    },
    /// The results with the greatest value, all ties.
    Greatest(Expr, Box<Stmt>),
    /// For the fields that match at the start, in their order: `body` with the finger there, or unchanged
    /// where that fails. Finger and direction are as before afterwards.
    ForEachField(PieceSet, Box<Stmt>),
    /// For these directions in their order: `body` from the same finger with that direction, or unchanged
    /// where that fails. Finger and direction are as before afterwards.
    ForEachDirection(Vec<Direction>, Box<Stmt>),
    /// The results of a function.
    Call(FunctionId),
    /// One state for each field that holds one of these.
    Find(PieceSet),
    /// Unchanged if the field under the finger holds one of these.
    PointsAt(PieceSet),
    /// The field under the finger now holds this.
    Replace(multigame_game::Piece),
    /// From the field to the hand.
    PickUp,
    /// From the hand to the field.
    PutDown,
    /// One state for each direction.
    Face(Vec<Direction>),
    /// The direction turned clockwise by this many of the grid's directions.
    Turn(i32),
    /// The finger one field along the direction.
    Step,
    /// The finger one field against the direction.
    StepBackward,
    /// The finger to this field.
    Place(Field),
    /// The finger to the field in this column and row as `view` sees them; fails off the board.
    MoveTo {
        /// Column from 1.
        column: Expr,
        /// Row from 1.
        row: Expr,
        /// Who counts.
        view: Side,
    },
    /// Unchanged if each of these fields holds one of its pieces.
    Match(Vec<(Field, PieceSet)>),
    /// Fails if the value is 0; what the expression assigns stays.
    Assert(Expr),
    /// Computes the expression for what it assigns.
    Assign(Expr),
    /// Marks the move as one that can never be undone.
    Irreversible,
    /// Sets the outcome.
    Outcome(Outcome),
    /// Sets the outcome to a score as `view` sees it.
    Score(Expr, Side),
    /// The same player moves again.
    KeepTurn,
    /// Unchanged if every field holds what it held when the move began.
    Unchanged,
    /// Adds to the name of the move. It changes nothing else: states that differ in the name alone are the
    /// same.
    Called(Vec<NamePart>),
}

/// A part of a move's name.
#[derive(Clone, Debug, PartialEq)]
pub enum NamePart {
    /// These characters.
    Text(String),
    /// The name of the field under the finger.
    Field,
    /// A number; what the expression assigns is forgotten.
    Number(Expr),
}

/// An expression and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub op: ExprOp,
    /// Named in run-time errors.
    pub origin: OriginId,
}

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The value with this number: the description's values first, then the move properties.
    Value(u16),
    /// The value of a field property at the finger: this number plus the field's.
    AtFinger(u16),
}

/// What an expression computes: whole numbers of 64 bits, overflow is an error.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprOp {
    /// A number.
    Const(i64),
    /// A property.
    Load(Slot),
    /// The finger's row from 1 as that player sees it.
    Row(Side),
    /// The finger's column from 1 as that player sees it.
    Column(Side),
    /// `-`
    Negate(Box<Expr>),
    /// `!`
    Not(Box<Expr>),
    /// `~`
    Complement(Box<Expr>),
    /// Arithmetic and comparison.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&`, the second only if needed.
    And(Box<Expr>, Box<Expr>),
    /// `||`, the second only if needed.
    Or(Box<Expr>, Box<Expr>),
    /// `? :`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Assigns and gives the new value; leaving the property's range is an error.
    Store(Slot, Box<Expr>),
    /// Adds to a property and gives the value it had before.
    PostAdd(Slot, i64),
    /// The first for its effects, then the second.
    Comma(Box<Expr>, Box<Expr>),
    /// How many distinct states the statement gives.
    Count(Box<Stmt>),
    /// The sum of the expression over the distinct states the statement gives.
    Sum(Box<Expr>, Box<Stmt>),
}

/// Operators whose operands are both computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    /// Shifted to the left; what leaves the lowest [`BinaryOp::ROOM`] bits is lost.
    ShiftIn,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
}

impl BinaryOp {
    /// How many bits [`BinaryOp::ShiftIn`] keeps.
    pub const ROOM: u32 = 62;
}

impl Program {
    /// The function of that number.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The expression that a function of an evaluation computes.
    pub fn counted(&self, id: FunctionId) -> Option<&Expr> {
        match &self.function(id).body.op {
            Op::Assign(expr) => Some(expr),
            _ => None,
        }
    }

    /// Number of values while a move is built: the description's and the move properties.
    pub fn slot_count(&self) -> usize {
        self.description.value_count() + self.move_properties.len()
    }
}

impl Stmt {
    /// A statement from a known place.
    pub fn new(op: Op, origin: OriginId) -> Stmt {
        Stmt { op, origin }
    }

    /// The statement that changes nothing.
    pub fn nothing() -> Stmt {
        Stmt::new(Op::Sequence(Vec::new()), OriginId::default())
    }

    /// The statement that has no result.
    pub fn fail() -> Stmt {
        Stmt::new(Op::Either(Vec::new()), OriginId::default())
    }

    /// The statements directly inside this one.
    pub fn children(&self) -> Vec<&Stmt> {
        match &self.op {
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().collect(),
            Op::Try(a, b) => vec![a, b],
            Op::While { condition, body } => vec![condition, body],
            Op::Test(a) | Op::Not(a) | Op::Greatest(_, a) => vec![a],
            Op::ForEachField(_, a) | Op::ForEachDirection(_, a) => vec![a],
            Op::Repeat { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Stmt {
    /// Visits the expressions directly in this statement.
    pub fn for_each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.op {
            Op::Greatest(a, _) | Op::Assert(a) | Op::Assign(a) | Op::Score(a, _) => visit(a),
            Op::MoveTo { column, row, .. } => {
                visit(column);
                visit(row);
            }
            Op::Called(parts) => {
                for part in parts {
                    if let NamePart::Number(value) = part {
                        visit(value);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Expr {
    /// Visits the statements inside this expression, at any depth.
    pub fn for_each_statement<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        match &self.op {
            ExprOp::Count(body) => visit(body),
            ExprOp::Sum(value, body) => {
                value.for_each_statement(visit);
                visit(body);
            }
            _ => self.operands().into_iter().for_each(|operand| operand.for_each_statement(visit)),
        }
    }

    /// The expressions directly inside this one.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.op {
            ExprOp::Const(_) | ExprOp::Load(_) | ExprOp::Row(_) | ExprOp::Column(_) => Vec::new(),
            ExprOp::PostAdd(..) | ExprOp::Count(_) => Vec::new(),
            ExprOp::Negate(a) | ExprOp::Not(a) | ExprOp::Complement(a) | ExprOp::Store(_, a) => vec![a],
            ExprOp::Sum(a, _) => vec![a],
            ExprOp::Binary(_, a, b) | ExprOp::And(a, b) | ExprOp::Or(a, b) | ExprOp::Comma(a, b) => {
                vec![a, b]
            }
            ExprOp::Conditional(a, b, c) => vec![a, b, c],
        }
    }
}
