"""Benchmark of the day of a contest: ``python -m tests.bench.contest_day``, on an arena that is made for it.

Many people upload a bot in the last minutes before the deadline of one contest, while others watch, read pages and try
programs. The contest freezes soon after; the benchmark waits for its signed board, and prints what became of all.

``--url`` names an arena that runs already, on this machine and without a proxy, with ``CONTESTS_BY_USERS=true``.
Without it the benchmark starts one of its own. ``--cores`` may hold the processes that serve its site to a part of a
core, by a control group.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import psutil

from deploy.broker import free_port
from deploy.settings import ROOT
from games.kits import kit_files
from tests.bench.core_share import held_to
from tests.bench.crowd import Answer, Person, Readers, Watchers, at
from tests.bench.tries import asked, wait

GAME = "kakomimasu"
SUFFIXES = {"python": (".py",), "cpp": (".cpp", ".hpp", ".h")}
READERS = 8
HANDS = 4
"""How many people sign up at a time: the most of it is the hashing of passwords, on one core."""
OPEN_SECONDS_MAX = 1_200
"""So long a busy machine takes until the house bots of an arena of its own play."""
LOG = Path(tempfile.gettempdir()) / "contest_day.log"
"""Into this file an arena of its own logs."""
LAST_SECONDS = 0.5
"""The last upload is sent so long before the deadline, by the clock of this machine, which is the arena's."""
SITE = ("arena.asgi", "arena.celery")
"""Modules in the command lines of the processes that serve the site; those that play have ``workers.app`` instead."""
SAMPLE_SECONDS = 1.0


@dataclass
class Day:
    """What has been seen of the day."""

    contest: str
    """Its key."""
    deadline: float
    """Seconds since 1970, as all moments here."""
    uploads: list[Answer] = field(default_factory=list)
    tries: list[Answer] = field(default_factory=list)
    idle: list[Answer] = field(default_factory=list)
    """Pages read before the rush."""
    rush: list[Answer] = field(default_factory=list)
    """Pages read while uploads came."""
    heard: int = 0
    away: int = 0
    boards: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    """Each signed board, and when it was first seen."""


def main() -> None:
    """Play the day and print the figures; exit with 1 if something sent in time was not taken."""
    arguments = _arguments()
    with ExitStack() as stack:
        url, arena = (arguments.url, None) if arguments.url else stack.enter_context(_arena(arguments.language))
        people = _signed_up(url.rstrip("/"), arguments.accounts)
        if arguments.cores and arena:
            stack.enter_context(held_to(arguments.cores, _site_pids(arena)))  # not before: passwords take CPU time
        day = _played(people, arguments)
    for name, value in figures(day).items():
        sys.stdout.write(f"{name}: {value}\n")
    if len(_taken(day)) < len(_in_time(day)):
        sys.exit("Not all uploads that were sent in time have been taken.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.contest_day")
    parser.add_argument("--url", help="of an arena that runs (default: one of its own)")
    for name, count, what in (
        ("accounts", 300, "people with an account"),
        ("uploads", 300, "of them who upload a bot before the deadline"),
        ("tries", 100, "of them who try a program meanwhile"),
        ("watchers", 200, "of them who watch live matches meanwhile"),
    ):
        parser.add_argument(f"--{name}", type=int, default=count, help=f"{what} (default: %(default)s)")
    parser.add_argument("--language", choices=SUFFIXES, default="python", help="of the bots (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=2.0, help="of the rush (default: %(default)s)")
    parser.add_argument("--freeze-after", type=float, default=1.0, help="minutes after the deadline (%(default)s)")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds for which idle pages are read (%(default)s)")
    parser.add_argument("--patience", type=float, default=120.0, help="minutes to wait for the board (%(default)s)")
    parser.add_argument("--settle", type=float, default=60.0, help="seconds to look for a second board (%(default)s)")
    parser.add_argument("--cores", type=float, help="hold the site's processes of an own arena to so much of a core")
    arguments = parser.parse_args()
    if max(arguments.uploads, arguments.tries, arguments.watchers, 1) > arguments.accounts:
        parser.error("each upload, try and watcher needs an account: give more --accounts")
    if arguments.cores and arguments.url:
        parser.error("--cores holds the arena that the benchmark starts: leave --url out")
    return arguments


# --- The arena ------------------------------------------------------------------------------------------------------


@contextmanager
def _arena(language: str) -> Iterator[tuple[str, int]]:
    """Run an arena of one machine that takes bots in a language; yield its URL and pid when its house bots play."""
    with tempfile.TemporaryDirectory() as name, LOG.open("wb") as log:
        Path(name).chmod(0o755)
        url = f"http://localhost:{(port := free_port())}"
        languages = " ".join(dict.fromkeys(("python", language)))  # most house bots are in Python
        env = {"GAMES": GAME, "LANGUAGES": languages, "SANDBOX": "bubblewrap", "CONTESTS_BY_USERS": "true"}
        command = [sys.executable, "-m", "deploy.arena"]
        own = {**os.environ, **env, "TABLES": "0", "DATA": name, "PORT": str(port)}
        with subprocess.Popen(command, cwd=ROOT, env=own, stdout=log, stderr=log) as arena:
            try:
                _say(f"an arena starts, and logs into {LOG}")
                wait(lambda: asked(f"{url}/api/v1/games/{GAME}/board/").get("rows"), OPEN_SECONDS_MAX)
                yield url, arena.pid
            finally:
                arena.terminate()


def _site_pids(arena: int) -> list[int]:
    below = psutil.Process(arena).children(recursive=True)
    return [process.pid for process in below if serves_site(process.cmdline())]


def serves_site(command: Sequence[str]) -> bool:
    """Return whether a command of an arena starts a process that serves the site, and does not play."""
    return any(module in " ".join(command) for module in SITE)


# --- The day --------------------------------------------------------------------------------------------------------


def _signed_up(url: str, count: int) -> list[Person]:
    run = f"{time.time():.0f}"  # an arena may see many such days
    people = [Person(url, number, run=run) for number in range(1, count + 1)]
    with ThreadPoolExecutor(HANDS) as hands:
        list(hands.map(Person.sign_up, people))
    _say(f"{len(people)} people have signed up")
    return people


def _played(people: list[Person], arguments: argparse.Namespace) -> Day:
    organiser = people[0]
    rush_seconds = 60 * arguments.minutes
    deadline = float(round(time.time() + arguments.idle + rush_seconds + 15))
    day = Day(f"day-{time.time():.0f}", deadline)
    _open_contest(organiser, day, 60 * arguments.freeze_after)
    paths = ["/", f"/contests/{day.contest}/", "/matches/", f"/matches/?contest={day.contest}", f"/games/{GAME}/"]
    with Readers(people[:READERS], paths) as readers:
        time.sleep(arguments.idle)
    day.idle = readers.answers
    _say("the rush begins")
    with Watchers(people[: arguments.watchers], day.contest) as watchers:
        _rush(day, people, arguments, paths, deadline - rush_seconds)
        day.heard, day.away = watchers.heard, watchers.away
    _say("the rush is over")
    _boards_seen(day, organiser, arguments)
    return day


def _open_contest(organiser: Person, day: Day, freeze_seconds: float) -> None:
    """Make the contest by the form, and open it; it freezes so many seconds after its deadline."""
    typed = {
        "slug": day.contest,
        "title": "Contest day",
        "visibility": "public",
        "has_house_bots": "on",
    }
    for name, moment in (("entries_until", day.deadline), ("frozen_at", day.deadline + freeze_seconds)):
        typed[name] = datetime.fromtimestamp(moment, UTC).replace(tzinfo=None).isoformat(timespec="seconds")
        typed[f"{name}_zone"] = "UTC"
    organiser.post(f"/contests/new/?game={GAME}", data=typed)
    opened = organiser.post(f"/api/v1/contests/{day.contest}/state/", json={"state": "open", "reason": ""})
    if opened.status != 200:
        sys.exit(f"The contest could not be made: {opened.status} {opened.told}; is CONTESTS_BY_USERS=true?")


def _rush(day: Day, people: list[Person], arguments: argparse.Namespace, paths: list[str], begins: float) -> None:
    """Let uploads and tries come evenly until just before the deadline, while pages are read."""
    ends = day.deadline - LAST_SECONDS
    with ThreadPoolExecutor(arguments.uploads + arguments.tries) as pool, Readers(people[:READERS], paths) as readers:
        uploads = [
            pool.submit(at, moment, partial(person.upload, day.contest, _bundle(arguments.language, person.name)))
            for person, moment in zip(people, _moments(begins, ends, arguments.uploads), strict=False)
        ]
        program = {name: data.decode() for name, data in _program(arguments.language).items()}
        tries = [
            pool.submit(at, moment, partial(person.tries, day.contest, arguments.language, program))
            for person, moment in zip(reversed(people), _moments(begins, ends, arguments.tries), strict=False)
        ]
        day.uploads, day.tries = [each.result() for each in uploads], [each.result() for each in tries]
    day.rush = readers.answers


def _moments(begins: float, ends: float, count: int) -> list[float]:
    """Return moments that lie evenly between two, the last of them at the end."""
    return [ends - (ends - begins) * (count - 1 - number) / count for number in range(count)]


def _program(language: str) -> dict[str, bytes]:
    """Return the files of the starter kit that the arena builds."""
    return {name: data for name, data in kit_files(GAME, language).items() if name.endswith(SUFFIXES[language])}


def _bundle(language: str, name: str) -> tuple[str, bytes]:
    """Return the starter kit as the upload of one person: no two are alike, so that each is stored and built."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in _program(language).items():
            archive.writestr(path, data)
        archive.writestr("README.md", f"The bot of {name}.\n")
    return "bot.zip", packed.getvalue()


def _boards_seen(day: Day, organiser: Person, arguments: argparse.Namespace) -> None:
    """Note each board that is signed, until none has come for a while."""
    ends = day.deadline + 60 * (arguments.freeze_after + arguments.patience)
    known = ""
    while time.time() < ends:
        digest = organiser.get(f"/api/v1/contests/{day.contest}/").told.get("board_digest", "")
        if digest and digest != known:
            board = organiser.get(f"/contests/{day.contest}/final.json").told
            known = digest
            day.boards.append((time.time(), board))
            _say(f"a board is signed, {time.time() - day.deadline:.0f} s after the deadline")
            ends = time.time() + arguments.settle
        time.sleep(SAMPLE_SECONDS)


# --- The figures ----------------------------------------------------------------------------------------------------


def figures(day: Day) -> dict[str, str]:
    """Return the figures of a day by their names, as they are printed."""
    taken = _taken(day)
    missed = [answer for answer in _in_time(day) if answer not in taken]
    lines = {
        "uploads taken of those sent in time": f"{len(taken)} of {len(_in_time(day))}",
        "of the others: refused, cut": f"{sum(a.status > 0 for a in missed)}, {sum(a.status == 0 for a in missed)}",
        "answers with a receipt": str(sum("received_at" in answer.told for answer in taken)),
        "answer to an upload": _seconds(day.uploads),
        "tries taken": f"{sum(answer.status == 201 for answer in day.tries)} of {len(day.tries)}",
        "answer to a try": _seconds(day.tries),
        "pages on the idle site": _seconds(day.idle),
        "pages in the rush": _seconds(day.rush),
        "pages' p95 against idle": f"{_p95(day.rush) / _p95(day.idle):.1f} x" if day.idle and day.rush else "not known",
        "pages that failed in the rush": str(sum(answer.status != 200 for answer in day.rush)),
        "live streams heard, sent away": f"{day.heard}, {day.away}",
        "signatures": str(len(day.boards)),
    }
    if not day.boards:
        return lines
    signed_at, board = day.boards[-1]
    rows = [row for row in board["board"] if not row["house"]]
    games = [row["games"] for row in rows]
    return {
        **lines,
        "signed after the deadline": f"{signed_at - day.deadline:.0f} s",
        "bots on the signed board, of those taken": f"{len(rows)} of {len(taken)}",
        "of them without a rank": str(sum(row["rank"] is None for row in rows)),
        "games a bot on it": f"least {min(games)}, median {median(games):.0f}, most {max(games)}" if games else "none",
    }


def _in_time(day: Day) -> list[Answer]:
    return [answer for answer in day.uploads if answer.sent_at < day.deadline]


def _taken(day: Day) -> list[Answer]:
    return [answer for answer in _in_time(day) if answer.status in (200, 201, 202)]


def _seconds(answers: list[Answer]) -> str:
    if not answers:
        return "none"
    return f"median {median(answer.seconds for answer in answers):.3f} s, p95 {_p95(answers):.3f} s"


def _p95(answers: list[Answer]) -> float:
    times = [answer.seconds for answer in answers]
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def _say(sentence: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {sentence}\n")


if __name__ == "__main__":
    main()
