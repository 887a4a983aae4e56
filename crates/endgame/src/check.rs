//! Goes through finished tables: whether each value follows from those after it, and what the values are.

use std::sync::Mutex;

use anyhow::{Context, bail};
use multigame_game::{Game, Side, position_text};
use multigame_threads::Tasks;

use crate::retrograde::Conditions;
use crate::seen::Packing;
use crate::space::{Expanded, Place, Slice, Space, Tables};
use crate::standing::Standing;
use crate::survey::Survey;
use crate::table::Table;

const CHUNK: usize = 1 << 13;

/// The value of the position of each entry and of all positions that its moves lead to have to agree. The
/// number of positions, those included that are images of an entry's; nothing if it was stopped.
///
/// This proves the values: if one were wrong, take the wrong one that is nearest to the end of the game;
/// those after it are right, so it would not agree with them.
pub fn verify<G: Game>(
    game: &G,
    table: &Table,
    survey: &Survey,
    tables: &Tables,
    conditions: &mut Conditions<'_>,
) -> anyhow::Result<Option<u64>> {
    let packing = Packing::of(game.description()).context("positions without numbers")?;
    let space = space(game, &packing, table, survey, tables);
    let (entries, mut done, mut positions) = (table.entries(), 0, 0);
    let tell = Mutex::new(&mut *conditions.tell);
    let tasks = Tasks {
        threads: conditions.threads,
        stop: conditions.stop,
        worker: &|| Ok((space.eye(), Vec::new())),
        work: &|(eye, places), chunk| {
            let mut count = 0;
            for node in chunk * CHUNK..entries.min((chunk + 1) * CHUNK) {
                let found = match space.expand(node, eye, places)? {
                    None => None,
                    Some(_) if places.iter().any(|place| matches!(place, Place::Impossible)) => None,
                    Some(Expanded::Final(standing)) => Some(standing),
                    Some(Expanded::Unscored) => None,
                    Some(Expanded::Open) => Some(best(&space, table, node, places)?),
                };
                let stored = table.standing(node);
                if stored != found {
                    bail!(
                        "`{}` is stored as {stored:?}, but its moves make it {found:?}; delete the file and \
                         make it again",
                        space.text(node)
                    );
                }
                count += found.map_or(0, |_| table.images(node));
            }
            Ok(Some(count))
        },
    };
    tasks.run(0..entries.div_ceil(CHUNK), &mut |_, count| {
        positions += count;
        done += CHUNK as u64;
        let mut tell = tell.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        tell("verified", done.min(entries as u64), Some(entries as u64));
        Ok(())
    })?;
    let stopped = conditions.stop.load(std::sync::atomic::Ordering::Relaxed);
    Ok((!stopped).then_some(positions))
}

fn space<'a, G: Game>(
    game: &'a G,
    packing: &'a Packing,
    table: &'a Table,
    survey: &'a Survey,
    tables: &'a Tables,
) -> Space<'a, G> {
    let slice = table.material.as_ref().zip(table.shape.as_ref());
    let slice = slice.map(|(material, shape)| Slice { material, shape, survey, tables });
    let mut space = Space::new(game, packing, slice, table.scored);
    space.extras.clone_from(&table.extras);
    space.places = space.extras.iter().copied().zip(0..).collect();
    space
}

/// The value of the best move.
fn best<G: Game>(
    space: &Space<'_, G>,
    table: &Table,
    node: usize,
    places: &mut Vec<Place>,
) -> anyhow::Result<Standing> {
    let side = space.side(node);
    let values = places.drain(..).map(|place| match place {
        Place::Valued(standing) => Ok(standing),
        Place::Node(child) => {
            let child = child as usize;
            let standing = table.standing(child).ok_or_else(|| space.contradiction(node, child))?;
            Ok(standing.before(space.side(child) == side))
        }
        Place::New(_) | Place::Impossible | Place::Unscored => {
            bail!(
                "a move of `{}` leads to a position that is not stored; make the slice again",
                space.text(node)
            )
        }
        Place::Missing(material) => {
            let name = material.name(space.game.description());
            bail!(
                "a move of `{}` leads to the slice `{name}`, which is not there; make it first",
                space.text(node)
            )
        }
    });
    let values = values.collect::<anyhow::Result<Vec<Standing>>>()?;
    values.into_iter().max().with_context(|| format!("`{}` has no moves", space.text(node)))
}

/// What the values of a table are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions where White, and where Black is to move: won, drawn, lost.
    pub counts: [[u64; 3]; 2],
    /// The longest win for White, and for Black, in plies, and a position from where it takes so long; the
    /// greatest margin where games end with scores.
    pub longest: [Option<(u16, String)>; 2],
    /// For White and for Black how many positions they win in each number of plies, or by each margin.
    pub spread: [Vec<u64>; 2],
    /// Whether games end with scores.
    pub scored: bool,
}

impl Summary {
    /// Number of positions.
    pub fn positions(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }
}

/// Counts the values of a table.
pub fn summary<G: Game>(game: &G, table: &Table) -> Summary {
    let mut counts = [[0; 3]; 2];
    let mut longest: [Option<(u16, usize)>; 2] = [None; 2];
    let mut spread = [Vec::new(), Vec::new()];
    for node in 0..table.entries() {
        let Some(standing) = table.standing(node) else { continue };
        let side = table.side(node);
        let (column, won) = match standing {
            Standing::Win(plies) | Standing::Ahead(plies) => (0, Some((side, plies))),
            Standing::Draw => (1, None),
            Standing::Loss(plies) | Standing::Behind(plies) => (2, Some((side.opponent(), plies))),
        };
        counts[side.index()][column] += table.images(node);
        if let Some((winner, plies)) = won {
            let spread = &mut spread[winner.index()];
            let least = spread.len().max(usize::from(plies) + 1);
            spread.resize(least, 0);
            spread[usize::from(plies)] += table.images(node);
        }
        // Where the game is over, nobody has to win any more.
        if let Some((winner, plies)) = won.filter(|&(_, plies)| plies > 0) {
            let known = &mut longest[winner.index()];
            if known.is_none_or(|(most, _)| plies > most) {
                *known = Some((plies, node));
            }
        }
    }
    let text = |(plies, node): (u16, usize)| (plies, text(game, table, node));
    Summary { counts, longest: longest.map(|found| found.map(text)), spread, scored: table.scored }
}

/// The text of the position of an entry.
fn text<G: Game>(game: &G, table: &Table, node: usize) -> String {
    let slice = table.shape.as_ref();
    let mut diagram = multigame_game::Diagram::empty(game.description());
    let dense = slice.map_or(0, |shape| shape.size()) as usize;
    match slice {
        Some(shape) if node < dense => {
            let mut pieces = Vec::new();
            shape.arrangement(node as u64, &mut pieces);
            pieces.iter().for_each(|&(piece, field)| diagram.cells[usize::from(field)] = piece);
            diagram.side = if node < dense / 2 { Side::White } else { Side::Black };
        }
        _ => {
            table.packing.unpack(table.extras[node - dense], &mut diagram);
        }
    }
    position_text(game.description(), &diagram)
}
