//! Random networks of many kinds, so that every outcome is common.

use crate::behaviour::{Act, Body, Process, System};
use crate::edit::edit;
use crate::global::{Size, projection};
use laban::generate::SeededRng;

/// Where a network comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Processes that know nothing of each other.
    Strangers,
    /// The projection of a choreography.
    Projection,
    /// A projection in which some are told late that a loop is left.
    Late,
    /// A projection with a few mistakes.
    Edited,
    /// Loops of different lengths, which meet before or after.
    Loops,
    /// Two systems that meet before, after or never.
    Joined,
    /// Independent systems.
    SideBySide,
}

impl Kind {
    /// A random kind. Those that lead to all outcomes are common, those that nearly always lead to one are not.
    pub(crate) fn random(dice: &mut SeededRng) -> Kind {
        match dice.below(16) {
            0 | 1 => Kind::Strangers,
            2 => Kind::Projection,
            3..6 => Kind::Late,
            6..9 => Kind::Edited,
            9..12 => Kind::Loops,
            12..15 => Kind::Joined,
            _ => Kind::SideBySide,
        }
    }

    pub(crate) const ALL: [Kind; 7] =
        [Kind::Strangers, Kind::Projection, Kind::Late, Kind::Edited, Kind::Loops, Kind::Joined, Kind::SideBySide];
}

/// A random network of a kind.
pub(crate) fn system(dice: &mut SeededRng, kind: Kind) -> System {
    let mut system = match kind {
        Kind::Strangers => strangers(dice),
        Kind::Projection => projected(dice, false),
        Kind::Late => projected(dice, true),
        Kind::Edited => {
            let late = dice.one_in(4);
            let mut system = projected(dice, late);
            for _ in 0..dice.between(1, 3) {
                edit(&mut system, dice);
            }
            system
        }
        Kind::Loops => {
            let mut system = System::default();
            for number in 0..dice.between(1, 3) {
                let first = system.add(uneven_loops(dice));
                if number > 0 && !dice.one_in(6) {
                    let one = dice.below(first);
                    let other = first + dice.below(2);
                    meet(&mut system, dice, one, other);
                }
            }
            if dice.one_in(3) {
                wait(&mut system, dice);
            }
            if dice.one_in(4) {
                edit(&mut system, dice);
            }
            system
        }
        Kind::Joined => {
            let late = dice.one_in(4);
            let mut system = projected_small(dice, late);
            let late = dice.one_in(4);
            let second = projected_small(dice, late);
            let second = system.add(second);
            let ends = (dice.below(second), dice.between(second, system.0.len() - 1));
            meet(&mut system, dice, ends.0, ends.1);
            if dice.one_in(4) {
                wait(&mut system, dice);
            }
            if dice.one_in(4) {
                edit(&mut system, dice);
            }
            system
        }
        Kind::SideBySide => {
            let mut system = System::default();
            for _ in 0..dice.between(2, 3) {
                system.add(match dice.below(8) {
                    0 => strangers(dice),
                    1 => uneven_loops(dice),
                    2 => projected_small(dice, true),
                    _ => projected_small(dice, false),
                });
            }
            if dice.one_in(4) {
                edit(&mut system, dice);
            }
            system
        }
    };
    if dice.one_in(5) {
        let process = dice.below(system.0.len());
        system.0[process].service = true;
    }
    system
}

fn projected(dice: &mut SeededRng, late: bool) -> System {
    let size = Size {
        processes: dice.between(2, 5),
        procedures: dice.between(usize::from(late), 3),
        actions: dice.between(1, 4),
        decisions: dice.between(usize::from(late), 2),
        late,
    };
    projection(dice, size)
}

fn projected_small(dice: &mut SeededRng, late: bool) -> System {
    let size = Size {
        processes: dice.between(2, 3),
        procedures: dice.between(usize::from(late), 2),
        actions: dice.between(1, 3),
        decisions: 1,
        late,
    };
    projection(dice, size)
}

/// A few processes that do anything.
fn strangers(dice: &mut SeededRng) -> System {
    let count = if dice.one_in(3) { dice.between(3, 5) } else { dice.between(2, 3) };
    let processes = (0..count).map(|process| {
        let procedures = dice.below(3);
        let mut stranger = Stranger { dice, process, count, procedures };
        let bodies = (0..procedures).map(|_| stranger.body(3, true)).collect();
        Process { service: stranger.dice.one_in(12), procedures: bodies, main: stranger.body(3, false) }
    });
    System(processes.collect())
}

struct Stranger<'a> {
    dice: &'a mut SeededRng,
    process: usize,
    count: usize,
    procedures: usize,
}

impl Stranger<'_> {
    fn body(&mut self, depth: usize, guarded: bool) -> Body {
        if depth == 0 || !guarded && self.dice.one_in(4) {
            return match self.procedures {
                0 => Body::Stop,
                count if !self.dice.one_in(3) => Body::Call(self.dice.below(count)),
                _ => Body::Stop,
            };
        }
        let partner = self.dice.other_than(self.process, self.count);
        let next = |stranger: &mut Self| stranger.body(depth - 1, false);
        match self.dice.below(8) {
            0..3 => Act::Send(partner, self.dice.below(2)).then(next(self)),
            3..6 => Act::Receive(partner).then(next(self)),
            6 => match self.dice.one_in(2) {
                true => Act::Select(partner, self.dice.below(2)).then(next(self)),
                false => {
                    let first = self.dice.below(2);
                    let mut arms = vec![(first, next(self))];
                    if self.dice.one_in(2) {
                        arms.push((1 - first, next(self)));
                    }
                    Body::Offer(partner, arms)
                }
            },
            _ => Body::If(self.dice.below(2), Box::new([next(self), next(self)])),
        }
    }
}

/// Two processes that loop at different paces, perhaps until the first decides to stop.
fn uneven_loops(dice: &mut SeededRng) -> System {
    let paces = [dice.between(1, 3), dice.between(1, 3)];
    if dice.one_in(2) {
        let sends = Process::looping((0..paces[0]).map(|_| Act::Send(1, 0)));
        let receives = Process::looping((0..paces[1]).map(|_| Act::Receive(0)));
        return System(vec![sends, receives]);
    }
    // The first decides before each round; the second may look at several rounds at once.
    let again = (0..paces[0]).fold(Body::Call(0), |next, _| Act::Send(1, 0).then(next));
    let arms = [Act::Select(1, 0).then(again), Act::Select(1, 1).then(Body::Stop)];
    let decides = Process { procedures: vec![Body::If(0, Box::new(arms))], ..Process::new(Body::Call(0)) };
    let mut follows = Body::Call(0);
    for _ in 0..paces[1] {
        follows = (0..paces[0]).fold(follows, |next, _| Act::Receive(0).then(next));
        follows = Body::Offer(0, vec![(0, follows), (1, Body::Stop)]);
    }
    let follows = Process { procedures: vec![follows], ..Process::new(Body::Call(0)) };
    System(vec![decides, follows])
}

/// Two processes meet: before all else, when both have stopped, or in a branch that nobody ever takes.
fn meet(system: &mut System, dice: &mut SeededRng, one: usize, other: usize) {
    let send = Act::Send(other, 0);
    let receive = Act::Receive(one);
    match dice.below(4) {
        0 => {
            for (process, act) in [(one, send), (other, receive)] {
                let main = std::mem::replace(&mut system.0[process].main, Body::Stop);
                system.0[process].main = act.then(main);
            }
        }
        1 | 2 => {
            for (process, act) in [(one, send), (other, receive)] {
                at_the_end(&mut system.0[process], act);
            }
        }
        _ => {
            // A procedure that is never called does not count: the branch must be there, but never be selected.
            let mut joined = false;
            system.0[one].change_all(|body| {
                if let Body::Offer(_, arms) = body
                    && !std::mem::replace(&mut joined, true)
                {
                    arms.push((7, send.then(Body::Stop)));
                }
            });
        }
    }
}

/// A newcomer waits for somebody, who may see to it at the end.
fn wait(system: &mut System, dice: &mut SeededRng) {
    let somebody = dice.below(system.0.len());
    let newcomer = system.0.len();
    let mut process = Process::new(Act::Receive(somebody).then(Body::Stop));
    process.service = dice.one_in(3);
    system.0.push(process);
    if dice.one_in(2) {
        at_the_end(&mut system.0[somebody], Act::Send(newcomer, 0));
    }
}

/// A process does something before it stops.
fn at_the_end(process: &mut Process, act: Act) {
    process.change_all(|body| {
        if *body == Body::Stop {
            *body = act.then(Body::Stop);
        }
    });
}
