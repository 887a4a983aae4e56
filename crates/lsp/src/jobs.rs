//! What takes longer than a key, on threads of its own.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use lsp_server::RequestId;
use multigame_ide::hints::{Runs, runs};
use multigame_ir::Program;

/// More of what a command prints is not shown.
const MOST_OUTPUT: u64 = 64 << 10;
/// Compilation of deeply nested rules needs more than a thread usually has; what is not used costs nothing.
const STACK: usize = 64 << 20;
/// How often a command is looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// Something to do.
#[derive(Debug)]
pub enum Job {
    /// Find out what runs a program.
    Runs {
        /// The document.
        uri: String,
        /// Its version.
        version: i32,
        /// Its program.
        program: Box<Program>,
    },
    /// Run this program itself.
    Command {
        /// The request that asks for it.
        id: RequestId,
        /// The arguments.
        arguments: Vec<String>,
        /// The folder to run it in.
        folder: Option<PathBuf>,
        /// Set when nobody wants the result any more.
        cancelled: Arc<AtomicBool>,
    },
}

/// What came out.
#[derive(Debug)]
pub enum Done {
    /// What runs a document, if it could be found out.
    Runs {
        /// The document.
        uri: String,
        /// Its version.
        version: i32,
        /// What runs it.
        runs: Option<Runs>,
    },
    /// What a command printed.
    Command {
        /// The request that asked for it.
        id: RequestId,
        /// What it printed, or why it failed.
        output: Result<String, String>,
    },
}

/// Starts a job; its result goes to `done`.
pub fn start<E: From<Done> + Send + 'static>(job: Job, done: Sender<E>) {
    let (unable, sender) = (give_up(&job), done.clone());
    let work = move || {
        // The receiver may be gone.
        let _ = sender.send(E::from(run(job)));
    };
    let started = thread::Builder::new().name("multigame-lsp-job".to_string()).stack_size(STACK).spawn(work);
    if started.is_err() {
        let _ = done.send(E::from(unable));
    }
}

/// The result where no thread is to be had.
fn give_up(job: &Job) -> Done {
    match job {
        Job::Runs { uri, version, .. } => Done::Runs { uri: uri.clone(), version: *version, runs: None },
        Job::Command { id, .. } => {
            let message = "the system gives no further thread; close something and try again".to_string();
            Done::Command { id: id.clone(), output: Err(message) }
        }
    }
}

fn run(job: Job) -> Done {
    match job {
        Job::Runs { uri, version, program } => {
            let runs = catch_unwind(AssertUnwindSafe(|| runs(&program))).ok();
            Done::Runs { uri, version, runs }
        }
        Job::Command { id, arguments, folder, cancelled } => {
            Done::Command { id, output: command(&arguments, folder, &cancelled) }
        }
    }
}

/// Runs a command of this program and gives what it prints.
fn command(arguments: &[String], folder: Option<PathBuf>, cancelled: &AtomicBool) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot run `multigame {}`: {error}", arguments.join(" "));
    let mut command = Command::new(std::env::current_exe().map_err(cannot)?);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let mut child = command.spawn().map_err(cannot)?;
    let readers = [
        child.stdout.take().map(|pipe| thread::spawn(move || read(pipe))),
        child.stderr.take().map(|pipe| thread::spawn(move || read(pipe))),
    ];
    let status = loop {
        if cancelled.load(Ordering::Relaxed) {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
        }
        match child.try_wait().map_err(cannot)? {
            Some(status) => break status,
            None => thread::sleep(PAUSE),
        }
    };
    let [output, errors] = readers.map(|reader| reader.and_then(|it| it.join().ok()).unwrap_or_default());
    if status.success() { Ok(output) } else { Err(format!("{errors}{output}")) }
}

/// What a pipe says, the first part of it; the rest is read so that nobody waits.
fn read(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // Output that was read before an error is still worth showing.
    let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
