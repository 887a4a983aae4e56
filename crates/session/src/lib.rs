//! A game being played, for clients that speak JSON: its moves and their gestures, searches, simulations, and
//! questions about rules.
//!
//! It knows neither sockets nor processes. `server` runs sessions on threads and in processes of their own,
//! `browser` runs them inside a page.

pub mod describe;
mod failure;
mod gallery;
mod known;
mod protocol;
mod ready;
mod rules;
mod session;

pub use failure::Failure;
pub use gallery::{Gallery, rules_of};
pub use known::Known;
pub use protocol::{
    Answer, ClockSetting, EVENTS, Event, Events, Grow, Header, Mailbox, Opening, Order, Parallel, Reply,
    Request, Rules, Simulate, Stops, Think,
};
pub use ready::{MakeGame, MakeHosted, Ready, With, get_ready};
pub use rules::{Compiled, Question, answer, compiled, shelf, words};
pub use session::{Hosted, HostedGame, Next, Ongoing, Opened, run};
