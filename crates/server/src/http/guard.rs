//! Who may come in, and what browsers are told about every answer.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use multigame_session::Failure;

use super::Refusal;
use super::connections::Peer;
use super::guesses::Verdict;
use crate::sessions::Sessions;

/// The cookie that carries the token.
const COOKIE: &str = "multigame_token";

/// What browsers are told besides who may frame the page: nothing foreign, no guessing.
const HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// What browsers are told about content, up to the pages that may frame it.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors";

/// Checks a request and marks its answer.
pub async fn guard(State(sessions): State<Arc<Sessions>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api");
    let mut response = match check(&sessions, &request, is_api) {
        Ok(None) => next.run(request).await,
        Ok(Some(response)) => response,
        Err(failure) => Refusal::from(failure).into_response(),
    };
    let headers = response.headers_mut();
    let framed_by = sessions.config().framed_by.as_deref();
    if let Ok(policy) = HeaderValue::from_str(&format!("{POLICY} {}", framed_by.unwrap_or("'none'"))) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if framed_by.is_none() {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Nothing if the request may pass; sometimes the answer is known already.
fn check(sessions: &Sessions, request: &Request, is_api: bool) -> Result<Option<Response>, Failure> {
    let headers = request.headers();
    let named = single(headers, header::HOST)?;
    let host = request.uri().authority().map(|authority| authority.as_str()).or(named);
    let config = sessions.config();
    // A name of another site that leads here (DNS rebinding) is not ours. Who knows the token may use any
    // name.
    if config.token.is_none()
        && !host.is_some_and(|host| is_own(host_name(host), &config.address.to_string()))
    {
        return Err(Failure::new(403, "host", "this server answers to `localhost` and its address only"));
    }
    if is_api {
        same_site(headers, host)?;
    }
    let Some(token) = &config.token else { return Ok(None) };
    let in_address = query_token(request);
    let Some(given) = in_address.map_or_else(|| carried_token(headers), |given| Ok(Some(given)))? else {
        return Err(wrong_token());
    };
    let Peer(from) = request.extensions().get().copied().unwrap_or(Peer(Ipv4Addr::UNSPECIFIED.into()));
    let is_right = |given: &[u8]| same(given, token.as_bytes());
    match sessions.guesses.judge(from, Instant::now(), given.as_bytes(), is_right) {
        Verdict::Right => Ok(in_address.map(|_| welcome(token))),
        Verdict::Wrong => Err(wrong_token()),
        Verdict::Wait(left) => Err(Failure::new(
            429,
            "guessing",
            format!("too many wrong tokens came from your address; try again in {} s", left.as_secs() + 1),
        )),
    }
}

/// The token in a header or a cookie.
fn carried_token(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    if let Some(bearer) = single(headers, header::AUTHORIZATION)? {
        return Ok(bearer.strip_prefix("Bearer ").map(str::trim));
    }
    let cookies = single(headers, header::COOKIE)?.unwrap_or("").split(';');
    let mut named = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    Ok(named.find(|(name, _)| *name == COOKIE).map(|(_, value)| value))
}

/// The text of a header that must not come twice: others on the way here might look at the other one.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Failure> {
    let mut values = headers.get_all(&name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(Failure::bad_request(format!("the header `{name}` must not come twice")));
    }
    let text = value.map(|value| value.to_str()).transpose();
    text.map_err(|_| Failure::bad_request(format!("the header `{name}` is not text")))
}

/// Other sites must not talk to this one in the name of whoever visits them.
fn same_site(headers: &HeaderMap, host: Option<&str>) -> Result<(), Failure> {
    let refused =
        || Failure::new(403, "origin", "requests of other sites are refused; open the page of this server");
    if let Some(origin) = single(headers, header::ORIGIN)? {
        let origin = origin.split_once("://").map(|(_, host)| host);
        if origin.is_none() || origin != host {
            return Err(refused());
        }
    }
    let site = single(headers, HeaderName::from_static("sec-fetch-site"))?;
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Err(refused());
    }
    Ok(())
}

/// The name without the port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_own(name: &str, address: &str) -> bool {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    matches!(bare, "localhost" | "127.0.0.1" | "::1") || bare == address
}

fn query_token(request: &Request) -> Option<&str> {
    let query = request.uri().query().filter(|_| request.uri().path() == "/")?;
    query.split('&').find_map(|part| part.strip_prefix("token="))
}

/// A cookie for the token, and on to the page without it in the address.
fn welcome(token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    let mut response = StatusCode::SEE_OTHER.into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn wrong_token() -> Failure {
    let message =
        "a token is needed: `authorization: Bearer TOKEN`, or open `/?token=TOKEN` in a browser once";
    Failure::new(401, "token", message)
}

/// Takes the same time wherever the difference is.
fn same(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |differences, (a, b)| differences | (a ^ b));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_are_answered() {
        for own in ["localhost:8017", "127.0.0.1", "[::1]:80", "10.1.2.3:99"] {
            assert!(is_own(host_name(own), "10.1.2.3"), "{own}");
        }
        for foreign in ["example.org", "localhost.example.org:80", "127.0.0.1.example.org", "", "10.1.2.4"] {
            assert!(!is_own(host_name(foreign), "10.1.2.3"), "{foreign}");
        }
    }

    #[test]
    fn origins_must_be_the_host() {
        let check = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            same_site(&headers, Some("127.0.0.1:80")).is_ok()
        };
        assert!(check("origin", "http://127.0.0.1:80") && check("sec-fetch-site", "same-origin"));
        assert!(!check("origin", "http://127.0.0.1:81") && !check("origin", "null"));
        assert!(!check("sec-fetch-site", "cross-site") && !check("sec-fetch-site", "same-site"));
    }

    #[test]
    fn a_header_comes_once() {
        let mut headers = HeaderMap::new();
        assert_eq!(single(&headers, header::HOST), Ok(None));
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert_eq!(single(&headers, header::HOST), Ok(Some("localhost")));
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert_eq!(single(&headers, header::HOST).unwrap_err().status, 400);
        headers.insert(header::HOST, HeaderValue::from_bytes(b"\xff").unwrap());
        assert_eq!(single(&headers, header::HOST).unwrap_err().status, 400);
    }
}
