//! The board as a graph: fields, holes, and where a step in each direction leads.

use crate::{Direction, Field, Side};

/// The largest board there is.
pub const MAX_FIELDS: usize = 1024;

/// The links between the fields of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Eight directions, `turn` by 45 degrees.
    Square,
    /// Six directions (the square grid without northeast and southwest), `turn` by 60 degrees.
    Hex,
    /// Named directions with explicit links; nothing can be turned.
    Graph,
}

/// A board of columns and rows, some of whose fields may be holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    topology: Topology,
    columns: u16,
    rows: u16,
    present: Vec<bool>,
    directions: Vec<DirectionInfo>,
    /// Whether Black sees the board turned by 180 degrees (`sides = 2`).
    turned: bool,
    /// For each direction, what it is in Black's eyes.
    turned_directions: Vec<Direction>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DirectionInfo {
    name: String,
    opposite: Option<Direction>,
    next: Vec<Option<Field>>,
}

/// The reason why a board cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Too small or too large.
    #[error("a board of {0} x {1} fields is not possible: it needs 1 to {MAX_FIELDS} fields")]
    Size(i64, i64),
    /// A chain names a field that is not there.
    #[error("there is no field `{0}` on this board")]
    NoSuchField(String),
    /// Two links of one direction leave the same field.
    #[error("direction `{direction}` already leads from `{from}` to another field")]
    DoubleLink {
        /// The direction.
        direction: String,
        /// The field with two ways out.
        from: String,
    },
    /// `sides = 2` on a board that does not look the same from the other side.
    #[error("with `sides = 2` the board must look the same when turned by 180 degrees, but {0}")]
    NotSymmetric(String),
}

const SQUARE: [(&str, i32, i32); 8] = [
    ("north", 0, 1),
    ("northeast", 1, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("southwest", -1, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
];

const HEX: [(&str, i32, i32); 6] = [
    ("north", 0, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
];

/// A named direction of a free graph with its chains of coordinates.
pub type Chains<'a> = (&'a str, Option<&'a str>, &'a [Vec<String>]);

impl Board {
    /// A square or hexagonal grid. `present` has one entry for each field, false for a hole.
    pub fn grid(
        topology: Topology,
        columns: u16,
        rows: u16,
        present: Vec<bool>,
        turned: bool,
    ) -> Result<Board, BoardError> {
        let compass: &[(&str, i32, i32)] = if topology == Topology::Hex { &HEX } else { &SQUARE };
        let mut board = Board::without_links(topology, columns, rows, present, turned)?;
        let count = compass.len();
        board.directions = (0..count)
            .map(|d| DirectionInfo {
                name: compass[d].0.to_string(),
                opposite: Some(Direction(((d + count / 2) % count) as u8)),
                next: (0..board.size()).map(|f| board.neighbour(f, compass[d].1, compass[d].2)).collect(),
            })
            .collect();
        board.turn_for_black()?;
        Ok(board)
    }

    /// A free graph whose links are given by chains of coordinates.
    pub fn graph(
        columns: u16,
        rows: u16,
        present: Vec<bool>,
        turned: bool,
        chains: &[Chains<'_>],
    ) -> Result<Board, BoardError> {
        let mut board = Board::without_links(Topology::Graph, columns, rows, present, turned)?;
        for (name, opposite, chains) in chains {
            let forward = board.add_direction(name);
            let backward = opposite.map(|opposite| board.add_direction(opposite));
            if let Some(backward) = backward {
                board.directions[forward.index()].opposite = Some(backward);
                board.directions[backward.index()].opposite = Some(forward);
            }
            for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
                let from =
                    board.parse_field(&pair[0]).ok_or_else(|| BoardError::NoSuchField(pair[0].clone()))?;
                let to =
                    board.parse_field(&pair[1]).ok_or_else(|| BoardError::NoSuchField(pair[1].clone()))?;
                board.link(forward, from, to)?;
                if let Some(backward) = backward {
                    board.link(backward, to, from)?;
                }
            }
        }
        board.turn_for_black()?;
        Ok(board)
    }

    fn without_links(
        topology: Topology,
        columns: u16,
        rows: u16,
        present: Vec<bool>,
        turned: bool,
    ) -> Result<Board, BoardError> {
        let size = usize::from(columns) * usize::from(rows);
        if size == 0 || size > MAX_FIELDS || present.len() != size {
            return Err(BoardError::Size(columns.into(), rows.into()));
        }
        Ok(Board {
            topology,
            columns,
            rows,
            present,
            directions: Vec::new(),
            turned,
            turned_directions: Vec::new(),
        })
    }

    fn add_direction(&mut self, name: &str) -> Direction {
        let next = vec![None; self.size()];
        self.directions.push(DirectionInfo { name: name.to_string(), opposite: None, next });
        Direction((self.directions.len() - 1) as u8)
    }

    fn link(&mut self, direction: Direction, from: Field, to: Field) -> Result<(), BoardError> {
        let from_name = self.field_name(from);
        let info = &mut self.directions[direction.index()];
        match info.next[from.index()] {
            Some(already) if already != to => {
                Err(BoardError::DoubleLink { direction: info.name.clone(), from: from_name })
            }
            _ => {
                info.next[from.index()] = Some(to);
                Ok(())
            }
        }
    }

    fn neighbour(&self, field: usize, dx: i32, dy: i32) -> Option<Field> {
        let (columns, rows) = (i32::from(self.columns), i32::from(self.rows));
        let (x, y) = (field as i32 % columns + dx, field as i32 / columns + dy);
        let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
        let next = Field((y * columns + x) as u16);
        (inside && self.present[field] && self.present[next.index()]).then_some(next)
    }

    /// Finds what each direction is in Black's eyes, and that the turned board is the same board.
    fn turn_for_black(&mut self) -> Result<(), BoardError> {
        if !self.turned {
            self.turned_directions = (0..self.directions.len() as u8).map(Direction).collect();
            return Ok(());
        }
        for field in self.fields() {
            let seen = self.seen_by(Side::Black, field);
            if !self.present[seen.index()] {
                let (there, here) = (self.field_name(field), self.field_name(seen));
                return Err(BoardError::NotSymmetric(format!("`{there}` is a field and `{here}` is a hole")));
            }
        }
        let turned: Option<Vec<Direction>> =
            (0..self.directions.len()).map(|d| self.turned_direction(d)).collect();
        let no_partner =
            || BoardError::NotSymmetric("a direction has no partner that does the same".to_string());
        self.turned_directions = turned.ok_or_else(no_partner)?;
        Ok(())
    }

    /// The direction that does for Black what `direction` does for White.
    fn turned_direction(&self, direction: usize) -> Option<Direction> {
        let turned_next = |field: Field| {
            let next = self.directions[direction].next[self.seen_by(Side::Black, field).index()];
            next.map(|next| self.seen_by(Side::Black, next))
        };
        let does_the_same = |d: &Direction| {
            self.fields().all(|field| self.directions[d.index()].next[field.index()] == turned_next(field))
        };
        // On grids the partner is the opposite one; boards of one row or column have several that fit.
        let opposite = self.directions[direction].opposite;
        opposite
            .filter(does_the_same)
            .or_else(|| (0..self.directions.len() as u8).map(Direction).find(does_the_same))
    }

    /// Square, hexagonal or free.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Number of columns.
    pub fn columns(&self) -> u16 {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u16 {
        self.rows
    }

    /// Number of fields, holes included: one more than the largest field number.
    pub fn size(&self) -> usize {
        self.present.len()
    }

    /// Whether Black sees the board turned by 180 degrees.
    pub fn turned(&self) -> bool {
        self.turned
    }

    /// Whether this is a field and not a hole.
    pub fn is_field(&self, field: Field) -> bool {
        self.present[field.index()]
    }

    /// All fields without the holes, from White's lower left, row by row.
    pub fn fields(&self) -> impl Iterator<Item = Field> + '_ {
        (0..self.size() as u16).map(Field).filter(|field| self.present[field.index()])
    }

    /// Where a step leads.
    pub fn step(&self, field: Field, direction: Direction) -> Option<Field> {
        self.directions[direction.index()].next[field.index()]
    }

    /// Number of directions.
    pub fn direction_count(&self) -> usize {
        self.directions.len()
    }

    /// All directions; on grids clockwise from north.
    pub fn directions(&self) -> impl Iterator<Item = Direction> + use<> {
        (0..self.directions.len() as u8).map(Direction)
    }

    /// The direction's name in White's eyes.
    pub fn direction_name(&self, direction: Direction) -> &str {
        &self.directions[direction.index()].name
    }

    /// The direction of that name in White's eyes.
    pub fn direction_named(&self, name: &str) -> Option<Direction> {
        self.directions.iter().position(|info| info.name == name).map(|d| Direction(d as u8))
    }

    /// The direction back, if there is one.
    pub fn opposite(&self, direction: Direction) -> Option<Direction> {
        self.directions[direction.index()].opposite
    }

    /// A field given as that player sees the board; turning twice gives the field back, so it works both
    /// ways.
    pub fn seen_by(&self, side: Side, field: Field) -> Field {
        match side {
            Side::Black if self.turned => Field((self.size() - 1 - field.index()) as u16),
            _ => field,
        }
    }

    /// A direction given as that player sees the board.
    pub fn direction_seen_by(&self, side: Side, direction: Direction) -> Direction {
        match side {
            Side::Black => self.turned_directions[direction.index()],
            Side::White => direction,
        }
    }

    /// The field in that column and row, counted from 1, if it is on the board and no hole.
    pub fn field_at(&self, column: i64, row: i64) -> Option<Field> {
        let inside =
            (1..=i64::from(self.columns)).contains(&column) && (1..=i64::from(self.rows)).contains(&row);
        if !inside {
            return None;
        }
        let field = Field(((row - 1) * i64::from(self.columns) + column - 1) as u16);
        self.is_field(field).then_some(field)
    }

    /// Column from 1, as White sees it.
    pub fn column(&self, field: Field) -> u16 {
        field.0 % self.columns + 1
    }

    /// Row from 1, as White sees it.
    pub fn row(&self, field: Field) -> u16 {
        field.0 / self.columns + 1
    }

    /// White's coordinate: `a1`, `h8`, `aa12`.
    pub fn field_name(&self, field: Field) -> String {
        format!("{}{}", column_name(self.column(field)), self.row(field))
    }

    /// Reads a coordinate; holes and fields off the board give nothing.
    pub fn parse_field(&self, text: &str) -> Option<Field> {
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let (letters, digits) = text.split_at(digits);
        if letters.is_empty() || letters.len() > 3 || digits.len() > 4 || digits.starts_with('0') {
            return None;
        }
        let column = letters.bytes().try_fold(0i64, |column, letter| {
            letter.is_ascii_lowercase().then(|| column * 26 + i64::from(letter - b'a') + 1)
        })?;
        self.field_at(column, digits.parse().ok()?)
    }
}

/// `a` .. `z`, `aa` .. for a column counted from 1.
pub fn column_name(column: u16) -> String {
    let mut rest = u32::from(column);
    let mut letters = Vec::new();
    while rest > 0 {
        rest -= 1;
        letters.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(columns: u16, rows: u16) -> Board {
        let present = vec![true; usize::from(columns * rows)];
        Board::grid(Topology::Square, columns, rows, present, true).unwrap()
    }

    #[test]
    fn steps_stay_on_the_board() {
        let board = square(8, 8);
        let north = board.direction_named("north").unwrap();
        let west = board.direction_named("west").unwrap();
        let a1 = board.parse_field("a1").unwrap();
        assert_eq!(board.step(a1, north), board.parse_field("a2"));
        assert_eq!(board.step(a1, west), None);
    }

    #[test]
    fn coordinates_round_trip_beyond_z() {
        let board = square(30, 34);
        for field in board.fields() {
            assert_eq!(board.parse_field(&board.field_name(field)), Some(field));
        }
        assert_eq!(board.field_name(Field(29)), "ad1");
        assert_eq!(board.parse_field("ae1"), None);
        assert_eq!(board.parse_field("a35"), None);
        assert_eq!(board.parse_field("A1"), None);
        assert_eq!(board.parse_field("a01"), None);
    }

    #[test]
    fn black_sees_the_board_turned() {
        let board = square(8, 8);
        let a1 = board.parse_field("a1").unwrap();
        assert_eq!(board.seen_by(Side::Black, a1), board.parse_field("h8").unwrap());
        let north = board.direction_named("north").unwrap();
        assert_eq!(board.direction_seen_by(Side::Black, north), board.direction_named("south").unwrap());
    }

    #[test]
    fn holes_must_be_symmetric_for_two_sides() {
        let mut present = vec![true; 9];
        present[0] = false;
        let error = Board::grid(Topology::Square, 3, 3, present.clone(), true).unwrap_err();
        assert!(error.to_string().contains("turned by 180 degrees"), "{error}");
        present[8] = false;
        assert!(Board::grid(Topology::Square, 3, 3, present, true).is_ok());
    }

    #[test]
    fn graphs_follow_their_chains() {
        let ring: Vec<Vec<String>> =
            vec![["a1", "b1", "b2", "a2", "a1"].iter().map(|s| s.to_string()).collect()];
        let board =
            Board::graph(2, 2, vec![true; 4], false, &[("sow", Some("back"), ring.as_slice())]).unwrap();
        let sow = board.direction_named("sow").unwrap();
        let mut field = board.parse_field("a1").unwrap();
        for _ in 0..4 {
            field = board.step(field, sow).unwrap();
        }
        assert_eq!(board.field_name(field), "a1");
        assert_eq!(board.opposite(sow), board.direction_named("back"));
    }

    #[test]
    fn too_many_fields_are_refused() {
        let error = Board::grid(Topology::Square, 40, 40, vec![true; 1600], true).unwrap_err();
        assert!(error.to_string().contains("1 to 1024"), "{error}");
    }
}
