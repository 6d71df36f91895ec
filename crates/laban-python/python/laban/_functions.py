"""One function for each step, from a text to an answer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, overload

from . import _laban
from ._laban import (
    Check,
    Choreography,
    Comparison,
    Extraction,
    Extractions,
    Failure,
    Network,
    Run,
    Verification,
)

__all__ = [
    "Amendment",
    "Edited",
    "Source",
    "amend",
    "check",
    "convert",
    "draw",
    "equivalent",
    "extract",
    "extract_many",
    "fuzz",
    "generate",
    "generate_many",
    "networks",
    "parse",
    "project",
    "read",
    "run",
    "unroll",
    "verify",
]

#: A file, or the name of one.
AnyPath: TypeAlias = str | os.PathLike[str]
#: A network, or its text.
AnyNetwork: TypeAlias = str | Network
#: A network or a choreography, or the text of either.
AnyModel: TypeAlias = str | Network | Choreography
Channels: TypeAlias = str | None
T = TypeVar("T")


class Source(NamedTuple):
    """A text with its name and where it comes from.

    >>> import laban
    >>> [answer] = laban.extract_many([laban.Source("ping", "p { main { stop } }", file="a.tsv")])
    >>> answer.id, answer.file, answer.outcome
    ('ping', 'a.tsv', 'extracted')
    """

    #: The name of the network among others.
    id: str | None
    #: The network.
    text: str
    #: The file that it comes from.
    file: str | None = None
    #: The language, if it is that of another tool.
    format: str | None = None


class Amendment(NamedTuple):
    """A choreography that can be projected, and what was added for that.

    >>> import laban
    >>> amendment = laban.amend("main { if p.c then p.x -> q; stop else stop }")
    >>> print(amendment.choreography)
    main { if p.c then p -> q[L]; p.x -> q; stop else p -> q[R]; stop }
    """

    #: The choreography with the selections.
    choreography: Choreography
    #: What was added, one line each.
    added: list[str]
    #: Whether there is certainly no way with fewer selections.
    fewest: bool


class Edited(NamedTuple):
    """A network that was changed, and how.

    >>> import laban
    >>> edited = laban.fuzz("p { main { q!<x>; stop } } | q { main { p?; stop } }", deletions=1, seed=1)
    >>> len(edited.edits)
    1
    """

    #: The network.
    network: Network
    #: What was changed, one line each.
    edits: list[str]


def _reading(format: str | None, protocol: str | int | None, decides: Iterable[str]) -> dict[str, Any]:
    return {
        "format": format,
        "protocol": None if protocol is None else str(protocol),
        "decides": list(decides),
    }


def parse(
    text: str | bytes,
    *,
    name: str | None = None,
    format: str | None = None,
    protocol: str | int | None = None,
    decides: Iterable[str] = (),
) -> Network | Choreography:
    """Reads a network or a choreography in any language that Laban knows.

    What it is is found out by the name, if there is one, and by the content; `format` says otherwise. Of a text with
    several protocols, diagrams or blocks, `protocol` is the name or the number of the one that is meant, and `decides`
    says who decides where a diagram does not tell (`"seller"`, or `"12=seller"` for one line).

    Raises `IllFormed` if the text has mistakes.

    >>> import laban
    >>> laban.parse("p { main { q!<x>; stop } } | q { main { p?; stop } }")
    <Network <text>: p, q>
    >>> laban.parse("main { p.x -> q; stop }")
    <Choreography <text>: p, q>
    >>> diagram = "sequenceDiagram\\n  Alice->>Bob: hello\\n"
    >>> print(laban.parse(diagram))
    main { Alice.hello -> Bob; stop }
    """
    data = text.encode() if isinstance(text, str) else text
    model: Network | Choreography = _laban.parse(data, name, _reading(format, protocol, decides))
    return model


def read(
    *paths: AnyPath,
    format: str | None = None,
    protocol: str | int | None = None,
    decides: Iterable[str] = (),
) -> Network | Choreography:
    """Reads a file; several are the parts of one network.

    >>> import laban, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "p.net").write_text("p { main { q!<x>; stop } }")
    >>> _ = (folder / "q.net").write_text("q { main { p?; stop } }")
    >>> laban.read(folder / "p.net", folder / "q.net").processes
    ['p', 'q']
    """
    texts = [(os.fspath(path), Path(path).read_bytes()) for path in paths]
    model: Network | Choreography = _laban.together(texts, _reading(format, protocol, decides))
    return model


def _network(given: AnyNetwork) -> Network:
    return given if isinstance(given, Network) else _of(Network, parse(given))


def _choreography(given: str | Choreography) -> Choreography:
    return given if isinstance(given, Choreography) else _of(Choreography, parse(given))


def _model(given: AnyModel) -> Network | Choreography:
    return parse(given) if isinstance(given, str) else given


def _of(kind: type[T], model: object) -> T:
    if not isinstance(model, kind):
        raise TypeError(f"expected a {kind.__name__.lower()}, not a {type(model).__name__.lower()}")
    return model


def _search(
    strategy: str,
    seed: int,
    search: str,
    services: Iterable[str],
    channels: Channels,
    fair: bool,
    queue: int,
    split: bool,
    certify: bool,
    max_states: int | None,
    timeout: float | None,
) -> dict[str, Any]:
    return {
        "strategy": strategy,
        "seed": seed,
        "search": search,
        "services": _names(services),
        "channels": channels,
        "fair": fair,
        "queue": queue,
        "split": split,
        "certify": certify,
        "max_states": max_states,
        "timeout": timeout,
    }


def _names(names: Iterable[str]) -> list[str]:
    # A single name is a sequence of letters, which nobody means.
    return [names] if isinstance(names, str) else list(names)


def extract(
    network: AnyNetwork,
    *,
    strategy: str = "InteractionsFirst",
    seed: int = 0,
    search: Literal["fast", "paper"] = "fast",
    services: Iterable[str] = (),
    channels: Channels = None,
    fair: bool = False,
    queue: int = 64,
    split: bool = True,
    certify: bool = True,
    max_states: int | None = None,
    timeout: float | None = None,
) -> Extraction:
    """Finds the choreography that a network follows, or why there isn't one.

    The answer was checked: a choreography describes the network, and a failure was replayed. The options are those of
    `laban extract`: `services` may wait forever; `channels` are `"queue"`, `"queue:4"` or `"rendezvous"`, whatever the
    network declares; with `fair`, a loop that can be left is left some day; `queue` is how many messages a queue may
    hold before the search gives up; `timeout` is in seconds.

    Raises `Undecided` if there is no answer within the limits. Ctrl-C ends it.

    >>> import laban
    >>> print(laban.extract("p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }"))
    def X { p.x -> q; X }
    main { X }
    >>> laban.extract("p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }").outcome
    'deadlock'
    >>> print(laban.extract("p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }", channels="queue"))
    main { (p.x -> q, q.y -> p); stop }
    """
    options = _search(
        strategy, seed, search, services, channels, fair, queue, split, certify, max_states, timeout
    )
    return _laban.extract(_network(network), options)


def extract_many(
    networks: Iterable[AnyNetwork | tuple[str, AnyNetwork] | Source],
    *,
    jobs: int = 0,
    strategy: str = "InteractionsFirst",
    seed: int = 0,
    search: Literal["fast", "paper"] = "fast",
    services: Iterable[str] = (),
    channels: Channels = None,
    fair: bool = False,
    queue: int = 64,
    split: bool = True,
    certify: bool = True,
    max_states: int | None = None,
    timeout: float | None = None,
) -> Extractions:
    """Extracts many networks on all cores, or on as many as `jobs` says, and answers in the order of the networks.

    Networks are texts, `Network` objects, `Source` tuples, or pairs of a name and one of the first two. They may come
    from a generator: only a few are in memory at any time. The answers do not depend on `jobs`. A network with mistakes
    is an answer with the outcome `ill-formed` or `syntax-error`, and one without an answer is `undecided`: there are no
    exceptions, except for those of the iterator itself. Services that a network does not have are no mistake.

    >>> import laban
    >>> texts = {"good": "p { main { q!<x>; stop } } | q { main { p?; stop } }", "bad": "p { main { q?; stop } }"}
    >>> for answer in laban.extract_many(texts.items()):
    ...     print(answer.id, answer.outcome)
    good extracted
    bad ill-formed
    """
    options = _search(
        strategy, seed, search, services, channels, fair, queue, split, certify, max_states, timeout
    )
    return Extractions(networks, jobs, options)


def check(
    subject: AnyModel,
    *,
    strategy: str = "InteractionsFirst",
    seed: int = 0,
    search: Literal["fast", "paper"] = "fast",
    services: Iterable[str] = (),
    channels: Channels = None,
    fair: bool = False,
    queue: int = 64,
    split: bool = True,
    max_states: int | None = None,
    timeout: float | None = None,
) -> Check:
    """Finds mistakes, warnings, deadlocks and livelocks. Does not raise an exception for what it finds.

    >>> import laban
    >>> check = laban.check("p { main { q!<x>; stop } } | q { main { p?; stop } }")
    >>> bool(check), check.outcome, check.diagnostics
    (True, 'extracted', [])
    >>> print(laban.check("p { main { stop }").errors[0])
    <text>:1:3: error[unclosed]: the `{` of this process is never closed
    """
    options = _search(strategy, seed, search, services, channels, fair, queue, split, True, max_states, timeout)
    return _laban.check(subject, options)


def _compare(
    services: Iterable[str],
    channels: Channels,
    conditions: str,
    fair: bool,
    messages: bool,
    same_services: bool,
    max_states: int | None,
    timeout: float | None,
) -> dict[str, Any]:
    return {
        "services": _names(services),
        "channels": channels,
        "conditions": conditions,
        "fair": fair,
        "messages": messages,
        "same_services": same_services,
        "max_states": max_states,
        "timeout": timeout,
    }


def verify(
    network: AnyNetwork,
    choreography: str | Choreography,
    *,
    services: Iterable[str] = (),
    channels: Channels = None,
    conditions: Literal["text", "any"] = "text",
    fair: bool = False,
    max_states: int | None = None,
    timeout: float | None = None,
) -> Verification:
    """Checks that a choreography describes a network.

    >>> import laban
    >>> network = "p { main { q!<x>; stop } } | q { main { p?; stop } }"
    >>> bool(laban.verify(network, "main { p.x -> q; stop }"))
    True
    >>> print(laban.verify(network, "main { p.x -> q; q.y -> p; stop }").diagnostics[0].message)
    after `p.x -> q`, the choreography goes on with `q.y -> p`, but `q` has stopped
    """
    options = _compare(services, channels, conditions, fair, False, False, max_states, timeout)
    return _laban.verify(_network(network), _choreography(choreography), options)


def equivalent(
    first: AnyModel,
    second: AnyModel,
    *,
    same_services: bool = False,
    channels: Channels = None,
    conditions: Literal["text", "any"] = "text",
    messages: bool = False,
    max_states: int | None = None,
    timeout: float | None = None,
) -> Comparison:
    """Compares two networks or choreographies: do they behave the same?

    >>> import laban
    >>> bool(laban.equivalent("main { p.x -> q; r.y -> s; stop }", "main { r.y -> s; p.x -> q; stop }"))
    True
    >>> laban.equivalent("main { p.x -> q; stop }", "main { p.y -> q; stop }").first_can
    ['p.x -> q']
    """
    options = _compare((), channels, conditions, False, messages, same_services, max_states, timeout)
    return _laban.equivalent(_model(first), _model(second), options)


def project(
    choreography: str | Choreography,
    *,
    services: Iterable[str] = (),
    max_states: int | None = None,
    timeout: float | None = None,
) -> Network:
    """The network that implements a choreography. Raises `Unprojectable` if there isn't one.

    >>> import laban
    >>> print(laban.project("main { p.x -> q; stop }"))
    p { main { q!<x>; stop } }
    | q { main { p?; stop } }
    """
    options = {"services": _names(services), "max_states": max_states, "timeout": timeout}
    return _laban.project(_choreography(choreography), options)


def amend(
    choreography: str | Choreography,
    *,
    services: Iterable[str] = (),
    max_states: int | None = None,
    timeout: float | None = None,
) -> Amendment:
    """Adds the selections that a choreography needs to be projected, no more than are needed.

    >>> import laban
    >>> laban.amend("main { if p.c then p.x -> q; stop else stop }").added
    ['after `if p.c`: added p -> q[L] and p -> q[R]']
    >>> laban.amend("main { p.x -> q; stop }").added
    []
    """
    options = {"services": _names(services), "max_states": max_states, "timeout": timeout}
    return Amendment(*_laban.amend(_choreography(choreography), options))


def run(
    model: AnyModel,
    *,
    seed: int = 0,
    max_steps: int = 100,
    services: Iterable[str] = (),
    channels: Channels = None,
    decide: Mapping[str, bool | int] | None = None,
) -> Run:
    """Runs a network at random until nothing more can happen; a choreography is run as its projection.

    `decide` fixes the outcome of decisions (`{"buyer.happy": False}`) and which item a process chooses (`{"buyer": 2}`).

    >>> import laban
    >>> network = "p { main { if c then q+a; stop else q+b; stop } } | q { main { p&{a: stop, b: stop} } }"
    >>> laban.run(network, decide={"p.c": False}).steps
    ['p decides c: no', 'p -> q[b]']
    """
    options = {
        "seed": seed,
        "max_steps": max_steps,
        "services": _names(services),
        "channels": channels,
        "decide": list((decide or {}).items()),
    }
    return _laban.run(_model(model), options)


def _parameters(
    size: int, processes: int, ifs: int, races: int, queues: int, procedures: int
) -> dict[str, int]:
    return {
        "size": size,
        "processes": processes,
        "ifs": ifs,
        "races": races,
        "queues": queues,
        "procedures": procedures,
    }


@overload
def generate(
    size: int,
    processes: int,
    *,
    ifs: int = ...,
    races: int = ...,
    queues: int = ...,
    procedures: int = ...,
    seed: int = ...,
    kind: Literal["network"] = ...,
) -> Network: ...


@overload
def generate(
    size: int,
    processes: int,
    *,
    ifs: int = ...,
    races: int = ...,
    queues: int = ...,
    procedures: int = ...,
    seed: int = ...,
    kind: Literal["choreography"],
) -> Choreography: ...


def generate(
    size: int,
    processes: int,
    *,
    ifs: int = 0,
    races: int = 0,
    queues: int = 0,
    procedures: int = 0,
    seed: int = 0,
    kind: Literal["network", "choreography"] = "network",
) -> Network | Choreography:
    """A random network, or the choreography that it implements. The same seed always gives the same one.

    >>> import laban
    >>> print(laban.generate(4, 3, procedures=1, kind="choreography"))
    def A { b.m1 -> a; c -> b[l2]; c.m2 -> b; stop }
    main { c -> b[l1]; A }
    >>> laban.extract(laban.generate(20, 4, ifs=3)).outcome
    'extracted'
    """
    if kind not in ("network", "choreography"):
        raise ValueError("kind: expected network or choreography")
    network, choreography = _laban.generate(_parameters(size, processes, ifs, races, queues, procedures), seed)
    return network if kind == "network" else choreography


def generate_many(
    count: int,
    size: int,
    processes: int,
    *,
    ifs: int = 0,
    races: int = 0,
    queues: int = 0,
    procedures: int = 0,
    seed: int = 0,
    first: int = 1,
) -> Iterator[tuple[str, str]]:
    """Many random networks, one by one: pairs of a name and a text. They are those of `laban generate --count`.

    `first` is the number of the first one, so that several machines can share a long list.

    >>> import laban
    >>> [name for name, text in laban.generate_many(3, 10, 3)]
    ['C1', 'C2', 'C3']
    >>> list(laban.generate_many(1, 10, 3, first=3)) == list(laban.generate_many(3, 10, 3))[2:]
    True
    """
    parameters = _parameters(size, processes, ifs, races, queues, procedures)
    at_once = 64
    for start in range(first, first + count, at_once):
        yield from _laban.generate_batch(parameters, seed, start, min(at_once, first + count - start))


def fuzz(network: AnyNetwork, *, deletions: int = 0, swaps: int = 0, seed: int = 0) -> Edited:
    """Puts random mistakes into one process of a network: as if somebody had changed it and forgotten the others.

    >>> import laban
    >>> network, edits = laban.fuzz("p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }", swaps=1)
    >>> laban.extract(network).outcome
    'deadlock'
    """
    return Edited(*_laban.fuzz(_network(network), deletions, swaps, seed))


def unroll(network: AnyNetwork, *, seed: int = 0) -> Edited:
    """Rewrites one process of a network into an equivalent form.

    >>> import laban
    >>> network = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }"
    >>> bool(laban.equivalent(network, laban.unroll(network).network))
    True
    """
    return Edited(*_laban.unroll(_network(network), seed))


def convert(
    model: AnyModel,
    to: str,
    *,
    name: str | None = None,
    strategy: str = "InteractionsFirst",
    seed: int = 0,
    search: Literal["fast", "paper"] = "fast",
    services: Iterable[str] = (),
    channels: Channels = None,
    fair: bool = False,
    queue: int = 64,
    split: bool = True,
    certify: bool = True,
    max_states: int | None = None,
    timeout: float | None = None,
) -> str:
    """The same in another language: `net`, `chor`, `fsa`, `scribble`, `mermaid`, `json` and others.

    A choreography is projected for a language of networks, and the choreography of a network is extracted for a
    language of choreographies. Raises `Inexpressible` if the language cannot say it. `name` is that of the protocol, in
    languages in which it has one.

    >>> import laban
    >>> print(laban.convert("main { p.x -> q; stop }", "net"), end="")
    p { main { q!<x>; stop } }
    | q { main { p?; stop } }
    >>> print(laban.convert("p { main { q!<x>; stop } } | q { main { p?; stop } }", "chor"), end="")
    main { p.x -> q; stop }
    """
    options = _search(
        strategy, seed, search, services, channels, fair, queue, split, certify, max_states, timeout
    )
    return _laban.convert(_model(model), to, name, options)


def draw(
    subject: AnyModel | Extraction | Failure | Run | Verification | Comparison,
    *,
    of: Literal["communications", "automata", "seg", "sequence", "protocol"] | None = None,
    format: Literal["svg", "mermaid", "markdown", "plantuml", "dot"] = "svg",
    focus: Iterable[str] = (),
    max_nodes: int | None = None,
    minimised: bool = False,
    strategy: str = "InteractionsFirst",
    seed: int = 0,
    search: Literal["fast", "paper"] = "fast",
    services: Iterable[str] = (),
    channels: Channels = None,
    fair: bool = False,
    queue: int = 64,
    split: bool = True,
    max_states: int | None = None,
    timeout: float | None = None,
) -> str:
    """Draws something: a network (who talks to whom, unless `of` says otherwise), a choreography, an answer.

    Graphs are written as `svg`, `mermaid` or `dot`, sequence diagrams as `svg`, `mermaid`, `markdown` or `plantuml`.

    >>> import laban
    >>> print(laban.draw("main { p.x -> q; stop }", format="mermaid"), end="")
    sequenceDiagram
      %% laban: choreography
      participant p
      participant q
      p->>q: x
    >>> laban.draw(laban.generate(10, 3)).startswith("<svg")
    True
    """
    drawing = {
        "of": of,
        "format": format,
        "focus": _names(focus),
        "max_nodes": max_nodes,
        "minimised": minimised,
    }
    options = _search(strategy, seed, search, services, channels, fair, queue, split, True, max_states, timeout)
    drawn = parse(subject) if isinstance(subject, str) else subject
    return _laban.draw(drawn, drawing, options)


#: What the first file of a directory of networks may end in, besides `.net`.
_OTHERS = {".fsa": "fsa", ".ctx": "mpstk-context"}


def networks(*paths: AnyPath) -> Iterator[Source]:
    """The networks in files and directories, one by one, for `extract_many`.

    A path is a TSV file (a name, a tab and a network on each line), a file with one network, or a directory: all
    networks in it and below, sorted by name. A first line of a TSV file whose second column is `network` is skipped,
    and so are empty lines.

    >>> import laban, tempfile, pathlib
    >>> table = pathlib.Path(tempfile.mkdtemp()) / "some.tsv"
    >>> _ = table.write_text("testId\\tnetwork\\nfirst\\tp { main { stop } }\\n")
    >>> [(source.id, source.text) for source in laban.networks(table)]
    [('first', 'p { main { stop } }')]
    """
    for given in paths:
        path = Path(given)
        if path.is_dir():
            inside = sorted(
                entry
                for entry in path.iterdir()
                if (entry.is_dir() and not entry.is_symlink())
                or (entry.is_file() and (entry.suffix.lower() == ".net" or entry.suffix.lower() in _OTHERS))
            )
            yield from networks(*inside)
        elif path.suffix.lower() == ".net" or path.suffix.lower() in _OTHERS:
            text = path.read_bytes().decode(errors="replace")
            yield Source(path.stem, text, os.fspath(given), _OTHERS.get(path.suffix.lower()))
        else:
            yield from _table(path, os.fspath(given))


def _table(path: Path, name: str) -> Iterator[Source]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip(b"\r\n")
            before, tab, after = line.partition(b"\t")
            if not line or (number == 1 and after == b"network"):
                continue
            text = (after if tab else line).decode(errors="replace")
            yield Source(before.decode(errors="replace") if tab else f"line {number}", text, name)
