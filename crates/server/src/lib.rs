//! Games, searches and rules over HTTP, with a page to play on.
//!
//! docs/api.md is the contract. Inside, a session (of the crate `session`) is a thread that works through a
//! mailbox; bundled games run in this process, rules that come with a request in a process of their own
//! (`worker`), and `sessions` does not see the difference (`link`).
//!
//! **Invariant:** rules of strangers never run in the server's process.

#![allow(clippy::disallowed_methods, reason = "a front end does input and output")]
#![forbid(unsafe_code)]

mod bundled;
mod config;
pub mod databases;
mod handles;
mod http;
mod link;
mod local;
mod sessions;
pub mod worker;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpListener;

pub use config::{Config, Limits};
pub use local::{Answer, Local};

/// Between two looks at the flag that ends the server.
const LOOK: Duration = Duration::from_millis(20);

/// Serves until Ctrl-C or SIGTERM. `ready` is told the address as soon as it can be used.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    if !config.address.is_loopback() && config.token.is_none() {
        bail!(
            "`--bind {}` lets others in: choose a token that they must know, with `--token-file`, \
             `MULTIGAME_TOKEN` or `--token`",
            config.address
        );
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
        let most = handles::connections(&config.limits)?;
        let flag = config.end;
        let sessions = sessions::Sessions::new(config);
        let router = http::router(Arc::clone(&sessions));
        tokio::select! {
            () = http::serve(listener, router, most) => {}
            ended = end() => ended?,
            () = set(flag) => {}
        }
        // Other ranks are not left in the middle of a search.
        sessions.close_all();
        anyhow::Ok(())
    })?;
    // Sessions that still think are not waited for.
    runtime.shutdown_background();
    Ok(())
}

/// Waits until somebody sets a flag.
async fn set(flag: Option<&'static AtomicBool>) {
    let Some(flag) = flag else { return std::future::pending().await };
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// Waits until somebody wants the server to end.
async fn end() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            result = tokio::signal::ctrl_c() => result,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// What can be in a cookie and a header.
fn is_usable(token: &str) -> bool {
    (8..=200).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
