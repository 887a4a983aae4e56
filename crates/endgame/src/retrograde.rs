//! Retrograde analysis: from the ends of games back to every position.
//!
//! The rules are run twice for each position. The first time counts the moves to each position and finds the
//! positions that have no number yet; the second time writes down from where each position can be reached.
//! Then values travel backward along these edges, nearest ends first, so that each position is valued once
//! and its distance is the shortest for a winner and the longest for a loser.
//!
//! PERF: sweeps that value positions from their moves need no edges, but run the rules again in each round,
//! and there are as many rounds as the longest win has plies (32 in KRK, 70 in KQKR). With edges it is two.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering};

use anyhow::{Context, bail};
use multigame_game::Game;
use multigame_threads::Tasks;

use crate::material::Material;
use crate::seen::Key;
use crate::space::{Expanded, Eye, Place, Space};
use crate::standing::{LONGEST, NONE, OPEN, Standing};
use crate::table::{Table, Values};

/// Numbers that a thread takes at once.
const CHUNK: usize = 1 << 13;
/// In [`Work::known`]: the number is that of a win.
const WIN: u16 = 1 << 15;
/// Bytes of memory for each number, beside the edges.
pub(crate) const BYTES_PER_NODE: u64 = 14;
/// Bytes of memory for a position without a place among the arrangements.
const BYTES_PER_EXTRA: u64 = 2 * (size_of::<Key>() as u64 + 8);
/// Bytes of memory for each edge.
pub(crate) const BYTES_PER_EDGE: u64 = 4;

/// How a slice is to be solved.
pub struct Conditions<'c> {
    /// Threads.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// The option that gives more of it, for messages.
    pub option: &'static str,
    /// Ends everything when somebody sets it.
    pub stop: &'c AtomicBool,
    /// Hears what is being done, how much of it is done, and how much there is to do if that is known.
    pub tell: &'c mut dyn FnMut(&'static str, u64, Option<u64>),
}

/// What came of an attempt.
pub enum Solved {
    /// All values.
    Table(Box<Table>),
    /// Another slice has to be finished first.
    Needs(Material),
    /// It was stopped.
    Stopped,
}

/// Numbers for each position.
#[derive(Default)]
struct Work {
    /// Values as they become known.
    codes: Vec<AtomicU16>,
    /// Moves that do not lose, as far as is known.
    left: Vec<AtomicU16>,
    /// What the moves to finished games and slices give: `WIN` and the plies of the quickest win, else the
    /// plies of the slowest loss.
    known: Vec<AtomicU16>,
    /// Number of moves to it; then where the list of those begins; then where it ends.
    starts: Vec<AtomicU32>,
}

impl Work {
    fn grow(&mut self, size: usize) {
        self.codes.resize_with(size, Default::default);
        self.left.resize_with(size, Default::default);
        self.known.resize_with(size, Default::default);
        self.starts.resize_with(size, Default::default);
    }
}

/// What the first pass finds beside its numbers.
#[derive(Default)]
struct Found {
    fresh: Vec<Key>,
    missing: Option<Material>,
}

pub(crate) struct Solver<'s, 'a, 'c, G: Game> {
    pub space: Space<'a, G>,
    pub conditions: &'s mut Conditions<'c>,
    work: Work,
    /// Moves to positions with numbers.
    edges: u64,
}

impl<'s, 'a, 'c, G: Game> Solver<'s, 'a, 'c, G> {
    pub fn new(space: Space<'a, G>, conditions: &'s mut Conditions<'c>) -> Solver<'s, 'a, 'c, G> {
        Solver { space, conditions, work: Work::default(), edges: 0 }
    }

    /// Values all arrangements, and everything that can be reached from them and from `roots`.
    pub fn solve(mut self, roots: Vec<Key>) -> anyhow::Result<Solved> {
        self.fits()?;
        self.work.grow(self.space.dense());
        self.number(roots);
        if let Some(missing) = self.first_pass()? {
            return Ok(Solved::Needs(missing));
        }
        if self.stopped() {
            return Ok(Solved::Stopped);
        }
        self.fits()?;
        let edges = self.second_pass()?;
        if self.stopped() || !self.backward(&edges)? {
            return Ok(Solved::Stopped);
        }
        Ok(Solved::Table(Box::new(self.table())))
    }

    fn stopped(&self) -> bool {
        self.conditions.stop.load(Ordering::Relaxed)
    }

    /// Whether memory suffices.
    fn fits(&self) -> anyhow::Result<()> {
        let (nodes, extras) = (self.space.size() as u64, self.space.extras.len() as u64);
        let need = nodes * BYTES_PER_NODE + extras * BYTES_PER_EXTRA + self.edges * BYTES_PER_EDGE;
        if need > self.conditions.memory {
            bail!(
                "{nodes} positions with {} moves need {} MiB of memory, and there are {}; give more with `{}`",
                self.edges,
                need.div_ceil(1 << 20),
                self.conditions.memory >> 20,
                self.conditions.option
            );
        }
        if nodes >= u64::from(u32::MAX) || self.edges >= u64::from(u32::MAX) {
            bail!(
                "{nodes} positions with {} moves are too many; at most {} can be numbered",
                self.edges,
                u32::MAX
            );
        }
        Ok(())
    }

    /// Gives numbers to positions; some of them may have one. Each has been reached by a move.
    fn number(&mut self, keys: Vec<Key>) {
        let dense = self.space.dense();
        for key in keys {
            let next = self.space.extras.len() as u32;
            let place = *self.space.places.entry(key).or_insert(next);
            if place == next {
                self.space.extras.push(key);
                self.work.grow(dense + self.space.extras.len());
            }
            *self.work.starts[dense + place as usize].get_mut() += 1;
        }
    }

    /// Looks at all positions, and at those that this finds. A slice that has to be finished first is
    /// returned.
    fn first_pass(&mut self) -> anyhow::Result<Option<Material>> {
        let (mut done, mut missing) = (0, None);
        // Roots are no moves.
        self.work.starts.iter_mut().for_each(|start| *start.get_mut() = 0);
        while done < self.space.size() && missing.is_none() && !self.stopped() {
            self.fits()?;
            let range = done..self.space.size();
            done = range.end;
            let (mut fresh, mut so_far) = (Vec::new(), range.start as u64);
            let of = (self.space.slice.is_some()).then_some(range.end as u64);
            let (space, work, tell) = (&self.space, &self.work, &mut *self.conditions.tell);
            let tasks = Tasks {
                threads: self.conditions.threads,
                stop: self.conditions.stop,
                worker: &|| Ok((space.eye(), Vec::new())),
                work: &|(eye, places): &mut (Eye<G::Position>, Vec<Place>), chunk| {
                    let mut found = Found::default();
                    for node in chunk_of(&range, chunk) {
                        look(space, work, node, eye, places, &mut found)?;
                        if found.missing.is_some() {
                            break;
                        }
                    }
                    Ok(Some(found))
                },
            };
            tasks.run(0..range.len().div_ceil(CHUNK), &mut |_, found| {
                fresh.extend(found.fresh);
                if missing.is_none() && found.missing.is_some() {
                    missing = found.missing;
                }
                so_far += CHUNK as u64;
                tell("positions", of.map_or(so_far, |of| so_far.min(of)), of);
                Ok(())
            })?;
            self.number(fresh);
        }
        self.edges = self.work.starts.iter_mut().map(|start| u64::from(*start.get_mut())).sum();
        Ok(missing)
    }

    /// Writes down from where each position is reached.
    fn second_pass(&mut self) -> anyhow::Result<Vec<AtomicU32>> {
        let mut begin = 0;
        for start in &mut self.work.starts {
            begin += std::mem::replace(start.get_mut(), begin);
        }
        let mut edges = Vec::new();
        edges.try_reserve_exact(self.edges as usize).context("no memory for the moves")?;
        edges.resize_with(self.edges as usize, AtomicU32::default);
        let (space, work, tell) = (&self.space, &self.work, &mut *self.conditions.tell);
        let (range, mut so_far) = (0..space.size(), 0);
        let tasks = Tasks {
            threads: self.conditions.threads,
            stop: self.conditions.stop,
            worker: &|| Ok((space.eye(), Vec::new())),
            work: &|(eye, places): &mut (Eye<G::Position>, Vec<Place>), chunk| {
                for node in chunk_of(&range, chunk) {
                    connect(space, work, node, eye, places, &edges)?;
                }
                Ok(Some(()))
            },
        };
        let of = range.len() as u64;
        tasks.run(0..range.len().div_ceil(CHUNK), &mut |_, ()| {
            so_far += CHUNK as u64;
            tell("moves", so_far.min(of), Some(of));
            Ok(())
        })?;
        Ok(edges)
    }

    /// Values positions in the order of their distances; false if it was stopped.
    fn backward(&mut self, edges: &[AtomicU32]) -> anyhow::Result<bool> {
        let mut levels = self.ends();
        let (mut plies, mut valued) = (0, 0);
        while plies < levels.len() {
            let level = std::mem::take(&mut levels[plies]);
            plies += 1;
            valued += level.len() as u64;
            if plies > usize::from(LONGEST) {
                bail!("an ending takes more than {LONGEST} plies, which cannot be stored");
            }
            let (space, work, plies) = (&self.space, &self.work, plies as u16);
            let tasks = Tasks {
                threads: if level.len() < CHUNK { 1 } else { self.conditions.threads },
                stop: self.conditions.stop,
                worker: &|| Ok(()),
                work: &|(): &mut (), chunk| {
                    let mut next = Vec::new();
                    for &(node, wins) in &level[chunk_of(&(0..level.len()), chunk)] {
                        tell_parents(space, work, edges, node as usize, wins, plies, &mut next);
                    }
                    Ok(Some(next))
                },
            };
            tasks.run(0..level.len().div_ceil(CHUNK), &mut |_, next| {
                next.into_iter().for_each(|(plies, entry)| put(&mut levels, plies, entry));
                Ok(())
            })?;
            if self.stopped() {
                return Ok(false);
            }
            (self.conditions.tell)("values", valued, None);
        }
        Ok(true)
    }

    /// The positions whose values follow from finished games and slices, by distance: number, and whether it
    /// is won.
    fn ends(&mut self) -> Vec<Vec<(u32, bool)>> {
        let mut levels = Vec::new();
        let work = &mut self.work;
        for node in 0..work.codes.len() {
            let (known, left) = (*work.known[node].get_mut(), *work.left[node].get_mut());
            if *work.codes[node].get_mut() == NONE {
                continue;
            }
            if known & WIN != 0 {
                put(&mut levels, known & !WIN, (node as u32, true));
            } else if left == 0 {
                put(&mut levels, known, (node as u32, false));
            }
        }
        levels
    }

    /// The values, the extra positions in order.
    fn table(self) -> Table {
        let (dense, space) = (self.space.dense(), self.space);
        let mut codes: Vec<u16> = self.work.codes.into_iter().map(AtomicU16::into_inner).collect();
        let mut extras: Vec<(Key, u16)> = space.extras.iter().copied().zip(codes.drain(dense..)).collect();
        extras.sort_unstable();
        codes.extend(extras.iter().map(|&(_, code)| code));
        Table {
            material: space.slice.as_ref().map(|slice| slice.material.clone()),
            shape: space.slice.as_ref().map(|slice| slice.shape.clone()),
            packing: space.packing.clone(),
            extras: extras.into_iter().map(|(key, _)| key).collect(),
            values: Values::new(codes),
        }
    }
}

fn chunk_of(range: &std::ops::Range<usize>, chunk: usize) -> std::ops::Range<usize> {
    let begin = range.start + chunk * CHUNK;
    begin..(begin + CHUNK).min(range.end)
}

fn put(levels: &mut Vec<Vec<(u32, bool)>>, plies: u16, entry: (u32, bool)) {
    let plies = usize::from(plies);
    if levels.len() <= plies {
        levels.resize_with(plies + 1, Vec::new);
    }
    levels[plies].push(entry);
}

/// The first look at a position.
fn look<G: Game>(
    space: &Space<'_, G>,
    work: &Work,
    node: usize,
    eye: &mut Eye<G::Position>,
    places: &mut Vec<Place>,
    found: &mut Found,
) -> anyhow::Result<()> {
    let Some(expanded) = space.expand(node, eye, places)? else {
        work.codes[node].store(NONE, Ordering::Relaxed);
        return Ok(());
    };
    if places.iter().any(|place| matches!(place, Place::Impossible)) {
        work.codes[node].store(NONE, Ordering::Relaxed);
        return Ok(());
    }
    let (mut best, mut slowest, mut left) = (None, 0, 0u16);
    match expanded {
        Expanded::Final(Standing::Win(plies)) => (best, left) = (Some(plies), 1),
        Expanded::Final(Standing::Draw) => left = 1,
        Expanded::Final(Standing::Loss(_)) => {}
        Expanded::Open => {
            for place in places.drain(..) {
                match place {
                    Place::Valued(Standing::Loss(plies)) => {
                        slowest = slowest.max(plies);
                        continue;
                    }
                    Place::Valued(Standing::Win(plies)) => {
                        best = Some(best.map_or(plies, |best: u16| best.min(plies)));
                    }
                    Place::Valued(Standing::Draw) | Place::Impossible => {}
                    Place::Node(child) => {
                        work.starts[child as usize].fetch_add(1, Ordering::Relaxed);
                    }
                    Place::New(key) => found.fresh.push(key),
                    Place::Missing(material) => found.missing = Some(material),
                }
                left = left.checked_add(1).context("a position has too many moves")?;
            }
        }
    }
    work.left[node].store(left, Ordering::Relaxed);
    work.known[node].store(best.map_or(slowest, |plies| plies | WIN), Ordering::Relaxed);
    Ok(())
}

/// The second look: a position is put into the lists of those that its moves lead to.
fn connect<G: Game>(
    space: &Space<'_, G>,
    work: &Work,
    node: usize,
    eye: &mut Eye<G::Position>,
    places: &mut Vec<Place>,
    edges: &[AtomicU32],
) -> anyhow::Result<()> {
    if work.codes[node].load(Ordering::Relaxed) == NONE || space.expand(node, eye, places)?.is_none() {
        return Ok(());
    }
    for place in places.drain(..) {
        let Place::Node(child) = place else { continue };
        if work.codes[child as usize].load(Ordering::Relaxed) == NONE {
            return Err(space.contradiction(node, child as usize));
        }
        let at = work.starts[child as usize].fetch_add(1, Ordering::Relaxed);
        let edge = edges.get(at as usize).context("the rules do not always give the same moves")?;
        edge.store(node as u32, Ordering::Relaxed);
    }
    Ok(())
}

/// Values a position `plies - 1` plies from the end, unless it has a value, and tells those before it.
fn tell_parents<G: Game>(
    space: &Space<'_, G>,
    work: &Work,
    edges: &[AtomicU32],
    node: usize,
    wins: bool,
    plies: u16,
    next: &mut Vec<(u16, (u32, bool))>,
) {
    let standing = if wins { Standing::Win(plies - 1) } else { Standing::Loss(plies - 1) };
    let valued =
        work.codes[node].compare_exchange(OPEN, standing.code(), Ordering::Relaxed, Ordering::Relaxed);
    if valued.is_err() {
        return;
    }
    let side = space.side(node);
    // After the second pass a list ends where the next one began.
    let begin = if node == 0 { 0 } else { work.starts[node - 1].load(Ordering::Relaxed) };
    let end = work.starts[node].load(Ordering::Relaxed);
    for edge in &edges[begin as usize..end as usize] {
        let parent = edge.load(Ordering::Relaxed) as usize;
        let known = work.known[parent].load(Ordering::Relaxed);
        match standing.before(space.side(parent) == side) {
            Standing::Win(plies) => {
                let listed = known & WIN != 0 && known & !WIN <= plies;
                if !listed && work.codes[parent].load(Ordering::Relaxed) == OPEN {
                    next.push((plies, (parent as u32, true)));
                }
            }
            _ => {
                let last = work.left[parent].fetch_sub(1, Ordering::Relaxed) == 1;
                if last && known & WIN == 0 {
                    next.push((known.max(plies), (parent as u32, false)));
                }
            }
        }
    }
}
