//! Processes that could act and are put off, again and again.

use super::heads::NONE;
use super::position::Position;
use super::search::Search;
use crate::graph::{Graph, strong_components};
use crate::limits::StopReason;

impl Search<'_> {
    /// Finds cycles that put off a process that could act, and looks at it in one of their nodes. Returns whether there
    /// were any.
    pub(super) fn look_at_those_put_off(&mut self) -> Result<bool, StopReason> {
        if self.put_off.is_empty() {
            return Ok(false);
        }
        let nodes = self.ways.reachable();
        let mut is_reachable = vec![false; self.ways.len()];
        nodes.iter().for_each(|&node| is_reachable[node as usize] = true);
        self.put_off.retain(|&(node, _)| is_reachable[node as usize]);
        self.put_off.sort_unstable_by_key(|&(node, process)| (process, node));
        self.put_off.dedup();
        let mut looked_at = vec![false; self.ways.len() * self.layout.count];
        let mut position = Position::default();
        for &node in &nodes {
            self.layout.unpack(self.heads, self.store.row(node), &mut position);
            self.scene.look(self.heads, &self.queues, &position);
            if let Some(chosen) = self.choose(node, &position) {
                looked_at[node as usize * self.layout.count..][..self.layout.count].copy_from_slice(&chosen.members);
            }
        }
        let put_off = std::mem::take(&mut self.put_off);
        let mut again: Vec<u32> = Vec::new();
        for same in put_off.chunk_by(|one, other| one.1 == other.1) {
            if let Some(reason) = (self.limits.stop)() {
                return Err(reason);
            }
            let process = same[0].1;
            let is_put_off = |node: u32| {
                is_reachable[node as usize] && !looked_at[node as usize * self.layout.count + process as usize]
            };
            let mut graph = Graph::with_capacity(self.ways.len(), self.ways.len());
            for node in 0..self.ways.len() as u32 {
                let targets = self.ways.of(node).iter().map(|way| way.target).filter(|&target| is_put_off(target));
                graph.push(0, targets.filter(|_| is_put_off(node)));
            }
            let components = strong_components(&graph);
            let mut treated = vec![false; components.count()];
            // A node where the process can be looked at with nobody deciding first, if there is one.
            for decisions in [false, true] {
                for &(node, _) in same.iter().filter(|&&(node, _)| components.on_cycle(node)) {
                    let component = components.component_of[node as usize] as usize;
                    if treated[component] || again.contains(&node) {
                        continue;
                    }
                    self.layout.unpack(self.heads, self.store.row(node), &mut position);
                    self.scene.look(self.heads, &self.queues, &position);
                    let members = self.scene.closure(self.heads, &position.states, &[process]);
                    let heads = position.states.iter().map(|&state| self.heads.head(state));
                    let deciding = heads.zip(&members).any(|(head, member)| *member && head.decision != NONE);
                    if deciding == decisions && !self.seeds.get(&node).is_some_and(|seeds| seeds.contains(&process)) {
                        self.seeds.entry(node).or_default().push(process);
                        again.push(node);
                        treated[component] = true;
                    }
                }
            }
        }
        self.work.extend(again.iter().copied());
        // What has been put off elsewhere is still put off there.
        self.put_off = put_off;
        Ok(!again.is_empty())
    }
}
