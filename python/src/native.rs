//! The classes that Python gets from Rust. They say as little as possible; `../multigame` makes them pleasant.

use std::sync::{Arc, Mutex};

use multigame_game::{Description, NoMoves, NotationStyle, Outcome, Piece, Scope, Side, Status, Topology};
use multigame_loader::{Backend, Beside, Playable, Source, bundled, compile, source};
use multigame_player::Configuration;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::batch::AnyBatch;
use crate::errors::{Rules, WrongRules, diagnostics_json};
use crate::hosted::{AnyGame, AnyPosition, Hide, Loaded};
use crate::matches::MatchPlan;
use crate::random_games::{Plan, Results};
use crate::simulation::SimulationPlan;
use crate::{planes, work};

/// A game and its rules.
#[pyclass(frozen, module = "multigame._native")]
pub struct NativeGame {
    game: Arc<dyn AnyGame>,
    rules: Arc<Rules>,
    warnings: String,
    refusal: Option<String>,
    native: bool,
}

/// A position and its game's rules.
#[pyclass(frozen, module = "multigame._native")]
pub struct NativePosition {
    position: Arc<dyn AnyPosition>,
    rules: Arc<Rules>,
    players: u8,
}

/// Many games.
#[pyclass(frozen, module = "multigame._native")]
pub struct NativeBatch {
    batch: Mutex<Box<dyn AnyBatch>>,
    rules: Arc<Rules>,
}

/// Winner, margin, whether by repetition, in words.
type End = (Option<usize>, Option<i32>, bool, String);
type Offsets<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);
type Games<'py> = (
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u64>>,
);

/// The names of the bundled games.
#[pyfunction]
pub fn names() -> Vec<String> {
    bundled::names()
}

/// All options of searches, as JSON.
#[pyfunction]
pub fn options() -> String {
    let described = Configuration::described().into_iter().map(|option| {
        json!({
            "name": option.name, "values": option.values, "default": option.default,
            "playing": option.playing, "used_by": option.users, "help": option.help,
        })
    });
    Value::from_iter(described).to_string()
}

/// A bundled game, or that of a file.
#[pyfunction]
pub fn load(
    py: Python<'_>,
    name: String,
    parameters: Vec<(String, i64)>,
    backend: String,
    weights: Option<String>,
) -> PyResult<NativeGame> {
    let nothing = Rules { file: name.clone(), text: String::new() };
    let source = work::at_once(py, &nothing, || {
        let mut source = source(&name).map_err(|error| {
            // The message is written for the command line.
            match error.downcast_ref::<std::io::Error>() {
                None if error.chain().len() == 1 => {
                    let text = error.to_string().replace("`multigame games`", "`multigame.games()`");
                    anyhow::anyhow!(text)
                }
                _ => error,
            }
        })?;
        match weights.as_deref() {
            None => {}
            Some("rules") => (source.weights, source.patterns, source.network) = (None, None, None),
            Some(file) => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| anyhow::Error::new(error).context(format!("cannot read `{file}`")))?;
                source.weights = Some(Beside { file: file.to_string(), text });
            }
        }
        Ok(source)
    })?;
    of_source(py, source, parameters, &backend)
}

/// The game of a text.
#[pyfunction]
pub fn load_text(
    py: Python<'_>,
    name: String,
    text: String,
    parameters: Vec<(String, i64)>,
    backend: String,
) -> PyResult<NativeGame> {
    of_source(py, Source::of_text(name.clone(), name, text), parameters, &backend)
}

/// What is wrong with rules, as JSON and as text.
#[pyfunction]
pub fn check(py: Python<'_>, text: String, parameters: Vec<(String, i64)>) -> PyResult<(String, String)> {
    let rules = Rules { file: "rules".to_string(), text: text.clone() };
    work::at_once(py, &rules, || {
        let source = Source::of_text("rules".to_string(), "rules".to_string(), text);
        let diagnostics = compile(&source, &parameters).diagnostics;
        let style = multigame_syntax::Style::Plain;
        let rendered = multigame_syntax::render(&diagnostics, &rules.file, &rules.text, style);
        Ok((diagnostics_json(&diagnostics, &rules), rendered))
    })
}

fn of_source(
    py: Python<'_>,
    source: Source,
    parameters: Vec<(String, i64)>,
    backend: &str,
) -> PyResult<NativeGame> {
    let backend: Backend = backend.parse().map_err(PyValueError::new_err)?;
    let rules = Arc::new(Rules { file: source.file.clone(), text: source.text.clone() });
    let shared = rules.clone();
    work::interruptible(py, &rules, move |_| {
        let compilation = compile(&source, &parameters);
        let Some(program) = compilation.program else {
            return Err(WrongRules(compilation.diagnostics).into());
        };
        let loaded = Loaded { text: source.text, parameters, program: program.clone(), backend };
        let (playable, refusal) = Playable::new(program, backend);
        let native = playable.is_native();
        let warnings = diagnostics_json(&compilation.diagnostics, &shared);
        Ok(NativeGame { game: playable.run(Hide(loaded)), rules: shared, warnings, refusal, native })
    })
}

fn side_name(side: Option<Side>) -> Option<String> {
    side.map(|side| side.to_string())
}

impl NativeGame {
    fn hold(&self, position: Arc<dyn AnyPosition>) -> NativePosition {
        NativePosition { position, rules: self.rules.clone(), players: self.game.description().players }
    }

    fn plan<T: serde::de::DeserializeOwned>(plan: &str) -> PyResult<T> {
        serde_json::from_str(plan).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl NativeGame {
    #[getter]
    fn warnings(&self) -> &str {
        &self.warnings
    }

    #[getter]
    fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    #[getter]
    fn native(&self) -> bool {
        self.native
    }

    #[getter]
    fn rules(&self) -> &str {
        &self.rules.text
    }

    /// Everything about a game but its moves, as JSON.
    fn description(&self) -> String {
        let description = self.game.description();
        describe(description, self.game.evaluations()).to_string()
    }

    fn initial(&self, py: Python<'_>) -> PyResult<NativePosition> {
        work::quickly(py, &self.rules, || Ok(self.hold(self.game.initial())))
    }

    fn position(&self, py: Python<'_>, text: &str) -> PyResult<NativePosition> {
        work::quickly(py, &self.rules, || Ok(self.hold(self.game.position(text)?)))
    }

    /// Count, count without the overflow, what numbers are made of.
    fn action_space(&self, py: Python<'_>) -> PyResult<(usize, usize, &'static str)> {
        work::interruptible(py, &self.rules, |_| {
            let actions = self.game.actions()?;
            Ok((actions.count(), actions.regular(), actions.scheme()))
        })
    }

    fn play_match(&self, py: Python<'_>, plan: &str, report: Option<Py<PyAny>>) -> PyResult<String> {
        let plan: MatchPlan = NativeGame::plan(plan)?;
        with_report(py, &self.rules, report, |stop, report| self.game.play_match(&plan, stop, report))
    }

    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    #[pyo3(signature = (*, random_games, levels, games, plies, nodes, doublings, match_games, concurrency,
        max_plies, seed))]
    fn analyze(
        &self,
        py: Python<'_>,
        random_games: u32,
        levels: u32,
        games: u32,
        plies: u32,
        nodes: u64,
        doublings: u32,
        match_games: u32,
        concurrency: usize,
        max_plies: u32,
        seed: u64,
    ) -> PyResult<String> {
        let plan = multigame_analysis::Plan {
            random_games,
            levels,
            games,
            plies,
            nodes,
            doublings,
            match_games,
            concurrency,
            max_plies,
            seed,
        };
        work::interruptible(py, &self.rules, |stop| Ok(self.game.analyze(&plan, stop)?.to_string()))
    }

    #[pyo3(signature = (count, start, threads))]
    fn batch(
        &self,
        py: Python<'_>,
        count: usize,
        start: Option<String>,
        threads: usize,
    ) -> PyResult<NativeBatch> {
        let batch = work::at_once(py, &self.rules, || {
            let mut batch = self.game.batch(count, start.as_deref())?;
            batch.set_threads(threads);
            Ok(batch)
        })?;
        Ok(NativeBatch { batch: Mutex::new(batch), rules: self.rules.clone() })
    }
}

/// Runs work that tells how it is getting on to a function of Python. What the function raises ends it.
fn with_report(
    py: Python<'_>,
    rules: &Rules,
    report: Option<Py<PyAny>>,
    run: impl FnOnce(&std::sync::atomic::AtomicBool, &mut crate::hosted::Report<'_>) -> anyhow::Result<Value>
    + Send,
) -> PyResult<String> {
    let mut raised = None;
    let done = work::interruptible(py, rules, |stop| {
        let mut tell = |news: Value| {
            let Some(report) = &report else { return true };
            let told = Python::attach(|py| report.call1(py, (news.to_string(),)).map(drop));
            match told {
                Ok(()) => true,
                Err(error) => {
                    raised.get_or_insert(error);
                    false
                }
            }
        };
        run(stop, &mut tell)
    });
    match raised {
        Some(error) => Err(error),
        None => Ok(done?.to_string()),
    }
}

fn describe(description: &Description, evaluations: Value) -> Value {
    let board = &description.board;
    let fields: Vec<Value> = board
        .fields()
        .map(|field| {
            json!({
                "name": board.field_name(field), "number": field.0,
                "column": board.column(field), "row": board.row(field),
            })
        })
        .collect();
    let pieces: Vec<Value> = (0..description.pieces.len())
        .map(|number| {
            let info = &description.pieces[number];
            json!({
                "number": number, "name": info.name, "side": side_name(info.side),
                "symbol": info.symbol.to_string(), "glyph": info.glyph,
                "full_name": description.piece_name(Piece(number as u8)),
            })
        })
        .collect();
    let properties: Vec<Value> = description
        .properties
        .iter()
        .map(|property| {
            let scope = match property.scope {
                Scope::Board => "board",
                Scope::Player => "player",
                Scope::Field => "field",
            };
            json!({
                "name": property.name, "scope": scope, "low": property.low, "high": property.high,
                "offset": property.offset, "length": property.length(board),
            })
        })
        .collect();
    json!({
        "name": description.name,
        "players": description.players,
        "chance": description.chance.is_some(),
        "topology": match board.topology() {
            Topology::Square => "square",
            Topology::Hex => "hex",
            Topology::Graph => "graph",
        },
        "columns": board.columns(),
        "rows": board.rows(),
        "fields": fields,
        "pieces": pieces,
        "properties": properties,
        "planes": planes::names(description),
        "notation": description.notation.iter().map(NotationStyle::name).collect::<Vec<_>>(),
        "no_moves": match description.no_moves {
            NoMoves::Loss => "loss",
            NoMoves::Draw => "draw",
            NoMoves::Pass => "pass",
            NoMoves::Error => "error",
        },
        "evaluations": evaluations,
    })
}

impl NativePosition {
    fn after(&self, position: Arc<dyn AnyPosition>) -> NativePosition {
        NativePosition { position, rules: self.rules.clone(), players: self.players }
    }

    fn plan(games: usize, seed: u64, max_plies: u32, threads: usize) -> Plan {
        Plan { games, seed, max_plies, threads }
    }
}

#[pymethods]
impl NativePosition {
    #[getter]
    fn side(&self) -> usize {
        self.position.side().index()
    }

    #[getter]
    fn ply(&self) -> u32 {
        self.position.ply()
    }

    #[getter]
    fn signature(&self) -> u64 {
        self.position.signature()
    }

    fn text(&self) -> String {
        self.position.text()
    }

    fn drawing(&self) -> String {
        self.position.drawing()
    }

    fn svg(&self, size: u32) -> String {
        self.position.svg(size)
    }

    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_vec(py, self.position.cells())
    }

    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        PyArray1::from_vec(py, self.position.values())
    }

    fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_vec(py, self.position.planes())
    }

    /// Nothing while the game goes on; else winner (0, 1 or nothing), margin, by repetition, in words.
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<End>> {
        let status = work::quickly(py, &self.rules, || self.position.status())?;
        let repeated = matches!(status, Status::Repeated(_));
        Ok(status.outcome().map(|outcome| {
            let margin = if let Outcome::Score(margin) = outcome { Some(margin) } else { None };
            let winner = outcome.winner().map(Side::index);
            let words = match (self.players, winner) {
                (1, Some(0)) => "solved".to_string(),
                (1, Some(_)) => "lost".to_string(),
                _ => outcome.to_string(),
            };
            (winner, margin, repeated, words)
        }))
    }

    fn keys(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        work::quickly(py, &self.rules, || self.position.keys())
    }

    fn ends(&self, py: Python<'_>) -> PyResult<Vec<(usize, usize)>> {
        work::quickly(py, &self.rules, || self.position.ends())
    }

    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        work::at_once(py, &self.rules, || self.position.names())
    }

    fn numbers(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        work::at_once(py, &self.rules, || self.position.numbers())
    }

    fn find(&self, py: Python<'_>, text: &str) -> PyResult<usize> {
        work::at_once(py, &self.rules, || self.position.find(text))
    }

    fn apply(&self, py: Python<'_>, place: usize) -> PyResult<NativePosition> {
        work::quickly(py, &self.rules, || Ok(self.after(self.position.apply(place)?)))
    }

    fn before(&self) -> Option<NativePosition> {
        self.position.before().map(|position| self.after(position))
    }

    fn played(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        work::at_once(py, &self.rules, || self.position.played())
    }

    fn search(
        &self,
        py: Python<'_>,
        wishes: Vec<(String, String)>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        with_report(py, &self.rules, report, |stop, report| self.position.search(&wishes, stop, report))
    }

    fn solve(
        &self,
        py: Python<'_>,
        wishes: Vec<(String, String)>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        with_report(py, &self.rules, report, |stop, report| self.position.solve(&wishes, stop, report))
    }

    fn explain(&self, py: Python<'_>, evaluation: Option<String>) -> PyResult<String> {
        let explained = || self.position.explain(evaluation.as_deref());
        Ok(work::at_once(py, &self.rules, explained)?.to_string())
    }

    fn perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64> {
        work::interruptible(py, &self.rules, |stop| self.position.perft(depth, threads, stop))
    }

    fn divide(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<Vec<(String, u64)>> {
        work::interruptible(py, &self.rules, |stop| self.position.divide(depth, threads, stop))
    }

    fn random_games<'py>(
        &self,
        py: Python<'py>,
        games: usize,
        seed: u64,
        max_plies: u32,
        threads: usize,
    ) -> PyResult<Games<'py>> {
        let plan = NativePosition::plan(games, seed, max_plies, threads);
        let results = work::interruptible(py, &self.rules, |stop| self.position.random_games(&plan, stop))?;
        Ok(arrays(py, results))
    }

    fn simulate(&self, py: Python<'_>, plan: &str) -> PyResult<String> {
        let plan: SimulationPlan = NativeGame::plan(plan)?;
        work::interruptible(py, &self.rules, |stop| Ok(self.position.simulate(&plan, stop)?.to_string()))
    }
}

fn arrays(py: Python<'_>, results: Results) -> Games<'_> {
    (
        PyArray1::from_vec(py, results.winners),
        PyArray1::from_vec(py, results.endings),
        PyArray1::from_vec(py, results.plies),
        PyArray1::from_vec(py, results.choices),
    )
}

impl NativeBatch {
    /// Does something with the games without Python's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch) -> anyhow::Result<T> + Send,
    ) -> PyResult<T> {
        let locked = work::at_once(py, &self.rules, || {
            let Ok(mut batch) = self.batch.lock() else { return Ok(None) };
            work(&mut **batch).map(Some)
        })?;
        locked.ok_or_else(work::poisoned)
    }
}

#[pymethods]
impl NativeBatch {
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |batch| Ok(batch.len()))
    }

    fn set_threads(&self, py: Python<'_>, threads: usize) -> PyResult<()> {
        self.with(py, |batch| {
            batch.set_threads(threads);
            Ok(())
        })
    }

    fn reset(&self, py: Python<'_>, which: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<()> {
        let which = which.map(|which| which.as_array().to_vec());
        self.with(py, |batch| batch.reset(which.as_deref()))
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |batch| Ok(batch.counts()))?))
    }

    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Offsets<'py>> {
        let (offsets, actions) = self.with(py, |batch| batch.actions())?;
        Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, actions)))
    }

    fn mask<'py>(&self, py: Python<'py>) -> PyResult<(usize, Bound<'py, PyArray1<u8>>)> {
        let (count, mask) = self.with(py, |batch| batch.mask())?;
        Ok((count, PyArray1::from_vec(py, mask)))
    }

    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_array().to_vec();
        self.with(py, |batch| batch.step(&actions))
    }

    fn step_places(&self, py: Python<'_>, places: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let places = places.as_array().to_vec();
        self.with(py, |batch| batch.step_places(&places))
    }

    fn step_random(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with(py, |batch| batch.step_random(seed))
    }

    fn over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |batch| Ok(batch.over()))?))
    }

    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |batch| Ok(batch.returns()))?))
    }

    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |batch| Ok(batch.players()))?))
    }

    fn plies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |batch| Ok(batch.plies()))?))
    }

    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |batch| batch.observations())?))
    }

    fn random_games<'py>(&self, py: Python<'py>, seed: u64, max_plies: u32) -> PyResult<Games<'py>> {
        Ok(arrays(py, self.with(py, |batch| batch.random_games(seed, max_plies))?))
    }

    fn text(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        self.with(py, |batch| batch.text(number))
    }
}
