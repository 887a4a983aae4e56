//! Sets of fields at run time: statements that only walk and look run for many fields at once.

pub(crate) mod algebra;
pub(crate) mod backward;
pub(crate) mod branches;
pub(crate) mod code;
pub(crate) mod codes;
pub(crate) mod exists;
pub(crate) mod fixed;
pub(crate) mod forward;
pub(crate) mod slides;
pub(crate) mod variables;
