use super::document::Document;
use super::nothing;
use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
pub(super) fn read(_document: &Document<'_>, _root: usize, _source: &Source<'_>, _options: &ReadOptions<'_>, _report: &mut Report) -> Protocol { nothing() }
