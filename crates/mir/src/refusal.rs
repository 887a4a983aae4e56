//! Why rules are left to the interpreter.

/// Why a program cannot be lowered: the interpreter plays it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    pub(crate) fn new(reason: &str) -> Refusal {
        Refusal(reason.to_string())
    }

    pub(crate) fn is(&self, reason: &str) -> bool {
        self.0 == reason
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not compiled: {}", self.0)
    }
}

impl std::error::Error for Refusal {}

pub(crate) type R<T> = Result<T, Refusal>;

/// Why rules are tried again with more functions.
pub(crate) const TOO_MUCH: &str = "the rules give too much code";
