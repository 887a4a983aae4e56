//! Whole matches: against programs that misbehave, interrupted ones, and what is written down.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

mod support;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use multigame_arena::{
    Contestant, Control, Entry, Failure, Header, Log, Process, Spec, Sprt, Tally, Terms, Tournament, Verdict,
    from_text, play_game, random, write_game,
};
use multigame_game::{Game, Line, Side};
use multigame_ir::RulesGame;
use multigame_player::Limits;
use support::{Folder, game};

const TERMS: Terms =
    Terms { max_plies: 200, margin: Duration::from_millis(200), patience: Duration::from_millis(300) };

/// What came of a match.
struct Match {
    entries: Vec<Entry>,
    records: Vec<String>,
    tally: Tally,
    verdict: Verdict,
}

struct Setting<'s> {
    players: [&'s str; 2],
    control: Control,
    pairs: usize,
    concurrency: usize,
    plies: u32,
    sprt: Option<Sprt>,
}

impl Default for Setting<'_> {
    fn default() -> Self {
        let control = Control { depth: Some(1), ..Control::default() };
        Setting { players: ["default", "random"], control, pairs: 2, concurrency: 1, plies: 2, sprt: None }
    }
}

fn play(game: &RulesGame, setting: &Setting<'_>, done: &[Entry]) -> anyhow::Result<Match> {
    let stop = AtomicBool::new(false);
    let specs = setting.players.map(|text| Spec::parse(text).unwrap());
    let first = || specs[0].contestant(game, &stop);
    let second = || specs[1].contestant(game, &stop);
    let tournament = Tournament {
        game,
        players: [&first, &second],
        controls: [0, 1].map(|number| specs[number].control.unwrap_or(setting.control)),
        terms: TERMS,
        pairs: setting.pairs,
        opening: &|pair| random(game, setting.plies, pair as u64),
        concurrency: setting.concurrency,
        sprt: setting.sprt,
        farm: None,
        stop: &stop,
    };
    let (mut entries, mut records) = (Vec::new(), Vec::new());
    let mut report = |entry: &Entry, line: &Line<'_, RulesGame>, _: &Tally| {
        records.push(write_game(line, entry, ["a", "b"], "2024.02.29")?);
        entries.push(entry.clone());
        Ok(())
    };
    let (tally, verdict) = tournament.run(done, &mut report)?;
    Ok(Match { entries, records, tally, verdict })
}

/// The reasons for which the first player lost all games.
fn reasons(engine: &str) -> Vec<String> {
    let game = game("tic-tac-toe");
    let control = Control { time: Some(Duration::from_millis(50)), ..Control::default() };
    let setting = Setting { players: [engine, "random"], control, ..Setting::default() };
    let played = play(&game, &setting, &[]).unwrap();
    assert_eq!(played.tally.games, [4, 0, 0], "the match goes on, and all games are lost");
    assert!(played.entries.iter().all(|entry| entry.failed == Some(0)));
    played.entries.into_iter().map(|entry| entry.reason).collect()
}

#[test]
fn programs_that_misbehave_lose() {
    let folder = Folder::new("misbehave");
    let all = |reasons: Vec<String>, part: &str| {
        assert!(reasons.iter().all(|reason| reason.contains(part)), "{part}: {reasons:?}");
    };
    all(reasons(&folder.engine("crash", "exit 3")), "crashed: exit status: 3");
    all(reasons(&folder.engine("killed", "kill -9 $$")), "crashed: signal: 9");
    all(reasons(&folder.engine("illegal", "echo bestmove z9")), "illegal move: z9");
    all(reasons(&folder.engine("resigns", "echo bestmove")), "illegal move: nothing");
    all(reasons(&folder.engine("late", "sleep 0.5; echo bestmove a1")), "ran out of time");
    let said = reasons(&folder.engine("chatter", "echo info string thinking; exec 1>&-"));
    all(said, "crashed: it closed its output");
}

#[test]
fn hung_programs_are_killed() {
    let folder = Folder::new("hung");
    let text = folder.engine("hangs", "while true; do sleep 1; done");
    let program = text.strip_prefix("uci:").unwrap().to_string();
    let mut process = Process::start(&[program], &[]).unwrap();
    let id = process.id().unwrap();
    let game = game("tic-tac-toe");
    let line = Line::new(&game, game.initial());
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let start = Instant::now();
    let patience = Duration::from_millis(200);
    let failure = process.choose(&line, &limits, patience).unwrap_err();
    assert_eq!(failure.to_string(), "hung: no answer within 0.2 s");
    assert!(start.elapsed() < Duration::from_secs(3));
    assert!(!std::path::Path::new(&format!("/proc/{id}")).exists(), "it is gone");
    Contestant::<RulesGame>::new_game(&mut process).unwrap();
    assert_ne!(process.id(), Some(id), "another one plays the next game");
}

#[test]
fn programs_that_cannot_be_started_are_an_error() {
    let folder = Folder::new("start");
    let game = game("tic-tac-toe");
    let setting = Setting { players: ["uci:/no/such/engine", "random"], ..Setting::default() };
    let error = format!("{:#}", play(&game, &setting, &[]).err().unwrap());
    assert!(error.contains("`/no/such/engine` cannot be started"), "{error}");
    let text = folder.script("mute", "exit 0");
    let setting = Setting { players: [&text, "random"], ..Setting::default() };
    let error = format!("{:#}", play(&game, &setting, &[]).err().unwrap());
    assert!(error.contains("exit status: 0"), "{error}");
}

#[test]
fn a_search_beats_chance_and_the_test_says_so() {
    let game = game("breakthrough");
    let sprt = Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05 };
    let setting = Setting { pairs: 50, concurrency: 2, sprt: Some(sprt), plies: 4, ..Setting::default() };
    let played = play(&game, &setting, &[]).unwrap();
    assert_eq!(played.verdict, Verdict::Accepted);
    assert!(played.tally.count() < 60, "{:?}", played.tally);
    assert_eq!(played.tally.games[2], played.tally.count());
    let swapped = Setting { players: ["random", "default"], ..setting };
    assert_eq!(play(&game, &swapped, &[]).unwrap().verdict, Verdict::Rejected);
}

#[test]
fn colours_are_swapped_and_openings_repeated() {
    let game = game("breakthrough");
    let setting = Setting { players: ["random,seed=3", "random,seed=4"], pairs: 4, ..Setting::default() };
    let played = play(&game, &setting, &[]).unwrap();
    for pair in played.entries.chunks(2) {
        assert_eq!((pair[0].white, pair[1].white), (0, 1));
        assert_eq!(pair[0].moves[..2], pair[1].moves[..2]);
    }
    assert_ne!(played.entries[0].moves[..2], played.entries[2].moves[..2]);
    assert_eq!(played.entries.len(), 8);
}

#[test]
fn an_interrupted_match_goes_on() {
    let folder = Folder::new("log");
    let path = folder.0.join("match.jsonl");
    let header = Header {
        game: "breakthrough".into(),
        players: ["random".into(), "random,seed=2".into()],
        controls: ["depth 1".into(), "depth 1".into()],
        openings: "2 random plies".into(),
    };
    let game = game("breakthrough");
    let setting = Setting { players: ["random", "random,seed=2"], pairs: 3, ..Setting::default() };
    let whole = play(&game, &setting, &[]).unwrap();
    let never_begun = Header { players: ["random".into(), "uci:missing".into()], ..header.clone() };
    drop(Log::open(&path, &never_begun).unwrap());
    let (mut log, done) = Log::open(&path, &header).unwrap();
    assert!(done.is_empty());
    for entry in &whole.entries[..3] {
        log.add(entry).unwrap();
    }
    drop(log);
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("{\"number\":3,\"wh");
    std::fs::write(&path, text).unwrap();
    let (mut log, done) = Log::open(&path, &header).unwrap();
    assert_eq!(done, whole.entries[..3], "what was half written is forgotten");
    let rest = play(&game, &setting, &done).unwrap();
    assert_eq!(rest.entries.iter().map(|entry| entry.number).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(rest.tally.count(), 6);
    assert_eq!(rest.tally.pairs.iter().sum::<u64>(), 3);
    for entry in &rest.entries {
        log.add(entry).unwrap();
    }
    drop(log);
    assert_eq!(Log::open(&path, &header).unwrap().1.len(), 6);
    let other = Header { players: ["random".into(), "default".into()], ..header.clone() };
    let error = Log::open(&path, &other).unwrap_err().to_string();
    assert!(error.contains("another match (between `random` and `random,seed=2`)"), "{error}");
    std::fs::write(&path, "not a log\n").unwrap();
    assert!(Log::open(&path, &header).unwrap_err().to_string().contains("is not a log of a match"));
}

#[test]
fn openings_are_read_and_wrong_ones_refused() {
    let game = game("tic-tac-toe");
    let openings = from_text(&game, "# two\nstartpos | b2 a1\n\n3/1X1/3 b\n").unwrap();
    assert_eq!(openings.len(), 2);
    assert_eq!(openings[0].line(&game).moves().len(), 2);
    assert!(openings[1].start.is_some());
    for (text, message) in [
        ("", "there is no opening"),
        ("startpos | z9", "line 1 of the openings is wrong"),
        ("startpos | a1 b1 a2 b2 a3", "ends the game"),
        ("X", "line 1 of the openings is wrong"),
    ] {
        let error = format!("{:#}", from_text(&game, text).err().unwrap());
        assert!(error.contains(message), "{text}: {error}");
    }
    let error = random(&game, 9, 1).err().unwrap().to_string();
    assert!(error.contains("use fewer with `--plies`"), "{error}");
}

#[test]
fn a_full_game_is_written_down() {
    let game = game("chess");
    let opening = from_text(&game, "startpos | e2e4 e7e5 d1h5 b8c6 f1c4 g8f6").unwrap().remove(0);
    let mut line = opening.line(&game);
    let mv = multigame_game::notation::find(&game, line.position(), "Qxf7").unwrap();
    line.play(&mv);
    let entry = Entry {
        number: 4,
        white: 0,
        result: "1-0".into(),
        reason: "white wins".into(),
        failed: None,
        start: None,
        moves: Vec::new(),
        seconds: [0.0; 2],
    };
    let text = write_game(&line, &entry, ["A \"quoted\"", "B"], "2024.02.29").unwrap();
    expect_test::expect![[r#"
        [Event "Multigame match"]
        [Site "?"]
        [Date "2024.02.29"]
        [Round "5"]
        [White "A \"quoted\""]
        [Black "B"]
        [Result "1-0"]
        [PlyCount "7"]
        [Termination "white wins"]

        1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

    "#]]
    .assert_eq(&text);
}

#[test]
fn draughts_and_other_games_have_records_too() {
    let checkers = game("checkers");
    let setting = Setting { players: ["random", "random,seed=9"], pairs: 1, ..Setting::default() };
    let played = play(&checkers, &setting, &[]).unwrap();
    let record = &played.records[0];
    assert!(record.contains("[GameType \"21\"]") && record.contains("\n1. "), "{record}");
    assert!(record.lines().all(|line| line.len() < 80), "{record}");
    let morris = game("three-mens-morris");
    let played = play(&morris, &setting, &[]).unwrap();
    assert!(played.records[0].contains("[Game \"three-mens-morris\"]"), "{}", played.records[0]);
    assert_eq!(played.tally.count(), 2);
}

/// A player that answers at once, but the referee learns of it late, as on a busy machine.
struct Unheard<'l> {
    player: Box<dyn Contestant<RulesGame> + 'l>,
    answered: Option<Instant>,
    /// Whether anybody noticed when the answer arrived.
    noticed: bool,
}

impl Contestant<RulesGame> for Unheard<'_> {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.player.new_game()
    }

    fn choose(
        &mut self,
        line: &Line<'_, RulesGame>,
        limits: &Limits,
        patience: Duration,
    ) -> Result<<RulesGame as Game>::Move, Failure> {
        let chosen = self.player.choose(line, limits, patience);
        self.answered = self.noticed.then(Instant::now);
        std::thread::sleep(Duration::from_millis(700));
        chosen
    }

    fn answered(&self) -> Option<Instant> {
        self.answered
    }
}

#[test]
fn nobody_pays_for_a_referee_who_is_kept_waiting() {
    let game = game("tic-tac-toe");
    let stop = AtomicBool::new(false);
    let guesser = || Spec::parse("random").unwrap().contestant(&game, &stop).unwrap();
    let time = Duration::from_millis(500);
    let control = Control { clock: Some((time, Duration::ZERO)), ..Control::default() };
    let terms = Terms { max_plies: 2, margin: Duration::ZERO, ..TERMS };
    let opening = random(&game, 0, 1).unwrap();
    for (noticed, failed) in [(true, None), (false, Some(Side::White))] {
        let mut unheard = Unheard { player: guesser(), answered: None, noticed };
        let mut other = guesser();
        let players: [&mut dyn Contestant<RulesGame>; 2] = [&mut unheard, &mut *other];
        let played = play_game(&game, &opening, players, [control; 2], &terms, &stop).unwrap();
        assert_eq!(played.failed, failed, "{}", played.reason);
    }
}
