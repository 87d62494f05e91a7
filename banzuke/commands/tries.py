"""Try files on the arena of the last login: they are built and play one match there, which is not rated.

    banzuke try mine --game GAME --against rings --seat 1
    banzuke try mine --game GAME --against rings --from-match 12 --from-turn 40

No bot and no version is made, nobody else sees the match, and the arena keeps it for two days. Printed are the result,
what went wrong, and what your program wrote to standard error, turn by turn; the replay and the log of the turns are
fetched, for `banzuke watch`. Files are texts here, 512 KiB together: upload what is larger.

With --from-turn your program plays on from a turn of a match, or of an earlier try of yours. It is asked in the turns
before as well, so that it knows the match; the answers are those of that match.

The exit status, for scripts: 0 it played without a fault; 1 it could not be built, or was at fault; 2 it could not be
tried; 3 --timeout has passed.
"""

from __future__ import annotations

import argparse
import math
import shlex
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from banzuke.api_types import Try
from banzuke.bots import as_argument, source_of
from banzuke.commands.challenge import bot_meant, folder_check
from banzuke.commands.upload import CODE_REJECTED, CODE_TIMED_OUT, LOG_LINE_CHARS, add_contest, contest_chosen
from banzuke.site import Site, retry_while_away, site_remembered
from banzuke.text import UserError, say, table, write_whole
from banzuke.turnlog import LoggedTurn, log_write
from core.arguments import positive, seed, whole

POLL_SECONDS = 0.3
LINES_MAX = 200
"""How many lines are printed at most: the last ones of standard error, the first ones of compilers."""


class Tried(Try, frozen=True):
    """A try: how far it has come, and its result."""

    @property
    def is_final(self) -> bool:
        """Whether it has ended."""
        return self.state in ("finished", "rejected", "failed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``try``."""
    parser.add_argument("path", type=Path, metavar="FOLDER|FILE")
    add_contest(parser)
    parser.add_argument(
        "--against", metavar="BOT", help="its name, its number, or the URL of its page (default: itself)"
    )
    parser.add_argument("--seat", type=whole, default=0, help="of your program, from 0 (default: %(default)s)")
    parser.add_argument("--seed", type=seed, help="of the match (default: any)")
    begun = parser.add_mutually_exclusive_group()
    begun.add_argument("--from-match", type=positive, metavar="NUMBER", help="play on from this match, with its seed")
    begun.add_argument("--from-try", type=positive, metavar="NUMBER", help="play on from this try of yours")
    parser.add_argument("--from-turn", type=positive, metavar="TURN", help="the first one that is played anew, from 1")
    parser.add_argument("--language", default="", help="default: found by the names of the files")
    parser.add_argument("--timeout", type=positive, metavar="SECONDS", help="wait no longer (default: to its end)")
    parser.add_argument("--folder", type=Path, default=Path(), help="for the replay (default: this one)")


def run(arguments: argparse.Namespace) -> int:
    """Begin the try, wait for its end, and print the result."""
    folder_check(arguments.folder)
    site = site_remembered()
    contest, game = contest_chosen(site, arguments)
    names = ("language", "seat", "seed", "from_match", "from_try", "from_turn")
    sent = {name: getattr(arguments, name) for name in names}
    files = texts_of(arguments.path, game)
    tried = try_begun(site, contest=contest, files=files, against=arguments.against, **sent)
    tried = try_followed(site, tried, arguments.timeout, say)
    if not tried.is_final:
        say("It takes longer than --timeout allows; the arena goes on with it.")
        return CODE_TIMED_OUT
    if tried.state == "failed":
        raise UserError(tried.why)
    say("\n".join(try_lines(tried)))
    if tried.state == "finished":
        say("\n".join(_fetched(site, tried, arguments.folder)))
    return CODE_REJECTED if tried.verdict else 0


def texts_of(path: Path, game: str) -> dict[str, str]:
    """Return the texts of a program's files, by path.

    Raises:
        UserError: there is no such program, or a file is no text in UTF-8.
    """
    source = source_of(str(path), game) if path.exists() else None
    if source is None:
        raise UserError(f"{path} is no folder and no source file.")
    texts = {}
    for name, content in source.files.items():
        try:
            texts[name] = content.decode()
        except UnicodeDecodeError as error:
            raise UserError(f"{name} is no text in UTF-8, and a try takes nothing else: upload the bot.") from error
    return texts


def try_begun(site: Site, *, contest: str, files: dict[str, str], against: str | None, **sent: object) -> Tried:
    """Have the arena try a program, given as texts by path, in a contest (its key), and return the try.

    ``against`` is the name, number or URL of the bot on the other seats; None: copies of the program. ``sent`` are the
    other fields, as the API takes them: ``language``, ``seat``, ``seed``, ``from_turn`` and the like.

    Raises:
        UserError: the arena cannot be reached, or refuses.
    """
    bot = None if against is None else bot_meant(site, contest, against)
    return site.post("tries/", Tried, json={"contest": contest, "files": files, "bot": bot, **sent})


def try_followed(site: Site, tried: Tried, timeout: int | None, tell: Callable[[str], None]) -> Tried:
    """Poll a try until it has ended or ``timeout`` seconds are over (None: no end); return it as last polled.

    ``tell`` is called with a line when its place in the queue has changed.
    """
    place, patient_until = 0, time.monotonic() + timeout if timeout else math.inf
    while not tried.is_final and time.monotonic() < patient_until:
        if tried.place and tried.place != place:
            place = tried.place
            tell(f"Place in line: {place}.")
        time.sleep(POLL_SECONDS)
        tried = retry_while_away(partial(site.get, f"tries/{tried.id}/", Tried))
    return tried


def try_lines(tried: Tried) -> list[str]:
    """Return the result of a try that is finished or rejected as lines."""
    lines = []
    if tried.state == "finished":
        rows = [
            (name + (" (you)" if seat == tried.seat else ""), f"{score:g}", str(rank), f"{cpu_ms:.0f} ms")
            for seat, (name, score, rank, cpu_ms) in enumerate(
                zip(tried.seats, tried.scores, tried.ranks, tried.cpu_ms_total, strict=True)
            )
        ]
        lines += [f"The match ended after {tried.turns} turns.", table([("bot", "score", "rank", "CPU"), *rows])]
    if tried.verdict:
        where = f" in turn {tried.turn}" if tried.turn else ""
        lines.append(f"Your program failed{where} ({tried.verdict}): {tried.why}")
    lines += [f"{mark.path}:{mark.line}: {mark.text}" for mark in tried.marks]
    log = tried.log.splitlines()[:LINES_MAX] if tried.state == "rejected" else []
    return lines + [line[:LOG_LINE_CHARS] for line in log]


def stderr_lines(turns: list[LoggedTurn]) -> list[str]:
    """Return what a program wrote to standard error as lines that name the turn, the last ``LINES_MAX``."""
    lines = [f"turn {turn.turn}| {line}" for turn in turns for line in turn.stderr.splitlines()]
    if len(lines) > LINES_MAX:
        return [f"[... {len(lines) - LINES_MAX} lines left out]", *lines[-LINES_MAX:]]
    return lines


def _fetched(site: Site, tried: Tried, folder: Path) -> list[str]:
    """Write the replay of a try and the log of its turns into a folder.

    Returns:
        The program's standard error as lines, then the command that shows the match.

    Raises:
        UserError: a file cannot be written, or the arena cannot be reached.
    """
    path = folder / f"try-{tried.id}.jsonl.zst"
    replay = retry_while_away(partial(site.file, f"tries/{tried.id}/replay/"))
    turns = retry_while_away(partial(site.get, f"tries/{tried.id}/turns/", list[LoggedTurn]))
    write_whole(path, replay)
    log_write(path, turns)
    return [*stderr_lines(turns), f"banzuke watch {shlex.quote(as_argument(str(path)))}"]
