//! The value that a learned network adds to an evaluation.
//!
//! A position is looked at anew each time: the rows of what is seen are summed up, which for boards with a
//! few dozen pieces costs about as much as generating moves.

use multigame_game::{Description, Game, Inputs, Network};
use smallvec::SmallVec;

use crate::layer::Layer;

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

    /// The value that it adds to a position for the player to move. It must be made for the game.
    pub fn value<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        let mut seen: SmallVec<[[u32; 2]; Inputs::MOST_SEEN]> = SmallVec::new();
        self.inputs.for_each(game, position, |rows| seen.push(rows));
        let Network { hidden, rows, bias, output, .. } = &self.network;
        let layer = |whose: usize| Layer { hidden: *hidden, rows, bias, output: &output[whose] };
        let own = game.side_to_move(position).index();
        self.worth(layer(0).value(&seen, own) + layer(1).value(&seen, 1 - own))
    }

    /// The value of an output.
    fn worth(&self, sum: i64) -> i32 {
        let (one, output_one) = (i64::from(Network::ONE), i64::from(Network::OUTPUT_ONE));
        let output = sum / one + i64::from(self.network.output_bias);
        (output * i64::from(self.network.scale) / (one * output_one)) as i32
    }
}
