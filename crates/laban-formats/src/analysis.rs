//! A text of another tool as an analysis: what commands that know Laban's own texts work on.
//!
//! Whoever has an [`Analysis`] need not know that the text is in another language: places are places in that text, and
//! the tree is what the model looks like in Laban's language.

use crate::format::Format;
use crate::read::Reading;
use crate::view::View;
use laban::diagnostic::{Code, Diagnostic};
use laban::network::{Channel, Channels};
use laban::syntax::{ChoreographyTree, NetworkTree};
use laban::{Analysis, Model, SyntaxTree, choreography, network};

impl Reading {
    /// The reading as an analysis of the text that it comes from. The channels of a network are as the tools of the
    /// format mean them; remarks are notes.
    pub fn into_analysis(self, format: Format, text: impl Into<String>) -> Analysis {
        let Reading { view, mut model, procedures, report } = self;
        if let (Some(Model::Network(network)), Channel::Queue { .. }) = (&mut model, format.channels()) {
            network.set_channels(Channels::all(format.channels()));
        }
        let tree = match (&model, &view) {
            (Some(Model::Network(network)), _) => SyntaxTree::Network(network::read_off(network, &procedures)),
            (Some(Model::Choreography(choreography)), _) => {
                SyntaxTree::Choreography(choreography::read_off_named(choreography))
            }
            (None, View::Local(_)) => SyntaxTree::Network(NetworkTree::default()),
            (None, View::Global(_)) => SyntaxTree::Choreography(ChoreographyTree::default()),
        };
        let mut diagnostics = report.diagnostics;
        let remarks = report.remarks.into_iter();
        diagnostics.extend(remarks.map(|remark| Diagnostic::new(Code::Remark, remark.span, remark.text)));
        Analysis::of_model(text, model, tree, diagnostics)
    }
}
