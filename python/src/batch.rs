//! Many games at once: positions, moves and results as arrays, without a call of Python for each move.

use std::sync::Arc;

use anyhow::bail;
use multigame_game::{Game, Line, Outcome, Portable, Repetition, chance, playout, position_text};

use crate::hosted::Core;
use crate::node::returns;
use crate::planes;
use crate::random_games::{Results, generator, side_by_side};

/// Games of whatever type.
pub trait AnyBatch: Send {
    fn len(&self) -> usize;
    fn reset(&mut self, which: Option<&[bool]>) -> anyhow::Result<()>;
    fn counts(&self) -> Vec<u32>;
    fn actions(&mut self) -> anyhow::Result<(Vec<i64>, Vec<u32>)>;
    fn mask(&mut self) -> anyhow::Result<(usize, Vec<u8>)>;
    fn step(&mut self, actions: &[i64]) -> anyhow::Result<()>;
    fn step_places(&mut self, places: &[i64]) -> anyhow::Result<()>;
    fn step_random(&mut self, seed: u64) -> anyhow::Result<()>;
    fn over(&self) -> Vec<bool>;
    fn returns(&self) -> Vec<f32>;
    fn players(&self) -> Vec<i8>;
    fn plies(&self) -> Vec<u32>;
    fn observations(&self) -> anyhow::Result<Vec<u8>>;
    fn random_games(&self, seed: u64, max_plies: u32) -> anyhow::Result<Results>;
    fn text(&self, number: usize) -> anyhow::Result<String>;
    fn set_threads(&mut self, threads: usize);
}

/// One game.
struct Slot<G: Game> {
    position: G::Position,
    /// Written over by the next move.
    next: G::Position,
    /// Where the rules on repetition need it: the position after the last irreversible move, and the moves
    /// since.
    way: Option<(G::Position, Vec<G::Move>)>,
    legal: Vec<G::Move>,
    /// The action of each legal move; empty until somebody asks.
    numbers: Vec<u32>,
    outcome: Option<Outcome>,
    plies: u32,
}

impl<G: Game> Clone for Slot<G> {
    fn clone(&self) -> Self {
        Slot {
            position: self.position.clone(),
            next: self.next.clone(),
            way: self.way.clone(),
            legal: self.legal.clone(),
            numbers: self.numbers.clone(),
            outcome: self.outcome,
            plies: self.plies,
        }
    }
}

impl<G: Game> Slot<G> {
    fn new(game: &G, start: &G::Position) -> anyhow::Result<Slot<G>> {
        let remembers = game.description().repetition != Repetition::Ignored;
        let way = remembers.then(|| (start.clone(), Vec::new()));
        let (position, next) = (start.clone(), start.clone());
        let (legal, numbers) = (Vec::new(), Vec::new());
        let mut slot = Slot { position, next, way, legal, numbers, outcome: None, plies: 0 };
        slot.look(game)?;
        Ok(slot)
    }

    /// The game since the last irreversible move.
    fn line<'g>(&self, game: &'g G) -> Line<'g, G> {
        let Some((start, moves)) = &self.way else { return Line::new(game, self.position.clone()) };
        let mut line = Line::new(game, start.clone());
        moves.iter().for_each(|mv| line.play(mv));
        line
    }

    /// Finds out what may be played now.
    fn look(&mut self, game: &G) -> anyhow::Result<()> {
        self.outcome = match &self.way {
            Some((_, moves)) if !moves.is_empty() => {
                let line = self.line(game);
                match line.legal_moves(&mut self.legal)? {
                    None => line.repetition()?.outcome(),
                    outcome => outcome,
                }
            }
            _ => game.moves(&self.position, &mut self.legal)?,
        };
        if self.outcome.is_some() {
            self.legal.clear();
        }
        Ok(())
    }

    fn play(&mut self, game: &G, place: usize) -> anyhow::Result<()> {
        game.apply(&self.position, &self.legal[place], &mut self.next);
        std::mem::swap(&mut self.position, &mut self.next);
        if let Some((start, moves)) = &mut self.way {
            if game.is_irreversible(&self.position) {
                start.clone_from(&self.position);
                moves.clear();
            } else {
                moves.push(self.legal.swap_remove(place));
            }
        }
        self.plies += 1;
        self.numbers.clear();
        self.look(game)
    }
}

/// Games of one type.
pub struct Batch<G: Game> {
    core: Arc<Core<G>>,
    start: Slot<G>,
    slots: Vec<Slot<G>>,
    threads: usize,
}

impl<G: Portable + 'static> Batch<G> {
    /// So many games from one position.
    pub fn new(core: Arc<Core<G>>, count: usize, start: G::Position) -> anyhow::Result<Batch<G>> {
        let start = Slot::new(&core.game, &start)?;
        let slots = vec![start.clone(); count];
        Ok(Batch { core, start, slots, threads: 1 })
    }

    fn share(&self) -> usize {
        self.slots.len().div_ceil(self.threads.max(1)).max(1)
    }

    /// Does something with each game, on all threads; the number of the game comes along.
    fn each(
        &mut self,
        work: &(impl Fn(usize, &mut Slot<G>) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<()> {
        let share = self.share();
        let parts: Vec<_> = self.slots.chunks_mut(share).enumerate().collect();
        let done = side_by_side(parts, &|(part, slots): (usize, &mut [Slot<G>])| {
            slots.iter_mut().enumerate().try_for_each(|(number, slot)| work(part * share + number, slot))
        })?;
        done.into_iter().collect()
    }

    /// Makes one result of each part of the games, on all threads.
    fn parts<T: Send>(
        &self,
        work: &(impl Fn(usize, &[Slot<G>]) -> anyhow::Result<T> + Sync),
    ) -> anyhow::Result<Vec<T>> {
        let share = self.share();
        let parts: Vec<_> = self.slots.chunks(share).enumerate().collect();
        let done = side_by_side(parts, &|(part, slots): (usize, &[Slot<G>])| work(part * share, slots))?;
        done.into_iter().collect()
    }

    /// Finds the action of each legal move.
    fn number(&mut self) -> anyhow::Result<()> {
        let core = self.core.clone();
        let actions = core.actions()?;
        self.each(&|_, slot| match slot.numbers.is_empty() {
            true => actions.of(&core.game, &slot.position, &slot.legal, &mut slot.numbers),
            false => Ok(()),
        })
    }

    fn check_length(&self, given: usize, of: &str) -> anyhow::Result<()> {
        if given != self.slots.len() {
            bail!("{given} {of} are given for {} games; there must be one for each", self.slots.len());
        }
        Ok(())
    }

    /// Plays one move of each game that goes on. Nothing is played if one of the places is wrong.
    fn play(&mut self, places: &[Option<usize>]) -> anyhow::Result<()> {
        let core = self.core.clone();
        self.each(&|number, slot| match places[number] {
            Some(place) => slot.play(&core.game, place),
            None => Ok(()),
        })
    }
}

impl<G: Portable + 'static> AnyBatch for Batch<G> {
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn reset(&mut self, which: Option<&[bool]>) -> anyhow::Result<()> {
        if let Some(which) = which {
            self.check_length(which.len(), "truth values")?;
        }
        for (number, slot) in self.slots.iter_mut().enumerate() {
            if which.is_none_or(|which| which[number]) {
                slot.clone_from(&self.start);
            }
        }
        Ok(())
    }

    fn counts(&self) -> Vec<u32> {
        self.slots.iter().map(|slot| slot.legal.len() as u32).collect()
    }

    fn actions(&mut self) -> anyhow::Result<(Vec<i64>, Vec<u32>)> {
        self.number()?;
        let (mut offsets, mut all) = (vec![0], Vec::new());
        for slot in &self.slots {
            all.extend_from_slice(&slot.numbers);
            offsets.push(all.len() as i64);
        }
        Ok((offsets, all))
    }

    fn mask(&mut self) -> anyhow::Result<(usize, Vec<u8>)> {
        self.number()?;
        let count = self.core.actions()?.count();
        let mut mask = vec![0; count * self.slots.len()];
        for (mask, slot) in mask.chunks_mut(count).zip(&self.slots) {
            slot.numbers.iter().for_each(|&number| mask[number as usize] = 1);
        }
        Ok((count, mask))
    }

    fn step(&mut self, actions: &[i64]) -> anyhow::Result<()> {
        self.check_length(actions.len(), "actions")?;
        self.number()?;
        let slots = self.slots.iter().zip(actions);
        let places: Vec<Option<usize>> = slots
            .map(|(slot, &action)| slot.numbers.iter().position(|&number| i64::from(number) == action))
            .collect();
        let wrong =
            (0..places.len()).find(|&game| places[game].is_none() && self.slots[game].outcome.is_none());
        if let Some(game) = wrong {
            bail!(
                "action {} is not legal in game {game}; `legal_actions()` and `action_mask()` tell which \
                 are; \
                 nothing was played",
                actions[game]
            );
        }
        self.play(&places)
    }

    fn step_places(&mut self, places: &[i64]) -> anyhow::Result<()> {
        self.check_length(places.len(), "indices")?;
        let mut checked = Vec::with_capacity(places.len());
        for (game, (slot, &place)) in self.slots.iter().zip(places).enumerate() {
            let place = usize::try_from(place).ok().filter(|&place| place < slot.legal.len());
            if place.is_none() && slot.outcome.is_none() {
                bail!(
                    "there is no move {} in game {game}, which has {}, counted from 0; nothing was played",
                    places[game],
                    slot.legal.len()
                );
            }
            checked.push(place);
        }
        self.play(&checked)
    }

    fn step_random(&mut self, seed: u64) -> anyhow::Result<()> {
        let core = self.core.clone();
        self.each(&|number, slot| {
            if slot.outcome.is_some() {
                return Ok(());
            }
            let mut random = generator(seed, number as u64);
            let place = chance::pick(&core.game, &slot.position, &slot.legal, &mut random);
            slot.play(&core.game, place)
        })
    }

    fn over(&self) -> Vec<bool> {
        self.slots.iter().map(|slot| slot.outcome.is_some()).collect()
    }

    fn returns(&self) -> Vec<f32> {
        self.slots.iter().flat_map(|slot| returns(slot.outcome)).collect()
    }

    fn players(&self) -> Vec<i8> {
        let player = |slot: &Slot<G>| match slot.outcome {
            Some(_) => -1,
            None => self.core.game.side_to_move(&slot.position).index() as i8,
        };
        self.slots.iter().map(player).collect()
    }

    fn plies(&self) -> Vec<u32> {
        self.slots.iter().map(|slot| slot.plies).collect()
    }

    fn observations(&self) -> anyhow::Result<Vec<u8>> {
        let description = self.core.game.description();
        let size = planes::names(description).len() * description.board.size();
        let mut all = vec![0; size * self.slots.len()];
        let share = self.share();
        let parts: Vec<_> = all.chunks_mut(share * size).zip(self.slots.chunks(share)).collect();
        side_by_side(parts, &|(planes, slots): (&mut [u8], &[Slot<G>])| {
            for (planes, slot) in planes.chunks_mut(size).zip(slots) {
                planes::write(&self.core.game, &slot.position, planes);
            }
        })?;
        Ok(all)
    }

    fn random_games(&self, seed: u64, max_plies: u32) -> anyhow::Result<Results> {
        let parts = self.parts(&|first, slots| {
            let mut results = Results::default();
            for (number, slot) in slots.iter().enumerate() {
                let mut random = generator(seed, (first + number) as u64);
                let mut line = slot.line(&self.core.game);
                let played = playout(&mut line, max_plies, &mut random)?;
                results.add(&played);
            }
            Ok(results)
        })?;
        Ok(parts.into_iter().fold(Results::default(), Results::and))
    }

    fn text(&self, number: usize) -> anyhow::Result<String> {
        let Some(slot) = self.slots.get(number) else {
            bail!("there is no game {number}; there are {}, counted from 0", self.slots.len());
        };
        let game = &self.core.game;
        Ok(position_text(game.description(), &game.diagram(&slot.position)))
    }
}
