//! What is heard: one line, one command.

use std::time::Duration;

/// A command of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: who are you, and what can be set?
    Uci,
    /// `isready`: answer when everything before has been done.
    IsReady,
    /// `ucinewgame`: what comes next has nothing to do with what was.
    NewGame,
    /// `setoption name NAME value VALUE`.
    SetOption {
        /// The option.
        name: String,
        /// Empty for buttons.
        value: String,
    },
    /// `position startpos moves ...`.
    Position {
        /// Where the game starts.
        place: Place,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `go ...`: think.
    Go(Box<Go>),
    /// `stop`: say what you have.
    Stop,
    /// `ponderhit`: the move you were thinking about was played; your clock runs.
    PonderHit,
    /// `quit`.
    Quit,
    /// Known, but nothing has to be done: `debug`, `register`.
    Nothing,
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// As the rules say.
    Start,
    /// The position text of the game, which is FEN for chess.
    Text(String),
}

/// How long to think, and about what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// White's and Black's time left.
    pub time: [Option<Duration>; 2],
    /// What they get after each move.
    pub increment: [Duration; 2],
    /// Moves until there is new time.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Look for a win in this many moves.
    pub mate: Option<u32>,
    /// Until `stop`.
    pub infinite: bool,
    /// The opponent is thinking still.
    pub ponder: bool,
    /// Only these moves; all if there are none.
    pub search_moves: Vec<String>,
}

/// What may come after `go`.
const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Command {
    /// Reads a line. Empty lines are no command; what cannot be understood gives a message.
    pub fn parse(line: &str) -> Result<Option<Command>, String> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let rest: Vec<&str> = words.collect();
        Ok(Some(match first {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "debug" | "register" => Command::Nothing,
            "setoption" => set_option(&rest)?,
            "position" => position(&rest)?,
            "go" => Command::Go(Box::new(go(&rest)?)),
            other => return Err(format!("there is no command `{other}`")),
        }))
    }

    /// Whether it is meant for the search that is going on.
    pub fn is_of_search(&self) -> bool {
        matches!(self, Command::Stop | Command::PonderHit)
    }
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let expected = "`setoption name NAME value VALUE` is expected";
    if words.first() != Some(&"name") {
        return Err(expected.to_string());
    }
    let value = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words[1..value].join(" ");
    if name.is_empty() {
        return Err(expected.to_string());
    }
    Ok(Command::SetOption { name, value: words.get(value + 1..).unwrap_or_default().join(" ") })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let place = match words.first() {
        Some(&"startpos") if moves == 1 => Place::Start,
        Some(&("fen" | "position")) if moves > 1 => Place::Text(words[1..moves].join(" ")),
        _ => return Err("`position startpos` or `position fen POSITION` is expected".to_string()),
    };
    let moves = words.get(moves + 1..).unwrap_or_default();
    Ok(Command::Position { place, moves: moves.iter().map(|&word| word.to_string()).collect() })
}

fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.search_moves.push(mv.to_string());
                }
            }
            _ if !GO_WORDS.contains(&word) => return Err(format!("`go` knows no `{word}`")),
            _ => {
                let text = words.next().unwrap_or("");
                let number: i64 =
                    text.parse().map_err(|_| format!("`go {word}` needs a number, not `{text}`"))?;
                go.set(word, number);
            }
        }
    }
    Ok(go)
}

impl Go {
    /// Sets what has a number. Some programs send negative times when somebody is late.
    fn set(&mut self, word: &str, number: i64) {
        let count = number.max(0) as u64;
        let small = count.min(u64::from(u32::MAX)) as u32;
        let time = Duration::from_millis(count);
        match word {
            "wtime" => self.time[0] = Some(time),
            "btime" => self.time[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            "movestogo" => self.moves_to_go = (small > 0).then_some(small),
            "depth" => self.depth = Some(small.max(1)),
            "nodes" => self.nodes = Some(count.max(1)),
            "mate" => self.mate = Some(small.max(1)),
            _ => self.move_time = Some(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn commands_are_read() {
        assert_eq!(Command::parse("  \t"), Ok(None));
        assert_eq!(read(" isready  "), Command::IsReady);
        let set = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(read("setoption name Hash value 32"), set("Hash", "32"));
        assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(read("setoption name Search value a=1, b=2"), set("Search", "a=1, b=2"));
        let moves = vec!["e2e4".to_string(), "e7e5".to_string()];
        assert_eq!(
            read("position startpos moves e2e4 e7e5"),
            Command::Position { place: Place::Start, moves: moves.clone() }
        );
        assert_eq!(
            read("position fen 8/8 w - moves e2e4 e7e5"),
            Command::Position { place: Place::Text("8/8 w -".into()), moves }
        );
    }

    #[test]
    fn go_has_many_words() {
        let Command::Go(go) =
            read("go searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 10 movestogo 0 depth 3 ponder")
        else {
            panic!()
        };
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(go.time, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!(go.increment, [Duration::from_millis(10), Duration::ZERO]);
        assert_eq!((go.moves_to_go, go.depth, go.ponder, go.infinite), (None, Some(3), true, false));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |line: &str| Command::parse(line).unwrap_err();
        assert_eq!(wrong("hello"), "there is no command `hello`");
        assert_eq!(wrong("go depth x"), "`go depth` needs a number, not `x`");
        assert_eq!(wrong("go quickly"), "`go` knows no `quickly`");
        for line in ["position", "position fen", "position fen moves e2e4", "position here", "setoption x"] {
            assert!(wrong(line).contains("is expected"), "{line}");
        }
    }
}
