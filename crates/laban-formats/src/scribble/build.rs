//! From protocols as they are written to a graph: sub-protocols are written out, with their roles.
//!
//! What follows a block is shared by everything that leads to its end, so the graph has about as many nodes as there
//! are statements. A sub-protocol is written out once for each list of roles and each place to go on at. If a protocol
//! calls itself and goes on afterwards, the places to go on at would pile up forever: each of them is one of finitely
//! many places in the text, so a pile that is higher than their number holds one of them twice, and will again.

use super::choices;
use super::parallel;
use super::resolve::{MOST_HINTS, Protocols};
use super::tree::{Call, Item, Name, PayloadElement, Signature, Tree};
use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use crate::system::{Message, Payload, Word};
use laban::diagnostic::{Code, Diagnostic, closest, quote};
use laban::text::Span;
use std::collections::{HashMap, HashSet};

/// A protocol that takes more steps than this to write out, and than there are statements a few times over, is not.
const MANY_STEPS: usize = 500_000;

/// A protocol with roles and arguments for its parameters.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
struct Instance {
    protocol: usize,
    roles: Vec<usize>,
    /// The label and, if there are parentheses, what comes with it.
    arguments: Vec<(String, Option<(String, String)>)>,
}

/// Where one is: in an instance of a protocol, and what follows the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Context {
    instance: usize,
    /// Loops are those of this way through the instance.
    frame: usize,
    after: Option<usize>,
    /// How many places to go on at are waiting.
    depth: usize,
}

/// A place to go on at.
struct Continuation {
    block: usize,
    index: usize,
    context: Context,
    node: Option<usize>,
}

/// A node that is to be filled in, and with what.
type Work = (usize, usize, usize, Context);

pub(super) struct Builder<'b, 't, 'a> {
    tree: &'t Tree<'a>,
    protocols: &'b Protocols<'t, 'a>,
    report: &'b mut Report,
    built: Protocol,
    instances: Vec<Instance>,
    instance_numbers: HashMap<Instance, usize>,
    /// For each protocol that was met, its roles and its parameters by name.
    role_numbers: HashMap<usize, HashMap<&'a str, usize>>,
    parameter_numbers: HashMap<usize, HashMap<&'a str, usize>>,
    continuations: Vec<Continuation>,
    /// The places in the text of all continuations, with the instance.
    places: HashSet<(usize, usize, usize)>,
    calls: HashMap<(usize, Option<usize>), usize>,
    loops: HashMap<(usize, usize), usize>,
    frames: usize,
    /// For each block, how many of its statements are reached; nothing if it is not.
    reached: Vec<Option<usize>>,
    work: Vec<Work>,
    /// Whether it is the protocol of one role.
    is_local: bool,
    /// When it is given up to write sub-protocols out.
    most_steps: usize,
    /// How much was looked at in parts that run side by side.
    looked_at: usize,
    /// Whether the graph would have no end.
    is_endless: bool,
}

/// The graph of a protocol.
pub(super) fn build<'a>(
    tree: &Tree<'a>,
    protocols: &Protocols<'_, 'a>,
    chosen: usize,
    report: &mut Report,
) -> Protocol {
    let declared = &tree.protocols[chosen];
    let roles: Vec<Word> = declared.roles.iter().map(|role| Word::new(role.text, role.span)).collect();
    let built = Protocol { name: declared.name.text.to_string(), roles, ..Protocol::default() };
    let mut builder = Builder {
        tree,
        protocols,
        report,
        built,
        instances: Vec::new(),
        instance_numbers: HashMap::new(),
        role_numbers: HashMap::new(),
        parameter_numbers: HashMap::new(),
        continuations: Vec::new(),
        places: HashSet::new(),
        calls: HashMap::new(),
        loops: HashMap::new(),
        frames: 0,
        reached: vec![None; tree.blocks.len()],
        work: Vec::new(),
        is_local: declared.is_local,
        most_steps: MANY_STEPS + 8 * tree.blocks.iter().map(|items| 1 + items.len()).sum::<usize>(),
        looked_at: 0,
        is_endless: false,
    };
    builder.run(chosen);
    builder.built
}

impl<'a> Builder<'_, '_, 'a> {
    fn run(&mut self, chosen: usize) {
        let tree = self.tree;
        let declared = &tree.protocols[chosen];
        let arguments = declared.parameters.iter().map(|parameter| (parameter.text.to_string(), None)).collect();
        let roles = (0..declared.roles.len()).collect();
        let Some(context) = self.enter(Instance { protocol: chosen, roles, arguments }, None, 0) else { return };
        // Parts that run side by side from the beginning to the end stay parts.
        let starts = match &tree.blocks[declared.body][..] {
            [Item::Parallel { span, parts }] => {
                self.reached[declared.body] = Some(1);
                if !self.are_independent(*span, parts) {
                    return;
                }
                parts.clone()
            }
            _ => vec![declared.body],
        };
        for &block in &starts {
            let node = self.node(declared.name.span);
            self.built.starts.push(node);
            if block == declared.body {
                self.calls.insert((context.instance, None), node);
                self.built.nodes[node].name = declared.name.text.to_string();
            }
            self.work.push((node, block, 0, context));
        }
        self.work.reverse();
        let mut steps = 0;
        while let Some(work) = self.work.pop() {
            steps += 1;
            if steps > self.most_steps {
                let message = "the protocol is too large once its sub-protocols are written out";
                self.report.add(Diagnostic::new(Code::TooLong, declared.name.span, message));
                return;
            }
            let (node, block, index, context) = work;
            if self.fill(work).is_none() {
                if self.is_endless {
                    return;
                }
                // What has something wrong is left out, so that what follows is looked at, too.
                self.work.push((node, block, index + 1, context));
            }
        }
        if self.report.has_errors() {
            return;
        }
        self.refuse_unreachable();
        if !self.is_local {
            choices::remark_choices(&self.built, self.report);
        }
    }

    fn node(&mut self, span: Span) -> usize {
        self.built.add(span, GlobalStep::End)
    }

    /// Fills in a node with the next statement. Nothing if there is something wrong with it.
    fn fill(&mut self, (node, block, index, context): Work) -> Option<()> {
        let tree = self.tree;
        let items = &tree.blocks[block];
        let reached = &mut self.reached[block];
        *reached = (*reached).max(Some((index + 1).min(items.len())));
        let Some(item) = items.get(index) else {
            let Some(after) = context.after else { return Some(()) };
            let continuation = &mut self.continuations[after];
            if let Some(known) = continuation.node {
                self.built.nodes[node].step = GlobalStep::Goto(known);
            } else {
                continuation.node = Some(node);
                self.work.push((node, continuation.block, continuation.index, continuation.context));
            }
            return Some(());
        };
        self.built.nodes[node].span = item.span();
        match item {
            Item::Message { span, message, from, to } => {
                let from = self.role(*from, context);
                let receivers: Vec<Option<usize>> = to.iter().map(|&to| self.role(to, context)).collect();
                let receivers: Option<Vec<usize>> = receivers.into_iter().collect();
                let message = self.message(message, context);
                let (from, receivers, message) = (from?, receivers?, message?);
                let mut at = node;
                for to in receivers {
                    let next = self.node(*span);
                    self.built.nodes[at].step = GlobalStep::Message { from, to, message: message.clone(), next };
                    at = next;
                }
                self.work.push((at, block, index + 1, context));
            }
            Item::Choice { at, branches, .. } => {
                // The branches are looked at even if nobody knows who decides.
                let decider = self.role(*at, context).unwrap_or(0);
                let inside = self.inside(block, index, context, item.span())?;
                if let [only] = branches[..] {
                    self.work.push((node, only, 0, inside));
                    return Some(());
                }
                let nodes: Vec<usize> = branches.iter().map(|_| self.node(item.span())).collect();
                let works = nodes.iter().zip(branches).rev().map(|(&node, &branch)| (node, branch, 0, inside));
                self.work.extend(works);
                self.built.nodes[node].step = GlobalStep::Choice { decider, guards: Vec::new(), branches: nodes };
            }
            Item::Parallel { span, parts } => {
                if !self.are_independent(*span, parts) {
                    return None;
                }
                let mut inside = self.inside(block, index, context, *span)?;
                if let [only] = parts[..] {
                    self.work.push((node, only, 0, inside));
                    return Some(());
                }
                // Who has nothing to do with each other can act in any order. What may go on forever comes last.
                let protocol = self.instances[context.instance].protocol;
                let goes_on = |&part: &usize| parallel::may_go_on(tree, self.protocols, protocol, part);
                let (endless, mut parts): (Vec<usize>, Vec<usize>) = parts.iter().copied().partition(goes_on);
                if endless.len() > 1 || endless.len() == 1 && inside.after.is_some() {
                    let hint = "let these parts be all of the protocol, or end them before the others go on";
                    self.report.inexpressible(*span, "a `par` with loops in it, in the middle of a protocol,", hint);
                    return None;
                }
                parts.extend(endless);
                for &part in parts[1..].iter().rev() {
                    inside = self.before(part, 0, inside, *span)?;
                }
                self.work.push((node, parts[0], 0, inside));
            }
            Item::Loop { name, number, body } => {
                let inside = self.inside(block, index, context, name.span)?;
                self.loops.insert((context.frame, *number), node);
                self.built.nodes[node].name = name.text.to_string();
                self.work.push((node, *body, 0, inside));
            }
            Item::Continue { name, target, .. } => {
                let known = target.and_then(|target| self.loops.get(&(context.frame, target)).copied());
                let Some(known) = known else {
                    let message = format!("there is no loop {} around this", quote(name.text));
                    let diagnostic = Diagnostic::new(Code::UnknownProcedure, name.span, message);
                    self.report.add(diagnostic.label("no `rec` around this has this name"));
                    return None;
                };
                self.built.nodes[node].step = GlobalStep::Goto(known);
            }
            Item::Do(call) => {
                let instance = self.called(call, context)?;
                let inside = self.inside(block, index, context, call.span)?;
                let number = self.instance(instance);
                if let Some(&known) = self.calls.get(&(number, inside.after)) {
                    self.built.nodes[node].step = GlobalStep::Goto(known);
                    return Some(());
                }
                let Instance { protocol, .. } = self.instances[number];
                let next = self.enter_number(number, inside.after, inside.depth)?;
                self.calls.insert((number, inside.after), node);
                self.built.nodes[node].name = tree.protocols[protocol].name.text.to_string();
                self.work.push((node, tree.protocols[protocol].body, 0, next));
            }
            Item::Refused(refused) => {
                self.report.inexpressible(refused.span, refused.what, refused.hint);
                return None;
            }
        }
        Some(())
    }

    /// The context of a block that is a statement, or a part of one.
    fn inside(&mut self, block: usize, index: usize, context: Context, span: Span) -> Option<Context> {
        if index + 1 == self.tree.blocks[block].len() {
            return Some(context);
        }
        self.before(block, index + 1, context, span)
    }

    /// The context of something that a place follows.
    fn before(&mut self, block: usize, index: usize, context: Context, span: Span) -> Option<Context> {
        let depth = context.depth + 1;
        self.places.insert((block, index, context.instance));
        if depth > self.places.len() {
            let name = self.tree.protocols[self.instances[context.instance].protocol].name;
            let message =
                format!("{} calls itself and goes on afterwards: no finite choreography does this", quote(name.text));
            let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("something follows this");
            self.report.add(diagnostic.hint("let nothing follow the call, or write a loop with `rec` and `continue`"));
            self.is_endless = true;
            return None;
        }
        self.continuations.push(Continuation { block, index, context, node: None });
        Some(Context { after: Some(self.continuations.len() - 1), depth, ..context })
    }

    fn instance(&mut self, instance: Instance) -> usize {
        if let Some(&known) = self.instance_numbers.get(&instance) {
            return known;
        }
        self.instances.push(instance.clone());
        self.instance_numbers.insert(instance, self.instances.len() - 1);
        self.instances.len() - 1
    }

    fn enter(&mut self, instance: Instance, after: Option<usize>, depth: usize) -> Option<Context> {
        let number = self.instance(instance);
        self.enter_number(number, after, depth)
    }

    /// A new way through an instance.
    fn enter_number(&mut self, instance: usize, after: Option<usize>, depth: usize) -> Option<Context> {
        let protocol = self.instances[instance].protocol;
        let declared = &self.tree.protocols[protocol];
        if let Some(refused) = declared.refused {
            self.report.inexpressible(refused.span, refused.what, refused.hint);
            return None;
        }
        if declared.is_local && !self.is_local {
            let hint = "give the global protocol, or the automata of all roles";
            self.report.inexpressible(declared.name.span, "the protocol of one role (`local protocol`)", hint);
            return None;
        }
        let numbered =
            |names: &[Name<'a>]| names.iter().enumerate().map(|(number, name)| (name.text, number)).collect();
        self.role_numbers.entry(protocol).or_insert_with(|| numbered(&declared.roles));
        self.parameter_numbers.entry(protocol).or_insert_with(|| numbered(&declared.parameters));
        self.frames += 1;
        Some(Context { instance, frame: self.frames, after, depth })
    }

    /// The number of a role.
    fn role(&mut self, role: Name<'_>, context: Context) -> Option<usize> {
        let instance = &self.instances[context.instance];
        let found = self.role_numbers.get(&instance.protocol).and_then(|numbers| numbers.get(role.text));
        let number = found.and_then(|&number| instance.roles.get(number)).copied();
        if number.is_none() {
            let declared = &self.tree.protocols[instance.protocol];
            let message = format!("{} has no role {}", quote(declared.name.text), quote(role.text));
            let mut diagnostic = Diagnostic::new(Code::UnknownProcess, role.span, message).label("unknown role");
            if self.report.diagnostics.len() < MOST_HINTS
                && let Some(close) = closest(role.text, declared.roles.iter().map(|role| role.text))
            {
                diagnostic = diagnostic.hint(format!("perhaps {} is meant", quote(close)));
            }
            self.report.add(diagnostic);
        }
        number
    }

    /// What a parameter stands for.
    fn argument(&self, name: &str, context: Context) -> Option<&(String, Option<(String, String)>)> {
        let instance = &self.instances[context.instance];
        let number = self.parameter_numbers.get(&instance.protocol)?.get(name)?;
        instance.arguments.get(*number)
    }

    fn message(&mut self, signature: &Signature<'a>, context: Context) -> Option<Message> {
        let (label, payload) = self.signature(signature, context)?;
        Some(Message { label, payload: payload.map(|(text, sort)| Payload { text, sort }) })
    }

    /// A message without parameters: its label, and the text and sort of what comes with it.
    fn signature(&mut self, signature: &Signature<'a>, context: Context) -> Option<(String, Option<(String, String)>)> {
        let label = signature.label.map_or("", |label| label.text);
        if !signature.is_literal {
            let argument = self.argument(label, context).cloned();
            return Some(argument.unwrap_or_else(|| (label.to_string(), None)));
        }
        if let Some(delegated) = signature.payload.iter().find(|element| element.is_delegated) {
            self.report.inexpressible(
                delegated.span,
                "a session that is passed on (delegation)",
                "send a value instead",
            );
            return None;
        }
        let sort = |element: &PayloadElement<'a>| match self.argument(element.sort, context) {
            Some((name, _)) => name.clone(),
            None => element.sort.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        let sorts: Vec<String> = signature.payload.iter().map(sort).collect();
        let texts: Vec<&str> = signature
            .payload
            .iter()
            .zip(&sorts)
            .map(|(element, sort)| element.name.map_or(sort.as_str(), |name| name.text))
            .collect();
        let payload = (!sorts.is_empty()).then(|| (texts.join(", "), sorts.join(", ")));
        Some((label.to_string(), payload))
    }

    /// The instance that a call leads to.
    fn called(&mut self, call: &Call<'a>, context: Context) -> Option<Instance> {
        let caller = self.instances[context.instance].protocol;
        let protocol = self.protocols.called(caller, call, self.report)?;
        let declared = &self.tree.protocols[protocol];
        let given: Vec<Option<usize>> = call.roles.iter().map(|&(role, _)| self.role(role, context)).collect();
        let given: Vec<usize> = given.into_iter().collect::<Option<_>>()?;
        let wrong = |what: &str, wanted: usize, found: usize| {
            let message = format!("{} has {wanted} {what}, and {found} are given", quote(declared.name.text));
            let diagnostic = Diagnostic::new(Code::Syntax, call.span, message).label(format!("{found} {what}"));
            diagnostic.at(declared.name.span, format!("{wanted} {what}"))
        };
        if given.len() != declared.roles.len() {
            self.report.add(wrong("roles", declared.roles.len(), given.len()));
            return None;
        }
        if call.arguments.len() != declared.parameters.len() {
            self.report.add(wrong("parameters", declared.parameters.len(), call.arguments.len()));
            return None;
        }
        // Those that are named first; the others take the places that are left.
        let mut places: Vec<Option<usize>> = vec![None; declared.roles.len()];
        for (&number, &(_, parameter)) in given.iter().zip(&call.roles) {
            let Some(parameter) = parameter else { continue };
            let own = declared.own_role.filter(|_| parameter.text == "self");
            let wanted = own.map_or(parameter.text, |own| own.text);
            let Some(place) = declared.roles.iter().position(|role| role.text == wanted) else {
                let message = format!("{} has no role {}", quote(declared.name.text), quote(wanted));
                self.report.add(Diagnostic::new(Code::UnknownProcess, parameter.span, message).label("unknown role"));
                return None;
            };
            places[place] = Some(number);
        }
        let mut others = given.iter().zip(&call.roles).filter(|(_, (_, parameter))| parameter.is_none());
        let roles: Vec<usize> =
            places.into_iter().filter_map(|place| place.or_else(|| others.next().map(|(&number, _)| number))).collect();
        if roles.len() < declared.roles.len() {
            let message = format!("two roles are given for one of {}", quote(declared.name.text));
            self.report.add(Diagnostic::new(Code::DuplicateProcess, call.span, message).label("here"));
            return None;
        }
        let mut met = HashSet::new();
        if let Some((place, _)) = roles.iter().enumerate().find(|&(_, role)| !met.insert(role)) {
            let (role, _) = call.roles[place.min(call.roles.len() - 1)];
            let message = format!("{} is given for two roles of {}", quote(role.text), quote(declared.name.text));
            self.report.add(Diagnostic::new(Code::DuplicateProcess, role.span, message).label("again"));
            return None;
        }
        let arguments: Option<Vec<_>> =
            call.arguments.iter().map(|argument| self.signature(argument, context)).collect();
        Some(Instance { protocol, roles, arguments: arguments? })
    }

    /// Whether parts have no role in common; complains if they do.
    fn are_independent(&mut self, span: Span, parts: &[usize]) -> bool {
        if parts.len() < 2 {
            return true;
        }
        let (answer, looked_at) = parallel::are_independent(self.tree, span, parts, self.report);
        self.looked_at += looked_at;
        if self.looked_at > self.most_steps {
            self.report.inexpressible(span, "a `par` with so many others in it", "write fewer of them inside others");
            return false;
        }
        answer
    }

    /// Complains about statements that nothing leads to.
    fn refuse_unreachable(&mut self) {
        for (items, reached) in self.tree.blocks.iter().zip(&self.reached) {
            let Some(item) = reached.and_then(|reached| items.get(reached)) else { continue };
            let diagnostic = Diagnostic::new(Code::AfterEnd, item.span(), "this is never reached");
            self.report
                .add(diagnostic.label("what is before this never ends").hint("delete it, or move it into a branch"));
        }
    }
}
