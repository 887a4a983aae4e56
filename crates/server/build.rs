//! The page is part of the program: when it changes, the program does.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
