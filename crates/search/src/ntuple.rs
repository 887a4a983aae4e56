//! Pattern tables: the worth of small groups of fields (n-tuples), by their content.
//!
//! They are for games nobody has written an evaluation for: which groups matter and what their contents are
//! worth is learned from self-play (`multigame learn --patterns`). Contents are seen by the player to move:
//! own pieces, the opponent's, empty, on the board as that player sees it.

use multigame_game::{Description, Field, Game, Piece, Side, Tuple};

/// Learned tables of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    tuples: Vec<Tuple>,
    /// For either player to move, each piece and each field: what is added to the indices of which tables.
    steps: [Vec<Vec<Step>>; 2],
    fields: usize,
    pieces: usize,
}

/// The most groups of one game.
pub const MOST_PATTERNS: usize = 256;

/// A piece on a field adds that much to the index of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    tuple: u32,
    add: u32,
}

/// The possible contents of a field, as the player to move sees it: nothing, and each piece.
pub fn contents(description: &Description) -> usize {
    description.pieces.len()
}

/// A position as the player to move sees it: for each field of White's board the number of its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    cells: Vec<u8>,
}

impl View {
    /// Looks at a position.
    pub fn of<G: Game>(game: &G, position: &G::Position) -> View {
        let description = game.description();
        let diagram = game.diagram(position);
        let mut cells = vec![0; diagram.cells.len()];
        let swapped = if diagram.side == Side::Black { counterparts(description) } else { Vec::new() };
        for field in description.board.fields() {
            let piece = diagram.piece(field);
            let content = swapped.get(piece.index()).copied().unwrap_or(piece.0);
            cells[description.board.seen_by(diagram.side, field).index()] = content;
        }
        View { cells }
    }

    /// The number of the content of a group of fields.
    pub fn index(&self, fields: &[Field], contents: usize) -> usize {
        fields.iter().rev().fold(0, |index, field| index * contents + usize::from(self.cells[field.index()]))
    }
}

/// For each piece the same kind of the other side.
fn counterparts(description: &Description) -> Vec<u8> {
    (0..description.pieces.len()).map(|piece| description.counterpart(Piece(piece as u8)).0).collect()
}

impl Patterns {
    /// Tables for a game; what is wrong if they do not fit it.
    pub fn new(description: &Description, tuples: Vec<Tuple>) -> Result<Patterns, String> {
        let contents = contents(description);
        let board = &description.board;
        if tuples.len() > MOST_PATTERNS {
            return Err(format!("there are {} tables; {MOST_PATTERNS} are the most", tuples.len()));
        }
        for tuple in &tuples {
            let missing = |field: &&Field| field.index() >= board.size() || !board.is_field(**field);
            if let Some(field) = tuple.fields.iter().find(missing) {
                return Err(format!(
                    "there is no field {} on this board; learn again with these rules",
                    field.0
                ));
            }
            let wanted = u32::try_from(tuple.fields.len()).ok().and_then(|n| contents.checked_pow(n));
            if wanted != Some(tuple.table.len()) {
                return Err(
                    "a table does not fit the pieces of this game; learn again with these rules".into()
                );
            }
        }
        let (fields, pieces) = (board.size(), description.pieces.len());
        let swapped = counterparts(description);
        let steps = Side::BOTH.map(|side| {
            let mut steps = vec![Vec::new(); pieces * fields];
            for (number, tuple) in tuples.iter().enumerate() {
                let mut factor = 1;
                for &seen in &tuple.fields {
                    // Turning the board twice gives the board again.
                    let field = board.seen_by(side, seen);
                    for piece in 1..pieces {
                        let content = if side == Side::Black { usize::from(swapped[piece]) } else { piece };
                        let step = Step { tuple: number as u32, add: (content * factor) as u32 };
                        steps[piece * fields + field.index()].push(step);
                    }
                    factor *= contents;
                }
            }
            steps
        });
        Ok(Patterns { tuples, steps, fields, pieces })
    }

    /// The groups.
    pub fn tuples(&self) -> &[Tuple] {
        &self.tuples
    }

    /// Their value of a position for the player to move. They must be made for the game.
    pub fn value<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        let mut indices = [0_u32; MOST_PATTERNS];
        let steps = &self.steps[game.side_to_move(position).index()];
        let mut stands = |piece: usize, field: usize| {
            for step in &steps[piece * self.fields + field] {
                indices[step.tuple as usize] += step.add;
            }
        };
        if self.fields <= 64 {
            for piece in 1..self.pieces {
                let mut set = game.fields_of(position, Piece(piece as u8));
                while set != 0 {
                    stands(piece, set.trailing_zeros() as usize);
                    set &= set - 1;
                }
            }
        } else {
            for (field, piece) in game.diagram(position).cells.iter().enumerate() {
                stands(piece.index(), field);
            }
        }
        self.tuples.iter().zip(indices).map(|(tuple, index)| tuple.table[index as usize]).sum()
    }
}

/// Groups of fields that may matter: straight runs in every direction, and compact ones around each field; of
/// a size that keeps tables below `limit` entries.
pub fn candidates(description: &Description, limit: usize) -> Vec<Vec<Field>> {
    let board = &description.board;
    let contents = contents(description).max(2);
    let mut size = 1;
    while contents.pow(size + 1) <= limit && size < 8 {
        size += 1;
    }
    let size = size as usize;
    let mut groups: Vec<Vec<Field>> = Vec::new();
    for field in board.fields() {
        for direction in board.directions() {
            let mut run = vec![field];
            while run.len() < size
                && let Some(next) = board.step(run[run.len() - 1], direction)
                && !run.contains(&next)
            {
                run.push(next);
            }
            if run.len() >= size.min(3) {
                groups.push(run);
            }
        }
        let mut near = vec![field];
        let mut done = 0;
        while near.len() < size && done < near.len() {
            for direction in board.directions() {
                if let Some(next) = board.step(near[done], direction)
                    && !near.contains(&next)
                    && near.len() < size
                {
                    near.push(next);
                }
            }
            done += 1;
        }
        groups.push(near);
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    groups.dedup();
    groups
}
