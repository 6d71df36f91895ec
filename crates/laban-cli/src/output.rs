//! Files that are written as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file with a new content, which is written next to it first and then put in its place, so that at no moment there
/// is half a file. A symbolic link stays one; what it leads to is replaced.
pub(crate) struct OutputFile {
    path: PathBuf,
    /// What is written to until it is all there; nothing for a device or a pipe, which cannot be replaced.
    temporary: Option<PathBuf>,
    file: File,
}

impl OutputFile {
    /// Makes sure that the file can be written; nothing about it has changed yet.
    pub(crate) fn create(path: &Path) -> io::Result<OutputFile> {
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if existing.as_ref().is_some_and(|existing| existing.is_dir()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if existing.as_ref().is_some_and(|existing| existing.permissions().readonly()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let file = File::options().write(true).open(path)?;
            return Ok(OutputFile { path: path.to_path_buf(), temporary: None, file });
        }
        let path = if existing.is_some() { fs::canonicalize(path)? } else { path.to_path_buf() };
        let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_os_string();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create_new(&temporary)?;
        let output = OutputFile { path, temporary: Some(temporary), file };
        if let Some(existing) = existing {
            output.file.set_permissions(existing.permissions())?;
        }
        Ok(output)
    }

    /// What to write to.
    pub(crate) fn writer(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Whether nothing has been written.
    pub(crate) fn is_empty(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| metadata.len() == 0)
    }

    /// Puts what was written in its place.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        if let Some(temporary) = &self.temporary {
            self.file.sync_all()?;
            fs::rename(temporary, &self.path)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // It may be gone; there is nothing more to do about it.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Gives a file a new content.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut output = OutputFile::create(path)?;
    output.file.write_all(text.as_bytes())?;
    output.commit()
}
