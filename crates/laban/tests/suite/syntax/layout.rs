//! What laid out texts look like.

use super::properties::format_idempotent;
use laban::syntax::{ArenaRange, Arm, Kind, LocalAction, LocalFork, Main, Name, Span, Symbol, Term, Unit};
use laban::syntax::{Compact, NetworkTree, Pretty, detect, parse_choreography, parse_network};

fn formatted(source: &str) -> String {
    assert!(format_idempotent(source) > 0, "{source}");
    match detect(source) {
        Kind::Network => Pretty { tree: &parse_network(source).tree, source }.to_string(),
        Kind::Choreography => Pretty { tree: &parse_choreography(source).tree, source }.to_string(),
    }
}

fn check(source: &str, expected: &str) {
    let text = formatted(source);
    assert!(text == expected, "{text}");
}

#[test]
fn what_is_short_stays_on_one_line() {
    check(
        "p{main{q!<x>;0}}|service q{main{p?;stop}}",
        "p { main { q!<x>; stop } }\n| service q { main { p?; stop } }\n",
    );
    check("p { }", "p {}\n");
    check(
        "def X{p->q[l];X}main{X}||main{(p.e->q,q.e->p);stop}",
        "\
def X { p -> q[l]; X }
main { X }
||
main { (p.e -> q, q.e -> p); stop }
",
    );
}

#[test]
fn what_is_long_has_one_action_a_line() {
    check(
        "buyer { def Ask { seller!<title>; seller?; if happy then seller+ok; stop else seller+again; Ask } main { Ask } }
         | seller { def Serve { buyer?; buyer!<price>; buyer&{ ok: stop, again: Serve } } main { Serve } }",
        "\
buyer {
  def Ask {
    seller!<title>;
    seller?;
    if happy then
      seller+ok;
      stop
    else
      seller+again;
      Ask
  }
  main { Ask }
}
| seller {
  def Serve { buyer?; buyer!<price>; buyer&{ok: stop, again: Serve} }
  main { Serve }
}
",
    );
}

#[test]
fn chains_of_conditionals_are_not_indented_further() {
    check(
        "main { if p.first then p -> q[first]; stop else if p.second then p -> q[second]; stop else p -> q[third]; stop }",
        "\
main {
  if p.first then
    p -> q[first];
    stop
  else if p.second then
    p -> q[second];
    stop
  else
    p -> q[third];
    stop
}
",
    );
}

#[test]
fn branches_have_lines_of_their_own() {
    check(
        "bank { main { client&{ balance: client!<the_balance>; Serve, transfer: client?; client?; \
         if enough_money_on_the_account then client+ok; Serve else client+refused; Serve, quit: stop } } }",
        "\
bank {
  main {
    client&{
      balance: client!<the_balance>; Serve,
      transfer:
        client?;
        client?;
        if enough_money_on_the_account then
          client+ok;
          Serve
        else
          client+refused;
          Serve,
      quit: stop
    }
  }
}
",
    );
}

#[test]
fn comments_stay_with_what_they_are_about() {
    check(
        "// The buyer.
buyer { // asks
  main { /* first */ seller!<title /* of the book */>; // then

    // the answer
    seller?; if happy then stop // done
    // or
    else seller&{ // wait
      a: stop, // this
      b /* that */: stop } // end of offer
    // last
  }
} // end of buyer

/* The seller. */ | seller { main { stop } }
// The end.",
        "\
// The buyer.
buyer { // asks
  main { /* first */
    /* of the book */
    seller!<title>; // then

    // the answer
    seller?;
    if happy then
      stop // done
    // or
    else
      seller&{ // wait
        a: stop, // this
        /* that */
        b: stop
      } // end of offer
    // last
  }
} // end of buyer

/* The seller. */
| seller { main { stop } }
// The end.
",
    );
}

#[test]
fn one_empty_line_is_kept() {
    check(
        "\n\nmain {\n\n  p.x -> q;\n\n\n  // why\n\n  q.x -> p;\n  stop\n\n}\n\n\n||\n\nmain { stop }\n\n",
        "main {\n  p.x -> q;\n\n  // why\n\n  q.x -> p;\n  stop\n}\n\n||\n\nmain { stop }\n",
    );
}

#[test]
fn idle_twice_is_idle_once() {
    let twice = parse_network("p { main { idle idle q?; stop } } | q { main { stop } }");
    assert_eq!((twice.diagnostics.len(), twice.tree.idle.len()), (0, 1));
    let text = Compact(&twice.tree).to_string();
    assert_eq!(text, "p { main { idle q?; stop } } | q { main { stop } }");
    assert_eq!(format_idempotent("p { main { idle idle q?; stop } } | q { main { stop } }"), 1);
}

#[test]
fn a_tree_without_a_source_can_be_printed() {
    let mut tree = NetworkTree::default();
    let mut name = |text: &str| Name { symbol: tree.names.intern(text), span: Span::default() };
    let (p, q, x, yes, no) = (name("p"), name("q"), name("x -"), name("yes"), name("no"));
    // What follows comes first here, unlike in a tree that was parsed.
    let stop = tree.push(Term::Stop, Span::default());
    let send = tree.push(Term::Act(LocalAction::Send { to: q, expression: x }, stop), Span::default());
    tree.arms.extend([Arm { label: Some(yes), body: send }, Arm { label: Some(no), body: stop }]);
    let offer = Term::Fork(LocalFork::Offer { from: q }, ArenaRange { start: 0, end: 2 });
    let body = tree.push(offer, Span::default());
    let mains = vec![Main { body, span: Span::default() }];
    tree.units.push(Unit { name: Some(p), service: None, procedures: Vec::new(), mains, span: Span::default() });
    let expected = "p { main { q&{yes: q!<x - >; stop, no: stop} } }";
    assert_eq!(Compact(&tree).to_string(), expected);
    assert_eq!(Pretty { tree: &tree, source: "" }.to_string(), format!("{expected}\n"));
    // Names and terms of another tree are printed as nothing.
    tree.terms[0] = Term::Call(Name { symbol: Symbol(77), span: Span::default() });
    assert_eq!(Compact(&tree).to_string(), "p { main { q&{yes: q!<x - >; , no: } } }");
}
