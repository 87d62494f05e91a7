"""Benchmark of a whole arena whose bots do nothing: ``python -m tests.bench.pipeline [--playing N] [--postgres]``."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import psutil

from deploy.broker import broker_running, free_port
from deploy.data import secrets_load
from deploy.processes import Child, children
from deploy.servers import postgres_running
from deploy.settings import ROOT, Settings

BOTS = 20
WARM_UP_SECONDS = 12
SECONDS = 20
IDLE_SECONDS = 6
"""The playing processes are stopped for so long, shorter than a lease, so that no match is taken from them."""
FINISHED = re.compile(rb"match_finished")


def main() -> None:
    """Print matches a second, and milliseconds of CPU time a match of each part."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pipeline")
    parser.add_argument("--playing", type=int, default=2, help="processes that play (default: %(default)s)")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        for figure, value in figures(Path(name), playing=arguments.playing, postgres=arguments.postgres).items():
            sys.stdout.write(f"{figure}: {value:.1f}\n")


def figures(folder: Path, *, playing: int, postgres: bool) -> dict[str, float]:
    """Measure matches a second, and milliseconds of CPU time a match of each part of the arena.

    Args:
        folder: a new folder for the arena's data.
        playing: how many processes play.
        postgres: whether the arena runs on PostgreSQL, not on SQLite.
    """
    with ExitStack() as stack:
        url = stack.enter_context(postgres_running(folder / "p")) if postgres else ""
        environment = {"DATABASE_URL": url, "PLAYING": str(playing), "LANGUAGES": "python"}
        arena = stack.enter_context(arena_running(folder, environment))
        if postgres:
            cluster = int((folder / "p" / "cluster" / "postmaster.pid").read_text().split()[0])
            arena["database"] = psutil.Process(cluster)
        stack.callback(_phases, folder, environment)
        time.sleep(WARM_UP_SECONDS)
        matches = matches_finished(folder)
        spent, seconds = _spending(arena, SECONDS)
        played = max(matches_finished(folder) - matches, 1)
        idle = _idle(arena)
    a_match = {name: ms / played for name, ms in spent.items()}
    site = sum(ms for name, ms in a_match.items() if name not in ("play", "tables"))
    return {
        "matches a second": played / seconds,
        **{f"ms of {name} a match": ms for name, ms in a_match.items()},
        "ms of all but playing a match": site,
        "of these, ms that a second costs without matches": idle * seconds / played,
    }


def _spending(arena: dict[str, psutil.Process], seconds: float) -> tuple[dict[str, float], float]:
    """Return the CPU milliseconds of each part over the next seconds, and how many seconds those really were."""
    before, begun = _cpu_ms(arena), time.monotonic()
    time.sleep(seconds)
    return {name: now - before[name] for name, now in _cpu_ms(arena).items()}, time.monotonic() - begun


def _idle(arena: dict[str, psutil.Process]) -> float:
    """Return the CPU milliseconds a second of all parts but ``play`` while no match is played."""
    playing = [arena["play"], *arena["play"].children()]
    for process in playing:
        process.suspend()
    time.sleep(1)  # the site records what they have reported before
    spent, seconds = _spending({name: part for name, part in arena.items() if name != "play"}, IDLE_SECONDS)
    for process in playing:
        process.resume()
    return sum(spent.values()) / seconds


@contextmanager
def arena_running(data: Path, environment: dict[str, str]) -> Iterator[dict[str, psutil.Process]]:
    """Run the parts of an arena as ``make run`` does, each with a log in the folder; yield their processes by name.

    Args:
        data: a new folder for the arena's data.
        environment: the variables ``DATABASE_URL`` (empty: SQLite), ``PLAYING`` and ``LANGUAGES``.
    """
    settings = Settings(data=data, port=free_port(), sandbox="bubblewrap")
    secrets = secrets_load(data)
    passwords = {"site_password": secrets["BROKER_PASSWORD"], "player_password": secrets["PLAYER_PASSWORD"]}
    with broker_running(data / "broker", **passwords) as broker, ExitStack() as stack:
        parts = [_measured(child, environment) for child in children(settings, broker) if child.name != "broker"]
        site = next(part.env for part in parts if part.name == "web")
        subprocess.run([sys.executable, "-m", "tests.bench.seeding", str(BOTS)], cwd=ROOT, env=site, check=True)
        yield {part.name: psutil.Process(stack.enter_context(_running(part, data)).pid) for part in parts} | {
            "broker": psutil.Process(broker.process.pid)
        }


def _phases(folder: Path, environment: dict[str, str]) -> None:
    """Print how long the phases of a match take (``tests.bench.phases``)."""
    settings = {"DATA": str(folder), "DJANGO_SETTINGS_MODULE": "tests.bench.arena_settings", **environment}
    subprocess.run([sys.executable, "-m", "tests.bench.phases"], cwd=ROOT, env=os.environ | settings, check=True)


def _measured(child: Child, environment: dict[str, str]) -> Child:
    """Return a part of the arena with the settings of the benchmark."""
    if child.name in ("play", "tables"):
        argv = (*child.argv[:-1], environment["PLAYING"]) if child.name == "play" else child.argv
        return replace(child, argv=argv, env={**child.env, "LANGUAGES": environment["LANGUAGES"]})
    return replace(child, env={**child.env, **environment, "DJANGO_SETTINGS_MODULE": "tests.bench.arena_settings"})


@contextmanager
def _running(child: Child, data: Path) -> Iterator[subprocess.Popen[bytes]]:
    with (data / f"{child.name}.log").open("wb") as log:
        process = subprocess.Popen(child.argv, cwd=ROOT, env=child.env, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def matches_finished(data: Path) -> int:
    """Return how many matches have ended since the arena was started."""
    return len(FINISHED.findall((data / "manage.log").read_bytes()))


def _cpu_ms(arena: dict[str, psutil.Process]) -> dict[str, float]:
    """Return the CPU time of each part with its child processes, but without the bots, in milliseconds."""
    return {name: 1e3 * sum(map(_spent, [part, *part.children()])) for name, part in arena.items()}


def _spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


if __name__ == "__main__":
    main()
