//! Retrograde analysis: from the ends of games back to every position.
//!
//! The rules are run once for each position. This finds the positions that have no number yet, and writes
//! down where each position can be reached from (`edges.rs`). Then values travel backward along these moves,
//! nearest ends first, so that each position is valued once and its distance is the shortest for a winner and
//! the longest for a loser.
//!
//! PERF: sweeps that value positions from their moves need no memory for moves, but run the rules again in
//! each round, and there are as many rounds as the longest win has plies: 32 in KRK, 70 in KQKR. Running them
//! once takes four fifths of the time that all takes with moves in memory.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use anyhow::{Context, bail};
use multigame_game::Game;
use multigame_threads::Tasks;

use crate::edges::{BYTES_PER_EDGE, CHUNK, Edges, Found, Moves};
use crate::material::Material;
use crate::seen::Key;
use crate::space::{Expanded, Eye, Place, Space};
use crate::standing::{LONGEST, NONE, OPEN, Standing};
use crate::table::{Table, Values};

/// In [`Work::known`]: the number is that of a win.
const WIN: u16 = 1 << 15;
/// Bytes of memory for each number, beside the edges.
pub(crate) const BYTES_PER_NODE: u64 = 14;
/// Bytes of memory for a position without a place among the arrangements.
const BYTES_PER_EXTRA: u64 = 2 * (size_of::<Key>() as u64 + 8);
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
    /// A game ends without a score, though values were to be margins.
    Unscored,
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
    /// What the moves to finished games and slices give: `WIN` and the level of the best win, else the level
    /// of the least loss.
    known: Vec<AtomicU16>,
}

impl Work {
    fn grow(&mut self, size: usize) {
        self.codes.resize_with(size, Default::default);
        self.left.resize_with(size, Default::default);
        self.known.resize_with(size, Default::default);
    }
}

/// What running the rules for some positions finds.
#[derive(Default)]
struct Looked {
    moves: Found,
    /// Positions without a number, and from where they are reached.
    fresh: Vec<(Key, u32)>,
    /// Why all of this is in vain.
    vain: Option<Solved>,
}

pub(crate) struct Solver<'s, 'a, 'c, G: Game> {
    pub space: Space<'a, G>,
    pub conditions: &'s mut Conditions<'c>,
    work: Work,
}

impl<'s, 'a, 'c, G: Game> Solver<'s, 'a, 'c, G> {
    pub fn new(space: Space<'a, G>, conditions: &'s mut Conditions<'c>) -> Solver<'s, 'a, 'c, G> {
        Solver { space, conditions, work: Work::default() }
    }

    /// Values all arrangements, and everything that can be reached from them and from `roots`.
    pub fn solve(mut self, roots: Vec<Key>) -> anyhow::Result<Solved> {
        self.fits(self.space.size(), 0)?;
        self.work.grow(self.space.dense());
        roots.into_iter().for_each(|key| {
            self.number(key);
        });
        let mut moves = Moves::default();
        if let Some(vain) = self.run_rules(&mut moves)? {
            return Ok(vain);
        }
        if self.stopped() {
            return Ok(Solved::Stopped);
        }
        let (threads, stop, tell) =
            (self.conditions.threads, self.conditions.stop, &mut *self.conditions.tell);
        let edges =
            moves.sorted(self.space.size(), threads, stop, &mut |done, of| tell("moves", done, Some(of)))?;
        let Some(edges) = edges.filter(|_| !self.stopped()) else { return Ok(Solved::Stopped) };
        self.occur(&edges)?;
        if !self.backward(&edges)? {
            return Ok(Solved::Stopped);
        }
        Ok(Solved::Table(Box::new(self.table())))
    }

    fn stopped(&self) -> bool {
        self.conditions.stop.load(Ordering::Relaxed)
    }

    /// Whether memory suffices for that many positions and moves.
    fn fits(&self, nodes: usize, moves: u64) -> anyhow::Result<()> {
        let Conditions { memory, option, .. } = *self.conditions;
        enough((memory, option), nodes as u64, self.space.extras.len() as u64, moves)
    }

    /// Gives a number to a position that may have one.
    fn number(&mut self, key: Key) -> u32 {
        let dense = self.space.dense();
        let next = self.space.extras.len() as u32;
        let place = *self.space.places.entry(key).or_insert(next);
        if place == next {
            self.space.extras.push(key);
            self.work.grow(dense + self.space.extras.len());
        }
        dense as u32 + place
    }

    /// Looks at all positions, and at those that this finds; what came of it if that is in vain.
    fn run_rules(&mut self, moves: &mut Moves) -> anyhow::Result<Option<Solved>> {
        let (mut done, mut vain) = (0, None);
        while done < self.space.size() && vain.is_none() && !self.stopped() {
            self.fits(self.space.size(), moves.count())?;
            let range = done..self.space.size();
            done = range.end;
            let (mut fresh, mut so_far) = (Vec::new(), range.start as u64);
            let of = (self.space.slice.is_some()).then_some(range.end as u64);
            let (space, work) = (&self.space, &self.work);
            let Conditions { threads, memory, option, stop, .. } = *self.conditions;
            let tell = &mut *self.conditions.tell;
            let useless = AtomicBool::new(false);
            let tasks = Tasks {
                threads,
                stop,
                worker: &|| Ok((space.eye(), Vec::new(), Looked::default())),
                work: &|(eye, places, looked): &mut (Eye<G::Position>, Vec<Place>, Looked), chunk| {
                    if useless.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                    let nodes = chunk_of(&range, chunk);
                    for node in nodes.clone() {
                        look(space, work, node, node - nodes.start, eye, places, looked)?;
                        if looked.vain.is_some() {
                            useless.store(true, Ordering::Relaxed);
                            break;
                        }
                    }
                    let fresh = std::mem::take(&mut looked.fresh);
                    Ok(Some(Looked { moves: looked.moves.take(), fresh, vain: looked.vain.take() }))
                },
            };
            let extras = space.extras.len() as u64;
            tasks.run(0..range.len().div_ceil(CHUNK), &mut |chunk, looked| {
                moves.add(chunk_of(&range, chunk).start, looked.moves);
                fresh.extend(looked.fresh);
                if vain.is_none() {
                    vain = looked.vain;
                }
                so_far += CHUNK as u64;
                tell("positions", of.map_or(so_far, |of| so_far.min(of)), of);
                enough((memory, option), range.end as u64, extras, moves.count())
            })?;
            let mut late = Found::default();
            for (key, parent) in fresh {
                late.push(0, self.number(key));
                moves.add(parent as usize, late.take());
            }
        }
        Ok(vain)
    }

    /// Whether no move leads from a position that can occur to one that cannot.
    fn occur(&self, edges: &Edges) -> anyhow::Result<()> {
        for (node, code) in self.work.codes.iter().enumerate() {
            if code.load(Ordering::Relaxed) == NONE
                && let Some(&parent) = edges.parents(node).first()
            {
                return Err(self.space.contradiction(parent as usize, node));
            }
        }
        Ok(())
    }

    /// Values positions in the order of their distances; false if it was stopped.
    fn backward(&mut self, edges: &Edges) -> anyhow::Result<bool> {
        let mut levels = self.ends();
        let (mut plies, mut valued) = (0u16, 0);
        while usize::from(plies) < levels.len() {
            let level = self.value(std::mem::take(&mut levels[usize::from(plies)]), plies);
            if level.is_empty() {
                plies += 1;
                continue;
            }
            valued += level.len() as u64;
            if plies > LONGEST {
                bail!("an ending takes more than {LONGEST} plies, which cannot be stored");
            }
            let (space, work) = (&self.space, &self.work);
            let tasks = Tasks {
                threads: if level.len() < CHUNK { 1 } else { self.conditions.threads },
                stop: self.conditions.stop,
                worker: &|| Ok(()),
                work: &|(): &mut (), chunk| {
                    let mut next = Vec::new();
                    for &node in &level[chunk_of(&(0..level.len()), chunk)] {
                        tell_parents(space, work, edges, node as usize, &mut next);
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
            // A margin stays what it is from one position to the next: then the level has new positions.
            (self.conditions.tell)("values", valued, None);
        }
        Ok(true)
    }

    /// Those of a level that are not known to be nearer to the end, with their values.
    fn value(&self, mut level: Vec<u32>, plies: u16) -> Vec<u32> {
        level.retain(|&node| {
            let won = self.work.known[node as usize].load(Ordering::Relaxed) & WIN != 0;
            let code = &self.work.codes[node as usize];
            let standing = Standing::of_level(plies, won, self.space.scored);
            let open = code.load(Ordering::Relaxed) == OPEN;
            if open {
                code.store(standing.code(), Ordering::Relaxed);
            }
            open
        });
        level
    }

    /// The positions whose values follow from finished games and slices, by distance.
    fn ends(&mut self) -> Vec<Vec<u32>> {
        let mut levels = Vec::new();
        let work = &mut self.work;
        for node in 0..work.codes.len() {
            let (known, left) = (*work.known[node].get_mut(), *work.left[node].get_mut());
            if *work.codes[node].get_mut() != NONE && (known & WIN != 0 || left == 0) {
                put(&mut levels, known & !WIN, node as u32);
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
            scored: space.scored,
            values: Values::new(codes),
        }
    }
}

/// Whether there is memory for that many positions, with those of them that are no arrangements, and moves.
fn enough((memory, option): (u64, &str), nodes: u64, extras: u64, moves: u64) -> anyhow::Result<()> {
    let need = nodes * BYTES_PER_NODE + extras * BYTES_PER_EXTRA + moves * BYTES_PER_EDGE;
    if need > memory {
        bail!(
            "{nodes} positions with {moves} moves need {} MiB of memory, and there are {}; give more with \
             `{option}`",
            need.div_ceil(1 << 20),
            memory >> 20
        );
    }
    if nodes >= u64::from(u32::MAX) {
        bail!("{nodes} positions are too many; at most {} can be numbered", u32::MAX);
    }
    Ok(())
}

fn chunk_of(range: &std::ops::Range<usize>, chunk: usize) -> std::ops::Range<usize> {
    let begin = range.start + chunk * CHUNK;
    begin..(begin + CHUNK).min(range.end)
}

fn put(levels: &mut Vec<Vec<u32>>, plies: u16, node: u32) {
    let plies = usize::from(plies);
    if levels.len() <= plies {
        levels.resize_with(plies + 1, Vec::new);
    }
    levels[plies].push(node);
}

/// Runs the rules for the position that many behind the first of its chunk.
fn look<G: Game>(
    space: &Space<'_, G>,
    work: &Work,
    node: usize,
    offset: usize,
    eye: &mut Eye<G::Position>,
    places: &mut Vec<Place>,
    looked: &mut Looked,
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
        Expanded::Final(standing) => match standing.level() {
            Some((_, false)) => {}
            level => (best, left) = (level.map(|(level, _)| level), 1),
        },
        Expanded::Unscored => looked.vain = Some(Solved::Unscored),
        Expanded::Open => {
            for place in places.drain(..) {
                match place {
                    Place::Valued(standing) => match standing.level() {
                        Some((level, true)) => {
                            best = Some(best.map_or(level, |best: u16| best.min(level)));
                        }
                        Some((level, false)) => {
                            slowest = slowest.max(level);
                            continue;
                        }
                        None => {}
                    },
                    Place::Impossible => {}
                    Place::Node(child) => looked.moves.push(offset, child),
                    Place::New(key) => looked.fresh.push((key, node as u32)),
                    Place::Missing(material) => looked.vain = Some(Solved::Needs(material)),
                    Place::Unscored => looked.vain = Some(Solved::Unscored),
                }
                left = left.checked_add(1).context("a position has too many moves")?;
            }
        }
    }
    work.left[node].store(left, Ordering::Relaxed);
    work.known[node].store(best.map_or(slowest, |plies| plies | WIN), Ordering::Relaxed);
    Ok(())
}

/// Tells the positions before one that has its value.
///
/// A position that this makes a win has no better one: those with better ones have their values. Two threads
/// may list it, which [`Solver::value`] notices.
fn tell_parents<G: Game>(
    space: &Space<'_, G>,
    work: &Work,
    edges: &Edges,
    node: usize,
    next: &mut Vec<(u16, u32)>,
) {
    let code = work.codes[node].load(Ordering::Relaxed);
    let (side, Some(standing)) = (space.side(node), Standing::of_code(code, space.scored)) else { return };
    for &parent in edges.parents(node) {
        let place = parent as usize;
        let Some((level, wins)) = standing.before(space.side(place) == side).level() else { continue };
        let known = work.known[place].load(Ordering::Relaxed);
        if wins {
            let better = known & WIN == 0 || known & !WIN > level;
            if better && work.codes[place].load(Ordering::Relaxed) == OPEN {
                work.known[place].store(level | WIN, Ordering::Relaxed);
                next.push((level, parent));
            }
        } else if work.left[place].fetch_sub(1, Ordering::Relaxed) == 1 {
            next.push((known.max(level), parent));
        }
    }
}
