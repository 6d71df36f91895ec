//! Projection: what each process has to do for a choreography to come about.
//!
//! A local state is the set of nodes at which the process may be as far as it knows. Where it does not depend on
//! others that is one node, and so it is nearly everywhere. Where others decide and the process is not told, it is
//! several, and these must *merge*: all send the same to the same, or all receive from the same; what follows must
//! merge in turn. Labels from the same process merge whatever they are: that is how a process is told. Sets that are
//! equal are one state, so loops merge as well as text does.
//!
//! A process that takes no part in a loop does what it has to do after it; one that never acts again has stopped, even
//! if others loop forever. So having stopped merges with nothing but having stopped: a process that acts in one
//! branch only has to be told, however long the other branch takes. That is what makes a projection extractable again:
//! nobody waits for what can no longer come. Only a service may wait forever.
//!
//! Of a message that is put into a queue and taken later, each half concerns one process. What is taken is known once
//! the queues are followed, and then merges like what is received at once. A channel becomes a queue if some message
//! on it is put or taken on its own, or in a group; the others stay rendezvous.

use super::hub::{self, Local};
use super::merge::Merging;
use super::unfold::Unfolded;
use super::unprojectable::Unprojectable;
use super::view::{DONE, Head, Part, View};
use super::{Choreography, NodeId};
use crate::limits::{Limits, StopReason};
use crate::network::{self, Branch, Network, Process, ProcessId, State, StateId};
use crate::syntax::{ArenaRange, NetworkTree, Span, Symbol};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::borrow::Cow;
use std::error::Error;
use std::fmt::{Display, Formatter};
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

/// How to project.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProjectOptions<'a> {
    /// The processes that are services: these may wait forever, so what a service would wait for merges with being
    /// done.
    pub services: &'a [ProcessId],
    /// When to give up; the states are the local states of all processes together.
    pub limits: Limits<'a>,
}

/// Why a choreography has not been projected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotProjected {
    /// It has no projection, for these reasons.
    Unprojectable(Vec<Unprojectable>),
    /// A limit was reached before the projection was complete. A projection can be exponentially large.
    Undecided(StopReason),
}

impl NotProjected {
    /// The reasons why there is no projection; none if that is not known.
    pub fn reasons(&self) -> &[Unprojectable] {
        match self {
            NotProjected::Unprojectable(reasons) => reasons,
            NotProjected::Undecided(_) => &[],
        }
    }

    /// The reasons by value.
    pub fn into_reasons(self) -> Vec<Unprojectable> {
        match self {
            NotProjected::Unprojectable(reasons) => reasons,
            NotProjected::Undecided(_) => Vec::new(),
        }
    }
}

impl Display for NotProjected {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            NotProjected::Unprojectable(reasons) => match reasons.as_slice() {
                [] => f.write_str("the choreography has no projection"),
                [one] => write!(f, "{one}"),
                [one, rest @ ..] => write!(f, "{one} (and {} more reasons)", rest.len()),
            },
            NotProjected::Undecided(reason) => write!(f, "undecided: {reason}"),
        }
    }
}

impl Error for NotProjected {}

impl From<StopReason> for NotProjected {
    fn from(reason: StopReason) -> Self {
        NotProjected::Undecided(reason)
    }
}

/// Makes the network that follows a choreography, or says why there isn't one.
///
/// ```
/// use laban::{Compact, ProjectOptions};
///
/// let told = laban::analyse("main { p.x -> q; q.y -> p; stop }").into_choreography()?;
/// let projection = laban::project(&told, &ProjectOptions::default())?;
/// let text = Compact(&projection.tree()).to_string();
/// assert_eq!(text, "p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }");
///
/// let not_told = laban::analyse("main { if p.e then stop else q.y -> p; stop }").into_choreography()?;
/// let refused = laban::project(&not_told, &ProjectOptions::default()).unwrap_err();
/// assert!(refused.reasons()[0].diagnostic(&not_told).message.starts_with("`q` is not told what `p` decides"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn project(choreography: &Choreography, options: &ProjectOptions<'_>) -> Result<Projection, NotProjected> {
    let unfolded = Unfolded::new(Cow::Borrowed(choreography), &options.limits)?;
    project_unfolded(&unfolded, options).map_err(|error| match error {
        NotProjected::Unprojectable(mut reasons) => {
            reasons.iter_mut().for_each(|reason| reason.renumber(|node| unfolded.original(node)));
            reasons.sort_by_key(|reason| choreography.origin(reason.node()).start);
            // What is said of several nodes may be about one place of the text.
            reasons.dedup_by(|one, other| one.node() == other.node() && one.process() == other.process());
            NotProjected::Unprojectable(reasons)
        }
        undecided => undecided,
    })
}

/// Projects a choreography without groups, in which it is known what is taken.
fn project_unfolded(unfolded: &Unfolded<'_>, options: &ProjectOptions<'_>) -> Result<Projection, NotProjected> {
    let choreography = &*unfolded.choreography;
    let parts: Vec<Part> = choreography.starts.iter().map(|&start| Part::new(choreography, start)).collect();
    let never = never(choreography, &parts);
    if !never.is_empty() {
        return Err(NotProjected::Unprojectable(never));
    }
    let mut part_of: Vec<Option<usize>> = vec![None; choreography.processes.len()];
    for (number, part) in parts.iter().enumerate() {
        for process in &part.processes {
            part_of[process.index()] = Some(number);
        }
    }
    let mut failures = Vec::new();
    let mut projection = Projection { network: Network::default(), procedures: Vec::new() };
    for (number, (&name, part)) in choreography.processes.iter().zip(part_of).enumerate() {
        let id = ProcessId(number as u32);
        let service = options.services.contains(&id);
        let first = projection.network.states.len() as u32;
        match part {
            // Named, but only where nothing leads to.
            None => {
                projection.network.states.push(State::Stop);
                projection.network.origins.push(Span::default());
            }
            Some(part) => {
                let mut view = View::new(unfolded, &parts[part], id, Vec::new());
                view.service = service;
                let mut building = Building::new(view, &mut projection, options.limits);
                if !building.run(choreography.starts[part])? {
                    let merging = Merging::new(building.view, options.limits);
                    failures.extend(merging.uninformed(&parts[part])?);
                }
            }
        }
        let end = projection.network.states.len() as u32;
        projection.network.processes.push(Process {
            name,
            span: Span::default(),
            service,
            start: StateId(first),
            states: ArenaRange { start: first, end },
        });
    }
    if !failures.is_empty() {
        return Err(NotProjected::Unprojectable(failures));
    }
    projection.network.names = choreography.names.clone();
    if unfolded.channels.has_queues() {
        projection.network.set_channels(unfolded.channels.clone());
    }
    Ok(projection)
}

/// What has no projection whatever else there is: races without a hub.
pub(super) fn never(choreography: &Choreography, parts: &[Part]) -> Vec<Unprojectable> {
    let nodes = parts.iter().flat_map(|part| &part.nodes).map(|&node| NodeId(node));
    nodes.filter(|&node| hub::is_without(choreography, node)).map(|node| Unprojectable::NoHub { node }).collect()
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
    limits: Limits<'a>,
}

/// How many states are built before it is asked again whether to stop.
const STATES_BETWEEN_QUESTIONS: usize = 256;

const NONE: u32 = u32::MAX;

impl<'a, 'b> Building<'a, 'b> {
    fn new(view: View<'a>, projection: &'b mut Projection, limits: Limits<'a>) -> Self {
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
            limits,
        }
    }

    /// Builds what can be reached from a node; false if something does not merge.
    fn run(&mut self, start: NodeId) -> Result<bool, StopReason> {
        self.goto([start]);
        let most = self.limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        let mut count = 0;
        while let Some(state) = self.work.pop() {
            if count % STATES_BETWEEN_QUESTIONS == 0
                && let Some(reason) = (self.limits.stop)()
            {
                return Err(reason);
            }
            count += 1;
            if self.projection.network.states.len() > most || self.points.len() > u32::MAX as usize / 2 {
                return Err(self.limits.too_many());
            }
            let Some(built) = self.build(state) else { return Ok(false) };
            let index = (self.first + state) as usize;
            self.projection.network.states[index] = built;
        }
        let choreography = self.view.choreography;
        for &(node, name) in &choreography.procedures {
            if let Some(state) = self.find(node) {
                self.projection.procedures.push((StateId(self.first + state), name));
            }
        }
        Ok(true)
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
        let points = &self.points[members.start as usize..members.end as usize];
        let (&first, rest) = points.split_first()?;
        if !rest.iter().all(|&point| self.view.together(first, point)) {
            return None;
        }
        // Of a race not only what comes first, but each two must agree.
        if self.view.has_races() && !each_two(points, |one, other| self.view.together(one, other)) {
            return None;
        }
        let heads: Vec<Head> = points.iter().map(|&point| self.view.head(point)).collect();
        let choreography = self.view.choreography;
        Some(match self.view.head(first) {
            Head::Done | Head::Told { .. } => State::Stop,
            Head::Choose { arms } => {
                let arm = |number: usize| {
                    heads.iter().filter_map(move |&head| match head {
                        Head::Choose { arms } => choreography.arms(arms).get(number).copied(),
                        _ => None,
                    })
                };
                let states = (0..arms.len()).map(|number| self.goto(arm(number))).collect();
                State::Choose { arms: self.arms(states) }
            }
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
            _ if !self.view.has_races() => self.interact(&heads)?,
            _ => self.race(members)?,
        })
    }

    /// What a state does that meets one other process in one way: heads that go together.
    fn interact(&mut self, heads: &[Head]) -> Option<State> {
        let nexts = heads.iter().filter_map(|head| head.next());
        Some(match *heads.first()? {
            Head::Send { to, expression, .. } => State::Send { to, expression, next: self.goto(nexts) },
            Head::Receive { from, .. } => State::Receive { from, next: self.goto(nexts) },
            Head::Select { to, label, .. } => State::Select { to, label, next: self.goto(nexts) },
            Head::SelectValue { to, label, expression, .. } => {
                State::SelectValue { to, label, expression, next: self.goto(nexts) }
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
            Head::Done | Head::If { .. } | Head::Choose { .. } | Head::Any { .. } | Head::Told { .. } => State::Stop,
        })
    }

    /// What a state does that meets others in one way or several: points that go together.
    fn race(&mut self, members: ArenaRange) -> Option<State> {
        let choreography = self.view.choreography;
        let mut nodes: Vec<u32> = Vec::new();
        for &point in &self.points[members.start as usize..members.end as usize] {
            match self.view.head(point) {
                Head::Any { items } => nodes.extend(choreography.arms(items).iter().map(|item| item.0)),
                Head::Done => {}
                _ => nodes.push(point),
            }
        }
        // The ways, in the order of the text, each with the nodes at which it is taken.
        let mut ways: Vec<(Local, Vec<Head>)> = Vec::new();
        let mut places: FxHashMap<Local, usize> = FxHashMap::default();
        let mut origins: Vec<Span> = Vec::new();
        for node in nodes {
            let Some(local) = self.view.local(node).map(Local::shape) else { continue };
            let place = *places.entry(local).or_insert_with(|| {
                ways.push((local, Vec::new()));
                origins.push(choreography.origin(NodeId(node)));
                ways.len() - 1
            });
            ways[place].1.push(self.view.head(node));
        }
        if let [(_, heads)] = ways.as_slice() {
            return self.interact(heads);
        }
        let mut states = Vec::with_capacity(ways.len());
        for ((_, heads), origin) in ways.iter().zip(origins) {
            let item = self.interact(heads)?;
            states.push(StateId(self.first + self.members.len() as u32));
            self.members.push(ArenaRange::default());
            self.projection.network.states.push(item);
            self.projection.network.origins.push(origin);
        }
        Some(State::Any { items: self.arms(states) })
    }

    fn arms(&mut self, states: Vec<StateId>) -> ArenaRange {
        let all = &mut self.projection.network.arms;
        let start = all.len() as u32;
        all.extend(states);
        ArenaRange { start, end: all.len() as u32 }
    }
}

/// Whether each two of some points are in a relation.
fn each_two(points: &[u32], related: impl Fn(u32, u32) -> bool) -> bool {
    points.iter().enumerate().all(|(number, &one)| points[number + 1..].iter().all(|&other| related(one, other)))
}

fn hash(heads: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    heads.hash(&mut hasher);
    hasher.finish()
}
