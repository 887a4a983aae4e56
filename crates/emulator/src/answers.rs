//! Everything that code says about positions, in short: two back ends that have made code of one program must
//! say the same. That is far less work than to play with both.

use multigame_compiled::{Code, Failed, Kept, Numbers, Positions};
use multigame_game::Diagram;
use multigame_ir::Program;
use multigame_mir::{HEADER, Header, Layout};

use crate::{EmulatedCode, EmulatorError};

/// This many single moves are made, and as many evaluations computed.
const MOST_ASKED: u64 = 4;

/// Questions about a program with the answers that other back ends must give, too.
#[derive(Debug)]
pub struct Examination {
    /// The words of the positions in question.
    pub positions: Vec<Vec<u64>>,
    /// What the emulator says about them.
    pub emulated: Vec<Option<u64>>,
}

impl Examination {
    /// Asks the emulator about positions of a program.
    pub fn of(
        program: &Program,
        positions: impl IntoIterator<Item = Diagram>,
    ) -> Result<Examination, EmulatorError> {
        let (code, layout) = (EmulatedCode::new(program)?, Layout::new(program));
        let words = |position: Diagram| {
            let mut words = vec![0; layout.words()];
            layout.write(&position, &mut words);
            words
        };
        let positions: Vec<Vec<u64>> = positions.into_iter().map(words).collect();
        let emulated = answers(&code, &positions);
        Ok(Examination { positions, emulated })
    }

    /// How many questions the emulator has answered.
    pub fn answered(&self) -> usize {
        self.emulated.iter().flatten().count()
    }

    /// Whether the answers of a back end are right: those of the emulator, unless it has given up.
    pub fn passes(&self, answers: &[Option<u64>]) -> bool {
        let mut pairs = answers.iter().zip(&self.emulated);
        let same = pairs.all(|(answer, emulated)| emulated.is_none() || answer == emulated);
        answers.len() == self.emulated.len() && same
    }
}

/// What code says about some positions of as many words: for each question the answer as one number, or
/// nothing where the code leaves it to the interpreter.
pub fn answers<C: Code>(code: &C, positions: &[Vec<u64>]) -> Vec<Option<u64>> {
    positions.iter().flat_map(|position| about(code, position)).collect()
}

fn about<C: Code>(code: &C, position: &[u64]) -> Vec<Option<u64>> {
    let mut kept = C::Kept::zeroed(position.len());
    kept.room(position.len()).as_mut().copy_from_slice(position);
    let (words, side) = (kept.words(), Header::of(position[HEADER]).side);
    let mut children = C::Children::default();
    let mut emitted = |run: &dyn Fn(&mut C::Children) -> Result<(), Failed>| {
        children.clear(position.len());
        run(&mut children).ok().map(|()| digest(children.iter().flat_map(|child| child.as_ref())))
    };
    let mut answers = vec![
        emitted(&|children| code.generate(side, words, children)),
        emitted(&|children| code.take(side, words, children)),
        emitted(&|children| code.last(side, words, children)),
        code.goal(words).ok().map(u64::from),
    ];
    let scratch = &mut code.scratch();
    answers.push(code.count(scratch, side, words).ok().map(|counts| digest(&counts)));
    answers.extend((2..4).map(|plies| code.leaves(scratch, plies, side, words).ok()));
    answers.push(code.choices(scratch, side, words).ok().map(|counts| digest(&counts)));
    answers.extend((0..MOST_ASKED).map(|number| {
        let mut child = kept.clone();
        let made = code.pick(scratch, side, words, number, child.room(position.len())).ok()?;
        Some(if made { digest(child.words().as_ref()) } else { 0 })
    }));
    answers.extend((0..MOST_ASKED as usize).flat_map(|evaluation| {
        let mut numbers = Numbers::new();
        let counted = code.features(evaluation, words, &mut numbers).ok().map(|()| digest(&numbers));
        [counted, code.calm(evaluation, words).ok().map(|calm| digest(&calm))]
    }));
    answers
}

/// Different for different numbers, unless by chance (FNV-1a, a word at a time).
fn digest<'w>(words: impl IntoIterator<Item = &'w u64>) -> u64 {
    let mix = |digest: u64, word: &u64| (digest ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    words.into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
