//! The server's outside: paths, bodies, events, the page, and who may come in.

mod api;
mod body;
mod connections;
mod events;
mod guard;
mod guesses;
mod page;
mod path;
mod patient;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use multigame_session::Failure;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

pub use connections::serve;
pub use guesses::Guesses;

use crate::sessions::Sessions;

/// Shorter answers are not worth compressing.
const WORTH_COMPRESSING: u16 = 1024;

/// All paths.
pub fn router(sessions: Arc<Sessions>) -> Router {
    let body = sessions.config().limits.body;
    let compressible =
        SizeAbove::new(WORTH_COMPRESSING).and(NotForContentType::SSE).and(NotForContentType::IMAGES);
    Router::new()
        .route("/api", get(api::limits))
        .route("/api/games", get(api::games))
        .route("/api/games/{name}", get(api::game))
        .route("/api/language", get(api::language))
        .route("/api/rules/check", post(api::check))
        .route("/api/rules/format", post(api::format))
        .route("/api/rules/hover", post(api::hover))
        .route("/api/rules/complete", post(api::complete))
        .route("/api/sessions", post(api::open))
        .route("/api/sessions/{id}", get(api::session).delete(api::close))
        .route("/api/sessions/{id}/state", get(api::state))
        .route("/api/sessions/{id}/events", get(events::stream))
        .route("/api/sessions/{id}/play", post(api::play))
        .route("/api/sessions/{id}/undo", post(api::undo))
        .route("/api/sessions/{id}/redo", post(api::redo))
        .route("/api/sessions/{id}/jump", post(api::jump))
        .route("/api/sessions/{id}/reset", post(api::reset))
        .route("/api/sessions/{id}/think", post(api::think))
        .route("/api/sessions/{id}/solve", post(api::solve))
        .route("/api/sessions/{id}/evaluate", post(api::evaluate))
        .route("/api/sessions/{id}/simulate", post(api::simulate))
        .route("/api/sessions/{id}/stop", post(api::stop))
        .route("/api/sessions/{id}/tree", post(api::tree))
        .route("/api/sessions/{id}/tree/{node}", get(api::node))
        .method_not_allowed_fallback(no_such_method)
        .fallback(page::file)
        .layer(DefaultBodyLimit::max(body))
        .layer(
            CompressionLayer::new().gzip(true).quality(CompressionLevel::Fastest).compress_when(compressible),
        )
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&sessions), guard::guard))
        .with_state(sessions)
}

async fn no_such_method() -> Refusal {
    Failure::new(405, "method", "this path has no such method; docs/api.md lists them").into()
}

/// A failure as an answer.
pub struct Refusal(Failure);

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal(failure)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refusal(failure) = self;
        let status = StatusCode::from_u16(failure.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        json(status, failure.body())
    }
}

/// An answer with a body of JSON.
fn json(status: StatusCode, body: String) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    (status, [kind], body).into_response()
}
