//! Every diagnostic of this crate by its code.
pub const CODES: &[(&str, &str)] = &[];
