//! Learned pattern tables in a file: JSON with the game, where they come from, and a table for each group of fields.

use std::path::Path;

use anyhow::{Context, bail};
use multigame_game::Description;
use multigame_search::{Patterns, Tuple};
use serde::{Deserialize, Serialize};

/// What stands in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternsFile {
    /// The game they were learned for.
    pub game: String,
    /// How.
    pub provenance: String,
    /// The groups of fields with their tables.
    pub patterns: Vec<Entry>,
}

/// A group of fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// As White sees the board.
    pub fields: Vec<String>,
    /// What each content is worth to the player to move.
    pub table: Vec<i32>,
}

impl PatternsFile {
    /// The file of learned tables.
    pub fn new(description: &Description, patterns: &Patterns, provenance: String) -> PatternsFile {
        let entry = |tuple: &Tuple| Entry {
            fields: tuple.fields.iter().map(|&field| description.board.field_name(field)).collect(),
            table: tuple.table.clone(),
        };
        let patterns = patterns.tuples().iter().map(entry).collect();
        PatternsFile { game: description.name.clone(), provenance, patterns }
    }

    /// Reads a file and checks that it fits a game.
    pub fn read(path: &Path, description: &Description) -> anyhow::Result<Patterns> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
        let file: PatternsFile =
            serde_json::from_str(&text).with_context(|| format!("`{name}` is no file of patterns"))?;
        file.patterns(description).with_context(|| format!("the patterns of `{name}` cannot be used"))
    }

    /// The tables, if they fit a game.
    pub fn patterns(&self, description: &Description) -> anyhow::Result<Patterns> {
        let mut tuples = Vec::new();
        for entry in &self.patterns {
            let mut fields = Vec::new();
            for name in &entry.fields {
                let Some(field) = description.board.parse_field(name) else {
                    bail!("there is no field `{name}` on this board; learn again with these rules");
                };
                fields.push(field);
            }
            tuples.push(Tuple { fields, table: entry.table.clone() });
        }
        Patterns::new(description, tuples).map_err(anyhow::Error::msg)
    }
}
