//! The passes that can be left out, to see what each of them brings.
//!
//! Code is right with any of them; they only make it faster.

pub(crate) mod apart;
pub(crate) mod carry;
pub(crate) mod decided;
pub(crate) mod glance;
pub(crate) mod leaves;
pub(crate) mod narrow;
pub(crate) mod picks;
pub(crate) mod sensitive;
pub(crate) mod takes;
pub(crate) mod threats;
pub(crate) mod unused;
pub(crate) mod wholesale;

/// Something that lowering does to make code faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// What alternatives begin with is done once (`prefixes.rs` of `ir`).
    Prefixes,
    /// The last ply is counted, not generated (`emission/split.rs`).
    Counting,
    /// The last two plies are counted at once (`leaves.rs`).
    Plies,
    /// All pieces of a kind are counted at once (`wholesale.rs`).
    Wholesale,
    /// Alternatives at the top of `main` are compared and counted each for itself (`analysis/sites.rs`).
    Classes,
    /// Tests that most moves cannot change are remembered (`threats.rs`).
    Threats,
    /// Which fields matter to a remembered test is found out for all pieces at once (`sensitive.rs`).
    Sensitive,
    /// Far looks are taken only where there is something to see (`sets/exists.rs`).
    FarLooks,
    /// Slides are rays up to the first obstacle, or rounds that go ever farther (`sets/slides.rs`).
    Slides,
    /// Only pieces that can move at all are picked up (`narrow.rs`).
    Narrowing,
    /// A glance at the whole board before looking for rows through a field (`glance.rs`).
    Rows,
}

impl Pass {
    /// All of them.
    pub const ALL: [Pass; 11] = [
        Pass::Prefixes,
        Pass::Counting,
        Pass::Plies,
        Pass::Wholesale,
        Pass::Classes,
        Pass::Threats,
        Pass::Sensitive,
        Pass::FarLooks,
        Pass::Slides,
        Pass::Narrowing,
        Pass::Rows,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Prefixes => "prefixes",
            Pass::Counting => "counting",
            Pass::Plies => "plies",
            Pass::Wholesale => "wholesale",
            Pass::Classes => "classes",
            Pass::Threats => "threats",
            Pass::Sensitive => "sensitive",
            Pass::FarLooks => "far looks",
            Pass::Slides => "slides",
            Pass::Narrowing => "narrowing",
            Pass::Rows => "rows",
        }
    }
}

/// How to lower a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Passes that are left out.
    pub without: Vec<Pass>,
    /// Whether code checks its indices, divisors and shifts while it runs. Debug builds always do.
    pub checked: bool,
}

impl Options {
    /// Everything but one pass.
    pub fn without(pass: Pass) -> Options {
        Options { without: vec![pass], ..Options::default() }
    }

    /// Everything, with checks while the code runs.
    pub fn checked() -> Options {
        Options { checked: true, ..Options::default() }
    }

    pub(crate) fn has(&self, pass: Pass) -> bool {
        !self.without.contains(&pass)
    }
}
