//! The kinds of tokens and nodes of the lossless tree.

/// Declares the kinds together with a table of them, so that a raw number can be turned back without
/// `unsafe`.
macro_rules! kinds {
    ($($(#[$attribute:meta])* $name:ident,)*) => {
        /// The kind of a token or a node of the lossless tree.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[allow(missing_docs)]
        pub enum SyntaxKind { $($(#[$attribute])* $name,)* }

        const ALL: &[SyntaxKind] = &[$(SyntaxKind::$name,)*];
    };
}

kinds! {
    // Tokens without meaning for the parser.
    Whitespace,
    Comment,
    /// Characters that are in no token; the lexer has reported them, the parser skips them.
    Unknown,

    // Words and values.
    Ident,
    /// `opponent's`
    Opponents,
    Int,
    /// `'x'`
    Symbol,
    /// `"..."`
    Text,

    // Punctuation and operators.
    DotDot,
    Dot,
    Comma,
    /// No token of the language: kept apart because people write it for a comma.
    Semicolon,
    Colon,
    Question,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualEqual,
    NotEqual,
    Ampersand,
    Caret,
    Bar,
    AndAnd,
    OrOr,
    Exclamation,
    Tilde,
    Equal,
    PlusEqual,
    MinusEqual,
    StarEqual,
    SlashEqual,
    PercentEqual,
    ShiftLeftEqual,
    ShiftRightEqual,
    AmpersandEqual,
    CaretEqual,
    BarEqual,
    PlusPlus,
    MinusMinus,
    /// Behind the last token; never in a tree.
    EndOfFile,

    // Nodes: the file and its declarations.
    Root,
    /// Tokens that fit nowhere.
    Error,
    NumberDecl,
    DimensionsDecl,
    NoMovesDecl,
    PiecesDecl,
    PieceEntry,
    PropertiesDecl,
    PropertyEntry,
    ParameterDecl,
    PatternDecl,
    TopologyDecl,
    DirectionsDecl,
    DirectionEntry,
    Chain,
    SetupDecl,
    SetupRow,
    SetupValueItem,
    SetupToMove,
    SetupApply,
    RepetitionDecl,
    StacksDecl,
    BasedDecl,
    NotationDecl,
    NotationEntry,
    LooksDecl,
    LooksEntry,
    AbstractionsDecl,
    AbstractionEntry,
    EvaluationDecl,
    PhaseEntry,
    CalmEntry,
    MaterialDecl,
    MaterialEntry,
    TableEntry,
    /// `greatest { ... }`
    GreatestDecl,
    TermEntry,
    /// `100`, `100 .. 120`
    Weight,
    RuleItem,
    /// `(a, b)` behind a rule's name.
    RuleParameters,
    /// The statements between `=` and `.`.
    RuleBody,

    // Nodes: statements.
    /// `[A, B]`
    BracketStmt,
    EitherStmt,
    TryStmt,
    /// `optionally A`, `test A`, `not A`, `as opponent A`
    PrefixStmt,
    RepeatStmt,
    WhileStmt,
    DoWhileStmt,
    /// `find P`, `points at P`, `replace by P`
    PatternStmt,
    MoveToStmt,
    MatchStmt,
    /// A statement that consists of words only, and `turn N`.
    WordStmt,
    /// `assert (e)`, `assign (e)`, `score (e)`
    ExprStmt,
    CallStmt,
    GreatestStmt,
    ForEachStmt,
    /// `called "P@" field (e)`
    CalledStmt,

    // Nodes: patterns.
    /// `[P or Q]`
    AnyPattern,
    WordPattern,
    PiecePattern,

    // Nodes: expressions.
    LiteralExpr,
    VariableExpr,
    ParenExpr,
    UnaryExpr,
    StepExpr,
    BinaryExpr,
    ConditionalExpr,
    AssignExpr,
    CommaExpr,
    CountExpr,
    SumExpr,
}

impl SyntaxKind {
    /// Whether the parser does not see a token of this kind.
    pub fn is_trivia(self) -> bool {
        matches!(self, SyntaxKind::Whitespace | SyntaxKind::Comment | SyntaxKind::Unknown)
    }
}

impl From<SyntaxKind> for rowan::SyntaxKind {
    fn from(kind: SyntaxKind) -> Self {
        rowan::SyntaxKind(kind as u16)
    }
}

/// Tells `rowan` which kinds the tree has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Multigame {}

impl rowan::Language for Multigame {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        ALL[raw.0 as usize]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        kind.into()
    }
}

/// A node of the lossless tree.
pub type SyntaxNode = rowan::SyntaxNode<Multigame>;
/// A token of the lossless tree.
pub type SyntaxToken = rowan::SyntaxToken<Multigame>;
