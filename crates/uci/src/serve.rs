//! The conversation with threads: one listens, one thinks, and this one decides.

use std::io::{BufRead, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

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

/// What happens.
enum Event {
    Heard(Heard),
    HungUp,
    Finished(Told),
    /// Nobody hears us any more.
    Mute,
    /// The thinking thread is gone.
    Lost,
}

/// What the thinking thread is to do.
enum Work<'g, G: Game> {
    Configure(Settings),
    GetReady(Box<Line<'g, G>>),
    Forget,
    Think(Box<Job<'g, G>>),
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
    let output = Mutex::new(output);
    let waiting = AtomicBool::new(false);
    let settings = Settings::of(&player);
    let mut protocol = Protocol::new(game, settings);
    std::thread::scope(|scope| {
        let (order, orders) = channel();
        let thinker = Thinker { game, player, waiting: &waiting, output: &output, events: tell };
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || thinker.run(&orders))?;
        for event in events {
            let actions = match event {
                Event::Heard(Heard::Line(line)) => protocol.hear(&line),
                Event::Heard(Heard::TooLong) => protocol.heard_too_much(),
                Event::HungUp => protocol.hung_up(),
                Event::Finished(told) => protocol.finished(told),
                Event::Mute => vec![Action::Quit],
                Event::Lost => anyhow::bail!("the thinking thread has ended"),
            };
            for action in actions {
                let work = match action {
                    Action::Say(line) => {
                        if say(&output, &line).is_err() {
                            stop.store(true, Ordering::Relaxed);
                            return Ok(());
                        }
                        continue;
                    }
                    Action::Stop => {
                        stop.store(true, Ordering::Relaxed);
                        waiting.store(false, Ordering::Relaxed);
                        continue;
                    }
                    Action::Release => {
                        waiting.store(false, Ordering::Relaxed);
                        continue;
                    }
                    Action::Quit => {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                    Action::Configure(settings) => Work::Configure(settings),
                    Action::GetReady => Work::GetReady(Box::new(protocol.line().clone())),
                    Action::Forget => Work::Forget,
                    Action::Think(job) => {
                        // The last search has told its result, so nobody looks at these now.
                        stop.store(false, Ordering::Relaxed);
                        waiting.store(job.waiting, Ordering::Relaxed);
                        Work::Think(job)
                    }
                };
                if order.send(work).is_err() {
                    anyhow::bail!("the thinking thread has ended");
                }
            }
        }
        Ok(())
    })
}

/// Passes lines on until the input ends. The thread may wait for input when everything else is over.
fn listen<R: BufRead + Send + 'static>(mut input: R, tell: Sender<Event>) -> std::io::Result<()> {
    let listen = move || {
        while let Ok(Some(heard)) = hear(&mut input) {
            if tell.send(Event::Heard(heard)).is_err() {
                return;
            }
        }
        let _ = tell.send(Event::HungUp);
    };
    std::thread::Builder::new().spawn(listen)?;
    Ok(())
}

fn say<W: Write>(output: &Mutex<W>, line: &str) -> std::io::Result<()> {
    let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    writeln!(output, "{line}")?;
    output.flush()
}

/// The thinking thread.
struct Thinker<'l, 's, G: Game, W> {
    game: &'l G,
    player: Player<'l, G>,
    waiting: &'s AtomicBool,
    output: &'s Mutex<W>,
    events: Sender<Event>,
}

impl<'l, G: Game, W: Write> Thinker<'l, '_, G, W> {
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
                Work::Think(job) => {
                    let told = self.think(&job).unwrap_or_else(|error| {
                        self.say(&format!("info string {error:#}"));
                        self.any_move(&job)
                    });
                    if self.events.send(Event::Finished(told)).is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn say(&self, line: &str) {
        if say(self.output, line).is_err() {
            let _ = self.events.send(Event::Mute);
        }
    }

    /// A move where the search has failed: a game must not be lost because of a thread that could not be started.
    fn any_move(&self, job: &Job<'l, G>) -> Told {
        let (line, mut legal) = (&job.line, Vec::new());
        if self.game.description().players != 2 || !matches!(line.legal_moves(&mut legal), Ok(None)) {
            return Told::default();
        }
        let wanted = legal.iter().find(|mv| job.only.is_empty() || job.only.contains(mv));
        let best = wanted.and_then(|mv| move_text(self.game, line.position(), mv).ok());
        Told { best, answer: None }
    }

    fn think(&mut self, job: &Job<'l, G>) -> anyhow::Result<Told> {
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
        let (game, output, events) = (self.game, self.output, self.events.clone());
        let mut report = |progress: &Progress<'_, G::Move>| {
            let moves = words(game, line.position(), progress.pv).unwrap_or_default();
            if say(output, &info_text(progress, &moves, job.several)).is_err() {
                let _ = events.send(Event::Mute);
            }
        };
        let waiting = job.waiting.then_some(self.waiting);
        let wish = Wish { only: &job.only, waiting, ..Wish::default() };
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
impl<G: Game, W> Drop for Thinker<'_, '_, G, W> {
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
