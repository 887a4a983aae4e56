//! Learned networks as data: from what stands where, through one hidden layer, to what an evaluation gets
//! wrong.
//!
//! Each player looks at the position with own eyes: own and opponent's pieces on the board as that player
//! sees it, and the values of properties. The features select rows of one table, whose sums are the hidden
//! layer of that player. The squares of both hidden layers, cut off below 0 and above 1, give what is added
//! to the value for the player to move.
//!
//! Numbers are whole: sums count in [`Network::ONE`]ths, weights of the output in [`Network::OUTPUT_ONE`]ths.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::{Board, Description, Field, Game, Piece, Scope, Side};

/// Values of properties that differ by more than this are not told apart.
const MOST_VALUES: i32 = 48;

/// Black's view of the board of a game whose players have the same task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eyes {
    /// As the rules have it: turned by 180 degrees, or as White does.
    Turned,
    /// With the first row last: in chess, where king and queen are on the same columns for both.
    Flipped,
    /// The tasks differ: each player has separate rows of the table.
    Apart,
}

impl Eyes {
    /// All of them, the preferred ones first, with their names.
    pub const ALL: [(&str, Eyes); 3] =
        [("turned", Eyes::Turned), ("flipped", Eyes::Flipped), ("apart", Eyes::Apart)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Eyes::ALL[self as usize].0
    }

    /// Where Black sees a field; nothing if there is none.
    pub fn place(self, board: &Board, field: Field) -> Option<Field> {
        match self {
            Eyes::Turned | Eyes::Apart => Some(board.seen_by(Side::Black, field)),
            Eyes::Flipped => {
                let row = i64::from(board.rows()) + 1 - i64::from(board.row(field));
                board.field_at(board.column(field).into(), row)
            }
        }
    }
}

/// A learned network of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Size of a player's hidden layer, one of [`Network::SIZES`].
    pub hidden: usize,
    /// Black's view of the board.
    pub eyes: Eyes,
    /// The worth of the output 1, where 100 is about the worth of a man.
    pub scale: i32,
    /// A row of the hidden layer's size for each input.
    pub rows: Vec<i16>,
    /// The initial sums of the hidden layer.
    pub bias: Vec<i16>,
    /// The weights of the hidden layers of the player to move and of the opponent.
    pub output: [Vec<i16>; 2],
    /// Added to the output, in units of the product of both ones.
    pub output_bias: i32,
}

impl Network {
    /// The sum of the hidden layer that counts as 1.
    pub const ONE: i16 = 255;
    /// The weight of the output that counts as 1.
    pub const OUTPUT_ONE: i16 = 64;
    /// Weights of the output are between minus this and this, so that products fit into 16 bits.
    pub const MOST_OUTPUT: i16 = 127;
    /// The sizes of hidden layers.
    pub const SIZES: [usize; 5] = [16, 32, 64, 128, 256];

    /// The error if it does not fit a game.
    pub fn check(&self, description: &Description) -> Result<(), String> {
        Network::check_size(self.hidden)?;
        let wanted = Inputs::new(description, self.eyes)?.count() * self.hidden;
        let sizes = [self.bias.len(), self.output[0].len(), self.output[1].len()];
        if self.rows.len() != wanted || sizes != [self.hidden; 3] {
            return Err(
                "the network does not fit the board, pieces and properties of this game; learn again with \
                 these rules"
                    .into(),
            );
        }
        let most = Network::MOST_OUTPUT;
        if self.output.iter().flatten().any(|weight| !(-most..=most).contains(weight)) {
            return Err(format!("a weight of the output is not between -{most} and {most}"));
        }
        if !(1..=10_000).contains(&self.scale) {
            return Err(format!("the scale {} is not between 1 and 10000", self.scale));
        }
        Ok(())
    }

    fn check_size(hidden: usize) -> Result<(), String> {
        match Network::SIZES.contains(&hidden) {
            true => Ok(()),
            false => Err(format!("a hidden layer of {hidden} is none of {:?}", Network::SIZES)),
        }
    }

    /// All weights as text: rows, bias, output, and the output's bias.
    pub fn weights_text(&self) -> String {
        let numbers = self.rows.iter().chain(&self.bias).chain(self.output.iter().flatten());
        let mut bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(self.output_bias.to_le_bytes());
        STANDARD.encode(bytes)
    }

    /// A network from its numbers and the text of its weights, if it fits a game.
    pub fn read(
        description: &Description,
        hidden: usize,
        eyes: Eyes,
        scale: i32,
        weights: &str,
    ) -> Result<Network, String> {
        Network::check_size(hidden)?;
        let damaged = || "the weights of the network are damaged; learn again".to_string();
        let bytes = STANDARD.decode(weights).map_err(|_| damaged())?;
        let (numbers, bias) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        let numbers: Vec<i16> = pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        let Some(rows) = numbers.len().checked_sub(3 * hidden).filter(|_| rest.is_empty()) else {
            return Err(damaged());
        };
        let part = |number: usize| numbers[rows + number * hidden..][..hidden].to_vec();
        let network = Network {
            hidden,
            eyes,
            scale,
            rows: numbers[..rows].to_vec(),
            bias: part(0),
            output: [part(1), part(2)],
            output_bias: i32::from_le_bytes(*bias),
        };
        network.check(description)?;
        Ok(network)
    }
}

/// A network in the form of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkFile {
    /// The game it was learned for.
    pub game: String,
    /// How.
    pub provenance: String,
    /// Size of a player's hidden layer.
    pub hidden: usize,
    /// Black's view of the board.
    pub eyes: Eyes,
    /// The worth of the output 1.
    pub scale: i32,
    /// All weights.
    pub weights: String,
}

impl NetworkFile {
    /// The file of a network.
    pub fn new(description: &Description, network: &Network, provenance: String) -> NetworkFile {
        let Network { hidden, eyes, scale, .. } = *network;
        let game = description.name.clone();
        NetworkFile { game, provenance, hidden, eyes, scale, weights: network.weights_text() }
    }

    /// The network, if it fits a game.
    pub fn network(&self, description: &Description) -> Result<Network, String> {
        Network::read(description, self.hidden, self.eyes, self.scale, &self.weights)
    }
}

/// The features that a network sees in a position: which rows of its table count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    fields: usize,
    /// For each piece on each field, the row for White's and for Black's eyes.
    pieces: Vec<[u32; 2]>,
    values: Vec<ValueInputs>,
    count: usize,
}

/// The rows of one value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ValueInputs {
    /// Its place among [`crate::Diagram::values`].
    slot: usize,
    low: i32,
    most: i32,
    /// The row for the value one above the least, for White's and for Black's eyes; the least one has none.
    first: [u32; 2],
}

impl Inputs {
    /// Fields and values that a network can see at once.
    pub const MOST_SEEN: usize = 512;

    /// Of a game. An error if its board cannot be seen so.
    pub fn new(description: &Description, eyes: Eyes) -> Result<Inputs, String> {
        let (board, fields) = (&description.board, description.board.size());
        let places: Option<Vec<(Field, Field)>> =
            board.fields().map(|field| Some((field, eyes.place(board, field)?))).collect();
        let Some(places) = places else {
            return Err(format!("Black cannot see this board `{}`", eyes.name()));
        };
        let mut seen_by_black: Vec<usize> = (0..fields).collect();
        places.iter().for_each(|(field, place)| seen_by_black[field.index()] = place.index());
        let mut next = (description.pieces.len() - 1) * fields;
        let mut values = Vec::new();
        for property in description.properties.iter().filter(|property| property.hashed) {
            let most = property.high.saturating_sub(property.low).min(MOST_VALUES);
            let first = |number: usize| (next + number * most as usize) as u32;
            let length = property.length(board);
            let seen = |side: Side, number: usize| match property.scope {
                Scope::Board => number,
                Scope::Player => number ^ side.index(),
                Scope::Field if side == Side::Black => seen_by_black[number],
                Scope::Field => number,
            };
            values.extend((0..length).map(|number| ValueInputs {
                slot: property.offset + number,
                low: property.low,
                most,
                first: Side::BOTH.map(|side| first(seen(side, number))),
            }));
            next += length * most as usize;
        }
        let mut pieces = vec![[0; 2]; description.pieces.len() * fields];
        for piece in 1..description.pieces.len() {
            let other = description.counterpart(Piece(piece as u8)).index();
            for field in board.fields() {
                let turned = seen_by_black[field.index()];
                pieces[piece * fields + field.index()] =
                    [(piece - 1) * fields + field.index(), (other - 1) * fields + turned]
                        .map(|row| row as u32);
            }
        }
        let count = if eyes == Eyes::Apart { 2 * next } else { next };
        if eyes == Eyes::Apart {
            pieces.iter_mut().for_each(|rows| rows[1] += next as u32);
            values.iter_mut().for_each(|value| value.first[1] += next as u32);
        }
        let inputs = Inputs { fields, pieces, values, count };
        match inputs.most_at_once() <= Inputs::MOST_SEEN {
            true => Ok(inputs),
            false => Err(format!("networks see up to {} fields and values", Inputs::MOST_SEEN)),
        }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of rows that can count at once in one player's view.
    pub fn most_at_once(&self) -> usize {
        self.fields + self.values.len()
    }

    /// Visits the rows that count in a position, for White's and for Black's eyes.
    #[inline]
    pub fn for_each<G: Game>(&self, game: &G, position: &G::Position, mut visit: impl FnMut([u32; 2])) {
        game.for_each_piece(position, |piece, field| {
            visit(self.pieces[piece.index() * self.fields + field]);
        });
        for value in &self.values {
            let above = game.value(position, value.slot).saturating_sub(value.low).min(value.most);
            if above > 0 {
                visit(value.first.map(|row| row + above as u32 - 1));
            }
        }
    }
}
