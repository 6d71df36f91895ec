//! Pictures in the language of Mermaid.

use crate::identifiers::Identifiers;
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
        let names = Names::new(picture);
        if picture.groups.is_empty() {
            for (node, name) in picture.nodes.iter().zip(&names.nodes) {
                write_node(f, "  ", name, node)?;
            }
        }
        for (group, name) in picture.groups.iter().zip(&names.groups) {
            match *name == group.label {
                true => writeln!(f, "  subgraph {name}")?,
                false => writeln!(f, "  subgraph {name} [{}]", Quoted(&group.label))?,
            }
            for (node, name) in picture.nodes.iter().zip(&names.nodes).take(group.end).skip(group.start) {
                write_node(f, "    ", name, node)?;
            }
            writeln!(f, "  end")?;
        }
        for Edge { from, to, label, dashed, thick, .. } in &picture.edges {
            let arrow = match (dashed, thick) {
                (true, _) => "-.->",
                (false, true) => "==>",
                (false, false) => "-->",
            };
            let (from, to) = (names.node(*from), names.node(*to));
            match label.is_empty() {
                true => writeln!(f, "  {from} {arrow} {to}")?,
                false => writeln!(f, "  {from} {arrow}|{}| {to}", Quoted(label))?,
            }
        }
        let looks = |look: Look| picture.nodes.iter().any(|node| Look::of(node).contains(&look));
        let all = [Look::Start, Look::Service, Look::Idle, Look::Race, Look::Head, Look::Marked];
        for look in all.into_iter().filter(|&look| looks(look)) {
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

/// What nodes and groups are called: after their labels, if these look like names.
struct Names {
    nodes: Vec<String>,
    groups: Vec<String>,
}

impl Names {
    fn new(picture: &Picture) -> Self {
        let mut identifiers = Identifiers::default();
        let mut groups = Vec::with_capacity(picture.groups.len());
        let mut group_of = vec![None; picture.nodes.len()];
        for (number, group) in picture.groups.iter().enumerate() {
            let name = identifiers.of_node(None, &group.label);
            groups.push(name.unwrap_or_else(|| identifiers.unused(&format!("g{number}"))));
            group_of.iter_mut().take(group.end).skip(group.start).for_each(|group| *group = Some(number));
        }
        let mut nodes = Vec::with_capacity(picture.nodes.len());
        for (number, (node, group)) in picture.nodes.iter().zip(group_of).enumerate() {
            let group = group.and_then(|group: usize| groups.get(group)).map(String::as_str);
            let label = if node.shape == Shape::Start { "start" } else { node.label.as_str() };
            let name = identifiers.of_node(group, label);
            nodes.push(name.unwrap_or_else(|| identifiers.unused(&format!("n{number}"))));
        }
        Names { nodes, groups }
    }

    fn node(&self, number: usize) -> &str {
        self.nodes.get(number).map_or("", String::as_str)
    }
}

fn write_node(f: &mut Formatter<'_>, indent: &str, name: &str, node: &Node) -> fmt::Result {
    let label = Quoted(&node.label);
    write!(f, "{indent}{name}")?;
    match node.shape {
        // What is drawn is the name then, in a box.
        Shape::Box if node.label == name => {}
        Shape::Box => write!(f, "[{label}]")?,
        Shape::Rounded | Shape::Rest => write!(f, "([{label}])")?,
        Shape::Circle => write!(f, "(({label}))")?,
        Shape::Diamond | Shape::Race => write!(f, "{{{label}}}")?,
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
        writeln!(f, "{indent}class {name} {}", look.name())?;
    }
    Ok(())
}

/// The emphasis of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Start,
    Service,
    Idle,
    Race,
    Head,
    Marked,
}

impl Look {
    fn of(node: &Node) -> Vec<Look> {
        let looks = [
            (node.shape == Shape::Start, Look::Start),
            (node.shape == Shape::Rounded, Look::Service),
            (node.dashed, Look::Idle),
            (node.shape == Shape::Race, Look::Race),
            (node.thick, Look::Head),
            (node.marked, Look::Marked),
        ];
        looks.into_iter().filter(|(is, _)| *is).map(|(_, look)| look).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Look::Start => "start",
            Look::Service => "service",
            Look::Idle => "idle",
            Look::Race => "race",
            Look::Head => "head",
            Look::Marked => "marked",
        }
    }

    fn style(self) -> &'static str {
        match self {
            Look::Start => "fill:#000,stroke:#000",
            Look::Service | Look::Idle => "stroke-dasharray:4 4",
            Look::Race => "stroke:#8250df,stroke-width:2px",
            Look::Head => "stroke-width:3px",
            Look::Marked => "stroke:#cf222e",
        }
    }
}

/// A text in quotes. Mermaid knows no escapes in them but codes of characters. Everything that could end the text, or
/// mean something in Markdown or HTML, is written as its code.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let links = self.0.to_ascii_lowercase().contains("www.");
        let mut before = None;
        let mut characters = self.0.chars().peekable();
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let in_word = before.is_some_and(|one: char| one.is_alphabetic() || matches!(one, '_' | '\'' | ')' | ']'));
            let plain = match character {
                ' ' | ',' | '!' | '?' | '=' | '\'' | '(' | ')' | '[' => true,
                '.' => in_word && !links,
                ']' => before.is_some() && next != Some('('),
                '-' | '+' => before.is_some(),
                '>' => before == Some('-'),
                '_' => in_word && next.is_some_and(char::is_alphanumeric),
                _ => !character.is_ascii_punctuation(),
            };
            match plain {
                _ if character == '\n' => f.write_str("<br/>")?,
                _ if is_hidden(character) => f.write_char(' ')?,
                true => f.write_char(character)?,
                false => write!(f, "#{};", u32::from(character))?,
            }
            before = Some(character);
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
        assert_eq!(Quoted("- x [a](b) _c_ <d>").to_string(), "\"#45; x [a#93;(b) #95;c#95; #60;d#62;\"");
    }

    #[test]
    fn actions_are_written_as_they_are() {
        for action in ["buyer.title -> seller", "p_1 -> q[ok]", "[ok], [no]", "q!", "p?", "q+ok", "f(x).y -> q"] {
            assert_eq!(Quoted(action).to_string(), format!("\"{action}\""));
        }
    }
}
