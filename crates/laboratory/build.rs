//! Experiments and their positions are part of the program.

fn main() -> std::io::Result<()> {
    multigame_embed::files("../../experiments", &["catalogue", "positions"], |path| path.ends_with(".toml"))
}
