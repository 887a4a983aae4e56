//! Signs of life. Rank 0 tells everybody that it is alive, everybody tells rank 0, and whoever hears nothing
//! for too long ends the job: a process that was stopped, or a host that was cut off, would otherwise be
//! waited for without end.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Instant;

use crate::cluster::{Office, SilenceLimit};
use crate::frame::{Frame, FrameKind};
use crate::transport::{Lost, Rank};

/// The exit code of a job that lost a rank.
pub const LOST: i32 = 70;
/// Signs of life that a rank may miss when the job is about to be ended.
const HURRIED: u32 = 4;

/// Starts the thread.
pub(crate) fn start(
    office: Arc<Office>,
    limit: SilenceLimit,
    on_loss: impl Fn(&Lost) + Send + 'static,
) -> JoinHandle<()> {
    let listen = move || {
        while !office.closed.load(Ordering::Relaxed) {
            if let Some(lost) = beat(&office, limit) {
                on_loss(&lost);
                office.desk().abort(LOST);
                return;
            }
            std::thread::park_timeout(limit.beat);
        }
    };
    let builder = std::thread::Builder::new().name("pulse".to_string());
    builder.spawn(listen).expect("the system has no more threads; end other programs")
}

/// One sign of life, and a look at those of others.
fn beat(office: &Office, limit: SilenceLimit) -> Option<Lost> {
    let hurried = office.hurried.load(Ordering::Relaxed);
    let silence = if hurried { HURRIED * limit.beat } else { limit.silence };
    let silent = {
        let mut desk = office.desk();
        // Between the last look at this and now everything may have left; then nothing may be sent any more.
        if office.closed.load(Ordering::Relaxed) {
            return None;
        }
        desk.look();
        let nodes = desk.nodes[office.rank as usize];
        for other in partners(office) {
            desk.send(other, &Frame { kind: FrameKind::Beat, nodes, body: Vec::new() });
        }
        let now = Instant::now();
        let last = std::mem::replace(&mut desk.beaten, now);
        // A process that was stopped itself cannot tell how long the others have been silent.
        if now - last > limit.silence / 2 {
            desk.heard.fill(now);
        }
        if let Some(lost) = desk.lost() {
            return Some(lost.clone());
        }
        partners(office).find(|&rank| now - desk.heard[rank as usize] > silence)
    };
    silent.map(|rank| {
        let (name, seconds) = (office.name_of(rank), silence.as_secs_f64());
        Lost(format!(
            "{name} has not answered for {seconds} s: it was stopped, or its host is cut off; the job ends"
        ))
    })
}

/// Those it tells and hears.
fn partners(office: &Office) -> impl Iterator<Item = Rank> + use<> {
    let (rank, size) = (office.rank, office.size);
    (0..size).filter(move |&other| other != rank && (rank == 0 || other == 0))
}
