//! Bodies of requests: JSON objects without unknown members.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use multigame_session::Failure;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::Refusal;

/// Who sends a body more slowly than this does not want an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body that was understood.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        Ok(Body(read(request, state).await?))
    }
}

async fn read<S: Send + Sync, T: DeserializeOwned>(request: Request, state: &S) -> Result<T, Failure> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let is_json = kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case("application/json");
    let has_kind = !kind.is_empty();
    let bytes = timeout(PATIENCE, Bytes::from_request(request, state)).await;
    let bytes = bytes.map_err(|_| Failure::new(400, "bad-request", "the body came too slowly"))?;
    let bytes = bytes.map_err(|rejection| match rejection.status().as_u16() {
        413 => Failure::new(413, "too-large", "the body is too large; `GET /api` tells the limit"),
        _ => Failure::bad_request("the body cannot be read"),
    })?;
    // A request without a body asks for the usual values. Other sites can send bodies, but not this type.
    if !is_json && (has_kind || !bytes.is_empty()) {
        return Err(Failure::new(415, "content-type", "the body must be `content-type: application/json`"));
    }
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
    match serde_json::from_slice(text) {
        Ok(value) => Ok(value),
        Err(error) if error.is_data() => Err(Failure::bad_request(format!("the body is wrong: {error}"))),
        Err(error) => Err(Failure::new(400, "bad-json", format!("the body is not JSON: {error}"))),
    }
}
