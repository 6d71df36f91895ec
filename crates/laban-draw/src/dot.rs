//! Pictures in the language of Graphviz.

use crate::picture::{Direction, Edge, Node, Picture, Shape};
use crate::text::{caption_lines, is_hidden};
use std::fmt::{self, Display, Formatter, Write};

/// Prints a picture as a digraph in DOT.
#[derive(Debug, Clone, Copy)]
pub struct Dot<'a>(pub &'a Picture);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let picture = self.0;
        let direction = match picture.direction {
            Direction::Right => "LR",
            Direction::Down => "TB",
        };
        writeln!(f, "digraph {{")?;
        writeln!(f, "  rankdir={direction};")?;
        writeln!(f, "  node [fontname=\"sans-serif\"];")?;
        writeln!(f, "  edge [fontname=\"sans-serif\", fontsize=10];")?;
        if picture.groups.is_empty() {
            for (number, node) in picture.nodes.iter().enumerate() {
                write_node(f, "  ", number, node)?;
            }
        }
        for (number, group) in picture.groups.iter().enumerate() {
            writeln!(f, "  subgraph cluster_{number} {{")?;
            writeln!(f, "    label={};", Quoted(&group.label))?;
            for (number, node) in picture.nodes.iter().enumerate().take(group.end).skip(group.start) {
                write_node(f, "    ", number, node)?;
            }
            writeln!(f, "  }}")?;
        }
        for edge in &picture.edges {
            write_edge(f, edge)?;
        }
        if !picture.captions.is_empty() {
            let lines = caption_lines(&picture.captions);
            // A line that ends so is at the left.
            let quoted: Vec<String> = lines.iter().map(|line| Quoted(line).to_string()).collect();
            let captions: Vec<&str> = quoted.iter().map(|line| line.trim_matches('"')).collect();
            writeln!(f, "  label=\"{}\\l\";\n  labelloc=b;\n  labeljust=l;", captions.join("\\l"))?;
        }
        writeln!(f, "}}")
    }
}

fn write_node(f: &mut Formatter<'_>, indent: &str, number: usize, node: &Node) -> fmt::Result {
    let shape = match node.shape {
        Shape::Box => "box",
        Shape::Rounded => "box, style=\"rounded,dashed\"",
        Shape::Circle => "circle",
        Shape::Diamond => "diamond",
        Shape::Race => "diamond, peripheries=2",
        Shape::Start => "point",
        Shape::End => "doublecircle",
        Shape::Failed => "octagon",
        Shape::Rest => "box, style=\"rounded,dotted\"",
    };
    let thick = if node.thick { ", penwidth=3" } else { "" };
    let dashed = if node.dashed { ", style=dashed" } else { "" };
    let marked = if node.marked { RED } else { "" };
    writeln!(f, "{indent}n{number} [label={}, shape={shape}{dashed}{thick}{marked}];", Quoted(&node.label))
}

fn write_edge(f: &mut Formatter<'_>, edge: &Edge) -> fmt::Result {
    write!(f, "  n{} -> n{}", edge.from, edge.to)?;
    let mut attributes = String::new();
    if !edge.label.is_empty() {
        write!(attributes, ", label={}", Quoted(&edge.label))?;
    }
    if edge.dashed {
        attributes.push_str(", style=dashed");
    }
    if edge.thick {
        attributes.push_str(", penwidth=2.5");
    }
    if edge.marked {
        attributes.push_str(RED);
    }
    match attributes.strip_prefix(", ") {
        Some(attributes) => writeln!(f, " [{attributes}];"),
        None => writeln!(f, ";"),
    }
}

/// How what went wrong looks.
const RED: &str = ", color=\"#cf222e\", fontcolor=\"#a40e26\"";

/// A text in quotes. A backslash would start an escape of the layout's own, so it is doubled.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '\n' => f.write_str("\\n")?,
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                _ if is_hidden(character) => f.write_char(' ')?,
                // What looks like an entity of HTML would be replaced by it.
                '&' => f.write_str("&amp;")?,
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
    fn quotes_backslashes_and_entities_are_themselves() {
        assert_eq!(Quoted(r#"say "\N" &lt; <b>"#).to_string(), r#""say \"\\N\" &amp;lt; <b>""#);
    }
}
