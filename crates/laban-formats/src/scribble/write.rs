//! Choreographies as protocols of Scribble and nuScr.
//!
//! Both want each branch of a choice to begin with a message of the role that decides, and know no races and no queues
//! that one could see: what is otherwise is refused. Why a role decides is kept as a comment. Scribble has messages
//! without labels for values; nuScr does not, so that values get a label of their own there.

use super::names::{Names, fresh};
use super::simplify::simplified;
use super::structure::Structure;
use crate::flat::Unsayable;
use laban::Choreography;
use laban::choreography::{Node, NodeId, read_off_named};
use laban::syntax::{ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Name, Symbol, Term, TermId};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Deeper blocks are not indented further.
const DEEPEST: usize = 30;

/// Writes a choreography as a module of Scribble with a protocol of this name.
///
/// ```
/// let text = "main { if buyer.ok then buyer -> seller[pay]; stop else buyer -> seller[quit]; stop }";
/// let choreography = laban::analyse(text).into_choreography().expect("there are no errors");
/// let scribble = laban_formats::write_scribble(&choreography, "Sale").expect("Scribble can say it");
/// assert!(scribble.contains("choice at buyer {"));
/// ```
pub fn write_scribble(choreography: &Choreography, name: &str) -> Result<String, Unsayable> {
    Writer::new(&simplified(choreography), false)?.write(name)
}

/// Writes a choreography as a protocol of nuScr of this name.
pub fn write_nuscr(choreography: &Choreography, name: &str) -> Result<String, Unsayable> {
    Writer::new(&simplified(choreography), true)?.write(name)
}

/// Complains about what cannot be said.
fn check(choreography: &Choreography) -> Result<(), Unsayable> {
    let name = |process| choreography.process_name(process).to_string();
    let unsayable = |process, what: &str| Err(Unsayable { process: name(process), what: what.to_string() });
    if choreography.processes().is_empty() {
        return Err(Unsayable { process: "main".into(), what: "nobody who takes part".into() });
    }
    if let Some(&start) = choreography.starts().get(1) {
        let what = "a part that has nothing to do with the others";
        return match choreography.node(start) {
            Node::Interaction { interaction, .. } => unsayable(interaction.from, what),
            Node::If { process, .. } | Node::Choose { process, .. } => unsayable(process, what),
            _ => Err(Unsayable { process: "main".into(), what: what.into() }),
        };
    }
    for id in reached(choreography) {
        let decider = match choreography.node(id) {
            Node::Stop | Node::Interaction { .. } => continue,
            Node::Group { members, .. } => {
                let from = choreography.members(members).first().map(|member| member.from);
                return unsayable(from.unwrap_or(laban::network::ProcessId(0)), "messages that cross each other");
            }
            Node::Put { interaction, .. } => return unsayable(interaction.from, "a message that waits in a queue"),
            Node::Take { to, .. } => return unsayable(to, "a message that waits in a queue"),
            Node::Any { items } => {
                let first = choreography.arms(items).first().map(|&item| choreography.node(item));
                let process = match first {
                    Some(Node::Interaction { interaction, .. } | Node::Put { interaction, .. }) => interaction.from,
                    Some(Node::If { process, .. } | Node::Choose { process, .. }) => process,
                    _ => laban::network::ProcessId(0),
                };
                return unsayable(process, "a race (`any`)");
            }
            Node::If { process, .. } | Node::Choose { process, .. } => process,
        };
        for next in choreography.successors(id) {
            let begins_well = match choreography.node(next) {
                Node::Interaction { interaction, .. } => interaction.from == decider,
                Node::If { process, .. } | Node::Choose { process, .. } => process == decider,
                _ => false,
            };
            if !begins_well {
                return unsayable(decider, "a decision with a branch that does not begin with a message of its own");
            }
        }
    }
    match deciding_forever(choreography) {
        Some(process) => unsayable(process, "a decision that leads back to itself without a message"),
        None => Ok(()),
    }
}

/// All nodes that can be reached.
fn reached(choreography: &Choreography) -> Vec<NodeId> {
    let mut order = choreography.starts().to_vec();
    let mut met: HashSet<NodeId> = order.iter().copied().collect();
    let mut done = 0;
    while let Some(&id) = order.get(done) {
        order.extend(choreography.successors(id).filter(|&next| met.insert(next)));
        done += 1;
    }
    order
}

/// Who may decide forever.
fn deciding_forever(choreography: &Choreography) -> Option<laban::network::ProcessId> {
    let decider = |id: NodeId| match choreography.node(id) {
        Node::If { process, .. } | Node::Choose { process, .. } => Some(process),
        _ => None,
    };
    let ids = reached(choreography);
    let mut incoming = vec![0u32; choreography.nodes().len()];
    for &id in ids.iter().filter(|&&id| decider(id).is_some()) {
        choreography.successors(id).for_each(|next| incoming[next.index()] += 1);
    }
    let mut work: Vec<NodeId> = ids.iter().copied().filter(|id| incoming[id.index()] == 0).collect();
    let mut is_done = vec![false; incoming.len()];
    while let Some(id) = work.pop() {
        is_done[id.index()] = true;
        if decider(id).is_some() {
            for next in choreography.successors(id) {
                incoming[next.index()] -= 1;
                if incoming[next.index()] == 0 {
                    work.push(next);
                }
            }
        }
    }
    ids.into_iter().filter(|id| !is_done[id.index()]).find_map(decider)
}

/// A choreography that is being written.
struct Writer<'a> {
    choreography: &'a Choreography,
    is_nuscr: bool,
    tree: ChoreographyTree,
    names: Names,
    /// What is written by itself: the whole, and then each procedure.
    bodies: Vec<TermId>,
    by_name: HashMap<Symbol, usize>,
    structure: Structure,
    /// For each body, the names of the roles that take part in it and in what it calls, by number.
    roles: Vec<Vec<bool>>,
    protocol_names: Vec<String>,
    text: String,
}

/// What is still to be written.
enum Step {
    /// A term of a body.
    Term(TermId, usize, usize),
    /// A line.
    Line(&'static str, usize),
}

impl<'a> Writer<'a> {
    fn new(choreography: &'a Choreography, is_nuscr: bool) -> Result<Self, Unsayable> {
        check(choreography)?;
        let tree = read_off_named(choreography);
        let mut bodies = Vec::new();
        let mut by_name = HashMap::new();
        for unit in &tree.units {
            bodies.extend(unit.mains.iter().map(|main| main.body));
            for procedure in &unit.procedures {
                by_name.insert(procedure.name.symbol, bodies.len());
                bodies.push(procedure.body);
            }
        }
        let role_numbers: HashMap<Symbol, usize> =
            choreography.processes().iter().enumerate().map(|(number, &process)| (process, number)).collect();
        let mut calls = Vec::new();
        let mut roles = Vec::new();
        for &body in &bodies {
            let mut called = Vec::new();
            let mut taking_part = vec![false; choreography.processes().len()];
            let mut take_part = |name: Name| {
                if let Some(slot) = role_numbers.get(&name.symbol).and_then(|&role| taking_part.get_mut(role)) {
                    *slot = true;
                }
            };
            let mut work = vec![body];
            while let Some(term) = work.pop() {
                match tree.term(term) {
                    Term::Call(name) => called.extend(by_name.get(&name.symbol)),
                    Term::Act(action, next) => {
                        if let GlobalAction::Interaction(interaction) = action {
                            let (from, to) = ends(interaction);
                            take_part(from);
                            take_part(to);
                        }
                        work.push(next);
                    }
                    Term::Fork(fork, arms) => {
                        if let GlobalFork::If { process, .. } | GlobalFork::Choose { process } = fork {
                            take_part(process);
                        }
                        work.extend(arms.of(&tree.arms).iter().rev().map(|arm| arm.body));
                    }
                    Term::Stop | Term::Missing => {}
                }
            }
            calls.push(called);
            roles.push(taking_part);
        }
        spread(&calls, &mut roles);
        let names = Names::new(choreography);
        let structure = Structure::new(&calls);
        let text = String::new();
        let protocol_names = vec![String::new(); bodies.len()];
        Ok(Writer { choreography, is_nuscr, tree, names, bodies, by_name, structure, roles, protocol_names, text })
    }

    fn write(mut self, name: &str) -> Result<String, Unsayable> {
        self.name_protocols(if name.is_empty() { "Protocol" } else { name });
        if !self.is_nuscr {
            self.declarations();
        }
        for body in 0..self.bodies.len() {
            if body > 0 && self.structure.is_loop[body] {
                continue;
            }
            if body > 0 {
                self.text.push('\n');
            }
            let auxiliary = if body > 0 { "aux " } else { "" };
            let roles: Vec<String> = self.role_names(body, body == 0).map(|role| format!("role {role}")).collect();
            let protocol = &self.protocol_names[body];
            let _ = writeln!(self.text, "{auxiliary}global protocol {protocol}({}) {{", roles.join(", "));
            self.body(body);
            self.text.push_str("}\n");
        }
        Ok(self.text)
    }

    /// Names for all bodies, each of which is a protocol or a loop.
    fn name_protocols(&mut self, name: &str) {
        let mut taken = HashSet::new();
        let mut names = vec![name.to_string(); self.bodies.len()];
        for procedure in self.tree.units.iter().flat_map(|unit| &unit.procedures) {
            if let Some(&body) = self.by_name.get(&procedure.name.symbol) {
                names[body] = self.tree.text(procedure.name).to_string();
            }
        }
        for (body, wished) in names.iter().enumerate() {
            let name = fresh(wished, &taken);
            taken.insert(name.clone());
            self.protocol_names[body] = name;
        }
    }

    /// The module, and the types of what is sent.
    fn declarations(&mut self) {
        let _ = writeln!(self.text, "module {};\n", self.protocol_names[0]);
        let mut met = HashSet::new();
        for node in self.choreography.nodes() {
            let Node::Interaction { interaction, .. } = node else { continue };
            let sort = match interaction.content.label() {
                Some(label) => self.names.carried(self.choreography, label),
                None => interaction.content.value().map(|value| self.names.value(self.choreography.text(value))),
            };
            if let Some(sort) = sort.filter(|&sort| met.insert(sort)) {
                let _ = writeln!(self.text, "type <laban> \"{sort}\" from \"{sort}\" as {sort};");
            }
        }
        if !met.is_empty() {
            self.text.push('\n');
        }
    }

    /// The roles of a body; of the whole, all of them.
    fn role_names(&self, body: usize, all: bool) -> impl Iterator<Item = &str> {
        let processes = self.choreography.processes().iter().zip(&self.roles[body]);
        let names = processes.filter(move |&(_, &takes_part)| all || takes_part);
        names.map(|(&process, _)| self.names.role(self.choreography.text(process)))
    }

    fn indent(&mut self, depth: usize) {
        self.text.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
    }

    fn body(&mut self, body: usize) {
        let mut work = vec![Step::Term(self.bodies[body], body, 1)];
        while let Some(step) = work.pop() {
            match step {
                Step::Line(line, depth) => {
                    self.indent(depth);
                    self.text.push_str(line);
                    self.text.push('\n');
                }
                Step::Term(term, body, depth) => self.term(term, body, depth, &mut work),
            }
        }
    }

    fn term(&mut self, term: TermId, body: usize, depth: usize, work: &mut Vec<Step>) {
        match self.tree.term(term) {
            Term::Stop | Term::Missing => {}
            Term::Call(name) => {
                let Some(&called) = self.by_name.get(&name.symbol) else { return };
                self.indent(depth);
                let protocol = &self.protocol_names[called];
                if !self.structure.is_loop[called] {
                    let roles: Vec<&str> = self.role_names(called, false).collect();
                    let line = format!("do {protocol}({});\n", roles.join(", "));
                    self.text.push_str(&line);
                } else if self.structure.is_inside(body, called) {
                    let _ = writeln!(self.text, "continue {protocol};");
                } else {
                    let _ = writeln!(self.text, "rec {protocol} {{");
                    work.push(Step::Line("}", depth));
                    work.push(Step::Term(self.bodies[called], called, depth + 1));
                }
            }
            Term::Act(action, next) => {
                if let GlobalAction::Interaction(interaction) = action {
                    self.indent(depth);
                    self.message(interaction);
                }
                work.push(Step::Term(next, body, depth));
            }
            Term::Fork(fork, arms) => {
                let arms: Vec<TermId> = arms.of(&self.tree.arms).iter().map(|arm| arm.body).collect();
                let (process, comment) = match fork {
                    GlobalFork::If { process, condition } => (process, comment(self.tree.text(condition))),
                    GlobalFork::Choose { process } => (process, String::new()),
                    GlobalFork::Any => return,
                };
                if let [only] = arms[..] {
                    work.push(Step::Term(only, body, depth));
                    return;
                }
                self.indent(depth);
                let decider = self.names.role(self.tree.text(process));
                let _ = writeln!(self.text, "choice at {decider} {{{comment}");
                work.push(Step::Line("}", depth));
                for (number, &arm) in arms.iter().enumerate().rev() {
                    work.push(Step::Term(arm, body, depth + 1));
                    if number > 0 {
                        work.push(Step::Line("} or {", depth));
                    }
                }
            }
        }
    }

    fn message(&mut self, interaction: GlobalInteraction) {
        let (from, to) = ends(interaction);
        let (from, to) = (self.tree.text(from), self.tree.text(to));
        let (from, to) = (self.names.role(from).to_string(), self.names.role(to).to_string());
        let (label, value) = match interaction {
            GlobalInteraction::Communicate { expression, .. } => (None, Some(expression)),
            GlobalInteraction::Select { label, .. } => (Some(label), None),
            GlobalInteraction::SelectValue { content, .. } => {
                let content = self.tree.labelled(content);
                (Some(content.label), Some(content.expression))
            }
        };
        let value = value.map(|value| self.tree.text(value));
        let (label, sort) = match label {
            Some(label) => {
                let sort = self.names.carried(self.choreography, label.symbol).unwrap_or("");
                (self.names.label(self.tree.text(label)), sort)
            }
            // The same label always has the same type.
            None if self.is_nuscr => (self.names.value_label.as_str(), self.names.any_type.as_str()),
            None => ("", value.map_or("", |value| self.names.value(value))),
        };
        let named = value.map_or("", |value| self.names.value(value));
        let payload = match sort {
            "" => String::new(),
            _ if self.is_nuscr && sort != named => format!("{named}: {sort}"),
            _ => sort.to_string(),
        };
        let is_said = |value: &str| !sort.is_empty() && (value == sort || self.is_nuscr && value == named);
        let comment = value.filter(|&value| !is_said(value)).map_or(String::new(), comment);
        let line = format!("{label}({payload}) from {from} to {to};{comment}\n");
        self.text.push_str(&line);
    }
}

/// Who sends and who receives.
fn ends(interaction: GlobalInteraction) -> (Name, Name) {
    match interaction {
        GlobalInteraction::Communicate { from, to, .. }
        | GlobalInteraction::Select { from, to, .. }
        | GlobalInteraction::SelectValue { from, to, .. } => (from, to),
    }
}

/// A text as a comment to the end of the line.
fn comment(text: &str) -> String {
    format!(" // {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Lets the roles of what a body calls take part in it, too.
fn spread(calls: &[Vec<usize>], roles: &mut [Vec<bool>]) {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for (caller, called) in calls.iter().enumerate() {
        called.iter().for_each(|&body| callers[body].push(caller));
    }
    let mut work: Vec<usize> = (0..calls.len()).collect();
    while let Some(body) = work.pop() {
        for &caller in callers[body].iter().filter(|&&caller| caller != body) {
            let mut changed = false;
            for role in 0..roles[body].len() {
                if roles[body][role] && !roles[caller][role] {
                    roles[caller][role] = true;
                    changed = true;
                }
            }
            if changed {
                work.push(caller);
            }
        }
    }
}
