//! The arithmetic of networks: rows are summed up in parts that stay in registers, the wider the machine's
//! are.
//!
//! # Safety
//! The only unsafe thing is to call code that was compiled for wider registers, after the processor has been
//! asked whether it has them.

#![allow(unsafe_code)]

use multigame_game::Network;

/// One player's hidden layer and what it adds to the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'n> {
    pub hidden: usize,
    /// A row of the hidden layer's size for each input.
    pub rows: &'n [i16],
    pub bias: &'n [i16],
    pub output: &'n [i16],
}

impl Layer<'_> {
    /// The output of the layer where these rows are seen; each player has separate ones.
    pub fn value(self, seen: &[[u32; 2]], player: usize) -> i64 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { self.value_by_wide_registers(seen, player) };
        }
        self.sum::<32>(seen, player)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn value_by_wide_registers(self, seen: &[[u32; 2]], player: usize) -> i64 {
        self.sum::<64>(seen, player)
    }

    /// Over parts of this many numbers; sizes are powers of two from 16 on.
    #[inline(always)]
    fn sum<const PART: usize>(self, seen: &[[u32; 2]], player: usize) -> i64 {
        match self.hidden {
            16 => self.part::<16>(seen, player, 0).into(),
            32 => self.part::<32>(seen, player, 0).into(),
            hidden => {
                let parts = (0..hidden).step_by(PART);
                parts.map(|first| i64::from(self.part::<PART>(seen, player, first))).sum()
            }
        }
    }

    /// The output of a part of the hidden layer.
    #[inline(always)]
    fn part<const SIZE: usize>(self, seen: &[[u32; 2]], player: usize, first: usize) -> i32 {
        let of = |numbers: &[i16]| *numbers.first_chunk::<SIZE>().expect("layers are made of such parts");
        let mut sums = of(&self.bias[first..]);
        for rows in seen {
            let row = of(&self.rows[rows[player] as usize * self.hidden + first..]);
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(weight);
            }
        }
        let square = |(sum, weight): (i16, i16)| {
            let cut = sum.clamp(0, Network::ONE);
            // Weights are small enough for this to fit.
            i32::from(cut.wrapping_mul(weight)) * i32::from(cut)
        };
        sums.into_iter().zip(of(&self.output[first..])).map(square).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers as they come, the same each time.
    fn numbers(count: usize, seed: u32, most: i16) -> Vec<i16> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as i16 % (most + 1)
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn all_registers_give_the_same_sums() {
        for hidden in Network::SIZES {
            let (rows, bias) = (numbers(20 * hidden, 1, 90), numbers(hidden, 2, 90));
            let output = numbers(hidden, 3, Network::MOST_OUTPUT);
            let layer = Layer { hidden, rows: &rows, bias: &bias, output: &output };
            let seen: Vec<[u32; 2]> = (0..9).map(|number| [number, 19 - number]).collect();
            for player in 0..2 {
                let number = |index: usize| {
                    let of_rows = seen.iter().map(|rows_of| rows[rows_of[player] as usize * hidden + index]);
                    let cut = (bias[index] + of_rows.sum::<i16>()).clamp(0, Network::ONE);
                    i64::from(cut) * i64::from(cut) * i64::from(output[index])
                };
                let expected: i64 = (0..hidden).map(number).sum();
                assert_ne!(expected, 0);
                assert_eq!(layer.value(&seen, player), expected, "{hidden}");
                assert_eq!(layer.sum::<32>(&seen, player), expected, "{hidden}");
            }
        }
    }
}
