"""A cluster of three nodes on this machine, with accidents. See `scripts/check-ray`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow
import ray

import laban
import laban.ray

#: The networks of the batch: half of the processes of each talk in loops.
SHAPE = {"size": 20, "processes": 5, "ifs": 2, "procedures": 2, "seed": 11}
#: No search is ended by the clock, so that rows do not depend on how busy the machine is.
LIMITS = {"max_states": 5000, "timeout": 3600.0}
TIMES = ("microseconds", "preparing")


class Cluster:
    """A head and two workers, each with processes and an address of its own, all on loopback.

    Ray takes 127.0.0.1 for the address of the machine in a network; others of loopback it leaves as they are.
    """

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="laban-ray-")
        self.bin = Path(sys.executable).parent
        self.environment = {
            **os.environ,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_DISABLE_METRICS_COLLECTION": "1",
            # On a busy machine, everything takes longer than Ray expects.
            "RAY_worker_register_timeout_seconds": "300",
            "RAY_health_check_period_ms": "2000",
            "RAY_health_check_failure_threshold": "20",
        }
        self.nodes: list[subprocess.Popen[bytes]] = []
        self.started = 0
        with socket.socket() as free:
            free.bind(("127.0.0.2", 0))
            port = free.getsockname()[1]
        self.address = f"127.0.0.2:{port}"
        self.start("--head", f"--port={port}", "--include-dashboard=false", "--num-cpus=1")

    def begin(self) -> None:
        """Starts the other nodes, one after the other."""
        self.wait()
        for _ in range(2):
            self.add()

    def add(self) -> None:
        """Adds a worker. On a busy machine Ray may give a node up while it starts, so it is tried a few times."""
        for _ in range(10):
            self.start(f"--address={self.address}", "--num-cpus=1")
            if self.wait():
                return
            self.nodes.pop()
        raise RuntimeError(f"a node does not start: see {self.folder}/node-{len(self.nodes)}.log")

    def start(self, *arguments: str) -> None:
        self.started += 1
        place = f"--node-ip-address=127.0.0.{1 + self.started}"
        common = [place, "--object-store-memory=100000000", "--block", "--disable-usage-stats"]
        if "--head" in arguments:
            common.append(f"--temp-dir={self.folder}")
        log = open(Path(self.folder) / f"node-{len(self.nodes)}.log", "wb")
        node = subprocess.Popen(
            [self.bin / "ray", "start", *arguments, *common],
            env=self.environment,
            stdout=log,
            stderr=log,
            # All that a node starts is in a group of its own, so that it can be killed as a whole.
            start_new_session=True,
        )
        self.nodes.append(node)

    def wait(self) -> bool:
        """Until all nodes that were not killed are there. False if the last one ends before."""
        wanted = sum(node.returncode is None for node in self.nodes)
        while self.nodes[-1].poll() is None:
            try:
                if not ray.is_initialized():
                    ray.init(address=self.address, log_to_driver=False, logging_level=40)
                if sum(node["Alive"] for node in ray.nodes()) == wanted:
                    return True
            except ConnectionError:
                pass
            time.sleep(0.5)
        return False

    def worked(self) -> float:
        """For how long processors have worked for the nodes and for this program."""
        ours, work = {str(node.pid) for node in self.nodes}, sum(os.times()[:2])
        for process in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = process.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[3] in ours:
                work += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return work

    def kill(self, number: int) -> None:
        """Kills a node and all its workers."""
        os.killpg(self.nodes[number].pid, signal.SIGKILL)
        self.nodes[number].wait()

    def stop(self) -> None:
        for node in self.nodes:
            if node.poll() is None:
                os.killpg(node.pid, signal.SIGKILL)
                node.wait()


def say(*words: object) -> None:
    print(*words, flush=True)


def rows(table: pyarrow.Table) -> list[dict[str, Any]]:
    """Rows without times."""
    return [{name: value for name, value in row.items() if name not in TIMES} for row in table.to_pylist()]


def driver(cluster: Cluster, log: Path, *arguments: str) -> subprocess.Popen[str]:
    """A driver in a process of its own, so that it can be killed. It says in a file how far it is."""
    return subprocess.Popen(
        [sys.executable, "-m", "laban.ray", *arguments, "--address", cluster.address],
        env=cluster.environment,
        stdout=subprocess.PIPE,
        stderr=log.open("w"),
        text=True,
    )


def chunks(out: Path) -> int:
    return len(list(out.glob("chunk-*.parquet")))


def wait_for(out: Path, count: int, process: subprocess.Popen[str]) -> None:
    while chunks(out) < count and process.poll() is None:
        time.sleep(0.05)
    assert process.poll() is None, "the driver ended too early"


def batch(cluster: Cluster, folder: Path, count: int) -> None:
    chunk = max(50, min(1000, count // 40))
    out = folder / "batch"
    options = [f"--{name}={value}" for name, value in SHAPE.items()]
    arguments = ["batch", f"--generate={count}", *options, f"--chunk={chunk}", f"--out={out}"]
    all_chunks = -(-count // chunk)

    say(f"-- a batch of {count} networks in {all_chunks} chunks")
    log = folder / "driver.log"
    first = driver(cluster, log, *arguments)
    wait_for(out, all_chunks // 4, first)
    cluster.kill(1)
    say(f"a worker was killed after {chunks(out)} chunks")
    # Until the driver has missed what that worker was doing, and goes on without it.
    while "begun again" not in log.read_text() and first.poll() is None:
        time.sleep(0.05)
    wait_for(out, all_chunks // 2, first)
    first.kill()
    first.communicate()
    before = chunks(out)
    say(f"the driver was killed after {before} chunks; it had said: {log.read_text().splitlines()[-1]}")
    assert 0 < before < all_chunks
    # Another worker takes the place of the one that was lost.
    cluster.add()
    second = driver(cluster, log, *arguments)
    printed, _ = second.communicate()
    assert second.returncode == 0, log.read_text()
    result = json.loads(printed)
    say("the driver was started again:", result)
    assert result["rows"] == count and result["done_before"] >= before, result

    networks = laban.generate_many(count, **SHAPE)
    expected = laban.to_arrow(laban.extract_many(networks, jobs=1))
    found = laban.ray.read(out)
    ids = found["id"].to_pylist()
    assert len(set(ids)) == len(ids) == count, "a row is there twice, or was lost"
    assert found.equals(expected), "the rows differ from those of one process"
    say(f"{found.num_rows} rows, the same as those of one process, none lost or twice")


#: Does the same in one process and prints how long it took, by the clock and in work of processors.
ALONE = """
import json, os, sys, time, laban
shape = json.loads(sys.argv[1])
started = time.perf_counter(), sum(os.times()[:2])
laban.to_arrow(laban.extract_many(laban.generate_many(**shape), jobs=1))
print(json.dumps([time.perf_counter() - started[0], sum(os.times()[:2]) - started[1]]))
"""


def speed(cluster: Cluster, folder: Path, count: int) -> None:
    """Throughput of the cluster and of one process: in turn, and the median of each counts.

    By the clock, three nodes get more than one process of a machine that is busy with other things; so the work of
    processors is shown, too.
    """
    count = max(2000, count // 5)
    given = laban.ray.Generated(count=count, **SHAPE)
    # Workers that were just started have nothing loaded.
    laban.ray.batch(laban.ray.Generated(count=300, **SHAPE), folder / "warm", chunk=50)
    say(f"-- throughput over {count} networks, {os.cpu_count()} cores")
    measured = []
    for number in range(1, 6):
        started, worked = time.perf_counter(), cluster.worked()
        laban.ray.batch(given, folder / f"speed-{number}", chunk=max(100, count // 40))
        on_cluster = time.perf_counter() - started, cluster.worked() - worked
        # In a session of its own, as the nodes are: the system shares processors among sessions.
        command = [sys.executable, "-c", ALONE, json.dumps({"count": count, **SHAPE})]
        alone = json.loads(subprocess.run(command, capture_output=True, check=True, start_new_session=True).stdout)
        measured.append((*on_cluster, *alone))
        shown = "the cluster {:.1f} s ({:.1f} s of work), one process {:.1f} s ({:.1f} s of work)"
        say(f"round {number}:", shown.format(*measured[-1]))
    clock, work, clock_alone, work_alone = (median(column) for column in zip(*measured, strict=True))
    say(f"throughput of the cluster: {clock_alone / clock:.2f} times that of one process; work: {work / work_alone:.2f} times")


def files(folder: Path) -> None:
    """Networks in a table and in a folder, which the driver reads."""
    table = folder / "networks.tsv"
    table.write_text("".join(f"{name}\t{text}\n" for name, text in laban.generate_many(500, 10, 3)))
    (folder / "some").mkdir()
    (folder / "some" / "stuck.net").write_text("p { main { q?; stop } } | q { main { p?; stop } }")
    (folder / "some" / "bad.net").write_text("p { main {")
    paths = [table, folder / "some"]
    laban.ray.batch(paths, folder / "files", chunk=64)
    found = laban.ray.read(folder / "files")
    assert found.equals(laban.to_arrow(laban.extract_many(laban.networks(*paths))))
    try:
        laban.ray.batch(paths, folder / "files", chunk=65)
    except ValueError as error:
        assert "choose another directory" in str(error)
    else:
        raise AssertionError("other settings must be refused")
    say(f"-- {found.num_rows} networks from files: the same rows")


def evaluation(folder: Path, only: list[str] | None) -> None:
    out = folder / "evaluation"
    given: dict[str, Any] = {"quick": True, "only": only, **LIMITS}
    started = time.perf_counter()
    result = laban.ray.evaluate(out, **given)
    say(f"-- the quick evaluation: {result.rows} searches in {time.perf_counter() - started:.0f} s")
    plan = laban.Plan(**given)
    started = time.perf_counter()
    expected = [row for number in range(len(plan)) for row in plan.run(number)]
    say(f"one process: {time.perf_counter() - started:.0f} s")
    assert rows(laban.ray.read(out)) == rows(pyarrow.Table.from_pylist(expected))
    say("the same rows, apart from times")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--only", action="append", help="only this part of the evaluation")
    parser.add_argument("--no-evaluation", action="store_true")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="laban-rows-"))
    cluster = Cluster()
    try:
        cluster.begin()
        nodes = sorted((node["NodeManagerAddress"], node["Alive"]) for node in ray.nodes())
        say(f"-- {len(nodes)} nodes: {nodes}")
        assert all(address.startswith("127.0.0.") for address, _ in nodes)
        batch(cluster, folder, given.count)
        files(folder)
        speed(cluster, folder, given.count)
        if not given.no_evaluation:
            evaluation(folder, given.only)
        ray.shutdown()
    finally:
        cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
