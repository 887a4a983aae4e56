//! The parts of pages are part of the program.

/// What pages without a server share with the one of the server.
const SHARED: [&str; 3] = ["dist/index.html", "dist/style.css", "dist/icon.svg"];

fn main() -> std::io::Result<()> {
    let wanted = |path: &str| SHARED.contains(&path) || path.starts_with("offline/");
    multigame_embed::files("../../web", &["dist", "offline"], wanted)
}
