//! Learned pattern tables as data: groups of fields (n-tuples) and what their contents are worth.

use serde::{Deserialize, Serialize};

use crate::{Board, Description, Field};

/// A group of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// The fields as White sees the board.
    pub fields: Vec<Field>,
    /// The worth of each content for the player to move; the first field counts least.
    pub table: Vec<i32>,
}

/// Tables of a game in the form of their file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternsFile {
    /// The game they were learned for.
    pub game: String,
    /// How.
    pub provenance: String,
    /// The groups of fields with their tables.
    pub patterns: Vec<PatternEntry>,
}

/// A group of fields in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternEntry {
    /// Their names, as White sees the board.
    pub fields: Vec<String>,
    /// The worth of each content for the player to move.
    pub table: Vec<i32>,
}

impl PatternsFile {
    /// The file of learned tables.
    pub fn new(description: &Description, tuples: &[Tuple], provenance: String) -> PatternsFile {
        let entry = |tuple: &Tuple| PatternEntry {
            fields: tuple.fields.iter().map(|&field| description.board.field_name(field)).collect(),
            table: tuple.table.clone(),
        };
        let patterns = tuples.iter().map(entry).collect();
        PatternsFile { game: description.name.clone(), provenance, patterns }
    }

    /// The tables on a board; what is wrong if it has no such fields.
    pub fn tuples(&self, board: &Board) -> Result<Vec<Tuple>, String> {
        let field = |name: &String| {
            let unknown =
                || format!("there is no field `{name}` on this board; learn again with these rules");
            board.parse_field(name).ok_or_else(unknown)
        };
        let tuple = |entry: &PatternEntry| {
            let fields = entry.fields.iter().map(field).collect::<Result<_, _>>()?;
            Ok(Tuple { fields, table: entry.table.clone() })
        };
        self.patterns.iter().map(tuple).collect()
    }
}
