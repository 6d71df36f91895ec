//! The diagram of a difference: the run that both follow, then what each of the two does.
//!
//! What they do differently is in one frame with a section for each. What the one goes on with is drawn as it would
//! happen, and who does not join in gets a note.

use super::run::first_of;
use super::stage::{Actor, Stage, after};
use super::{Frame, NoteKind, Sequence};
use crate::focus::Focus;
use laban::choreography::{Choreography, Node, NodeId};
use laban::equivalence::{Contrast, Difference, Instead, Mismatch, Reason, Side};
use laban::network::{Content, Interaction, Network, ProcessId, State, StateId, Wish};
use laban::semantics::Step;
use laban::syntax::{Names, Symbol};
use std::collections::BTreeSet;

/// The diagram of what a comparison has found, in which the two systems are called as given.
///
/// ```
/// use laban_draw::{Focus, sequence};
///
/// let read = |text: &str| laban::analyse(text).into_choreography().unwrap();
/// let (old, new) = (read("main { p.x -> q; stop }"), read("main { p.x -> q; q.y -> p; stop }"));
/// let comparison = laban::equivalent(&old, &new, &laban::EquivalenceOptions::default());
/// let drawn = sequence::difference(comparison.difference().unwrap(), "old", "new", &Focus::default());
/// let text = sequence::MermaidSequence(&drawn).to_string();
/// assert!(text.contains("Note over p,q: only in new\n    q->>p: y\n  end"));
/// assert!(text.contains("Note over p,q: in old\n") && text.contains("Note over p: instead, has stopped\n"));
/// ```
pub fn difference(difference: &Difference, first: &str, second: &str, focus: &Focus) -> Sequence {
    let called = |side: Side| match side {
        Side::First => (first, second),
        Side::Second => (second, first),
    };
    let (mut involved, mut stuck) = (Vec::new(), Vec::new());
    match &difference.reason {
        Contrast::Step { step, instead, .. } => {
            involved.extend(step.actors());
            stuck.extend(difference.obstacles(*step, instead).map(|instead| instead.process));
        }
        Contrast::Ends { stuck: one, .. } => stuck.push(one.process),
        Contrast::Service { process, .. } => involved.push(*process),
    }
    let cast = Cast {
        names: &difference.names,
        processes: difference.processes.iter().map(|&name| (name, false)).collect(),
        run: &difference.run,
        involved,
        stuck,
    };
    let mut stage = cast.stage(after("difference", difference.run.len()), focus);
    stage.steps(difference.run.iter().copied(), focus.max_items);
    match &difference.reason {
        Contrast::Step { step, side, instead } => {
            let (can, cannot) = called(*side);
            stage.open(Frame::Difference, format!("only in {can}"));
            match step {
                Step::Interaction(_) | Step::Put(_) | Step::Take(_) => stage.step(*step),
                Step::Decision { process, condition, .. } => {
                    let text = format!("decides {}", difference.names.text(*condition));
                    stage.note(*process, text, NoteKind::Decision);
                }
                Step::Choice { process, arm } => {
                    stage.note(*process, format!("chooses item {}", arm + 1), NoteKind::Decision);
                }
            }
            stage.next(format!("in {cannot}"));
            let mut obstacles: Vec<&Instead> = difference.obstacles(*step, instead).collect();
            obstacles.sort_by_key(|instead| instead.process);
            if obstacles.is_empty() {
                stage.remark("this is not possible");
            }
            for instead in obstacles {
                stage.note(instead.process, instead_of(&difference.does(instead)), NoteKind::Differs);
            }
        }
        Contrast::Ends { stuck, side } => {
            let (here, there) = called(*side);
            stage.open(Frame::Difference, format!("in {here}"));
            stage.note(stuck.process, format!("{} forever", difference.waits(stuck)), NoteKind::Stuck);
            stage.next(format!("in {there}"));
            stage.note(stuck.process, "has stopped".to_string(), NoteKind::Stopped);
        }
        Contrast::Service { process, side } => {
            let (here, there) = called(*side);
            stage.open(Frame::Difference, format!("in {here}"));
            stage.note(*process, "is a service".to_string(), NoteKind::Stopped);
            stage.next(format!("in {there}"));
            stage.note(*process, instead_of("is not a service"), NoteKind::Differs);
        }
    }
    stage.close();
    stage.finish()
}

/// The diagram of where a choreography stops describing a network.
///
/// ```
/// use laban_draw::{Focus, sequence};
///
/// let network = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; stop } }").into_network().unwrap();
/// let other = laban::analyse("main { p.y -> q; stop }").into_choreography().unwrap();
/// let refused = laban::verify(&network, &other, &laban::VerifyOptions::default()).unwrap_err();
/// let mismatch = refused.mismatch().unwrap();
/// let drawn = sequence::mismatch(&network, &other, &mismatch, &Focus::default());
/// let text = sequence::MermaidSequence(&drawn).to_string();
/// assert!(text.contains("Note over p,q: in the choreography\n    p->>q: y\n  end"));
/// assert!(text.contains("Note over p,q: in the network\n"));
/// assert!(text.contains("Note over p: instead, wants to send `x` to `q`"));
/// ```
pub fn mismatch(network: &Network, choreography: &Choreography, mismatch: &Mismatch, focus: &Focus) -> Sequence {
    let mut names = network.names().clone();
    let mut processes: Vec<(Symbol, bool)> = network.processes().iter().map(|one| (one.name, one.service)).collect();
    let ahead = Ahead::new(choreography, &mismatch.reason, &mut names, &mut processes);
    let waiting = mismatch.reason.standing();
    let mut stuck: Vec<ProcessId> = waiting.iter().map(|&(process, _)| process).collect();
    stuck.extend(ahead.unknown);
    if let Reason::SharedProcess { process } | Reason::AcrossParts { other: process, .. } = &mismatch.reason {
        stuck.push(*process);
    }
    let cycle = mismatch.cycle();
    let involved = ahead.steps.iter().chain(cycle).flat_map(|step| step.actors()).collect();
    let cast = Cast { names: &names, processes, run: &mismatch.run, involved, stuck };
    let mut stage = cast.stage(after("mismatch", mismatch.run.len()), focus);
    stage.steps(mismatch.run.iter().copied(), focus.max_items);
    let wish = |state: StateId| match (network.state(state), Wish::of(network, network.state(state))) {
        (_, Some(wish)) => wish.describe(network).to_string(),
        (State::If { condition, .. }, None) => format!("has to decide `{}`", network.text(condition)),
        (State::Choose { arms }, None) => format!("has to choose one of {}", arms.len()),
        (state @ State::Any { .. }, None) => first_of(network, state),
        (_, None) => "has stopped".to_string(),
    };
    if !cycle.is_empty() {
        for &(process, state) in &waiting {
            stage.note(process, format!("{}, and never acts", wish(state)), NoteKind::Stuck);
        }
        stage.open(Frame::Loop, "forever");
        stage.steps(cycle.iter().copied(), focus.max_items);
        stage.close();
        return stage.finish();
    }
    stage.open(Frame::Difference, "in the choreography");
    match &mismatch.reason {
        Reason::StopsEarly { .. } | Reason::Forgotten { .. } | Reason::MessageLeft { .. } => stage.remark("stop"),
        Reason::AbsentProcess { process, .. } => {
            stage.note(*process, "does not occur".to_string(), NoteKind::Stopped);
        }
        Reason::SharedProcess { process } => {
            stage.note(*process, "takes part in two parallel parts".to_string(), NoteKind::Differs);
        }
        Reason::UnknownProcess { .. } => {
            let unknown = ahead.unknown.into_iter();
            unknown.for_each(|process| stage.note(process, "takes part".to_string(), NoteKind::Decision));
        }
        Reason::AcrossParts { other, .. } => {
            stage.note(*other, "takes part in another part".to_string(), NoteKind::Differs);
        }
        Reason::NotEnabled { .. }
        | Reason::ItemNotEnabled { .. }
        | Reason::Overlooked { .. }
        | Reason::DecidesFirst { .. }
        | Reason::GroupNotSupported { .. }
        | Reason::GroupNotEnabled { .. }
        | Reason::RunsAhead { .. }
        | Reason::NeverTaken { .. }
        | Reason::QueueGrows { .. }
        | Reason::Starved { .. } => ahead.draw(&mut stage, &names),
    }
    stage.next("in the network");
    waiting.iter().for_each(|&(process, state)| stage.note(process, instead_of(&wish(state)), NoteKind::Differs));
    match &mismatch.reason {
        Reason::UnknownProcess { .. } => {
            let unknown = ahead.unknown.into_iter();
            unknown.for_each(|process| stage.note(process, instead_of("there is no such process"), NoteKind::Differs));
        }
        Reason::SharedProcess { .. } => stage.remark("it does one thing after the other"),
        Reason::GroupNotSupported { .. } => stage.remark("one interaction at a time"),
        _ => {}
    }
    stage.close();
    stage.finish()
}

/// What a process does where it should do something else.
fn instead_of(text: &str) -> String {
    format!("instead, {text}")
}

/// Who is who in a difference.
struct Cast<'a> {
    names: &'a Names,
    /// The name of each process, and whether it is a service.
    processes: Vec<(Symbol, bool)>,
    run: &'a [Step],
    /// Those who take part in what is different.
    involved: Vec<ProcessId>,
    /// Those who do not go on as they should.
    stuck: Vec<ProcessId>,
}

impl<'a> Cast<'a> {
    /// Lanes for those who act in the run, and always for those whom the difference is about.
    fn stage(&self, title: String, focus: &Focus) -> Stage<'a> {
        let stuck: BTreeSet<ProcessId> = self.stuck.iter().copied().collect();
        let about: BTreeSet<ProcessId> = self.involved.iter().chain(&self.stuck).copied().collect();
        let mut drawn = about.clone();
        drawn.extend(self.run.iter().flat_map(|step| step.actors()));
        let actor = |&process: &ProcessId| {
            let &(name, service) = self.processes.get(process.index())?;
            Some(Actor { process, name: self.names.text(name), service, stuck: stuck.contains(&process) })
        };
        let actors: Vec<Actor<'_>> = drawn.iter().filter_map(actor).collect();
        let mut focus = focus.clone();
        if focus.is_narrow() {
            focus.processes.extend(about.iter().filter_map(actor).map(|actor| actor.name.to_string()));
        }
        Stage::new(title, self.names, &actors, self.run.iter().copied(), &focus)
    }
}

/// What a choreography goes on with, in the names of the network.
struct Ahead {
    steps: Vec<Step>,
    /// The frame around these, if they happen at once or one of them does.
    frame: Option<Frame>,
    /// The process that the network does not have.
    unknown: Option<ProcessId>,
}

impl Ahead {
    fn new(
        choreography: &Choreography,
        reason: &Reason,
        names: &mut Names,
        processes: &mut Vec<(Symbol, bool)>,
    ) -> Self {
        let mut find = |names: &mut Names, process: ProcessId| {
            let name = names.intern(choreography.process_name(process));
            let known = processes.iter().position(|&(one, _)| one == name);
            let index = known.unwrap_or_else(|| {
                processes.push((name, false));
                processes.len() - 1
            });
            ProcessId(index as u32)
        };
        let mut ahead = Ahead { steps: Vec::new(), frame: None, unknown: None };
        let mut interaction = |names: &mut Names, Interaction { from, to, content }: Interaction| {
            let content = match content {
                Content::Value(value) => Content::Value(names.intern(choreography.text(value))),
                Content::Label(label) => Content::Label(names.intern(choreography.text(label))),
                Content::LabelledValue { label, value } => Content::LabelledValue {
                    label: names.intern(choreography.text(label)),
                    value: names.intern(choreography.text(value)),
                },
            };
            let (from, to) = (find(names, from), find(names, to));
            Step::Interaction(Interaction { from, to, content })
        };
        let node: Option<NodeId> = match reason {
            Reason::NotEnabled { node, .. }
            | Reason::ItemNotEnabled { item: node, .. }
            | Reason::Overlooked { node, .. }
            | Reason::DecidesFirst { node, .. }
            | Reason::GroupNotEnabled { node, .. }
            | Reason::RunsAhead { node, .. }
            | Reason::GroupNotSupported { node } => Some(*node),
            _ => None,
        };
        match node.map(|node| choreography.node(node)) {
            Some(Node::Interaction { interaction: one, .. }) => ahead.steps.push(interaction(names, one)),
            Some(Node::Group { members, .. }) => {
                ahead.frame = Some(Frame::Parallel);
                ahead.steps.extend(choreography.members(members).iter().map(|&one| interaction(names, one)));
            }
            Some(Node::If { process, condition, .. }) => {
                let condition = names.intern(choreography.text(condition));
                ahead.steps.push(Step::Decision { process: find(names, process), condition, holds: true });
            }
            Some(Node::Choose { process, .. }) => {
                ahead.steps.push(Step::Choice { process: find(names, process), arm: 0 });
            }
            Some(Node::Any { items }) => {
                let items = choreography.arms(items).iter().filter_map(|&item| match choreography.node(item) {
                    Node::Interaction { interaction, .. } => Some(interaction),
                    _ => None,
                });
                ahead.frame = Some(Frame::Race);
                ahead.steps.extend(items.map(|one| interaction(names, one)));
            }
            Some(Node::Stop | Node::Put { .. } | Node::Take { .. }) | None => {}
        }
        if let Reason::UnknownProcess { process } = reason {
            ahead.unknown = Some(find(names, *process));
        }
        ahead
    }

    fn draw(&self, stage: &mut Stage<'_>, names: &Names) {
        if let Some(frame) = self.frame {
            stage.open(frame, "");
        }
        for (number, &step) in self.steps.iter().enumerate() {
            if self.frame.is_some() && number > 0 {
                stage.next("");
            }
            match step {
                Step::Interaction(_) | Step::Put(_) | Step::Take(_) => stage.step(step),
                // Both outcomes are meant.
                Step::Decision { process, condition, .. } => {
                    stage.note(process, format!("decides {}", names.text(condition)), NoteKind::Decision);
                }
                Step::Choice { process, .. } => stage.note(process, "chooses".to_string(), NoteKind::Decision),
            }
        }
        if self.frame.is_some() {
            stage.close();
        }
    }
}
