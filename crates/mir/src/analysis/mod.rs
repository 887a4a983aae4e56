//! What can be said about rules before any code is made.

pub(crate) mod effects;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod geometry;
pub(crate) mod intervals;
pub(crate) mod live;
pub(crate) mod outcomes;
pub(crate) mod sites;
pub(crate) mod unset;
pub(crate) mod walks;
