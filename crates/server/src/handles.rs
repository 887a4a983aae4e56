//! File handles: a connection needs one, and there must be some left for everything else.

use anyhow::bail;
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::config::Limits;

/// For what the server has open itself.
const OWN: u64 = 64;
/// For each process that runs rules of strangers: its pipes and what it is watched with.
const PROCESS: u64 = 4;
/// More connections are of no use.
const MOST: u64 = 4096;
/// A page and its scripts need some.
const LEAST: u64 = 16;

/// How many connections there can be at once. Takes as many handles as the system gives without asking
/// anybody.
pub fn connections(limits: &Limits) -> anyhow::Result<usize> {
    let mut handles = getrlimit(Resource::Nofile);
    if handles.current != handles.maximum {
        let more = rustix::process::Rlimit { current: handles.maximum, ..handles };
        if setrlimit(Resource::Nofile, more).is_ok() {
            handles.current = handles.maximum;
        }
    }
    let kept = OWN + PROCESS * (limits.rules_processes + limits.question_processes()) as u64;
    let left = handles.current.unwrap_or(u64::MAX).saturating_sub(kept).min(MOST);
    if left < LEAST {
        bail!(
            "the system gives this program {} file handles, and {} are needed: raise `ulimit -n`, or choose \
             less `--rules-processes`",
            handles.current.unwrap_or(u64::MAX),
            kept + LEAST
        );
    }
    Ok(left as usize)
}
