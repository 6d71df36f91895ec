"""Batches and the evaluation over Ray: networks in, Parquet files out.

Work is cut into chunks, always in the same way, whatever the cluster looks like. Each chunk is done by one worker and
becomes one file, `chunk-000017.parquet`, which appears as a whole or not at all. So the rows do not depend on the
number of workers; a chunk whose worker or node is lost is done again by another; and if the driver dies, the same call
does only the chunks that are missing.

Needs `pip install laban[ray]`, on every node. The driver alone reads networks and writes results, so the nodes need no
common file system.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import laban

__all__ = ["Generated", "Progress", "Result", "batch", "evaluate", "read"]

#: How often a chunk is begun again before it is given up.
ATTEMPTS = 20
T = TypeVar("T")


@dataclass(frozen=True)
class Generated:
    """Random networks from a range of seeds: made by the workers, so that nothing has to be sent to them.

    >>> from laban.ray import Generated
    >>> Generated(count=1000, size=20, processes=5, ifs=3, seed=7).count
    1000
    """

    #: How many.
    count: int
    #: The number of actions.
    size: int
    #: The number of processes.
    processes: int
    ifs: int = 0
    races: int = 0
    queues: int = 0
    procedures: int = 0
    seed: int = 0
    #: The number of the first one.
    first: int = 1


@dataclass(frozen=True)
class Progress:
    """How far it is.

    >>> from laban.ray import Progress
    >>> print(Progress(chunks=3, rows=3000, of=10, lost=1))
    3 of 10 chunks, 3000 rows, 1 begun again
    """

    #: How many chunks there are by now, those of earlier calls included.
    chunks: int
    #: How many rows these have.
    rows: int
    #: How many chunks there will be, where that is known.
    of: int | None
    #: How often a chunk was lost with its worker.
    lost: int

    def __str__(self) -> str:
        of = "" if self.of is None else f" of {self.of}"
        lost = f", {self.lost} begun again" if self.lost else ""
        return f"{self.chunks}{of} chunks, {self.rows} rows{lost}"


@dataclass(frozen=True)
class Result:
    """What was done.

    >>> from laban.ray import Result
    >>> Result(chunks=2, rows=2000, done_before=1, lost=0).chunks
    2
    """

    #: How many chunks there are.
    chunks: int
    #: How many rows.
    rows: int
    #: How many of the chunks an earlier call had done.
    done_before: int
    #: How often a chunk was lost with its worker, and begun again.
    lost: int


@dataclass
class _Work:
    """A list of chunks."""

    #: What the results depend on.
    settings: dict[str, Any]
    #: The function that does a chunk, and what it is given beside the chunk.
    task: Callable[..., Any]
    arguments: tuple[Any, ...]
    #: The chunks in order; what is in one that is done already is not looked at.
    chunks: Iterator[Any]
    of: int | None
    progress: Callable[[Progress], None] | None = None
    lost: int = 0
    attempts: Counter[int] = field(default_factory=Counter)


def batch(
    networks: Generated | str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    chunk: int = 1000,
    in_flight: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Result:
    """Extracts many networks: those in files, directories and TSV files, or `Generated` ones.

    Writes a Parquet file for each chunk into `out`, with the columns `laban.COLUMNS`. The options are those of
    `laban.extract_many`. With a `timeout`, answers depend on how fast a machine is; with `max_states` they do not.

    Ray has to be running: call `ray.init` first, with the address of the cluster.
    """
    if isinstance(networks, Generated):
        settings: dict[str, Any] = {"networks": asdict(networks)}
        starts = range(networks.first, networks.first + networks.count, chunk)
        end = networks.first + networks.count
        chunks: Iterator[Any] = ((start, min(chunk, end - start)) for start in starts)
        of: int | None = len(starts)
        task: Callable[..., Any] = _generated_chunk
        arguments: tuple[Any, ...] = (networks, options)
    else:
        paths = [networks] if isinstance(networks, (str, os.PathLike)) else list(networks)
        settings = {"networks": [os.fspath(path) for path in paths]}
        chunks, of = _chunked(laban.networks(*paths), chunk), None
        task, arguments = _batch_chunk, (options,)
    settings.update(chunk=chunk, options=options, version=laban.__version__, what="batch")
    return _do(_Work(settings, task, arguments, chunks, of, progress), Path(out), in_flight)


def evaluate(
    out: str | os.PathLike[str],
    *,
    quick: bool = False,
    only: Sequence[str] | None = None,
    seed: int = 0,
    timeout: float | None = None,
    max_states: int | None = None,
    chunk: int = 8,
    in_flight: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """The paper's evaluation: a row for each search, as in `laban evaluate`.

    Writes Parquet files and, at the end, `runs.csv` and `settings.json`, of which `laban evaluate --merge` makes a report.
    """
    given: dict[str, Any] = {
        "quick": quick,
        "only": None if only is None else list(only),
        "seed": seed,
        "timeout": timeout,
        "max_states": max_states,
    }
    plan = laban.Plan(**given)
    chunks = _chunked(iter(range(len(plan))), chunk)
    settings = {"plan": given, "chunk": chunk, "version": laban.__version__, "what": "evaluate"}
    work = _Work(settings, _plan_chunk, (given,), chunks, -(-len(plan) // chunk), progress)
    result = _do(work, Path(out), in_flight)
    lines = [",".join(_CSV)]
    for row in read(out).to_pylist():
        lines.append(",".join(str(row[column]) for column in _CSV))
    _write(Path(out) / "settings.json", (json.dumps(plan.settings, indent=2) + "\n").encode())
    _write(Path(out) / "runs.csv", ("\n".join(lines) + "\n").encode())
    return result


def read(out: str | os.PathLike[str]) -> Any:
    """All rows that were written into a directory, in order, as an Arrow table."""
    import pyarrow
    import pyarrow.parquet

    files = sorted(Path(out).glob("chunk-*.parquet"))
    return pyarrow.concat_tables([pyarrow.parquet.read_table(file) for file in files])


_CSV = (
    "part",
    "family",
    "point",
    "index",
    "variant",
    "strategy",
    "search",
    "verdict",
    "microseconds",
    "preparing",
    "nodes",
    "bad_loops",
    "equivalent",
    "processes",
    "actions",
    "conditionals",
)


def _batch_chunk(sources: list[laban.Source], options: dict[str, Any]) -> Any:
    return laban.to_arrow(laban.extract_many(sources, jobs=1, **options))


def _generated_chunk(numbers: tuple[int, int], networks: Generated, options: dict[str, Any]) -> Any:
    given = asdict(networks)
    given["first"], given["count"] = numbers
    return laban.to_arrow(laban.extract_many(laban.generate_many(**given), jobs=1, **options))


def _plan_chunk(numbers: list[int], given: dict[str, Any]) -> Any:
    import pyarrow

    plan = laban.Plan(**given)
    return pyarrow.Table.from_pylist([row for number in numbers for row in plan.run(number)])


def _chunked(things: Iterator[T], size: int) -> Iterator[list[T]]:
    while some := list(islice(things, size)):
        yield some


def _do(work: _Work, out: Path, in_flight: int | None) -> Result:
    """Does all chunks that are not there yet."""
    import pyarrow.parquet
    import ray

    _agree(work.settings, out)
    for left in out.glob("*.part"):
        left.unlink()
    if not ray.is_initialized():
        raise RuntimeError("Ray is not running: call ray.init, with the address of the cluster")
    # The object that a worker makes is written here and forgotten, so only a few are anywhere.
    task = ray.remote(num_cpus=1, max_retries=0)(work.task)
    arguments = [ray.put(argument) for argument in work.arguments]
    most = in_flight or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
    pending: dict[Any, tuple[int, Any]] = {}
    chunks = rows = before = 0
    numbered = enumerate(work.chunks)
    again: list[tuple[int, Any]] = []
    exhausted = False
    try:
        while pending or again or not exhausted:
            while len(pending) < most and (again or not exhausted):
                if again:
                    number, chunk = again.pop()
                else:
                    following = next(numbered, None)
                    if following is None:
                        exhausted = True
                        break
                    number, chunk = following
                    if (there := _file(out, number)).exists():
                        chunks, before = chunks + 1, before + 1
                        rows += pyarrow.parquet.read_metadata(there).num_rows
                        continue
                pending[task.remote(chunk, *arguments)] = (number, chunk)
            if not pending:
                continue
            done, _ = ray.wait(list(pending), num_returns=1, timeout=1.0)
            for reference in done:
                number, chunk = pending.pop(reference)
                try:
                    table = ray.get(reference)
                except ray.exceptions.RayTaskError:
                    # The work itself went wrong, and would again.
                    raise
                except ray.exceptions.RayError as error:
                    work.lost += 1
                    work.attempts[number] += 1
                    if work.attempts[number] >= ATTEMPTS:
                        raise RuntimeError(f"chunk {number} was lost {ATTEMPTS} times") from error
                    again.append((number, chunk))
                    continue
                del reference
                _write_table(_file(out, number), table)
                chunks, rows = chunks + 1, rows + table.num_rows
                if work.progress:
                    work.progress(Progress(chunks, rows, work.of, work.lost))
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)
    _write(out / "complete.json", json.dumps({"chunks": chunks, "rows": rows}).encode())
    return Result(chunks, rows, before, work.lost)


def _agree(settings: dict[str, Any], out: Path) -> None:
    """Makes sure that what is in a directory was made with the same settings."""
    out.mkdir(parents=True, exist_ok=True)
    manifest = out / "manifest.json"
    settings = json.loads(json.dumps(settings))
    if manifest.exists():
        there = json.loads(manifest.read_text())
        if there != settings:
            raise ValueError(f"{out} was begun with {there}, and this is {settings}; choose another directory")
    else:
        _write(manifest, (json.dumps(settings, indent=2) + "\n").encode())


def _file(out: Path, number: int) -> Path:
    return out / f"chunk-{number:06}.parquet"


def _write_table(path: Path, table: Any) -> None:
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink)
    _write(path, sink.getvalue().to_pybytes())


def _write(path: Path, data: bytes) -> None:
    """Writes a file as a whole, or not at all."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _show(progress: Progress) -> None:
    print(progress, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """The same from the command line: `python -m laban.ray --help`."""
    import ray

    parser = argparse.ArgumentParser(prog="python -m laban.ray", description="Laban on a Ray cluster.")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("batch", help="extract many networks")
    one.add_argument("paths", nargs="*", help="TSV files, networks and directories")
    one.add_argument("--generate", type=int, metavar="COUNT", help="random networks in place of files")
    for name in ("size", "processes", "ifs", "races", "queues", "procedures", "seed"):
        one.add_argument(f"--{name}", type=int, default=0)
    two = commands.add_parser("evaluate", help="the paper's evaluation")
    two.add_argument("--quick", action="store_true", help="a sample only")
    two.add_argument("--only", action="append", help="only this part; can be repeated")
    two.add_argument("--seed", type=int, default=0)
    for command in (one, two):
        command.add_argument("--out", required=True, help="directory for the Parquet files")
        command.add_argument("--address", help="of the cluster; without it, one is started here")
        command.add_argument("--chunk", type=int, help="how many networks are done at a time")
        command.add_argument("--max-states", type=int)
        command.add_argument("--timeout", type=float)
    given = parser.parse_args(arguments)
    ray.init(address=given.address, log_to_driver=False, include_dashboard=False if given.address is None else None)
    chunk = {} if given.chunk is None else {"chunk": given.chunk}
    limits = {"max_states": given.max_states, "timeout": given.timeout}
    if given.command == "evaluate":
        result = evaluate(
            given.out, quick=given.quick, only=given.only, seed=given.seed, progress=_show, **chunk, **limits
        )
    else:
        if (given.generate is None) == (not given.paths):
            parser.error("name files, or say how many networks to --generate")
        networks: Generated | list[str] = given.paths
        if given.generate is not None:
            numbers = {
                name: getattr(given, name)
                for name in ("size", "processes", "ifs", "races", "queues", "procedures", "seed")
            }
            networks = Generated(count=given.generate, **numbers)
        limits = {name: limit for name, limit in limits.items() if limit is not None}
        result = batch(networks, given.out, progress=_show, **chunk, **limits)
    print(json.dumps(asdict(result)))
    return 0


if __name__ == "__main__":
    # Workers have to find what they do under its own name.
    from laban.ray import main as _main

    sys.exit(_main())
