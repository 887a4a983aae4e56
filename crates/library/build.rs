//! Games and libraries are part of the program.

/// What a game can have beside its rules.
const FILES: [&str; 5] = ["rules.mg", "weights.toml", "patterns.json", "network.json", "known.toml"];

fn main() -> std::io::Result<()> {
    let of_game = |path: &str| path.split_once('/').is_some_and(|(_, file)| FILES.contains(&file));
    let wanted = |path: &str| match path.strip_prefix("games/") {
        Some(path) => of_game(path),
        None => path.ends_with(".mg"),
    };
    multigame_embed::files("../..", &["games", "libraries"], wanted)
}
