//! Networks that are written and read back are the same up to names.

use crate::twin::difference;
use crate::{cases, network, network_of, random_network};
use laban::EquivalenceOptions;
use laban::Network;
use laban::network::State;
use laban_formats::{Format, FsaDialect, Unsayable, write_fsa, write_kmc};

/// What was covered.
#[derive(Default, Debug)]
struct Covered {
    written: u64,
    with_races: u64,
    with_choices: u64,
    with_silent: u64,
    refused: u64,
}

impl Covered {
    fn count(&mut self, network: &Network, text: &str) {
        let decides = network.states().iter().any(|state| matches!(state, State::If { .. } | State::Choose { .. }));
        self.written += 1;
        self.with_races += u64::from(network.has_races());
        self.with_choices += u64::from(decides);
        self.with_silent += u64::from(text.contains(" tau "));
    }
}

/// Writes and reads random networks until so many were the same.
fn round_trips(
    format: Format,
    wanted: u64,
    write: impl Fn(&Network) -> Result<String, Unsayable>,
    check: impl Fn(u64, &Network, &Network),
) -> Covered {
    let mut covered = Covered::default();
    let mut seed = 0;
    while covered.written < cases(wanted) {
        seed += 1;
        let network = random_network(seed);
        let text = match write(&network) {
            Ok(text) => text,
            Err(error) => {
                let expected = ["an `any` whose items all send", "an arm that does not begin with a send"];
                assert!(expected.iter().any(|expected| error.what.contains(expected)), "seed {seed}: {error}");
                covered.refused += 1;
                continue;
            }
        };
        covered.count(&network, &text);
        let back = network_of(format, &text);
        assert_eq!(difference(&network, &back), None, "seed {seed}\n{text}");
        check(seed, &network, &back);
    }
    covered
}

#[test]
fn machines_read_back_to_the_same_network() {
    let write = |network: &Network| write_fsa(network, FsaDialect::ChorGram);
    let covered = round_trips(Format::Fsa, 5_000, write, |seed, network, back| {
        let names = |network: &Network| {
            network.process_ids().map(|process| network.process_name(process).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(network), names(back), "seed {seed}");
    });
    let enough = covered.with_races > 1_000 && covered.with_choices > 2_000 && covered.with_silent > 200;
    assert!(enough && covered.refused < covered.written / 10, "{covered:?}");
}

#[test]
fn machines_for_kmc_read_back_to_the_same_network() {
    let covered = round_trips(Format::Fsa, 1_000, |network| write_fsa(network, FsaDialect::Kmc), |_, _, _| {});
    assert!(covered.with_races > 100 && covered.with_choices > 200 && covered.with_silent == 0, "{covered:?}");
}

#[test]
fn local_types_read_back_to_the_same_network() {
    let covered = round_trips(Format::Kmc, 5_000, write_kmc, |_, _, _| {});
    assert!(covered.with_races > 1_000 && covered.with_choices > 1_000 && covered.refused > 100, "{covered:?}");
}

#[test]
fn what_is_read_back_can_do_the_same() {
    // Without values and conditions, the two are the same by the library's own comparison as well.
    let mut compared = 0;
    for seed in 0..cases(1_000) {
        let network = random_network(seed);
        let is_plain = |state: &State| {
            !matches!(state, State::Send { .. } | State::Receive { .. } | State::SelectValue { .. } | State::If { .. })
        };
        let Ok(text) = write_fsa(&network, FsaDialect::ChorGram) else { continue };
        let back = network_of(Format::Fsa, &text);
        let again = write_fsa(&back, FsaDialect::ChorGram).unwrap();
        assert_eq!(difference(&back, &network_of(Format::Fsa, &again)), None, "seed {seed}\n{text}");
        let same = laban::equivalent(&back, &network_of(Format::Fsa, &again), &EquivalenceOptions::default());
        assert!(same.is_same(), "seed {seed}\n{text}\n{again}");
        if network.states().iter().all(is_plain) {
            let same = laban::equivalent(&network, &back, &EquivalenceOptions::default());
            assert!(same.is_same(), "seed {seed}\n{text}");
        }
        compared += 1;
    }
    assert!(compared > 800, "{compared}");
}

#[test]
fn what_a_format_cannot_say_is_named() {
    let check = |text: &str, what: &str| {
        let network = network(text);
        for written in [write_fsa(&network, FsaDialect::Kmc), write_kmc(&network)] {
            let error = written.expect_err(text).to_string();
            assert!(error.contains(what), "{error}");
        }
    };
    check("service p { main { q?; stop } } | q { main { p!<x>; stop } }", "`p` has the property of being a service");
    check("p { main { idle q?; stop } } | q { main { p!<x>; stop } }", "`p` has a state in which it may wait forever");
    check(
        "p { main { any { q+l; stop, r+l; stop } } } | q { main { p&{l: stop} } } | r { main { p&{l: stop} } }",
        "`p` has an `any` whose items all send",
    );
    check(
        "p { main { choose { q+l; stop, stop } } } | q { main { p&{l: stop} } }",
        "`p` has a choice with an arm that does not begin with a send",
    );
}

#[test]
fn words_of_other_tools_are_kept_apart() {
    let text = "main' { main { 買う+end; 買う+ends; 買う!<x>; 買う+value; stop } }
        | 買う { main { main'&{end: main'&{ends: main'?; main'&{value: stop}}} } }";
    let network = network(text);
    let kmc = write_kmc(&network).unwrap();
    assert_eq!(
        kmc,
        "MAIN: P!mend; P!mends; P!value2; P!value; end\nP: MAIN?mend; MAIN?mends; MAIN?value2; MAIN?value; end\n"
    );
    for (format, written) in [
        (Format::Kmc, kmc),
        (Format::Fsa, write_fsa(&network, FsaDialect::Kmc).unwrap()),
        (Format::Fsa, write_fsa(&network, FsaDialect::ChorGram).unwrap()),
    ] {
        assert_eq!(network_of(format, &written).states().len(), network.states().len(), "{written}");
    }
}

#[test]
fn a_type_that_would_be_too_long_is_refused() {
    // Each label leads to the same state, so a tree of depth 30 has a billion leaves.
    let mut text = String::from("p { ");
    for number in 0..30 {
        text.push_str(&format!("def X{number} {{ q&{{l: X{0}, r: X{0}}} }} ", number + 1));
    }
    text.push_str("def X30 { stop } main { X0 } } | q { main { stop } }");
    let error = write_kmc(&network(&text)).expect_err("too long");
    assert!(error.what.contains("too long"), "{error}");
    assert!(write_fsa(&network(&text), FsaDialect::Kmc).is_ok());
}

#[test]
fn the_same_network_gives_the_same_bytes() {
    for seed in 0..50 {
        let write = || write_fsa(&random_network(seed), FsaDialect::ChorGram);
        assert_eq!(write(), write(), "seed {seed}");
    }
}

#[test]
fn who_decides_forever_has_not_stopped() {
    let text =
        "p { def X { if a then Y else Y } def Y { if b then Y else Y } main { q!<x>; X } } | q { main { p?; stop } }";
    let network = laban::analyse(text).into_network().unwrap();
    let written = write_fsa(&network, FsaDialect::ChorGram).unwrap();
    assert!(written.contains("tau"), "{written}");
    assert_eq!(difference(&network, &network_of(Format::Fsa, &written)), None, "{written}");
}
