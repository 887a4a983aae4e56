//! Signs of life. Rank 0 tells everybody that it is alive, and everybody tells rank 0. A rank that hears
//! nothing for too long ends the job, because it would otherwise wait without end for a process that was
//! stopped or a host that was cut off.
//!
//! MPI may not return when a host is lost: Open MPI reports it to its launcher, and the launcher sleeps while
//! it ends the job. The thread that called MPI has the desk then, so the pulse never waits for the desk
//! longer than for a silent rank.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::cluster::{Desk, Office, SilenceLimit};
use crate::frame::{Frame, FrameKind};
use crate::transport::{Lost, Rank};

/// The exit code of a job that lost a rank.
pub const LOST: i32 = 70;
/// Signs of life that a rank may miss when the job is about to be ended.
const HURRIED: u32 = 4;

/// A rank other than 0 that aborts has ended after this time.
const ABORTED: Duration = Duration::from_millis(500);
/// The first pause between attempts to get the desk is a beat divided by this; the others double, up to a
/// beat divided by the second.
const PAUSES: [u32; 2] = [128, 4];
/// Ranks that one message names at most.
const NAMED: usize = 4;

/// Starts the thread.
pub(crate) fn start(
    office: Arc<Office>,
    limit: SilenceLimit,
    on_loss: impl Fn(&Lost) + Send + 'static,
) -> JoinHandle<()> {
    let listen = move || {
        let mut partners = Vec::new();
        while !office.closed.load(Ordering::Relaxed) {
            office.pulse_waits.store(true, Ordering::Relaxed);
            let desk = desk_in_time(&office, limit);
            office.pulse_waits.store(false, Ordering::Relaxed);
            match desk {
                Desks::Closed => return,
                Desks::Stuck => {
                    on_loss(&stuck(&partners));
                    leave();
                }
                Desks::Free(mut desk) => {
                    if let Some(lost) = beat(&office, &mut desk, limit) {
                        on_loss(&lost);
                        // A launcher that is ending the job waits for this process, and would begin to wait
                        // anew if it were asked to end the job: a second or two with Open MPI.
                        if office.hurried.load(Ordering::Relaxed) {
                            leave();
                        }
                        // The launcher may be cut off as well; then nobody ends a rank that aborts. Rank 0
                        // is beside the launcher, and what it has said is lost if it leaves by itself.
                        if office.rank > 0 {
                            std::thread::spawn(|| {
                                std::thread::sleep(ABORTED);
                                leave();
                            });
                        }
                        desk.abort(LOST);
                        return;
                    }
                    partners = names_of_partners(&office, &desk);
                }
            }
            std::thread::park_timeout(limit.beat);
        }
    };
    let builder = std::thread::Builder::new().name("pulse".to_string());
    builder.spawn(listen).expect("the system has no more threads; end other programs")
}

/// MPI cannot be asked to end the job, so this process ends; the launcher ends the others.
#[expect(clippy::disallowed_methods, reason = "nothing else ends a process whose MPI does not return")]
fn leave() -> ! {
    std::process::exit(LOST)
}

/// How long a rank may be silent.
fn patience(office: &Office, limit: SilenceLimit) -> Duration {
    if office.hurried.load(Ordering::Relaxed) { HURRIED * limit.beat } else { limit.silence }
}

/// Whether the desk is to be had.
enum Desks<'o> {
    Free(MutexGuard<'o, Desk>),
    /// Another thread has had it for too long.
    Stuck,
    /// Nobody listens any more: everything that was sent is leaving.
    Closed,
}

/// Waits for the desk. Attempts are counted, not time: a process that was stopped makes none.
fn desk_in_time(office: &Office, limit: SilenceLimit) -> Desks<'_> {
    let [mut pause, longest] = PAUSES.map(|parts| limit.beat / parts);
    let mut waited = Duration::ZERO;
    while waited <= patience(office, limit) {
        if office.closed.load(Ordering::Relaxed) {
            return Desks::Closed;
        }
        if let Some(desk) = office.try_desk() {
            return Desks::Free(desk);
        }
        std::thread::sleep(pause);
        office.beat();
        waited += pause;
        pause = (pause * 2).min(longest);
    }
    Desks::Stuck
}

/// One sign of life, and a look at those of others.
fn beat(office: &Office, desk: &mut Desk, limit: SilenceLimit) -> Option<Lost> {
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
    // A process that was stopped itself cannot tell how long the others have been silent.
    if now - office.beat() > limit.silence / 2 {
        desk.heard.fill(now);
    }
    let silence = patience(office, limit);
    let silent = || partners(office).find(|&rank| now - desk.heard[rank as usize] > silence);
    desk.lost().cloned().or_else(|| {
        let (name, seconds) = (desk.name_of(silent()?), silence.as_secs_f64());
        Some(Lost(format!(
            "{name} has not answered for {seconds} s: it was stopped, or its host is cut off; the job ends"
        )))
    })
}

/// MPI does not return.
fn stuck(partners: &[String]) -> Lost {
    let more = match partners.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" or one of {more} others"),
    };
    let named = partners.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(" or ");
    Lost(format!(
        "MPI does not return, because {named}{more} has not answered: a process or a host was lost; the job \
         ends"
    ))
}

fn names_of_partners(office: &Office, desk: &Desk) -> Vec<String> {
    let mut ranks: Vec<Rank> = partners(office).collect();
    ranks.sort_by_key(|&rank| desk.heard[rank as usize]);
    ranks.into_iter().map(|rank| desk.name_of(rank)).collect()
}

/// The ranks that exchange signs of life with this one.
fn partners(office: &Office) -> impl Iterator<Item = Rank> + use<> {
    let (rank, size) = (office.rank, office.size);
    (0..size).filter(move |&other| other != rank && (rank == 0 || other == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Cluster;
    use crate::memory::{Weather, ranks};

    const LIMIT: SilenceLimit =
        SilenceLimit { beat: Duration::from_millis(20), silence: Duration::from_millis(100) };

    fn cluster(limit: SilenceLimit) -> Cluster {
        let transport = ranks(3, Weather::FAIR).remove(0);
        Cluster::new(Box::new(transport), limit, |lost| panic!("{lost}"))
    }

    /// While MPI does not return, another thread has the desk.
    #[test]
    fn the_pulse_does_not_wait_for_the_desk_for_ever() {
        // Its own pulse would end the process.
        let never = Duration::from_secs(600);
        let cluster = cluster(SilenceLimit { beat: never, silence: never });
        let office = cluster.office();
        let desk = office.desk();
        let waiting = Instant::now();
        assert!(matches!(desk_in_time(office, LIMIT), Desks::Stuck));
        assert!(waiting.elapsed() >= LIMIT.silence);
        drop(desk);
        assert!(matches!(desk_in_time(office, LIMIT), Desks::Free(_)));
        let _desk = office.desk();
        office.closed.store(true, Ordering::Relaxed);
        assert!(matches!(desk_in_time(office, LIMIT), Desks::Closed));
    }

    #[test]
    fn those_who_may_be_lost_are_named_first_silent_first() {
        let cluster = cluster(SilenceLimit::default());
        cluster.call(1, "anna");
        let mut desk = cluster.office().desk();
        desk.heard[1] = Instant::now() + Duration::from_secs(1);
        let names = names_of_partners(cluster.office(), &desk);
        assert_eq!(names, ["rank 2", "rank 1 on `anna`"]);
        let many: Vec<String> = (1..=7).map(|rank| format!("rank {rank}")).collect();
        let message = stuck(&many).to_string();
        assert!(message.contains("rank 1 or rank 2 or rank 3 or rank 4 or one of 3 others"), "{message}");
    }
}
