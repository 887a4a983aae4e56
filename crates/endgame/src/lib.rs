//! Endgame databases and strong solutions, from rules alone.
//!
//! A slice has all positions with the same pieces. Moves within a slice keep what is on the board; captures,
//! promotions and the like lead to other slices, which are finished first. Nothing about a game is believed
//! that was not seen for every position: a move to a slice that is not finished makes that one first, and a
//! circle of slices is an error.
//!
//! | file | what it is |
//! |---|---|
//! | `survey.rs` | what random games tell: fields of pieces, pieces that are never lost |
//! | `material.rs`, `shape.rs` | a slice, and its perfect index |
//! | `seen.rs`, `space.rs` | positions as numbers, and where moves lead |
//! | `plan.rs`, `make.rs`, `retrograde.rs`, `edges.rs` | the order of slices, and how they are solved |
//! | `strong.rs` | a game as a whole |
//! | `table.rs`, `lookup.rs`, `check.rs` | solved slices: values, proof, counts |
//! | `store.rs` | their files |

#![forbid(unsafe_code)]

mod check;
mod edges;
mod lookup;
mod make;
mod material;
mod plan;
mod retrograde;
mod seen;
mod shape;
mod space;
mod standing;
#[expect(clippy::disallowed_methods, reason = "a database is a folder of files")]
mod store;
mod strong;
mod survey;
mod table;

pub use check::{Summary, summary, verify};
pub use lookup::{Endgames, ValuedMoves};
pub use material::Material;
pub use plan::{Anatomy, Planned, SAMPLES};
pub use retrograde::{Conditions, Solved};
pub use shape::Shape;
pub use space::Tables;
pub use standing::Standing;
pub use store::{
    has_slices, load, load_endgames, load_endgames_within, load_folder, load_whole, save, save_whole,
};
pub use strong::{finished, solve_strongly};
pub use survey::Survey;
pub use table::Table;
