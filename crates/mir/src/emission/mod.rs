//! What results write: boards, signature and position. And what evaluations count, which is reported in the
//! same way.

pub(crate) mod emit;
pub(crate) mod features;
pub(crate) mod signature;
pub(crate) mod split;
pub(crate) mod write;
