//! A server with its reader, its writer and its threads.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use lsp_server::Message;

use crate::framing::{self, Frame};
use crate::jobs::{self, Done};
use crate::server::Server;

/// Why a server ended badly.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input is not what an editor writes, or the output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The editor is gone.
    #[error("the input ended without the message `exit`")]
    Gone,
    /// The editor ended the server without asking it to shut down.
    #[error("the message `exit` came without `shutdown` before it")]
    NotShutDown,
}

enum Event {
    Frame(Frame),
    Closed(io::Result<()>),
    Done(Done),
}

impl From<Done> for Event {
    fn from(done: Done) -> Event {
        Event::Done(done)
    }
}

/// Serves an editor until it says `exit`.
pub fn serve(input: impl Read + Send + 'static, mut output: impl Write) -> Result<(), Failure> {
    let (sender, events) = channel();
    let reader_sender = sender.clone();
    thread::Builder::new()
        .name("multigame-lsp-reader".to_string())
        .spawn(move || read_all(BufReader::new(input), &reader_sender))?;
    let mut server = Server::new();
    loop {
        // Everything that came meanwhile is looked at before the next answer: it may cancel it.
        let first = if server.has_work() { None } else { events.recv().ok() };
        for event in first.into_iter().chain(events.try_iter()) {
            match event {
                Event::Frame(Frame::Message(message)) => server.push(message),
                Event::Frame(Frame::Unreadable(code, message)) => {
                    framing::write_error(&mut output, code, &message)?;
                }
                Event::Done(done) => server.done(done),
                Event::Closed(Err(error)) => return Err(error.into()),
                Event::Closed(Ok(())) => server.close(),
            }
        }
        server.step();
        for job in server.take_jobs() {
            jobs::start(job, sender.clone());
        }
        for message in server.take_messages() {
            message.write(&mut output)?;
        }
        if let Some(ended) = server.ended() {
            return ended;
        }
    }
}

fn read_all(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match framing::read(&mut input) {
            Ok(Some(frame)) => Event::Frame(frame),
            Ok(None) => Event::Closed(Ok(())),
            Err(error) => Event::Closed(Err(error)),
        };
        let is_last = matches!(event, Event::Closed(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Whether a message says that the editor ends the server.
pub fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(notification) if notification.method == "exit")
}
