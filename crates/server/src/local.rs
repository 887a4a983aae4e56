//! The server without a socket: requests go straight to its paths, as fuzzers send them.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, header};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::runtime::Runtime;
use tokio_stream::StreamExt;

use crate::config::Config;
use crate::http;
use crate::sessions::Sessions;

/// More than any answer has.
const LONGEST: usize = 64 << 20;

/// A server in this process, without a socket, connections and their limits.
pub struct Local {
    router: TowerToHyperService<axum::Router>,
    runtime: Runtime,
}

/// What it answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The type of the body; empty if there is none.
    pub kind: String,
    /// The body; of a stream of events the first one.
    pub body: Vec<u8>,
}

impl Local {
    /// A server without sessions.
    pub fn new(config: Config) -> std::io::Result<Local> {
        let runtime = Runtime::new()?;
        let router = runtime.block_on(async { http::router(Sessions::new(config)) });
        Ok(Local { router: TowerToHyperService::new(router), runtime })
    }

    /// Answers a request whose body is JSON; nothing if no client can send such a request.
    pub fn ask(&self, method: &str, path: &str, body: &[u8]) -> Option<Answer> {
        let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
        let request = request.header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let request = request.body(Body::from(body.to_vec())).ok()?;
        self.runtime.block_on(async {
            let Ok(response) = self.router.call(request).await;
            let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            let (status, kind) = (response.status().as_u16(), kind.unwrap_or_default().to_string());
            let body = match kind.as_str() {
                // Events never end.
                "text/event-stream" => response.into_body().into_data_stream().next().await?,
                _ => to_bytes(response.into_body(), LONGEST).await,
            };
            Some(Answer { status, kind, body: body.ok()?.to_vec() })
        })
    }
}
