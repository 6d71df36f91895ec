//! Random choreographies, written down from their shape.

use super::paper_amendment::informed;
use super::parameters::{Parameters, Refusal};
use super::queues::{Sending, Waiting};
use super::shape::{After, Shape};
use crate::random::SeededRng;
use crate::syntax::{
    ArenaRange, Arm, ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Main, Name, Names, Procedure, Span,
    Symbol, Term, TermId, Tree, Unit,
};

/// What the numbers of a generator's seed are for.
const PURPOSE: u64 = 1;

/// A random choreography, as section 5.2 of the paper makes them; see the [module](super).
///
/// ```
/// use laban::generate::{Parameters, choreography};
/// use laban::syntax::Compact;
///
/// let tree = choreography(&Parameters::new(4, 3, 1, 1), 0).unwrap();
/// let text = "def A { if a.c1 then a -> b[l1]; a.m1 -> c; stop else a.m2 -> b; A } main { A }";
/// assert_eq!(Compact(&tree).to_string(), text);
/// ```
pub fn choreography(parameters: &Parameters, seed: u64) -> Result<ChoreographyTree, Refusal> {
    let (shape, acts) = draw(parameters, seed)?;
    Ok(write_down(&shape, &acts, &[]))
}

/// The same choreography, and with the selections without which it cannot be projected. See
/// [`network`](super::network()).
pub(super) fn with_amended(
    parameters: &Parameters,
    seed: u64,
) -> Result<(ChoreographyTree, ChoreographyTree), Refusal> {
    let (shape, acts) = draw(parameters, seed)?;
    let informed = informed(&shape, &acts, parameters.processes);
    Ok((write_down(&shape, &acts, &[]), write_down(&shape, &acts, &informed)))
}

fn draw(parameters: &Parameters, seed: u64) -> Result<(Shape, Acts), Refusal> {
    parameters.check()?;
    let mut rng = SeededRng::for_purpose(seed, PURPOSE);
    // Races are forks like conditionals; which forks they are is chosen at the end.
    let forks = Parameters { ifs: parameters.ifs + parameters.races, races: 0, ..*parameters };
    let shape = Shape::draw(&forks, &mut rng)?;
    let mut acts = Acts::draw(&shape, parameters.processes, &mut rng);
    if parameters.races > 0 {
        acts.draw_races(&shape, parameters, &mut rng);
    }
    if parameters.queues > 0 {
        acts.draw_queues(parameters, &mut rng);
    }
    Ok((shape, acts))
}

/// The actions of all blocks.
pub(super) struct Acts {
    pub(super) interactions: Vec<Drawn>,
    /// For each block, where its interactions start.
    pub(super) starts: Vec<usize>,
    /// For each block that ends with a conditional, who decides and the number of the condition.
    pub(super) deciders: Vec<(u32, u32)>,
    /// For each block, what it ends with if that is not a conditional; empty if there are no races.
    pub(super) others: Vec<Other>,
    /// For each interaction, how it is sent; empty if there are no queues.
    pub(super) sendings: Vec<Sending>,
    /// How many values and labels there are.
    values: u32,
    labels: u32,
}

/// What a block ends with instead of a conditional.
#[derive(Debug, Clone, Copy)]
pub(super) enum Other {
    /// It ends with a conditional, or not with a fork.
    None,
    /// A choice.
    Choose,
    /// A race of these two interactions; who decides is its hub.
    Any([Drawn; 2]),
}

/// One interaction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) content: Content,
}

/// What is sent: the value or the label of this number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    Value(u32),
    Label(u32),
    LabelledValue { label: u32, value: u32 },
}

impl Acts {
    /// Chooses processes and kinds, and numbers what is new in the order of a body: `main` first.
    fn draw(shape: &Shape, processes: u32, rng: &mut SeededRng) -> Acts {
        let count = shape.blocks.len();
        let mut acts = Acts {
            interactions: Vec::new(),
            starts: vec![0; count],
            deciders: vec![(0, 0); count],
            others: Vec::new(),
            sendings: Vec::new(),
            values: 0,
            labels: 0,
        };
        let mut conditions = 0;
        let mut work = Vec::new();
        for &body in &shape.bodies {
            work.push(body);
            while let Some(number) = work.pop() {
                let block = shape.blocks[number];
                acts.starts[number] = acts.interactions.len();
                for _ in 0..block.interactions {
                    let from = rng.below_u32(processes);
                    // One of the others: those from the sender on are one further on.
                    let other = rng.below_u32(processes.saturating_sub(1));
                    let to = if other < from { other } else { other + 1 };
                    let content = acts.content(rng);
                    acts.interactions.push(Drawn { from, to, content });
                }
                if let After::Fork { shared } = block.after {
                    conditions += 1;
                    acts.deciders[number] = (rng.below_u32(processes), conditions);
                    work.extend([shared + 2, shared + 1, shared]);
                }
            }
        }
        acts
    }

    /// A new value or label.
    pub(super) fn content(&mut self, rng: &mut SeededRng) -> Content {
        match rng.below_u32(2) {
            0 => {
                self.values += 1;
                Content::Value(self.values)
            }
            _ => {
                self.labels += 1;
                Content::Label(self.labels)
            }
        }
    }

    /// A new value with a label.
    pub(super) fn value_with(&mut self, label: u32) -> Content {
        self.values += 1;
        Content::LabelledValue { label, value: self.values }
    }
}

/// What is to be written next: a block, and the number of the position at which it goes on where that block falls
/// through.
#[derive(Debug, Clone, Copy)]
struct Position {
    block: usize,
    then: Option<usize>,
}

/// A conditional of which the branches are being written.
struct Open {
    term: TermId,
    then: TermId,
    otherwise: TermId,
    /// The block that ends with it.
    block: usize,
    /// What `else` starts with, until it does.
    rest: Option<Position>,
    /// The messages that wait before the conditional.
    waiting: Vec<Waiting>,
}

pub(super) struct Writer<'a> {
    shape: &'a Shape,
    pub(super) acts: &'a Acts,
    /// For each block that ends with a conditional, who is told; empty if nobody is.
    informed: &'a [Vec<u32>],
    /// For each block that is a branch of a conditional, the block that ends with that, and the label to tell.
    branch_of: Vec<Option<(usize, &'static str)>>,
    pub(super) tree: ChoreographyTree,
    continuations: Vec<Position>,
    /// The messages that wait at the end of what has been written.
    pub(super) waiting: Vec<Waiting>,
}

/// The tree that the text of the choreography parses to, apart from positions.
fn write_down(shape: &Shape, acts: &Acts, informed: &[Vec<u32>]) -> ChoreographyTree {
    let mut tree = Tree::default();
    tree.terms.reserve(shape.terms);
    tree.spans.reserve(shape.terms);
    let mut branch_of = vec![None; shape.blocks.len()];
    for (number, block) in shape.blocks.iter().enumerate() {
        if let After::Fork { shared } = block.after {
            branch_of[shared + 1] = Some((number, "L"));
            branch_of[shared + 2] = Some((number, "R"));
        }
    }
    let mut writer = Writer { shape, acts, informed, branch_of, tree, continuations: Vec::new(), waiting: Vec::new() };
    let mut procedures = Vec::new();
    for (number, &body) in shape.bodies.iter().skip(1).enumerate() {
        let name = writer.name(&letters(number as u32, b'A'));
        let body = writer.body(body);
        procedures.push(Procedure { name, body, span: Span::default() });
    }
    let mains = shape.bodies.iter().take(1).map(|&body| Main { body: writer.body(body), span: Span::default() });
    let mains = mains.collect();
    writer.tree.units.push(Unit { name: None, service: None, procedures, mains, span: Span::default() });
    writer.tree
}

impl Writer<'_> {
    fn name(&mut self, text: &str) -> Name {
        new_name(&mut self.tree.names, text)
    }

    fn body(&mut self, body: usize) -> TermId {
        let first = TermId(self.tree.terms.len() as u32);
        self.continuations.clear();
        let mut open = Vec::new();
        let Position { mut block, mut then } = Position { block: body, then: None };
        loop {
            self.tell(block);
            let start = self.acts.starts[block];
            self.send_all(start, start + self.shape.blocks[block].interactions as usize);
            match self.shape.blocks[block].after {
                After::Fork { shared } => {
                    let after = TermId(self.tree.terms.len() as u32 + 1);
                    let fork = self.fork(block);
                    let term = self.tree.push(Term::Fork(fork, ArenaRange::default()), Span::default());
                    let otherwise = self.continue_with(shared + 2, then);
                    then = self.continue_with(shared + 1, then);
                    let rest = Some(Position { block: shared, then: otherwise });
                    let waiting = self.waiting.clone();
                    open.push(Open { term, then: after, otherwise: after, block, rest, waiting });
                    self.begin_item(block, 0);
                    block = shared;
                }
                After::FallThrough => {
                    self.take_all();
                    // A shared block is only ever written with something to go on with.
                    let Some(&next) = then.and_then(|index| self.continuations.get(index)) else { return first };
                    Position { block, then } = next;
                }
                After::End(procedure) => {
                    self.take_all();
                    let end = match procedure {
                        None => Term::Stop,
                        Some(number) => Term::Call(self.name(&letters(number, b'A'))),
                    };
                    self.tree.push(end, Span::default());
                    match self.close(&mut open) {
                        Some(next) => Position { block, then } = next,
                        None => return first,
                    }
                }
            }
        }
    }

    /// What a block ends with.
    fn fork(&mut self, block: usize) -> GlobalFork {
        let (process, condition) = self.acts.deciders[block];
        // To the parser these two words are names until it knows better.
        match self.acts.other(block) {
            Other::Any(_) => {
                self.name("any");
                return GlobalFork::Any;
            }
            Other::Choose => {
                self.name("choose");
                return GlobalFork::Choose { process: self.process(process) };
            }
            Other::None => {}
        }
        let process = self.process(process);
        GlobalFork::If { process, condition: self.name(&format!("c{condition}")) }
    }

    /// Writes the interaction that an item of a race begins with, and the selections that tell about it.
    fn begin_item(&mut self, fork: usize, arm: usize) {
        let Other::Any(items) = self.acts.other(fork) else { return };
        let interaction = self.interaction(items[arm]);
        self.act(interaction);
        self.tell_about(fork, ["L", "R"][arm], [items[arm].from, items[arm].to]);
    }

    /// Writes the selections at the beginning of a branch.
    fn tell(&mut self, block: usize) {
        let Some((fork, label)) = self.branch_of[block] else { return };
        if !matches!(self.acts.other(fork), Other::Any(_)) {
            self.tell_about(fork, label, []);
        }
    }

    /// Writes the selections that tell about a fork. Some know it already.
    fn tell_about<const N: usize>(&mut self, fork: usize, label: &str, know: [u32; N]) {
        let informed = self.informed;
        for &process in informed.get(fork).map_or(&[][..], Vec::as_slice) {
            if know.contains(&process) {
                continue;
            }
            let (from, to) = (self.process(self.acts.deciders[fork].0), self.process(process));
            let label = self.name(label);
            self.act(GlobalInteraction::Select { from, to, label });
        }
    }

    pub(super) fn act(&mut self, interaction: GlobalInteraction) {
        let next = TermId(self.tree.terms.len() as u32 + 1);
        self.tree.push(Term::Act(GlobalAction::Interaction(interaction), next), Span::default());
    }

    /// After the end of a branch: finishes the conditionals that end with it and gives what the next `else` starts
    /// with.
    fn close(&mut self, open: &mut Vec<Open>) -> Option<Position> {
        let next = TermId(self.tree.terms.len() as u32);
        loop {
            let last = open.last_mut()?;
            if let Some(position) = last.rest.take() {
                last.otherwise = next;
                self.waiting = std::mem::take(&mut last.waiting);
                let block = last.block;
                self.begin_item(block, 1);
                return Some(position);
            }
            let Open { term, then, otherwise, .. } = open.pop()?;
            let start = self.tree.arms.len() as u32;
            self.tree.arms.extend([then, otherwise].map(|body| Arm { label: None, body }));
            if let Some(Term::Fork(_, range)) = self.tree.terms.get_mut(term.index()) {
                *range = ArenaRange { start, end: start + 2 };
            }
        }
    }

    fn continue_with(&mut self, block: usize, then: Option<usize>) -> Option<usize> {
        self.continuations.push(Position { block, then });
        Some(self.continuations.len() - 1)
    }

    pub(super) fn process(&mut self, number: u32) -> Name {
        self.name(&letters(number, b'a'))
    }

    pub(super) fn interaction(&mut self, Drawn { from, to, content }: Drawn) -> GlobalInteraction {
        let from = self.process(from);
        match content {
            Content::Value(number) => {
                let expression = self.name(&format!("m{number}"));
                GlobalInteraction::Communicate { from, expression, to: self.process(to) }
            }
            Content::Label(number) => {
                let to = self.process(to);
                GlobalInteraction::Select { from, to, label: self.name(&format!("l{number}")) }
            }
            Content::LabelledValue { label, value } => {
                let expression = self.name(&format!("m{value}"));
                let to = self.process(to);
                let label = self.name(&format!("l{label}"));
                GlobalInteraction::SelectValue { from, to, content: self.tree.push_labelled(label, expression) }
            }
        }
    }
}

fn new_name(names: &mut Names, text: &str) -> Name {
    let symbol: Symbol = names.intern(text);
    Name { symbol, span: Span::default() }
}

/// Letters without `i`, so that no short name is the word `if`.
const LETTERS: &[u8; 25] = b"abcdefghjklmnopqrstuvwxyz";

/// The words of the language that can be written with these letters.
const WORDS: [&str; 4] = ["def", "else", "stop", "then"];

/// The name of this number: `a` to `z`, then `aa`, `ab` and so on; in capitals if `first` is one.
fn letters(number: u32, first: u8) -> String {
    let mut text = Vec::new();
    let mut rest = u64::from(number) + 1;
    while rest > 0 {
        rest -= 1;
        text.push(LETTERS[(rest % 25) as usize] - b'a' + first);
        rest /= 25;
    }
    text.reverse();
    let text: String = text.into_iter().map(char::from).collect();
    if WORDS.contains(&text.as_str()) { text + "'" } else { text }
}
