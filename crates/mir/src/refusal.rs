//! Why rules are left to the interpreter: the reason, the statement, and what to write instead.

use multigame_ir::{Origin, OriginId, Program};

/// Why a program cannot be lowered: the interpreter plays it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: String,
    /// The innermost statement or expression it is about, while the program is lowered.
    origin: Option<OriginId>,
    /// The same as a place, afterwards.
    place: Option<Origin>,
}

impl Refusal {
    pub(crate) fn new(reason: &str) -> Refusal {
        Refusal { reason: reason.to_string(), origin: None, place: None }
    }

    pub(crate) fn is(&self, reason: &str) -> bool {
        self.reason == reason
    }

    /// The refusal about something inside the statement or expression of that origin.
    pub(crate) fn inside(mut self, origin: OriginId) -> Refusal {
        if origin != OriginId::default() && !self.is_about_the_whole() {
            self.origin.get_or_insert(origin);
        }
        self
    }

    /// Whether no single statement is to blame.
    fn is_about_the_whole(&self) -> bool {
        [TOO_MUCH, NESTED, TOO_MANY_FUNCTIONS].contains(&self.reason.as_str())
    }

    /// The refusal with its place in the text.
    pub(crate) fn placed(mut self, program: &Program) -> Refusal {
        let origin = self.origin.and_then(|origin| program.origins.get(origin.0 as usize));
        self.place = self.place.or(origin.filter(|origin| origin.line > 0).cloned());
        self
    }

    /// What the compiler does not do.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The statement or expression it is about, if it is about one.
    pub fn place(&self) -> Option<&Origin> {
        self.place.as_ref()
    }

    /// What to write instead, as far as that can be told in general.
    pub fn remedy(&self) -> Option<&'static str> {
        REMEDIES.iter().find(|(reason, _)| self.reason.ends_with(reason)).map(|(_, remedy)| *remedy)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not compiled: {}", self.reason)?;
        match &self.place {
            Some(place) => write!(f, " (rule `{}`, line {})", place.rule, place.line),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

pub(crate) type R<T> = Result<T, Refusal>;

/// Why rules are tried again with more functions.
pub(crate) const TOO_MUCH: &str = "the rules give too much code";
pub(crate) const NESTED: &str = "rules that are nested too deeply";
pub(crate) const TOO_MANY_FUNCTIONS: &str = "recursive rules that would need too many functions";

pub(crate) const DIVISOR: &str = "a division by something that may be 0 or negative";
pub(crate) const SHIFT: &str = "a shift by a number that may be negative or too large";
pub(crate) const SIGNED_BITS: &str = "`&`, `|` or `^` of numbers that may be negative";
pub(crate) const OVERFLOW: &str = "arithmetic whose result may not fit into 64 bits";
pub(crate) const SOMETIMES: &str = "an assignment that is not always made, inside an expression";
pub(crate) const SUM: &str = "`sum` over statements that change something or stop at single fields";
pub(crate) const MANY_FINGERS: &str = "`count` or `sum` for many fingers at once";
pub(crate) const TWICE: &str = "`count` of statements that may come to the same state twice";
pub(crate) const TURNED: &str = "`count` or `sum` after a loop that turns: directions tell states apart";
pub(crate) const SCORE: &str = "a score that may not fit into 32 bits";
pub(crate) const NOWHERE: &str = "the finger is needed where it may point nowhere";
pub(crate) const UNFACED: &str = "a direction that may not be set";
pub(crate) const FULL_HAND: &str = "`pick up` with a hand that may be full";
pub(crate) const EMPTY_HAND: &str = "`put down` with a hand that may be empty";
pub(crate) const PIECE_IN_HAND: &str = "a move that may end with a piece in hand";
pub(crate) const DEPENDENT: &str = "effects that depend on each other";
pub(crate) const FAR: &str = "a loop on sets with more than 24 rounds";

/// Reasons that people meet, and what to write instead. What a refusal says ends with one of them.
pub const REMEDIES: &[(&str, &str)] = &[
    (DIVISOR, "divide by a constant or by a property whose range begins at 1 or above"),
    (SHIFT, "shift by a constant or by a property whose range lies in 0 .. 62"),
    (SIGNED_BITS, "use properties whose ranges begin at 0"),
    (OVERFLOW, "use properties with smaller ranges, or fewer factors"),
    (SOMETIMES, "make it a statement: `try [ assert (condition), assign (p = value) ]`"),
    (
        SUM,
        "find and test inside `sum`, change afterwards; or sum up in a move property by `for each P do \
         assign (...)`",
    ),
    (
        MANY_FINGERS,
        "count what does not depend on the finger, or put what is counted into a rule that begins with \
         `find`",
    ),
    (TWICE, "count fields instead of ways: `count [ find P, test [ ... ] ]`"),
    (TURNED, "put `test [ ... ]` around the loop"),
    (SCORE, "use properties with smaller ranges"),
    (NOWHERE, "point the finger on every way there, by `find` or `move to`"),
    (UNFACED, "set the direction on every way there, such as by `any direction`"),
    (FULL_HAND, "`put down` on every way there"),
    (EMPTY_HAND, "`pick up` on every way there"),
    (PIECE_IN_HAND, "`put down` on every way to the end of `main`"),
    (
        DEPENDENT,
        "let the statement do one thing; use `for each P do` for fields that change one after the other",
    ),
    (FAR, "count to at most 24, or write `infinity`"),
    (NESTED, "give parts of the rules fewer alternatives inside alternatives"),
    (TOO_MUCH, "do what alternatives have in common before or after `either`, once"),
    (TOO_MANY_FUNCTIONS, "write the recursion as a loop: `repeat` or `while`"),
];
