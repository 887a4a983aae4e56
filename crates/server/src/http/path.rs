//! Names in paths: what cannot be read is a failure like any other.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use multigame_session::Failure;
use serde::de::DeserializeOwned;

use super::Refusal;

/// The parts of a path that have names.
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(names)) => Ok(Path(names)),
            Err(_) => Err(Failure::bad_request("the path is not UTF-8 after its `%` are decoded").into()),
        }
    }
}
