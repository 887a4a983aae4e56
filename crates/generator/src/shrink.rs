//! Smaller bytes that still show what was found.

/// Makes bytes as few and as small as possible as long as they still fail.
pub fn shrink(bytes: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = bytes.to_vec();
    loop {
        let before = best.clone();
        let mut length = best.len() / 2;
        while length > 0 {
            remove_pieces(&mut best, length, fails);
            length /= 2;
        }
        for at in 0..best.len() {
            lower(&mut best, at, fails);
        }
        if best == before {
            return best;
        }
    }
}

fn remove_pieces(best: &mut Vec<u8>, length: usize, fails: &mut dyn FnMut(&[u8]) -> bool) {
    let mut from = 0;
    while from + length <= best.len() {
        let shorter = [&best[..from], &best[from + length..]].concat();
        if fails(&shorter) {
            *best = shorter;
        } else {
            from += length;
        }
    }
}

fn lower(best: &mut [u8], at: usize, fails: &mut dyn FnMut(&[u8]) -> bool) {
    let before = best[at];
    for smaller in [0, before / 2, before.saturating_sub(1)] {
        if smaller < best[at] {
            let kept = std::mem::replace(&mut best[at], smaller);
            if fails(best) {
                return;
            }
            best[at] = kept;
        }
    }
}
