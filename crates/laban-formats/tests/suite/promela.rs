//! Networks as Promela.

use crate::network;
use laban_formats::{PromelaChannels, write_promela};

const WAITER: &str = "
client { main { choose { server+order<x>; server?; stop, server+quit; stop } } }
| service server { def Serve { any { client&{order: client!<bill>; Serve, quit: Serve}, log&{ready: Serve} } } main { Serve } }
| log { main { if noisy then server+ready; stop else stop } }";

#[test]
fn a_model_has_a_process_for_each_process_and_valid_ends_where_it_may_wait() {
    let text = write_promela(&network(WAITER), PromelaChannels::Rendezvous).unwrap();
    let expected = "\
/* spin -a FILE && cc -DSAFETY -o pan pan.c && ./pan */

mtype = { order, quit, ready, value };
chan client_to_server = [0] of { mtype };
chan server_to_client = [0] of { mtype };
chan log_to_server = [0] of { mtype };

active proctype client() {
S_0: if
  :: true -> goto S_1
  :: true -> goto S_2
  fi;
S_1: if
  :: client_to_server!order -> goto S_3
  fi;
S_2: if
  :: client_to_server!quit -> goto S_done
  fi;
S_3: if
  :: server_to_client?value -> goto S_done
  fi;
S_done: skip
}

active proctype server() {
end_0: if
  :: client_to_server?order -> goto end_1
  :: client_to_server?quit -> goto end_0
  :: log_to_server?ready -> goto end_0
  fi;
end_1: if
  :: server_to_client!value -> goto end_0
  fi;
S_done: skip
}

active proctype log() {
S_0: if
  :: true -> goto S_1
  :: true -> goto S_done
  fi;
S_1: if
  :: log_to_server!ready -> goto S_done
  fi;
S_done: skip
}
";
    assert_eq!(text, expected);
    let queues = write_promela(&network(WAITER), PromelaChannels::Queues(4)).unwrap();
    assert_eq!(queues, expected.replace("[0]", "[4]"));
}

#[test]
fn names_are_no_words_of_promela_and_differ() {
    let text = "active { main { do'+skip; do'+S_0; do'+a'b; do'+a_b; do'+active; stop } }
        | do' { main { active&{skip: active&{S_0: active&{a'b: active&{a_b: active&{active: stop}}}}} } }";
    let model = write_promela(&network(text), PromelaChannels::Rendezvous).unwrap();
    assert!(model.contains("mtype = { m_skip, m_S_0, a_b, a_b_2, m_active_2 };"), "{model}");
    assert!(model.contains("active proctype m_active()") && model.contains("active proctype do_()"), "{model}");
}

#[test]
fn more_processes_than_spin_can_number_are_refused() {
    let units: Vec<String> = (0..300).map(|number| format!("p{number} {{ main {{ stop }} }}")).collect();
    let error = write_promela(&network(&units.join(" | ")), PromelaChannels::Rendezvous).expect_err("too many");
    assert!(error.to_string().contains("300 processes"), "{error}");
}
