//! All that an explanation knows, one fact a line, to be compared with what a test expects.

use super::{deadlock, livelock, network};
use laban::extraction::explain::{Explanation, Hint, RootKind, Waiting, Why, Witness, explain};
use laban::network::{Network, ProcessId, Wish};
use laban::semantics::Step;
use laban::syntax::Symbol;
use std::fmt::Write;

pub(crate) fn check_deadlock(source: &str, expected: &str) {
    check(source, |network| deadlock(network).unwrap(), expected);
}

pub(crate) fn check_livelock(source: &str, run: &str, cycle: &str, expected: &str) {
    check(source, |network| livelock(network, run, cycle), expected);
}

/// Compares the facts and the summary, and checks what is true of every explanation.
fn check(source: &str, witness: impl Fn(&Network) -> Witness, expected: &str) {
    check_network(source, &network(source), witness, expected);
}

/// The same for a network whose channels are not in the text.
pub(crate) fn check_network(source: &str, network: &Network, witness: impl Fn(&Network) -> Witness, expected: &str) {
    let explanation = explain(network, &witness(network)).unwrap();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let facts = facts(network, &explanation);
    let diagnostic = explanation.diagnostic(network);
    // `SHOW=1 cargo test -p laban --test suite explain -- --nocapture` shows what a user would see.
    if std::env::var_os("SHOW").is_some() {
        let mut out = format!("\n{source}\n{facts}{}: {}\n", diagnostic.code.as_str(), diagnostic.message);
        for place in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
            writeln!(out, "  at `{}`: {}", place.span.text(source), place.label).unwrap();
        }
        diagnostic.notes.iter().for_each(|note| writeln!(out, "  note: {}", note.one_line()).unwrap());
        diagnostic.hints.iter().for_each(|hint| writeln!(out, "  hint: {hint}").unwrap());
        println!("{out}");
    }
    assert_eq!(facts.trim_end(), expected.join("\n"), "for {source}");
    assert_eq!(diagnostic.code.as_str(), explanation.kind.as_str());
    assert_eq!(explanation.summary(network), format!("{}: {}", diagnostic.code.as_str(), diagnostic.message));
    // One place for each that is stuck, and then one for each that has stopped and is waited for.
    let stopped = explanation.roots.iter().filter(|root| matches!(root.kind, RootKind::Stopped { .. })).take(2);
    if explanation.queues.is_empty() {
        assert_eq!(diagnostic.secondary.len() + 1, explanation.stuck.len() + stopped.count());
        for place in diagnostic.secondary.iter().skip(explanation.stuck.len() - 1) {
            assert!(["stop", "0"].contains(&place.span.text(source)), "{place:?}");
        }
    }
    assert_eq!(diagnostic.hints.len(), explanation.hints.len());
    for waiting in explanation.stuck.iter().chain(&explanation.waiting_services) {
        // The place is that of the action: it starts with the partner's name.
        assert!(waiting.span.text(source).starts_with(network.process_name(waiting.wish.partner())));
        assert_eq!(explanation.waiting(waiting.process), Some(waiting));
        assert!(waiting.service || waiting.root.is_some());
    }
    for event in explanation.run.iter().chain(&explanation.cycle) {
        assert_eq!(event.partner_span.is_none(), !matches!(event.step, Step::Interaction(_)));
        assert!(!event.span.text(source).is_empty());
    }
}

struct Facts<'a> {
    network: &'a Network,
}

impl Facts<'_> {
    fn name(&self, process: ProcessId) -> &str {
        self.network.process_name(process)
    }

    fn names(&self, processes: &[ProcessId]) -> String {
        processes.iter().map(|&process| self.name(process)).collect::<Vec<_>>().join(" ")
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.network.text(symbol)
    }

    fn texts(&self, symbols: &[Symbol]) -> String {
        symbols.iter().map(|&symbol| self.text(symbol)).collect::<Vec<_>>().join(" ")
    }

    fn waiting(&self, waiting: &Waiting) -> String {
        let wish = match &waiting.wish {
            Wish::Send { to, expression } => format!("{}!<{}>", self.name(*to), self.text(*expression)),
            Wish::Receive { from } => format!("{}?", self.name(*from)),
            Wish::Select { to, label } => format!("{}+{}", self.name(*to), self.text(*label)),
            Wish::SelectValue { to, label, expression } => {
                format!("{}+{}<{}>", self.name(*to), self.text(*label), self.text(*expression))
            }
            Wish::Offer { from, labels } => format!("{}&{{{}}}", self.name(*from), self.texts(labels)),
            Wish::Any { wishes, .. } => format!("any of {}", wishes.len()),
        };
        let why = match &waiting.why {
            Why::PartnerStopped => "stopped".to_string(),
            Why::PartnerWaits { on } => format!("waits for {}", self.name(*on)),
            Why::PartnerStarved { on } => format!("starves on {}", self.name(*on)),
            Why::BothSend => "both send".to_string(),
            Why::BothReceive => "both receive".to_string(),
            Why::LabelNotOffered { label, offered } => {
                format!("{} not in {}", self.text(*label), self.texts(offered))
            }
            Why::ValueForLabel => "value for label".to_string(),
            Why::LabelForValue => "label for value".to_string(),
            Why::PartnerBusy => "busy".to_string(),
            Why::OldestDoesNotFit { oldest } => format!("oldest is {}", oldest.describe(self.network)),
            Why::PartnerCannotTake { from, oldest } => {
                format!("cannot take {} from {}", oldest.describe(self.network), self.name(*from))
            }
        };
        let place = match (waiting.root, waiting.in_root) {
            (Some(root), true) => format!("in {root}"),
            (Some(root), false) => format!("on {root}"),
            (None, _) => "free".to_string(),
        };
        let service = if waiting.service { "service " } else { "" };
        format!("{service}{}: {wish}, {why}, {place}", self.name(waiting.process))
    }

    fn hint(&self, hint: &Hint) -> String {
        match hint {
            Hint::Label { meant, .. } => format!("label, meant {:?}", meant.map(|meant| self.text(meant))),
            Hint::ValueForLabel { sends, offers, .. } => {
                format!("value for label, {} {}", self.name(*sends), self.name(*offers))
            }
            Hint::LabelForValue { selects, receives, .. } => {
                format!("label for value, {} {}", self.name(*selects), self.name(*receives))
            }
            Hint::Asynchrony { senders } => format!("asynchrony, {}", self.names(senders)),
            Hint::OtherOutcome { decider, condition, holds, process, .. } => {
                let (decider, condition) = (self.name(*decider), self.text(*condition));
                format!("{} but for {decider}.{condition} {holds}", self.name(*process))
            }
            Hint::Tell { teller, process, .. } => format!("{} tells {}", self.name(*teller), self.name(*process)),
            Hint::Idle(processes) => format!("idle {}", self.names(processes)),
            Hint::Receive { from, to, message } => {
                format!("{} takes {} from {}", self.name(*to), message.describe(self.network), self.name(*from))
            }
            Hint::Order { later, .. } => format!("order, {} later", later.describe(self.network)),
            Hint::TakenOtherwise { decider, condition, holds } => {
                format!("taken but for {}.{} {holds}", self.name(*decider), self.text(*condition))
            }
            Hint::KeepUp { from, to, sent, taken } => {
                format!("keep up, {} {sent} {} {taken}", self.name(*from), self.name(*to))
            }
            Hint::Services(processes) => format!("services {}", self.names(processes)),
            other => panic!("{other:?} is not known here"),
        }
    }
}

fn facts(network: &Network, explanation: &Explanation) -> String {
    let facts = Facts { network };
    let mut out = String::new();
    for (part, events) in [("run", &explanation.run), ("cycle", &explanation.cycle)] {
        if !events.is_empty() {
            let steps: Vec<String> = events.iter().map(|event| event.step.describe(network).to_string()).collect();
            writeln!(out, "{part}: {}", steps.join("; ")).unwrap();
        }
    }
    for waiting in &explanation.stuck {
        writeln!(out, "{}", facts.waiting(waiting)).unwrap();
    }
    for queue in &explanation.queues {
        let messages: Vec<String> =
            queue.messages.iter().map(|message| message.content.describe(network).to_string()).collect();
        let (from, to) = (facts.name(queue.from), facts.name(queue.to));
        writeln!(out, "{from} -> {to}: {}, {:?}", messages.join(" "), queue.left).unwrap();
    }
    for growth in &explanation.growth {
        let (from, to) = (facts.name(growth.from), facts.name(growth.to));
        writeln!(out, "{from} -> {to}: {} sent, {} taken", growth.sent, growth.taken).unwrap();
    }
    for waiting in &explanation.waiting_services {
        writeln!(out, "waiting {}", facts.waiting(waiting)).unwrap();
    }
    for (index, root) in explanation.roots.iter().enumerate() {
        let kind = match root.kind {
            RootKind::Mismatch => "mismatch".to_string(),
            RootKind::Message { from } => format!("message from {}", facts.name(from)),
            RootKind::Circle => "circle".to_string(),
            RootKind::Stopped { partner } => format!("stopped {}", facts.name(partner)),
            RootKind::Busy { partner } => format!("busy {}", facts.name(partner)),
        };
        writeln!(out, "{index}: {kind}: {}", facts.names(&root.processes)).unwrap();
    }
    for busy in &explanation.busy {
        let steps: Vec<String> = busy.steps.iter().map(|step| step.describe(network).to_string()).collect();
        writeln!(out, "{} does {}", facts.name(busy.process), steps.join("; ")).unwrap();
    }
    for hint in &explanation.hints {
        writeln!(out, "hint: {}", facts.hint(hint)).unwrap();
    }
    writeln!(out, "= {}", explanation.summary(network)).unwrap();
    out
}
