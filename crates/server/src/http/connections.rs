//! Connections: how many there may be, and how long one may do nothing.
//!
//! A client that opens connections and says nothing, or says it very slowly, or does not read its answers
//! costs a file handle each time. So a request's head has to come in time, an answer has to be taken in time,
//! and where there are too many connections the one that was idle for the longest time is closed for the next
//! one.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use axum::response::Response;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use multigame_session::Failure;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::patient::Patient;

/// For the head of a request, from the end of the last one on.
const HEAD: Duration = Duration::from_secs(10);
/// A client that takes nothing of an answer for this long does not want it.
const SILENCE: Duration = Duration::from_secs(30);
/// After a failure to accept a connection, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);
/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// Answers requests for ever.
pub async fn serve(listener: TcpListener, router: Router, most: usize) {
    let connections = Arc::new(Connections { open: Mutex::default(), next: AtomicUsize::new(0), most });
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => match connections.enter() {
                Some(seat) => drop(tokio::spawn(converse(stream, peer, router.clone(), seat))),
                None => drop(tokio::spawn(refuse(stream))),
            },
            // The other side has left already, or the machine has no room, which idle connections have to
            // make.
            Err(_) => {
                connections.close_idlest();
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn refuse(mut stream: TcpStream) {
    let body = Failure::new(503, "busy", "there are too many connections; try again in some seconds").body();
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    // Nobody minds if this cannot be said.
    let _ = tokio::time::timeout(PAUSE, stream.write_all(answer.as_bytes())).await;
}

/// Answers the requests of one connection.
async fn converse(stream: TcpStream, peer: SocketAddr, router: Router, seat: Seat) {
    // Events are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let connection = &seat.connection;
    let answer = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer.ip()));
        let busy = Busy::new(connection);
        let response = router.call(request);
        async move { response.await.map(|response| keep_busy(response, busy)) }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let conversation = pin!(server.serve_connection(TokioIo::new(Patient::new(stream, SILENCE)), answer));
    tokio::select! {
        // However it ends, it was the other side's doing.
        _ = conversation => {}
        () = connection.leave.notified() => {}
    }
}

/// All connections.
#[derive(Debug)]
struct Connections {
    open: Mutex<HashMap<usize, Arc<Connection>>>,
    next: AtomicUsize,
    most: usize,
}

impl Connections {
    /// Room for another one, if there is any or somebody can make it.
    fn enter(self: &Arc<Self>) -> Option<Seat> {
        if self.open.lock().expect("nobody panics here").len() >= self.most && !self.close_idlest() {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection::default());
        self.open.lock().expect("nobody panics here").insert(number, Arc::clone(&connection));
        Some(Seat { number, connection, of: Arc::clone(self) })
    }

    /// Closes the connection that was idle for the longest time; false if none is idle.
    fn close_idlest(&self) -> bool {
        let mut open = self.open.lock().expect("nobody panics here");
        let idle = open.iter().filter_map(|(number, connection)| Some((connection.idle_since()?, *number)));
        let Some((_, number)) = idle.min() else { return false };
        if let Some(connection) = open.remove(&number) {
            connection.leave.notify_one();
        }
        true
    }
}

/// One connection's place.
struct Seat {
    number: usize,
    connection: Arc<Connection>,
    of: Arc<Connections>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.of.open.lock().expect("nobody panics here").remove(&self.number);
    }
}

/// What is known of a connection.
#[derive(Debug)]
struct Connection {
    /// Requests being answered, and since when there were none.
    work: Mutex<(usize, Instant)>,
    leave: Notify,
}

impl Default for Connection {
    fn default() -> Connection {
        Connection { work: Mutex::new((0, Instant::now())), leave: Notify::new() }
    }
}

impl Connection {
    fn idle_since(&self) -> Option<Instant> {
        let (requests, since) = *self.work.lock().expect("nobody panics here");
        (requests == 0).then_some(since)
    }
}

/// A request is being answered, to the last byte of the answer.
struct Busy(Arc<Connection>);

impl Busy {
    fn new(connection: &Arc<Connection>) -> Busy {
        connection.work.lock().expect("nobody panics here").0 += 1;
        Busy(Arc::clone(connection))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut work = self.0.work.lock().expect("nobody panics here");
        *work = (work.0 - 1, Instant::now());
    }
}

/// The connection is busy for as long as there is more of the answer.
fn keep_busy(response: Response, busy: Busy) -> Response {
    response.map(|body| Body::new(BusyBody { body, _busy: busy }))
}

struct BusyBody {
    body: Body,
    _busy: Busy,
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_idle_makes_room_and_busy_ones_stay() {
        let all = Arc::new(Connections { open: Mutex::default(), next: AtomicUsize::new(0), most: 3 });
        let seats: Vec<Seat> = (0..3).filter_map(|_| all.enter()).collect();
        let busy = Busy::new(&seats[0].connection);
        let fourth = all.enter().expect("the second makes room");
        let open = |seat: &Seat| all.open.lock().unwrap().contains_key(&seat.number);
        assert_eq!(seats.iter().map(open).collect::<Vec<_>>(), [true, false, true]);
        let _all_busy: Vec<Busy> = [&seats[2], &fourth].map(|seat| Busy::new(&seat.connection)).into();
        assert!(all.enter().is_none());
        drop(busy);
        assert!(all.enter().is_some());
        drop(fourth);
        assert!(all.open.lock().unwrap().len() < 3, "whoever leaves makes room");
    }
}
