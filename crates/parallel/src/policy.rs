//! Which node may be split, when, and with which window.
//!
//! A policy sees one node at a time ([`View`]) and nothing else, so it needs no communication. The worker
//! does the rest.

mod jamboree;
mod lazy;
mod multello;
mod splitting;
mod ybwc;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::form::{Form, Memory};
use crate::puzzle::{Homes, PuzzlePolicy};
use crate::travel::Travel;

/// More processes would tell each other so little that it is better to ask.
const MOST_TOLD: u32 = 16;

pub use jamboree::Jamboree;
pub use lazy::Lazy;
pub use multello::{Exhaustive, MandatoryWork, Speculative};
pub use splitting::{PvSplitting, RootSplitting};
pub use ybwc::YoungBrothersWait;

/// What a node is expected to be: the node types of the minimal tree, extended to all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NodeKind {
    /// Type 1: on the principal variation; its value is needed.
    Pv,
    /// Type 2: one child will give a cutoff.
    Cut,
    /// Type 3: all children have to be searched.
    All,
}

impl NodeKind {
    /// The kind of a child.
    pub fn child(self, number: usize) -> NodeKind {
        match (self, number) {
            (NodeKind::Pv, 0) => NodeKind::Pv,
            (NodeKind::Cut, 0) => NodeKind::All,
            _ => NodeKind::Cut,
        }
    }
}

/// What a policy sees of a node whose moves are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// What kind of node it is expected to be.
    pub kind: NodeKind,
    /// Its distance from the root.
    pub ply: usize,
    /// Its remaining depth.
    pub depth: u32,
    /// Number of its children.
    pub children: usize,
    /// How many of them are completely searched.
    pub finished: usize,
    /// Whether a promising child is not: a table move, a good capture or a killer.
    pub promising: bool,
    /// Whether no value of a child can give a cutoff, because beta is infinite.
    pub uncuttable: bool,
}

/// How children are first asked when they may be searched in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Not at all: whoever has a child searches it until it is decided.
    Nothing,
    /// With a zero window. Children that may be better are then searched in order, one at a time.
    Test,
    /// Only the first answer to them. Children that are not refuted by it are then searched in order.
    FirstAnswer,
}

/// A way to divide the work; see the module.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Whether the next child may be given away now.
    fn may_give(&self, view: &View) -> bool;

    /// How children are asked first.
    fn probe(&self) -> Probe {
        Probe::Nothing
    }

    /// Whether better bounds are sent to those who search brothers.
    fn sends_windows(&self) -> bool {
        true
    }

    /// Whether windows are used at all.
    fn prunes(&self) -> bool {
        true
    }

    /// Whether unfinished nodes report what they have so far as if it were their value, which is wrong.
    fn reports_early(&self) -> bool {
        false
    }

    /// Whether every worker searches the root by itself.
    fn all_search_the_root(&self) -> bool {
        false
    }
}

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PolicyKind {
    /// A policy of workers that exchange messages.
    Messages(MessagePolicy),
    /// Parallel aspiration: disjoint windows of the root.
    Aspiration,
    /// ABDADA on a shared table.
    Abdada,
    /// Lazy SMP: on a shared table, or by messages about positions.
    LazySmp,
    /// A policy for puzzles.
    Puzzle(PuzzlePolicy),
}

/// The policies of workers that exchange messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the policies' own documentation says what they do")]
pub enum MessagePolicy {
    Ybwc(YoungBrothersWait),
    Jamboree(Jamboree),
    RootSplitting,
    PvSplitting,
    Exhaustive,
    MandatoryWork,
    Speculative(Speculative),
    Lazy,
}

impl MessagePolicy {
    /// The policy itself.
    pub fn policy(&self) -> &dyn Policy {
        match self {
            MessagePolicy::Ybwc(policy) => policy,
            MessagePolicy::Jamboree(policy) => policy,
            MessagePolicy::RootSplitting => &RootSplitting,
            MessagePolicy::PvSplitting => &PvSplitting,
            MessagePolicy::Exhaustive => &Exhaustive,
            MessagePolicy::MandatoryWork => &MandatoryWork,
            MessagePolicy::Speculative(policy) => policy,
            MessagePolicy::Lazy => &Lazy,
        }
    }
}

impl Default for PolicyKind {
    fn default() -> Self {
        PolicyKind::Messages(MessagePolicy::Ybwc(YoungBrothersWait::ONE_TWO_STAR))
    }
}

impl PolicyKind {
    /// All policies with their names and what they are. A number behind `ybwc` and `jamboree` names says for
    /// how many brothers to wait: `ybwc:2`; with `ybwc:1/2` it is two at the root and one elsewhere.
    pub const ALL: [(&'static str, PolicyKind, &'static str); 21] = {
        use MessagePolicy as M;
        use PolicyKind::Messages;
        use YoungBrothersWait as Y;
        [
            ("ybwc", Messages(M::Ybwc(Y::PLAIN)), "young brothers wait for the eldest"),
            (
                "ybwc-1-2",
                Messages(M::Ybwc(Y::ONE_TWO)),
                "the same, but nobody waits where no cutoff is expected",
            ),
            ("ybwc*", Messages(M::Ybwc(Y::STAR)), "where a cutoff is expected, wait for all promising moves"),
            ("ybwc-1-2*", Messages(M::Ybwc(Y::ONE_TWO_STAR)), "both (ZUGZWANG's standard; the default)"),
            (
                "ybwc-1",
                Messages(M::Ybwc(Y::ONE)),
                "wait on the principal variation only (dynamic PV splitting)",
            ),
            ("free", Messages(M::Ybwc(Y::FREE)), "nobody waits"),
            ("jamboree", Messages(M::Jamboree(Jamboree { brothers: 1 })), "test in parallel, value in order"),
            (
                "jamboree-2",
                Messages(M::Jamboree(Jamboree { brothers: 2 })),
                "the same after two valued children",
            ),
            ("root-splitting", Messages(M::RootSplitting), "only the moves of the root are shared out"),
            ("pv-splitting", Messages(M::PvSplitting), "only the moves along the principal variation are"),
            ("exhaustive", Messages(M::Exhaustive), "Multello: the whole tree, no cutoffs"),
            ("mwf", Messages(M::MandatoryWork), "Multello: mandatory work first"),
            (
                "speculative-1",
                Messages(M::Speculative(Speculative::V1)),
                "Multello: everything at once, one report for each node",
            ),
            (
                "speculative-2",
                Messages(M::Speculative(Speculative::V2)),
                "the same, bounds are sent down at once",
            ),
            (
                "speculative-2-unsound",
                Messages(M::Speculative(Speculative::Unsound)),
                "Multello's printed second version: values can be wrong",
            ),
            (
                "aspiration",
                PolicyKind::Aspiration,
                "each worker searches the whole tree with a window of its own",
            ),
            ("abdada", PolicyKind::Abdada, "all search the root and put off what others are at (threads)"),
            ("lazy-smp", PolicyKind::LazySmp, "all search the root and meet in the table"),
            ("stealing", PolicyKind::Puzzle(PuzzlePolicy::Stealing), "puzzles: IDA* by work stealing"),
            (
                "tds",
                PolicyKind::Puzzle(PuzzlePolicy::TDS),
                "transposition-driven scheduling (puzzles; simulated games)",
            ),
            ("windows", PolicyKind::Puzzle(PuzzlePolicy::Windows), "puzzles: a limit for each worker"),
        ]
    };

    /// The policy of workers that exchange messages, if there is one.
    pub fn messages(self) -> Option<MessagePolicy> {
        match self {
            PolicyKind::Messages(policy) => Some(policy),
            PolicyKind::LazySmp => Some(MessagePolicy::Lazy),
            _ => None,
        }
    }

    /// Where the tables of this many processes are if nothing is said: with `puzzle` those of a search for
    /// the solution of one.
    pub fn usual_memory(self, puzzle: bool, processes: u32) -> Memory {
        match (self.puzzle().filter(|_| puzzle), self) {
            (Some(PuzzlePolicy::Tds(_)), _) => Memory::of(Form::Partitioned),
            (Some(PuzzlePolicy::Stealing), _) if processes <= MOST_TOLD => Memory::of(Form::Replicated),
            (Some(_), _) => Memory::PRIVATE,
            (None, PolicyKind::LazySmp) => Memory::of(Form::Replicated),
            (None, _) if processes <= MOST_TOLD => Memory::of(Form::Replicated),
            (None, _) => Memory::USUAL,
        }
    }

    /// Why a policy for puzzles cannot use a form of the table.
    pub fn check_memory(self, memory: Memory) -> Result<(), String> {
        let (remedy, reason) = match self.puzzle() {
            Some(PuzzlePolicy::Tds(_)) if memory.form != Form::Partitioned => {
                ("partitioned", "sends positions to their homes, which have all that is known about them")
            }
            Some(PuzzlePolicy::Tds(_)) if memory != Memory::of(Form::Partitioned) => {
                ("partitioned", "asks and tells nobody, so that nothing can be set")
            }
            Some(PuzzlePolicy::Windows) if memory != Memory::PRIVATE => {
                ("private", "searches several limits at a time, which must not read each other's entries")
            }
            _ => return Ok(()),
        };
        Err(format!("`{self}` {reason}: use memory `{remedy}`, not `{memory}`"))
    }

    /// The policy for puzzles, if it is one. The default policy means work stealing there.
    pub fn puzzle(self) -> Option<PuzzlePolicy> {
        match self {
            PolicyKind::Puzzle(policy) => Some(policy),
            policy if policy == PolicyKind::default() => Some(PuzzlePolicy::Stealing),
            _ => None,
        }
    }

    /// How positions of games of two players travel, if they do; which children may be sent home is said by
    /// another policy.
    pub fn travel(self) -> Option<Travel> {
        (self == PolicyKind::Puzzle(PuzzlePolicy::TDS)).then_some(Travel::USUAL)
    }

    /// Whether values found with it are right.
    pub fn is_sound(self) -> bool {
        self.messages().is_none_or(|policy| !policy.policy().reports_early())
    }
}

impl fmt::Display for PolicyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match *self {
            PolicyKind::Messages(MessagePolicy::Lazy) => PolicyKind::LazySmp,
            PolicyKind::Messages(MessagePolicy::Ybwc(ybwc)) => {
                PolicyKind::Messages(MessagePolicy::Ybwc(ybwc.waiting_for(1, 1)))
            }
            PolicyKind::Messages(MessagePolicy::Jamboree(jamboree)) if jamboree.brothers > 2 => {
                return write!(f, "jamboree:{}", jamboree.brothers);
            }
            PolicyKind::Puzzle(PuzzlePolicy::Tds(homes)) => return write!(f, "tds{homes}"),
            other => other,
        };
        let (name, ..) = Self::ALL.iter().find(|(_, kind, _)| *kind == plain).expect("all are listed");
        match self {
            PolicyKind::Messages(MessagePolicy::Ybwc(ybwc)) if ybwc.at_root != ybwc.brothers => {
                write!(f, "{name}:{}/{}", ybwc.brothers, ybwc.at_root)
            }
            PolicyKind::Messages(MessagePolicy::Ybwc(ybwc)) if ybwc.brothers != 1 => {
                write!(f, "{name}:{}", ybwc.brothers)
            }
            _ => f.write_str(name),
        }
    }
}

/// There is no such policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PolicyError(String);

impl FromStr for PolicyKind {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<PolicyKind, PolicyError> {
        if let Some(settings) = text.strip_prefix("tds:") {
            let homes =
                Homes::parse(settings).map_err(|reason| PolicyError(format!("`{text}`: {reason}")))?;
            return Ok(PolicyKind::Puzzle(PuzzlePolicy::Tds(homes)));
        }
        let (name, brothers) = match text.split_once(':') {
            None => (text, None),
            Some((name, numbers)) => {
                let number = |number: &str| number.parse().ok().filter(|number| (1..=1000).contains(number));
                let (elsewhere, at_root) = numbers.split_once('/').unwrap_or((numbers, numbers));
                let Some(brothers) = number(elsewhere).zip(number(at_root)) else {
                    let message = format!(
                        "`{numbers}` in `{text}` is not a number of brothers; use 1 or more, or two such numbers as in `1/2`"
                    );
                    return Err(PolicyError(message));
                };
                (name, Some(brothers))
            }
        };
        let Some(&(_, kind, _)) = Self::ALL.iter().find(|(known, ..)| *known == name) else {
            let names: Vec<&str> = Self::ALL.iter().map(|(name, ..)| *name).collect();
            let message = format!("there is no policy `{name}`; known are {}", names.join(", "));
            return Err(PolicyError(message));
        };
        match (kind, brothers) {
            (kind, None) => Ok(kind),
            (PolicyKind::Messages(MessagePolicy::Ybwc(ybwc)), Some((brothers, at_root))) => {
                Ok(PolicyKind::Messages(MessagePolicy::Ybwc(ybwc.waiting_for(brothers, at_root))))
            }
            (PolicyKind::Messages(MessagePolicy::Jamboree(_)), Some((brothers, at_root)))
                if brothers == at_root =>
            {
                Ok(PolicyKind::Messages(MessagePolicy::Jamboree(Jamboree { brothers })))
            }
            (PolicyKind::Messages(MessagePolicy::Jamboree(_)), _) => {
                Err(PolicyError(format!("`{name}` waits for as many brothers everywhere; use `{name}:2`")))
            }
            _ => Err(PolicyError(format!("`{name}` does not wait for brothers; use `{name}` alone"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_policies_are_the_same() {
        for (name, kind, _) in PolicyKind::ALL {
            assert_eq!(name.parse(), Ok(kind));
            assert_eq!(kind.to_string(), name);
        }
        for text in ["ybwc:2", "ybwc-1-2*:3", "ybwc-1-2*:1/2", "jamboree:4"] {
            assert_eq!(text.parse::<PolicyKind>().unwrap().to_string(), text);
        }
        assert!("ybcw".parse::<PolicyKind>().unwrap_err().to_string().contains("ybwc-1-2*"));
        assert!("ybwc:0".parse::<PolicyKind>().is_err());
        assert_eq!("ybwc:2/2".parse::<PolicyKind>(), "ybwc:2".parse());
        assert!("ybwc:1/0".parse::<PolicyKind>().unwrap_err().to_string().contains("1/2"));
        assert!("jamboree:1/2".parse::<PolicyKind>().unwrap_err().to_string().contains("everywhere"));
        assert!("mwf:2".parse::<PolicyKind>().unwrap_err().to_string().contains("alone"));
        assert!(PolicyKind::default().is_sound());
        assert!(!"speculative-2-unsound".parse::<PolicyKind>().unwrap().is_sound());
    }

    #[test]
    fn policies_for_puzzles_have_forms_of_the_table() {
        let memory = |text: &str| text.parse::<Memory>().unwrap();
        for (name, kind, _) in PolicyKind::ALL {
            assert_eq!(kind.check_memory(kind.usual_memory(kind.puzzle().is_some(), 2)), Ok(()), "{name}");
        }
        let wrong = [
            ("tds", "hybrid", "use memory `partitioned`, not `hybrid`"),
            ("tds", "partitioned:company=3", "nothing can be set"),
            ("windows", "replicated", "use memory `private`"),
        ];
        for (name, form, remedy) in wrong {
            let error = name.parse::<PolicyKind>().unwrap().check_memory(memory(form)).unwrap_err();
            assert!(error.contains(remedy), "{error}");
        }
        assert_eq!(PolicyKind::default().usual_memory(true, 2), Memory::of(Form::Replicated));
        assert_eq!(PolicyKind::default().usual_memory(true, 17), Memory::PRIVATE);
        assert_eq!("windows".parse::<PolicyKind>().unwrap().usual_memory(true, 2), Memory::PRIVATE);
        assert_eq!(PolicyKind::default().usual_memory(false, 16), Memory::of(Form::Replicated));
        assert_eq!(PolicyKind::default().usual_memory(false, 17), Memory::USUAL);
    }

    #[test]
    fn children_of_the_minimal_tree_have_their_types() {
        use NodeKind::*;
        assert_eq!([0, 1, 2].map(|number| Pv.child(number)), [Pv, Cut, Cut]);
        assert_eq!([0, 1, 2].map(|number| Cut.child(number)), [All, Cut, Cut]);
        assert_eq!([0, 1, 2].map(|number| All.child(number)), [Cut, Cut, Cut]);
    }
}
