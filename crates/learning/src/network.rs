//! Networks: what evaluations get wrong, from what stands where, learned by gradient descent.

use std::ops::ControlFlow;
use std::sync::Mutex;

use multigame_game::{
    Description, Diagram, Eyes, Field, Game, Inputs, Network, Random, RulesError, Scope, Side,
};

use crate::{Sample, scale_of};

/// Lessons that tell what values mean.
const SCALED: usize = 20_000;
/// Each batch is cut into this many parts, on any number of threads: the sums do not depend on the number of
/// threads.
const SHARDS: usize = 4;
/// The lessons have this many parts; the last one only measures how well the others were learned.
const HELD_OUT: usize = 40;
/// Numbers that are computed side by side.
const LANES: usize = 16;
/// The share of a weight that is taken away in each step of size 1.
const DECAY: f32 = 0.05;
/// Adam's memories of slopes and of their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];

/// Positions to learn from.
#[derive(Clone, Debug)]
pub struct Lessons {
    inputs: Inputs,
    eyes: Eyes,
    /// For each lesson the rows that the player to move sees, then those of the opponent.
    rows: Vec<u16>,
    /// Where the rows of each lesson begin, and at last where they end.
    starts: Vec<usize>,
    /// The chances of the player to move.
    targets: Vec<f32>,
    /// The value of the position for the player to move without the network.
    values: Vec<f32>,
}

/// Settings of the training.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Size of a player's hidden layer, one of [`Network::SIZES`].
    pub hidden: usize,
    /// Number of passes over all lessons.
    pub epochs: u32,
    /// The size of the first steps.
    pub rate: f32,
    /// The worth of the output 1.
    pub scale: i32,
    /// The same seed gives the same network.
    pub seed: u64,
    /// Computing at the same time.
    pub threads: usize,
}

/// Progress of the training.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// From 1 on.
    pub number: u32,
    /// The mean cross-entropy over the lessons while they were learned.
    pub loss: f64,
    /// The same over those that were held out.
    pub held_out: f64,
}

impl Lessons {
    /// No lessons yet; see [`eyes`].
    pub fn new(description: &Description, eyes: Eyes) -> anyhow::Result<Lessons> {
        let inputs = Inputs::new(description, eyes).map_err(anyhow::Error::msg)?;
        if inputs.count() > usize::from(u16::MAX) {
            anyhow::bail!("there is too much to see in this game: {} inputs", inputs.count());
        }
        Ok(Lessons {
            inputs,
            eyes,
            rows: Vec::new(),
            starts: vec![0],
            targets: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Number of lessons.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Adds a position with what White may expect there, and what it is worth to the player to move without
    /// the network.
    pub fn add<G: Game>(&mut self, game: &G, position: &G::Position, white: f64, value: i32) {
        let own = game.side_to_move(position);
        let start = self.rows.len();
        self.inputs.for_each(game, position, |rows| self.rows.push(rows[own.index()] as u16));
        self.inputs.for_each(game, position, |rows| self.rows.push(rows[1 - own.index()] as u16));
        debug_assert_eq!((self.rows.len() - start) % 2, 0);
        self.starts.push(self.rows.len());
        self.values.push(value as f32);
        self.targets.push(if own == Side::White { white } else { 1.0 - white } as f32);
    }

    /// The scale of values without the network: the value that means a chance of 73 %, found from some of the
    /// lessons.
    pub fn scale(&self) -> f64 {
        let some = (0..self.len()).step_by(self.len().div_ceil(SCALED).max(1));
        let sample = |lesson: usize| Sample {
            features: vec![(0, self.values[lesson])],
            offset: 0.0,
            target: self.targets[lesson].into(),
        };
        scale_of(&some.map(sample).collect::<Vec<_>>(), &[1.0])
    }

    /// The rows that the player to move and the opponent see.
    fn rows(&self, lesson: usize) -> [&[u16]; 2] {
        let rows = &self.rows[self.starts[lesson]..self.starts[lesson + 1]];
        let (own, others) = rows.split_at(rows.len() / 2);
        [own, others]
    }
}

/// The view of the board in which Black has the same task as White: a position with colours exchanged
/// gives as many moves, tried out along random games.
pub fn eyes<G: Game>(game: &G) -> Result<Eyes, RulesError> {
    for eyes in [Eyes::Turned, Eyes::Flipped] {
        if is_same_task(game, eyes)? {
            return Ok(eyes);
        }
    }
    Ok(Eyes::Apart)
}

fn is_same_task<G: Game>(game: &G, eyes: Eyes) -> Result<bool, RulesError> {
    let mut random = Random::new(17);
    let mut moves = Vec::new();
    for _ in 0..12 {
        let mut position = game.initial();
        for _ in 0..60 {
            let outcome = game.moves(&position, &mut moves)?;
            let Some(other) = exchanged(game.description(), eyes, &game.diagram(&position)) else {
                return Ok(false);
            };
            let other = game.position(&other);
            let ended = game.outcome(&other)?;
            let same = ended.is_some() == outcome.is_some()
                && (outcome.is_some() || game.count(&other)? == moves.len() as u64);
            if !same {
                return Ok(false);
            }
            if moves.is_empty() {
                break;
            }
            let before = position.clone();
            game.apply(&before, &moves[random.below(moves.len())], &mut position);
            if game.ended(&position).is_some() {
                break;
            }
        }
    }
    Ok(true)
}

/// The position with the colours exchanged, as the other player sees it; nothing where the board cannot be
/// seen so.
fn exchanged(description: &Description, eyes: Eyes, diagram: &Diagram) -> Option<Diagram> {
    let board = &description.board;
    let mut other = diagram.clone();
    other.side = diagram.side.opponent();
    for field in board.fields() {
        other.cells[eyes.place(board, field)?.index()] = description.counterpart(diagram.piece(field));
    }
    for property in &description.properties {
        for number in 0..property.length(board) {
            let place = match property.scope {
                Scope::Board => number,
                Scope::Player => 1 - number,
                Scope::Field if board.is_field(Field(number as u16)) => {
                    eyes.place(board, Field(number as u16))?.index()
                }
                Scope::Field => number,
            };
            other.values[property.offset + place] = diagram.values[property.offset + number];
        }
    }
    Some(other)
}

/// The position with left and right exchanged, where that makes no difference as far as can be told: there is
/// nothing but pieces, and as many moves.
pub fn reflected<G: Game>(game: &G, position: &G::Position) -> Result<Option<G::Position>, RulesError> {
    let (description, diagram) = (game.description(), game.diagram(position));
    let board = &description.board;
    let plain = description.properties.iter().filter(|property| property.hashed).all(|property| {
        let values = &diagram.values[property.offset..][..property.length(board)];
        values.iter().all(|&value| value == property.low)
    });
    if !plain {
        return Ok(None);
    }
    let mut image = diagram.clone();
    for field in board.fields() {
        let (column, row) = (i64::from(board.column(field)), i64::from(board.row(field)));
        let Some(place) = board.field_at(i64::from(board.columns()) + 1 - column, row) else {
            return Ok(None);
        };
        image.cells[place.index()] = diagram.piece(field);
    }
    let image = game.position(&image);
    Ok((game.count(&image)? == game.count(position)?).then_some(image))
}

/// Learns a network. `progress` hears of each epoch and may break off; what was best on the lessons held out
/// is kept.
pub fn train(
    lessons: &Lessons,
    plan: &Training,
    progress: &mut dyn FnMut(Epoch) -> ControlFlow<()>,
) -> Network {
    match plan.hidden {
        16 => trained::<16>(lessons, plan, progress),
        32 => trained::<32>(lessons, plan, progress),
        64 => trained::<64>(lessons, plan, progress),
        128 => trained::<128>(lessons, plan, progress),
        _ => trained::<256>(lessons, plan, progress),
    }
}

/// The numbers that are learned, or what is added to them.
#[derive(Clone)]
struct Numbers<const H: usize> {
    rows: Vec<[f32; H]>,
    bias: [f32; H],
    output: [[f32; H]; 2],
    output_bias: f32,
}

impl<const H: usize> Numbers<H> {
    fn zero(rows: usize) -> Self {
        Numbers { rows: vec![[0.0; H]; rows], bias: [0.0; H], output: [[0.0; H]; 2], output_bias: 0.0 }
    }

    fn random(rows: usize, seen: f32, random: &mut Random) -> Self {
        // Three numbers that are equally distributed add up to nearly normal ones.
        let mut normal = |size: f32| {
            let unit = |random: &mut Random| random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
            size * (unit(random) + unit(random) + unit(random))
        };
        let mut numbers = Numbers::zero(rows);
        let size = (1.0 / seen.max(1.0)).sqrt() * 0.5;
        numbers.rows.iter_mut().flatten().for_each(|number| *number = normal(size));
        numbers.bias.fill(0.2);
        let size = (1.0 / H as f32).sqrt() * 0.5;
        numbers.output.iter_mut().flatten().for_each(|number| *number = normal(size));
        numbers
    }

    fn clear(&mut self) {
        self.rows.iter_mut().for_each(|row| row.fill(0.0));
        self.bias.fill(0.0);
        self.output = [[0.0; H]; 2];
        self.output_bias = 0.0;
    }

    /// The parts of the numbers, all as lists.
    fn parts(&mut self) -> [&mut [f32]; 4] {
        let bias = std::slice::from_mut(&mut self.output_bias);
        [self.rows.as_flattened_mut(), &mut self.bias, self.output.as_flattened_mut(), bias]
    }

    /// The sums of the hidden layer for these rows.
    #[inline]
    fn sums(&self, rows: &[u16]) -> [f32; H] {
        let mut sums = self.bias;
        for &row in rows {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum += weight;
            }
        }
        sums
    }

    /// The output for what both players see, whose hidden sums are left in `sums`.
    #[inline]
    fn output(&self, rows: [&[u16]; 2], sums: &mut [[f32; H]; 2]) -> f32 {
        let mut output = self.output_bias;
        for whose in 0..2 {
            sums[whose] = self.sums(rows[whose]);
            // PERF: the order of sums of fractions is fixed, so that it has to be one that can be computed
            // side by side.
            let mut lanes = [0.0; LANES];
            let parts =
                sums[whose].as_chunks::<LANES>().0.iter().zip(self.output[whose].as_chunks::<LANES>().0);
            for (sums, weights) in parts {
                for ((lane, sum), weight) in lanes.iter_mut().zip(sums).zip(weights) {
                    let cut = sum.clamp(0.0, 1.0);
                    *lane += cut * cut * weight;
                }
            }
            output += lanes.iter().sum::<f32>();
        }
        output
    }
}

fn chance(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

fn entropy(chance: f32, target: f32) -> f64 {
    let chance = f64::from(chance.clamp(1e-6, 1.0 - 1e-6));
    let target = f64::from(target);
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
}

fn trained<const H: usize>(
    lessons: &Lessons,
    plan: &Training,
    progress: &mut dyn FnMut(Epoch) -> ControlFlow<()>,
) -> Network {
    let mut random = Random::new(plan.seed);
    let count = lessons.inputs.count();
    let seen = lessons.rows.len() as f32 / (2 * lessons.len().max(1)) as f32;
    let mut numbers: Numbers<H> = Numbers::random(count, seen, &mut random);
    let mut adam = Adam { first: Numbers::zero(count), second: Numbers::zero(count), steps: 0 };
    // Sums of whole numbers must fit into 16 bits, whatever is seen.
    let most = (32_000.0 / f32::from(Network::ONE) / (lessons.inputs.most_at_once() + 1) as f32).min(1.98);
    let most_output = f32::from(Network::MOST_OUTPUT) / f32::from(Network::OUTPUT_ONE);
    let limits = [most, most, most_output, f32::MAX];
    // Those at the end: positions of one game are next to each other, and whoever knows one knows the others.
    let mut learned: Vec<u32> = (0..lessons.len() as u32).collect();
    let held_out = learned.split_off(lessons.len() - lessons.len() / HELD_OUT);
    let batch = (learned.len() / 256).clamp(SHARDS, 8192);
    let steps = (learned.len().div_ceil(batch) * plan.epochs as usize).max(1);
    let mut best: Option<(f64, Numbers<H>)> = None;
    let mut slopes: Vec<Numbers<H>> = (0..SHARDS).map(|_| Numbers::zero(count)).collect();
    for number in 1..=plan.epochs {
        shuffle(&mut learned, &mut random);
        let mut loss = 0.0;
        for batch in learned.chunks(batch) {
            loss += gradient(lessons, plan, &numbers, batch, &mut slopes);
            let done = adam.steps as f32 / steps as f32;
            let rate = plan.rate * (0.01 + 0.99 * 0.5 * (1.0 + (std::f32::consts::PI * done).cos()));
            adam.step(&mut numbers, &mut slopes, batch.len(), rate, limits);
        }
        let loss = loss / learned.len().max(1) as f64;
        let held = mean_loss(lessons, plan, &numbers, if held_out.is_empty() { &learned } else { &held_out });
        if best.as_ref().is_none_or(|(least, _)| held < *least) {
            best = Some((held, numbers.clone()));
        }
        if progress(Epoch { number, loss, held_out: held }).is_break() {
            break;
        }
    }
    rounded(lessons, plan, &best.map_or(numbers, |(_, numbers)| numbers))
}

fn shuffle(numbers: &mut [u32], random: &mut Random) {
    for last in (1..numbers.len()).rev() {
        numbers.swap(last, random.below(last + 1));
    }
}

fn mean_loss<const H: usize>(lessons: &Lessons, plan: &Training, numbers: &Numbers<H>, of: &[u32]) -> f64 {
    let mut sums = [[0.0; H]; 2];
    let loss = |&lesson: &u32| {
        let output = numbers.output(lessons.rows(lesson as usize), &mut sums);
        let value = lessons.values[lesson as usize] / plan.scale as f32;
        entropy(chance(output + value), lessons.targets[lesson as usize])
    };
    of.iter().map(loss).sum::<f64>() / of.len().max(1) as f64
}

/// The slopes of the loss over a batch, one set for each part of it; tells the loss.
fn gradient<const H: usize>(
    lessons: &Lessons,
    plan: &Training,
    numbers: &Numbers<H>,
    batch: &[u32],
    slopes: &mut [Numbers<H>],
) -> f64 {
    let size = batch.len().div_ceil(SHARDS);
    let parts: Vec<&[u32]> = (0..SHARDS)
        .map(|part| &batch[(part * size).min(batch.len())..((part + 1) * size).min(batch.len())])
        .collect();
    let mut losses = [0.0; SHARDS];
    let work = Mutex::new(parts.iter().zip(slopes).zip(&mut losses));
    let next = || work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    let run = || {
        while let Some(((part, slopes), loss)) = next() {
            slopes.clear();
            *loss = part_gradient(lessons, plan, numbers, part, slopes);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..plan.threads.clamp(1, SHARDS) {
            // Where the system has no more threads, this one does more.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    losses.iter().sum()
}

fn part_gradient<const H: usize>(
    lessons: &Lessons,
    plan: &Training,
    numbers: &Numbers<H>,
    part: &[u32],
    slopes: &mut Numbers<H>,
) -> f64 {
    let mut loss = 0.0;
    let mut sums = [[0.0; H]; 2];
    for &lesson in part {
        let rows = lessons.rows(lesson as usize);
        let target = lessons.targets[lesson as usize];
        let value = lessons.values[lesson as usize] / plan.scale as f32;
        let chance = chance(numbers.output(rows, &mut sums) + value);
        loss += entropy(chance, target);
        let error = chance - target;
        slopes.output_bias += error;
        for whose in 0..2 {
            let mut hidden = [0.0; H];
            for index in 0..H {
                let sum = sums[whose][index];
                let cut = sum.clamp(0.0, 1.0);
                slopes.output[whose][index] += error * cut * cut;
                let open = if sum > 0.0 && sum < 1.0 { 2.0 * cut } else { 0.0 };
                hidden[index] = error * numbers.output[whose][index] * open;
            }
            for (slope, hidden) in slopes.bias.iter_mut().zip(&hidden) {
                *slope += hidden;
            }
            for &row in rows[whose] {
                for (slope, hidden) in slopes.rows[usize::from(row)].iter_mut().zip(&hidden) {
                    *slope += hidden;
                }
            }
        }
    }
    loss
}

/// Adam's memory.
struct Adam<const H: usize> {
    first: Numbers<H>,
    second: Numbers<H>,
    steps: u32,
}

impl<const H: usize> Adam<H> {
    fn step(
        &mut self,
        numbers: &mut Numbers<H>,
        slopes: &mut [Numbers<H>],
        batch: usize,
        rate: f32,
        limits: [f32; 4],
    ) {
        self.steps += 1;
        let [first, second] = MEMORY.map(|memory| 1.0 - memory.powi(self.steps.min(100_000) as i32));
        let (sum, others) = slopes.split_first_mut().expect("there are parts");
        let mut sum = sum.parts();
        for other in others {
            for (sum, other) in sum.iter_mut().zip(other.parts()) {
                sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += *other);
            }
        }
        let parts = numbers.parts().into_iter().zip(self.first.parts()).zip(self.second.parts());
        for (((numbers, means), squares), (slopes, limit)) in parts.zip(sum.into_iter().zip(limits)) {
            for (((number, mean), square), slope) in numbers.iter_mut().zip(means).zip(squares).zip(slopes) {
                let slope = *slope / batch as f32;
                *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * slope;
                *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * slope * slope;
                let step = (*mean / first) / ((*square / second).sqrt() + 1e-8) + DECAY * *number;
                *number = (*number - rate * step).clamp(-limit, limit);
            }
        }
    }
}

/// The network in whole numbers.
fn rounded<const H: usize>(lessons: &Lessons, plan: &Training, numbers: &Numbers<H>) -> Network {
    let (one, output_one) = (f32::from(Network::ONE), f32::from(Network::OUTPUT_ONE));
    let round =
        |numbers: &[f32], one: f32| numbers.iter().map(|number| (number * one).round() as i16).collect();
    Network {
        hidden: H,
        eyes: lessons.eyes,
        scale: plan.scale,
        rows: round(numbers.rows.as_flattened(), one),
        bias: round(&numbers.bias, one),
        output: [round(&numbers.output[0], output_one), round(&numbers.output[1], output_one)],
        output_bias: (numbers.output_bias * one * output_one).round() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigame_game::position_text;
    use multigame_ir::RulesGame;
    use multigame_search::Net;

    fn game(rules: &str) -> RulesGame {
        let compilation = multigame_compiler::compile(rules, &Default::default());
        RulesGame::new(compilation.program.expect("rules without errors"))
    }

    const RACE: &str = "
        dimensions (3, 4)
        pieces { man 'A' 'B' }
        properties { left : player : [0 .. 3] }
        setup { \"BBB\" \"...\" \"...\" \"AAA\" left = 3, 3 }
        main = find own man, pick up, either [ north, step, points at empty field ]
            or [ either northwest or northeast, step, points at opponent's man, as opponent assign (left -= 1) ],
            put down, irreversible, try [ assert (row == 4), win ].
    ";

    /// Positions of random games, with a chance that depends on what is left to both.
    fn lessons(game: &RulesGame, eyes: Eyes) -> (Lessons, Vec<(multigame_ir::RulesPosition, f64)>) {
        let mut lessons = Lessons::new(game.description(), eyes).unwrap();
        let (mut random, mut moves, mut told) = (Random::new(3), Vec::new(), Vec::new());
        for _ in 0..400 {
            let mut position = game.initial();
            while game.moves(&position, &mut moves).unwrap().is_none() && !moves.is_empty() {
                let values = game.diagram(&position).values;
                let white = 0.5 + 0.15 * f64::from(values[0] - values[1]);
                lessons.add(game, &position, white, 0);
                told.push((position.clone(), white));
                let before = position.clone();
                game.apply(&before, &moves[random.below(moves.len())], &mut position);
            }
        }
        (lessons, told)
    }

    fn plan(threads: usize) -> Training {
        Training { hidden: 16, epochs: 30, rate: 3e-3, scale: 100, seed: 5, threads }
    }

    #[test]
    fn what_positions_are_worth_is_found_whoever_computes() {
        let game = game(RACE);
        let (lessons, told) = lessons(&game, Eyes::Turned);
        let mut losses = Vec::new();
        let network = train(&lessons, &plan(1), &mut |epoch| {
            losses.push(epoch.held_out);
            ControlFlow::Continue(())
        });
        assert!(losses[losses.len() - 1] < losses[0], "{losses:?}");
        let same = train(&lessons, &plan(3), &mut |_| ControlFlow::Continue(()));
        assert_eq!(network, same);
        let net = Net::new(game.description(), network).unwrap();
        let (mut error, mut without) = (0.0, 0.0);
        for (position, white) in &told {
            let value = f64::from(net.value(&game, position));
            let own = game.side_to_move(position) == Side::White;
            let chance = crate::chance(value, 100.0);
            error += (chance - if own { *white } else { 1.0 - white }).abs();
            without += (white - 0.5).abs();
        }
        assert!(error < without / 4.0, "{error} {without}");
    }

    #[test]
    fn the_files_text_gives_the_network_back() {
        let game = game(RACE);
        let network = train(&lessons(&game, Eyes::Turned).0, &plan(1), &mut |_| ControlFlow::Break(()));
        let text = network.weights_text();
        let description = game.description();
        let turned = Eyes::Turned;
        assert_eq!(Network::read(description, 16, turned, 100, &text), Ok(network));
        for (hidden, eyes, scale) in
            [(16, Eyes::Apart, 100), (32, turned, 100), (17, turned, 100), (16, turned, 0)]
        {
            assert!(Network::read(description, hidden, eyes, scale, &text).is_err());
        }
        assert!(Network::read(description, 16, turned, 100, "AAAA").is_err());
    }

    #[test]
    fn both_players_see_the_same_where_colours_are_exchanged() {
        let game = game(RACE);
        for eyes in [Eyes::Turned, Eyes::Flipped] {
            let lessons = lessons(&game, eyes).0;
            let network = train(&lessons, &plan(1), &mut |_| ControlFlow::Break(()));
            let net = Net::new(game.description(), network).unwrap();
            for text in ["BBB/.../A../.AA b left=3,3", "B.B/.../A.B/..A w left=2,3"] {
                let diagram = multigame_game::parse_position(game.description(), text).unwrap();
                let turned = exchanged(game.description(), eyes, &diagram).unwrap();
                let [own, other] =
                    [&diagram, &turned].map(|diagram| net.value(&game, &game.position(diagram)));
                assert_eq!(own, other, "{}", position_text(game.description(), &turned));
            }
        }
    }

    #[test]
    fn players_with_different_tasks_are_told_apart() {
        assert_eq!(eyes(&game(RACE)), Ok(Eyes::Turned));
        let hunt =
            RACE.replace("find own man,", "find own man, either white to move or assert (column >= 2),");
        assert_eq!(eyes(&game(&hunt)), Ok(Eyes::Apart));
        // A man that goes to the same side for both.
        let drift = RACE.replace(
            "or [ either northwest",
            "or [ try [ white to move, east ] else west, step, points at empty field ] or [ either northwest",
        );
        assert_eq!(eyes(&game(&drift)), Ok(Eyes::Flipped));
    }
}
