//! Why a request cannot be answered: a status, a code for programs, and a message for people.

use std::borrow::Cow;

use multigame_game::RulesError;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a client is told instead of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The HTTP status.
    pub status: u16,
    /// For programs.
    pub code: Cow<'static, str>,
    /// For people: lower case, naming the remedy.
    pub message: String,
    /// What is wrong with the rules, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Value>,
}

impl Failure {
    /// A failure.
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Failure {
        Failure { status, code: Cow::Borrowed(code), message: message.into(), diagnostics: None }
    }

    /// A value in the body is wrong.
    pub fn bad_request(message: impl Into<String>) -> Failure {
        Failure::new(400, "bad-request", message)
    }

    /// The session cannot go on.
    pub fn session_failed() -> Failure {
        Failure::new(500, "session-failed", "the session is gone; make a new one with `POST /api/sessions`")
    }

    /// It took too long.
    pub fn too_slow(what: &str) -> Failure {
        Failure::new(
            504,
            "too-slow",
            format!("{what} took too long and was ended; simpler rules or a smaller board may help"),
        )
    }

    /// The rules have errors.
    pub fn rules(diagnostics: Value) -> Failure {
        let message = "the rules have errors; `diagnostics` says where";
        Failure { diagnostics: Some(diagnostics), ..Failure::new(422, "rules", message) }
    }

    /// The body that clients get.
    pub fn body(&self) -> String {
        let mut body = json!({"error": {"code": self.code, "message": self.message}});
        if let Some(diagnostics) = &self.diagnostics {
            body["error"]["diagnostics"] = diagnostics.clone();
        }
        body.to_string()
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
        let message = format!("{} (in rule `{}`, line {})", error.message, error.rule, error.line);
        Failure::new(422, "rules-failed", message)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        match error.downcast::<RulesError>() {
            Ok(error) => error.into(),
            Err(error) => Failure::bad_request(format!("{error:#}")),
        }
    }
}
