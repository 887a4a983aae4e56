//! `command > file`, `command >> file`, `command < file`.

/// A line taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Parts<'t> {
    /// The command with its arguments.
    pub command: &'t str,
    /// Where its output goes, and whether it is appended.
    pub output: Option<(&'t str, bool)>,
    /// Where its input comes from.
    pub input: Option<&'t str>,
}

/// Takes a line apart. `->` belongs to moves and is not a redirection.
pub fn split(line: &str) -> Result<Parts<'_>, String> {
    let mut parts = Parts::default();
    let signs: Vec<usize> = line
        .char_indices()
        .filter(|&(at, sign)| match sign {
            '<' => true,
            '>' => !line[..at].ends_with(['-', '>']),
            _ => false,
        })
        .map(|(at, _)| at)
        .collect();
    let end = signs.first().copied().unwrap_or(line.len());
    parts.command = line[..end].trim();
    for (number, &at) in signs.iter().enumerate() {
        let until = signs.get(number + 1).copied().unwrap_or(line.len());
        let text = &line[at..until];
        let append = text.starts_with(">>");
        let file = text.trim_start_matches(['<', '>']).trim();
        if file.is_empty() {
            return Err(format!("a file name is missing after `{}`", text.trim()));
        }
        let twice = match text.starts_with('<') {
            true => parts.input.replace(file).is_some(),
            false => parts.output.replace((file, append)).is_some(),
        };
        if twice {
            return Err("a command has one input and one output".to_string());
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirections_are_taken_apart() {
        let parts = split("legal >> moves.txt").unwrap();
        assert_eq!(parts, Parts { command: "legal", output: Some(("moves.txt", true)), input: None });
        let parts = split("read < start > log").unwrap();
        assert_eq!(parts, Parts { command: "read", output: Some(("log", false)), input: Some("start") });
        assert!(split("legal >").is_err());
        assert!(split("legal > a > b").is_err());
    }

    #[test]
    fn moves_have_arrows() {
        let parts = split("a3 -> c5; empty field -> b4").unwrap();
        assert_eq!(parts.command, "a3 -> c5; empty field -> b4");
        assert_eq!(parts.output, None);
    }
}
