//! The machine program: structured code on 64-bit words, without any trace of rules.
//!
//! A function reads one position (never writes it) and counts, tests or emits positions. Values are defined
//! once and are visible in the blocks inside; variables may change. All arithmetic is on 64 bits and wraps;
//! comparisons give 0 or 1; anything that is an error by the rules of the language ends the function with
//! [`Stmt::Fail`], and the caller asks the interpreter what exactly went wrong.

pub(crate) mod arithmetic;
pub(crate) mod builder;
pub(crate) mod calls;
pub(crate) mod layout;
pub(crate) mod possible;
pub(crate) mod simplify;
pub(crate) mod text;
pub(crate) mod used;
pub(crate) mod visit;

use crate::{Features, Layout, Refusal};

/// A machine program for one game.
#[derive(Clone, Debug)]
pub struct Module {
    /// How positions lie in memory.
    pub layout: Layout,
    /// Constant tables.
    pub tables: Vec<Vec<u64>>,
    /// Functions; calls refer to them by number.
    pub functions: Vec<Function>,
    /// For White and Black to move: emits every result of `main`, none if a puzzle is solved.
    pub generate: [FunctionId; 2],
    /// For White and Black to move: counts the results of `main`; a solved puzzle is one ending. Absent where
    /// equal results cannot be excluded: then results must be emitted and compared.
    pub count: [Option<FunctionId>; 2],
    /// For White and Black to move, for two plies and more: count sequences of moves in variable 0. They fail
    /// where one of them comes to a position without moves too early, and count nothing where there is no
    /// move at all. None where plies are not counted at once.
    pub leaves: Vec<[FunctionId; 2]>,
    /// For White and Black to move: emits the result of `main` whose number is its parameter, in the order in
    /// which they are counted. Absent where they are not counted, or made by several functions.
    pub pick: [Option<FunctionId>; 2],
    /// For each side what generates the moves that take something from the opponent, and perhaps some others.
    pub take: [Option<FunctionId>; 2],
    /// For White and Black to move where they cannot: emits the results of `final`, which say how the game
    /// ends. Absent where there is none, or none that could be lowered.
    pub last: [Option<FunctionId>; 2],
    /// Tests whether a puzzle is solved.
    pub goal: Option<FunctionId>,
    /// How what each evaluation counts is computed, or why the interpreter has to do it.
    pub features: Vec<Result<Features, Refusal>>,
    /// Whether equal results can occur, so that the caller must merge them.
    pub may_repeat: bool,
    /// The alternatives of `main` in which equal results cannot be excluded.
    pub doubtful: Vec<Vec<bool>>,
    /// How much code there is for speed.
    pub brevity: Brevity,
    /// Whether indices, divisors and shifts are checked while the code runs, also in release builds.
    pub checked: bool,
}

/// What is done for less code, where rules would give too much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Brevity {
    /// Nothing: code is as fast as can be.
    #[default]
    Fast,
    /// Costly parts are functions.
    Functions,
    /// Code for each word of a set, or for each round of a loop, is there once.
    Loops,
}

impl Brevity {
    /// What is tried next where there was still too much code.
    pub(crate) fn further(self) -> Option<Brevity> {
        match self {
            Brevity::Fast => Some(Brevity::Functions),
            Brevity::Functions => Some(Brevity::Loops),
            Brevity::Loops => None,
        }
    }
}

/// The number of a function in [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// The most variables a function reports.
pub const MAX_RESULTS: usize = 64;

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Emits positions.
    Generate,
    /// Counts: variable 0 results that are moves, variable 1 results that leave the position as it is and end
    /// the game.
    Count,
    /// Variable 0 is set to 1 if the test succeeds.
    Test,
    /// Reports numbers in its variables.
    Features,
}

/// A function of a position.
#[derive(Clone, Debug)]
pub struct Function {
    /// For people.
    pub name: String,
    /// What it is for.
    pub kind: Kind,
    /// Values that are given by the caller.
    pub parameters: Vec<Value>,
    /// How many variables, from the first on, are reported to the caller.
    pub results: u32,
    /// Number of variables; all begin with 0.
    pub variables: u32,
    /// Number of values.
    pub values: u32,
    /// What it does.
    pub body: Block,
}

/// A value: 64 bits, defined once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A variable: 64 bits that may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable(pub u32);

/// The number of a table in [`Module::tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableId(pub u32);

/// Statements one after the other.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Defines a value.
    Let(Value, Op),
    /// Changes a variable.
    Set(Variable, Value),
    /// The first block if the value is not 0, else the second.
    If(Value, Block, Block),
    /// For each bit that is set in `set`, from the lowest: `index` is its number.
    ForBits {
        /// The bits.
        set: Value,
        /// Defined anew for each bit.
        index: Value,
        /// What is done for each bit.
        body: Block,
    },
    /// For ever, until a [`Stmt::BreakIf`] directly or in `If`s inside.
    Loop(Block),
    /// Ends the innermost [`Stmt::Loop`] if the value is not 0. Not inside a `ForBits` within that loop.
    BreakIf(Value),
    /// Ends the function if the value is not 0. In a test: with the answer as it is.
    ReturnIf(Value),
    /// Emits a position: the one the function reads, with these words changed.
    Emit(Emission),
    /// Calls a function on the same position; if it fails, so does this one. What it reports become values.
    Call {
        /// Which function.
        function: FunctionId,
        /// Its parameters.
        arguments: Vec<Value>,
        /// Defined by what it reports: its first variables.
        results: Vec<Value>,
    },
    /// Ends the function if the value is not 0: an error of the rules.
    FailIf(Value),
}

/// What differs in an emitted position.
#[derive(Clone, Debug, PartialEq)]
pub struct Emission {
    /// Numbers of words and what they hold; signature and header are among them.
    pub words: Vec<(u32, Value)>,
    /// Numbers of values of properties that do not belong to fields, and what they hold: the low 32 bits.
    pub values: Vec<(u32, Value)>,
}

/// How a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant.
    Const(u64),
    /// A word of the position.
    Word(u32),
    /// A value of a property that does not belong to fields, extended from 32 signed bits.
    Property(u32),
    /// An entry of a table; the index is always within the table.
    Table(TableId, Value),
    /// A variable.
    Get(Variable),
    /// Two operands.
    Binary(Binary, Value, Value),
    /// One operand.
    Unary(Unary, Value),
    /// The second if the first is not 0, else the third.
    Select(Value, Value, Value),
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Both bits.
    And,
    /// Any bit.
    Or,
    /// Exactly one bit.
    Xor,
    /// The bits of the first that are not in the second.
    AndNot,
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Subtract,
    /// Wrapping product.
    Multiply,
    /// Signed quotient; the divisor is neither 0 nor -1.
    Divide,
    /// Signed remainder; the divisor is neither 0 nor -1.
    Remainder,
    /// To the left by 0 to 63.
    ShiftLeft,
    /// To the right by 0 to 63, zeros come in.
    ShiftRight,
    /// To the right by 0 to 63, the sign comes in.
    ShiftRightSigned,
    /// 1 if equal.
    Equal,
    /// 1 if different.
    NotEqual,
    /// 1 if less, signed.
    Less,
    /// 1 if less or equal, signed.
    LessEqual,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// All bits turned.
    Not,
    /// Wrapping.
    Negate,
    /// Number of bits set.
    CountOnes,
    /// Number of the lowest bit set; 64 if none.
    TrailingZeros,
    /// Number of zeros above the highest bit set; 64 if none.
    LeadingZeros,
}

impl Module {
    /// The function of that number.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }
}
