//! The resolved program: names are numbers, constants are numbers, patterns are sets for each mover.
//!
//! Everything is still as the mover sees it; the compiler makes one copy of each rule for each player out of
//! it. Two statements or expressions are equal if they say the same, at any place of the text.

use multigame_game::{Abstraction, Description, Direction, Evaluation, Piece, PieceSet, Side};
use multigame_syntax::Span;
use multigame_syntax::ast::{BinaryOp, OutcomeWord, UnaryOp};

/// A program without errors.
#[derive(Clone, Debug)]
pub struct Model {
    /// Board, pieces, properties, conventions, initial position; the name is left empty.
    pub description: Description,
    /// Properties that live while one move is built.
    pub move_properties: Vec<MoveProperty>,
    /// How fields hold several pieces, if they do.
    pub stacks: Option<StackModel>,
    /// All rules, also those never used; behind them those that compute the terms of evaluations.
    pub rules: Vec<Rule>,
    /// The rule that builds a move.
    pub main: RuleId,
    /// The rule that recognises a solved puzzle; only with one player.
    pub goal: Option<RuleId>,
    /// The rule that gives the outcome where nobody can move; only with `no moves = pass`.
    pub last: Option<RuleId>,
    /// The rule that judges repetitions, and the number of the move property that is told the length of the
    /// cycle; only with `repetition = judge`.
    pub judge: Option<(RuleId, Option<usize>)>,
    /// The rule that finishes the initial position, run as White.
    pub setup_rule: Option<RuleId>,
    /// Abstractions of a puzzle.
    pub abstractions: Vec<Abstraction>,
    /// The evaluations, the usual one first.
    pub evaluations: Vec<EvaluationModel>,
}

/// An evaluation and the rules that compute what it counts. The body of such a rule is one
/// [`StmtKind::Assign`].
#[derive(Clone, Debug)]
pub struct EvaluationModel {
    /// Weights and terms.
    pub evaluation: Evaluation,
    /// Computes the phase.
    pub phase: Option<RuleId>,
    /// Computes whether the player to move may count on the value.
    pub calm: Option<RuleId>,
    /// One for each counted term, in their order.
    pub counted: Vec<Counted>,
}

/// The way a term counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Computes it.
    pub rule: RuleId,
    /// Whether it counts for the player to move only, and not minus the same for the opponent.
    pub mover: bool,
}

/// The number of a rule in [`Model::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

impl RuleId {
    /// As an index into arrays with one entry for each rule.
    pub fn index(self) -> usize {
        self.0 as usize
    }
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

/// Where stacks are kept: numbers of [`Description::properties`] and of [`Model::move_properties`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackModel {
    /// The pieces that may lie below others, by their digits.
    pub covered: Vec<Piece>,
    /// The greatest height.
    pub highest: i64,
    /// The field property with the number of pieces.
    pub height: usize,
    /// The field properties with the digits of the pieces below the top.
    pub below: Vec<usize>,
    /// The move property with the number of pieces in the hand.
    pub carried: usize,
    /// The number of the top piece in the hand, 0 for an empty hand.
    pub top: usize,
    /// The digits of the pieces in the hand; the first digit is that of the top piece and always 0.
    pub hand: Vec<usize>,
    /// How many pieces are taken or put down right now.
    pub taken: usize,
    /// How many pieces stay in the hand.
    pub left: usize,
    /// The number of the piece that comes to lie on top of the field.
    pub next: usize,
    /// What is in the hand when the move ends: nothing.
    pub end: usize,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The effect.
    pub body: Stmt,
}

/// A statement with its place in the text.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The effect.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Stmt) -> bool {
        self.kind == other.kind
    }
}

/// The effect of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Something with an error in it; never in a [`Model`].
    Unknown,
    /// One after the other; without any, `nothing`.
    Sequence(Vec<Stmt>),
    /// The union.
    Either(Vec<Stmt>),
    /// `try A else B`; without B the state unchanged.
    Try(Box<Stmt>, Option<Box<Stmt>>),
    /// The union of unchanged and A.
    Optionally(Box<Stmt>),
    /// Unchanged if A has a result.
    Test(Box<Stmt>),
    /// Unchanged if A has no result.
    Not(Box<Stmt>),
    /// The union over all counts; unbounded without `high`.
    Repeat {
        /// Least count.
        low: u32,
        /// Greatest count.
        high: Option<u32>,
        /// The repeated statement.
        body: Box<Stmt>,
    },
    /// `while C do A`
    While {
        /// Goes on while this has a result.
        condition: Box<Stmt>,
        /// The body of each round.
        body: Box<Stmt>,
    },
    /// `do A while C`
    DoWhile {
        /// The body, which runs at least once.
        body: Box<Stmt>,
        /// Goes on while this has a result.
        condition: Box<Stmt>,
    },
    /// One state for each field that matches.
    Find(Pattern),
    /// Unchanged if the field matches.
    PointsAt(Pattern),
    /// One state for each of these: the piece put there by White, and by Black.
    Replace(Vec<[Piece; 2]>),
    /// The finger to that column and row.
    MoveTo(Expr, Expr),
    /// Unchanged if the fields match, one pattern for each field from the mover's top left, without the
    /// holes.
    Match(Vec<Pattern>),
    /// From the field to the hand.
    PickUp,
    /// From the hand to the field.
    PutDown,
    /// A number of pieces from the top of the stack below what the hand holds.
    Lift(Expr),
    /// A number of pieces from the bottom of the hand onto the stack; without a number all of them.
    Drop(Option<Expr>),
    /// One state for each of these, which comes to lie on top: the piece put there by White, and by Black.
    Add(Vec<[Piece; 2]>),
    /// Takes the top piece of a stack off the board, if there is any.
    RemoveTop,
    /// The finger one field along the direction.
    Step,
    /// The finger one field against the direction.
    StepBackward,
    /// One state for each of these directions.
    Face(Vec<Direction>),
    /// Clockwise by this many of the grid's directions.
    Turn(i32),
    /// Fails if the value is 0.
    Assert(Expr),
    /// Computes the value for what it assigns.
    Assign(Expr),
    /// Unchanged if that player is to move.
    ToMove(Side),
    /// The move can never be undone.
    Irreversible,
    /// Sets the outcome for the mover.
    Outcome(OutcomeWord),
    /// The results of a rule.
    Call(RuleId),
    /// The results with the greatest value.
    Greatest(Expr, Box<Stmt>),
    /// The same player moves again.
    KeepTurn,
    /// Goes on if every field holds what it held when the move began.
    BoardUnchanged,
    /// Ends the game with a margin for the mover.
    Score(Expr),
    /// Adds to the move's name.
    Called(Vec<NamePart>),
    /// Seen by the other player.
    AsOpponent(Box<Stmt>),
    /// `try A` on each field that matches, one after the other.
    ForEachField(Pattern, Box<Stmt>),
    /// `try A` in each of these directions, one after the other.
    ForEachDirection(Vec<Direction>, Box<Stmt>),
}

/// A part of a move's name.
#[derive(Clone, Debug, PartialEq)]
pub enum NamePart {
    /// These characters.
    Text(String),
    /// The field under the finger.
    Field,
    /// A number.
    Number(Expr),
}

impl NamePart {
    /// The expression of a number.
    pub fn number(&self) -> Option<&Expr> {
        match self {
            NamePart::Number(e) => Some(e),
            NamePart::Text(_) | NamePart::Field => None,
        }
    }
}

/// The pieces that a pattern matches: for White to move, and for Black to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern(pub [PieceSet; 2]);

impl Pattern {
    /// The pieces that match when that player looks.
    pub fn seen_by(self, side: Side) -> PieceSet {
        self.0[side.index()]
    }
}

/// An expression with its place in the text.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The computation.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

/// Where a value is kept; the numbers are those of [`Description::properties`] or [`Model::move_properties`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A board property.
    Board(usize),
    /// The mover's value of a player property.
    Own(usize),
    /// The opponent's value of a player property.
    Opponents(usize),
    /// A field property at the finger.
    Field(usize),
    /// A move property.
    Move(usize),
}

/// The computation of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Something with an error in it; never in a [`Model`].
    Unknown,
    /// A number.
    Const {
        /// The number.
        value: i64,
        /// Whether another choice of parameters could give another number.
        adjustable: bool,
    },
    /// A property.
    Load(Variable),
    /// The finger's row as the mover sees it.
    Row,
    /// The finger's column as the mover sees it.
    Column,
    /// `-e`, `!e`, `~e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and so on.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `v = e`, `v += e`, `++v`: gives the new value.
    Store(Variable, Option<BinaryOp>, Box<Expr>),
    /// `v++`, `v--`: gives the old value.
    PostAdd(Variable, i64),
    /// The first for its effects, then the second.
    Comma(Box<Expr>, Box<Expr>),
    /// The number of distinct states that A gives.
    Count(Box<Stmt>),
    /// The sum of e over the distinct states A gives.
    Sum(Box<Expr>, Box<Stmt>),
}

impl Expr {
    /// The value if it is a constant.
    pub fn constant(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The expressions directly inside this one.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Unary(_, a) | ExprKind::Store(_, _, a) | ExprKind::Sum(a, _) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                vec![a, b]
            }
            ExprKind::Conditional(a, b, c) => vec![a, b, c],
            _ => Vec::new(),
        }
    }

    /// The statement counted over, if this is `count` or `sum`.
    pub fn counted(&self) -> Option<&Stmt> {
        match &self.kind {
            ExprKind::Count(body) | ExprKind::Sum(_, body) => Some(body),
            _ => None,
        }
    }
}

impl Stmt {
    /// The statements directly inside this one.
    pub fn children(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::Sequence(parts) | StmtKind::Either(parts) => parts.iter().collect(),
            StmtKind::Try(a, Some(b)) => vec![a, b],
            StmtKind::While { condition, body } => vec![condition, body],
            StmtKind::DoWhile { body, condition } => vec![body, condition],
            StmtKind::Try(a, None)
            | StmtKind::Optionally(a)
            | StmtKind::Test(a)
            | StmtKind::Not(a)
            | StmtKind::Greatest(_, a)
            | StmtKind::AsOpponent(a)
            | StmtKind::ForEachField(_, a)
            | StmtKind::ForEachDirection(_, a) => vec![a],
            StmtKind::Repeat { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions directly inside this statement.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::MoveTo(column, row) => vec![column, row],
            StmtKind::Assert(e) | StmtKind::Assign(e) | StmtKind::Greatest(e, _) | StmtKind::Score(e) => {
                vec![e]
            }
            StmtKind::Lift(e) | StmtKind::Drop(Some(e)) => vec![e],
            StmtKind::Called(parts) => parts.iter().filter_map(NamePart::number).collect(),
            _ => Vec::new(),
        }
    }
}
