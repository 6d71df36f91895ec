//! What a text can be converted to, as an option.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use laban_report::Target;

/// Laban's own languages and all formats that are written.
pub(crate) fn targets() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::all().map(|target| PossibleValue::new(target.name()).help(target.description())))
        .try_map(|name| Target::named(&name).ok_or("unknown format"))
}
