//! Boards of all topologies, with the words that are allowed on each.

use crate::choices::Choices;

/// The directions of a free graph that have opposites.
const GRAPH: &[&str] = &["ahead", "back", "up", "down"];
const HEX: &[&str] = &["north", "east", "southeast", "south", "west", "northwest", "any direction"];
const SQUARE: &[&str] = &[
    "north",
    "any direction",
    "orthogonal",
    "east",
    "diagonal",
    "northeast",
    "south",
    "west",
    "southeast",
    "southwest",
    "northwest",
    "alldir",
];

#[derive(Clone, Copy, PartialEq)]
enum Topology {
    Square,
    Hex,
    Graph,
}

/// A board and what its rules may say.
pub(crate) struct Board {
    topology: Topology,
    pub columns: usize,
    pub rows: usize,
    /// Whether `step backward` is possible everywhere.
    pub returns: bool,
    /// Whether the corners are holes.
    holes: bool,
}

impl Board {
    pub fn choose(choices: &mut Choices<'_>) -> Board {
        let topology = match choices.below(8) {
            6 => Topology::Hex,
            7 => Topology::Graph,
            _ => Topology::Square,
        };
        let (columns, rows) = match choices.below(12) {
            11 if topology != Topology::Graph => (9 + choices.below(2), 8),
            10 => (3 + choices.below(6), 4 + choices.below(5)),
            _ => (2 + choices.below(4), 2 + choices.below(3)),
        };
        let returns = topology != Topology::Graph || !choices.rarely(3);
        let holes = topology != Topology::Graph && columns > 2 && rows > 2 && choices.rarely(6);
        Board { topology, columns, rows, returns, holes }
    }

    /// Whether this place is a hole.
    pub fn is_hole(&self, column: usize, row: usize) -> bool {
        self.holes && [0, self.columns - 1].contains(&column) && [0, self.rows - 1].contains(&row)
    }

    /// Whether it has the directions of the compass.
    pub fn is_square(&self) -> bool {
        self.topology == Topology::Square
    }

    /// Number of fields.
    pub fn fields(&self) -> usize {
        self.columns * self.rows - if self.holes { 4 } else { 0 }
    }

    pub fn declarations(&self) -> String {
        let size = format!("dimensions ({}, {})\n", self.columns, self.rows);
        match self.topology {
            Topology::Square => size,
            Topology::Hex => format!("topology hex\n{size}"),
            Topology::Graph => format!("topology graph\n{size}{}", self.links()),
        }
    }

    /// A ring around the lowest two rows, columns upward, and where not every step returns, a one-way street.
    fn links(&self) -> String {
        let name = |column: usize, row: usize| format!("{}{}", (b'a' + column as u8) as char, row + 1);
        let there = (0..self.columns).map(|column| name(column, 0));
        let back = (0..self.columns).rev().map(|column| name(column, 1));
        let ring: Vec<String> = there.chain(back).chain([name(0, 0)]).collect();
        let column = |column| (0..self.rows).map(|row| name(column, row)).collect::<Vec<_>>().join(" ");
        let columns: Vec<String> = (0..self.columns).map(column).collect();
        let across =
            if self.returns { String::new() } else { format!("    across : {}\n", ring[..3].join(" ")) };
        format!(
            "directions {{\n    ahead / back : {}\n    up / down : {}\n{across}}}\n",
            ring.join(" "),
            columns.join(", ")
        )
    }

    /// A statement that sets the direction.
    pub fn face(&self, choices: &mut Choices<'_>) -> &'static str {
        match self.topology {
            Topology::Square => choices.of(SQUARE),
            Topology::Hex => choices.of(HEX),
            Topology::Graph if !self.returns && choices.rarely(4) => "across",
            Topology::Graph if choices.rarely(4) => "any direction",
            Topology::Graph => choices.of(GRAPH),
        }
    }

    /// A statement that changes the direction, where it may be changed.
    pub fn turn(&self, choices: &mut Choices<'_>) -> &'static str {
        match self.topology {
            Topology::Square => choices.of(&["turn 90", "turn -45", "turn 180", "rotate 45"]),
            Topology::Hex => choices.of(&["turn 60", "turn -60", "rotate 180"]),
            Topology::Graph => self.face(choices),
        }
    }
}
