//! How the decisions of two systems are matched: an option of the commands that compare.

use clap::ValueEnum;
use laban::equivalence::Conditions;

/// How decisions are matched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConditionsArg {
    /// By process and by the text of the condition
    #[default]
    Text,
    /// By process alone: `then` to `then`, `else` to `else`, and the items of `choose` in order, whatever is decided
    Any,
}

impl From<ConditionsArg> for Conditions {
    fn from(conditions: ConditionsArg) -> Self {
        match conditions {
            ConditionsArg::Text => Conditions::ByText,
            ConditionsArg::Any => Conditions::Any,
        }
    }
}
