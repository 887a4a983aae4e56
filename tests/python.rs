//! The Python package: builds its wheel, installs it into the Python that `tests/setup` made, and runs its
//! tests there.

use std::path::{Path, PathBuf};
use std::process::Command;

use toml::Table;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a program and shows what it said if it fails.
fn run(command: &mut Command) {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; run `tests/setup` first"));
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The wheel in a folder, if there is just one.
fn wheel(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let wheels: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "whl")).collect();
    let [wheel] = &wheels[..] else { panic!("one wheel is expected, not {wheels:?}") };
    let name = wheel.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.contains("cp310-abi3"), "{name} is not for all versions of Python from 3.10 on");
    wheel.clone()
}

#[test]
fn the_package_is_built_and_its_tests_pass() {
    let (root, python) = (root(), root().join("target/python/bin"));
    assert!(python.join("maturin").exists(), "maturin is needed to build the wheel; run `tests/setup` first");
    let wheels = root.join("target/wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut build = Command::new(python.join("maturin"));
    build.args([
        "build",
        "--release",
        "--locked",
        "--quiet",
        "-m",
        "python/Cargo.toml",
        "--target-dir",
        "target",
    ]);
    // The variables that cargo sets for tests are not meant for another package.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
            build.env_remove(name);
        }
    }
    run(build.arg("--out").arg(&wheels).current_dir(&root));
    let mut install = Command::new(python.join("python"));
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--force-reinstall"]);
    run(install.arg(wheel(&wheels)));
    let mut tests = Command::new(python.join("python"));
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "python/tests"]);
    // In the folder of the package, its sources would be imported instead.
    run(tests.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&root));
}

/// How a workspace or a package compiles for release, in all but single packages; and the same for each of them.
fn profile(manifest: &Path) -> (Table, Table) {
    let text = std::fs::read_to_string(manifest).unwrap();
    let mut manifest: Table = toml::from_str(&text).unwrap();
    let mut profile = manifest.remove("profile").unwrap();
    let release = profile.as_table_mut().unwrap().remove("release").unwrap();
    let mut release = release.as_table().unwrap().clone();
    let packages = release.remove("package").unwrap().as_table().unwrap().clone();
    (release, packages)
}

/// Whatever both builds use is compiled once only if it is compiled in the same way.
#[test]
fn the_package_compiles_what_it_shares_as_the_workspace_does() {
    let (root, lock) = (root(), std::fs::read_to_string(root().join("python/Cargo.lock")).unwrap());
    let is_used = |name: &str| lock.contains(&format!("name = \"{name}\"\n"));
    let (everywhere, of_package) = profile(&root.join("Cargo.toml"));
    let (own_everywhere, mut own) = profile(&root.join("python/Cargo.toml"));
    assert_eq!(everywhere, own_everywhere);
    own.remove("multigame-python").unwrap();
    let shared: Table = of_package.into_iter().filter(|(name, _)| is_used(name)).collect();
    assert_eq!(shared, own);
}
