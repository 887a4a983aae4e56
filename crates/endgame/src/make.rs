//! Makes slices in their order.

use std::sync::Arc;

use anyhow::{Context, bail};
use multigame_game::Game;

use crate::material::Material;
use crate::plan::Anatomy;
use crate::retrograde::{Conditions, Solved, Solver};
use crate::space::{Slice, Space, Tables};
use crate::table::Table;

impl<G: Game> Anatomy<'_, G> {
    /// Makes a slice, and before it those that it turns out to need; `made` gets each of them. False if it
    /// was stopped.
    pub fn make(
        &self,
        material: &Material,
        tables: &mut Tables,
        conditions: &mut Conditions<'_>,
        made: &mut dyn FnMut(&Arc<Table>, &Tables) -> anyhow::Result<()>,
    ) -> anyhow::Result<bool> {
        let description = self.game.description();
        let mut waiting = vec![material.clone()];
        while let Some(next) = waiting.last().cloned() {
            let name = next.name(description);
            match self.solve(&next, tables, conditions).with_context(|| format!("no slice `{name}`"))? {
                Solved::Stopped => return Ok(false),
                Solved::Unscored => bail!(
                    "some games end with a score and others without, so values have no order; `multigame \
                     solve --strong` takes the player with more points for the winner"
                ),
                Solved::Needs(need) if waiting.contains(&need) => bail!(
                    "moves lead from the slice `{name}` to `{}` and back, so slices have no order in this \
                     game; `multigame solve --strong` needs none",
                    need.name(description)
                ),
                Solved::Needs(need) => waiting.push(need),
                Solved::Table(table) => {
                    let table = Arc::new(*table);
                    made(&table, tables)?;
                    tables.insert(next, table);
                    waiting.pop();
                }
            }
        }
        Ok(true)
    }

    fn solve(
        &self,
        material: &Material,
        tables: &Tables,
        conditions: &mut Conditions<'_>,
    ) -> anyhow::Result<Solved> {
        let shape = self.shape(material)?;
        let below: u64 = tables.values().map(|table| table.bytes()).sum();
        let memory = conditions.memory.saturating_sub(below);
        let slice = Slice { material, shape: &shape, survey: &self.survey, tables };
        let space = Space::new(self.game, &self.packing, Some(slice), self.survey.scored());
        let Conditions { threads, stop, option, .. } = *conditions;
        let mut conditions = Conditions { threads, memory, option, stop, tell: &mut *conditions.tell };
        Solver::new(space, &mut conditions).solve(Vec::new())
    }
}
