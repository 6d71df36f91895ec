//! Loops that meet: who is starved on one of them, among few and among many processes.

use super::{twin, verify};
use laban::analyse;
use laban::choreography::Choreography;
use laban::network::Network;

fn read(network: &str, choreography: &str) -> (Network, Choreography) {
    (analyse(network).into_network().unwrap(), analyse(choreography).into_choreography().unwrap())
}

/// Whoever loops back does so twice before it is known that nobody is left out.
#[test]
fn what_is_found_out_about_a_loop_is_told_to_those_within_it() {
    let (network, choreography) = read(
        "b { def B { d!<x>; B } main { B } }
         | d { def H { b?; I } def I { if c then H else b?; J } def J { if e then I else b?; J } main { H } }",
        "def H { b.x -> d; I } def I { if d.c then H else b.x -> d; J }
         def J { if d.e then I else b.x -> d; J } main { H }",
    );
    assert_eq!(twin::verify(&network, &choreography), Default::default());
    assert!(verify(&network, &choreography).is_ok());
}

/// A leader to whom `others` and one more report, as a network and a choreography. The procedures of both are given by
/// `procedures`, where `ALL` stands for the reports of all, and `REST` for those of all but the one.
fn reports(others: usize, procedures: &str) -> (Network, Choreography) {
    let names: Vec<String> = (0..others).map(|number| format!("o{number}")).collect();
    let every = |one: &str, report: fn(&str) -> String| -> String {
        names.iter().map(String::as_str).chain([one]).filter(|name| !name.is_empty()).map(report).collect()
    };
    let written = |decider: &str, report: fn(&str) -> String| {
        let text = procedures.replace("ALL", &every("one", report)).replace("REST", &every("", report));
        text.replace("if ", &format!("if {decider}"))
    };
    let mut network =
        format!("d {{ {} }} | one {{ def X {{ d!<x>; X }} main {{ X }} }}", written("", |name| format!("{name}?; ")));
    for name in &names {
        network.push_str(&format!(" | {name} {{ def X {{ d!<x>; X }} main {{ X }} }}"));
    }
    read(&network, &written("d.", |name| format!("{name}.x -> d; ")))
}

#[test]
fn one_of_many_is_starved_on_an_inner_loop_only() {
    for others in [3, 62, 63, 64, 70, 130] {
        let (network, choreography) = reports(
            others,
            "def H { if again then REST H else ALL G } def G { if more then ALL H else ALL G } main { ALL H }",
        );
        let mismatch = verify(&network, &choreography).expect_err("one is starved");
        assert_eq!(
            mismatch.explain(&network, &choreography),
            format!(
                "after {} steps up to `one.x -> d`, the choreography can repeat {} steps up to `o{}.x -> d` forever while \
                 `one` wants to send `x` to `d`",
                others + 1,
                others + 1,
                others - 1
            ),
        );
        let (network, choreography) = reports(
            others,
            "def H { if again then ALL H else REST G } def G { if more then ALL H else ALL G } main { ALL H }",
        );
        assert!(verify(&network, &choreography).is_ok(), "{others} others");
    }
}

/// From the loop that is looked at first one gets to that on which somebody is starved.
#[test]
fn one_of_many_is_starved_on_a_loop_further_on() {
    for others in [3, 64, 70, 130] {
        let (network, choreography) = reports(
            others,
            "def M { if stay then REST M else ALL N } def N { if on then ALL L else ALL N }
             def L { if back then REST M else ALL L } main { ALL M }",
        );
        let mismatch = verify(&network, &choreography).expect_err("one is starved");
        assert_eq!(
            mismatch.explain(&network, &choreography),
            format!(
                "after {} steps up to `one.x -> d`, the choreography can repeat {} steps up to `o{}.x -> d` forever while \
                 `one` wants to send `x` to `d`",
                others + 1,
                others + 1,
                others - 1
            ),
        );
    }
}
