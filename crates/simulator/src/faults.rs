//! Things that go wrong on purpose: every order of events that a network may produce is to be met in tests.

/// What goes wrong; times in nanoseconds. Messages between two processors still arrive in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Messages are delayed by up to this much more, each by its own chance.
    pub delay: u64,
    /// One in this many messages is delayed a hundred times as much; 0 for none.
    pub straggler_every: u64,
    /// One in this many processors works four times as slowly; 0 for none.
    pub slow_every: u32,
    /// Processors pause for this long now and then.
    pub pause: u64,
    /// After this many steps on average; 0 for never.
    pub pause_every: u64,
}

impl Faults {
    /// Everything at once, for a machine on which a node takes `node`: delays of up to hundreds of nodes.
    pub fn storm(node: u64) -> Faults {
        Faults { delay: 20 * node, straggler_every: 50, slow_every: 5, pause: 300 * node, pause_every: 1000 }
    }
}
