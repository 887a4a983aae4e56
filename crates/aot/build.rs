//! The sources of the other crates are part of this one: see `project`.

/// Back ends and servers: built programs do without.
const LEFT_OUT: [&str; 5] = ["aot", "jit", "loader", "server", "wasm"];

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=../../Cargo.toml");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    multigame_embed::files("..", &[""], |path| {
        let Some((name, file)) = path.split_once('/') else { return false };
        !LEFT_OUT.contains(&name) && (["Cargo.toml", "build.rs"].contains(&file) || file.starts_with("src/"))
    })
}
