//! The page is part of the program.

fn main() -> std::io::Result<()> {
    multigame_embed::files("../../web/dist", &[""], |_| true)
}
