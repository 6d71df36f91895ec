//! Puts the page of `laban play` into the program, if it has been built: `scripts/build-playground` does that. Without
//! it, everything else works the same.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = manifest.join("../../playground/dist");
    let mut list = String::from("&[\n");
    if folder.join("index.html").is_file() {
        // Only if it is there: what is missing would be looked for each time. The script that builds it touches this
        // file.
        println!("cargo::rerun-if-changed={}", folder.display());
        for (name, path) in files(&folder)? {
            let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
        }
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.rs"), list)
}

/// The files of the page with their names, in order.
fn files(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut work = vec![folder.canonicalize()?];
    let top = folder.canonicalize()?;
    while let Some(folder) = work.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                work.push(path);
            } else if let Ok(inside) = path.strip_prefix(&top) {
                let name: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
                files.push((name.join("/"), path));
            }
        }
    }
    files.sort();
    Ok(files)
}
