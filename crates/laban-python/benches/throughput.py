"""How fast `laban.extract_many` is, compared with `laban batch` in the same run, and how much memory it takes.

    python benches/throughput.py path/to/laban networks.tsv... --repeat-to 20000
    python benches/throughput.py path/to/laban --generate 20000
    python benches/throughput.py --memory 1000000

Both get the networks from memory or a file that is already in it, and both work on one thread; each is measured several
times in turn, and the least time of each counts. With `taskset -c 0` in front, both have one core.
"""

from __future__ import annotations

import argparse
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


def by_command(command: Path, table: Path) -> tuple[float, int]:
    started = time.perf_counter()
    arguments = ["batch", "--jobs", "1", "--no-times", "--quiet", str(table)]
    with tempfile.TemporaryFile() as out:
        subprocess.run([command, *arguments], stdout=out, check=False)
        taken = time.perf_counter() - started
        out.seek(0)
        extracted = sum(b'"outcome":"extracted"' in line for line in out)
    return taken, extracted


def by_package(table: Path, out: Path) -> tuple[float, int]:
    started = time.perf_counter()
    extracted = 0
    with out.open("w") as lines:
        for answer in laban.extract_many(laban.networks(table), jobs=1):
            extracted += answer.outcome == "extracted"
            lines.write(answer.to_json(False))
            lines.write("\n")
    return time.perf_counter() - started, extracted


def throughput(command: Path, sources: list[laban.Source], count: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "networks.tsv"
        with table.open("w") as lines:
            for number, source in enumerate(islice(cycle(sources), count)):
                lines.write(f"{number}\t{source.text}\n")
        best = [float("inf"), float("inf")]
        for _ in range(rounds):
            theirs, extracted = by_command(command, table)
            ours, same = by_package(table, Path(folder) / "answers.jsonl")
            assert extracted == same, (extracted, same)
            best = [min(best[0], theirs), min(best[1], ours)]
            print(f"batch {theirs:.2f} s, extract_many {ours:.2f} s", flush=True)
    print(f"{count} networks of {len(sources)} different ones, {extracted} extracted")
    print(f"laban batch --jobs 1:          {best[0]:.2f} s, {count / best[0]:.0f} a second")
    print(f"laban.extract_many(jobs=1):    {best[1]:.2f} s, {count / best[1]:.0f} a second")
    print(f"ratio: {best[1] / best[0]:.2f}")


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
