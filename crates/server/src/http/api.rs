//! One function for each path under `/api`; docs/api.md describes them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use multigame_player::ranks::Ranks;
use multigame_session::{
    ClockSetting, Failure, Grow, Opening, Parallel, Question, Reply, Request, Rules, Simulate, Think,
    describe, rules_of,
};
use serde::Deserialize;
use serde_json::json;

use super::body::Body;
use super::path::Path;
use super::{Refusal, json as json_response};
use crate::sessions::{Session, Sessions, Which};

type Server = State<Arc<Sessions>>;
type Answer = Result<Response, Refusal>;

/// Moves that a session can begin with.
const MOST_MOVES: usize = 2000;
/// What searches take if nothing is said, in milliseconds.
const SOLVE_TIME: u64 = 10_000;
const EVALUATE_TIME: u64 = 100;
/// The longest time of a clock: a day.
const MOST_CLOCK: u64 = 86_400_000;

fn ok(body: String) -> Answer {
    Ok(json_response(StatusCode::OK, body))
}

pub async fn limits(State(sessions): Server) -> Answer {
    let config = sessions.config();
    let body = json!({
        "name": "multigame",
        "version": env!("CARGO_PKG_VERSION"),
        "limits": config.limits.to_json(),
        "policies": describe::policies(),
        "networks": describe::networks(),
        "sessions": sessions.count(),
        "ranks": config.ranks.map_or(Vec::new(), hosts),
    });
    ok(body.to_string())
}

/// The host of each rank.
fn hosts(ranks: &Ranks) -> Vec<String> {
    ranks.machines().iter().map(|machine| machine.host.clone()).collect()
}

pub async fn games(State(sessions): Server) -> Answer {
    ok(sessions.bundled().list().await?.to_string())
}

pub async fn game(State(sessions): Server, Path(name): Path<String>) -> Answer {
    ok(sessions.bundled().about(&name).await?.to_string())
}

pub async fn language() -> Answer {
    ok(multigame_session::words().to_string())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    rules: String,
    #[serde(default)]
    parameters: BTreeMap<String, i64>,
}

pub async fn check(State(sessions): Server, Body(body): Body<CheckBody>) -> Answer {
    let name = "game".to_string();
    let rules = Rules {
        name,
        text: body.rules,
        parameters: body.parameters,
        weights: None,
        patterns: None,
        network: None,
    };
    ok(sessions.question(Question::Check(rules)).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatBody {
    rules: String,
}

pub async fn format(State(sessions): Server, Body(body): Body<FormatBody>) -> Answer {
    ok(sessions.question(Question::Format(body.rules)).await?)
}

/// A place in rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceBody {
    rules: String,
    /// The byte.
    at: u32,
}

pub async fn hover(State(sessions): Server, Body(body): Body<PlaceBody>) -> Answer {
    ok(sessions.question(Question::Hover(body.rules, body.at)).await?)
}

pub async fn complete(State(sessions): Server, Body(body): Body<PlaceBody>) -> Answer {
    ok(sessions.question(Question::Complete(body.rules, body.at)).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenBody {
    game: Option<String>,
    rules: Option<String>,
    name: Option<String>,
    #[serde(default)]
    parameters: BTreeMap<String, i64>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    clock: Option<ClockSetting>,
    seed: Option<u64>,
}

impl OpenBody {
    fn which(&mut self) -> Result<Which, Failure> {
        let parameters = std::mem::take(&mut self.parameters);
        match (self.game.take(), self.rules.take(), self.name.take()) {
            (Some(_), Some(_), _) => Err(Failure::bad_request("give `game` or `rules`, not both")),
            (None, None, _) => Err(Failure::bad_request("give the name of a bundled `game`, or `rules`")),
            (Some(_), None, Some(_)) => Err(Failure::bad_request("`name` is for own `rules`")),
            (Some(game), None, None) if parameters.is_empty() => Ok(Which::Bundled(game)),
            (Some(game), None, None) => Ok(Which::Own(Rules { parameters, ..rules_of(&game)? })),
            (None, Some(text), name) => {
                let name = name.unwrap_or_else(|| "game".to_string()).chars().take(80).collect();
                Ok(Which::Own(Rules { name, text, parameters, weights: None, patterns: None, network: None }))
            }
        }
    }
}

pub async fn open(State(sessions): Server, Body(mut body): Body<OpenBody>) -> Answer {
    if body.moves.len() > MOST_MOVES {
        return Err(Failure::bad_request(format!("at most {MOST_MOVES} `moves` can be made at once")).into());
    }
    let too_long = |clock: ClockSetting| {
        let left = clock.left.is_some_and(|left| left.iter().any(|&left| left > MOST_CLOCK));
        !(1..=MOST_CLOCK).contains(&clock.time) || clock.increment > MOST_CLOCK || left
    };
    if body.clock.is_some_and(too_long) {
        return Err(Failure::bad_request(format!("a clock has 1 to {MOST_CLOCK} milliseconds")).into());
    }
    let which = body.which()?;
    let OpenBody { position, moves, clock, seed, .. } = body;
    let opening = Opening { position, moves, clock, seed, table_mib: 0 };
    let session = sessions.open(which, opening).await?;
    let body = whole(&sessions, &session).await?;
    Ok(json_response(StatusCode::CREATED, body))
}

pub async fn session(State(sessions): Server, Path(id): Path<String>) -> Answer {
    let session = sessions.get(&id)?;
    ok(whole(&sessions, &session).await?)
}

/// The description with the id before it and the state behind it.
async fn whole(sessions: &Sessions, session: &Arc<Session>) -> Reply {
    let state = sessions.state(session).await?;
    let inner = session.description.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let description = inner.ok_or_else(Failure::session_failed)?;
    Ok(format!("{{\"id\":\"{}\",{description},\"state\":{state}}}", session.id))
}

pub async fn close(State(sessions): Server, Path(id): Path<String>) -> Answer {
    sessions.get(&id)?;
    sessions.close(&id);
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub async fn state(State(sessions): Server, Path(id): Path<String>) -> Answer {
    let session = sessions.get(&id)?;
    ok(sessions.state(&session).await?)
}

/// Changes the game and answers with the state.
async fn change(sessions: &Sessions, id: &str, request: Request) -> Answer {
    let session = sessions.get(id)?;
    let state = sessions.ask(&session, request).await?;
    ok(crate::sessions::with_thinking(&state, None))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayBody {
    #[serde(rename = "move")]
    name: String,
}

pub async fn play(State(sessions): Server, Path(id): Path<String>, Body(body): Body<PlayBody>) -> Answer {
    change(&sessions, &id, Request::Play(body.name)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountBody {
    #[serde(default = "one")]
    count: usize,
}

fn one() -> usize {
    1
}

pub async fn undo(State(sessions): Server, Path(id): Path<String>, Body(body): Body<CountBody>) -> Answer {
    change(&sessions, &id, Request::Undo(body.count)).await
}

pub async fn redo(State(sessions): Server, Path(id): Path<String>, Body(body): Body<CountBody>) -> Answer {
    change(&sessions, &id, Request::Redo(body.count)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JumpBody {
    ply: usize,
}

pub async fn jump(State(sessions): Server, Path(id): Path<String>, Body(body): Body<JumpBody>) -> Answer {
    change(&sessions, &id, Request::Jump(body.ply)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResetBody {
    position: Option<String>,
}

pub async fn reset(State(sessions): Server, Path(id): Path<String>, Body(body): Body<ResetBody>) -> Answer {
    change(&sessions, &id, Request::Reset(body.position)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkBody {
    time: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    threads: Option<u32>,
    engine: Option<String>,
    options: Option<String>,
    #[serde(default)]
    play: bool,
    #[serde(default)]
    wait: bool,
}

pub async fn think(State(sessions): Server, Path(id): Path<String>, Body(body): Body<ThinkBody>) -> Answer {
    let most = sessions.config().limits.search_time;
    let time = allowed(body.time, most)?;
    let mut think = Think {
        time: body.time,
        depth: body.depth,
        nodes: body.nodes,
        threads: body.threads,
        engine: body.engine,
        options: body.options,
        play: body.play,
        ..Think::default()
    };
    if think.depth == Some(0) || think.nodes == Some(0) {
        return Err(Failure::bad_request("`depth` and `nodes` are 1 or more").into());
    }
    let most_threads = sessions.config().limits.searches;
    if think.threads.is_some_and(|threads| threads == 0 || threads as usize > most_threads) {
        return Err(Failure::bad_request(format!("`threads` is 1 to {most_threads} here")).into());
    }
    // A search limited by depth or nodes alone still has to end.
    if think.time.is_none() && (think.depth.is_some() || think.nodes.is_some()) {
        think.time = Some(most.as_millis() as u64);
    }
    let threads = think.threads.unwrap_or(1);
    let make = |number| Request::Think(Think { number, ..think });
    search(&sessions, &id, make, threads, time, "thought", body.wait).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveBody {
    time: Option<u64>,
    #[serde(default)]
    wait: bool,
}

pub async fn solve(State(sessions): Server, Path(id): Path<String>, Body(body): Body<SolveBody>) -> Answer {
    let most = sessions.config().limits.search_time;
    let time = allowed(body.time.or(Some(SOLVE_TIME.min(most.as_millis() as u64))), most)?;
    let think = Think { time: Some(time.as_millis() as u64), solve: true, ..Think::default() };
    let make = |number| Request::Think(Think { number, ..think });
    search(&sessions, &id, make, 1, time, "thought", body.wait).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluateBody {
    time: Option<u64>,
    depth: Option<u32>,
    #[serde(default)]
    wait: bool,
}

pub async fn evaluate(
    State(sessions): Server,
    Path(id): Path<String>,
    Body(body): Body<EvaluateBody>,
) -> Answer {
    if body.depth == Some(0) {
        return Err(Failure::bad_request("`depth` is 1 or more").into());
    }
    let most = sessions.config().limits.search_time;
    allowed(body.time, most)?;
    let usual = if body.depth.is_some() { SOLVE_TIME } else { EVALUATE_TIME };
    let total = Some(most.as_millis() as u64);
    let think =
        Think { time: Some(body.time.unwrap_or(usual)), total, depth: body.depth, ..Think::default() };
    let make = |number| Request::Evaluate(Think { number, ..think });
    search(&sessions, &id, make, 1, most, "evaluated", body.wait).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulateBody {
    processors: Option<u32>,
    policy: Option<String>,
    network: Option<String>,
    depth: Option<u32>,
    options: Option<String>,
    time: Option<u64>,
    #[serde(default)]
    wait: bool,
}

pub async fn simulate(
    State(sessions): Server,
    Path(id): Path<String>,
    Body(body): Body<SimulateBody>,
) -> Answer {
    let most = sessions.config().limits.search_time;
    let time = allowed(body.time.or(Some(SOLVE_TIME.min(most.as_millis() as u64))), most)?;
    let SimulateBody { processors, policy, network, depth, options, wait, .. } = body;
    let parallel = Parallel { processors, policy, network };
    let millis = time.as_millis() as u64;
    let make = |number| Request::Simulate(Simulate { number, time: millis, depth, options, parallel });
    search(&sessions, &id, make, 1, time, "simulated", wait).await
}

async fn search(
    sessions: &Arc<Sessions>,
    id: &str,
    make: impl FnOnce(u64) -> Request,
    threads: u32,
    time: Duration,
    end: &'static str,
    wait: bool,
) -> Answer {
    let session = sessions.get(id)?;
    let (number, task) = sessions.search(&session, make, threads, time, end);
    if !wait {
        return Ok(json_response(StatusCode::ACCEPTED, json!({ "search": number }).to_string()));
    }
    ok(task.await.unwrap_or_else(|_| Err(Failure::session_failed()))?)
}

/// How long a search may take.
fn allowed(time: Option<u64>, most: Duration) -> Result<Duration, Failure> {
    match time.map(Duration::from_millis) {
        Some(time) if time.is_zero() || time > most => {
            let most = most.as_millis();
            Err(Failure::bad_request(format!("`time` is in milliseconds, from 1 to {most} here")))
        }
        Some(time) => Ok(time),
        None => Ok(most),
    }
}

pub async fn stop(State(sessions): Server, Path(id): Path<String>) -> Answer {
    let session = sessions.get(&id)?;
    session.stop(false);
    ok(sessions.state(&session).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeBody {
    depth: u32,
    options: Option<String>,
    processors: Option<u32>,
    policy: Option<String>,
    network: Option<String>,
}

pub async fn tree(State(sessions): Server, Path(id): Path<String>, Body(body): Body<TreeBody>) -> Answer {
    let session = sessions.get(&id)?;
    not_searching(&session)?;
    let TreeBody { depth, options, processors, policy, network } = body;
    if processors.is_none() && (policy.is_some() || network.is_some()) {
        return Err(
            Failure::bad_request("`policy` and `network` are for a tree of several `processors`").into()
        );
    }
    let parallel = processors.map(|count| Parallel { processors: Some(count), policy, network });
    let request = Request::Tree(Grow { depth, options, parallel });
    ok(sessions.ask(&session, request).await?)
}

pub async fn node(State(sessions): Server, Path((id, node)): Path<(String, String)>) -> Answer {
    let session = sessions.get(&id)?;
    not_searching(&session)?;
    let Ok(node) = node.parse() else {
        return Err(Failure::new(404, "no-such-node", "a node is a number").into());
    };
    ok(sessions.ask(&session, Request::Node(node)).await?)
}

fn not_searching(session: &Session) -> Result<(), Failure> {
    match session.is_searching() {
        true => Err(Failure::new(429, "busy", "a search is going on; wait for its end or `stop` it")),
        false => Ok(()),
    }
}
