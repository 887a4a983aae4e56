//! Code about positions of one game: a builder that knows the board.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use multigame_game::{Outcome, Zobrist};

use crate::analysis::facts::Facts;
use crate::analysis::geometry::Geometry;
use crate::program::builder::{Builder, Tables};
use crate::{Header, Layout, TableId, Value};

/// The code of the function at hand, and what all code of a game needs.
///
/// It is a builder with more to build, sets of fields above all, so whatever a builder does it does as well.
pub(crate) struct Code {
    pub builder: Builder,
    pub tables: Tables,
    pub geometry: Rc<Geometry>,
    pub layout: Rc<Layout>,
    pub zobrist: Zobrist,
    /// For each piece the table of what it adds to the signature.
    pub piece_tables: Vec<Option<TableId>>,
    /// Whether signatures are wanted.
    pub signs: bool,
    /// Whether slides are looked up (`Pass::Slides`).
    pub slides: bool,
}

impl Deref for Code {
    type Target = Builder;

    fn deref(&self) -> &Builder {
        &self.builder
    }
}

impl DerefMut for Code {
    fn deref_mut(&mut self) -> &mut Builder {
        &mut self.builder
    }
}

impl Code {
    /// No code yet, in a function of which this many variables have a meaning to the caller.
    pub fn new(facts: &Facts<'_>, tables: Tables, results: u32) -> Code {
        let description = &facts.program.description;
        Code {
            builder: Builder::new(results),
            tables,
            geometry: Rc::clone(&facts.geometry),
            layout: Rc::clone(&facts.layout),
            zobrist: Zobrist::new(description),
            piece_tables: vec![None; description.pieces.len()],
            signs: false,
            slides: true,
        }
    }

    /// An entry of a table.
    pub fn table(&mut self, table: TableId, index: Value) -> Value {
        self.builder.table(&self.tables, table, index)
    }

    /// The entry of that number among these.
    pub fn entry(&mut self, entries: Vec<u64>, index: Value) -> Value {
        let table = self.tables.add(entries);
        self.table(table, index)
    }

    /// The bits of the header that say an outcome.
    pub fn outcome_bits(&mut self, outcome: Outcome) -> Value {
        self.constant(Header::outcome_bits(Some(outcome)))
    }
}
