//! `laban verify`: does this choreography describe this network?

use crate::console::Console;
use crate::drawing::{Shown, or_diagram};
use crate::exit::Exit;
use crate::input;
use crate::report::{self, Format};
use laban::diagnostic::{closest, quote};
use laban::draw::{Focus, sequence};
use laban::equivalence::verify;
use laban::network::minimise;
use std::io::{self, Write};
use std::path::PathBuf;

/// Check that a choreography describes a network
///
/// Follows both in lockstep: each action of the choreography must be possible where it stands, and it may stop only where
/// all but services have stopped; no process may be left out for ever. Actions that do not concern each other may stand in
/// any order.
///
/// As a diagram (`--format mermaid`, `markdown`, `plantuml` or `svg`), a mismatch is the run that both follow and then what
/// each of the two does; the message goes to the standard error. If there is no mismatch, there is nothing to draw.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The network
    network: PathBuf,

    /// The choreography
    choreography: PathBuf,

    /// How to show a mismatch
    #[arg(long, value_parser = or_diagram::<Format>(), default_value = "full", value_name = "FORMAT")]
    format: Shown<Format>,

    /// Treat this process as a service, which may wait for ever; may be given several times
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,
}

const HELP: &str = "\
Examples:
  laban verify examples/two-buyer.net examples/two-buyer.chor
  laban extract examples/bargain.net | laban verify examples/bargain.net -
  laban verify --format svg examples/buyer-seller.net examples/buyer-seller-hasty.chor > difference.svg

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
            let actions = if certificate.pairs == 1 { "action" } else { "actions" };
            let (protocol, text) = (&protocol.source.name, &text.source.name);
            let sentence = format!("{protocol} describes {text}: {} {actions} checked", certificate.pairs);
            match arguments.format {
                Shown::Words(Format::Json) => {}
                Shown::Words(_) => writeln!(console.out(), "{sentence}")?,
                Shown::Diagram(_) => writeln!(console.err(), "{sentence}")?,
            }
            Ok(Exit::Yes)
        }
        Err(mismatch) => {
            let mismatch = mismatch.on(&network);
            let diagnostic = [mismatch.diagnostic(&network, &choreography)];
            let places = mismatch.places(&network);
            match arguments.format {
                Shown::Words(format) => {
                    report::write(format, &protocol.source, &diagnostic, console.out())?;
                    report::write(format, &text.source, &places, console.out())?;
                }
                Shown::Diagram(diagram) => {
                    let drawn = sequence::mismatch(&network, &choreography, &mismatch, &Focus::default());
                    diagram.write(&drawn, console.data())?;
                    report::write(Format::Full, &protocol.source, &diagnostic, console.err())?;
                    report::write(Format::Full, &text.source, &places, console.err())?;
                }
            }
            Ok(Exit::No)
        }
    }
}
