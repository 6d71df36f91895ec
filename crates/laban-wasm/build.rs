//! Puts the examples of the repository into the module. Where they are not at hand, as in a package, there are none.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = manifest.join("../../examples");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut list = String::from("[\n");
    for file in examples(&folder) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = file.canonicalize()?;
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("examples.rs"), list)
}

/// The networks and choreographies of a folder, in the order of their names.
fn examples(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_text = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "net" || ending == "chor");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_text).collect();
    files.sort();
    files
}
