//! Writes the seeds of all fuzz targets down, a folder for each target: `corpus FOLDER`.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a program of its own")]

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "fuzz/corpus".into()));
    for target in multigame_fuzzing::TARGETS {
        let folder = folder.join(target.name);
        std::fs::create_dir_all(&folder)?;
        let seeds = (target.seeds)();
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
        println!("{}: {} seeds", target.name, seeds.len());
    }
    Ok(())
}
