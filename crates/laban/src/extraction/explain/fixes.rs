//! Hints as edits of the text, where a hint says exactly what to write.
//!
//! An edit does what its hint says and no more: the failure that it was offered for is gone then, but there may be
//! another one behind it. Most hints leave open what to write, and have no edit.

use super::{Explanation, Hint};
use crate::diagnostic::{Fix, Replacement, listed, quote};
use crate::network::{Network, ProcessId};
use crate::syntax::{ArenaRange, LocalAction, LocalFork, Name, NetworkTree, Span, Symbol, Term, TermId};
use crate::syntax::{Channel, ChannelItem};

/// Of how many labels that are offered it is suggested to select one instead.
const MOST_LABELS: usize = 3;

impl Explanation {
    /// Edits that do what the hints say, given the network and the tree that it was made from; the likeliest first.
    ///
    /// ```
    /// let text = "shop { main { bank!<card>; stop } } | bank { def X { shop?; X } main { X } }";
    /// let analysis = laban::analyse(text);
    /// let (Some(network), Some(tree)) = (analysis.network(), analysis.network_tree()) else { panic!() };
    /// let extraction = laban::extract(network, &Default::default())?;
    /// let fixes = extraction.explanations()[0].fixes(network, tree);
    /// assert_eq!(fixes[0].title, "declare `bank` a service");
    /// assert!(fixes[0].apply(text).contains("| service bank {"));
    /// # Ok::<(), laban::InternalError>(())
    /// ```
    pub fn fixes(&self, network: &Network, tree: &NetworkTree) -> Vec<Fix> {
        let writer = Writer { explanation: self, network, tree };
        self.hints.iter().flat_map(|hint| writer.fixes(hint)).collect()
    }
}

struct Writer<'a> {
    explanation: &'a Explanation,
    network: &'a Network,
    tree: &'a NetworkTree,
}

impl Writer<'_> {
    fn fixes(&self, hint: &Hint) -> Vec<Fix> {
        match hint {
            Hint::Label { selects, offers, label, meant, offered } => {
                let mut fixes = Vec::new();
                let others = offered.iter().take(MOST_LABELS).filter(|&other| Some(*other) != *meant);
                let instead = meant
                    .iter()
                    .chain(others)
                    .filter_map(|&other| self.select_instead(*selects, *offers, *label, other));
                fixes.extend(instead);
                fixes.extend(self.add_branch(*offers, *selects, *label));
                fixes
            }
            Hint::Services(processes) => self.services(processes).into_iter().collect(),
            Hint::Idle(processes) => {
                let place = |&process: &ProcessId| self.explanation.waiting(process).map(|waiting| waiting.span.start);
                let places: Option<Vec<u32>> = processes.iter().map(place).collect();
                let idle = places.map(|places| Fix {
                    title: format!("let {} be idle here", self.names(processes)),
                    replacements: places.into_iter().map(|at| insert(at, "idle ")).collect(),
                });
                idle.into_iter().chain(self.services(processes)).collect()
            }
            Hint::Queues { .. } => self.declare("let messages wait in queues", "channels queue;").into_iter().collect(),
            Hint::Rendezvous { .. } => {
                self.declare("let messages go by rendezvous", "channels rendezvous;").into_iter().collect()
            }
            Hint::Longer { from, to, capacity, .. } => self.longer(*from, *to, *capacity).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// `service` before each name.
    fn services(&self, processes: &[ProcessId]) -> Option<Fix> {
        let place = |&process: &ProcessId| self.network.process(process).map(|process| process.span.start);
        let places: Vec<u32> = processes.iter().map(place).collect::<Option<_>>()?;
        let kind = if places.len() == 1 { "a service" } else { "services" };
        Some(Fix {
            title: format!("declare {} {kind}", self.names(processes)),
            replacements: places.into_iter().map(|at| insert(at, "service ")).collect(),
        })
    }

    /// Another label in a selection.
    fn select_instead(&self, selects: ProcessId, offers: ProcessId, label: Symbol, other: Symbol) -> Option<Fix> {
        let place = self.explanation.waiting(selects)?.span;
        let is_partner = |name: Name| self.tree.text(name) == self.network.process_name(offers);
        let name = self.items(place).into_iter().find_map(|term| match self.tree.term(term) {
            Term::Act(LocalAction::Select { to, label }, _) if is_partner(to) => Some(label),
            Term::Act(LocalAction::SelectValue { to, content }, _) if is_partner(to) => {
                Some(self.tree.labelled(content).label)
            }
            _ => None,
        });
        let (wrong, right) = (self.network.text(label), self.network.text(other));
        let Name { span, .. } = name.filter(|name| self.tree.text(*name) == wrong)?;
        let title = format!("replace {} with {}", quote(wrong), quote(right));
        Some(Fix { title, replacements: vec![Replacement { span, text: right.to_string() }] })
    }

    /// Another branch in an offer.
    fn add_branch(&self, offers: ProcessId, selects: ProcessId, label: Symbol) -> Option<Fix> {
        let place = self.explanation.waiting(offers)?.span;
        let label = self.network.text(label);
        let is_partner = |name: Name| self.tree.text(name) == self.network.process_name(selects);
        let has_it = |arms: ArenaRange| {
            let arms = arms.of(&self.tree.arms).iter();
            arms.filter_map(|arm| arm.label).any(|name| self.tree.text(name) == label)
        };
        let replacements = self.items(place).into_iter().find_map(|term| match self.tree.term(term) {
            Term::Fork(LocalFork::Offer { from }, arms) if is_partner(from) && !has_it(arms) => {
                let last = arms.of(&self.tree.arms).last()?;
                Some(vec![insert(self.end(last.body), format!(", {label}: stop"))])
            }
            Term::Fork(LocalFork::OfferOne { from }, arms) if is_partner(from) && !has_it(arms) => {
                let only = arms.of(&self.tree.arms).first()?;
                let between = Span::new(self.tree.span(term).end, self.tree.start(only.body));
                Some(vec![
                    insert(only.label?.span.start, "{"),
                    Replacement { span: between, text: ": ".to_string() },
                    insert(self.end(only.body), format!(", {label}: stop}}")),
                ])
            }
            _ => None,
        })?;
        let title = format!("add a branch {} to the offer of {}", quote(label), self.names(&[offers]));
        Some(Fix { title, replacements })
    }

    /// What is said of all channels, if nothing else is said of them.
    fn declare(&self, title: &str, text: &str) -> Option<Fix> {
        let replacement = match self.tree.channels.as_slice() {
            [] => insert(self.tree.units.first()?.span.start, format!("{text}\n")),
            [only] => Replacement { span: only.span, text: text.to_string() },
            _ => return None,
        };
        Some(Fix { title: title.to_string(), replacements: vec![replacement] })
    }

    /// A queue with more room.
    fn longer(&self, from: ProcessId, to: ProcessId, capacity: u32) -> Option<Fix> {
        let (sender, receiver) = (self.network.process_name(from), self.network.process_name(to));
        let is_it = |item: &&ChannelItem| {
            item.ends.is_some_and(|(one, other)| (self.tree.text(one), self.tree.text(other)) == (sender, receiver))
        };
        let items = || self.tree.channels.iter().flat_map(|declaration| &declaration.items);
        let item = items().find(is_it).or_else(|| items().find(|item| item.ends.is_none()))?;
        let channel = Channel::Queue { bound: Some(capacity) };
        let text = match item.ends {
            Some(_) => format!("{sender} -> {receiver} {channel}"),
            None => channel.to_string(),
        };
        let title = format!("give the queue room for {capacity} messages");
        Some(Fix { title, replacements: vec![Replacement { span: item.span, text }] })
    }

    /// The term at a place, or the items of the race that it is.
    fn items(&self, place: Span) -> Vec<TermId> {
        let from = self.tree.spans.partition_point(|span| span.start < place.start);
        let same = |term: &TermId| self.tree.span(*term) == place;
        let at_place = self.tree.spans[from..].iter().take_while(|span| span.start == place.start).count();
        let Some(term) = (from..from + at_place).map(|index| TermId(index as u32)).find(same) else {
            return Vec::new();
        };
        match self.tree.term(term) {
            Term::Fork(LocalFork::Any, arms) => arms.of(&self.tree.arms).iter().map(|arm| arm.body).collect(),
            _ => vec![term],
        }
    }

    /// Where a behaviour ends.
    fn end(&self, body: TermId) -> u32 {
        let mut at = body;
        loop {
            match self.tree.term(at) {
                Term::Act(_, next) => at = next,
                Term::Fork(LocalFork::OfferOne { .. }, arms) => match arms.of(&self.tree.arms).first() {
                    Some(arm) => at = arm.body,
                    None => return self.tree.span(at).end,
                },
                _ => return self.tree.span(at).end,
            }
        }
    }

    fn names(&self, processes: &[ProcessId]) -> String {
        listed(processes.iter().map(|&process| self.network.process_name(process)), "and")
    }
}

fn insert(at: u32, text: impl Into<String>) -> Replacement {
    Replacement { span: Span::new(at, at), text: text.into() }
}
