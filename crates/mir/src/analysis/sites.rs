//! Can two results of a move generator be equal? Often the places where results are made tell.
//!
//! A result is told from the others by what it writes on the board. Two results of one place differ if every
//! field that was chosen on the way can be read off the result. Results of two places differ if what one
//! writes cannot be what the other writes, field by field.

use std::rc::Rc;

use multigame_game::PieceSet;

use crate::Value;
use crate::Variable;
use crate::analysis::geometry::{Mask, Table};
use crate::lowering::state::{Place, Reach, State, Write};
use crate::program::builder::Builder;

/// A place in the code where results are made.
#[derive(Debug)]
pub(crate) struct Site {
    /// Fields that surely change.
    writes: Vec<SiteWrite>,
    /// Whether something else may be written, or the same field twice.
    others: bool,
    /// Whether nothing else is written on the fields of `writes`.
    tells: bool,
    /// Whether every choice on the way can be read off the result.
    unique: bool,
    /// How fields that were chosen on the way can be read off the result, if at all.
    choices: Vec<Choice>,
    ways: Vec<(Variable, bool)>,
    /// Which ways of the alternatives at the top of `main` lead here.
    class: Class,
}

/// Which way each `try` at the top of `main` has taken: results of different classes never occur together.
pub(crate) type Class = Vec<bool>;

/// A field that was chosen on the way.
#[derive(Debug)]
struct Choice {
    field: Value,
    readings: Vec<Reading>,
}

/// A field that is written tells the one that was chosen.
#[derive(Debug)]
struct Reading {
    written: Value,
    /// The fields that each choice leads to; nothing if the chosen field is the one that is written.
    table: Option<Table>,
}

#[derive(Debug)]
struct SiteWrite {
    field: Value,
    constant: Option<u64>,
    old: PieceSet,
    new: PieceSet,
    /// Where the field can be, counted from the fields it was reached from, the nearest first.
    reaches: Vec<Reach>,
}

/// Where a field can be, counted from each of the fields it was reached from.
fn reaches(field: Value, places: &[Place]) -> Vec<Reach> {
    let mut all: Vec<Reach> = Vec::new();
    let mut at = field;
    while let Some(reach) =
        places.iter().find(|place| place.field == at).and_then(|place| place.reach.as_ref())
    {
        if reach.origin == at || all.len() > places.len() {
            break;
        }
        let composed = match all.last() {
            None => reach.clone(),
            Some(further) => {
                let through = |mask: &Mask| {
                    let mut union = smallvec::smallvec![0; mask.len()];
                    for field in crate::analysis::geometry::bits(mask) {
                        union.iter_mut().zip(&further.table[field]).for_each(|(word, more)| *word |= more);
                    }
                    union
                };
                Reach { origin: reach.origin, table: Rc::new(reach.table.iter().map(through).collect()) }
            }
        };
        at = reach.origin;
        all.push(composed);
    }
    all
}

impl SiteWrite {
    fn of(write: &Write, state: &State, builder: &Builder) -> Option<SiteWrite> {
        let field = write.field?;
        let reaches = reaches(field, &state.places);
        Some(SiteWrite { field, constant: builder.known(field), old: write.old, new: write.new, reaches })
    }

    /// Whether a later write surely goes to another field: by what it finds there, or by where it can be.
    fn is_apart(&self, later: &SiteWrite) -> bool {
        let elsewhere = matches!((self.constant, later.constant), (Some(x), Some(y)) if x != y);
        let excludes = |from: &[Reach], field: Value| {
            let stays = |(number, mask): (usize, &Mask)| mask[number / 64] >> (number % 64) & 1 != 0;
            from.iter().any(|reach| reach.origin == field && !reach.table.iter().enumerate().any(stays))
        };
        let disjoint = self.reaches.iter().any(|a| {
            let overlap = |(x, y): (&Mask, &Mask)| x.iter().zip(y).any(|(x, y)| x & y != 0);
            let same_origin = later.reaches.iter().filter(|b| b.origin == a.origin);
            same_origin.into_iter().any(|b| !a.table.iter().zip(b.table.iter()).any(overlap))
        });
        !meet(self.new, later.old)
            || elsewhere
            || disjoint
            || excludes(&later.reaches, self.field)
            || excludes(&self.reaches, later.field)
    }
}

fn meet(a: PieceSet, b: PieceSet) -> bool {
    a.iter().any(|piece| b.contains(piece))
}

impl Site {
    pub fn of(state: &State, class: &Class, builder: &Builder) -> Site {
        // **Invariant:** a write tells results apart only if nothing else is written on the same field,
        // before it or after it, not even something that may leave the field as it is.
        let all: Vec<(Option<SiteWrite>, &Write)> =
            state.writes.iter().map(|write| (SiteWrite::of(write, state, builder), write)).collect();
        let is_apart = |(a, earlier): &(Option<SiteWrite>, &Write),
                        (b, later): &(Option<SiteWrite>, &Write)| {
            let known = a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a.is_apart(b));
            known || !meet(earlier.new, later.old)
        };
        let tells = |write: &Write| write.field.is_some() && !meet(write.old, write.new);
        let apart = (0..all.len()).all(|later| {
            all[..later]
                .iter()
                .all(|earlier| !(tells(earlier.1) || tells(all[later].1)) || is_apart(earlier, &all[later]))
        });
        let others = !state.writes.iter().all(tells);
        let writes: Vec<SiteWrite> =
            all.into_iter().filter(|(_, write)| tells(write)).filter_map(|(site, _)| site).collect();
        let mut site = Site {
            writes,
            others: others || !apart,
            tells: apart,
            unique: apart,
            choices: Vec::new(),
            ways: state.ways.clone(),
            class: class.clone(),
        };
        site.choices = site.choices(&state.places);
        site.unique &= site.choices.iter().all(|choice| !choice.readings.is_empty());
        site
    }

    /// Whether a field surely holds something else than before.
    pub fn surely_changes(&self) -> bool {
        self.tells && !self.writes.is_empty()
    }

    /// The chosen fields, with the writes that tell them: those that are made in their own way.
    fn choices(&self, places: &[Place]) -> Vec<Choice> {
        let told: Vec<&SiteWrite> = self
            .writes
            .iter()
            .filter(|a| {
                self.writes.iter().all(|b| a.field == b.field || !meet(a.old, b.old) || !meet(a.new, b.new))
            })
            .collect();
        let reading = |write: &SiteWrite, chosen: Value| {
            if write.field == chosen {
                return Some(Reading { written: write.field, table: None });
            }
            let mut reaches = write.reaches.iter();
            let back = reaches.find(|reach| reach.origin == chosen && is_injective(&reach.table))?;
            Some(Reading { written: write.field, table: Some(Rc::clone(&back.table)) })
        };
        let chosen = places.iter().filter(|place| !place.follows).map(|place| place.field);
        chosen
            .map(|field| {
                let readings = told.iter().filter_map(|write| reading(write, field)).collect();
                Choice { field, readings }
            })
            .collect()
    }

    /// Whether the fields that both chose are read off equal results in the same way, so that they are the
    /// same.
    ///
    /// **Invariant:** alternatives exclude each other only for the same choice. A result of one alternative
    /// for one field may equal a result of the other for another field.
    fn chose_the_same(&self, other: &Site, pairs: &[(&SiteWrite, &SiteWrite)]) -> bool {
        self.choices.iter().all(|choice| {
            let Some(twin) = other.choices.iter().find(|twin| twin.field == choice.field) else {
                return true;
            };
            choice.readings.iter().any(|a| {
                let paired =
                    |b: &Reading| pairs.iter().any(|(x, y)| x.field == a.written && y.field == b.written);
                twin.readings.iter().any(|b| paired(b) && a.table == b.table)
            })
        })
    }

    /// Whether a result of this place surely differs from every result of the other.
    fn differs_from(&self, other: &Site) -> bool {
        let mut pairs = Vec::new();
        for (these, those, swapped) in [(self, other, false), (other, self, true)] {
            for a in &these.writes {
                let mut same = those.writes.iter().filter(|b| meet(a.old, b.old) && meet(a.new, b.new));
                match (same.next(), same.next()) {
                    // Fields that are surely written here are surely not written there.
                    (None, _) if !those.others => return true,
                    (Some(b), None) if !swapped => pairs.push((a, b)),
                    _ => {}
                }
            }
        }
        // If the results were equal, paired fields would be the same.
        let paired = pairs.len() == self.writes.len() && !self.others && !other.others;
        let apart = pairs.iter().any(|(a, b)| {
            let elsewhere = matches!((a.constant, b.constant), (Some(x), Some(y)) if x != y);
            elsewhere || cannot_meet(&pairs, a, b)
        });
        let exclusive = self.ways.iter().any(|(way, taken)| {
            other.ways.iter().any(|(other_way, other_taken)| way == other_way && taken != other_taken)
        });
        paired && (apart || (exclusive && self.unique && other.unique && self.chose_the_same(other, &pairs)))
    }
}

/// Different origins never lead to the same field.
fn is_injective(table: &[Mask]) -> bool {
    let words = table.first().map_or(0, |mask| mask.len());
    let mut seen = vec![0; words];
    table.iter().all(|mask| {
        let fresh = mask.iter().zip(&seen).all(|(a, b)| a & b == 0);
        seen.iter_mut().zip(mask).for_each(|(a, b)| *a |= b);
        fresh
    })
}

/// Both fields are counted from fields that would be the same, and are never the same.
fn cannot_meet(pairs: &[(&SiteWrite, &SiteWrite)], a: &SiteWrite, b: &SiteWrite) -> bool {
    let disjoint = |x: &Reach, y: &Reach| {
        let overlap = |(x, y): (&Mask, &Mask)| x.iter().zip(y).any(|(x, y)| x & y != 0);
        !x.table.iter().zip(y.table.iter()).any(overlap)
    };
    let same_origin =
        |x: &Reach, y: &Reach| pairs.iter().any(|(a, b)| a.field == x.origin && b.field == y.origin);
    a.reaches.iter().any(|x| b.reaches.iter().any(|y| same_origin(x, y) && disjoint(x, y)))
}

/// The classes of results in which equal ones cannot be excluded.
pub(crate) fn doubtful(sites: &[Site]) -> Vec<Class> {
    let mut classes: Vec<&Class> = sites.iter().map(|site| &site.class).collect();
    classes.sort();
    classes.dedup();
    classes.retain(|class| {
        let sites: Vec<&Site> = sites.iter().filter(|site| site.class == **class).collect();
        let mut pairs = (0..sites.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        sites.iter().any(|site| !site.unique) || !pairs.all(|(a, b)| sites[a].differs_from(sites[b]))
    });
    classes.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{BOARD, module};
    use crate::{Options, Pass};

    #[test]
    fn results_that_say_where_they_come_from_differ() {
        let repeats = |rules| module(BOARD, rules, &Options::default()).may_repeat;
        assert!(!repeats("find own man, pick up, any direction, step, points at empty field, put down"));
        // Either man may have been the first.
        assert!(repeats(
            "find own man, replace by rock, any direction, step, points at own man, replace by rock"
        ));
        // Two ways that write the same.
        let rules = "either [ find own man, replace by rock ]
            or [ find own man, north, step, step backward, replace by rock ]";
        assert!(repeats(rules));
    }

    #[test]
    fn alternatives_that_never_meet_are_doubtful_each_for_itself() {
        let rules =
            "try either [ find own man, replace by rock, north, step, points at own man, replace by rock ]
                or [ find own man, replace by rock, south, step, points at own man, replace by rock ]
                or [ find opponent's man, replace by rock ]
            else [ find own man, pick up, north, step, points at empty field, put down ]";
        let with = module(BOARD, rules, &Options::default());
        assert_eq!(with.doubtful, [[true], [true]]);
        assert!(with.count[0].is_some());
        let without = module(BOARD, rules, &Options::without(Pass::Classes));
        assert_eq!((without.doubtful, without.count), (vec![Vec::new(); 2], [None, None]));
    }
}
