//! "Did you mean": the known name nearest to one that is not known.

/// Longer names are neither compared nor shown in full, so that hostile texts cost nothing.
pub(crate) const LONGEST_NAME: usize = 100;

/// The candidate that differs by the fewest typing errors, if it is near enough to be meant.
pub(crate) fn closest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let name: Vec<char> = name.chars().collect();
    let allowed = (name.len() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST_NAME)
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.chars().collect();
            if letters.len().abs_diff(name.len()) > allowed {
                return None;
            }
            let distance = distance(&name, &letters);
            (distance <= allowed && distance < name.len().max(2)).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours; another case costs nothing.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(!a[i].eq_ignore_ascii_case(&b[j]));
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// A name as it is shown in a message.
pub(crate) fn shown(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        None => name.to_string(),
        Some((cut, _)) => format!("{}...", &name[..cut]),
    }
}

/// `a`, `b` and `c`: what exists, for a message.
pub(crate) fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().take(21).map(|name| format!("`{}`", shown(name))).collect();
    match names.len() {
        21 => format!("{} and more", names[..20].join(", ")),
        0 | 1 => names.concat(),
        n => format!("{} and {}", names[..n - 1].join(", "), names[n - 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_recognised() {
        let names = ["pawn", "rook", "new_mark", "a"];
        assert_eq!(closest("panw", names), Some("pawn"));
        assert_eq!(closest("Pawn", names), Some("pawn"));
        assert_eq!(closest("newmark", names), Some("new_mark"));
        assert_eq!(closest("queen", names), None);
        assert_eq!(closest("b", names), Some("a"));
        assert_eq!(closest(&"x".repeat(100_000), names), None);
    }

    #[test]
    fn lists_read_well() {
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
