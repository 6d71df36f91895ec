//! Pictures in the language of Mermaid.

use super::{Direction, Edge, Node, Picture, Shape};
use std::fmt::{self, Display, Formatter, Write};

/// Prints a picture as a flowchart in Mermaid.
#[derive(Debug, Clone, Copy)]
pub struct Mermaid<'a>(pub &'a Picture);

impl Display for Mermaid<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let picture = self.0;
        let direction = match picture.direction {
            Direction::Right => "LR",
            Direction::Down => "TB",
        };
        writeln!(f, "flowchart {direction}")?;
        if picture.groups.is_empty() {
            for (number, node) in picture.nodes.iter().enumerate() {
                write_node(f, "  ", number, node)?;
            }
        }
        for (number, group) in picture.groups.iter().enumerate() {
            writeln!(f, "  subgraph g{number} [{}]", Quoted(&group.label))?;
            for (number, node) in picture.nodes.iter().enumerate().take(group.end).skip(group.start) {
                write_node(f, "    ", number, node)?;
            }
            writeln!(f, "  end")?;
        }
        for Edge { from, to, label, dashed } in &picture.edges {
            let arrow = if *dashed { "-.->" } else { "-->" };
            match label.is_empty() {
                true => writeln!(f, "  n{from} {arrow} n{to}")?,
                false => writeln!(f, "  n{from} {arrow}|{}| n{to}", Quoted(label))?,
            }
        }
        if picture.nodes.iter().any(|node| node.shape == Shape::Start) {
            writeln!(f, "  classDef start fill:#000,stroke:#000")?;
        }
        if picture.nodes.iter().any(|node| node.shape == Shape::Rounded) {
            writeln!(f, "  classDef service stroke-dasharray:4 4")?;
        }
        Ok(())
    }
}

fn write_node(f: &mut Formatter<'_>, indent: &str, number: usize, node: &Node) -> fmt::Result {
    let label = Quoted(&node.label);
    write!(f, "{indent}n{number}")?;
    match node.shape {
        Shape::Box => writeln!(f, "[{label}]"),
        Shape::Rounded => writeln!(f, "([{label}]):::service"),
        Shape::Circle => writeln!(f, "(({label}))"),
        Shape::Diamond => writeln!(f, "{{{label}}}"),
        Shape::Start => writeln!(f, "((\" \")):::start"),
        Shape::End => writeln!(f, "((({label})))"),
    }
}

/// A text in quotes. Mermaid knows no escapes in them but codes of characters; everything that could end the text, or
/// mean something in Markdown or HTML, is written as its code.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                _ if character.is_control() => f.write_char(' ')?,
                ' ' | ',' | '!' | '?' | '=' | '\'' => f.write_char(character)?,
                _ if character.is_ascii_punctuation() => write!(f, "#{};", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_mermaid_is_written_as_a_code() {
        assert_eq!(Quoted("say \"end\"; #1").to_string(), "\"say #34;end#34;#59; #35;1\"");
        assert_eq!(Quoted("1. *x*").to_string(), "\"1#46; #42;x#42;\"");
    }
}
