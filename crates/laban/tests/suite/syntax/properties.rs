//! What must be true of any text.
//!
//! Plain functions that panic when a property is violated: the tests run them over random and kept texts, and the fuzz
//! targets, which include this file, over whatever the fuzzer comes up with.

use laban::syntax::{
    Choreographies, Compact, GlobalAction, GlobalFork, GlobalInteraction, LocalAction, LocalFork, Name, Networks,
    Notation, Parsed, Pretty, Span, Term, TermId, Tree, detect, parse_choreography, parse_network, source_text,
};

/// Any bytes: parsers and printers end, and what they give is sound.
pub(crate) fn parse_total(bytes: &[u8]) {
    match source_text(bytes) {
        Ok(source) => {
            detect(source);
            sound(source, &parse_network(source));
            sound(source, &parse_choreography(source));
        }
        Err(diagnostic) => assert!(diagnostic.primary.span.end as usize <= bytes.len()),
    }
}

/// Any text: what is plain in a network is read straight from its bytes, and gives what the parser alone gives. A mark
/// in front, which means nothing, leaves all of it to the parser; blanks of the same length keep the places. Gives
/// whether the text is well-formed.
pub(crate) fn plain_is_general(source: &str) -> bool {
    let quick = parse_network(&format!("   {source}"));
    let alone = parse_network(&format!("\u{feff}{source}"));
    assert_eq!(quick.diagnostics, alone.diagnostics, "{source}");
    assert_eq!(quick.tree.names, alone.tree.names, "{source}");
    let show = |tree: &Tree<Networks>| {
        let Tree { units, terms, spans, arms, comments, labelled_values, idle, channels, .. } = tree;
        format!("{units:?}{terms:?}{spans:?}{arms:?}{comments:?}{labelled_values:?}{idle:?}{channels:?}")
    };
    assert_eq!(show(&quick.tree), show(&alone.tree), "{source}");
    quick.diagnostics.is_empty()
}

/// Any text: if it parses without errors, then what is printed says the same, and nothing is lost. Gives in how many
/// of the two languages it does.
pub(crate) fn format_idempotent(source: &str) -> usize {
    usize::from(formats(source, parse_network)) + usize::from(formats(source, parse_choreography))
}

/// [`format_idempotent`] in one language.
pub(crate) fn formats<L: Inspect>(source: &str, parse: fn(&str) -> Parsed<L>) -> bool {
    let parsed = parse(source);
    if !parsed.diagnostics.is_empty() {
        return false;
    }
    let line = Compact(&parsed.tree).to_string();
    let compact = parse(&line);
    assert_eq!(compact.diagnostics, [], "compact: {line:?}");
    assert!(compact.tree.eq_ignoring_spans(&parsed.tree), "compact says something else: {line:?}");
    assert!(!line.contains('\n'), "compact has several lines: {line:?}");
    assert_eq!(Compact(&compact.tree).to_string(), line);

    let text = Pretty { tree: &parsed.tree, source }.to_string();
    let pretty = parse(&text);
    assert_eq!(pretty.diagnostics, [], "pretty:\n{text}");
    assert!(pretty.tree.eq_ignoring_spans(&parsed.tree), "pretty says something else:\n{text}");
    assert_eq!(comments(&pretty.tree, &text), comments(&parsed.tree, source), "comments:\n{text}");
    let again = Pretty { tree: &pretty.tree, source: &text }.to_string();
    let difference = text.lines().zip(again.lines()).enumerate().find(|(_, (once, twice))| once != twice);
    assert!(again == text, "not idempotent: {difference:?}\n{text}");
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "the end of {text:?}");

    // Without its source a tree is printed without comments, on the very same lines as from its compact form.
    let bare = Pretty { tree: &parsed.tree, source: "" }.to_string();
    assert_eq!(bare, Pretty { tree: &compact.tree, source: &line }.to_string());
    true
}

fn comments<'a, L: Inspect>(tree: &Tree<L>, source: &'a str) -> Vec<&'a str> {
    tree.comments.iter().map(|comment| comment.text(source).trim_end()).collect()
}

/// Checks what is true of every tree, however wrong the text.
pub(crate) fn sound<L: Inspect>(source: &str, parsed: &Parsed<L>) {
    let Parsed { tree, diagnostics } = parsed;
    let check = |span: Span| {
        assert!(span.start <= span.end, "{span:?}");
        assert!(source.get(span.start as usize..span.end as usize).is_some(), "{span:?} is not in the text");
    };
    let check_name = |name: Name| {
        check(name.span);
        let (text, there) = (tree.text(name), name.span.text(source));
        assert!(!text.is_empty() || !diagnostics.is_empty(), "a name is empty without a diagnostic");
        assert!(there.starts_with(text.split(' ').next().unwrap_or(text)), "{text:?} is {there:?}");
    };
    for diagnostic in diagnostics {
        check(diagnostic.primary.span);
        diagnostic.secondary.iter().for_each(|annotation| check(annotation.span));
        assert!(!diagnostic.message.is_empty());
    }
    tree.comments.iter().copied().for_each(check);
    let labelled = tree.labelled_values.iter().flat_map(|value| [value.label, value.expression]);
    labelled.for_each(check_name);
    tree.interactions.iter().for_each(|interaction| names_of(interaction, &mut |name| check_name(name)));
    assert_eq!(tree.terms.len(), tree.spans.len());
    tree.spans.iter().copied().for_each(check);
    let exists = |id: TermId| assert!(id.index() < tree.terms.len(), "there is no term {}", id.0);
    let mut missing = tree.units.is_empty();
    for term in &tree.terms {
        match term {
            Term::Stop => {}
            Term::Call(name) => check_name(*name),
            Term::Act(action, next) => {
                L::names_of_action(action, &mut |name| check_name(name));
                exists(*next);
            }
            Term::Fork(fork, arms) => {
                L::names_of_fork(fork, &mut |name| check_name(name));
                assert!(arms.start <= arms.end && arms.end as usize <= tree.arms.len());
                missing |= arms.is_empty();
            }
            Term::Missing => missing = true,
        }
    }
    for arm in &tree.arms {
        exists(arm.body);
        arm.label.into_iter().for_each(check_name);
    }
    for declaration in &tree.channels {
        check(declaration.span);
        assert!(!declaration.items.is_empty() || !diagnostics.is_empty());
        assert!(declaration.unit < tree.units.len() || !diagnostics.is_empty());
        for item in &declaration.items {
            check(item.span);
            item.ends.into_iter().flat_map(|(from, to)| [from, to]).for_each(check_name);
        }
    }
    for unit in &tree.units {
        check(unit.span);
        unit.name.into_iter().for_each(check_name);
        for procedure in &unit.procedures {
            check(procedure.span);
            check_name(procedure.name);
            exists(procedure.body);
        }
        for main in &unit.mains {
            check(main.span);
            exists(main.body);
        }
    }
    assert!(!missing || !diagnostics.is_empty(), "something is missing without a diagnostic");
    if diagnostics.is_empty() {
        assert!(
            tree.spans.windows(2).all(|pair| pair[0].start < pair[1].start),
            "terms are not in the order of the text"
        );
    }
    // However wrong, it can be printed.
    let _ = Compact(tree).to_string();
    let _ = Pretty { tree, source }.to_string();
}

/// A language whose names can be listed.
pub(crate) trait Inspect: Notation {
    /// The names in an action.
    fn names_of_action(action: &Self::Action, visit: &mut dyn FnMut(Name));
    /// The names in what is before the arms of a fork.
    fn names_of_fork(fork: &Self::Fork, visit: &mut dyn FnMut(Name));
}

impl Inspect for Networks {
    fn names_of_action(action: &LocalAction, visit: &mut dyn FnMut(Name)) {
        match *action {
            LocalAction::Send { to, expression } => [to, expression].into_iter().for_each(visit),
            LocalAction::Receive { from } => visit(from),
            LocalAction::Select { to, label } => [to, label].into_iter().for_each(visit),
            LocalAction::SelectValue { to, .. } => visit(to),
        }
    }

    fn names_of_fork(fork: &LocalFork, visit: &mut dyn FnMut(Name)) {
        match *fork {
            LocalFork::If { condition } => visit(condition),
            LocalFork::Offer { from } | LocalFork::OfferOne { from } => visit(from),
            LocalFork::Choose | LocalFork::Any => {}
        }
    }
}

impl Inspect for Choreographies {
    fn names_of_action(action: &GlobalAction, visit: &mut dyn FnMut(Name)) {
        match action {
            GlobalAction::Interaction(interaction) => names_of(interaction, visit),
            GlobalAction::Take { from, to } => [*to, *from].into_iter().for_each(visit),
            // These are among the interactions of the tree.
            GlobalAction::Group(_) | GlobalAction::Put(_) => {}
        }
    }

    fn names_of_fork(fork: &GlobalFork, visit: &mut dyn FnMut(Name)) {
        match *fork {
            GlobalFork::If { process, condition } => [process, condition].into_iter().for_each(visit),
            GlobalFork::Choose { process } => visit(process),
            GlobalFork::Any => {}
        }
    }
}

fn names_of(interaction: &GlobalInteraction, visit: &mut dyn FnMut(Name)) {
    match *interaction {
        GlobalInteraction::Communicate { from, expression, to } => [from, expression, to].into_iter().for_each(visit),
        GlobalInteraction::Select { from, to, label } => [from, to, label].into_iter().for_each(visit),
        GlobalInteraction::SelectValue { from, to, .. } => [from, to].into_iter().for_each(visit),
    }
}
