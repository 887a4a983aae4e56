//! Any bytes as a position or a move from another process: an error, or a position that round-trips and can
//! be played in.

use multigame_game::Portable;

use crate::games::{Both, all, chosen, positions};

pub fn check(input: &[u8]) {
    let Some((Both { rules, native, .. }, bytes)) = chosen(input) else { return };
    check_game(rules, bytes);
    check_game(native, bytes);
}

fn check_game<G: Portable>(game: &G, bytes: &[u8]) {
    let mut rest = bytes;
    if let Ok(position) = game.unpack_position(&mut rest) {
        let mut again = Vec::new();
        game.pack_position(&position, &mut again);
        let unpacked = game.unpack_position(&mut &again[..]).expect("what was packed can be unpacked");
        assert_eq!(game.diagram(&unpacked), game.diagram(&position));
        assert_eq!(game.signature(&unpacked), game.signature(&position));
        // Machine code trusts its positions.
        let _ = game.count(&position);
    }
    let mut rest = bytes;
    if let Ok(mv) = game.unpack_move(&mut rest) {
        let mut again = Vec::new();
        game.pack_move(&mv, &mut again);
        let unpacked = game.unpack_move(&mut &again[..]).expect("what was packed can be unpacked");
        assert_eq!(game.move_key(&unpacked), game.move_key(&mv));
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let games = all().iter().enumerate();
    games
        .flat_map(|(number, game)| [packed(number, &game.rules), packed(number, &game.native)].concat())
        .collect()
}

/// Positions of a random game, and the first move in each.
fn packed<G: Portable>(number: usize, game: &G) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for position in positions(game, number as u64) {
        let mut bytes = vec![number as u8];
        game.pack_position(&position, &mut bytes);
        seeds.push(bytes);
        let mut moves = Vec::new();
        let _ = game.moves(&position, &mut moves);
        if let Some(mv) = moves.first() {
            let mut bytes = vec![number as u8];
            game.pack_move(mv, &mut bytes);
            seeds.push(bytes);
        }
    }
    seeds
}
