//! Reading files in whatever language they are.
//!
//! What a text is and says is the business of `laban_report`; this module gets the texts out of files.

use crate::channels::ChannelArgs;
use crate::folder::expanded;
use crate::formats::FormatArgs;
use crate::imports::Beside;
use crate::input;
use laban::{Analysis, Choreography, Model, Network};
use laban_formats::Format;
use laban_report::{ChannelsAsked, File, Input, Raw, ReadArgs, Reading, Refused};
use std::path::{Path, PathBuf};

/// How files are read.
pub(crate) struct Reader {
    args: ReadArgs,
    channels: ChannelsAsked,
}

impl Reader {
    /// Reads texts by these options.
    pub(crate) fn new(formats: &FormatArgs) -> Self {
        Reader { args: formats.read_args(), channels: ChannelsAsked::NoOption }
    }

    /// The same for a command with an option for channels.
    pub(crate) fn with_channels(mut self, channels: ChannelArgs) -> Self {
        self.channels = match channels.is_given() {
            true => ChannelsAsked::Given,
            false => ChannelsAsked::NotGiven,
        };
        self
    }

    fn texts(&self) -> laban_report::Reader<'_> {
        laban_report::Reader { args: &self.args, channels: self.channels, library: &Beside }
    }

    /// Reads a network, which may be spread over several files.
    pub(crate) fn networks(&self, paths: &[PathBuf]) -> Result<Reading<Network>, Vec<Refused>> {
        self.texts().networks(self.all(paths)?)
    }

    /// Reads a choreography.
    pub(crate) fn choreography(&self, path: &Path) -> Result<Reading<Choreography>, Vec<Refused>> {
        self.texts().choreography(self.raw(path))
    }

    /// Reads a network, which may be spread over several files, or a choreography.
    pub(crate) fn models(&self, paths: &[PathBuf]) -> Result<Reading<Model>, Vec<Refused>> {
        self.texts().models(self.all(paths)?)
    }

    /// Reads a network or a choreography.
    pub(crate) fn model(&self, path: &PathBuf) -> Result<Reading<Model>, Vec<Refused>> {
        self.models(std::slice::from_ref(path))
    }

    /// Reads each text of some files for itself; files of one folder that make up one system in the language of another
    /// tool are one text.
    pub(crate) fn each(
        &self,
        paths: &[PathBuf],
        take: impl FnMut(Result<Input, (File, Refused)>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let raw = |path: &PathBuf| {
            let named = |refused| (File { name: input::name_of(path), path: Some(path.clone()) }, refused);
            self.raw(path).map_err(named)
        };
        self.texts().each(paths.iter().map(raw), take)
    }

    /// What is known of a text in the language of another tool, and of nothing else.
    pub(crate) fn analysis(&self, format: Format, name: &str, bytes: Vec<u8>) -> Analysis {
        self.texts().analysis(format, name, bytes)
    }

    /// The files that belong together.
    fn all(&self, paths: &[PathBuf]) -> Result<Vec<Result<Raw, Refused>>, Vec<Refused>> {
        let paths = expanded(paths)?;
        if paths.len() > 1 {
            input::read_once(&paths).and_then(|()| input::all_different(&paths)).map_err(|refused| vec![refused])?;
        }
        Ok(paths.iter().map(|path| self.raw(path)).collect())
    }

    fn raw(&self, path: &Path) -> Result<Raw, Refused> {
        let (file, bytes) = input::read_bytes(path).map_err(|unreadable| input::unreadable(path, &unreadable))?;
        Ok(self.texts().raw(file, bytes))
    }
}
