"""How fast `laban.extract_many` is, compared with `laban batch` in the same run, and how much memory it takes.

    python benches/throughput.py path/to/laban networks.tsv... --repeat-to 20000
    python benches/throughput.py path/to/laban --generate 20000
    python benches/throughput.py --memory 1000000

Both read the same file, work on one thread and write their answers to a file; each is measured several times in turn, and
the least of each counts. The time of processors says the same as that of the clock on a machine that is not busy, and is of
use on one that is. With `taskset -c 0` in front, both have one core.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import laban


def resident() -> float:
    """How much memory this program has, in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


class Clock:
    """The time that has passed, and that processors have worked: for us and for those we have waited for."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.worked = sum(os.times()[:4])

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self.started, sum(os.times()[:4]) - self.worked


def by_command(command: Path, table: Path, out: Path) -> tuple[float, float]:
    clock = Clock()
    arguments = ["batch", "--jobs", "1", "--no-times", "--quiet", str(table)]
    with out.open("wb") as answers:
        subprocess.run([command, *arguments], stdout=answers, check=False)
    return clock.read()


def by_package(table: Path, out: Path) -> tuple[float, float]:
    clock = Clock()
    with out.open("w") as answers:
        for answer in laban.extract_many(laban.networks(table), jobs=1):
            answers.write(answer.to_json(False))
            answers.write("\n")
    return clock.read()


def throughput(command: Path, sources: list[laban.Source], count: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "networks.tsv"
        with table.open("w") as lines:
            for number, source in enumerate(islice(cycle(sources), count)):
                lines.write(f"{number}\t{source.text}\n")
        theirs, ours = Path(folder) / "command.jsonl", Path(folder) / "package.jsonl"
        measured = []
        for number in range(1, rounds + 1):
            measured.append((*by_command(command, table, theirs), *by_package(table, ours)))
            assert theirs.read_bytes() == ours.read_bytes(), "the answers differ"
            shown = "batch {:.2f} s ({:.2f} s of work), extract_many {:.2f} s ({:.2f} s of work)"
            print(f"round {number}:", shown.format(*measured[-1]), flush=True)
    clock, work, our_clock, our_work = (min(column) for column in zip(*measured, strict=True))
    print(f"{count} networks of {len(sources)} different ones; the same answers, byte for byte")
    print(f"laban batch --jobs 1:        {clock:.2f} s, {work:.2f} s of work, {count / work:.0f} networks a second of it")
    print(f"laban.extract_many(jobs=1):  {our_clock:.2f} s, {our_work:.2f} s of work, {count / our_work:.0f}")
    print(f"ratio: {our_clock / clock:.2f} by the clock, {our_work / work:.2f} by work")


def memory(count: int) -> None:
    """Extracts generated networks one after the other, and shows the memory at some points."""
    outcomes: Counter[str] = Counter()
    points = {count * tenth // 10 for tenth in range(1, 11)} | {count // 100}
    print(f"at the start: {resident():.1f} MiB", flush=True)
    started = time.perf_counter()
    networks = laban.generate_many(count, 12, 4, ifs=1, procedures=1)
    for number, answer in enumerate(laban.extract_many(networks), 1):
        outcomes[answer.outcome] += 1
        if number in points:
            print(f"after {number}: {resident():.1f} MiB, {time.perf_counter() - started:.0f} s", flush=True)
    print(dict(outcomes))


def generated(count: int) -> Iterator[laban.Source]:
    for name, text in laban.generate_many(count, 40, 6, ifs=4, procedures=4):
        yield laban.Source(name, text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", type=Path, help="the command to compare with")
    parser.add_argument("tables", nargs="*", help="TSV files with networks")
    parser.add_argument("--generate", type=int, metavar="COUNT", help="networks of our own in place of files")
    parser.add_argument("--repeat-to", type=int, default=20_000, metavar="COUNT")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, metavar="COUNT", help="measure memory over so many networks")
    given = parser.parse_args()
    if given.memory:
        memory(given.memory)
        return 0
    if given.command is None:
        parser.error("name the command to compare with")
    sources = list(generated(given.generate) if given.generate else laban.networks(*given.tables))
    throughput(given.command.resolve(), sources, given.generate or given.repeat_to, given.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
