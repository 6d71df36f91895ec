"""What the package promises, apart from the answers themselves."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import laban

GOOD = "p { main { q!<x>; stop } } | q { main { p?; stop } }"
STUCK = "p { main { q?; stop } } | q { main { p?; stop } }"
#: A network with very many states: ten independent loops that are searched as one.
LONG = " | ".join(
    f"a{n} {{ def X {{ if c then b{n}+l; X else b{n}+r; b{n}!<x>; X }} main {{ X }} }}"
    f" | b{n} {{ def X {{ a{n}&{{l: X, r: a{n}?; X}} }} main {{ X }} }}"
    for n in range(14)
)


def test_mistakes_are_exceptions_with_the_rendered_text() -> None:
    with pytest.raises(laban.IllFormed) as caught:
        laban.Network("p { main { q!<x>; stop } | ", name="shop.net")
    assert "shop.net:1:26" in str(caught.value)
    assert caught.value.diagnostics[0].severity == "error"
    assert isinstance(caught.value, (laban.LabanError, ValueError))


def test_exceptions_and_models_can_be_pickled() -> None:
    for model in (laban.Network(GOOD, name="a.net"), laban.parse("main { p.x -> q; stop }")):
        again = pickle.loads(pickle.dumps(model))
        assert again == model and again.name == model.name and hash(again) == hash(model)
    queues = laban.parse("channels queue; " + GOOD)
    assert isinstance(queues, laban.Network) and pickle.loads(pickle.dumps(queues)).has_queues
    with pytest.raises(laban.IllFormed) as caught:
        laban.parse("p {")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is laban.IllFormed and str(again) == str(caught.value)


def test_a_network_of_another_tool_keeps_its_queues_when_pickled() -> None:
    automata = "A: B!hello; end  B: A?hello; end"
    network = laban.parse(automata, format="kmc")
    assert isinstance(network, laban.Network) and network.has_queues
    assert pickle.loads(pickle.dumps(network)).has_queues


def test_wrong_names_are_named() -> None:
    for options, word in (
        ({"services": ["r"]}, "services: there is no process `r`"),
        ({"channels": "async"}, "channels: expected queue"),
        ({"strategy": "x"}, "strategy: expected one of Random"),
        ({"timeout": -1.0}, "timeout: expected a number of seconds"),
    ):
        with pytest.raises(ValueError, match=word):
            laban.extract(GOOD, **options)


def test_the_other_kind_of_text_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        laban.extract("main { p.x -> q; stop }")
    with pytest.raises(TypeError):
        laban.project(GOOD)


def test_a_failure_shows_itself() -> None:
    [failure] = laban.extract(STUCK).failures
    bundle = failure._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/svg+xml"}
    assert bundle["image/svg+xml"].startswith("<svg") and "wait for each other" in bundle["text/html"]
    assert "<x>" not in laban.check("p { main { q!<x>; stop } }")._repr_html_()
    for shown in (laban.Network(GOOD), laban.Choreography("main { p.x -> q; stop }"), laban.run(GOOD)):
        assert shown._repr_svg_().startswith("<svg")
        assert shown._repr_mimebundle_()["image/svg+xml"] == shown._repr_svg_()
        assert shown._repr_html_().startswith("<")


def test_answers_come_in_order_for_any_number_of_threads() -> None:
    def sources() -> Iterator[tuple[str, str]]:
        yield from laban.generate_many(300, 12, 4, ifs=2, procedures=1)
        yield ("stuck", STUCK)
        yield ("bad", "p {")

    expected = [laban.to_dict(answer) for answer in laban.extract_many(sources(), jobs=1)]
    assert [row["id"] for row in expected[-2:]] == ["stuck", "bad"]
    assert [row["outcome"] for row in expected[-2:]] == ["deadlock", "syntax-error"]
    for jobs in (2, 3, 8):
        assert [laban.to_dict(answer) for answer in laban.extract_many(sources(), jobs=jobs)] == expected


def test_only_a_few_networks_are_taken_in_ahead() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield GOOD

    answers = laban.extract_many(endless(), jobs=2)
    for _ in range(10):
        assert next(answers)
    assert taken <= 10 + 2 * 64
    del answers


def test_an_exception_of_the_iterator_comes_after_what_was_before_it() -> None:
    def broken() -> Iterator[str]:
        yield GOOD
        raise RuntimeError("no more")

    answers = laban.extract_many(broken())
    assert next(answers).outcome == "extracted"
    with pytest.raises(RuntimeError, match="no more"):
        next(answers)
    with pytest.raises(StopIteration):
        next(answers)


def test_what_is_not_a_network_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="expected networks"):
        list(laban.extract_many([1]))  # type: ignore[list-item]


def test_the_lock_is_released() -> None:
    counted = 0
    done = False

    def count() -> None:
        nonlocal counted
        while not done:
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(laban.Undecided):
        laban.extract(LONG, split=False, timeout=0.5)
    done = True
    thread.join()
    assert counted > 5


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")
@pytest.mark.parametrize(
    "call",
    [
        "laban.extract(text, split=False)",
        "list(laban.extract_many([text] * 4, split=False))",
    ],
)
def test_an_interrupt_ends_a_long_extraction(call: str, tmp_path: Path) -> None:
    (tmp_path / "long.net").write_text(LONG)
    program = textwrap.dedent(
        f"""
        import laban, signal, sys
        # Whoever runs the tests in the background may have it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        text = open({str(tmp_path / "long.net")!r}).read()
        print("started", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(7)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "started\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert (child.returncode, out) == (7, "interrupted\n")


def test_a_timeout_is_undecided() -> None:
    with pytest.raises(laban.Undecided, match="gave up after 0.2 s"):
        laban.extract(LONG, split=False, timeout=0.2)
    [answer] = laban.extract_many([LONG], split=False, timeout=0.2)
    assert (answer.outcome, answer.reason) == ("undecided", "gave up after 0.2 s")


def test_tables_of_answers() -> None:
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    names = [("a", GOOD), ("b", STUCK)]
    frame = laban.to_pandas(laban.extract_many(names))
    assert isinstance(frame, pandas.DataFrame) and frame.outcome.tolist() == ["extracted", "deadlock"]
    table = laban.to_arrow(laban.extract_many(names))
    assert isinstance(table, pyarrow.Table) and table.column_names == list(laban.COLUMNS)
    assert table.to_pylist() == list(laban.to_rows(laban.extract_many(names)))
    assert laban.to_arrow(laban.extract_many([])).num_rows == 0


def test_neither_arrow_nor_pandas_is_required() -> None:
    program = "import sys; sys.modules.update(pandas=None, pyarrow=None, ray=None); import laban; print(laban.extract"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}({GOOD!r}).outcome)"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "extracted\n"


def test_a_decision_can_be_fixed() -> None:
    network = "p { main { if c then q+a; stop else q+b; stop } } | q { main { p&{a: stop, b: stop} } }"
    assert "p -> q[a]" in laban.run(network, decide={"p.c": True}).steps
    assert "p -> q[b]" in laban.run(network, decide={"p.c": False}).steps
    with pytest.raises(ValueError, match="never decides"):
        laban.run(network, decide={"p.d": True})
    with pytest.raises(ValueError, match="has no `choose`"):
        laban.run(network, decide={"p": 1})
