//! The report as one page that needs nothing else.

use super::document::{Block, Section, Table};
use laban::text::Xml;
use std::fmt::Write;

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; padding-bottom: .2rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .15rem .55rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #8883; }
th { border-bottom: 1px solid #888; vertical-align: bottom; white-space: normal; max-width: 7rem; } th.w, td.w { text-align: left; }
tr:hover td { background: #8881; }
figure { margin: 1.5rem 0; } figcaption { font-size: 13px; } svg { max-width: 100%; height: auto; }
code { font-size: 90%; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #16181c; } }
";

/// The whole page.
pub(super) fn page(title: &str, sections: &[Section]) -> String {
    let mut out = String::new();
    let title = escaped(title);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for section in sections {
        let _ = writeln!(out, "<h2>{}</h2>", escaped(&section.title));
        for block in &section.blocks {
            match block {
                Block::Text(text) => write_text(&mut out, text),
                Block::Table(table) => write_table(&mut out, table),
                Block::Figure(figure) => {
                    let caption = escaped(&figure.caption);
                    let _ = writeln!(out, "<figure>\n{}<figcaption>{caption}</figcaption>\n</figure>", figure.svg);
                }
            }
        }
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// A paragraph, or a list where every line begins with a dash.
fn write_text(out: &mut String, text: &str) {
    if text.lines().all(|line| line.starts_with("- ")) {
        out.push_str("<ul>\n");
        for line in text.lines() {
            let _ = writeln!(out, "<li>{}</li>", marked(line.trim_start_matches("- ")));
        }
        out.push_str("</ul>\n");
    } else {
        let _ = writeln!(out, "<p>{}</p>", marked(text));
    }
}

fn write_table(out: &mut String, table: &Table) {
    let class = |column: usize| if column < table.words { " class=\"w\"" } else { "" };
    let _ = writeln!(out, "<div class=\"wide\"><table>\n<caption>{}</caption>", marked(&table.caption));
    out.push_str("<thead><tr>");
    for (column, name) in table.head.iter().enumerate() {
        let _ = write!(out, "<th{}>{}</th>", class(column), marked(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>{}</td>", class(column), marked(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// Text with `code`, *emphasis* and **more of it**.
fn marked(text: &str) -> String {
    let mut out = escaped(text);
    for (mark, tag) in [("**", "b"), ("*", "em"), ("`", "code")] {
        let parts: Vec<&str> = out.split(mark).collect();
        // An odd mark at the end is left as it is.
        if parts.len().is_multiple_of(2) {
            continue;
        }
        let mut next = String::new();
        for (number, part) in parts.into_iter().enumerate() {
            match number % 2 {
                0 => next.push_str(part),
                _ => {
                    let _ = write!(next, "<{tag}>{part}</{tag}>");
                }
            }
        }
        out = next;
    }
    out
}

pub(super) fn escaped(text: &str) -> String {
    Xml(text).to_string()
}
