"""A cluster of three nodes on this machine, with accidents. See `scripts/check-ray`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
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
    """A head and two workers, each with a process of its own, on loopback."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="laban-ray-")
        self.bin = Path(sys.executable).parent
        self.environment = {
            **os.environ,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_DISABLE_METRICS_COLLECTION": "1",
            # A node that does not answer is given up soon.
            "RAY_health_check_period_ms": "1000",
            "RAY_health_check_failure_threshold": "5",
        }
        self.nodes: list[subprocess.Popen[bytes]] = []
        self.address = "127.0.0.1:26379"
        self.start("--head", "--port=26379", "--include-dashboard=false", "--num-cpus=1")
        for _ in range(2):
            self.start(f"--address={self.address}", "--num-cpus=1")

    def start(self, *arguments: str) -> None:
        common = ["--node-ip-address=127.0.0.1", "--object-store-memory=100000000", "--block", "--disable-usage-stats"]
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

    def wait(self) -> None:
        """Until all nodes are there."""
        for _ in range(240):
            try:
                ray.init(address=self.address, log_to_driver=False, logging_level=40)
                if sum(node["Alive"] for node in ray.nodes()) == len(self.nodes):
                    return
                ray.shutdown()
            except ConnectionError:
                pass
            time.sleep(1)
        raise TimeoutError("the cluster does not start")

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


def driver(cluster: Cluster, *arguments: str) -> subprocess.Popen[str]:
    """A driver in a process of its own, so that it can be killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "laban.ray", *arguments, "--address", cluster.address],
        env=cluster.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def chunks(out: Path) -> int:
    return len(list(out.glob("chunk-*.parquet")))


def wait_for(out: Path, count: int, process: subprocess.Popen[str]) -> None:
    while chunks(out) < count and process.poll() is None:
        time.sleep(0.05)
    assert process.poll() is None, f"the driver ended too early: {process.communicate()}"


def batch(cluster: Cluster, folder: Path, count: int) -> None:
    chunk = max(50, min(1000, count // 40))
    out = folder / "batch"
    options = [f"--{name}={value}" for name, value in SHAPE.items()]
    arguments = ["batch", f"--generate={count}", *options, f"--chunk={chunk}", f"--out={out}"]
    all_chunks = -(-count // chunk)

    say(f"-- a batch of {count} networks in {all_chunks} chunks")
    first = driver(cluster, *arguments)
    wait_for(out, all_chunks // 4, first)
    cluster.kill(1)
    say(f"a worker was killed after {chunks(out)} chunks")
    wait_for(out, all_chunks // 2, first)
    first.kill()
    first.communicate()
    before = chunks(out)
    say(f"the driver was killed after {before} chunks")
    assert 0 < before < all_chunks
    # Another worker takes the place of the one that was lost.
    cluster.start(f"--address={cluster.address}", "--num-cpus=1")
    second = driver(cluster, *arguments)
    printed, errors = second.communicate()
    assert second.returncode == 0, errors
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


def speed(cluster: Cluster, folder: Path, count: int) -> None:
    """Throughput of the cluster and of one process, one after the other."""
    count = max(2000, count // 5)
    given = laban.ray.Generated(count=count, **SHAPE)
    # Workers that were just started have nothing loaded.
    laban.ray.batch(laban.ray.Generated(count=300, **SHAPE), folder / "warm", chunk=50)
    started = time.perf_counter()
    laban.ray.batch(given, folder / "speed", chunk=max(100, count // 40))
    on_cluster = time.perf_counter() - started
    started = time.perf_counter()
    laban.to_arrow(laban.extract_many(laban.generate_many(count, **SHAPE), jobs=1))
    alone = time.perf_counter() - started
    say(f"-- throughput over {count} networks, {os.cpu_count()} cores")
    say(f"one process: {count / alone:.0f} a second; the cluster: {count / on_cluster:.0f} a second")
    say(f"ratio: {alone / on_cluster:.2f}")


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
        cluster.wait()
        nodes = sorted((node["NodeManagerAddress"], node["Alive"]) for node in ray.nodes())
        say(f"-- {len(nodes)} nodes: {nodes}")
        assert all(address == "127.0.0.1" for address, _ in nodes)
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
