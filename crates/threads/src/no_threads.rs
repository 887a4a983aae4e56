//! What happens when the system has no thread left.

use multigame_search::SearchError;

/// Some threads could not be started, so none of them did anything.
#[derive(Debug, thiserror::Error)]
#[error("only {} of {} threads can be started here ({reason}); use fewer `threads`", started + 1, wanted + 1)]
pub struct NoThreads {
    /// Threads beside the one of the caller.
    pub(crate) wanted: usize,
    /// Those that were started.
    pub(crate) started: usize,
    /// What the system says.
    pub(crate) reason: std::io::Error,
}

impl From<NoThreads> for SearchError {
    fn from(error: NoThreads) -> SearchError {
        SearchError::Unsuitable(error.to_string())
    }
}
