//! Tests of what threads share without locks, in every order of events that the memory model allows: see
//! `tests`.
