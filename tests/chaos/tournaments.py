"""``python -m tests.chaos.tournaments [--small]``: tournaments whose workers, managers and broker are killed.

128 bots in double elimination, best of 5, and 64 bots in nine rounds of Swiss, best of 3, are played at the same time.
Real: broker, PostgreSQL, managing workers, timetable, and the workers' protocol with leases and signatures; results of
matches come from a formula (``tests.chaos.scripted``). Some reports come twice, some too late, some matches always
fail. Printed: matches, seconds, kills, and whether all tables and places are those of a tournament that nothing
disturbs, which the pure functions of ``formats`` play in this process.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from deploy.servers import postgres_running
from deploy.settings import ROOT
from formats.model import Decided, Entrant, Stage
from tests.chaos.mortal import MortalBroker, mortal_broker
from tests.tournaments.undisturbed import Undisturbed

FULL = {
    "double": {
        "bots": 128,
        "results": "at_end",
        "stages": [{"format": "double_elimination", "best_of": 5}],
    },
    "swiss": {"bots": 64, "results": "at_once", "stages": [{"format": "swiss", "rounds": 9, "best_of": 3}]},
}
SMALL = {
    "double": {"bots": 16, "results": "at_end", "stages": [{"format": "double_elimination", "best_of": 3}]},
    "swiss": {"bots": 12, "results": "at_once", "stages": [{"format": "swiss", "rounds": 3, "best_of": 3}]},
}
WORKERS, MANAGERS = 3, 2
LEASE_SECONDS = 2
MATCHES_A_KILL, MATCHES_A_KILL_SMALL = 60, 25
KILLS_SECONDS_MIN = 1.0
"""Least time between two kills; also so many matches end between them, however slow the machine is."""
BROKER_DIES_AT = (3, 7)
"""After how many kills of others the broker is killed and started again."""
SECONDS_MAX = 3_600
CELERY = (sys.executable, "-m", "celery", "-A", "tests.chaos.manager")
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO")
Plans = dict[str, dict[str, Any]]


def differences(told: dict[str, Any]) -> list[str]:
    """Return what a tournament of ``dump`` has other than one that nothing disturbs."""
    entrants = msgspec.convert(told["entrants"], list[Entrant])
    undisturbed = Undisturbed(msgspec.convert(told["stages"], list[Stage]), entrants, told["lots"])
    places = sorted([place.entrant, place.place] for place in undisturbed.play())
    found, wanted = (
        {(each.pairing.stage, each.pairing.round, each.pairing.number): each for each in decided}
        for decided in (msgspec.convert(told["decided"], list[Decided]), undisturbed.decided)
    )
    differ = [key for key in sorted(found.keys() | wanted.keys()) if found.get(key) != wanted.get(key)]
    lines = [f"table {key}: {found.get(key)}, undisturbed {wanted.get(key)}" for key in differ]
    if sorted(told["places"]) != places:
        lines.append(f"places {sorted(told['places'])}, undisturbed {places}")
    return lines


class Arena:
    """The processes of an arena, which are started again when they end, as a supervisor does."""

    def __init__(self, folder: Path, env: dict[str, str], player_url: str) -> None:
        self.kills: Counter[str] = Counter()
        self._folder, self._env = folder, env
        scripted = (sys.executable, "-m", "tests.chaos.scripted", player_url, str(folder / "data" / "replays"))
        self._commands = {f"worker {number}": (*scripted, f"s{number}") for number in range(WORKERS)}
        for number in range(MANAGERS):
            named = ("-n", f"manage{number}", "-Q", "report,manage", "-P", "solo")
            self._commands[f"manager {number}"] = (*CELERY, "worker", *named, *QUIET)
        self._commands["timetable"] = (*CELERY, "beat", "-s", str(folder / "beat"), "--pidfile", "")
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def keep_up(self) -> None:
        """Start what does not run."""
        for name, command in self._commands.items():
            process = self._running.get(name)
            if process is None or process.poll() is not None:
                with (self._folder / f"{name}.log").open("ab") as log:
                    self._running[name] = subprocess.Popen(
                        ["setpriv", "--pdeathsig", "KILL", *command], cwd=ROOT, env=self._env, stdout=log, stderr=log
                    )

    def kill_one(self, rng: random.Random) -> None:
        """Kill a worker, a manager or the timetable with signal 9."""
        name = rng.choice([*self._commands])
        self._running[name].send_signal(signal.SIGKILL)
        self._running[name].wait()
        self.kills[name.split()[0]] += 1

    def end(self) -> None:
        """Kill all."""
        for process in self._running.values():
            process.kill()
        for process in self._running.values():
            process.wait()

    def rows(self, *arguments: str) -> bytes:
        """Run ``tests.chaos.tournament_rows`` and return what it prints."""
        command = [sys.executable, "-m", "tests.chaos.tournament_rows", *arguments]
        with (self._folder / "rows.log").open("ab") as log:
            return subprocess.run(
                command, cwd=ROOT, env=self._env, check=True, stdout=subprocess.PIPE, stderr=log
            ).stdout


@contextmanager
def arena(folder: Path) -> Iterator[tuple[Arena, MortalBroker, Callable[[str], Any]]]:
    """Make an arena on PostgreSQL whose processes do not run yet; yield it, its broker, and what reads one number."""
    with ExitStack() as stack:
        url = stack.enter_context(postgres_running(folder / "p"))
        broker = stack.enter_context(mortal_broker(folder / "b"))
        env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "arena.settings.production",
            "SECRET_KEY": "only to measure",
            "ALLOWED_HOSTS": "localhost",
            "DATABASE_URL": url,
            "REDIS_URL": broker.site_url,
            "DATA": str(folder / "data"),
            "GAMES": "kakomimasu",
            "LEASE_SECONDS": str(LEASE_SECONDS),
        }
        (folder / "data" / "replays").mkdir(parents=True)
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        made = Arena(folder, env, broker.player_url)
        stack.callback(made.end)
        connection = stack.enter_context(psycopg.connect(url, autocommit=True))
        yield made, broker, lambda query: connection.execute(query).fetchone()[0]


def storm(
    folder: Path, plans: Plans, *, matches_a_kill: int, seed: int, told: Callable[[str], object]
) -> dict[str, Any]:
    """Play tournaments to their end while parts of the arena are killed; return ``dump`` and figures.

    Args:
        folder: an empty folder that the user of PostgreSQL may enter.
        plans: the tournaments, such as ``FULL``.
        matches_a_kill: how many matches end between two kills.
        seed: of the dice that choose what is killed.
        told: called with a line about the progress each minute.

    Raises:
        AssertionError: they are not over after ``SECONDS_MAX``.
    """
    rng = random.Random(seed)  # noqa: S311 - dice
    with arena(folder) as (parts, broker, number):
        parts.rows("make", json.dumps(plans))
        begun = time.monotonic()
        kill_at, tell_at, kill_after, deaths = begun, begun + 60, matches_a_kill, list(BROKER_DIES_AT)
        parts.keep_up()
        while number("SELECT COUNT(*) FROM tournaments_tournament WHERE finished_at IS NULL"):
            now = time.monotonic()
            ended = number("SELECT COUNT(*) FROM matches_match WHERE state IN ('finished', 'void')")
            if now > begun + SECONDS_MAX:
                raise AssertionError(f"not over: {parts.rows('dump').decode()}")
            if now >= kill_at and ended >= kill_after:
                parts.kill_one(rng)
                kill_at, kill_after = now + KILLS_SECONDS_MIN, ended + matches_a_kill
            if deaths and sum(parts.kills.values()) >= deaths[0]:
                deaths.pop(0)
                broker.restart()
                parts.kills["broker"] += 1
            if now >= tell_at:
                tell_at = now + 60
                told(f"{now - begun:.0f} s: {ended} matches, killed {dict(parts.kills)}")
            parts.keep_up()
            time.sleep(0.2)
        found: dict[str, Any] = json.loads(parts.rows("dump"))
        return found | {"seconds": round(time.monotonic() - begun), "kills": dict(parts.kills)}


def main() -> None:
    """Play and print; exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.tournaments")
    parser.add_argument("--small", action="store_true", help="16 and 12 bots, as in the test")
    parser.add_argument("--seed", type=int, default=1, help="of the dice that choose what is killed")
    arguments = parser.parse_args()

    def told(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory(prefix="tournaments-") as name:
        Path(name).chmod(0o711)
        plans, matches_a_kill = (SMALL, MATCHES_A_KILL_SMALL) if arguments.small else (FULL, MATCHES_A_KILL)
        found = storm(Path(name), plans, matches_a_kill=matches_a_kill, seed=arguments.seed, told=told)
    differ = {slug: differences(tournament) for slug, tournament in found.pop("tournaments").items()}
    for name, value in found.items():
        told(f"{name}: {value}")
    for slug, lines in differ.items():
        told(f"{slug}: {lines or 'as without disturbance'}")
    sys.exit(any(differ.values()) or found["decided once"] != found["tables"] or found["changed"] != [])


if __name__ == "__main__":
    main()
