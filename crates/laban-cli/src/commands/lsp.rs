//! `laban lsp`: what the command knows, for editors.

use crate::console::Console;
use crate::exit::Exit;
use std::io;

/// Start the language server, for editors
///
/// Talks to an editor over standard input and output, in the language server protocol: mistakes and deadlocks as you
/// type, hover, go to definition, rename, completion, quick fixes, formatting and more, in networks (.net),
/// choreographies (.chor) and blocks of Markdown. Editors start it themselves; docs/editors.md says how.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Talk over standard input and output, which it does anyway: some editors say so
    #[arg(long)]
    stdio: bool,
}

const HELP: &str = "\
Examples:
  laban lsp
  laban lsp --stdio

Exit status:
  0  the editor said `shutdown` and then `exit`
  1  the editor went away without a word
  2  standard input or output cannot be used";

pub(crate) fn run(_arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    if console.is_to_file() {
        console.error("a language server talks to an editor: its answers cannot go to a file");
        return Ok(Exit::Bad);
    }
    match laban_lsp::serve(io::stdin(), io::stdout()) {
        Ok(true) => Ok(Exit::Yes),
        Ok(false) => Ok(Exit::No),
        Err(error) => {
            console.error(format_args!("cannot start the language server: {error}"));
            Ok(Exit::Bad)
        }
    }
}
