//! The event stream of a session.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use multigame_session::Failure;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::wrappers::errors::BroadcastStreamRecvError;
use tokio_stream::{Stream, StreamExt};

use super::Refusal;
use super::path::Path;
use crate::sessions::Sessions;

/// A comment now and then keeps connections open, and finds out which are not.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);
/// Listeners of one session.
const MOST_LISTENERS: usize = 16;

/// Everything that happens in a session, the state first.
pub async fn stream(
    State(sessions): State<Arc<Sessions>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Refusal> {
    let session = sessions.get(&id)?;
    if session.events.receiver_count() >= MOST_LISTENERS {
        return Err(Failure::new(429, "busy", "too many listen to this session; close a page").into());
    }
    // Who listens first and asks then misses nothing.
    let events = BroadcastStream::new(session.events.subscribe());
    let state = sessions.state(&session).await?;
    let first = tokio_stream::once(("state", state));
    // The stream must not keep a closed session alive.
    let weak = Arc::downgrade(&session);
    let rest = events.filter_map(move |event| match event {
        Ok(event) => Some((event.name, event.data.to_string())),
        // A client that is too slow has missed events: the state says where things are.
        Err(BroadcastStreamRecvError::Lagged(_)) => {
            let state = weak.upgrade().and_then(|session| session.last_state());
            state.map(|state| ("state", state))
        }
    });
    let mut closed = false;
    let all = first.chain(rest).take_while(move |(name, _)| {
        let go_on = !closed;
        closed = *name == "closed";
        go_on
    });
    let messages = all.map(|(name, data)| Ok(Message::default().event(name).data(data)));
    Ok(Sse::new(messages).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)))
}
