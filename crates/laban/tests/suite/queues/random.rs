//! Random networks with queues: conversations whose halves fit together, in which senders then run ahead of what they
//! would first receive, so that messages cross; with races between what may come in any order; with something spoilt
//! here and there; and some that are random through and through.

use crate::races::random::{self, Body, NAMES, Process};
use laban::generate::SeededRng;

const LABELS: [&str; 2] = ["l", "m"];

/// A random network as text.
pub(crate) fn network(rng: &mut SeededRng, races: bool) -> String {
    let count = rng.between(if races { 3 } else { 2 }, 5);
    let mut processes = match rng.below(8) {
        0 if races => (0..count).map(|own| random::scattered(rng, own, count)).collect(),
        1 if races => random::conversations(rng, count),
        _ => talk(rng, count),
    };
    for process in &mut processes {
        for body in &mut process.bodies {
            *body = ahead(rng, body.clone());
            if races {
                *body = either(rng, body.clone());
            }
        }
    }
    let spoilt = [0, 0, 0, 1, 1, 2][rng.below(6)];
    for _ in 0..spoilt {
        match rng.below(5) {
            0 => one_more(rng, &mut processes),
            1 | 2 => {
                let own = rng.below(count);
                if let Some(body) = processes[own].bodies.last_mut() {
                    *body = twice(rng, body.clone());
                }
            }
            3 if races => random::spoil(rng, &mut processes),
            _ => one_less(rng, &mut processes),
        }
    }
    format!("{} {}", channels(rng, count), random::text(&processes))
}

/// Random channels as text: mostly queues without bounds.
fn channels(rng: &mut SeededRng, processes: usize) -> String {
    let bound = |rng: &mut SeededRng| format!("queue {}", rng.between(1, 3));
    let mut channels = vec![if rng.below(6) == 0 { bound(rng) } else { "queue".to_string() }];
    if rng.below(4) == 0 {
        let from = rng.below(processes);
        // All to different processes, since each channel is named once.
        for to in (0..processes).filter(|&to| to != from) {
            let kind = match rng.below(4) {
                0 => "rendezvous".to_string(),
                1 => bound(rng),
                _ => continue,
            };
            channels.push(format!("{} -> {} {kind}", NAMES[from], NAMES[to]));
        }
    }
    format!("channels {};", channels.join(", "))
}

/// Processes that talk, once or again and again, with some talk before that.
fn talk(rng: &mut SeededRng, count: usize) -> Vec<Process> {
    let endless = rng.below(3) > 0;
    let aside = endless && count > 2 && rng.below(5) < 3;
    let talking = count - usize::from(aside);
    let mut round = vec![if endless { Body::Call(1) } else { Body::Stop }; count];
    if endless && rng.below(3) > 0 {
        // Whoever goes around with the others waits for them.
        for other in 1..talking {
            message(rng, &mut round, (other, 0));
        }
        if rng.below(2) == 0 {
            (1..talking).for_each(|other| message(rng, &mut round, (0, other)));
        }
    }
    let length = rng.between(1, 4);
    exchanges(rng, &mut round[..talking], length);
    if aside {
        stand_aside(rng, &mut round);
    }
    let mut start = match endless {
        true => vec![Body::Call(1); count],
        false => round.clone(),
    };
    if endless && rng.below(3) == 0 {
        let length = rng.between(1, 2);
        exchanges(rng, &mut start, length);
    }
    let bodies = start.into_iter().zip(round).map(|(start, round)| match (endless, round) {
        // Who has nothing to do in a round must not go around.
        (true, Body::Call(_)) => vec![start, Body::Stop],
        (true, round) => vec![start, round],
        (false, _) => vec![start],
    });
    bodies.map(|bodies| Process { service: rng.below(16) == 0, bodies }).collect()
}

/// Lets the last process wait for a message that another sends it only if it decides so, if ever.
fn stand_aside(rng: &mut SeededRng, round: &mut [Body]) {
    let last = round.len() - 1;
    let other = rng.below(last);
    let act = |with: usize, what: &str, next: Body| Body::Act(format!("{}{what}", NAMES[with]), Box::new(next));
    let again = round[other].clone();
    let (mut told, mut hears) = (again.clone(), if rng.below(4) == 0 { Body::Stop } else { Body::Call(1) });
    if rng.below(4) > 0 {
        (told, hears) = (act(last, "?", told), act(other, "!<z>", hears));
    }
    (told, round[last]) = (act(last, "!<x>", told), act(other, "?", hears));
    round[other] = match rng.below(6) {
        0..=2 => again,
        3 => told,
        4 => Body::If("d", Box::new(again), Box::new(told)),
        _ => Body::Fork("choose ".to_string(), vec![(None, told), (None, again)]),
    };
}

/// Puts so many exchanges before what everybody does next.
fn exchanges(rng: &mut SeededRng, next: &mut [Body], length: usize) {
    let count = next.len();
    for _ in 0..length {
        let from = rng.below(count);
        let to = (from + rng.between(1, count - 1)) % count;
        match rng.below(8) {
            0 | 1 => decision(rng, next, from),
            2 | 3 | 4 => {
                message(rng, next, (from, to));
                message(rng, next, (to, from));
            }
            _ => message(rng, next, (from, to)),
        }
    }
}

/// Puts a message before what two processes do next.
fn message(rng: &mut SeededRng, next: &mut [Body], (from, to): (usize, usize)) {
    let (sent, received) = (next[from].clone(), next[to].clone());
    let act = |action: String, next: Body| Body::Act(action, Box::new(next));
    let label = LABELS[rng.below(2)];
    let (send, receive) = match rng.below(6) {
        0 => (format!("{}+{label}", NAMES[to]), false),
        1 => (format!("{}+{label}<z>", NAMES[to]), false),
        _ => (format!("{}!<{}>", NAMES[to], ["x", "y"][rng.below(2)]), true),
    };
    next[from] = act(send, sent);
    let idle = if rng.below(10) == 0 { "idle " } else { "" };
    next[to] = match receive {
        true => act(format!("{idle}{}?", NAMES[from]), received),
        false => Body::Fork(format!("{idle}{}&", NAMES[from]), vec![(Some(label), received)]),
    };
}

/// Lets a process decide what everybody does next; most are told.
fn decision(rng: &mut SeededRng, next: &mut [Body], decides: usize) {
    let mut other = match rng.below(3) {
        0 => vec![Body::Stop; next.len()],
        _ => next.to_vec(),
    };
    let length = rng.below(3);
    exchanges_without_decisions(rng, &mut other, length);
    let told: Vec<bool> = (0..next.len()).map(|_| rng.below(8) > 0).collect();
    let (mut then, mut otherwise) = (next[decides].clone(), other[decides].clone());
    for process in (0..next.len()).filter(|&process| process != decides && told[process]) {
        let tell = |label: &str, next: Body| Body::Act(format!("{}+{label}", NAMES[process]), Box::new(next));
        then = tell("l", then);
        otherwise = tell("m", otherwise);
        let arms = vec![(Some("l"), next[process].clone()), (Some("m"), other[process].clone())];
        next[process] = Body::Fork(format!("{}&", NAMES[decides]), arms);
    }
    next[decides] = match rng.below(2) {
        0 => Body::If("c", Box::new(then), Box::new(otherwise)),
        _ => Body::Fork("choose ".to_string(), vec![(None, then), (None, otherwise)]),
    };
}

fn exchanges_without_decisions(rng: &mut SeededRng, next: &mut [Body], length: usize) {
    for _ in 0..length {
        let from = rng.below(next.len());
        let to = (from + rng.between(1, next.len() - 1)) % next.len();
        message(rng, next, (from, to));
    }
}

/// Whether an action sends or selects.
fn sends(action: &str) -> bool {
    action.contains(['!', '+'])
}

/// Lets some sends come before the receives that they follow.
fn ahead(rng: &mut SeededRng, body: Body) -> Body {
    match body {
        Body::Act(action, next) => {
            let next = ahead(rng, *next);
            match next {
                Body::Act(send, rest) if !sends(&action) && sends(&send) && rng.below(3) > 0 => {
                    Body::Act(send, Box::new(ahead(rng, Body::Act(action, rest))))
                }
                next => Body::Act(action, Box::new(next)),
            }
        }
        Body::If(condition, then, otherwise) => {
            Body::If(condition, Box::new(ahead(rng, *then)), Box::new(ahead(rng, *otherwise)))
        }
        Body::Fork(word, arms) => {
            let mut arms: Vec<_> = arms.into_iter().map(|(label, body)| (label, ahead(rng, body))).collect();
            // An offer of one label is as good as a receive.
            if let ([(_, Body::Act(send, rest))], true) = (&mut arms[..], word.ends_with('&')) {
                if sends(send) && rng.below(2) == 0 {
                    let (send, rest) = (send.clone(), (**rest).clone());
                    arms[0].1 = rest;
                    return Body::Act(send, Box::new(Body::Fork(word, arms)));
                }
            }
            Body::Fork(word, arms)
        }
        Body::Stop | Body::Call(_) => body,
    }
}

/// Lets some actions with different partners come in any order.
fn either(rng: &mut SeededRng, body: Body) -> Body {
    match body {
        Body::Act(one, next) => match *next {
            Body::Act(other, rest) if may_commute(&one, &other) && rng.below(3) == 0 => {
                let rest = either(rng, *rest);
                let both = |one: &str, other: &str| {
                    Body::Act(one.to_string(), Box::new(Body::Act(other.to_string(), Box::new(rest.clone()))))
                };
                let idle = if rng.below(8) == 0 { "idle " } else { "" };
                let items = vec![(None, both(&one, &other)), (None, both(&other, &one))];
                Body::Fork(format!("{idle}any "), items)
            }
            next => Body::Act(one, Box::new(either(rng, next))),
        },
        Body::If(condition, then, otherwise) => {
            Body::If(condition, Box::new(either(rng, *then)), Box::new(either(rng, *otherwise)))
        }
        Body::Fork(word, arms) if !word.ends_with("any ") => {
            Body::Fork(word, arms.into_iter().map(|(label, body)| (label, either(rng, body))).collect())
        }
        other => other,
    }
}

/// Whether two actions may begin the items of a race, and are not two messages between the same two processes.
fn may_commute(one: &str, other: &str) -> bool {
    let is_idle = |action: &str| action.starts_with("idle");
    let same = one.chars().next() == other.chars().next() && sends(one) == sends(other);
    !is_idle(one) && !is_idle(other) && !same
}

/// Sends a message twice: where everybody waits for everybody in each round, there are more and more of them.
fn twice(rng: &mut SeededRng, body: Body) -> Body {
    match body {
        Body::Act(action, next) if action.contains('!') && rng.below(2) == 0 => {
            Body::Act(action.clone(), Box::new(Body::Act(action, next)))
        }
        Body::Act(action, next) => Body::Act(action, Box::new(twice(rng, *next))),
        Body::If(condition, then, otherwise) => Body::If(condition, Box::new(twice(rng, *then)), otherwise),
        Body::Fork(word, mut arms) if !word.ends_with("any ") => {
            let arm = rng.below(arms.len());
            arms[arm].1 = twice(rng, arms[arm].1.clone());
            Body::Fork(word, arms)
        }
        other => other,
    }
}

/// Sends one message more somewhere: before everything else, or where somebody stops.
fn one_more(rng: &mut SeededRng, processes: &mut [Process]) {
    let own = rng.below(processes.len());
    let to = (own + rng.between(1, processes.len() - 1)) % processes.len();
    let body = processes[own].bodies[0].clone();
    let send = |next: Body| Body::Act(format!("{}!<x>", NAMES[to]), Box::new(next));
    processes[own].bodies[0] = match rng.below(3) {
        0 => send(body),
        _ => ended(rng, body, &send),
    };
}

/// The same body with something else for some of its ends.
fn ended(rng: &mut SeededRng, body: Body, end: &impl Fn(Body) -> Body) -> Body {
    match body {
        Body::Stop if rng.below(3) > 0 => end(Body::Stop),
        Body::Act(action, next) => Body::Act(action, Box::new(ended(rng, *next, end))),
        Body::If(condition, then, otherwise) => {
            Body::If(condition, Box::new(ended(rng, *then, end)), Box::new(ended(rng, *otherwise, end)))
        }
        Body::Fork(word, arms) => {
            Body::Fork(word, arms.into_iter().map(|(label, body)| (label, ended(rng, body, end))).collect())
        }
        Body::Stop | Body::Call(_) => body,
    }
}

/// Leaves out one action somewhere, or stops after it.
fn one_less(rng: &mut SeededRng, processes: &mut [Process]) {
    let own = rng.below(processes.len());
    let place = rng.below(processes[own].bodies.len());
    let (at, stop) = (rng.below(5), rng.below(4) == 0);
    let body = processes[own].bodies[place].clone();
    let new = left_out(rng, body, at, stop);
    if !matches!(new, Body::Call(_)) || place == 0 {
        processes[own].bodies[place] = new;
    }
}

fn left_out(rng: &mut SeededRng, body: Body, at: usize, stop: bool) -> Body {
    match body {
        Body::Act(action, next) => match (at, stop) {
            (0, false) => *next,
            (0, true) => Body::Act(action, Box::new(Body::Stop)),
            _ => Body::Act(action, Box::new(left_out(rng, *next, at - 1, stop))),
        },
        Body::If(condition, then, otherwise) => match rng.below(2) {
            0 => Body::If(condition, Box::new(left_out(rng, *then, at.saturating_sub(1), stop)), otherwise),
            _ => Body::If(condition, then, Box::new(left_out(rng, *otherwise, at.saturating_sub(1), stop))),
        },
        Body::Fork(word, mut arms) => {
            if at == 0 && arms.len() > 1 {
                arms.remove(rng.below(arms.len()));
                return Body::Fork(word, arms);
            }
            let arm = rng.below(arms.len());
            let body = arms[arm].1.clone();
            // A choice needs something before it goes around.
            arms[arm].1 = left_out(rng, body, at.saturating_sub(1), stop);
            Body::Fork(word, arms)
        }
        other => other,
    }
}
