//! Random networks with races: clients of servers whose conversations fit together, with something spoilt here and
//! there, and some that are random through and through. Every loop has an interaction in it.

use laban::generate::SeededRng;

/// What a process does.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Stop,
    Call(usize),
    Act(String, Box<Body>),
    /// A word before the brace, and arms with or without labels.
    Fork(String, Vec<(Option<&'static str>, Body)>),
    If(&'static str, Box<Body>, Box<Body>),
}

/// A process: its procedures, the first of which is where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) service: bool,
    pub(crate) bodies: Vec<Body>,
}

pub(crate) const NAMES: [&str; 5] = ["p", "q", "r", "s", "t"];
const LABELS: [&str; 3] = ["l", "m", "n"];

/// A random network as text.
pub(crate) fn network(rng: &mut SeededRng) -> String {
    text(&processes(rng))
}

/// The processes of a random network.
pub(crate) fn processes(rng: &mut SeededRng) -> Vec<Process> {
    let count = rng.between(2, 5);
    let mut processes = match rng.below(4) {
        0 => (0..count).map(|own| scattered(rng, own, count)).collect(),
        _ => conversations(rng, count),
    };
    for _ in 0..rng.below(4) {
        spoil(rng, &mut processes);
    }
    processes
}

/// The processes as text.
pub(crate) fn text(processes: &[Process]) -> String {
    let one = |(number, process): (usize, &Process)| {
        let service = if process.service { "service " } else { "" };
        let procedures: Vec<String> = process
            .bodies
            .iter()
            .enumerate()
            .map(|(name, body)| format!("def X{name} {{ {} }}", written(body)))
            .collect();
        format!("{service}{} {{ {} main {{ X0 }} }}", NAMES[number], procedures.join(" "))
    };
    processes.iter().enumerate().map(one).collect::<Vec<_>>().join(" | ")
}

/// The same processes with each interaction in a race of its own, apart from those that are in a race already.
pub(super) fn alone(processes: &[Process]) -> Vec<Process> {
    let body = |body: &Body| alone_body(body.clone());
    let one = |process: &Process| Process { bodies: process.bodies.iter().map(body).collect(), ..process.clone() };
    processes.iter().map(one).collect()
}

fn alone_body(body: Body) -> Body {
    let arms = |arms: Vec<(Option<&'static str>, Body)>, each: fn(Body) -> Body| {
        arms.into_iter().map(|(label, body)| (label, each(body))).collect()
    };
    // What an item begins with stays as it is.
    let item = |body: Body| match body {
        Body::Act(action, next) => Body::Act(action, Box::new(alone_body(*next))),
        Body::Fork(word, arms) => {
            Body::Fork(word, arms.into_iter().map(|(label, body)| (label, alone_body(body))).collect())
        }
        other => other,
    };
    match body {
        Body::Act(action, next) => match action.strip_prefix("idle ") {
            Some(receive) => {
                let item = Body::Act(receive.to_string(), Box::new(alone_body(*next)));
                Body::Fork("idle any ".to_string(), vec![(None, item)])
            }
            None => Body::Fork("any ".to_string(), vec![(None, Body::Act(action, Box::new(alone_body(*next))))]),
        },
        Body::Fork(word, items) if word.ends_with("any ") => Body::Fork(word, arms(items, item)),
        Body::Fork(word, branches) if word.ends_with('&') => {
            let offer = Body::Fork(word, arms(branches, alone_body));
            Body::Fork("any ".to_string(), vec![(None, offer)])
        }
        Body::Fork(word, bodies) => Body::Fork(word, arms(bodies, alone_body)),
        Body::If(condition, then, otherwise) => {
            Body::If(condition, Box::new(alone_body(*then)), Box::new(alone_body(*otherwise)))
        }
        Body::Stop | Body::Call(_) => body,
    }
}

fn written(body: &Body) -> String {
    match body {
        Body::Stop => "stop".to_string(),
        Body::Call(name) => format!("X{name}"),
        Body::Act(action, next) => format!("{action}; {}", written(next)),
        Body::If(condition, then, otherwise) => {
            format!("if {condition} then {} else {}", written(then), written(otherwise))
        }
        Body::Fork(word, arms) => {
            let arm = |(label, body): &(Option<&str>, Body)| match label {
                Some(label) => format!("{label}: {}", written(body)),
                None => written(body),
            };
            format!("{word}{{ {} }}", arms.iter().map(arm).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A process that does anything with anybody.
pub(crate) fn scattered(rng: &mut SeededRng, own: usize, count: usize) -> Process {
    let names = rng.between(1, 2);
    let bodies = (0..names).map(|_| guarded(rng, own, count, names, 3)).collect();
    Process { service: rng.below(12) == 0, bodies }
}

/// A body that begins with an interaction, or ends.
fn guarded(rng: &mut SeededRng, own: usize, count: usize, names: usize, depth: usize) -> Body {
    match rng.below(12) {
        0 => Body::Stop,
        1..=4 => {
            let items = rng.between(2, 3);
            let items = (0..items).map(|_| (None, interaction(rng, own, count, names, depth, false)));
            let mut items: Vec<(Option<&str>, Body)> = items.collect();
            items.sort_by_key(|(_, item)| beginning(item));
            items.dedup_by_key(|(_, item)| beginning(item));
            let idle = if rng.below(8) == 0 { "idle " } else { "" };
            Body::Fork(format!("{idle}any "), items)
        }
        5 => {
            let body = |rng: &mut SeededRng| (None, guarded(rng, own, count, names, depth.saturating_sub(1)));
            Body::Fork("choose ".to_string(), vec![body(rng), body(rng)])
        }
        _ => interaction(rng, own, count, names, depth, true),
    }
}

fn interaction(rng: &mut SeededRng, own: usize, count: usize, names: usize, depth: usize, may_idle: bool) -> Body {
    let partner = (own + rng.between(1, count - 1)) % count;
    let with = NAMES[partner];
    let next = |rng: &mut SeededRng| match depth {
        0 | 1 if rng.below(3) > 0 => Body::Call(rng.below(names)),
        0 => Body::Stop,
        _ => match rng.below(5) {
            0 => Body::Call(rng.below(names)),
            1 => Body::Stop,
            _ => guarded(rng, own, count, names, depth - 1),
        },
    };
    let label = LABELS[rng.below(2)];
    match rng.below(7) {
        0 | 1 => Body::Act(format!("{with}!<{}>", ["x", "y"][rng.below(2)]), Box::new(next(rng))),
        2 | 3 => {
            let idle = if may_idle && rng.below(4) == 0 { "idle " } else { "" };
            Body::Act(format!("{idle}{with}?"), Box::new(next(rng)))
        }
        4 => Body::Act(format!("{with}+{label}"), Box::new(next(rng))),
        5 => Body::Act(format!("{with}+{label}<z>"), Box::new(next(rng))),
        _ => Body::Fork(format!("{with}&"), vec![(Some("l"), next(rng)), (Some("m"), next(rng))]),
    }
}

/// What an item begins with: no two items of a race may begin alike, and offers of the same process do.
fn beginning(body: &Body) -> String {
    match body {
        Body::Act(action, _) => action.clone(),
        Body::Fork(word, _) => word.clone(),
        _ => String::new(),
    }
}

/// The first process is a server, the others are its clients, or talk among themselves in between.
pub(crate) fn conversations(rng: &mut SeededRng, count: usize) -> Vec<Process> {
    let mut items = Vec::new();
    let mut clients = Vec::new();
    let server = 0;
    let endless = rng.below(3) > 0;
    let again = |endless: bool| if endless { Body::Call(0) } else { Body::Stop };
    // Two clients may have something to say to each other before they turn to the server.
    let before = count > 3 && rng.below(3) == 0;
    for client in 1..count {
        let (mut here, mut there) = (again(true), again(endless));
        for _ in 0..rng.below(3) {
            (here, there) = exchange(rng, server, client, here, there);
        }
        let request = rng.below(4);
        let name = NAMES[client];
        let (item, mut ask) = match request {
            0 => (
                Body::Fork(format!("{name}&"), vec![(Some("l"), here.clone()), (Some("m"), here)]),
                Body::Act(format!("{}+{}", NAMES[server], LABELS[rng.below(2)]), Box::new(there)),
            ),
            1 => (
                Body::Fork(format!("{name}&"), vec![(Some("l"), here)]),
                Body::Act(format!("{}+l<z>", NAMES[server]), Box::new(there)),
            ),
            _ => (
                Body::Act(format!("{name}?"), Box::new(here)),
                Body::Act(format!("{}!<x>", NAMES[server]), Box::new(there)),
            ),
        };
        if before && client < 3 {
            let other = NAMES[3 - client];
            let action = if client == 1 { format!("{other}!<h>") } else { format!("{other}?") };
            ask = Body::Act(action, Box::new(ask));
        }
        if rng.below(6) == 0 {
            let other = if rng.below(2) == 0 { Body::Stop } else { ask.clone() };
            ask = match rng.below(2) {
                0 => Body::If("c", Box::new(ask), Box::new(other)),
                _ => Body::Fork("choose ".to_string(), vec![(None, ask), (None, other)]),
            };
        }
        items.push((None, item));
        clients.push(Process { service: rng.below(10) == 0, bodies: vec![ask] });
    }
    let idle = if rng.below(3) > 0 { "idle " } else { "" };
    let all = Body::Fork(format!("{idle}any "), items);
    let mut processes = vec![Process { service: rng.below(4) == 0, bodies: vec![all] }];
    processes.extend(clients);
    processes
}

/// Puts an exchange between two before what they do next.
fn exchange(rng: &mut SeededRng, one: usize, other: usize, here: Body, there: Body) -> (Body, Body) {
    let act = |with: usize, what: &str, next: Body| Body::Act(format!("{}{what}", NAMES[with]), Box::new(next));
    match rng.below(5) {
        0 => (act(other, "?", here), act(one, "!<v>", there)),
        1 => (act(other, "!<w>", here), act(one, "?", there)),
        2 => (act(other, "+l<u>", here), Body::Fork(format!("{}&", NAMES[one]), vec![(Some("l"), there)])),
        3 => {
            let decide = |then: Body, otherwise: Body, rng: &mut SeededRng| match rng.below(2) {
                0 => Body::If("d", Box::new(then), Box::new(otherwise)),
                _ => Body::Fork("choose ".to_string(), vec![(None, then), (None, otherwise)]),
            };
            let told =
                vec![(Some("l"), there.clone()), (Some("m"), if rng.below(2) == 0 { there } else { Body::Stop })];
            (
                decide(act(other, "+l", here.clone()), act(other, "+m", here), rng),
                Body::Fork(format!("{}&", NAMES[one]), told),
            )
        }
        _ => (
            act(other, "+m", here),
            Body::Fork(format!("{}&", NAMES[one]), vec![(Some("l"), Body::Stop), (Some("m"), there)]),
        ),
    }
}

/// Changes one thing somewhere.
pub(crate) fn spoil(rng: &mut SeededRng, processes: &mut [Process]) {
    let count = processes.len();
    let own = rng.below(count);
    match rng.below(8) {
        0 => processes[own].service = !processes[own].service,
        1 => {
            let process = scattered(rng, own, count);
            processes[own] = process;
        }
        _ => {
            let names = processes[own].bodies.len();
            let place = rng.below(names);
            let at = rng.below(6);
            let body = processes[own].bodies[place].clone();
            let new = changed(rng, body, at, own, count, names);
            if !matches!(new, Body::Call(_)) {
                processes[own].bodies[place] = new;
            }
        }
    }
}

/// The same body with something else so many steps into it.
fn changed(rng: &mut SeededRng, body: Body, at: usize, own: usize, count: usize, names: usize) -> Body {
    match body {
        Body::Act(action, next) => match at {
            0 => match rng.below(3) {
                0 => *next,
                1 => interaction(rng, own, count, names, 1, true),
                _ => Body::Act(action, Box::new(guarded(rng, own, count, names, 1))),
            },
            _ => Body::Act(action, Box::new(changed(rng, *next, at - 1, own, count, names))),
        },
        Body::If(condition, then, otherwise) => match rng.below(3) {
            0 if at == 0 => *then,
            0 | 1 => {
                Body::If(condition, Box::new(changed(rng, *then, at.saturating_sub(1), own, count, names)), otherwise)
            }
            _ => Body::If(condition, then, Box::new(changed(rng, *otherwise, at.saturating_sub(1), own, count, names))),
        },
        Body::Fork(word, mut arms) => {
            if at == 0 && arms.len() > 1 && rng.below(2) == 0 {
                arms.remove(rng.below(arms.len()));
                return Body::Fork(word, arms);
            }
            let arm = rng.below(arms.len());
            let (label, body) = arms[arm].clone();
            let is_race = word.ends_with("any ");
            let new = match (is_race, body) {
                // An item must still begin with an interaction, and not with that of another.
                (true, Body::Act(action, next)) => {
                    Body::Act(action, Box::new(changed(rng, *next, at.saturating_sub(1), own, count, names)))
                }
                (true, Body::Fork(word, mut branches)) => {
                    let branch = rng.below(branches.len());
                    let body = branches[branch].1.clone();
                    branches[branch].1 = changed(rng, body, at.saturating_sub(1), own, count, names);
                    Body::Fork(word, branches)
                }
                (_, body) => changed(rng, body, at.saturating_sub(1), own, count, names),
            };
            arms[arm] = (label, new);
            Body::Fork(word, arms)
        }
        Body::Stop | Body::Call(_) => match rng.below(3) {
            0 => Body::Stop,
            1 => interaction(rng, own, count, names, 0, true),
            _ => Body::Call(rng.below(names)),
        },
    }
}
