//! From a protocol to a choreography.

use crate::protocol::Protocol;
use crate::report::Report;
use laban::Choreography;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// The choreography that a protocol is, unless there are errors.
pub(crate) fn lower_protocol(protocol: &Protocol, report: &mut Report) -> Option<Choreography> {
    if protocol.roles.is_empty() {
        report.add(Diagnostic::new(Code::Empty, Span::default(), "nobody takes part in this protocol"));
        return None;
    }
    None
}
