//! Hints as sentences.

use super::Words;
use crate::extraction::explain::{Explanation, Hint};
use crate::network::{Content, Network};

impl Hint {
    /// The hint as a sentence.
    pub fn text(&self, network: &Network, explanation: &Explanation) -> String {
        Words { network, explanation }.hint(self)
    }
}

impl Words<'_> {
    pub(super) fn hint(&self, hint: &Hint) -> String {
        match hint {
            Hint::Label { selects, offers, label, meant: Some(meant), .. } => format!(
                "did {} mean {}? if not, add a branch {} to the offer of {}",
                self.name(*selects),
                self.text(*meant),
                self.text(*label),
                self.name(*offers)
            ),
            Hint::Label { selects, offers, label, offered, .. } => format!(
                "add a branch {} to the offer of {}, or let {} select {}",
                self.text(*label),
                self.name(*offers),
                self.name(*selects),
                self.labels(offered, "or")
            ),
            Hint::ValueForLabel { sends, offers, labels } => format!(
                "let {} select {} instead of sending a value, or let {} receive a value",
                self.name(*sends),
                self.labels(labels, "or"),
                self.name(*offers)
            ),
            Hint::LabelForValue { selects, receives, label } => format!(
                "let {} offer {} instead of receiving a value, or let {} send a value",
                self.name(*receives),
                self.text(*label),
                self.name(*selects)
            ),
            Hint::Asynchrony { senders } => {
                let (channels, how) = match senders.len() {
                    1 => ("an asynchronous channel", "send without waiting"),
                    2 => ("asynchronous channels", "both send first"),
                    _ => ("asynchronous channels", "all send first"),
                };
                format!("with {channels}, {} could {how}", self.names(senders))
            }
            Hint::OtherOutcome { decider, condition, holds, process, stops } => {
                let (now, otherwise) = if *holds { ("true", "false") } else { ("false", "true") };
                let then = if *stops { "stops" } else { "can go on" };
                format!(
                    "this happens when {} is {now} at {}; when it is {otherwise}, {} {then}",
                    self.text(*condition),
                    self.name(*decider),
                    self.name(*process)
                )
            }
            Hint::Tell { decider, condition, process, teller, told_if } => {
                let knows = (teller != decider).then(|| self.name(*teller));
                let (decider, process, condition) = (self.name(*decider), self.name(*process), self.text(*condition));
                match (told_if, knows) {
                    (None, Some(teller)) => format!(
                        "{teller} knows the outcome of {condition}, but does not tell {process}: let it select a label \
                         at {process} in each branch"
                    ),
                    (None, None) => format!(
                        "{decider} does not tell {process} the outcome of {condition}: add a selection to each branch"
                    ),
                    (Some(holds), _) => format!(
                        "{decider} tells {process} only when {condition} is {holds}: add a selection for when it is \
                         {}, and its label to the offer of {process}",
                        !holds
                    ),
                }
            }
            Hint::Receive { from, to, message } => {
                let (sender, receiver) = (self.name(*from), self.name(*to));
                match *message {
                    Content::Value(value) => {
                        format!("let {receiver} receive {} from {sender}, or do not send it", self.text(value))
                    }
                    Content::Label(label) | Content::LabelledValue { label, .. } => {
                        format!("let {receiver} offer {} to {sender}, or do not select it", self.text(label))
                    }
                }
            }
            Hint::Order { from, to, later } => format!(
                "{} sends {} only later, and messages are taken in the order in which they are sent: let {} take the \
                 oldest first",
                self.name(*from),
                self.message(*later),
                self.name(*to)
            ),
            Hint::TakenOtherwise { decider, condition, holds } => {
                let (now, otherwise) = if *holds { ("true", "false") } else { ("false", "true") };
                format!(
                    "this happens when {} is {now} at {}; when it is {otherwise}, nothing is left there",
                    self.text(*condition),
                    self.name(*decider)
                )
            }
            Hint::KeepUp { from, to, sent, taken } => {
                let (sender, receiver) = (self.name(*from), self.name(*to));
                match taken {
                    0 => format!("let {receiver} take what {sender} sends each time round, or do not send it"),
                    _ => format!(
                        "let {receiver} take {sent} messages from {sender} each time round, or let {sender} send only \
                         {taken}"
                    ),
                }
            }
            Hint::Balance => {
                "let each of them send as many messages as the other takes, whenever both have gone round once"
                    .to_string()
            }
            Hint::Queues { senders } => match senders.as_slice() {
                [] => "with queues (`channels queue;`) this works".to_string(),
                [one] => format!("with queues (`channels queue;`) this works: {} need not wait", self.name(*one)),
                [_, _] => {
                    format!("with queues (`channels queue;`) this works: {} both send first", self.names(senders))
                }
                _ => format!("with queues (`channels queue;`) this works: {} all send first", self.names(senders)),
            },
            Hint::Longer { from, to, capacity, bound } => format!(
                "with longer queues this works: the queue from {} to {} needs room for {capacity} instead of {bound}",
                self.name(*from),
                self.name(*to)
            ),
            Hint::Rendezvous { crossing } => match crossing {
                Some([(one, _), (other, _)]) => format!(
                    "by rendezvous (`channels rendezvous;`) this works: there, messages of {} and {} cannot cross",
                    self.name(*one),
                    self.name(*other)
                ),
                None => "by rendezvous (`channels rendezvous;`) this works".to_string(),
            },
            Hint::Fair => {
                "with `--fair`, where each decision goes each way some time, nobody waits forever".to_string()
            }
            Hint::Idle(processes) => {
                let it = if processes.len() == 1 { "it waits" } else { "they wait" };
                let name = processes.first().map_or("", |&process| self.network.process_name(process));
                format!(
                    "if {} may wait forever, write `idle` before what {it} for, or `service {name} {{ … }}`",
                    self.names(processes)
                )
            }
            Hint::Services(processes) => {
                let names: Vec<&str> = processes.iter().map(|&process| self.network.process_name(process)).collect();
                let first = names.first().copied().unwrap_or_default();
                let make = if names.len() == 1 { "make it a service" } else { "make them services" };
                let options: Vec<String> = names.iter().take(4).map(|name| format!("--service {name}")).collect();
                let more = if names.len() > 4 { " …" } else { "" };
                format!(
                    "if {} may wait forever, {make}: `service {first} {{ … }}` or `{}{more}`",
                    self.names(processes),
                    options.join(" ")
                )
            }
        }
    }
}
