//! The conversation with threads: one listens, one thinks, and this one decides what to do about what was
//! heard.
//!
//! On a busy machine each thread that has to be woken costs as much as a move on a short clock. So a move's
//! clock begins when its line is heard, and the thread that has found a move says it itself.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use multigame_game::{Game, Line};
use multigame_input::{Heard, hear};
use multigame_player::{Configuration, Player, Progress, Wish};
use multigame_search::{Bounds, Value};

use crate::protocol::{Action, Job, Protocol, Told};
use crate::{Settings, info_text, move_text};

/// Deep searches need more than threads usually have.
const STACK: usize = 64 << 20;
/// Lines are told up to this length.
const LONGEST_LINE: usize = 64;
/// What a search tells sooner than this waits for what comes next: each line wakes the listener, which may
/// take the processor from a search that has little time.
const TOGETHER: Duration = Duration::from_millis(5);

/// What happens.
enum Event {
    Heard(Heard, Instant),
    HungUp,
    /// Nobody hears us any more.
    Mute,
    /// The conversation has come to its end.
    Over,
    /// The thinking thread is gone.
    Lost,
}

/// What the thinking thread is to do.
enum Work<'g, G: Game> {
    Configure(Settings),
    GetReady(Box<Line<'g, G>>),
    Forget,
    /// Search; the clock has been running since then.
    Think(Box<Job<'g, G>>, Instant),
}

/// Answers what comes from `input` until `quit` or its end. `player` was made with `stop` as its flag.
///
/// The thread that listens is left behind when the other side says `quit` without closing the input.
pub fn serve<'l, G, R, W>(
    game: &'l G,
    player: Player<'l, G>,
    stop: &AtomicBool,
    input: R,
    output: W,
) -> anyhow::Result<()>
where
    G: Game,
    R: BufRead + Send + 'static,
    W: Write + Send,
{
    let (tell, events) = channel();
    listen(input, tell.clone())?;
    let (order, orders) = channel();
    let desk = Desk {
        protocol: Mutex::new(Protocol::new(game, Settings::of(&player))),
        output: Mutex::new(output),
        order: Mutex::new(Some(order)),
        stop,
        waiting: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        // Whatever happens here, the thinking thread ends, and nobody waits for it in vain.
        let _closing = Closing(&desk);
        let thinker = Thinker { game, player, desk: &desk, events: tell };
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || thinker.run(&orders))?;
        for event in events {
            let (now, mut protocol) = (Instant::now(), desk.protocol());
            let (actions, since) = match event {
                Event::Heard(Heard::Line(line), heard) => (protocol.hear(&line), heard),
                Event::Heard(Heard::TooLong, _) => (protocol.heard_too_much(), now),
                Event::HungUp => (protocol.hung_up(), now),
                Event::Mute | Event::Over => return Ok(()),
                Event::Lost => anyhow::bail!("the thinking thread has ended"),
            };
            if desk.act(&protocol, actions, since)? == After::Over {
                return Ok(());
            }
        }
        Ok(())
    })
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum After {
    More,
    Over,
}

/// What the thread that decides and the thread that thinks share. Whoever decides holds the protocol until
/// everything is done that follows.
struct Desk<'l, 's, G: Game, W> {
    protocol: Mutex<Protocol<'l, G>>,
    output: Mutex<W>,
    /// To the thinking thread; nothing when the conversation is over.
    order: Mutex<Option<Sender<Work<'l, G>>>>,
    stop: &'s AtomicBool,
    /// Whether the clock of the search does not run yet.
    waiting: AtomicBool,
}

impl<'l, G: Game, W: Write> Desk<'l, '_, G, W> {
    fn protocol(&self) -> MutexGuard<'_, Protocol<'l, G>> {
        self.protocol.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Does what the protocol wants. The clock of a search that begins has been running since then.
    fn act(
        &self,
        protocol: &Protocol<'l, G>,
        actions: Vec<Action<'l, G>>,
        since: Instant,
    ) -> anyhow::Result<After> {
        for action in actions {
            let work = match action {
                Action::Say(line) => {
                    if self.say(&line).is_err() {
                        return Ok(After::Over);
                    }
                    continue;
                }
                Action::Stop => {
                    self.stop.store(true, Ordering::Relaxed);
                    self.waiting.store(false, Ordering::Relaxed);
                    continue;
                }
                Action::Release => {
                    self.waiting.store(false, Ordering::Relaxed);
                    continue;
                }
                Action::Quit => return Ok(After::Over),
                Action::Configure(settings) => Work::Configure(settings),
                Action::GetReady => Work::GetReady(Box::new(protocol.line().clone())),
                Action::Forget => Work::Forget,
                Action::Think(job) => {
                    // The last search has told its result, so nobody looks at these now.
                    self.stop.store(false, Ordering::Relaxed);
                    self.waiting.store(job.waiting, Ordering::Relaxed);
                    Work::Think(job, since)
                }
            };
            let order = self.order.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if order.as_ref().is_none_or(|order| order.send(work).is_err()) {
                anyhow::bail!("the thinking thread has ended");
            }
        }
        Ok(After::More)
    }

    /// Says something that may have several lines.
    fn say(&self, lines: &str) -> std::io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        output.write_all(format!("{lines}\n").as_bytes())?;
        output.flush()
    }
}

/// Ends the search and the thread that thinks.
struct Closing<'d, 'l, 's, G: Game, W>(&'d Desk<'l, 's, G, W>);

impl<G: Game, W> Drop for Closing<'_, '_, '_, G, W> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
        self.0.order.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    }
}

/// Passes lines on until the input ends. The thread may wait for input when everything else is over.
fn listen<R: BufRead + Send + 'static>(mut input: R, tell: Sender<Event>) -> std::io::Result<()> {
    let listen = move || {
        while let Ok(Some(heard)) = hear(&mut input) {
            if tell.send(Event::Heard(heard, Instant::now())).is_err() {
                return;
            }
        }
        let _ = tell.send(Event::HungUp);
    };
    std::thread::Builder::new().spawn(listen)?;
    Ok(())
}

/// The thinking thread.
struct Thinker<'d, 'l, 's, G: Game, W> {
    game: &'l G,
    player: Player<'l, G>,
    desk: &'d Desk<'l, 's, G, W>,
    events: Sender<Event>,
}

impl<'l, G: Game, W: Write> Thinker<'_, 'l, '_, G, W> {
    fn run(mut self, orders: &Receiver<Work<'l, G>>) {
        let first = self.player.configuration().clone();
        for work in orders {
            match work {
                Work::Configure(settings) => {
                    if let Err(error) = settings.apply(&first, &mut self.player) {
                        self.say(&format!("info string {error:#}"));
                    }
                }
                Work::GetReady(line) => {
                    if let Err(error) = self.player.get_ready(&line) {
                        self.say(&format!("info string {error:#}"));
                    }
                    self.say("readyok");
                }
                Work::Forget => self.player.forget(),
                Work::Think(job, since) => {
                    let told = self.think(&job, since).unwrap_or_else(|error| {
                        self.say(&format!("info string {error:#}"));
                        self.any_move(&job)
                    });
                    if !self.finish(told) {
                        return;
                    }
                }
            }
        }
    }

    /// Says what came of a search, unless it has to wait; whether the conversation goes on.
    fn finish(&self, told: Told) -> bool {
        let mut protocol = self.desk.protocol();
        let actions = protocol.finished(told);
        let after = self.desk.act(&protocol, actions, Instant::now());
        let goes_on = matches!(after, Ok(After::More));
        if !goes_on {
            let _ = self.events.send(Event::Over);
        }
        goes_on
    }

    fn say(&self, line: &str) {
        if self.desk.say(line).is_err() {
            let _ = self.events.send(Event::Mute);
        }
    }

    /// A move where the search has failed: a game must not be lost because of a thread that could not be
    /// started.
    fn any_move(&self, job: &Job<'l, G>) -> Told {
        let (line, mut legal) = (&job.line, Vec::new());
        if self.game.description().players != 2 || !matches!(line.legal_moves(&mut legal), Ok(None)) {
            return Told::default();
        }
        let wanted = legal.iter().find(|mv| job.only.is_empty() || job.only.contains(mv));
        let best = wanted.and_then(|mv| move_text(self.game, line.position(), mv).ok());
        Told { best, answer: None }
    }

    fn think(&mut self, job: &Job<'l, G>, since: Instant) -> anyhow::Result<Told> {
        let line = &job.line;
        let mut legal = Vec::new();
        let over = line.legal_moves(&mut legal)?.is_some();
        legal.retain(|mv| job.only.is_empty() || job.only.contains(mv));
        let Some(first) = legal.first().filter(|_| !over) else { return Ok(Told::default()) };
        let two_players = self.game.description().players == 2;
        if legal.len() == 1 && two_players && job.limits.clock.is_some() && !job.waiting {
            return Ok(Told { best: Some(move_text(self.game, line.position(), first)?), answer: None });
        }
        self.player.limits = job.limits;
        if let Err(error) = self.player.check_limits() {
            self.say(&format!("info string {error:#}; this search has no limit of depth"));
            self.player.limits.depth = None;
        }
        let (game, desk, events) = (self.game, self.desk, self.events.clone());
        let say = |lines: &str| {
            if desk.say(lines).is_err() {
                let _ = events.send(Event::Mute);
            }
        };
        let mut kept = Vec::new();
        let mut report = |progress: &Progress<'_, G::Move>| {
            let moves = words(game, line.position(), progress.pv).unwrap_or_default();
            kept.push(info_text(progress, &moves, job.several));
            if progress.time >= TOGETHER {
                say(&std::mem::take(&mut kept).join("\n"));
            }
        };
        let waiting = job.waiting.then_some(&desk.waiting);
        let wish = Wish { only: &job.only, waiting, since: Some(since), ..Wish::default() };
        let before = self.player.configuration().clone();
        if job.mate {
            self.player.configure(thorough(&before))?;
        }
        let thought = self.player.search_for(line, wish, &mut report);
        if job.mate {
            self.player.configure(before)?;
        }
        let thought = thought?;
        if !thought.reported || thought.depth == 0 {
            // What was found since the last finished iteration, and the result of engines without iterations.
            let bounds = shown(thought.bounds, thought.value);
            report(&Progress { bounds, ..thought.progress() });
        }
        if !kept.is_empty() {
            say(&kept.join("\n"));
        }
        let proposed = thought.pv.first().filter(|mv| legal.contains(mv));
        let best = match proposed {
            None if !two_players => return Ok(Told::default()),
            None => return Ok(Told { best: Some(move_text(game, line.position(), first)?), answer: None }),
            Some(_) => words(game, line.position(), &thought.pv[..thought.pv.len().min(2)])?,
        };
        let mut best = best.into_iter();
        Ok(Told { best: best.next(), answer: best.next() })
    }
}

/// However the thread ends, nobody waits for it.
impl<G: Game, W> Drop for Thinker<'_, '_, '_, G, W> {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Lost);
    }
}

/// A line of moves in words.
fn words<G: Game>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
) -> Result<Vec<String>, multigame_game::RulesError> {
    let (mut here, mut next) = (position.clone(), position.clone());
    let mut words = Vec::new();
    for mv in moves.iter().take(LONGEST_LINE) {
        words.push(move_text(game, &here, mv)?);
        game.apply(&here, mv, &mut next);
        std::mem::swap(&mut here, &mut next);
    }
    Ok(words)
}

/// What is proved, or else the best guess.
fn shown(bounds: Bounds, value: Value) -> Bounds {
    if bounds == Bounds::UNKNOWN { Bounds::exact(value) } else { bounds }
}

/// Without what may miss a mate of the depth it says.
fn thorough(configuration: &Configuration) -> Configuration {
    let mut thorough = configuration.clone();
    let search = &mut thorough.search;
    (search.null_move, search.reductions, search.futility) = (false, false, false);
    (search.late_pruning, search.internal_reduction, search.singular) = (false, false, false);
    thorough
}
