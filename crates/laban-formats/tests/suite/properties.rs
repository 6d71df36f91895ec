//! What must hold for any text; fuzz targets run these, too.

use laban_formats::{Format, Source, detect, read};

/// Reading ends with a network or with an error, never both, and all places lie in the text. What was read is a network
/// that can be printed and read again.
pub(crate) fn read_total(format: Format, text: &str) {
    let sources = [Source::new("one", text), Source { name: "two", text, offset: text.len() as u32 }];
    let count = if format == Format::SubtypingPair { 2 } else { 1 };
    let reading = read(format, &sources[..count]);
    assert_ne!(reading.model.is_some(), reading.report.has_errors(), "{format}: {text}\n{:?}", reading.report);
    let diagnostics = reading.report.diagnostics.iter().map(|diagnostic| diagnostic.primary.span);
    for span in diagnostics.chain(reading.report.remarks.iter().map(|remark| remark.span)) {
        assert!(span.start <= span.end && span.end as usize <= count * text.len(), "{format}: {text}\n{span:?}");
    }
    if let Some(network) = reading.network() {
        let tree = laban::network::read_off(network, &reading.procedures);
        let printed = laban::Compact(&tree).to_string();
        let again = laban::analyse(printed.as_str()).into_network();
        assert!(again.is_ok(), "{format}: {text}\n{printed}");
    }
    if let Some(choreography) = reading.choreography() {
        let printed = laban::Compact(&laban::choreography::read_off_named(choreography)).to_string();
        let again = laban::analyse(printed.as_str()).into_choreography();
        assert!(again.is_ok(), "{format}: {text}\n{printed}");
    }
    detect("", text);
}
