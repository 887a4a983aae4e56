//! Games, searches and rules over HTTP, with a page to play on.
//!
//! docs/api.md is the contract. Inside, a session is a thread that works through a mailbox (`session`); bundled games
//! run in this process, rules that come with a request in a process of their own (`worker`), and `sessions` does not
//! see the difference (`link`).
//!
//! **Invariant:** rules of strangers never run in the server's process.

#![forbid(unsafe_code)]

mod bundled;
mod config;
mod describe;
mod failure;
mod http;
mod language;
mod link;
mod protocol;
mod rules;
mod session;
mod sessions;
pub mod worker;

use std::net::SocketAddr;

use anyhow::{Context, bail};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

pub use config::{Config, Limits};

/// Serves until Ctrl-C. `ready` is told the address as soon as it can be used.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    if !config.address.is_loopback() && config.token.is_none() {
        bail!("`--bind {}` lets others in: choose a `--token` that they must know", config.address);
    }
    if config.token.as_ref().is_some_and(|token| !is_usable(token)) {
        bail!("the token must have 8 to 200 letters, digits, `-` or `_`");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let address = SocketAddr::new(config.address, config.port);
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}; choose another `--port`, or 0 for any"))?;
        ready(listener.local_addr()?);
        // Events are small and must not wait for each other.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let router = http::router(sessions::Sessions::new(config));
        tokio::select! {
            result = async { axum::serve(listener, router).await } => result?,
            _ = tokio::signal::ctrl_c() => {}
        }
        anyhow::Ok(())
    })?;
    // Sessions that still think are not waited for.
    runtime.shutdown_background();
    Ok(())
}

/// What can stand in a cookie and a header.
fn is_usable(token: &str) -> bool {
    (8..=200).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
