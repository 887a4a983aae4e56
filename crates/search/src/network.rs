//! What a learned network adds to the value of positions.
//!
//! A position is looked at anew each time: the rows of what is seen are summed up, which for boards with a few dozen pieces
//! costs about as much as generating moves.

use multigame_game::{Description, Game, Inputs, Network};

/// Rows are summed up in parts of so many numbers, which stay in registers.
const PART: usize = 32;
/// The least size of a hidden layer is one such part.
const SMALL: usize = Network::SIZES[0];

/// A network together with what it sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    network: Network,
    inputs: Inputs,
}

impl Net {
    /// A network for a game; what is wrong if it does not fit.
    pub fn new(description: &Description, network: Network) -> Result<Net, String> {
        network.check(description)?;
        let inputs = Inputs::new(description, network.eyes)?;
        Ok(Net { network, inputs })
    }

    /// The network itself.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What it adds to the value of a position for the player to move. It must be made for the game.
    pub fn value<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        let mut seen = [[0_u32; Inputs::MOST_SEEN]; 2];
        let mut count = 0;
        self.inputs.for_each(game, position, |rows| {
            (seen[0][count], seen[1][count]) = (rows[0], rows[1]);
            count += 1;
        });
        let own = game.side_to_move(position).index();
        let sum = self.half(&seen[own][..count], 0) + self.half(&seen[1 - own][..count], 1);
        self.worth(sum)
    }

    /// What the hidden layer that belongs to these rows adds to the output.
    fn half(&self, rows: &[u32], whose: usize) -> i64 {
        if self.network.hidden < PART {
            return i64::from(self.part::<SMALL>(rows, whose, 0));
        }
        let parts = (0..self.network.hidden).step_by(PART);
        parts.map(|first| i64::from(self.part::<PART>(rows, whose, first))).sum()
    }

    /// What a part of the hidden layer adds.
    #[inline]
    fn part<const SIZE: usize>(&self, rows: &[u32], whose: usize, first: usize) -> i32 {
        let Network { hidden, rows: table, bias, output, .. } = &self.network;
        let of = |numbers: &[i16]| *numbers.first_chunk::<SIZE>().expect("layers are made of such parts");
        let mut sums = of(&bias[first..]);
        for &row in rows {
            let row = of(&table[row as usize * hidden + first..]);
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(weight);
            }
        }
        let square = |(sum, weight): (i16, i16)| {
            let cut = sum.clamp(0, Network::ONE);
            // Weights are small enough for this to fit.
            i32::from(cut.wrapping_mul(weight)) * i32::from(cut)
        };
        sums.into_iter().zip(of(&output[whose][first..])).map(square).sum()
    }

    /// The value of an output.
    fn worth(&self, sum: i64) -> i32 {
        let (one, output_one) = (i64::from(Network::ONE), i64::from(Network::OUTPUT_ONE));
        let output = sum / one + i64::from(self.network.output_bias);
        (output * i64::from(self.network.scale) / (one * output_one)) as i32
    }
}
