//! The commands that only `multigame` has: one file or folder for each.

pub mod analyze;
pub mod bench;
pub mod build;
pub mod check;
pub mod cluster;
pub mod endgame;
pub mod evaluate;
pub mod experiment;
pub mod fmt;
pub mod games;
pub mod ir;
pub mod learn;
pub mod lsp;
pub mod matches;
pub mod options;
pub mod playout;
pub mod publish;
pub mod serve;
pub mod simulate;
pub mod solve;
pub mod states;
pub mod tables;
pub mod tune;
pub mod uci;
