//! What a report consists of, and how it reads as Markdown.

use std::fmt::Write;

/// A chapter of the report.
pub(super) struct Section {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// Something in it.
pub(super) enum Block {
    Text(String),
    Table(Table),
    Figure(Figure),
}

/// A table. The first columns are words, the others numbers.
pub(super) struct Table {
    pub(super) caption: String,
    /// How many columns of words there are.
    pub(super) words: usize,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A picture.
pub(super) struct Figure {
    /// The name of its file, without the extension.
    pub(super) name: String,
    pub(super) caption: String,
    pub(super) svg: String,
}

impl Section {
    pub(super) fn new(title: &str) -> Section {
        Section { title: title.to_string(), blocks: Vec::new() }
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    pub(super) fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    pub(super) fn figure(&mut self, name: &str, caption: &str, svg: String) {
        self.blocks.push(Block::Figure(Figure { name: name.to_string(), caption: caption.to_string(), svg }));
    }
}

impl Table {
    pub(super) fn new<const N: usize>(caption: &str, words: usize, head: [&str; N]) -> Table {
        let head = head.map(str::to_string).to_vec();
        Table { caption: caption.to_string(), words, head, rows: Vec::new() }
    }
}

/// The whole report as Markdown, with the figures in files of their own.
pub(super) fn markdown(title: &str, sections: &[Section]) -> String {
    let mut out = format!("# {title}\n");
    for section in sections {
        let _ = write!(out, "\n## {}\n", section.title);
        for block in &section.blocks {
            match block {
                Block::Text(text) => {
                    let _ = write!(out, "\n{text}\n");
                }
                Block::Table(table) => write_table(&mut out, table),
                Block::Figure(figure) => {
                    let _ =
                        write!(out, "\n![{}](figures/{}.svg)\n\n*{}*\n", figure.caption, figure.name, figure.caption);
                }
            }
        }
    }
    out
}

fn write_table(out: &mut String, table: &Table) {
    let _ = write!(out, "\n**{}**\n\n| {} |\n|", table.caption, table.head.join(" | "));
    for column in 0..table.head.len() {
        out.push_str(if column < table.words { "---|" } else { "---:|" });
    }
    out.push('\n');
    for row in &table.rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
}
