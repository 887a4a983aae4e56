//! Bytes over MPI, by the crate `ferrompi`.
//!
//! `ferrompi` was chosen over `mpi` (rsmpi): it answers with `Result` everywhere, needs no libclang, and its
//! persistent sends own their buffers, so that sending without waiting takes no unsafe code. A send is such a
//! request that is started once.
//!
//! It is here and not in a crate of its own, so that the feature `mpi` compiles nothing else anew.
//!
//! One thread at a time calls MPI (`Serialized`): the cluster's desk is behind a lock.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ferrompi::{Communicator, Error, Mpi, PersistentRequest, Source, Tag, ThreadLevel};

use multigame_cli::Leave;
use multigame_cluster::{Lost, Rank, Transport};

/// The tag of a message, or of its last piece; and of the pieces before it. Messages are received with any
/// tag, so that their order is kept.
const WHOLE: i32 = 1;
const PIECE: i32 = 2;
/// The tag of the last message of a rank to another. What was sent has to be received before MPI ends: MPICH
/// complains of the rest on standard output.
const FAREWELL: i32 = 3;
/// How long farewells may take.
const LEAVING: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_micros(50);
/// Bytes of a piece. MPI may not return before a piece has arrived, and ranks give no sign of life until
/// then.
const LARGEST: usize = 256 << 10;
/// Pieces that are received at once, for the same reason.
const AT_ONCE: u32 = 16;

fn lost(error: Error) -> Lost {
    Lost(format!("MPI failed: {error}"))
}

/// Joins the processes of the job, and does something with the way to the others.
pub fn join(work: &mut dyn FnMut(Box<dyn Transport>) -> Leave) -> Result<(), Lost> {
    let session = Session::start()?;
    match work(Box::new(session.transport()?)) {
        Leave::Together => {}
        // To end MPI takes the launcher's help, and the launcher is busy with ending the job.
        Leave::AtOnce => std::mem::forget(session),
    }
    Ok(())
}

/// MPI for as long as it lives; it must outlive the transport and be dropped by the thread that made it.
struct Session {
    mpi: Mpi,
}

impl Session {
    /// Starts MPI.
    fn start() -> Result<Session, Lost> {
        let mpi = Mpi::init_thread(ThreadLevel::Serialized).map_err(lost)?;
        if mpi.thread_level() < ThreadLevel::Serialized {
            let message = "this MPI library serves one thread only; use one with thread support";
            return Err(Lost(message.to_string()));
        }
        Ok(Session { mpi })
    }

    /// The ranks of the job.
    fn transport(&self) -> Result<MpiTransport, Lost> {
        let world = self.mpi.world();
        let host = world.processor_name().map_err(lost)?;
        let library = Mpi::library_version().map_err(lost)?;
        let library = library.lines().next().unwrap_or_default();
        let library = library.split(',').next().unwrap_or_default().split_whitespace();
        let library = library.collect::<Vec<_>>().join(" ");
        let begun = vec![Vec::new(); world.size() as usize];
        Ok(MpiTransport { world, host, library, leaving: VecDeque::new(), begun, gone: 0 })
    }
}

/// The ranks of an MPI job.
struct MpiTransport {
    world: Communicator,
    host: String,
    library: String,
    /// What is still on its way, oldest first.
    leaving: VecDeque<PersistentRequest<u8>>,
    /// What has arrived of a message from each rank.
    begun: Vec<Vec<u8>>,
    /// How many ranks have said farewell.
    gone: u32,
}

impl MpiTransport {
    fn start(&mut self, to: Rank, bytes: Vec<u8>, tag: i32) -> Result<(), Lost> {
        let mut request = self.world.send_init(bytes, to as i32, tag).map_err(lost)?;
        request.start().map_err(lost)?;
        self.leaving.push_back(request);
        Ok(())
    }

    /// The next message or piece of one, and who sent it.
    fn take(&mut self) -> Result<Option<(Rank, Tag, Vec<u8>)>, Lost> {
        let probed = self.world.improbe::<u8>(Source::Any, Tag::Any).map_err(lost)?;
        let Some((message, status)) = probed else { return Ok(None) };
        let Source::Rank(from) = status.source else {
            return Err(Lost("MPI failed: a message came from nobody".to_string()));
        };
        let mut bytes = vec![0; status.count.unwrap_or_default()];
        message.mrecv(&mut bytes).map_err(lost)?;
        Ok(Some((from as Rank, status.tag, bytes)))
    }

    /// Forgets what has left.
    fn sweep(&mut self) -> Result<(), Lost> {
        while let Some(oldest) = self.leaving.front_mut() {
            if oldest.test().map_err(lost)?.is_none() {
                break;
            }
            self.leaving.pop_front();
        }
        Ok(())
    }
}

impl Transport for MpiTransport {
    fn rank(&self) -> Rank {
        self.world.rank() as Rank
    }

    fn size(&self) -> u32 {
        self.world.size() as u32
    }

    fn host(&self) -> String {
        self.host.clone()
    }

    fn library(&self) -> String {
        self.library.clone()
    }

    fn send(&mut self, to: Rank, mut bytes: Vec<u8>) -> Result<(), Lost> {
        let before = bytes.len().saturating_sub(1) / LARGEST * LARGEST;
        for piece in bytes[..before].chunks(LARGEST) {
            self.start(to, piece.to_vec(), PIECE)?;
        }
        self.start(to, bytes.split_off(before), WHOLE)?;
        self.sweep()
    }

    fn receive(&mut self) -> Result<Option<(Rank, Vec<u8>)>, Lost> {
        for _ in 0..AT_ONCE {
            let Some((from, tag, bytes)) = self.take()? else { break };
            if tag == Tag::Value(FAREWELL) {
                self.gone += 1;
                continue;
            }
            let begun = &mut self.begun[from as usize];
            if begun.is_empty() && tag == Tag::Value(WHOLE) {
                return Ok(Some((from, bytes)));
            }
            begun.extend_from_slice(&bytes);
            if tag == Tag::Value(WHOLE) {
                return Ok(Some((from, std::mem::take(begun))));
            }
        }
        self.sweep()?;
        Ok(None)
    }

    fn close(&mut self) -> Result<(), Lost> {
        let (rank, size) = (self.rank(), self.size());
        for other in (0..size).filter(|&other| other != rank) {
            self.start(other, Vec::new(), FAREWELL)?;
        }
        let start = Instant::now();
        while self.gone + 1 < size && start.elapsed() < LEAVING {
            match self.take()? {
                Some((_, tag, _)) => self.gone += u32::from(tag == Tag::Value(FAREWELL)),
                None => std::thread::sleep(PAUSE),
            }
        }
        for mut request in self.leaving.drain(..) {
            request.wait().map_err(lost)?;
        }
        Ok(())
    }

    fn abort(&mut self, code: i32) {
        self.world.abort(code)
    }
}
