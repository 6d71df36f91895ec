"""Compares the answers of the package with those of the command: on all examples, and on random networks.

    python tests/compare_with_command.py path/to/laban --count 10000

Half of the random networks have mistakes in them, so that there are all kinds of answers. Networks are compared by all
that the command prints about them as JSON, except for times.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import laban

ROOT = Path(__file__).resolve().parents[3]
#: Sizes, processes, conditionals, races, queues and procedures of random networks.
SHAPES = [
    (12, 4, 0, 0, 0, 0),
    (20, 5, 4, 0, 0, 2),
    (16, 4, 2, 2, 0, 1),
    (14, 4, 1, 0, 6, 1),
    (40, 6, 0, 0, 0, 4),
]


class Comparison:
    """Counts what was compared, and remembers what differs."""

    def __init__(self, command: Path) -> None:
        self.command = command
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *arguments], input=stdin, capture_output=True, text=True, cwd=ROOT, check=False
        )

    def same(self, what: str, name: str, ours: object, theirs: object) -> None:
        self.counts[what] += 1
        if ours != theirs:
            self.wrong.append(f"{what} of {name}:\n  package {ours!r}\n  command {theirs!r}")


def outcome(answer: Callable[[], str]) -> tuple[str | None, int]:
    """What a function gives, and the exit status that the command would have."""
    try:
        return answer(), 0
    except (laban.Unprojectable, laban.Inexpressible):
        return None, 1
    except (laban.IllFormed, TypeError, ValueError):
        return None, 2
    except laban.Undecided:
        return None, 3


def python_words(record: dict[str, Any]) -> dict[str, Any]:
    """What the command says of an option of its own, as the package says it."""
    if "reason" in record:
        record["reason"] = record["reason"].replace("`--queue`", "`queue`")
    return record


def examples(check: Comparison) -> None:
    """Everything about each example."""
    paths = sorted((ROOT / "examples").glob("*.net")) + sorted((ROOT / "examples").glob("*.chor"))
    others = [path for path in sorted((ROOT / "examples" / "formats").glob("*.*")) if path.suffix != ".md"]
    for path in paths + others:
        name = str(path.relative_to(ROOT))
        try:
            model = laban.parse(path.read_bytes(), name=name)
        except (laban.IllFormed, ValueError):
            check.same("mistakes", name, 2, check.run("check", name).returncode)
            continue
        printed = [json.loads(line) for line in check.run("check", "--format", "json", name).stdout.splitlines()]
        ours = [json.loads(one.json) for one in laban.check(model, max_states=100_000).diagnostics]
        check.same("check", name, ours, printed)
        for to in ("net", "chor", "json", "mermaid", "fsa"):
            theirs = check.run("convert", name, "--to", to)
            text, status = outcome(partial(laban.convert, model, to))
            check.same(f"convert to {to}", name, (text or "", status), (theirs.stdout, theirs.returncode))
        theirs = check.run("run", "--seed", "3", "--format", "json", name)
        if theirs.returncode in (0, 1) and theirs.stdout:
            check.same("run", name, laban.to_dict(laban.run(model, seed=3)), json.loads(theirs.stdout))
        if isinstance(model, laban.Network):
            network(check, name, model)
        else:
            choreography(check, name, model)


def network(check: Comparison, name: str, model: laban.Network) -> None:
    printed = json.loads(check.run("extract", "--format", "json", "--no-times", name).stdout)
    extraction = laban.extract(model)
    check.same("extract", name, laban.to_dict(extraction), printed)
    pictures: list[tuple[Any, Any]] = [
        ("communications", "dot"),
        ("automata", "mermaid"),
        ("seg", "dot"),
        ("sequence", "svg"),
    ]
    for of, kind in pictures:
        drawn = check.run("graph", name, "--of", of, "--format", kind).stdout
        check.same(f"draw {of}", name, laban.draw(model, of=of, format=kind), drawn)
    for seed in ("0", "1"):
        theirs = check.run("fuzz", name, "--deletions", "1", "--swaps", "1", "--seed", seed)
        edited = laban.fuzz(model, deletions=1, swaps=1, seed=int(seed))
        check.same("fuzz", name, (str(edited.network), edited.edits), (theirs.stdout.strip(), lines(theirs.stderr)))
        theirs = check.run("unroll", name, "--seed", seed)
        edited = laban.unroll(model, seed=int(seed))
        check.same("unroll", name, (str(edited.network), edited.edits), (theirs.stdout.strip(), lines(theirs.stderr)))
    protocol = extraction.choreography
    if protocol is not None:
        theirs = check.run("verify", "--format", "json", name, "-", stdin=str(protocol))
        check.same("verify", name, bool(laban.verify(model, protocol)), theirs.returncode == 0)
        wrong = laban.generate(6, 3, kind="choreography")
        answer = json.loads(check.run("equiv", "--format", "json", name, "-", stdin=str(wrong)).stdout)
        comparison = laban.equivalent(model, wrong)
        ours = (comparison.outcome, comparison.exact, comparison.reason, comparison.run)
        check.same("equiv", name, ours, tuple(answer.get(key) for key in ("outcome", "exact", "reason")) + (answer.get("run", []),))


def lines(text: str) -> list[str]:
    """What was said about the edits; of texts of other tools, more is said."""
    return [line for line in text.splitlines() if line != "nothing was changed" and not line.startswith("examples/")]


def choreography(check: Comparison, name: str, model: laban.Choreography) -> None:
    theirs = check.run("project", name)
    text, status = outcome(lambda: str(laban.project(model)))
    check.same("project", name, (text or "", status), (theirs.stdout.rstrip("\n"), theirs.returncode))
    if not name.endswith((".mmd", ".puml")):
        theirs = check.run("amend", name)
        text, status = outcome(lambda: str(laban.amend(model).choreography))
        check.same("amend", name, (text or "", status), (theirs.stdout.rstrip("\n"), theirs.returncode))
    theirs = check.run("graph", name, "--of", "sequence", "--format", "mermaid")
    check.same("draw sequence", name, laban.draw(model, format="mermaid"), theirs.stdout)


def random_networks(count: int) -> Iterator[tuple[str, str]]:
    each = -(-count // len(SHAPES))
    for number, (size, processes, ifs, races, queues, procedures) in enumerate(SHAPES):
        made = laban.generate_many(
            min(each, count - number * each),
            size,
            processes,
            ifs=ifs,
            races=races,
            queues=queues,
            procedures=procedures,
            seed=number,
        )
        for index, (name, text) in enumerate(made):
            if index % 2:
                text = laban.fuzz(text, deletions=index % 3, swaps=1 + index % 2, seed=index).network.compact
            yield f"{number}-{name}", text


def random(check: Comparison, count: int) -> Counter[str]:
    """The answers for random networks."""
    networks = list(random_networks(count))
    table = "".join(f"{name}\t{text}\n" for name, text in networks)
    printed = check.run("batch", "--no-times", "--quiet", "--max-states", "20000", "-", stdin=table).stdout
    theirs = [python_words(json.loads(line)) for line in printed.splitlines()]
    sources = (laban.Source(name, text, "<stdin>") for name, text in networks)
    outcomes: Counter[str] = Counter()
    answers = laban.extract_many(sources, max_states=20_000)
    for answer, record in zip(answers, theirs, strict=True):
        outcomes[answer.outcome] += 1
        check.same("random network", record["id"], laban.to_dict(answer, witnesses=False), record)
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", type=lambda text: Path(text).resolve())
    parser.add_argument("--count", type=int, default=10_000)
    given = parser.parse_args()
    check = Comparison(given.command)
    examples(check)
    outcomes = random(check, given.count)
    for what, count in sorted(check.counts.items()):
        print(f"{count:6} {what}")
    print("random networks:", ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items())))
    for wrong in check.wrong[:10]:
        print(wrong)
    print(f"{sum(check.counts.values())} comparisons, {len(check.wrong)} differ")
    if len(outcomes) < 3:
        print("too few kinds of answers")
        return 1
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
