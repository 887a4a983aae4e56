//! From generated Rust to a program, by cargo.
//!
//! Everything is kept in a cache: the crates once for each version of this program, what cargo compiled of
//! them, and the programs. What is there is not built again.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use multigame_ir::Program;
use multigame_mir::Module;

use crate::project::{self, Files};

/// What to build.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What the game is called.
    pub name: &'a str,
    /// What diagnostics call the file.
    pub file: &'a str,
    /// The rules.
    pub text: &'a str,
    /// What the rules mean, with parameters and weights as they were set.
    pub program: &'a Program,
    /// What that was compiled to.
    pub module: &'a Module,
    /// Whether it must run on other machines of this kind too, not only where it is built.
    pub portable: bool,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Rust is not installed.
    #[error(
        "`cargo` cannot be started ({0}): building needs Rust 1.95 or later, see https://rustup.rs; \
         without it, `--backend jit` plays all games"
    )]
    NoCargo(io::Error),
    /// Libraries are missing.
    #[error(
        "cargo cannot fetch the libraries it needs; connect to the network once, or run \
         `cargo fetch` in `{folder}` where there is one:\n{output}"
    )]
    Network {
        /// The project.
        folder: String,
        /// What cargo said.
        output: String,
    },
    /// The compiler did not like it.
    #[error("cargo could not build the program in `{folder}`:\n{output}")]
    Failed {
        /// The project.
        folder: String,
        /// What cargo said.
        output: String,
    },
    /// A file cannot be written or read.
    #[error("cannot use `{0}`: {1}")]
    File(String, io::Error),
}

/// Builds programs.
#[derive(Debug)]
pub struct Builder {
    cache: PathBuf,
    cargo: PathBuf,
}

impl Builder {
    /// Keeps everything in that folder.
    pub fn new(cache: PathBuf) -> Builder {
        let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
        Builder { cache, cargo }
    }

    /// Keeps everything where the user's programs keep such things.
    pub fn for_user() -> Builder {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = variable("MULTIGAME_CACHE")
            .or_else(|| variable("XDG_CACHE_HOME").map(|folder| folder.join("multigame")))
            .or_else(|| variable("HOME").map(|folder| folder.join(".cache").join("multigame")))
            .unwrap_or_else(|| std::env::temp_dir().join("multigame-cache"));
        Builder::new(cache)
    }

    /// Uses another cargo.
    pub fn with_cargo(self, cargo: PathBuf) -> Builder {
        Builder { cargo, ..self }
    }

    /// The program of a game, built if it is not in the cache; `begin` is called before it is built, which
    /// takes seconds, and minutes the first time.
    pub fn build(&self, request: &Request<'_>, begin: &mut dyn FnMut()) -> Result<PathBuf, BuildError> {
        // The code is a part of what the program is known by: another compiler may make other code of the
        // same rules.
        let files = project::game(request, "", "");
        let package = format!("{}-{}", package_name(request.name), project::fingerprint(&files));
        let files = |crates: &str| project::game(request, &package, crates);
        self.build_project(&package, &files, request.portable, begin)
    }

    /// The program with all hand-written games, built in the same way, for measuring: it has the commands
    /// `perft` and `playout`, after the name of a game.
    pub fn build_reference(&self, begin: &mut dyn FnMut()) -> Result<PathBuf, BuildError> {
        let package = format!("reference-{}", project::fingerprint(&project::reference("", "")));
        let files = |crates: &str| project::reference(&package, crates);
        self.build_project(&package, &files, false, begin)
    }

    fn build_project(
        &self,
        package: &str,
        files: &dyn Fn(&str) -> Files,
        portable: bool,
        begin: &mut dyn FnMut(),
    ) -> Result<PathBuf, BuildError> {
        let crates = project::crates();
        let version = self.cache.join(project::fingerprint(&crates));
        let (target, programs) =
            if portable { ("target-portable", "programs-portable") } else { ("target", "programs") };
        let (target, file) = (version.join(target), format!("{package}{}", std::env::consts::EXE_SUFFIX));
        let program = version.join(programs).join(&file);
        if program.is_file() {
            return Ok(program);
        }
        begin();
        if !version.join("Cargo.toml").is_file() {
            write_files(&version, &crates)?;
        }
        let folder = version.join("projects").join(package);
        write_files(&folder, &files("../../crates"))?;
        self.run_cargo(&folder, &target, portable)?;
        copy(&target.join("release").join(&file), &program)?;
        Ok(program)
    }

    fn run_cargo(&self, folder: &Path, target: &Path, portable: bool) -> Result<(), BuildError> {
        let flags = if portable { "" } else { "-C\u{1f}target-cpu=native" };
        let output = Command::new(&self.cargo)
            .args(["build", "--release", "--quiet", "--color", "never"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_ENCODED_RUSTFLAGS", flags)
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null())
            .output()
            .map_err(BuildError::NoCargo)?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let folder = folder.display().to_string();
        const MISSING: [&str; 5] = [
            "failed to download",
            "Could not resolve host",
            "network failure",
            "--offline",
            "failed to query replaced",
        ];
        Err(if MISSING.iter().any(|sign| said.contains(sign)) {
            BuildError::Network { folder, output: said }
        } else {
            BuildError::Failed { folder, output: said }
        })
    }
}

/// Copies a program to where it was asked for, or says why not.
pub fn copy(from: &Path, to: &Path) -> Result<(), BuildError> {
    let error = |error| BuildError::File(to.display().to_string(), error);
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(error)?;
    }
    // A program that is being run cannot be written over, but its name can be given to another.
    let part = to.with_extension(format!("part{}", std::process::id()));
    std::fs::copy(from, &part).and_then(|_| std::fs::rename(&part, to)).map_err(error)
}

/// Writes files; the manifest comes last, so that a folder with a manifest is complete.
fn write_files(folder: &Path, files: &Files) -> Result<(), BuildError> {
    let (manifests, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| *path == "Cargo.toml");
    for (path, content) in others.into_iter().chain(manifests) {
        let file = folder.join(path);
        let parent = file.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&file, content))
            .map_err(|error| BuildError::File(file.display().to_string(), error))?;
    }
    Ok(())
}

/// A name that cargo allows for a package.
fn package_name(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    format!("game-{}", letters.collect::<String>())
}
