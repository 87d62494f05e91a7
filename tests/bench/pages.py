"""Benchmark of pages: how fast they are in a small arena and in a large one.

``python -m tests.bench.pages [--bots N] [--matches N] [--contests N]``. The site runs as it is deployed, with two
processes of uvicorn on PostgreSQL, on the same machine as the readers. Pages for strangers are cached for seconds. The
pages "any" and "deep" have random urls that never repeat, since in a small arena nearly all would come from the cache.
For readers who are signed in no page is cached.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median, quantiles

import msgspec

from deploy.broker import free_port
from deploy.data import secrets_load
from deploy.servers import postgres_running
from deploy.settings import ROOT

READERS = 8
SECONDS = 5.0
WARM_UP_SECONDS = 1.5
SMALL_BOTS, SMALL_MATCHES = 50, 1_000
GAME = "kakomimasu"
GIVE_UP_SECONDS = 60.0


class Filled(msgspec.Struct):
    """The arena that ``tests.bench.filling`` has made."""

    bots: list[int]
    """Keys of the bots."""
    contest: str
    """Path of the page of the last bot's contest."""
    last_match: int
    cursors: list[str]
    """Cursors of pages of the board."""
    sessions: list[str]
    """A session key for each reader who is signed in, each of another user with bots."""
    queries: dict[str, int]
    """Database queries of each page for a stranger."""
    queries_signed_in: dict[str, int]


@dataclass(frozen=True)
class Measured:
    """Times of one page in milliseconds, and pages a second."""

    median_ms: float
    p95_ms: float
    a_second: float


def main() -> None:
    """Print queries, medians and 95th percentiles of each page, in a small arena and in a large one."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages")
    parser.add_argument("--bots", type=int, default=10_000, help="of the large arena (default: %(default)s)")
    parser.add_argument("--matches", type=int, default=1_000_000, help="of the large arena (default: %(default)s)")
    parser.add_argument("--contests", type=int, default=200, help="of the large arena (default: %(default)s)")
    arguments = parser.parse_args()
    small = _arena(SMALL_BOTS, SMALL_MATCHES, 1)
    large = _arena(arguments.bots, arguments.matches, arguments.contests)
    for name, (queries, few) in small.items():
        more_queries, many = large[name]
        sys.stdout.write(
            f"{name}: {queries} and {more_queries} queries, median {few.median_ms:.1f} and {many.median_ms:.1f} ms"
            f" ({many.median_ms / few.median_ms:.2f} x), p95 {few.p95_ms:.1f} and {many.p95_ms:.1f} ms,"
            f" {many.a_second:.0f} a second\n"
        )


def _arena(bots: int, matches: int, contests: int) -> dict[str, tuple[int, Measured]]:
    """Make an arena of a size; return queries and times of each page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        secrets_load(folder)
        with postgres_running(folder / "p") as url:
            environment = {
                **os.environ,
                "DATA": name,
                "DATABASE_URL": url,
                "PLAYING": "2",
                "DJANGO_SETTINGS_MODULE": "tests.bench.arena_settings",
            }
            begun = time.monotonic()
            filled = _fill(bots, matches, contests, environment)
            sys.stderr.write(f"{bots} bots, {matches} matches: filled in {time.monotonic() - begun:.0f} s\n")
            with _site(environment) as port:
                return _all_read(port, filled)


def _all_read(port: int, filled: Filled) -> dict[str, tuple[int, Measured]]:
    measured = {}
    readers = (
        ("", filled.queries, [{}] * READERS),
        (", signed in", filled.queries_signed_in, [{"Cookie": f"sessionid={key}"} for key in filled.sessions]),
    )
    for who, queries, headers in readers:
        for page, path in _pages(filled).items():
            measured[page + who] = (queries[page], _read(port, path, headers))
    return measured


def _fill(bots: int, matches: int, contests: int, environment: dict[str, str]) -> Filled:
    filling = [sys.executable, "-m", "tests.bench.filling", str(bots), str(matches), str(contests)]
    output = subprocess.run(filling, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout
    return msgspec.json.decode(output.splitlines()[-1], type=Filled)


def _pages(filled: Filled) -> dict[str, Callable[[], str]]:
    """Return a function for each page that returns a url of it, by the names in ``Filled.queries``."""
    dice, numbers = random.Random(1), count()  # noqa: S311 - the same pages each time
    board = f"/games/{GAME}/"
    return {
        "leaderboard": lambda: board,
        "contest": lambda: filled.contest,
        "leaderboard, deep": lambda: f"{board}?after={dice.choice(filled.cursors)}&nth={next(numbers)}",
        "bot": lambda: f"/bots/{filled.bots[-1]}/",
        "bot, any": lambda: f"/bots/{dice.choice(filled.bots)}/?nth={next(numbers)}",
        "bot, house": lambda: f"/bots/{filled.bots[0]}/",
        "matches": lambda: "/matches/",
        "matches, deep": lambda: f"/matches/?before={dice.randrange(40, filled.last_match)}&nth={next(numbers)}",
        "matches of a contest": lambda: (
            f"/matches/?contest={filled.contest.strip('/').partition('/')[2]}&nth={next(numbers)}"
        ),
        "opponents, any": lambda: f"/bots/{dice.choice(filled.bots)}/opponents/?nth={next(numbers)}",
    }


@contextmanager
def _site(environment: dict[str, str]) -> Iterator[int]:
    """Run the site; yields its port."""
    port = free_port()
    argv = [sys.executable, "-m", "uvicorn", "arena.asgi:application", "--port", str(port), "--workers", "2"]
    options = ["--http", "arena.serving.connections:PromptProtocol", "--log-level", "warning", "--no-access-log"]
    site = subprocess.Popen([*argv, *options], cwd=ROOT, env=environment)
    try:
        ends = time.monotonic() + GIVE_UP_SECONDS
        while not _answers(port):
            assert time.monotonic() < ends, "the site does not start"
            time.sleep(0.1)
        yield port
    finally:
        site.terminate()
        site.wait()


def _answers(port: int) -> bool:
    try:
        return _get(http.client.HTTPConnection("127.0.0.1", port, timeout=5), "/livez", {}) == 200
    except OSError:
        return False


def _get(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> int:
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    response.read()
    return response.status


def _read(port: int, path: Callable[[], str], headers: list[dict[str, str]]) -> Measured:
    """Let one reader for each of these headers request pages one after the other; return the times of the answers."""
    times: list[float] = []
    begin = time.monotonic() + WARM_UP_SECONDS
    threads = [
        threading.Thread(target=_reader, args=(port, path, own, begin, begin + SECONDS, times)) for own in headers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Measured(1e3 * median(times), 1e3 * quantiles(times, n=20)[-1], len(times) / SECONDS)


def _reader(
    port: int, path: Callable[[], str], headers: dict[str, str], begin: float, end: float, times: list[float]
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=GIVE_UP_SECONDS)
    while (begun := time.monotonic()) < end:
        url = path()
        assert _get(connection, url, headers) == 200, url
        if begun > begin:
            times.append(time.monotonic() - begun)


if __name__ == "__main__":
    main()
