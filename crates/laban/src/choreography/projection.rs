//! Projection: what each process has to do for a choreography to come about.
//!
//! A local state is the set of nodes at which the process may be as far as it knows. Where it does not depend on others
//! that is one node, and so it is nearly everywhere. Where others decide and the process is not told, it is several,
//! and these must *merge*: all send the same to the same, or all receive from the same; what follows must merge in
//! turn. Labels from the same process merge whatever they are: that is how a process is told. Sets that are equal are
//! one state, so loops merge as well as text does.
//!
//! A process that takes no part in a loop does what it has to do after it; one that never acts again has stopped, even
//! if others loop forever. So having stopped merges with nothing but having stopped: a process that acts in one
//! branch only has to be told, however long the other branch takes. That is what makes a projection extractable again:
//! nobody waits for what can no longer come. Only a service may wait forever. Groups of interactions are for
//! asynchronous networks and have no projection here.

use super::merge::Merging;
use super::unprojectable::Unprojectable;
use super::view::{DONE, Head, Part, View};
use super::{Choreography, Node, NodeId};
use crate::network::{self, Branch, Network, Process, ProcessId, State, StateId};
use crate::syntax::{ArenaRange, NetworkTree, Span, Symbol};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A network that follows a choreography.
#[derive(Debug, Clone)]
pub struct Projection {
    /// The network; its processes are those of the choreography, in the same order.
    pub network: Network,
    /// The local states at which procedures of the choreography start, with their names: what to call them in a text.
    pub procedures: Vec<(StateId, Symbol)>,
}

impl Projection {
    /// The network as a syntax tree, with the names of the choreography's procedures where they survive.
    pub fn tree(&self) -> NetworkTree {
        network::read_off(&self.network, &self.procedures)
    }
}

/// Makes the network that follows a choreography, or says why it has none.
///
/// ```
/// use laban::{choreography, syntax};
///
/// let read = |text: &str| choreography::lower(&syntax::parse_choreography(text).tree).choreography.unwrap();
/// let told = read("main { if p.e then p -> q[l]; stop else p -> q[r]; q.y -> p; stop }");
/// assert_eq!(choreography::project(&told).unwrap().network.processes.len(), 2);
/// let not_told = read("main { if p.e then stop else q.y -> p; stop }");
/// assert!(choreography::project(&not_told).is_err(), "q does not know whether to send");
/// ```
pub fn project(choreography: &Choreography) -> Result<Projection, Vec<Unprojectable>> {
    project_with_services(choreography, &[])
}

/// The same when some processes are services: these may wait forever, so what a service would wait for merges with
/// being done.
pub fn project_with_services(
    choreography: &Choreography,
    services: &[ProcessId],
) -> Result<Projection, Vec<Unprojectable>> {
    let parts: Vec<Part> = choreography.starts.iter().map(|&start| Part::new(choreography, start)).collect();
    let mut failures: Vec<Unprojectable> = Vec::new();
    for part in &parts {
        let groups = part.nodes.iter().map(|&node| NodeId(node));
        let groups = groups.filter(|&node| matches!(choreography.node(node), Node::Group { .. }));
        failures.extend(groups.map(|node| Unprojectable::Group { node }));
    }
    if !failures.is_empty() {
        return Err(failures);
    }
    let mut part_of: Vec<Option<usize>> = vec![None; choreography.processes.len()];
    for (number, part) in parts.iter().enumerate() {
        for process in &part.processes {
            part_of[process.index()] = Some(number);
        }
    }
    let mut projection = Projection { network: Network::default(), procedures: Vec::new() };
    for (number, (&name, part)) in choreography.processes.iter().zip(part_of).enumerate() {
        let id = ProcessId(number as u32);
        let first = projection.network.states.len() as u32;
        match part {
            // Named, but only where nothing leads to.
            None => {
                projection.network.states.push(State::Stop);
                projection.network.origins.push(Span::default());
            }
            Some(part) => {
                let mut view = View::new(choreography, &parts[part], id, Vec::new());
                view.service = services.contains(&id);
                let mut building = Building::new(view, &mut projection);
                if !building.run(choreography.starts[part]) {
                    let view = building.view;
                    failures.extend(Merging::new(view).uninformed(&parts[part]));
                }
            }
        }
        let end = projection.network.states.len() as u32;
        projection.network.processes.push(Process {
            name,
            span: Span::default(),
            service: services.contains(&id),
            start: StateId(first),
            states: ArenaRange { start: first, end },
        });
    }
    if !failures.is_empty() {
        failures.sort_by_key(|failure| choreography.origin(failure.node()).start);
        return Err(failures);
    }
    projection.network.names = choreography.names.clone();
    Ok(projection)
}

/// Builds the automaton of one process.
struct Building<'a, 'b> {
    view: View<'a>,
    projection: &'b mut Projection,
    /// The state of each point alone; the last is that of [`DONE`].
    alone: Vec<u32>,
    /// The states of several points together, found by these.
    together: HashTable<u32>,
    /// For each state, its points, a stretch of `points`.
    members: Vec<ArenaRange>,
    points: Vec<u32>,
    /// The first state of the process.
    first: u32,
    work: Vec<u32>,
    heads: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a, 'b> Building<'a, 'b> {
    fn new(view: View<'a>, projection: &'b mut Projection) -> Self {
        Building {
            alone: vec![NONE; view.choreography.nodes.len() + 1],
            view,
            together: HashTable::new(),
            members: Vec::new(),
            points: Vec::new(),
            first: projection.network.states.len() as u32,
            work: Vec::new(),
            heads: Vec::new(),
            projection,
        }
    }

    /// Builds what can be reached from a node; false if something does not merge.
    fn run(&mut self, start: NodeId) -> bool {
        self.goto([start]);
        while let Some(state) = self.work.pop() {
            let Some(built) = self.build(state) else { return false };
            let index = (self.first + state) as usize;
            self.projection.network.states[index] = built;
        }
        let choreography = self.view.choreography;
        for &(node, name) in &choreography.procedures {
            if let Some(state) = self.find(node) {
                self.projection.procedures.push((StateId(self.first + state), name));
            }
        }
        true
    }

    /// The state that a process is in when it may be at any of some nodes.
    fn goto(&mut self, nodes: impl IntoIterator<Item = NodeId>) -> StateId {
        let mut heads = std::mem::take(&mut self.heads);
        self.view.heads(nodes, &mut heads);
        let state = match *heads.as_slice() {
            [point] => {
                let place = self.alone.len() - 1;
                let place = if point == DONE { place } else { point as usize };
                match self.alone[place] {
                    NONE => {
                        let state = self.add(&heads);
                        self.alone[place] = state;
                        state
                    }
                    state => state,
                }
            }
            _ => match self.find_together(&heads) {
                Some(state) => state,
                None => {
                    let state = self.add(&heads);
                    let Building { together, members, points, .. } = self;
                    together.insert_unique(hash(&heads), state, |&other| hash(members[other as usize].of(points)));
                    state
                }
            },
        };
        self.heads = heads;
        StateId(self.first + state)
    }

    fn find_together(&self, heads: &[u32]) -> Option<u32> {
        let same = |&state: &u32| self.members[state as usize].of(&self.points) == heads;
        self.together.find(hash(heads), same).copied()
    }

    /// The state of a node, if there is one.
    fn find(&mut self, node: NodeId) -> Option<u32> {
        let mut heads = std::mem::take(&mut self.heads);
        self.view.heads([node], &mut heads);
        let state = match *heads.as_slice() {
            [DONE] => None,
            [point] => self.alone.get(point as usize).copied().filter(|&state| state != NONE),
            _ => self.find_together(&heads),
        };
        self.heads = heads;
        state
    }

    fn add(&mut self, heads: &[u32]) -> u32 {
        let state = self.members.len() as u32;
        let start = self.points.len() as u32;
        self.points.extend_from_slice(heads);
        self.members.push(ArenaRange { start, end: self.points.len() as u32 });
        self.projection.network.states.push(State::Stop);
        let origin = heads.first().map_or(Span::default(), |&point| self.view.choreography.origin(NodeId(point)));
        self.projection.network.origins.push(origin);
        self.work.push(state);
        state
    }

    /// What a state does; `None` if its points do not agree.
    fn build(&mut self, state: u32) -> Option<State> {
        let members = self.members[state as usize];
        let points = members.start as usize..members.end as usize;
        let heads: Vec<Head> = self.points[points].iter().map(|&point| self.view.head(point)).collect();
        let (&first, rest) = heads.split_first()?;
        if !rest.iter().all(|&head| self.view.together(first, head)) {
            return None;
        }
        let nexts = heads.iter().filter_map(|&head| match head {
            Head::Send { next, .. }
            | Head::Receive { next, .. }
            | Head::Select { next, .. }
            | Head::Offer { next, .. } => Some(next),
            Head::Done | Head::If { .. } | Head::Told { .. } => None,
        });
        Some(match first {
            Head::Done | Head::Told { .. } => State::Stop,
            Head::Send { to, expression, .. } => State::Send { to, expression, next: self.goto(nexts) },
            Head::Receive { from, .. } => State::Receive { from, next: self.goto(nexts) },
            Head::Select { to, label, .. } => State::Select { to, label, next: self.goto(nexts) },
            Head::If { condition, .. } => {
                let arms = |take_then: bool| {
                    heads.iter().filter_map(move |&head| match head {
                        Head::If { then, otherwise, .. } => Some(if take_then { then } else { otherwise }),
                        _ => None,
                    })
                };
                // The work is a stack: what comes last is built first.
                let then = self.goto(arms(true));
                let otherwise = self.goto(arms(false));
                State::If { condition, then, otherwise }
            }
            Head::Offer { from, .. } => {
                let mut labels: Vec<(Symbol, NodeId)> = Vec::with_capacity(heads.len());
                labels.extend(heads.iter().filter_map(|&head| match head {
                    Head::Offer { label, next, .. } => Some((label, next)),
                    _ => None,
                }));
                labels.sort_unstable();
                let mut branches: Vec<Branch> = Vec::new();
                for same in labels.chunk_by(|a, b| a.0 == b.0) {
                    let next = self.goto(same.iter().map(|&(_, next)| next));
                    branches.extend(same.first().map(|&(label, _)| Branch { label, next }));
                }
                let all = &mut self.projection.network.branches;
                let start = all.len() as u32;
                all.extend(branches);
                State::Offer { from, branches: ArenaRange { start, end: all.len() as u32 } }
            }
        })
    }
}

fn hash(heads: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    heads.hash(&mut hasher);
    hasher.finish()
}
