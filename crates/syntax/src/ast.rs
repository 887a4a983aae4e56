//! The abstract tree: what a program says, without how it was typed.
//!
//! It is plain data built from the lossless tree by `parse`, and the only thing the checker sees. Every node
//! knows its place in the text. A part that could not be parsed is simply absent (or `StmtKind::Missing`):
//! the parser has already reported it, so later phases stay silent about it.

use crate::Span;

/// A word with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word as written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole rules file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Declarations in the order written.
    pub declarations: Vec<Declaration>,
    /// Rules in the order written.
    pub rules: Vec<Rule>,
    /// Whether any rule is called with arguments.
    pub has_arguments: bool,
}

/// `name = statements .`, `name (a, b) = statements .`
#[derive(Clone, Debug)]
pub struct Rule {
    /// The rule's name.
    pub name: Name,
    /// The names that the arguments of a call take the place of; usually none.
    pub parameters: Vec<Name>,
    /// The body; a `Sequence` if it has several statements.
    pub body: Stmt,
    /// From the name to the full stop.
    pub span: Span,
}

/// A declaration with its place in the text.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The declared thing.
    pub kind: DeclarationKind,
    /// The whole declaration.
    pub span: Span,
}

/// The thing that a declaration declares.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// `based on chess`: the game whose rules these change.
    BasedOn(Name),
    /// `uses "rows"`: a library whose rules these call.
    Uses(Name),
    /// `players = 2`
    Players(Expr),
    /// `sides = 1`
    Sides(Expr),
    /// `dimensions (8, 8)`
    Dimensions {
        /// Number of columns.
        columns: Expr,
        /// Number of rows.
        rows: Expr,
    },
    /// `no moves = loss`
    NoMoves(NoMoves),
    /// `pieces { pawn 'P' 'p' }`
    Pieces(Vec<PieceDecl>),
    /// `properties { a, b : board : [0 .. 1] }`
    Properties(Vec<PropertyDecl>),
    /// `parameter columns = 7 [4 .. 26]`
    Parameter {
        /// The parameter's name.
        name: Name,
        /// The value if the command line gives none.
        default: Expr,
        /// The least value allowed.
        low: Expr,
        /// The greatest value allowed.
        high: Expr,
    },
    /// `pattern royal = [own king or own prince]`
    Pattern {
        /// The pattern's name.
        name: Name,
        /// Its meaning.
        pattern: Pattern,
    },
    /// `topology hex`: the name is checked later (`square`, `hex`, `graph`).
    Topology(Name),
    /// `directions { up / down : a1 a2 a3, b1 b2 }`
    Directions(Vec<DirectionDecl>),
    /// `setup { "..X" white to move castle = 1, 1 }`
    Setup(Vec<SetupItem>),
    /// `repetition = draw 3`
    Repetition(Repetition),
    /// `stacks = 5`, `stacks = 43 (flat)`
    Stacks(Stacks),
    /// `notation { uci }`
    Notation(Vec<NotationItem>),
    /// `looks { pawn "♙" "♟" }`
    Looks(Vec<LooksItem>),
    /// `abstractions { corner : tile_1, tile_2 }`
    Abstractions(Vec<AbstractionDecl>),
    /// `evaluation { material { pawn 100 } }`
    Evaluation(Evaluation),
}

/// The rule for a player who has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMoves {
    /// The player has lost.
    Loss,
    /// The game is drawn.
    Draw,
    /// The player passes.
    Pass,
    /// The rules are wrong: a run-time error.
    Error,
}

/// `pawn 'P' 'p'`
#[derive(Clone, Debug)]
pub struct PieceDecl {
    /// The piece's name.
    pub name: Name,
    /// One or two symbols, each with its place.
    pub symbols: Vec<(char, Span)>,
}

/// `a, b : player : [0 .. 8] unhashed`
#[derive(Clone, Debug)]
pub struct PropertyDecl {
    /// The properties declared together.
    pub names: Vec<Name>,
    /// To what they belong.
    pub scope: Scope,
    /// The least value.
    pub low: Expr,
    /// The greatest value.
    pub high: Expr,
    /// The mark `unhashed`.
    pub unhashed: Option<Span>,
    /// The mark `chance`.
    pub chance: Option<Span>,
    /// The mark `weight`.
    pub weight: Option<Span>,
    /// The whole line.
    pub span: Span,
}

/// To what a property belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One value.
    Board,
    /// One value for each player.
    Player,
    /// One value while a move is being built.
    Move,
    /// One value for each field.
    Field,
}

/// `up / down : a1 a2 a3, b1 b2`
#[derive(Clone, Debug)]
pub struct DirectionDecl {
    /// The direction that goes along the chains.
    pub name: Name,
    /// The direction that goes against them.
    pub opposite: Option<Name>,
    /// Each chain is a list of coordinates.
    pub chains: Vec<Vec<Name>>,
}

/// One item of `setup`.
#[derive(Clone, Debug)]
pub enum SetupItem {
    /// A quoted row, without its quotes; the span includes them.
    Row(String, Span),
    /// `name = 1` or `name = 1, 0` or `name = "4 4 4" "4 4 4"`.
    Value {
        /// The property.
        name: Name,
        /// Its value or values.
        value: SetupValue,
    },
    /// `white to move` / `black to move`
    ToMove {
        /// Whether white is named.
        white: bool,
        /// Where it stands.
        span: Span,
    },
    /// `apply NAME`: a rule that finishes the picture.
    Apply(Name),
}

/// The value after `=` in `setup`.
#[derive(Clone, Debug)]
pub enum SetupValue {
    /// Numbers separated by commas.
    Numbers(Vec<Expr>),
    /// Quoted rows of numbers for a field property.
    Rows(Vec<(String, Span)>),
}

/// The rule for a position that comes back.
#[derive(Clone, Debug)]
pub enum Repetition {
    /// The game ends at the `count`-th occurrence, for the player who made it.
    Ends {
        /// The outcome for that player.
        outcome: OutcomeWord,
        /// Which occurrence ends the game.
        count: Expr,
    },
    /// At the `count`-th occurrence the rule `repeated` says how the game ends.
    Judged {
        /// Which occurrence ends the game.
        count: Expr,
        /// The move property that tells the rule how many moves ago the first of them was.
        cycle: Option<Name>,
    },
    /// A move that repeats a position is not legal.
    Forbidden,
}

/// Fields that hold several pieces.
#[derive(Clone, Debug)]
pub struct Stacks {
    /// The greatest number of pieces on one field.
    pub highest: Expr,
    /// The pieces that may lie under others; all of them if none is named.
    pub covered: Vec<Name>,
}

/// `win`, `lose` (`loss` after `repetition =`), `draw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeWord {
    /// The mover wins.
    Win,
    /// The mover loses.
    Lose,
    /// Nobody wins.
    Draw,
}

/// One item of `notation`: a word and its arguments, `fen (castling, en_passant)`.
#[derive(Clone, Debug)]
pub struct NotationItem {
    /// The style's name.
    pub name: Name,
    /// Names in parentheses after it.
    pub arguments: Vec<Name>,
}

/// `corner : tile_1, tile_2`
#[derive(Clone, Debug)]
pub struct AbstractionDecl {
    /// The abstraction's name.
    pub name: Name,
    /// The pieces that are told apart.
    pub kept: Vec<Name>,
}

/// One item of `looks`: `pawn "♙" "♟"`, `pawn colour "white" "black"`, `fields "chequered"`.
#[derive(Clone, Debug)]
pub struct LooksItem {
    /// A piece's name, or `fields`.
    pub name: Name,
    /// Whether the word `colour` follows.
    pub colour: bool,
    /// One or two strings without their quotes.
    pub values: Vec<(String, Span)>,
}

/// A part of a move's name.
#[derive(Clone, Debug)]
pub enum NamePart {
    /// `"P@"`, without its quotes.
    Text(String),
    /// `field`: the name of the field under the finger.
    Field(Span),
    /// `(e)`: a number.
    Number(Expr),
}

/// `evaluation NAME { ... }`
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The name of the evaluation; without a name it is the usual one.
    pub name: Option<Name>,
    /// The parts.
    pub items: Vec<EvaluationItem>,
}

/// One item of `evaluation`.
#[derive(Clone, Debug)]
pub enum EvaluationItem {
    /// `phase = e [0 .. 24]`
    Phase {
        /// The distance of the position from the end of the game.
        value: Expr,
        /// The end.
        low: Expr,
        /// The opening.
        high: Expr,
        /// The whole item.
        span: Span,
    },
    /// `calm = e`
    Calm {
        /// Whether the player to move may count on the value.
        value: Expr,
        /// The whole item.
        span: Span,
    },
    /// `material { pawn 100 .. 120 }`
    Material(Vec<MaterialItem>),
    /// `table pawn = "..." ... [ .. "..." ... ]`
    Table {
        /// Whose table it is.
        piece: Name,
        /// The rows of numbers, in the opening if there are two.
        opening: Vec<(String, Span)>,
        /// The rows of numbers at the end of the game.
        end: Vec<(String, Span)>,
    },
    /// `mobility 4 : count [ ... ]`
    Term(TermItem),
    /// `greatest { a : e  b : f }`
    Greatest(Vec<TermItem>, Span),
}

/// `pawn 100 .. 120`
#[derive(Clone, Debug)]
pub struct MaterialItem {
    /// The piece.
    pub piece: Name,
    /// The worth.
    pub weight: WeightDecl,
}

/// `100`, or `100 .. 120` from the opening to the end of the game.
#[derive(Clone, Debug)]
pub struct WeightDecl {
    /// In the opening, or always.
    pub opening: Expr,
    /// At the end.
    pub end: Option<Expr>,
}

/// `tempo 10 mover : 1`
#[derive(Clone, Debug)]
pub struct TermItem {
    /// The term's name.
    pub name: Name,
    /// The factor.
    pub weight: Option<WeightDecl>,
    /// The word `mover`: it counts for the player to move only.
    pub mover: Option<Span>,
    /// The count.
    pub value: Expr,
}

/// A statement with its place in the text.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The effect.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The effect of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A statement that could not be parsed; an error has been reported.
    Missing,
    /// `[A, B]` or the body of a rule.
    Sequence(Vec<Stmt>),
    /// `either A or B`
    Either(Vec<Stmt>),
    /// `try A else B`
    Try(Box<Stmt>, Option<Box<Stmt>>),
    /// `optionally A`
    Optionally(Box<Stmt>),
    /// `test A`
    Test(Box<Stmt>),
    /// `not A`
    Not(Box<Stmt>),
    /// `repeat N times A`, `repeat N .. M times A`
    Repeat {
        /// The least count.
        low: Expr,
        /// The greatest count.
        high: RepeatHigh,
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
    /// `find P`
    Find(Pattern),
    /// `points at P`
    PointsAt(Pattern),
    /// `replace by P`
    ReplaceBy(Pattern),
    /// `move to (x, y)`
    MoveTo(Expr, Expr),
    /// `match (P, Q, ...)`
    Match(Vec<Pattern>),
    /// `add P`
    Add(Pattern),
    /// `pick up`
    PickUp,
    /// `pick up (e)`
    PickUpSome(Expr),
    /// `put down`
    PutDown,
    /// `put down (e)`
    PutDownSome(Expr),
    /// `step`
    Step,
    /// `step backward`
    StepBackward,
    /// `north` and so on.
    Compass(Compass),
    /// `orthogonal`
    Orthogonal,
    /// `diagonal`
    Diagonal,
    /// `any direction`
    AnyDirection,
    /// `turn 45`; the sign is part of the number.
    Turn(i64),
    /// `assert (e)`
    Assert(Expr),
    /// `assign (e)`
    Assign(Expr),
    /// `white to move`
    WhiteToMove,
    /// `black to move`
    BlackToMove,
    /// `nothing`
    Nothing,
    /// `irreversible`
    Irreversible,
    /// `win`, `lose`, `draw`
    Outcome(OutcomeWord),
    /// A rule's name, or on a free graph a direction's.
    Call(String),
    /// `hop (own man, empty field)`: a rule with what takes the place of its parameters.
    CallWith(Name, Vec<Argument>),
    /// `greatest (e) A`
    Greatest(Expr, Box<Stmt>),
    /// `keep turn`
    KeepTurn,
    /// `score (e)`
    Score(Expr),
    /// `called "P@" field (e)`
    Called(Vec<NamePart>),
    /// `as opponent A`
    AsOpponent(Box<Stmt>),
    /// `for each P do A`
    ForEachField(Pattern, Box<Stmt>),
    /// `for each direction do A`, `for each orthogonal do A`: a statement that sets directions, and A.
    ForEachDirection(Box<Stmt>, Box<Stmt>),
    /// `facing orthogonal`: a statement that sets directions.
    Facing(Box<Stmt>),
    /// `holds P`
    Holds(Pattern),
    /// `board unchanged`
    BoardUnchanged,
}

/// What takes the place of a rule's parameter.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A name, with `own` or `opponent's` or without: of a piece, pattern, property, parameter, rule or
    /// direction, whatever is wanted where the parameter is.
    Name(Owner, Name),
    /// A pattern that is more than a name.
    Pattern(Pattern),
    /// An expression that is more than a name.
    Number(Expr),
    /// A statement that is more than a name.
    Statement(Stmt),
}

impl Argument {
    /// The place in the text.
    pub fn span(&self) -> Span {
        match self {
            Argument::Name(_, name) => name.span,
            Argument::Pattern(pattern) => pattern.span,
            Argument::Number(expr) => expr.span,
            Argument::Statement(stmt) => stmt.span,
        }
    }
}

/// The upper count of `repeat`.
#[derive(Clone, Debug)]
pub enum RepeatHigh {
    /// `repeat N times`
    Same,
    /// `repeat N .. M times`
    To(Expr),
    /// `repeat N .. infinity times`
    Infinity,
}

/// A compass direction, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compass {
    /// Forward.
    North,
    /// Forward and right.
    Northeast,
    /// Right.
    East,
    /// Back and right.
    Southeast,
    /// Back.
    South,
    /// Back and left.
    Southwest,
    /// Left.
    West,
    /// Forward and left.
    Northwest,
}

/// A pattern with its place in the text.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The matching content.
    pub kind: PatternKind,
    /// The whole pattern.
    pub span: Span,
}

/// The content that a pattern matches.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// A pattern that could not be parsed; an error has been reported.
    Missing,
    /// `[P or Q]`
    Any(Vec<Pattern>),
    /// `empty field`
    EmptyField,
    /// `any field`
    AnyField,
    /// `any piece`
    AnyPiece,
    /// `own piece`
    OwnPiece,
    /// `opponent's piece`
    OpponentsPiece,
    /// `pawn`, `own pawn`, `opponent's pawn`
    Piece(Owner, Name),
}

/// Whose: nothing written, `own`, or `opponent's`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Not written.
    Plain,
    /// `own`
    Own,
    /// `opponent's`
    Opponents,
}

/// An expression with its place in the text.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The computation.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

/// The computation of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An expression that could not be parsed; an error has been reported.
    Missing,
    /// A number.
    Int(i64),
    /// A property, a parameter, `row` or `column` (these two arrive as names with `Owner::Plain`).
    Variable(Owner, Name),
    /// `-e`, `!e`, `~e`, `+e`
    Unary(UnaryOp, Box<Expr>),
    /// `++v`, `v--` and so on: the operand is a `Variable`.
    Step {
        /// The variable.
        variable: Box<Expr>,
        /// +1 or -1.
        by: i64,
        /// Whether the value is the one before the change.
        postfix: bool,
    },
    /// `a + b` and so on.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `v = e`, `v += e`: the target is a `Variable`.
    Assign(Box<Expr>, Option<BinaryOp>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `count [A]`
    Count(Box<Stmt>),
    /// `sum (e) [A]`
    Sum(Box<Expr>, Box<Stmt>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands that both are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
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
