//! A puzzle for experiments: a random maze with many ways around, of odd and even length, so that solutions
//! of every length pass the same places. The distance of every place is known.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use multigame_game::{
    Board, Description, Diagram, Game, Looks, NoMoves, Outcome, Piece, PieceInfo, Property, Random,
    Repetition, RulesError, Scope, Side, Signature, Topology, Visitor,
};
use multigame_search::{Evaluator, Value};

/// The maze. The way out is place 0.
#[derive(Debug)]
pub(super) struct Maze {
    ways: Vec<Vec<u16>>,
    distances: Vec<u32>,
    description: Description,
}

impl Maze {
    /// A maze of this many places: a ring, with this many ways across that lead to places nearby.
    pub fn new(places: u16, across: usize, seed: u64) -> Maze {
        let mut random = Random::new(seed);
        let mut ways = vec![Vec::new(); usize::from(places)];
        let mut join = |one: u16, other: u16| {
            if one != other && !ways[usize::from(one)].contains(&other) {
                ways[usize::from(one)].push(other);
                ways[usize::from(other)].push(one);
            }
        };
        (0..places).for_each(|place| join(place, (place + 1) % places));
        for _ in 0..across {
            let one = random.below(usize::from(places)) as u16;
            join(one, (one + 2 + random.below(3) as u16) % places);
        }
        for ways in &mut ways {
            for last in (1..ways.len()).rev() {
                ways.swap(last, random.below(last + 1));
            }
        }
        let distances = distances(&ways);
        Maze { ways, distances, description: description() }
    }

    /// Moves from a place to the way out.
    pub fn distance(&self, place: u16) -> u32 {
        self.distances[usize::from(place)]
    }
}

fn distances(ways: &[Vec<u16>]) -> Vec<u32> {
    let mut distances = vec![u32::MAX; ways.len()];
    distances[0] = 0;
    let mut queue = VecDeque::from([0_u16]);
    while let Some(place) = queue.pop_front() {
        for &next in &ways[usize::from(place)] {
            if distances[usize::from(next)] == u32::MAX {
                distances[usize::from(next)] = distances[usize::from(place)] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

fn description() -> Description {
    let place = Property {
        name: "place".to_string(),
        scope: Scope::Board,
        low: 0,
        high: i32::from(u16::MAX),
        hashed: true,
        offset: 0,
    };
    Description {
        name: "maze".to_string(),
        players: 1,
        board: Board::grid(Topology::Square, 1, 1, vec![true], false).expect("one field is a board"),
        pieces: vec![PieceInfo::none()],
        properties: vec![place],
        chance: None,
        no_moves: NoMoves::Error,
        repetition: Repetition::Ignored,
        notation: Vec::new(),
        stacks: None,
        looks: Looks::default(),
        initial: Diagram { cells: vec![Piece::NONE], values: vec![1], side: Side::White },
    }
}

impl Game for Maze {
    type Position = u16;
    type Move = u16;

    fn ended(&self, _: &u16) -> Option<Outcome> {
        None
    }

    fn ending(&self, _: &u16) -> Option<Outcome> {
        None
    }

    multigame_game::moves_alone!();

    fn description(&self) -> &Description {
        &self.description
    }

    fn position(&self, diagram: &Diagram) -> u16 {
        diagram.values[0] as u16
    }

    fn diagram(&self, place: &u16) -> Diagram {
        Diagram { values: vec![i32::from(*place)], ..self.description.initial.clone() }
    }

    fn side_to_move(&self, _place: &u16) -> Side {
        Side::White
    }

    fn signature(&self, place: &u16) -> Signature {
        Random::new(u64::from(*place) << 32).next_u64()
    }

    fn is_irreversible(&self, _place: &u16) -> bool {
        false
    }

    fn visit(&self, place: &u16, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if *place == 0 {
            return Ok(Some(Outcome::Wins(Side::White)));
        }
        for next in &self.ways[usize::from(*place)] {
            if let ControlFlow::Break(()) = visitor(next, next) {
                break;
            }
        }
        Ok(None)
    }

    fn apply(&self, _place: &u16, next: &u16, child: &mut u16) {
        *child = *next;
    }

    fn move_key(&self, next: &u16) -> u64 {
        Random::new(u64::from(*next)).next_u64()
    }
}

/// Knows half of the distance: limits grow one by one, and most of them are searched in vain.
#[derive(Debug)]
pub(super) struct Half;

impl Evaluator<Maze> for Half {
    fn evaluate(&self, _maze: &Maze, _place: &u16) -> Value {
        Value::DRAW
    }

    fn lower_bound(&self, maze: &Maze, place: &u16) -> u32 {
        maze.distance(*place) / 2
    }
}
