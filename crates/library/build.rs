//! Games are embedded when the crate is compiled: new files beside rules are a reason to compile it again.

fn main() {
    println!("cargo::rerun-if-changed=../../games");
}
