//! Random networks that fail in a way of their choice, so that every kind of hint is given often.

use laban::generate::SeededRng;

/// Few processes that decide often.
pub(super) fn random_deciders(random: &mut SeededRng) -> String {
    fn body(random: &mut SeededRng, process: u32, count: u32, depth: u32) -> String {
        let partner = (process + 1 + random.below_u32(count - 1)) % count;
        if depth == 0 {
            return if random.below_u32(4) == 0 { "X".to_string() } else { "stop".to_string() };
        }
        let next = |random: &mut SeededRng| body(random, process, count, depth - 1);
        match random.below_u32(12) {
            0..=1 => format!("p{partner}!<e>; {}", next(random)),
            2..=3 => format!("p{partner}?; {}", next(random)),
            4 => format!("p{partner}+l; {}", next(random)),
            5 => format!("p{partner}&{{l: {}, m: {}}}", next(random), next(random)),
            6 => format!("p{partner}+m; {}", next(random)),
            7..=9 => format!("if c then {} else {}", next(random), next(random)),
            _ => "stop".to_string(),
        }
    }
    let count = 2 + random.below_u32(3);
    let units = (0..count).map(|process| {
        let (procedure, main) = (body(random, process, count, 2), body(random, process, count, 3));
        format!("p{process} {{ def X {{ p{}!<x>; {procedure} }} main {{ {main} }} }}", (process + 1) % count)
    });
    units.collect::<Vec<_>>().join(" | ")
}

/// Actions of a process that can be anything, and then its end.
fn rest(random: &mut SeededRng, process: u32, count: u32, most: u32) -> String {
    let mut text = String::new();
    for _ in 0..random.below_u32(most + 1) {
        let partner = (process + 1 + random.below_u32(count - 1)) % count;
        text.push_str(&match random.below_u32(4) {
            0 => format!("p{partner}!<e>; "),
            1 => format!("p{partner}?; "),
            2 => format!("p{partner}+{}; ", label(random)),
            _ => format!("if c then stop else p{partner}!<f>; "),
        });
    }
    text + "stop"
}

/// Some are mistaken for others.
fn label(random: &mut SeededRng) -> &'static str {
    ["go", "goo", "stay", "stray", "yes", "no", "maybe"][random.below(7)]
}

/// Two that have something to say to each other, and then one selects a label that the other may not offer.
pub(super) fn random_labels(random: &mut SeededRng) -> String {
    let (mut one, mut other) = (String::new(), String::new());
    for _ in 0..random.below(4) {
        let label = label(random);
        match random.below(3) {
            0 => {
                one.push_str("p1!<e>; ");
                other.push_str("p0?; ");
            }
            1 => {
                one.push_str("p1?; ");
                other.push_str("p0!<e>; ");
            }
            _ => {
                one.push_str(&format!("p1+{label}; "));
                other.push_str(&format!("p0&{{{label}: "));
            }
        }
    }
    let mut offered: Vec<&str> = (0..1 + random.below(3)).map(|_| label(random)).collect();
    offered.sort_unstable();
    offered.dedup();
    let branches: Vec<String> = offered.iter().map(|label| format!("{label}: {}", rest(random, 1, 2, 1))).collect();
    let closed = "}".repeat(other.matches('{').count());
    format!(
        "p0 {{ main {{ {one}p1+{}; {} }} }} | p1 {{ main {{ {other}p0&{{{}}}{closed} }} }}",
        label(random),
        rest(random, 0, 2, 1),
        branches.join(", ")
    )
}

/// A circle of processes that each speak to the next one; most of them before they listen.
pub(super) fn random_circle(random: &mut SeededRng) -> String {
    let count = 2 + random.below_u32(4);
    let labels: Vec<Option<&str>> = (0..count).map(|_| random.one_in(3).then(|| label(random))).collect();
    let units = (0..count).map(|process| {
        let (before, after) = ((process + count - 1) % count, (process + 1) % count);
        let listened = rest(random, process, count, 1);
        let speak = match labels[process as usize] {
            Some(label) => format!("p{after}+{label}; "),
            None => format!("p{after}!<e>; "),
        };
        let last = random.one_in(12);
        let (first, then) = if last { (String::new(), speak) } else { (speak, String::new()) };
        let listen = match labels[before as usize] {
            Some(label) => format!("p{before}&{{{label}: {then}{listened}}}"),
            None => format!("p{before}?; {then}{listened}"),
        };
        format!("p{process} {{ main {{ {first}{listen} }} }}")
    });
    units.collect::<Vec<_>>().join(" | ")
}

/// A process that decides and tells another only of one outcome. The other may decide, too, whether it listens.
pub(super) fn random_telling(random: &mut SeededRng) -> String {
    let count = 2 + random.below_u32(3);
    let (selected, other) = (label(random), label(random));
    let told = format!("p1+{selected}; {}", rest(random, 0, count, 1));
    let silent = if random.one_in(2) { "stop".to_string() } else { rest(random, 0, count, 2) };
    let (then, otherwise) = if random.one_in(2) { (told, silent) } else { (silent, told) };
    let mut branches = vec![format!("{selected}: {}", rest(random, 1, count, 1))];
    if other != selected {
        branches.push(format!("{other}: stop"));
    }
    let listening = format!("p0&{{{}}}", branches.join(", "));
    let listening = if random.one_in(4) { format!("if c then {listening} else stop") } else { listening };
    let mut units = vec![
        format!("p0 {{ main {{ if c then {then} else {otherwise} }} }}"),
        format!("p1 {{ main {{ {listening} }} }}"),
    ];
    units.extend((2..count).map(|process| format!("p{process} {{ main {{ {} }} }}", rest(random, process, count, 2))));
    units.join(" | ")
}

/// A process that decides and tells a second one, which deals with a third one only for some outcomes.
pub(super) fn random_go_between(random: &mut SeededRng) -> String {
    let deals = |random: &mut SeededRng| match random.below_u32(4) {
        0 => "stop".to_string(),
        1 => "p2!<x>; stop".to_string(),
        2 => "p2+ok; stop".to_string(),
        _ => format!("p0!<y>; {}", if random.one_in(2) { "p2!<x>; stop" } else { "stop" }),
    };
    let own = |random: &mut SeededRng, label: &str, deal: &str| {
        let first = if random.one_in(3) { "p3!<z>; " } else { "" };
        let last = if deal.starts_with("p0!") { "p1?; stop" } else { "stop" };
        format!("{first}p1+{label}; {last}")
    };
    let (yes, no) = (deals(random), deals(random));
    let otherwise = if random.one_in(6) { "yes" } else { "no" };
    let (then, or_else) = (own(random, "yes", &yes), own(random, otherwise, &no));
    let waits = match random.below_u32(3) {
        0 => "p1&{ok: stop}",
        1 => "p1?; stop",
        _ => "if late then p1?; stop else p1?; stop",
    };
    format!(
        "p0 {{ main {{ if c then {then} else {or_else} }} }} | p1 {{ main {{ p0&{{yes: {yes}, no: {no}}} }} }} \
         | p2 {{ main {{ {waits} }} }} | p3 {{ def X {{ p0?; X }} main {{ X }} }}"
    )
}
