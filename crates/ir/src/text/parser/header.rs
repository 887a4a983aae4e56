//! Reading the facts that come before the functions.

use std::collections::HashSet;

use multigame_game::{
    Abstraction, Board, Chance, Description, Diagram, Eyes, FenProperties, Looks, Network, NoMoves,
    NotationStyle, Piece, PieceInfo, PieceSet, Property, Repetition, Scope, Side, Stacks, Tuple,
    parse_position,
};

use super::board::BoardLines;
use super::evaluation::Evaluations;
use super::{Cursor, Labels, Parsed};
use crate::text::ParseError;
use crate::text::lexer::Token;
use crate::{FunctionId, MoveProperty, Program, RepetitionRule};

/// Pieces, empty field included, have numbers of 8 bits.
const MAX_PIECES: usize = 256;

/// Values have numbers of 16 bits.
const MAX_VALUES: usize = 65_535;

/// The facts so far.
#[derive(Default)]
pub(super) struct Header {
    /// The facts that can be stated once and were.
    stated: HashSet<String>,
    game: String,
    players: Option<u8>,
    board: BoardLines,
    pieces: Vec<PieceInfo>,
    empty_field: Option<PieceInfo>,
    properties: Vec<Property>,
    move_properties: Vec<MoveProperty>,
    no_moves: Option<NoMoves>,
    repetition: Option<Repetition>,
    notation: Vec<NotationStyle>,
    stacks: Option<Stacks>,
    looks: Looks,
    initial: Option<(String, u32)>,
    main: [Option<FunctionId>; 2],
    goal: Option<FunctionId>,
    abstractions: Vec<Abstraction>,
    last: [Option<FunctionId>; 2],
    evaluations: Evaluations,
    patterns: Vec<PatternLine>,
    network: Option<NetworkLine>,
    judge: [Option<FunctionId>; 2],
    cycle: Option<u16>,
    chance: Option<ChanceLine>,
}

impl Header {
    /// Reads one line.
    pub fn fact(&mut self, cursor: &mut Cursor<'_>, labels: &Labels) -> Parsed<()> {
        let start = cursor.line();
        let word = cursor.word("a fact such as `players 2`, or a function")?;
        let may_repeat = [
            "direction",
            "piece",
            "property",
            "move",
            "notation",
            "abstraction",
            "main",
            "last",
            "judge",
            "evaluation",
            "weight",
            "term",
            "pattern",
        ];
        if !may_repeat.contains(&word) && !self.stated.insert(word.to_string()) {
            return Err(ParseError { line: start, message: format!("`{word}` is stated twice") });
        }
        match word {
            "game" => self.game = cursor.text("the game's name")?,
            "players" => self.players = Some(cursor.number(1, 2)? as u8),
            "board" => self.board.shape(cursor)?,
            "holes" => self.board.holes(cursor),
            "direction" => self.board.direction(cursor)?,
            "piece" => self.piece(cursor)?,
            "property" => self.property(cursor)?,
            "move" => self.move_property(cursor)?,
            "chance" => self.chance = Some(ChanceLine::read(cursor)?),
            "no" => self.no_moves = Some(no_moves(cursor)?),
            "repetition" => self.repetition = Some(repetition(cursor)?),
            "notation" => {
                let style = self.notation_style(cursor)?;
                self.notation.push(style);
            }
            "stacks" => {
                let covered = self.kept_pieces(cursor)?;
                self.stacks = Some(Stacks { covered: covered.iter().collect() });
            }
            "looks" => {
                cursor.expect_word("fields")?;
                self.looks.fields = Some(cursor.text("how the fields look")?);
            }
            "abstraction" => {
                let abstraction = self.abstraction(cursor)?;
                self.abstractions.push(abstraction);
            }
            "initial" => {
                let line = cursor.line();
                self.initial = Some((cursor.text("a position")?, line));
            }
            "main" => entry(&mut self.main, cursor, labels)?,
            "goal" => self.goal = Some(cursor.function(labels)?),
            "last" => entry(&mut self.last, cursor, labels)?,
            "evaluation" => self.evaluations.begin(cursor, labels)?,
            "weight" => self.evaluations.weight(cursor)?,
            "term" => self.evaluations.term(cursor, labels, &self.pieces)?,
            "pattern" => self.patterns.push(PatternLine::read(cursor)?),
            "network" => self.network = Some(NetworkLine::read(cursor)?),
            "judge" => entry(&mut self.judge, cursor, labels)?,
            "cycle" => self.cycle = Some(cursor.number(0, i64::from(u16::MAX))? as u16),
            _ => {
                let message = format!("`{word}` is neither a fact such as `players 2` nor a function");
                return Err(ParseError { line: start, message });
            }
        }
        cursor.end_of_line()
    }

    /// `piece 'P' "pawn" white glyph "♙" colour "red"`
    fn piece(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        let line = cursor.line();
        let symbol = cursor.symbol()?;
        let cannot = matches!(symbol, '_' | '/') || symbol.is_whitespace() || symbol.is_control();
        let known = match symbol {
            '.' => self.empty_field.is_some(),
            _ => self.pieces.iter().any(|piece| piece.symbol == symbol),
        };
        let message = match (cannot, known, self.pieces.len() + 1 < MAX_PIECES) {
            (true, _, _) => Some(format!("{symbol:?} cannot be the sign of a piece")),
            (_, true, _) => Some(format!("{symbol:?} already is a piece")),
            (_, _, false) => Some(format!("there can be {MAX_PIECES} pieces, empty field included")),
            _ => None,
        };
        if let Some(message) = message {
            return Err(ParseError { line, message });
        }
        let name = cursor.text("the piece's name")?;
        let side = if cursor.accept_word("neutral") { None } else { Some(cursor.side()?) };
        let hint = |cursor: &mut Cursor<'_>, word: &str| match cursor.accept_word(word) {
            true => cursor.text(&format!("a {word}")).map(Some),
            false => Ok(None),
        };
        let glyph = hint(cursor, "glyph")?;
        let colour = hint(cursor, "colour")?;
        let piece = PieceInfo { name, side, symbol, glyph, colour };
        match symbol {
            '.' => self.empty_field = Some(piece),
            _ => self.pieces.push(piece),
        }
        Ok(())
    }

    /// `property "en_passant" board 0 .. 8 hashed`
    fn property(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        let names = self.properties.iter().map(|property| property.name.as_str());
        let name = property_name(cursor, names)?;
        let scope = match cursor.word("`board`, `player` or `field`")? {
            "board" => Scope::Board,
            "player" => Scope::Player,
            "field" => Scope::Field,
            other => return cursor.error(format!("`{other}` is not `board`, `player` or `field`")),
        };
        let (low, high) = range(cursor)?;
        let hashed = !cursor.accept_word("unhashed");
        if hashed {
            cursor.accept_word("hashed");
        }
        self.properties.push(Property { name, scope, low, high, hashed, offset: 0 });
        Ok(())
    }

    /// `move property "taken" 0 .. 20`
    fn move_property(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        cursor.expect_word("property")?;
        let names = self.move_properties.iter().map(|property| property.name.as_str());
        let name = property_name(cursor, names)?;
        let (low, high) = range(cursor)?;
        self.move_properties.push(MoveProperty { name, low, high });
        Ok(())
    }

    /// `abstraction "corner" "123"`: name and signs of the pieces that are told apart, which stand before.
    fn abstraction(&self, cursor: &mut Cursor<'_>) -> Parsed<Abstraction> {
        let name = cursor.text("the abstraction's name")?;
        Ok(Abstraction { name, kept: self.kept_pieces(cursor)? })
    }

    fn kept_pieces(&self, cursor: &mut Cursor<'_>) -> Parsed<PieceSet> {
        let line = cursor.line();
        let mut kept = PieceSet::EMPTY;
        for sign in cursor.text("the signs of some pieces")?.chars() {
            let Some(piece) = self.pieces.iter().position(|piece| piece.symbol == sign) else {
                return Err(ParseError { line, message: format!("{sign:?} is not the sign of a piece") });
            };
            kept.insert(Piece(piece as u8 + 1));
        }
        Ok(kept)
    }

    /// `notation fen "king_side" "queen_side" "en_passant" "half_moves"`; the properties stand before.
    fn notation_style(&self, cursor: &mut Cursor<'_>) -> Parsed<NotationStyle> {
        let named = |cursor: &mut Cursor<'_>, scope: Scope| {
            let line = cursor.line();
            let name = cursor.text("the name of a property")?;
            if self.properties.iter().any(|property| property.name == name && property.scope == scope) {
                return Ok(name);
            }
            let message = format!("there is no {} property {name:?} above", scope.word());
            Err(ParseError { line, message })
        };
        Ok(match cursor.word("a notation such as `uci`")? {
            "fen" => NotationStyle::Fen(FenProperties {
                king_side: named(cursor, Scope::Player)?,
                queen_side: named(cursor, Scope::Player)?,
                en_passant: named(cursor, Scope::Board)?,
                half_moves: named(cursor, Scope::Board)?,
            }),
            name => match NotationStyle::plain(name) {
                Some(style) => style,
                None => return cursor.error(format!("there is no notation `{name}`")),
            },
        })
    }

    /// The program without its functions.
    pub fn finish(mut self, cursor: &Cursor<'_>) -> Parsed<Program> {
        let board = self.board.build(cursor)?;
        let evaluations = std::mem::take(&mut self.evaluations).finish(board.size())?;
        let patterns = self.patterns.iter().map(|pattern| pattern.tuple(&board)).collect::<Parsed<_>>()?;
        let mut offset = 0;
        for property in &mut self.properties {
            property.offset = offset;
            offset += property.length(&board);
            if offset + self.move_properties.len() > MAX_VALUES {
                return cursor.error(format!("all properties together have more than {MAX_VALUES} values"));
            }
        }
        let chance = self.chance.map(|line| line.chance(&self.properties)).transpose()?;
        let last = match self.last {
            [Some(white), Some(black)] => Some([white, black]),
            [None, None] => None,
            _ => return cursor.error("`last` is needed for both players or none"),
        };
        let judge = match self.judge {
            [Some(white), Some(black)] => Some(RepetitionRule { rule: [white, black], cycle: self.cycle }),
            [None, None] => None,
            _ => return cursor.error("`judge` is needed for both players or none"),
        };
        if self.cycle.is_some_and(|cycle| usize::from(cycle) >= self.move_properties.len()) {
            return cursor.error("`cycle` is the number of a move property, from 0");
        }
        let [Some(white), Some(black)] = self.main else {
            return cursor.error("`main white @...` and `main black @...` are needed before the functions");
        };
        let mut pieces = vec![self.empty_field.unwrap_or_else(PieceInfo::none)];
        pieces.append(&mut self.pieces);
        let mut description = Description {
            name: self.game,
            players: self.players.unwrap_or(2),
            board,
            pieces,
            properties: self.properties,
            chance,
            no_moves: self.no_moves.unwrap_or(NoMoves::Loss),
            repetition: self.repetition.unwrap_or(Repetition::Ignored),
            // Not yet: a position would be read as FEN.
            notation: Vec::new(),
            stacks: self.stacks,
            looks: self.looks,
            initial: Diagram { cells: Vec::new(), values: Vec::new(), side: Side::White },
        };
        description.initial = Diagram::empty(&description);
        if let Some((text, line)) = self.initial {
            description.initial = parse_position(&description, &text)
                .map_err(|error| ParseError { line, message: error.to_string() })?;
        }
        description.notation = self.notation;
        let network = self.network.map(|network| network.network(&description)).transpose()?;
        Ok(Program {
            description,
            move_properties: self.move_properties,
            functions: Vec::new(),
            main: [white, black],
            goal: self.goal,
            last,
            abstractions: self.abstractions,
            evaluations,
            patterns,
            network,
            judge,
            origins: Vec::new(),
        })
    }
}

/// `chance "die" weight "ways"`: board properties, which may stand anywhere.
struct ChanceLine {
    line: u32,
    waits: String,
    weight: Option<String>,
}

impl ChanceLine {
    fn read(cursor: &mut Cursor<'_>) -> Parsed<ChanceLine> {
        let line = cursor.line();
        let waits = cursor.text("the name of a board property")?;
        let weight = match cursor.accept_word("weight") {
            true => Some(cursor.text("the name of a board property")?),
            false => None,
        };
        Ok(ChanceLine { line, waits, weight })
    }

    fn chance(&self, properties: &[Property]) -> Parsed<Chance> {
        let named = |name: &String| {
            let mut board = properties.iter().filter(|property| property.scope == Scope::Board);
            let message = format!("there is no board property {name:?}");
            board.find(|property| property.name == *name).ok_or(ParseError { line: self.line, message })
        };
        let waits = named(&self.waits)?;
        let weight = self.weight.as_ref().map(named).transpose()?;
        if weight.is_some_and(|weight| weight.low < 1) {
            let message = "a weight is 1 at least, and so is the least value of its property".to_string();
            return Err(ParseError { line: self.line, message });
        }
        Ok(Chance { slot: waits.offset, waiting: waits.low, weight: weight.map(|weight| weight.offset) })
    }
}

/// `pattern a1 b1 : 3 0 -5`: fields that will be on the board, and a table for them.
struct PatternLine {
    line: u32,
    fields: Vec<String>,
    table: Vec<i32>,
}

impl PatternLine {
    fn read(cursor: &mut Cursor<'_>) -> Parsed<PatternLine> {
        let line = cursor.line();
        let fields = std::iter::from_fn(|| cursor.accept_name()).collect();
        cursor.expect_sign(":")?;
        let mut table = Vec::new();
        while matches!(cursor.peek(), Token::Number(_) | Token::Sign("-")) {
            table.push(cursor.number(i32::MIN.into(), i32::MAX.into())? as i32);
        }
        Ok(PatternLine { line, fields, table })
    }

    fn tuple(&self, board: &Board) -> Parsed<Tuple> {
        let field = |name: &String| {
            let message = format!("there is no field `{name}` on this board");
            board.parse_field(name).ok_or(ParseError { line: self.line, message })
        };
        let fields = self.fields.iter().map(field).collect::<Parsed<_>>()?;
        Ok(Tuple { fields, table: self.table.clone() })
    }
}

/// `network 64 turned 130 "AAEC..."`: the size of the hidden layer, how Black sees the board, the scale and
/// the weights.
struct NetworkLine {
    line: u32,
    hidden: usize,
    eyes: Eyes,
    scale: i32,
    weights: String,
}

impl NetworkLine {
    fn read(cursor: &mut Cursor<'_>) -> Parsed<NetworkLine> {
        let line = cursor.line();
        let hidden = cursor.number(1, 1 << 16)? as usize;
        let word = cursor.word("how Black sees the board")?;
        let Some((_, eyes)) = Eyes::ALL.into_iter().find(|(name, _)| *name == word) else {
            let message = format!("`{word}` is not `turned`, `flipped` or `apart`");
            return Err(ParseError { line, message });
        };
        let scale = cursor.number(1, i32::MAX.into())? as i32;
        Ok(NetworkLine { line, hidden, eyes, scale, weights: cursor.text("the weights")? })
    }

    fn network(&self, description: &Description) -> Parsed<Network> {
        Network::read(description, self.hidden, self.eyes, self.scale, &self.weights)
            .map_err(|message| ParseError { line: self.line, message })
    }
}

/// Names in position texts end at blanks and `=`.
fn property_name<'a>(cursor: &mut Cursor<'_>, mut known: impl Iterator<Item = &'a str>) -> Parsed<String> {
    let line = cursor.line();
    let name = cursor.text("the property's name")?;
    let breaks = |c: char| c == '=' || c.is_whitespace() || c.is_control();
    let message = match name.is_empty() || name.contains(breaks) {
        true => format!("{name:?} is not the name of a property: one word is expected"),
        false if known.any(|known| known == name) => format!("there already is a property {name:?}"),
        false => return Ok(name),
    };
    Err(ParseError { line, message })
}

fn range(cursor: &mut Cursor<'_>) -> Parsed<(i32, i32)> {
    let low = cursor.number(i32::MIN.into(), i32::MAX.into())?;
    cursor.expect_sign("..")?;
    let high = cursor.number(low, i32::MAX.into())?;
    Ok((low as i32, high as i32))
}

fn no_moves(cursor: &mut Cursor<'_>) -> Parsed<NoMoves> {
    cursor.expect_word("moves")?;
    Ok(match cursor.word("`loss`, `draw`, `pass` or `error`")? {
        "loss" => NoMoves::Loss,
        "draw" => NoMoves::Draw,
        "pass" => NoMoves::Pass,
        "error" => NoMoves::Error,
        other => return cursor.error(format!("`{other}` is not `loss`, `draw`, `pass` or `error`")),
    })
}

fn repetition(cursor: &mut Cursor<'_>) -> Parsed<Repetition> {
    Ok(match cursor.word("`ignored`, `draw`, `win`, `loss` or `forbidden`")? {
        "ignored" => Repetition::Ignored,
        "draw" => Repetition::Draw(cursor.count()?),
        "win" => Repetition::Win(cursor.count()?),
        "loss" => Repetition::Loss(cursor.count()?),
        "judge" => Repetition::Judge(cursor.count()?),
        "forbidden" => Repetition::Forbidden,
        other => return cursor.error(format!("`{other}` is not a rule on repetition")),
    })
}

/// `white @main.white`
fn entry(entries: &mut [Option<FunctionId>; 2], cursor: &mut Cursor<'_>, labels: &Labels) -> Parsed<()> {
    let line = cursor.line();
    let side = cursor.side()?;
    let function = cursor.function(labels)?;
    if entries[side.index()].replace(function).is_some() {
        return Err(ParseError { line, message: format!("there already is one for {side}") });
    }
    Ok(())
}
