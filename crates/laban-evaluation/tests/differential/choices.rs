//! Choices and labelled values in the two searches: the same verdicts, each of which is proved.

use laban::extraction::ExtractOptions;
use laban::generate::SeededRng;
use laban::{Verdict, analyse};
use laban_evaluation::Search;

/// What `p` does and what `q` does about it: mostly what fits together, and a step that does not here and there.
fn bodies(dice: &mut SeededRng, depth: usize) -> (String, String) {
    if depth == 0 {
        let end = ["stop", "X", "X"][dice.below(3)].to_string();
        return (end.clone(), end);
    }
    let label = ["l", "m"][dice.below(2)];
    let kinds = if dice.below(12) == 0 { 8 } else { 6 };
    match dice.below(kinds) {
        0 | 1 => {
            let (one, other) = bodies(dice, depth - 1);
            (format!("q+{label}<e>; {one}"), format!("p&{label}; {other}"))
        }
        2 => {
            let (one, other) = bodies(dice, depth - 1);
            (format!("q?; {one}"), format!("p!<x>; {other}"))
        }
        3 => {
            let (one, other) = bodies(dice, depth - 1);
            (format!("r!<x>; {one}"), other)
        }
        4 | 5 => {
            let arms: Vec<(String, String)> = (0..2 + dice.below(2)).map(|_| bodies(dice, depth - 1)).collect();
            let chosen = arms.iter().zip(["a", "b", "c"]).map(|(arm, label)| format!("q+{label}<v>; {}", arm.0));
            let offered = arms.iter().zip(["a", "b", "c"]).map(|(arm, label)| format!("{label}: {}", arm.1));
            let [chosen, offered] = [chosen.collect::<Vec<_>>(), offered.collect()].map(|arms| arms.join(", "));
            (format!("choose {{ {chosen} }}"), format!("p&{{{offered}}}"))
        }
        6 => (bodies(dice, depth - 1).0, bodies(dice, depth - 1).1),
        _ => ("q?; stop".to_string(), "p?; stop".to_string()),
    }
}

#[test]
fn the_searches_agree_on_choices_and_labelled_values() {
    let mut seen = [0_usize; 3];
    for seed in 0..3_000 {
        let mut dice = SeededRng::new(seed);
        let (p, q) = bodies(&mut dice, 3);
        let (again_p, again_q) = bodies(&mut dice, 2);
        let go = ["r!<go>; ", ""][dice.below(2)];
        let text = format!(
            "p {{ def X {{ {go}q!<x>; {again_p} }} main {{ {p} }} }} | q {{ def X {{ p?; {again_q} }} main {{ {q} }} }}
             | r {{ def X {{ p?; X }} main {{ X }} }}"
        );
        let Ok(network) = analyse(&text).into_network() else { panic!("seed {seed}: {text}") };
        let options = ExtractOptions { minimise: false, ..ExtractOptions::default() };
        let verdict = |search: Search| match search.extract(&network, &options) {
            Ok(answer) => answer.verdict(),
            Err(error) => panic!("seed {seed}: {error}: {text}"),
        };
        let fast = verdict(Search::Fast);
        assert_eq!(fast, verdict(Search::Paper { clever: true }), "seed {seed}: {text}");
        assert_eq!(fast, verdict(Search::Paper { clever: false }), "seed {seed}, not clever: {text}");
        match fast {
            Verdict::Extracted => seen[0] += 1,
            Verdict::Deadlock => seen[1] += 1,
            Verdict::Livelock => seen[2] += 1,
            Verdict::Undecided => panic!("seed {seed}: there is no limit"),
            Verdict::Orphan | Verdict::Unbounded => panic!("seed {seed}: there are no queues"),
        }
    }
    assert!(seen.iter().all(|&count| count >= 50), "{seen:?} extracted, deadlocks and livelocks");
}
