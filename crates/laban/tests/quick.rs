#![allow(dead_code, unused_imports)]
#[path = "suite/queues/mod.rs"]
mod queues;
#[path = "suite/races/mod.rs"]
mod races;
fn cases(usual: u64) -> u64 {
    usual * std::env::var("LABAN_TIMES").ok().and_then(|t| t.parse().ok()).unwrap_or(1)
}
fn scaled(usual: usize, _large: usize) -> usize {
    usual
}
#[test]
fn scan() {
    use laban::Limits;
    use laban::extraction::{ExtractOptions, search};
    let (from, to): (u64, u64) =
        (std::env::var("FROM").unwrap().parse().unwrap(), std::env::var("TO").unwrap().parse().unwrap());
    let mut slow = 0;
    for seed in from..to {
        let Some((text, network)) = queues::random_network(seed) else { continue };
        for fair in [false, true] {
            let options =
                ExtractOptions { fair, parallel: false, limits: Limits::states(3000), ..ExtractOptions::default() };
            let found = search(&network, &options);
            if found.statistics().nodes >= 3000 {
                slow += 1;
                if slow < 6 {
                    println!(
                        "seed {seed} fair {fair} {} {}\n{text}",
                        found.verdict().as_str(),
                        found.statistics().nodes
                    );
                }
            }
        }
    }
    println!("slow {slow}");
}
#[test]
fn one() {
    use laban::extraction::{ExtractOptions, search};
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let most: usize = std::env::var("MOST").unwrap().parse().unwrap();
    let queue: u32 = std::env::var("QUEUE").unwrap().parse().unwrap();
    let (text, network) = queues::random_network(seed).unwrap();
    println!("{text}");
    for fair in [false, true] {
        let options = ExtractOptions {
            fair,
            queue,
            parallel: false,
            limits: laban::Limits::states(most),
            ..ExtractOptions::default()
        };
        let found = search(&network, &options);
        println!("fair {fair}: {} {:?}", found.verdict().as_str(), found.statistics());
        for (component, failure) in found.failures() {
            println!("{:?} {failure:?}", component.processes);
        }
        for component in &found.components {
            println!("{:?}", component.capacities);
        }
    }
}
