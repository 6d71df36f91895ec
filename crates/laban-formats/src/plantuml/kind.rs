//! What a diagram is, if it is not a sequence diagram: by a line that no sequence diagram has.

/// What a line looks like that is not a line of a sequence diagram, if that tells anything.
pub(super) fn kind_of(line: &str) -> Option<&'static str> {
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_lowercase();
    let after = line.get(word.len()..).unwrap_or("").trim_start();
    let has_body = line.ends_with('{');
    let kind = match word.as_str() {
        "class" | "interface" | "abstract" | "enum" | "annotation" | "struct" | "protocol" | "exception"
        | "metaclass" | "stereotype" => "a class diagram",
        "object" | "map" | "json" => "an object diagram",
        "state" => "a state diagram",
        "start" | "stop" | "repeat" | "fork" | "split" | "backward" | "detach" | "kill" | "swimlane" => {
            "an activity diagram"
        }
        "if" | "while" | "switch" | "elseif" if after.starts_with('(') => "an activity diagram",
        "component" | "node" | "cloud" | "folder" | "frame" | "rectangle" | "storage" | "artifact" | "card"
        | "file" | "stack" | "hexagon" | "agent" | "person" | "port" | "portin" | "portout" | "label" => {
            "a component diagram"
        }
        "package" | "namespace" | "database" | "queue" | "collections" | "control" | "boundary" | "entity"
            if has_body =>
        {
            "a component diagram"
        }
        "package" | "namespace" => "a component diagram",
        "usecase" => "a use case diagram",
        "robust" | "concise" | "clock" | "binary" | "analog" => "a timing diagram",
        _ => return kind_of_signs(line),
    };
    Some(kind)
}

/// The same by arrows and brackets.
fn kind_of_signs(line: &str) -> Option<&'static str> {
    let outside_of_text = line.split(" : ").next().unwrap_or(line);
    let has = |signs: &[&str]| signs.iter().any(|sign| outside_of_text.contains(sign));
    if has(&["[*]", "[H]"]) {
        Some("a state diagram")
    } else if line.starts_with(':') && line.ends_with([';', '|', '<', '>', '/', ']', '}'])
        || line.starts_with('|') && line.ends_with('|')
        || has(&["(*)"])
    {
        Some("an activity diagram")
    } else if line.starts_with('(') || has(&["> (", ">("]) || line.starts_with(':') && has(&["->", "--", ".."]) {
        Some("a use case diagram")
    } else if line.starts_with('[') || has(&["> [", ">[", "-( ", "-0)", "<|..[", "-() "]) || line.starts_with("()") {
        Some("a component diagram")
    } else if has(&[
        "--|>", "<|--", "..|>", "<|..", "*--", "--*", "o--", "--o", "..>", "<..", "||--", "--||", "}o", "o{",
    ]) || has(&["-up-", "-down-", "-left-", "-right-", "-d-", "-u-", "-l-", "-r-"])
        || has(&[" -- ", " .. ", " - "]) && !line.contains(": ")
    {
        Some("a class diagram or one of components")
    } else {
        None
    }
}

/// What a diagram is that starts with `@start` and this word.
pub(super) fn kind_of_start(word: &str) -> &'static str {
    match word {
        "mindmap" => "a mind map",
        "wbs" => "a work breakdown structure",
        "gantt" => "a Gantt chart",
        "salt" => "a wireframe",
        "json" => "JSON data",
        "yaml" => "YAML data",
        "dot" => "a graph for Graphviz",
        "ditaa" => "a picture in text",
        "ebnf" => "a grammar",
        "regex" => "a regular expression",
        "latex" | "math" => "a formula",
        "creole" => "a text",
        "board" => "a board",
        "chronology" => "a chronology",
        "chen" => "an entity-relationship diagram",
        "project" => "a project plan",
        "nwdiag" => "a network diagram",
        _ => "another kind of diagram",
    }
}
