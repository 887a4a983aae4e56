//! One file for each command.

pub mod ablation;
pub mod analyze;
pub mod bench;
pub mod build;
pub mod check;
pub mod cost;
pub mod fmt;
pub mod games;
pub mod generators;
pub mod ir;
mod kept;
pub mod learn;
pub mod matches;
pub mod passes;
mod perimeter;
pub mod playout;
pub mod serve;
pub mod simulate;
pub mod solve;
pub mod states;
pub mod tables;
pub mod yardstick;
