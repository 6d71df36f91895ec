//! Networks of any size, of shapes that are easy to reason about.

use std::fmt::Write;

/// The shapes that there are.
#[allow(dead_code, reason = "not every program that measures names them")]
pub(crate) const NAMES: [&str; 16] = [
    "actions",
    "conditionals",
    "offers",
    "processes",
    "procedures",
    "communications",
    "deciders",
    "rounds",
    "secretive",
    "secretive-2x",
    "server",
    "requests",
    "balancer",
    "hub",
    "hub-loop",
    "ring",
];

/// The shape of this name.
pub(crate) fn named(shape: &str, size: usize, processes: usize) -> Option<String> {
    Some(match shape {
        "actions" => actions(size),
        "conditionals" => conditionals(size),
        "offers" => offers(size),
        "processes" => pairs(size),
        "procedures" => procedures(size),
        "communications" => communications(size, processes),
        "deciders" => deciders(size, false),
        "rounds" => deciders(size, true),
        "secretive" => secretive(size, ""),
        "secretive-2x" => format!("{} | {}", secretive(size, ""), secretive(size, "'")),
        "server" => server(size, false),
        "requests" => server(size, true),
        "balancer" => balancer(size, processes),
        "hub" => hub(size, false),
        "hub-loop" => hub(size, true),
        "ring" => ring(size),
        _ => return None,
    })
}

/// One process does this many actions in a row, and its partner with it.
fn actions(count: usize) -> String {
    format!("p {{ main {{ {}stop }} }} | q {{ main {{ {}stop }} }}", "q!<e>; ".repeat(count), "p?; ".repeat(count))
}

/// Conditionals inside of each other.
fn conditionals(depth: usize) -> String {
    format!("p {{ main {{ {}stop{} }} }}", "if c then ".repeat(depth), " else stop".repeat(depth))
}

/// Offers inside of each other, and a partner that goes all the way.
fn offers(depth: usize) -> String {
    let offers = format!("{}stop{}", "q&{l: ".repeat(depth), ", m: stop}".repeat(depth));
    format!("p {{ main {{ {offers} }} }} | q {{ main {{ {}stop }} }}", "p+l; ".repeat(depth))
}

/// Half of the processes send one value each to the other half.
fn pairs(count: usize) -> String {
    let pair = |number: usize| {
        format!("p{number} {{ main {{ q{number}!<e>; stop }} }} | q{number} {{ main {{ p{number}?; stop }} }}")
    };
    (0..count / 2).map(pair).collect::<Vec<_>>().join(" | ")
}

/// Each procedure does one action and calls the next, the last one calls the first.
fn procedures(count: usize) -> String {
    let mut text = "p { ".to_string();
    for number in 0..count {
        let _ = write!(text, "def X{number} {{ q!<e{number}>; X{} }} ", (number + 1) % count);
    }
    text + "main { X0 } } | q { def Y { p?; Y } main { Y } }"
}

/// Values that go to and fro between processes chosen at random, always the same for the same numbers.
fn communications(count: usize, processes: usize) -> String {
    let mut bodies = vec![String::new(); processes];
    let mut dice = 0x2545_f491_4f6c_dd1d_u64;
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((dice >> 33) as usize) % sides
    };
    for number in 0..count {
        // The first ones make a chain, so that all are one component.
        let (from, to) = match number {
            number if number + 1 < processes => (number, number + 1),
            _ => {
                let from = roll(processes);
                (from, (from + 1 + roll(processes - 1)) % processes)
            }
        };
        let _ = write!(bodies[from], "p{to}!<e{}>; ", number % 100);
        let _ = write!(bodies[to], "p{from}?; ");
    }
    let process = |(number, body): (usize, &String)| format!("p{number} {{ main {{ {body}stop }} }}");
    bodies.iter().enumerate().map(process).collect::<Vec<_>>().join(" | ")
}

/// Deciders that each tell a listener and then meet at a barrier; once, or round after round.
fn deciders(count: usize, again: bool) -> String {
    let (round, listen) = if again { ("Round", "Listen") } else { ("stop", "stop") };
    let (mut text, mut here, mut go) = (String::new(), String::new(), String::new());
    for number in 0..count {
        let _ = write!(
            text,
            "d{number} {{ def Round {{ if heads then l{number}+heads; l{number}!<x>; Meet else l{number}+tails; Meet }}
             def Meet {{ barrier!<here>; barrier?; {round} }} main {{ Round }} }}
             | l{number} {{ def Listen {{ d{number}&{{ heads: d{number}?; {listen}, tails: {listen} }} }} main {{ Listen }} }} | "
        );
        let _ = write!(here, "d{number}?; ");
        let _ = write!(go, "d{number}!<go>; ");
    }
    let _ = write!(text, "barrier {{ def Round {{ {here} {go} {round} }} main {{ Round }} }}");
    text
}

/// Deciders that tell nobody, so that no branches meet again until a hub has released them one by one: 3 · 2^k nodes
/// for k deciders. Only a label that is never selected tells the outcomes apart, so the choreography is small.
fn secretive(count: usize, mark: &str) -> String {
    let mut text = String::new();
    let mut release = String::new();
    for number in 0..count {
        let _ = write!(
            text,
            "d{number}{mark} {{ main {{ if c then hub{mark}&{{go: stop, x: stop}} else hub{mark}&{{go: stop, y: stop}} }} }} | "
        );
        let _ = write!(release, "d{}{mark}+go; ", count - 1 - number);
    }
    let _ = write!(text, "hub{mark} {{ main {{ {release}stop }} }}");
    text
}

/// A server that takes whatever comes from any of its clients, and may answer before it takes the next.
fn server(clients: usize, answers: bool) -> String {
    let (mut items, mut text) = (Vec::new(), String::new());
    for number in 0..clients {
        let (answer, wait) = if answers { (format!("c{number}!<y>; "), "server?; ") } else { Default::default() };
        items.push(format!("c{number}?; {answer}Serve"));
        let _ = write!(text, "c{number} {{ def Ask {{ server!<x>; {wait}Ask }} main {{ Ask }} }} | ");
    }
    let _ = write!(text, "server {{ def Serve {{ any {{ {} }} }} main {{ Serve }} }}", items.join(", "));
    text
}

/// A balancer that hands each request to whichever worker is free, which answers the client.
fn balancer(clients: usize, workers: usize) -> String {
    let each = |count: usize, item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let answers = each(workers, &|worker| format!("w{worker}?; Ask"));
    let jobs = each(clients, &|client| format!("c{client}: c{client}!<y>; Work"));
    let requests = each(clients, &|client| {
        format!("c{client}?; any {{ {} }}", each(workers, &|worker| format!("w{worker}+c{client}; Balance")))
    });
    let mut text = format!("balancer {{ def Balance {{ any {{ {requests} }} }} main {{ Balance }} }}");
    for client in 0..clients {
        let _ = write!(text, " | c{client} {{ def Ask {{ balancer!<x>; any {{ {answers} }} }} main {{ Ask }} }}");
    }
    for worker in 0..workers {
        let _ = write!(text, " | w{worker} {{ def Work {{ balancer&{{{jobs}}} }} main {{ Work }} }}");
    }
    text
}

/// A process that sends something to all others, once or round after round.
fn hub(clients: usize, again: bool) -> String {
    let (more, wait) = if again { ("Serve", "Wait") } else { ("stop", "stop") };
    let mut text = "hub { def Serve { ".to_string();
    (0..clients).for_each(|number| text += &format!("c{number}!<x>; "));
    let _ = write!(text, "{more} }} main {{ Serve }} }}");
    for number in 0..clients {
        let _ = write!(text, " | c{number} {{ def Wait {{ hub?; {wait} }} main {{ Wait }} }}");
    }
    text
}

/// Processes in a circle that hand on a token forever.
fn ring(count: usize) -> String {
    let process = |number: usize| {
        let (next, before) = ((number + 1) % count, (number + count - 1) % count);
        let (send, receive) = (format!("p{next}!<t>; "), format!("p{before}?; "));
        let round = if number == 0 { send + &receive } else { receive + &send };
        format!("p{number} {{ def Go {{ {round}Go }} main {{ Go }} }}")
    };
    (0..count).map(process).collect::<Vec<_>>().join(" | ")
}
