//! Random networks: some that follow a choreography, some with mistakes in them, some with races, some with queues, and
//! some that make no sense.

use super::read;
use crate::queues::random_network;
use crate::races::random;
use laban::generate::{Parameters, SeededRng, fuzz, network};
use laban::network::Network;
use laban::syntax::Compact;

/// A network of a seed, of any kind.
pub(crate) fn any(seed: u64) -> Network {
    match seed % 5 {
        0 => wild(seed),
        1 => fuzzed(seed),
        2 => racing(seed),
        3 => queued(seed),
        _ => projected(seed),
    }
}

/// The projection of a random choreography: it can be extracted.
pub(crate) fn projected(seed: u64) -> Network {
    let parameters = [
        Parameters::new(12, 4, 2, 2),
        Parameters::new(20, 5, 6, 1),
        Parameters::new(30, 6, 0, 3),
        Parameters::new(6, 3, 2, 2),
    ];
    network(&parameters[(seed % 4) as usize], seed).unwrap().network
}

/// The same with mistakes.
pub(crate) fn fuzzed(seed: u64) -> Network {
    let made = network(&Parameters::new(12, 4, 3, 2), seed).unwrap();
    read(&Compact(&fuzz(&made.network_tree, 1, 1, seed).0).to_string())
}

/// Processes that do whichever comes first; the first seed from this one on that gives a well-formed network.
pub(crate) fn racing(seed: u64) -> Network {
    let seeds = (0..).map(|more| SeededRng::for_purpose(seed + 1000 * more, 1001));
    seeds.map(|mut dice| random::network(&mut dice)).find_map(|text| laban::analyse(&text).into_network().ok()).unwrap()
}

/// Processes whose messages wait in queues; the first seed from this one on that gives a well-formed network.
pub(crate) fn queued(seed: u64) -> Network {
    (0..).find_map(|more| random_network(seed + 1000 * more)).unwrap().1
}

/// Processes that know nothing of each other; in half of the networks there are two parts.
pub(crate) fn wild(seed: u64) -> Network {
    let mut dice = SeededRng::for_purpose(seed, 1000);
    let parts = 1 + dice.below_u32(2);
    let mut units = Vec::new();
    for part in 0..parts {
        let count = 2 + dice.below_u32(3);
        for process in 0..count {
            let mut body = Body { dice: &mut dice, part, process, count };
            let (main, procedure) = (body.text(4), body.text(3));
            let first = body.partner();
            let service = if dice.below_u32(8) == 0 { "service " } else { "" };
            units.push(format!(
                "{service}p{part}_{process} {{ def X {{ {first}!<x>; {procedure} }} main {{ {main} }} }}"
            ));
        }
    }
    read(&units.join(" | "))
}

struct Body<'a> {
    dice: &'a mut SeededRng,
    part: u32,
    process: u32,
    count: u32,
}

impl Body<'_> {
    fn partner(&mut self) -> String {
        format!("p{}_{}", self.part, (self.process + 1 + self.dice.below_u32(self.count - 1)) % self.count)
    }

    fn text(&mut self, depth: u32) -> String {
        if depth == 0 {
            return ["stop", "X"][self.dice.below_u32(2) as usize].to_string();
        }
        let partner = self.partner();
        match self.dice.below_u32(14) {
            0..=3 => format!("{partner}!<e>; {}", self.text(depth - 1)),
            4..=7 => format!("{partner}?; {}", self.text(depth - 1)),
            8 => format!("{partner}+l; {}", self.text(depth - 1)),
            9 => format!("{partner}&{{l: {}, m: {}}}", self.text(depth - 1), self.text(depth - 1)),
            10 => format!("{partner}&{{l: {}}}", self.text(depth - 1)),
            11 | 12 => format!("if c then {} else {}", self.text(depth - 1), self.text(depth - 1)),
            _ => "stop".to_string(),
        }
    }
}
