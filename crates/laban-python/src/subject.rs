//! Texts as they come from Python, read in whatever language they are.

use crate::errors::{refused, wrong};
use laban::syntax::Kind;
use laban_report::{ChannelsAsked, File, Files, Input, Language, NoLibrary, Raw, ReadArgs, Reader, Refused};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What a text without a name is called.
pub(crate) const NAMELESS: &str = "<text>";

/// What is known beforehand about a text.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    format: Option<String>,
    protocol: Option<String>,
    decides: Vec<String>,
}

/// The name of a text, and what messages call it.
pub(crate) fn file(name: Option<&str>) -> File {
    match name {
        Some(name) => File { name: laban_report::on_one_line(name), path: Some(PathBuf::from(name)) },
        None => File { name: NAMELESS.to_string(), path: None },
    }
}

impl Reading {
    fn args(&self) -> PyResult<ReadArgs> {
        let decides = self.decides.iter().map(|text| laban_report::decider(text)).collect::<Result<Vec<_>, _>>();
        let decides = decides.map_err(|message| wrong(format!("decides: {message}")))?;
        let from = self.format.as_deref().map(language).transpose()?;
        Ok(ReadArgs { from, protocol: self.protocol.clone(), decides })
    }

    /// Reads texts, each with its name. Several are parts of one network.
    pub(crate) fn read(&self, py: Python<'_>, texts: Vec<(Option<String>, Vec<u8>)>) -> PyResult<Input> {
        let args = self.args()?;
        let read = py.detach(|| {
            let reader = Reader { args: &args, channels: ChannelsAsked::NotGiven, library: &NoLibrary };
            let raw = |(name, bytes): (Option<String>, Vec<u8>)| -> Result<Raw, Refused> {
                let file = file(name.as_deref());
                Ok(match args.from {
                    // What is said counts more than what a name tells.
                    Some(language) => Raw { file, bytes, language },
                    None => reader.raw(file, bytes),
                })
            };
            let mut raws: Vec<_> = texts.into_iter().map(raw).collect();
            match raws.len() {
                1 => raws.pop().map_or(Err(Vec::new()), |raw| reader.one(raw, None).map(|input| (input, Files::One))),
                _ => reader.parts(raws, Kind::Network),
            }
        });
        let (input, files) = match read {
            Ok(read) => read,
            Err(all) => {
                return Err(all.first().map_or_else(|| wrong("there is nothing to read"), |one| refused(py, one)));
            }
        };
        match input.analysis.model() {
            Some(_) => Ok(input),
            None => Err(refused(py, &input.refused(files))),
        }
    }
}

/// The language that has a name.
fn language(name: &str) -> PyResult<Language> {
    laban_report::language_named(name).ok_or_else(|| wrong(format!("format: there is no format {name:?}")))
}

/// A text in one of Laban's languages that comes from Laban itself.
pub(crate) fn own(kind: Kind, name: Option<&str>, text: String) -> Input {
    Input::own(file(name), Language::Own(Some(kind)), text.into_bytes())
}
