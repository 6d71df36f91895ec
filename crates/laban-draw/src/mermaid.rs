//! Pictures in the language of Mermaid.

use crate::picture::{Direction, Edge, Node, Picture, Shape};
use crate::text::is_hidden;
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
        for Edge { from, to, label, dashed, thick, .. } in &picture.edges {
            let arrow = match (dashed, thick) {
                (true, _) => "-.->",
                (false, true) => "==>",
                (false, false) => "-->",
            };
            match label.is_empty() {
                true => writeln!(f, "  n{from} {arrow} n{to}")?,
                false => writeln!(f, "  n{from} {arrow}|{}| n{to}", Quoted(label))?,
            }
        }
        let looks = |look: Look| picture.nodes.iter().any(|node| Look::of(node).contains(&look));
        for look in [Look::Start, Look::Service, Look::Head, Look::Marked].into_iter().filter(|&look| looks(look)) {
            writeln!(f, "  classDef {} {}", look.name(), look.style())?;
        }
        let marked: Vec<String> =
            (0..picture.edges.len()).filter(|&edge| picture.edges[edge].marked).map(|edge| edge.to_string()).collect();
        if !marked.is_empty() {
            writeln!(f, "  linkStyle {} stroke:#cf222e", marked.join(","))?;
        }
        for caption in &picture.captions {
            writeln!(f, "  %% {}", caption.replace(is_hidden, " "))?;
        }
        Ok(())
    }
}

fn write_node(f: &mut Formatter<'_>, indent: &str, number: usize, node: &Node) -> fmt::Result {
    let label = Quoted(&node.label);
    write!(f, "{indent}n{number}")?;
    match node.shape {
        Shape::Box => write!(f, "[{label}]")?,
        Shape::Rounded | Shape::Rest => write!(f, "([{label}])")?,
        Shape::Circle => write!(f, "(({label}))")?,
        Shape::Diamond => write!(f, "{{{label}}}")?,
        Shape::Start => write!(f, "((\" \"))")?,
        Shape::End => write!(f, "((({label})))")?,
        Shape::Failed => write!(f, "{{{{{label}}}}}")?,
    }
    let looks = Look::of(node);
    // A node can have one class in its own line.
    match looks.as_slice() {
        [] => writeln!(f)?,
        [first, ..] => writeln!(f, ":::{}", first.name())?,
    }
    for look in looks.iter().skip(1) {
        writeln!(f, "{indent}class n{number} {}", look.name())?;
    }
    Ok(())
}

/// What stands out about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Start,
    Service,
    Head,
    Marked,
}

impl Look {
    fn of(node: &Node) -> Vec<Look> {
        let looks = [
            (node.shape == Shape::Start, Look::Start),
            (node.shape == Shape::Rounded, Look::Service),
            (node.thick, Look::Head),
            (node.marked, Look::Marked),
        ];
        looks.into_iter().filter(|(is, _)| *is).map(|(_, look)| look).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Look::Start => "start",
            Look::Service => "service",
            Look::Head => "head",
            Look::Marked => "marked",
        }
    }

    fn style(self) -> &'static str {
        match self {
            Look::Start => "fill:#000,stroke:#000",
            Look::Service => "stroke-dasharray:4 4",
            Look::Head => "stroke-width:3px",
            Look::Marked => "stroke:#cf222e",
        }
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
                _ if is_hidden(character) => f.write_char(' ')?,
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
