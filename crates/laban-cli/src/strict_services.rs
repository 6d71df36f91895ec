//! Services that are left in the middle of a conversation: an option that several commands share.

use crate::exit::Exit;
use clap::Args;
use laban::diagnostic::Diagnostic;
use laban::{Network, ServiceLeft};
use laban_report::{left_diagnostic, left_exit};

/// How serious it is when a service is left in the middle of a conversation.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct StrictServices {
    /// Make it an error if a service can be left in the middle of a conversation
    ///
    /// A service may wait forever. Laban warns if it can be left waiting anywhere but where it starts, since it may be
    /// in the middle of something. Write `idle` before the receives, offers and `any` where it may wait.
    #[arg(long)]
    strict_services: bool,
}

impl StrictServices {
    /// Whether it is an error.
    pub(crate) fn is_error(self) -> bool {
        self.strict_services
    }

    /// What there is to say about a service that is left.
    pub(crate) fn diagnostic(self, left: &ServiceLeft, network: &Network) -> Diagnostic {
        left_diagnostic(left, network, self.strict_services)
    }

    /// What there is to say about services that are left.
    pub(crate) fn diagnostics(self, left: &[ServiceLeft], network: &Network) -> Vec<Diagnostic> {
        left.iter().map(|left| self.diagnostic(left, network)).collect()
    }

    /// The answer, given how many services are left.
    pub(crate) fn exit(self, exit: Exit, left: usize) -> Exit {
        left_exit(exit, left, self.strict_services)
    }
}
