//! `laban verify`: does this choreography describe this network?

use crate::console::Console;
use crate::exit::Exit;
use crate::input;
use crate::report::{self, Format};
use laban::diagnostic::{closest, quote};
use laban::equivalence::verify;
use laban::network::minimise;
use std::io::{self, Write};
use std::path::PathBuf;

/// Check that a choreography describes a network
///
/// Follows both in lockstep: each action of the choreography must be possible where it stands, and it may stop only where
/// all but services have stopped; no process may be left out for ever. Actions that do not concern each other may stand in
/// any order.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The network
    network: PathBuf,

    /// The choreography
    choreography: PathBuf,

    /// How to show a mismatch
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,

    /// Treat this process as a service, which may wait for ever; may be given several times
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,
}

const HELP: &str = "\
Examples:
  laban verify examples/two-buyer.net examples/two-buyer.chor
  laban extract examples/bargain.net | laban verify examples/bargain.net -

Exit status:
  0  the choreography describes the network
  1  it does not
  2  a file has mistakes or cannot be read";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    if !input::read_once([&arguments.network, &arguments.choreography], console) {
        return Ok(Exit::Bad);
    }
    let network = input::network(&arguments.network, console)?;
    let choreography = input::choreography(&arguments.choreography, console)?;
    let (Some((text, mut network)), Some((protocol, choreography))) = (network, choreography) else {
        return Ok(Exit::Bad);
    };
    for name in &arguments.services {
        if !network.declare_service(name) {
            let meant = closest(name, network.process_ids().map(|process| network.process_name(process)));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean {}?", quote(meant)));
            console.error(format_args!("--service: there is no process {}{meant}", quote(name)));
            return Ok(Exit::Bad);
        }
    }
    match verify(&minimise(&network).network, &choreography) {
        Ok(certificate) => {
            if arguments.format != Format::Json {
                let actions = if certificate.pairs == 1 { "action" } else { "actions" };
                writeln!(
                    console.out(),
                    "{} describes {}: {} {actions} checked",
                    protocol.source.name,
                    text.source.name,
                    certificate.pairs
                )?;
            }
            Ok(Exit::Yes)
        }
        Err(mismatch) => {
            let mismatch = mismatch.on(&network);
            let diagnostic = mismatch.diagnostic(&network, &choreography);
            report::write(arguments.format, &protocol.source, &[diagnostic], console.out())?;
            report::write(arguments.format, &text.source, &mismatch.places(&network), console.out())?;
            Ok(Exit::No)
        }
    }
}
