//! The page, which is part of the program.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use multigame_session::Failure;

use super::Refusal;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

struct File {
    kind: &'static str,
    plain: Bytes,
    zipped: Bytes,
    tag: String,
    /// Names with a hash in them never change their content.
    forever: bool,
}

static PAGE: LazyLock<HashMap<&str, File>> = LazyLock::new(|| {
    let read = |path: &str, content: &'static [u8]| {
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let zipped = Bytes::from(zipped(content));
        let forever = path.rsplit_once('.').is_some_and(|(stem, _)| has_hash(stem));
        File { kind: kind(path), plain: Bytes::from_static(content), zipped, tag, forever }
    };
    FILES.iter().map(|(path, content)| (*path, read(path, content))).collect()
});

/// `chunk-A1B2C3D4`: what bundlers call files.
fn has_hash(stem: &str) -> bool {
    let hash = stem.rsplit_once('-').map_or("", |(_, hash)| hash);
    hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

fn zipped(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// A file of the page; nothing else can be read, because only embedded names are looked up.
pub async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if path.starts_with("/api") {
        return refuse(404, "no-such-path", "there is no such path; docs/api.md lists them");
    }
    if method != Method::GET && method != Method::HEAD {
        return refuse(405, "method", "the page can only be read");
    }
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    match PAGE.get(name) {
        Some(file) => file.answer(&headers),
        None => refuse(404, "no-such-path", "there is no such file; the page is at `/`"),
    }
}

fn refuse(status: u16, code: &'static str, message: &str) -> Response {
    Refusal::from(Failure::new(status, code, message)).into_response()
}

impl File {
    fn answer(&self, asked: &HeaderMap) -> Response {
        let text = |name| asked.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        let lifetime = if self.forever { "public, max-age=31536000, immutable" } else { "no-cache" };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lifetime));
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            headers.insert(header::ETAG, tag);
        }
        let known =
            text(header::IF_NONE_MATCH).split(',').any(|tag| tag.trim().trim_start_matches("W/") == self.tag);
        if known {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let takes_gzip =
            text(header::ACCEPT_ENCODING).split(',').any(|coding| coding.trim().starts_with("gzip"));
        if takes_gzip && self.zipped.len() < self.plain.len() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            return (headers, self.zipped.clone()).into_response();
        }
        (headers, self.plain.clone()).into_response()
    }
}
