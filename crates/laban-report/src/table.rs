//! Tables of networks: a line for each, with its name and a tab before it.

use std::ops::Range;

/// A network in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Its name; that of its line if it has none.
    pub name: String,
    /// Where the network is in the line.
    pub network: Range<usize>,
}

/// The network in a line of a table, given the number of the line, from 1. Nothing if the line is empty or the header,
/// a first line whose second column is called `network`.
///
/// ```
/// let line = b"ping\tp { main { stop } }\r\n";
/// let row = laban_report::table_row(line, 2).unwrap();
/// assert_eq!((row.name.as_str(), &line[row.network]), ("ping", &b"p { main { stop } }"[..]));
/// assert_eq!(laban_report::table_row(b"testId\tnetwork\n", 1), None);
/// ```
pub fn table_row(line: &[u8], number: usize) -> Option<TableRow> {
    let end = line.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let line = &line[..end];
    let tab = line.iter().position(|&byte| byte == b'\t');
    let is_header = number == 1 && tab.is_some_and(|tab| &line[tab + 1..] == b"network");
    if line.is_empty() || is_header {
        return None;
    }
    // A line without a name is a network without a name.
    let name = match tab {
        Some(tab) => String::from_utf8_lossy(&line[..tab]).into_owned(),
        None => format!("line {number}"),
    };
    Some(TableRow { name, network: tab.map_or(0, |tab| tab + 1)..end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: &str, number: usize) -> Option<(String, String)> {
        table_row(line.as_bytes(), number).map(|row| (row.name, line[row.network].to_string()))
    }

    #[test]
    fn only_the_first_line_is_a_header() {
        assert_eq!(row("id\tnetwork", 1), None);
        assert_eq!(row("id\tnetwork", 2), Some(("id".to_string(), "network".to_string())));
        assert_eq!(row("network", 1), Some(("line 1".to_string(), "network".to_string())));
    }

    #[test]
    fn empty_lines_and_the_ends_of_lines_are_no_networks() {
        assert_eq!(row("", 3), None);
        assert_eq!(row("\r\n", 3), None);
        assert_eq!(row("a\tb\r\r\n", 3), Some(("a".to_string(), "b".to_string())));
    }

    #[test]
    fn what_follows_the_first_tab_is_the_network() {
        assert_eq!(row("a\tb\tc\n", 3), Some(("a".to_string(), "b\tc".to_string())));
        assert_eq!(row("\tb", 3), Some((String::new(), "b".to_string())));
        assert_eq!(row("a\t", 3), Some(("a".to_string(), String::new())));
    }
}
