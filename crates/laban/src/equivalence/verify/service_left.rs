//! A service that is left in the middle of a conversation, as data and as a diagnostic.

use crate::diagnostic::{Annotation, Code, Diagnostic, Note, listed, quote};
use crate::network::{Network, ProcessId, State, StateId, Wish, minimise};
use crate::semantics::{Configuration, Step, follow};
use crate::text::Span;

/// A service that waits forever, and not where it starts: it has begun something that nobody goes on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceLeft {
    /// Which service.
    pub process: ProcessId,
    /// Where it waits.
    pub state: StateId,
    /// What happens first.
    pub run: Vec<Step>,
    /// What then repeats forever; empty if nothing more happens.
    pub cycle: Vec<Step>,
}

impl ServiceLeft {
    /// The services that are left at the end of a run, after which nothing more happens.
    pub fn at_end(network: &Network, run: &[Step]) -> Vec<ServiceLeft> {
        let Some(rests) = Rests::new(network) else { return Vec::new() };
        let mut at = Configuration::start(network);
        let all = run.iter().all(|&step| at.take(network, step));
        let services = network.process_ids().filter(|_| all).filter(|&process| is_service(network, process));
        let left = services.map(|process| (process, at.at(network, process)));
        left.filter(|&(_, state)| rests.is_left(network, state))
            .map(|(process, state)| ServiceLeft { process, state, run: run.to_vec(), cycle: Vec::new() })
            .collect()
    }

    /// Who loops forever without it.
    fn busy(&self) -> Vec<ProcessId> {
        let mut busy: Vec<ProcessId> = self.cycle.iter().flat_map(|step| step.actors()).collect();
        busy.sort_unstable();
        busy.dedup();
        busy
    }

    /// One sentence that makes sense on its own.
    pub fn reason(&self, network: &Network) -> String {
        let name = quote(network.process_name(self.process));
        let wish = wish(network, self.state);
        let wish = match &wish {
            Some(wish) => format!("{:#}", wish.describe(network)),
            None => "is not done".to_string(),
        };
        match self.cycle.is_empty() {
            true => format!("service {name} may be left in the middle: at the end it still {wish}"),
            false => {
                let busy = self.busy();
                let busy = listed(busy.iter().map(|&process| network.process_name(process)), "and");
                format!("service {name} may be left in the middle: it {wish} while {busy} can loop forever without it")
            }
        }
    }

    /// A warning that points at the action that is left, with the run, and what would help.
    pub fn diagnostic(&self, network: &Network) -> Diagnostic {
        let name = quote(network.process_name(self.process));
        let state = network.state(self.state);
        let mut diagnostic = Diagnostic::new(Code::ServiceLeft, network.origin(self.state), self.reason(network))
            .label(format!("{name} is left here"));
        let start = network.process(self.process).map(|process| network.origin(process.start));
        if let Some(start) = start.filter(|&start| start != Span::default()) {
            diagnostic = diagnostic.at(start, format!("{name} starts here, where it may wait forever"));
        }
        let steps = |text: String, steps: &[Step]| Note::run(text, steps, |step| step.describe(network).to_string());
        match self.run.len() {
            0 => {}
            1 => diagnostic = diagnostic.note(steps("after one step".to_string(), &self.run)),
            many => diagnostic = diagnostic.note(steps(format!("after {many} steps"), &self.run)),
        }
        if !self.cycle.is_empty() {
            diagnostic = diagnostic.note(steps("then this repeats".to_string(), &self.cycle));
        }
        let hint = match state {
            State::Receive { .. } | State::Offer { .. } | State::Any { .. } => format!(
                "if {name} may wait here forever, write `idle` before this action; with `idle` before each action \
                 where it may wait, it need not be a service"
            ),
            _ => {
                let partner = network.partners(state).next().map_or("", |partner| network.process_name(partner));
                format!("let {} take this however it goes; nobody can be `idle` before a send", quote(partner))
            }
        };
        diagnostic.hint(hint)
    }

    /// The run and the cycle, each step with its place in the text.
    pub fn steps(&self, network: &Network) -> Vec<Annotation> {
        let (places, _) = follow(network, self.run.iter().chain(&self.cycle).copied());
        let label = |index: usize, step: Step| {
            let again = if index < self.run.len() { "" } else { "repeats: " };
            format!("{again}{}", step.describe(network))
        };
        let places = places.into_iter().enumerate();
        places.map(|(index, (step, span))| Annotation { span, label: label(index, step) }).collect()
    }
}

/// What a process wants in a state.
fn wish(network: &Network, state: StateId) -> Option<Wish> {
    let state = network.state(state);
    match state {
        State::Any { .. } => {
            let wishes = Wish::all(network, state);
            let partner = wishes.first()?.partner();
            Some(Wish::Any { wishes, partner })
        }
        other => Wish::of(network, other),
    }
}

pub(super) fn is_service(network: &Network, process: ProcessId) -> bool {
    network.process(process).is_some_and(|process| process.service)
}

/// Where services may rest: where they behave as at their start, or as after nothing but decisions of their own.
pub(super) struct Rests {
    /// For each state of the network, its class.
    class_of: Vec<StateId>,
    /// For each class, whether a service may rest there.
    rests: Vec<bool>,
}

impl Rests {
    /// Nothing if there are no services.
    pub(super) fn new(network: &Network) -> Option<Self> {
        if !network.processes.iter().any(|process| process.service) {
            return None;
        }
        let small = minimise(network);
        let mut rests = vec![false; small.network.states.len()];
        let services = small.network.processes.iter().filter(|process| process.service);
        let mut work: Vec<StateId> = services.map(|process| process.start).collect();
        while let Some(state) = work.pop() {
            match rests.get_mut(state.index()) {
                Some(known) if !*known => *known = true,
                _ => continue,
            }
            if small.network.state(state).decides() {
                small.network.successors(state, |next| work.push(next));
            }
        }
        Some(Rests { class_of: small.state_of, rests })
    }

    /// Whether a service that waits forever in this state is left in the middle.
    pub(super) fn is_left(&self, network: &Network, state: StateId) -> bool {
        let class = self.class_of.get(state.index());
        let rests = class.and_then(|class| self.rests.get(class.index())).copied().unwrap_or(true);
        !rests && network.state(state) != State::Stop && !network.is_idle(state)
    }
}
