//! Which slices there are, in which order they have to be made, and how large they are.

use anyhow::{Context, bail};
use multigame_game::{Description, Game, Piece, Random, Repetition, Side};
use rustc_hash::FxHashMap;

use crate::edges::BYTES_PER_EDGE;
use crate::material::Material;
use crate::retrograde::BYTES_PER_NODE;
use crate::seen::Packing;
use crate::shape::Shape;
use crate::space::{Place, Slice, Space, Tables};
use crate::survey::Survey;

/// Positions of a slice that a plan looks at.
pub const SAMPLES: usize = 4000;
/// Most slices of a plan.
const MOST: usize = 20_000;

/// A game whose slices can be made.
pub struct Anatomy<'g, G: Game> {
    pub(crate) game: &'g G,
    pub(crate) survey: Survey,
    pub(crate) packing: Packing,
}

/// A slice of a plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// What is on the board.
    pub material: Material,
    /// Numbers for arrangements.
    pub entries: u64,
    /// Moves within the slice, for each number.
    pub moves: f64,
    /// The slices that moves lead to.
    pub needs: Vec<Material>,
}

impl Planned {
    /// Bytes of memory while it is made, without those of finished slices.
    pub fn memory(&self) -> u64 {
        self.entries * BYTES_PER_NODE + (self.entries as f64 * self.moves * BYTES_PER_EDGE as f64) as u64
    }
}

/// Whether there is a theory that retrograde analysis follows.
pub(crate) fn suitable(description: &Description) -> anyhow::Result<()> {
    if description.players != 2 {
        bail!("this is for games of two players; `multigame tables` makes databases of puzzles");
    }
    match description.repetition {
        Repetition::Ignored | Repetition::Draw(_) => Ok(()),
        _ => bail!(
            "the rules on repetition decide games here, so a position without its past has no value; \
             only games where repetition is drawn, or does not matter, can be solved backward"
        ),
    }
}

impl<'g, G: Game> Anatomy<'g, G> {
    /// Gets to know a game.
    pub fn of(game: &'g G) -> anyhow::Result<Anatomy<'g, G>> {
        let description = game.description();
        suitable(description)?;
        let packing = Packing::of(description).with_context(|| too_wide(description))?;
        Ok(Anatomy { game, survey: Survey::of(game)?, packing })
    }

    /// What random games have shown.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// All slices with at most that many pieces that have the pieces which games keep.
    pub fn up_to(&self, most: usize) -> anyhow::Result<Vec<Material>> {
        let description = self.game.description();
        let met = |side| {
            let own = |piece: &Piece| description.piece(*piece).side == Some(side);
            let mut pieces = (1..description.pieces.len()).map(|piece| Piece(piece as u8)).filter(own);
            pieces.any(|piece| !self.survey.fields(piece).is_empty())
        };
        if !Side::BOTH.into_iter().all(met) {
            bail!(
                "positions of {} are not told apart by pieces of both players, so it has no slices; \
                 `multigame solve --strong` solves small games as a whole",
                description.name
            );
        }
        let mut all = vec![vec![0u8]];
        for piece in (1..description.pieces.len()).map(|piece| Piece(piece as u8)) {
            let counts = match self.survey.kept(piece) {
                Some(kept) => kept..=kept,
                None => 0..=self.survey.fields(piece).len().min(most) as u8,
            };
            let longer = |begin: &Vec<u8>| {
                let used: usize = begin.iter().map(|&count| usize::from(count)).sum();
                let fits = counts.clone().filter(move |&count| used + usize::from(count) <= most);
                fits.map(|count| begin.iter().copied().chain([count]).collect()).collect::<Vec<Vec<u8>>>()
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() > MOST {
                bail!("there are more than {MOST} slices of up to {most} pieces; ask for fewer pieces");
            }
        }
        let materials = all.into_iter().filter_map(|counts| Material::of_counts(description, counts));
        let both = |material: &Material| {
            let has = |side| material.pieces().any(|(piece, _)| description.piece(piece).side == Some(side));
            has(Side::White) && has(Side::Black)
        };
        let mut materials: Vec<Material> = materials.filter(both).collect();
        materials.sort_by_key(|material| (material.total(), material.name(description)));
        if materials.is_empty() {
            let kept: usize = (0..description.pieces.len() as u8)
                .filter_map(|it| self.survey.kept(Piece(it)))
                .map(usize::from)
                .sum();
            bail!("no slice has at most {most} pieces: games keep {kept}; ask for {} or more", kept.max(2));
        }
        Ok(materials)
    }

    /// These slices and all that they need, each after those that it needs, as far as samples show.
    pub fn plan(&self, wanted: &[Material]) -> anyhow::Result<Vec<Planned>> {
        let (mut order, mut states) = (Vec::new(), FxHashMap::default());
        for material in wanted {
            self.visit(material, &mut states, &mut order)?;
        }
        Ok(order)
    }

    fn visit(
        &self,
        material: &Material,
        states: &mut FxHashMap<Material, bool>,
        order: &mut Vec<Planned>,
    ) -> anyhow::Result<()> {
        match states.get(material) {
            Some(true) => return Ok(()),
            Some(false) => {
                let name = material.name(self.game.description());
                bail!(
                    "moves lead from the slice `{name}` to others and back to it, so slices have no order in \
                     this game; `multigame solve --strong` needs none"
                );
            }
            None => {}
        }
        if states.len() >= MOST {
            bail!("more than {MOST} slices are needed; ask for fewer pieces");
        }
        states.insert(material.clone(), false);
        let planned = self.look(material)?;
        for need in &planned.needs {
            self.visit(need, states, order)?;
        }
        states.insert(material.clone(), true);
        order.push(planned);
        Ok(())
    }

    /// The arrangements of a slice.
    pub fn shape(&self, material: &Material) -> anyhow::Result<Shape> {
        let description = self.game.description();
        let name = || material.name(description);
        let pieces = (1..description.pieces.len() as u8).map(Piece);
        let mut kept = pieces.filter_map(|piece| Some((piece, self.survey.kept(piece)?)));
        if let Some((piece, kept)) = kept.find(|&(piece, kept)| material.count(piece) != kept) {
            let piece = description.piece_name(piece);
            bail!("`{}` does not occur: games always have {kept} {piece}; add what is missing", name());
        }
        let symmetries = self.game.symmetries(material.pieces().map(|(piece, _)| piece).collect());
        let shape = Shape::turned(material, &self.survey, &symmetries)
            .filter(|shape| shape.size() < u64::from(u32::MAX));
        let shape = shape.with_context(|| {
            format!("the slice `{}` has more than {} arrangements, which cannot be numbered; ask for fewer pieces", name(), u32::MAX)
        })?;
        if shape.size() == 0 {
            bail!("`{}` does not occur: there are not enough fields for its pieces", name());
        }
        Ok(shape)
    }

    /// The slices that moves of a slice lead to, as far as samples show.
    pub(crate) fn needs(&self, material: &Material) -> anyhow::Result<Vec<Material>> {
        Ok(self.look(material)?.needs)
    }

    /// Looks at some positions of a slice.
    fn look(&self, material: &Material) -> anyhow::Result<Planned> {
        let (shape, none) = (self.shape(material)?, Tables::default());
        let slice = Slice { material, shape: &shape, survey: &self.survey, tables: &none };
        let space = Space::new(self.game, &self.packing, Some(slice), false);
        let (mut eye, mut places, mut random) = (space.eye(), Vec::new(), Random::new(1));
        let (mut needs, mut moves) = (Vec::new(), 0);
        for _ in 0..SAMPLES {
            let node = random.below(space.dense());
            space.expand(node, &mut eye, &mut places)?;
            for place in places.drain(..) {
                match place {
                    Place::Missing(need) if !needs.contains(&need) => needs.push(need),
                    Place::Node(_) => moves += 1,
                    _ => {}
                }
            }
        }
        needs.sort_by_key(Material::total);
        let (entries, moves) = (shape.size(), f64::from(moves) / SAMPLES as f64);
        Ok(Planned { material: material.clone(), entries, moves, needs })
    }
}

/// Why positions of a game cannot be numbers.
pub(crate) fn too_wide(description: &Description) -> String {
    format!("positions of {} need more than 256 bits, which is the most that can be stored", description.name)
}
