//! Whether what a choreography lists at a node is possible, and all that can happen within a closed set.

use super::super::mismatch::Reason;
use super::closed::ClosedSet;
use super::moment::Moment;
use crate::choreography::NodeId;
use crate::network::{Interaction, ProcessId, State};
use crate::semantics::{Step, moved};

/// Checks that the items of a node are possible, and all that can happen within a closed set.
pub(super) fn check_items(moment: Moment<'_>, node: NodeId, closed: &mut ClosedSet) -> Result<(), Reason> {
    let scene = moment.scene;
    let items = scene.items(&node);
    for &item in items {
        scene.check(moment, node, item)?;
    }
    let steps = items.iter().filter(|&&item| !scene.decides(item));
    let mut listed: Vec<Step> = steps.filter_map(|&item| Some(scene.step(moment, item, 0)?.0)).collect();
    let complete = check_complete(moment, node, &mut listed, closed);
    if complete.is_ok() {
        return complete;
    }
    // What is handed over may also be looked at in two turns: it is put, and then it is taken if nothing else can come.
    let mut turns: Vec<Step> = listed
        .iter()
        .map(|&step| match step {
            Step::Interaction(message) if is_taken_alone(moment, node, message, closed) => Step::Put(message),
            step => step,
        })
        .collect();
    if turns == listed { complete } else { check_complete(moment, node, &mut turns, closed) }
}

/// Checks that steps which are possible are all that can happen within a closed set.
fn check_complete(moment: Moment<'_>, node: NodeId, listed: &mut [Step], closed: &mut ClosedSet) -> Result<(), Reason> {
    let scene = moment.scene;
    let races = |process: ProcessId| matches!(scene.network.state(moment.at(process)), State::Any { .. });
    if !listed.iter().flat_map(|step| step.actors()).any(races) {
        // The two actors of each have nobody else in mind, and whoever decides, puts or takes alone has nobody at all.
        return Ok(());
    }
    listed.sort_unstable();
    closed.find(moment, listed.iter().flat_map(|step| step.actors()), Some(listed));
    let written = scene.script.written(node);
    if let Some((process, other)) = closed.leaves {
        return Err(Reason::AcrossParts { process, state: moment.at(process), other });
    }
    let is_missing = |step: &&Step| listed.binary_search(step).is_err();
    let missing: Vec<Step> = closed.interactions.iter().filter(is_missing).copied().collect();
    if let Some(first) = missing.first() {
        let process = first.initiator();
        return Err(Reason::Overlooked { node: written, process, state: moment.at(process), missing });
    }
    let decides = |process: ProcessId| scene.items(&node).iter().any(|&item| scene.decider(item) == Some(process));
    if let Some(&process) = closed.deciders.iter().find(|&&process| !decides(process)) {
        return Err(Reason::DecidesFirst { node: written, process, state: moment.at(process) });
    }
    match closed.tied {
        Some(process) => Err(Reason::RunsAhead { node: written, process, state: moment.at(process) }),
        None => Ok(()),
    }
}

/// Whether a message, once it is put into its queue, may be taken as all that can happen within a closed set.
fn is_taken_alone(moment: Moment<'_>, node: NodeId, message: Interaction, closed: &mut ClosedSet) -> bool {
    let (scene, Interaction { from, to, .. }) = (moment.scene, message);
    let after = moved(scene.network, message, from, moment.at(from));
    let (Some(place), Some(after), true) = (scene.place(from), after, moment.is_queue(from, to)) else { return false };
    let mut row = moment.row.to_vec();
    row[place] = after.0;
    let moment = Moment { row: &row, put: Some(message), ..moment };
    check_complete(moment, node, &mut [Step::Take(message)], closed).is_ok()
}
