//! Random choreographies, and what each process does in them.
//!
//! After each decision everybody who is concerned is told, so what comes out can be extracted; unless somebody is told
//! *late*: only when a loop is left, but not when it is entered once more. Then the loop starves them.

use crate::behaviour::{Act, Body, Process, System};
use laban::generate::SeededRng;

/// What all processes do together.
#[derive(Debug, Clone)]
enum Global {
    Communicate { from: usize, value: usize, to: usize, next: Box<Global> },
    Select { from: usize, label: usize, to: usize, next: Box<Global> },
    If { process: usize, condition: usize, arms: Box<[Global; 2]>, late: bool },
    Call(usize),
    Stop,
}

/// Which processes, as bits.
type Set = u32;

/// The labels that tell which way a decision went.
const TOLD: [usize; 2] = [8, 9];

/// How large a random choreography gets.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) processes: usize,
    pub(crate) procedures: usize,
    /// The most actions in a row.
    pub(crate) actions: usize,
    /// The most decisions inside one another.
    pub(crate) decisions: usize,
    /// Whether some are told late.
    pub(crate) late: bool,
}

/// The processes of a random choreography.
pub(crate) fn projection(dice: &mut SeededRng, size: Size) -> System {
    let procedures: Vec<Global> =
        (0..size.procedures).map(|procedure| global(dice, size, size.decisions, Some(procedure), true)).collect();
    let main = match procedures.is_empty() || dice.one_in(3) {
        true => global(dice, size, size.decisions, None, false),
        false => Global::Call(0),
    };
    let choreography = Choreography { involved: involved(&procedures), procedures };
    let processes = (0..size.processes).map(|process| choreography.process(process, &main)).collect();
    System(processes)
}

fn global(dice: &mut SeededRng, size: Size, decisions: usize, inside: Option<usize>, guarded: bool) -> Global {
    let actions = dice.between(usize::from(guarded), size.actions);
    let mut acts = Vec::new();
    for _ in 0..actions {
        let from = dice.below(size.processes);
        acts.push((from, dice.other_than(from, size.processes), dice.below(3), dice.one_in(4)));
    }
    let last = if decisions > 0 && (size.late || dice.one_in(2)) {
        let process = dice.below(size.processes);
        let late = size.late && !dice.one_in(3);
        let then = match inside {
            Some(procedure) if late || dice.one_in(3) => Global::Call(procedure),
            _ => global(dice, size, decisions - 1, inside, false),
        };
        let otherwise = global(dice, size, decisions - 1, inside, false);
        Global::If { process, condition: dice.below(2), arms: Box::new([then, otherwise]), late }
    } else if size.procedures > 0 && !dice.one_in(4) {
        Global::Call(dice.below(size.procedures))
    } else {
        Global::Stop
    };
    acts.into_iter().rev().fold(last, |next, (from, to, datum, select)| {
        let next = Box::new(next);
        match select {
            true => Global::Select { from, label: datum, to, next },
            false => Global::Communicate { from, value: datum, to, next },
        }
    })
}

struct Choreography {
    procedures: Vec<Global>,
    /// Who takes part in each procedure or in what it calls.
    involved: Vec<Set>,
}

fn involved(procedures: &[Global]) -> Vec<Set> {
    let mut involved = vec![0; procedures.len()];
    loop {
        let next: Vec<Set> = procedures.iter().map(|body| participants(body, &involved)).collect();
        if next == involved {
            return involved;
        }
        involved = next;
    }
}

fn participants(global: &Global, involved: &[Set]) -> Set {
    match global {
        Global::Communicate { from, to, next, .. } | Global::Select { from, to, next, .. } => {
            1 << from | 1 << to | participants(next, involved)
        }
        Global::If { process, arms, .. } => {
            arms.iter().fold(1 << process, |set, arm| set | participants(arm, involved))
        }
        Global::Call(procedure) => involved[*procedure],
        Global::Stop => 0,
    }
}

impl Choreography {
    fn process(&self, process: usize, main: &Global) -> Process {
        let bodies = self.procedures.iter().enumerate();
        let mut procedures: Vec<Body> =
            bodies.map(|(number, body)| self.project(body, process, Some(number), 0)).collect();
        for (procedure, body) in procedures.iter_mut().enumerate() {
            if self.involved[procedure] >> process & 1 == 0 {
                *body = Body::Stop;
            }
        }
        Process { service: false, procedures, main: self.project(main, process, None, 0) }
    }

    /// What one process does, inside a procedure, after those of a set have acted in it.
    fn project(&self, global: &Global, process: usize, inside: Option<usize>, acted: Set) -> Body {
        match global {
            Global::Communicate { from, to, value, next } => {
                let next = self.project(next, process, inside, acted | 1 << from | 1 << to);
                match process {
                    _ if process == *from => Act::Send(*to, *value).then(next),
                    _ if process == *to => Act::Receive(*from).then(next),
                    _ => next,
                }
            }
            Global::Select { from, to, label, next } => {
                let next = self.project(next, process, inside, acted | 1 << from | 1 << to);
                match process {
                    _ if process == *from => Act::Select(*to, *label).then(next),
                    _ if process == *to => Body::Offer(*from, vec![(*label, next)]),
                    _ => next,
                }
            }
            Global::If { process: decider, condition, arms, late } => {
                let [then, otherwise] = &**arms;
                let told = arms.iter().fold(0, |set, arm| set | participants(arm, &self.involved)) & !(1 << decider);
                // Who would come back to this very offer need not be told of another round.
                let again = matches!((then, inside), (Global::Call(callee), Some(procedure)) if *callee == procedure);
                let told_at_once = if *late && again { told & acted } else { told };
                let acted = acted | told | 1 << decider;
                let [then, otherwise] = [then, otherwise].map(|arm| self.project(arm, process, inside, acted));
                if process == *decider {
                    let tell = |set: Set, label: usize, body: Body| {
                        (0..Set::BITS as usize)
                            .filter(|other| set >> other & 1 == 1)
                            .fold(body, |next, other| Act::Select(other, label).then(next))
                    };
                    let arms = [tell(told_at_once, TOLD[0], then), tell(told, TOLD[1], otherwise)];
                    Body::If(*condition, Box::new(arms))
                } else if told_at_once >> process & 1 == 1 {
                    Body::Offer(*decider, vec![(TOLD[0], then), (TOLD[1], otherwise)])
                } else if told >> process & 1 == 1 {
                    Body::Offer(*decider, vec![(TOLD[1], otherwise)])
                } else {
                    Body::Stop
                }
            }
            Global::Call(procedure) if self.involved[*procedure] >> process & 1 == 1 => Body::Call(*procedure),
            Global::Call(_) | Global::Stop => Body::Stop,
        }
    }
}
