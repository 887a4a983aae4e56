//! Searches of a session: the computer's move, solutions of puzzles, the value of each position of the game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multigame_game::{Line, Portable, Side};
use multigame_player::{
    Changes, Configuration, Limits, Origin, Player, PlayerSpec, Progress, Thought, Wish, asks_endgames,
    value_text,
};
use multigame_search::{Bounds, Engine, OptionsError, Value};
use multigame_threads::CrewReport;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::gestures::MoveInfo;
use super::simulate::timeline;
use super::{Session, Status};
use crate::describe::side_name;
use crate::failure::Failure;
use crate::protocol::{Reply, Think};

/// Moves of a line that clients are told about while a search runs, and at its end.
const SHORT_LINE: usize = 8;
const LONG_LINE: usize = 30;
/// Between two reports of a search: the first iterations take no time at all.
const PAUSE: Duration = Duration::from_millis(60);
/// What a search may take if nothing is said.
const USUAL_TIME: u64 = 1000;
/// Nodes that engines with a tree of their own may keep for each MiB of the table, as a power of 2.
const NODES_PER_MIB: usize = 13;

/// A move of a line.
#[derive(Debug, Serialize)]
pub(super) struct LineMove {
    #[serde(flatten)]
    info: MoveInfo,
    side: &'static str,
}

/// The value of a finished depth, for the reports that follow.
struct Latest {
    white_value: i32,
    text: String,
    pv: Json,
}

impl<'s, G: Portable> Session<'s, G> {
    pub(super) fn think(&mut self, think: &Think) -> Reply {
        self.legal()?;
        let puzzle = self.game.description().players == 1;
        if think.solve && !puzzle {
            let message = "this is a game for two; `think` finds a move";
            return Err(Failure::new(409, "not-a-puzzle", message));
        }
        self.mailbox.stops.begin(think.number);
        let chosen = think.engine.is_some() || think.options.is_some() || think.threads.is_some();
        let mut player = match self.player.take().filter(|_| !chosen) {
            Some(player) => player,
            None => self.new_player(think)?,
        };
        player.limits = self.limits(think);
        let line = self.line_now();
        let result = self.search(think, &mut player, &line);
        if !chosen {
            self.player = Some(player);
        }
        let thought = result?;
        let discarded = self.mailbox.stops.is_discarded(think.number);
        let played = think.play && !discarded && thought.best.is_some();
        let most = if puzzle { usize::MAX } else { LONG_LINE };
        let pv = self.line_moves(&thought.pv, most)?;
        let best = match &thought.best {
            Some(mv) => self.line_moves(std::slice::from_ref(mv), 1)?.pop(),
            None => None,
        };
        let side = self.side();
        let body = thought_json(think.number, &thought, side, best, pv, played).to_string();
        if played && let Some(best) = &thought.best {
            let ply = self.line.moves().len();
            self.make(best)?;
            self.throw()?;
            if thought.origin == Origin::Search && !puzzle {
                self.played[ply].value = Some(white(side, thought.value));
            }
            self.tell_state();
        }
        Ok(body)
    }

    fn search(
        &mut self,
        think: &Think,
        player: &mut Player<'s, G>,
        line: &Line<'s, G>,
    ) -> Result<Thought<G::Move>, Failure> {
        let _turn = self.turn();
        let side = self.side();
        let (mut latest, mut next_report): (Option<Latest>, Duration) = (None, Duration::ZERO);
        let mut report = |progress: &Progress<'_, G::Move>| {
            if progress.time < next_report {
                return;
            }
            next_report = progress.time + PAUSE;
            if progress.finished
                && let Ok(pv) = self.line_moves(progress.pv, SHORT_LINE)
            {
                latest = Some(Latest {
                    white_value: white(side, best_guess(progress.bounds)),
                    text: value_text(progress.bounds, progress.proved),
                    pv: json!(pv),
                });
            }
            self.tell("progress", progress_json(think.number, progress, side, latest.as_ref()).to_string());
        };
        // A visitor who looks at a position wants to see the work of the threads and ranks.
        let several = think.threads.is_some_and(|threads| threads > 1) || player.uses_others();
        let trace = !think.play && several;
        let wish = Wish { trace, ..Wish::default() };
        // A move at once is not enough there, nor where the whole solution is wanted.
        Ok(if think.solve || trace {
            player.search_for(line, wish, &mut report)?
        } else {
            player.think(line, &mut report)?
        })
    }

    /// Searches every position of the game for a while.
    pub(super) fn evaluate(&mut self, think: &Think) -> Reply {
        self.mailbox.stops.begin(think.number);
        let mut player = match self.player.take() {
            Some(player) => player,
            None => self.new_player(think)?,
        };
        player.limits = self.limits(think);
        player.limits.clock = None;
        let result = self.evaluate_all(think, &mut player);
        self.player = Some(player);
        let values = result?;
        self.tell_state();
        Ok(json!({"search": think.number, "values": values}).to_string())
    }

    fn evaluate_all(
        &mut self,
        think: &Think,
        player: &mut Player<'s, G>,
    ) -> Result<Vec<Option<i32>>, Failure> {
        let (number, start) = (think.number, Instant::now());
        let total = think.total.map_or(Duration::MAX, Duration::from_millis);
        // Long games get less time for each position, so that the last ones get some, too.
        let share = total / (self.moves.len() as u32 + 1);
        player.limits.time = player.limits.time.map(|time| time.min(share).max(Duration::from_millis(1)));
        let _turn = self.turn();
        let mut line = Line::new(self.game, self.line.positions()[0].clone());
        let mut values = Vec::with_capacity(self.moves.len() + 1);
        for ply in 0..=self.moves.len() {
            if ply > 0 {
                line.play(&self.moves[ply - 1]);
            }
            if self.mailbox.stops.is_stopped(number) || start.elapsed() > total {
                values.push(None);
                continue;
            }
            let side = self.game.side_to_move(line.position());
            let (value, text) = match line.status()?.outcome() {
                Some(outcome) => {
                    let value = Value::of_outcome(outcome, side, 0);
                    (value, value.to_string())
                }
                None => {
                    let thought = player.search(&line, &mut |_| ())?;
                    (thought.value, value_text(thought.bounds, thought.proved))
                }
            };
            let white_value = white(side, value);
            if let Some(played) = ply.checked_sub(1).and_then(|last| self.played.get_mut(last)) {
                played.value = Some(white_value);
            }
            let event = json!({
                "search": number, "ply": ply, "white_value": white_value, "value_text": text,
            });
            self.tell("evaluation", event.to_string());
            values.push(Some(white_value));
        }
        Ok(values)
    }

    fn new_player(&self, think: &Think) -> Result<Player<'s, G>, Failure> {
        let most_nodes = self.table_mib << NODES_PER_MIB;
        let mut configuration = Configuration::playing();
        (configuration.search.table_mib, configuration.search.tree_nodes) = (self.table_mib, most_nodes);
        let changes = Changes::parse(think.options.as_deref().unwrap_or_default());
        changes.and_then(|changes| changes.apply(&mut configuration)).map_err(bad)?;
        if configuration.search.table_mib > self.table_mib {
            let most = self.table_mib;
            return Err(Failure::bad_request(format!(
                "a table may have {most} MiB here; leave `tt-size` out"
            )));
        }
        // Entries of puzzles hold for one search only, and sessions do not know each other's searches.
        if self.shared.is_some() && configuration.memory.is_some() {
            let message = "all sessions use the tables of the ranks; leave `memory` out";
            return Err(Failure::bad_request(message));
        }
        if configuration.threads > 1 {
            return Err(Failure::bad_request("say how many `threads` beside the options, not in them"));
        }
        if configuration.search.tree_nodes > most_nodes {
            return Err(Failure::bad_request(format!("`tree-nodes` may be {most_nodes} here")));
        }
        if let Some(engine) = think.engine.as_deref() {
            configuration.set_engine(Some(engine_named(engine)?));
        }
        configuration.threads = think.threads.unwrap_or(1);
        let spec = PlayerSpec { limits: self.limits(think), ..PlayerSpec::of(configuration) };
        let player = spec.player(self.game, self.others(), self.mailbox.stops.flag())?;
        // Other ranks have no databases, and would judge positions in another way.
        let asks = self.shared.is_none() && asks_endgames(player.options().engine);
        Ok(match self.endgames.filter(|_| asks) {
            Some(endgames) => {
                let evaluator = player.evaluator().clone().with_endgames(Arc::clone(endgames) as _);
                player.with_evaluator(evaluator)
            }
            None => player,
        })
    }

    fn limits(&self, think: &Think) -> Limits {
        let clock = self.clocks.as_ref().filter(|_| think.time.is_none() && !think.solve);
        let mut limits = Limits {
            depth: think.depth,
            nodes: think.nodes,
            time: think.time.map(Duration::from_millis),
            clock: clock.map(|clocks| clocks.for_search()),
        };
        if limits == Limits::default() {
            limits.time = Some(Duration::from_millis(USUAL_TIME));
        }
        limits
    }

    /// A copy of the line, which the search reads while the session goes on telling what it finds.
    fn line_now(&self) -> Line<'s, G> {
        let mut line = Line::new(self.game, self.line.positions()[0].clone());
        for mv in self.line.moves() {
            line.play(mv);
        }
        line
    }

    /// A line of moves from the position now, as clients see it; it ends early where the search is wrong
    /// about a move.
    pub(super) fn line_moves(&mut self, moves: &[G::Move], most: usize) -> Result<Vec<LineMove>, Failure> {
        let mut position = self.line.position().clone();
        let mut infos = Vec::new();
        for mv in moves.iter().take(most) {
            let key = self.game.move_key(mv);
            let known = match (&self.status, infos.is_empty()) {
                (Status::Playing(legal), true) => std::rc::Rc::clone(legal),
                _ => self.known_moves(&position)?,
            };
            let Some(legal) = known.iter().find(|legal| self.game.move_key(&legal.mv) == key) else { break };
            let side = side_name(self.game.side_to_move(&position));
            infos.push(LineMove { info: legal.info.clone(), side });
            let before = position.clone();
            self.game.apply(&before, mv, &mut position);
        }
        Ok(infos)
    }
}

fn bad(error: OptionsError) -> Failure {
    Failure::bad_request(error.to_string())
}

fn engine_named(name: &str) -> Result<Engine, Failure> {
    let known = Engine::ALL.iter().find(|(known, _)| *known == name);
    known.map(|(_, engine)| *engine).ok_or_else(|| {
        let names = Engine::ALL.map(|(name, _)| name);
        Failure::bad_request(format!("there is no engine `{name}`; there are {}", names.join(", ")))
    })
}

/// A value as White sees it.
fn white(side: Side, value: Value) -> i32 {
    if side == Side::White { value.number() } else { -value.number() }
}

/// One number for what is known.
fn best_guess(bounds: Bounds) -> Value {
    bounds.strongest().1
}

fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64
}

fn progress_json<M>(number: u64, progress: &Progress<'_, M>, side: Side, latest: Option<&Latest>) -> Json {
    let nodes = progress.statistics.nodes;
    let white_value = latest.map(|latest| latest.white_value);
    json!({
        "search": number,
        "depth": progress.depth,
        "iteration": progress.finished,
        "value": white_value.map(|value| if side == Side::White { value } else { -value }),
        "white_value": white_value,
        "value_text": latest.map(|latest| &latest.text),
        "nodes": nodes,
        "speed": speed(nodes, progress.time),
        "time": progress.time.as_millis() as u64,
        "pv": latest.map_or(json!([]), |latest| latest.pv.clone()),
    })
}

fn thought_json<M>(
    number: u64,
    thought: &Thought<M>,
    side: Side,
    best: Option<LineMove>,
    pv: Vec<LineMove>,
    played: bool,
) -> Json {
    let searched = thought.origin == Origin::Search;
    json!({
        "search": number,
        "best": best,
        "origin": match thought.origin {
            Origin::Search => "search",
            Origin::Book => "book",
            Origin::Only => "only",
            Origin::Chance => "chance",
            Origin::Solution => "solution",
        },
        "value": searched.then_some(thought.value.number()),
        "white_value": searched.then_some(white(side, thought.value)),
        "value_text": searched.then(|| value_text(thought.bounds, thought.proved)),
        "proved": searched.then(|| thought.proved.decides()),
        "depth": thought.depth,
        "finished": thought.finished,
        "engine": thought.engine.to_string(),
        "nodes": thought.statistics.nodes,
        "speed": speed(thought.statistics.nodes, thought.time),
        "time": thought.time.as_millis() as u64,
        "pv": pv,
        "played": played,
        "crew": thought.crew.as_ref().map(crew_json),
    })
}

/// What the threads of a search did; those of each process stand one after the other.
fn crew_json(crew: &CrewReport) -> Json {
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let hands =
        crew.hands.iter().map(|hand| json!({"nodes": hand.statistics.nodes, "idle": millis(hand.idle)}));
    let processes = crew
        .processes
        .iter()
        .map(|(name, traffic)| json!({"name": name, "messages": traffic.messages, "bytes": traffic.bytes}));
    json!({
        "policy": crew.policy.map(|policy| policy.to_string()),
        "threads": hands.collect::<Vec<_>>(),
        "processes": processes.collect::<Vec<_>>(),
        "work": crew.work,
        "critical": crew.critical,
        "load": crew.load(),
        "timeline": (!crew.spans.is_empty()).then(|| {
            timeline(&crew.spans, crew.hands.len() as u32, crew.time.as_nanos() as u64)
        }),
    })
}
