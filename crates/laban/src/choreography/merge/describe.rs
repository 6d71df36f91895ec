//! What does not merge, in the words of users.

use super::Merging;
use crate::choreography::NodeId;
use crate::choreography::known::{LAST_STEPS, Step, Way};
use crate::choreography::unprojectable::Unprojectable;
use crate::choreography::view::{DONE, Head};
use crate::network::ProcessId;
use crate::syntax::Symbol;

impl Merging<'_> {
    /// What does not merge as users see it; `None` if it is about selections that are yet to be added.
    pub(super) fn describe(&self, conditional: u32, arms: [usize; 2], way: Way) -> Option<Unprojectable> {
        let steps = self.known.steps(way);
        let (last, alike) = steps.split_last()?;
        let heads = last.points.map(|point| self.view.head(point));
        if heads.iter().any(|head| matches!(head, Head::Told { .. })) {
            return None;
        }
        Some(Unprojectable::Uninformed {
            process: self.view.process,
            conditional: NodeId(conditional),
            arms,
            alike: alike.iter().map(|step| step.points.map(NodeId)).collect(),
            behaviours: [0, 1].map(|side| self.behaviour(&steps, side)),
            clash: last.points.map(|point| (point != DONE).then_some(NodeId(point))),
        })
    }

    /// What one side does, up to what does not merge.
    fn behaviour(&self, steps: &[Step], side: usize) -> String {
        let choreography = self.view.choreography;
        let name = |process: ProcessId| choreography.process_name(process);
        let text = |symbol: Symbol| choreography.names.text(symbol);
        // Actions that both sides have in common and that are shown before what differs: the last few.
        let hidden = steps.len().saturating_sub(LAST_STEPS as usize + 1);
        let mut shown: Vec<String> = Vec::new();
        let mut opened = 0;
        for step in &steps[hidden..] {
            let arm = step.arms.map(|arms| arms[side]);
            let more = if arm.is_some() { "" } else { " …" };
            let head = self.view.head(step.points[side]);
            let opens = matches!(head, Head::Offer { .. } | Head::Told { .. } | Head::Choose { .. } | Head::Any { .. });
            opened += usize::from(opens);
            shown.push(match head {
                Head::Done => "stop".to_string(),
                Head::Send { to, expression, .. } => format!("{}!<{}>;{more}", name(to), text(expression)),
                Head::Receive { from, .. } => format!("{}?;{more}", name(from)),
                Head::Select { to, label, .. } => format!("{}+{};{more}", name(to), text(label)),
                Head::Offer { from, label, .. } => format!("{}&{{{}:{more}", name(from), text(label)),
                Head::SelectValue { to, label, expression, .. } => {
                    format!("{}+{}<{}>;{more}", name(to), text(label), text(expression))
                }
                Head::Choose { .. } => "choose { …".to_string(),
                Head::Any { .. } => "any { …".to_string(),
                Head::Told { from, .. } => format!("{}&{{{more}", name(from)),
                Head::If { condition, .. } if arm == Some(1) => format!("if {} then … else", text(condition)),
                Head::If { condition, .. } => format!("if {} then{more}", text(condition)),
            });
        }
        let mut shown = shown.join(" ");
        shown.extend(std::iter::repeat_n('}', opened));
        if hidden > 0 { format!("… {shown}") } else { shown }
    }
}
