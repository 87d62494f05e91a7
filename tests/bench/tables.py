"""Benchmark of open tables beside a busy ladder: ``python -m tests.bench.tables [--tables 8] [--think 1]``."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil

from deploy.settings import ROOT
from tests.bench.pipeline import WARM_UP_SECONDS, arena_running, matches_finished

ROUNDS = 3
SECONDS = 20
SETTLE_SECONDS = 3
PAUSED_SECONDS = 6
"""The playing processes are stopped for so long, shorter than a lease, so that no match is taken from them."""


class Table:
    """A guest at a table of Kakomimasu, who plays by the API and lets his agents stay."""

    def __init__(self, url: str, match: int, secret: str) -> None:
        self.waits: list[float] = []
        """Seconds from an answer to the next question."""
        self.asked = threading.Event()
        self._url, self._secret = f"/api/v1/tables/{match}", secret
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)

    def play(self, think_seconds: float, left: threading.Event) -> None:
        """Answer until the match has ended or the event is set, which makes the guest leave."""
        after, answered_at = "", 0.0
        while True:
            news = json.loads(self._request("GET", f"news/?{urlencode({'after': after})}"))
            after = news["after"]
            for each in news["events"]:
                if each["event"] == "ended":
                    return
                if each["event"] == "question":
                    self.waits += [time.monotonic() - answered_at] if answered_at else []
                    self.asked.set()
                    leaves = left.wait(think_seconds)
                    answered_at = time.monotonic()
                    self._answer(each["data"], leaves=leaves)
                    if leaves:
                        return

    def _answer(self, question: dict[str, Any], *, leaves: bool) -> None:
        answer = {"number": question["number"], "lines": ["NONE"] * question["answer_lines"], "leaves": leaves}
        self._request("POST", "answer/", json.dumps(answer).encode())

    def _request(self, method: str, path: str, body: bytes | None = None) -> bytes:
        headers = {"Authorization": f"Seat {self._secret}", "Content-Type": "application/json"}
        self._connection.request(method, f"{self._url}/{path}", body, headers)
        response = self._connection.getresponse()
        text = response.read()
        assert response.status < 300, text
        return text


def main() -> None:
    """Print matches of the ladder a second without and with open tables, and what the players of tables wait."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tables")
    parser.add_argument("--tables", type=int, default=8, help="tables that are open (default: %(default)s)")
    parser.add_argument("--think", type=float, default=1.0, help="seconds for each answer (default: %(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        for figure, value in figures(Path(name), tables=arguments.tables, think_seconds=arguments.think).items():
            sys.stdout.write(f"{figure}: {value:.3f}\n")


def figures(folder: Path, *, tables: int, think_seconds: float) -> dict[str, float]:
    """Measure the ladder in turns without and with open tables, so that what else the machine does counts for both.

    Args:
        folder: a new folder for the arena's data.
        tables: how many tables are open.
        think_seconds: how long players think before each answer.
    """
    environment = {"DATABASE_URL": "", "PLAYING": "2", "LANGUAGES": "python"}
    cores = len(os.sched_getaffinity(0))
    without, beside, spent, waits = [], [], dict.fromkeys(("worker", "bots", "players"), 0.0), []
    with arena_running(folder, environment) as arena:
        time.sleep(WARM_UP_SECONDS)
        without.append(_rate(folder))
        for _ in range(ROUNDS):
            with _open_tables(arena["web"], tables, think_seconds) as opened:
                before = _cpu_seconds(arena["tables"])
                beside.append(_rate(folder))
                for name, seconds in _cpu_seconds(arena["tables"]).items():
                    spent[name] += (seconds - before[name]) / (ROUNDS * SECONDS)
            waits += [wait for table in opened for wait in table.waits]
            without.append(_rate(folder))
        alone = _waits_alone(arena)
    ratio = statistics.mean(beside) / statistics.mean(without)
    return {
        "matches a second without tables": statistics.mean(without),
        "matches a second beside open tables": statistics.mean(beside),
        "ratio": ratio,
        "ratio with the CPU time of the tables' bots added": ratio + spent["bots"] / cores,
        **{f"cores that the {name} of tables used": seconds for name, seconds in spent.items()},
        "median ms from answer to next question, beside the ladder": 1e3 * statistics.median(waits),
        "the same, of a player who answers at once, without a ladder": 1e3 * statistics.median(alone),
    }


def _rate(folder: Path) -> float:
    """Return how many matches a second end from now on."""
    before, begun = matches_finished(folder), time.monotonic()
    time.sleep(SECONDS)
    return (matches_finished(folder) - before) / (time.monotonic() - begun)


def _waits_alone(arena: dict[str, psutil.Process]) -> list[float]:
    """Return what a player who answers at once waits, in seconds, while the ladder's playing processes are stopped."""
    with _open_tables(arena["web"], 1, 0.0) as (table,):
        playing = [arena["play"], *arena["play"].children()]
        known = len(table.waits)
        for process in playing:
            process.suspend()
        time.sleep(PAUSED_SECONDS)
        waits = table.waits[known:]
        for process in playing:
            process.resume()
    return waits


@contextmanager
def _open_tables(web: psutil.Process, count: int, think_seconds: float) -> Iterator[list[Table]]:
    """Open tables at which guests play in threads, and yield them when each has been asked; end them at last."""
    env = web.environ()
    command = [sys.executable, "-m", "tests.bench.opening", str(count)]
    printed = subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE).stdout
    tables = [Table(env["BANZUKE_URL"], row["match"], row["secret"]) for row in json.loads(printed.splitlines()[-1])]
    left = threading.Event()
    with ThreadPoolExecutor(count) as pool:
        playing = [pool.submit(table.play, think_seconds, left) for table in tables]
        try:
            for table in tables:
                assert table.asked.wait(60), "a table has not begun"
            yield tables
        finally:
            left.set()
        for each in playing:
            each.result()
    time.sleep(SETTLE_SECONDS)


def _cpu_seconds(worker: psutil.Process) -> dict[str, float]:
    """Return the CPU time that the worker of tables, its bots with their sandboxes, and this process have used."""
    bots = worker.children(recursive=True)
    spent = {"worker": [worker], "bots": bots, "players": [psutil.Process()]}
    return {
        name: sum(times.user + times.system for times in (process.cpu_times() for process in processes))
        for name, processes in spent.items()
    }


if __name__ == "__main__":
    main()
