//! The server over a real socket: the contract of docs/api.md, clicks, searches, limits, and input that means
//! no good.

#[path = "server/clicks.rs"]
mod clicks;
#[path = "server/client.rs"]
mod client;
#[path = "server/contract.rs"]
mod contract;
#[path = "server/hostile.rs"]
mod hostile;
#[cfg(target_os = "linux")]
#[path = "server/lifetime.rs"]
mod lifetime;
#[path = "server/parallel.rs"]
mod parallel;
#[path = "server/searches.rs"]
mod searches;
#[path = "server/solved.rs"]
mod solved;
#[cfg(target_os = "linux")]
#[path = "server/strangers.rs"]
mod strangers;
