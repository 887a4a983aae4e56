//! Games as people and other programs read them: PGN for the family of chess, PDN for draughts, plain text
//! otherwise.

use multigame_game::{Description, Game, Line, NotationStyle, RulesError, Side, notation, position_text};

use crate::log::Entry;

/// Lines are broken here.
const WIDTH: usize = 79;

/// How a game is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation.
    Pgn,
    /// Portable Draughts Notation.
    Pdn,
    /// Names of moves as the game writes them.
    Plain,
}

impl Format {
    /// The one that suits a game.
    pub fn of(description: &Description) -> Format {
        if description.notation.contains(&NotationStyle::Algebraic) {
            Format::Pgn
        } else if description.notation.contains(&NotationStyle::Pdn) {
            Format::Pdn
        } else {
            Format::Plain
        }
    }

    /// How files of that format are called.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Pdn => "pdn",
            Format::Plain => "txt",
        }
    }
}

/// The text of a finished game. `names` are White's and Black's, `date` is `2024.02.29`.
pub fn write_game<G: Game>(
    line: &Line<'_, G>,
    entry: &Entry,
    names: [&str; 2],
    date: &str,
) -> Result<String, RulesError> {
    let game = line.game();
    let description = game.description();
    let format = Format::of(description);
    let start = game.diagram(&line.positions()[0]);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    tag("Event", "Multigame match");
    tag("Site", "?");
    tag("Date", date);
    tag("Round", &(entry.number + 1).to_string());
    tag("White", names[0]);
    tag("Black", names[1]);
    tag("Result", &entry.result);
    match format {
        Format::Pgn if description.name != "chess" => tag("Variant", &description.name),
        Format::Pdn => {
            if let Some(number) = pdn_type(&description.name) {
                tag("GameType", number);
            }
        }
        Format::Plain => tag("Game", &description.name),
        Format::Pgn => {}
    }
    if start != description.initial {
        let position = position_text(description, &start);
        match format {
            Format::Pgn => {
                tag("SetUp", "1");
                tag("FEN", &position);
            }
            _ => tag("Position", &position),
        }
    }
    tag("PlyCount", &line.moves().len().to_string());
    tag("Termination", &entry.reason);
    text.push('\n');
    text.push_str(&move_text(line, format, &entry.result)?);
    text.push_str("\n\n");
    Ok(text)
}

/// The number of a kind of draughts in PDN.
fn pdn_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "international-draughts" => "20",
        "checkers" => "21",
        "italian-draughts" => "22",
        "russian-draughts" => "25",
        "frisian-draughts" => "40",
        _ => return None,
    })
}

/// `1. e4 e5 2. Nf3 ... 1-0`, in lines.
fn move_text<G: Game>(line: &Line<'_, G>, format: Format, result: &str) -> Result<String, RulesError> {
    let game = line.game();
    let mut words = Vec::new();
    let mut number = 1;
    // In chess White's moves are numbered, elsewhere those of whoever begins.
    let first = game.side_to_move(&line.positions()[0]);
    let leader = if format == Format::Pgn { Side::White } else { first };
    let mut last = leader.opponent();
    for (position, mv) in line.positions().iter().zip(line.moves()) {
        let side = game.side_to_move(position);
        if side == leader {
            words.push(format!("{number}."));
        } else if last == side {
            words.push(format!("{number}..."));
        }
        let styled = match format {
            Format::Pgn => notation::name_in_style(game, position, mv, &NotationStyle::Algebraic)?,
            Format::Pdn => notation::name_in_style(game, position, mv, &NotationStyle::Pdn)?,
            Format::Plain => None,
        };
        let name = match styled {
            Some(name) => name,
            None => notation::name_of(game, position, mv)?,
        };
        // A name with blanks would fall apart.
        words.push(if name.contains(' ') { format!("{{{name}}}") } else { name });
        number += usize::from(side != leader);
        last = side;
    }
    words.push(result.to_string());
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    Ok(text)
}
