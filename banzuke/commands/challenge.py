"""Have a bot of yours play against another of the arena of the last login, and fetch the replays.

OTHER is a bot on the board: its name, its number, or the URL of its page. Two matches are played as soon as a
worker is free, seats swapped on one seed; they are not rated.
"""

from __future__ import annotations

import argparse
import os
import shlex
import time
from functools import partial
from pathlib import Path
from urllib.parse import quote

from tqdm import tqdm

from banzuke.api_types import Board, Bot, RemoteSeat, WholeMatch, WholeSeat
from banzuke.arguments import game_name
from banzuke.bots import as_argument
from banzuke.site import Site, own_bots, retry_while_away, site_remembered
from banzuke.text import UserError, say, write_whole
from games.registry import game_names

POLL_SECONDS = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``challenge``."""
    parser.add_argument("name", help="of your bot")
    parser.add_argument("other", metavar="OTHER")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--game", type=game_name, choices=game_names(), help="where bots of yours have the same name")
    where.add_argument("--contest", metavar="KEY", help="the same, by the key of their contest")
    parser.add_argument("--folder", type=Path, default=Path(), help="for the replays (default: this one)")
    parser.add_argument("--no-wait", action="store_true", help="do not wait for the results")


def run(arguments: argparse.Namespace) -> int:
    """Order the matches, wait for them and fetch their replays."""
    folder: Path = arguments.folder
    if not arguments.no_wait:
        folder_check(folder)
    site = site_remembered()
    # The open contest of a game has the name of the game as its key.
    bot = _own_bot(site, arguments.name, arguments.contest or arguments.game)
    other = bot_meant(site, bot.contest, arguments.other)
    matches = site.post(f"bots/{other}/challenge/", list[WholeMatch], json={"bot": bot.id})
    for match in matches:
        say(f"{site.url}/matches/{match.id}/")
    if not arguments.no_wait:
        for match in tqdm(matches, unit=" matches", disable=None, leave=False):
            say(outcome(site, await_end(site, match.id), folder))
    return 0


def folder_check(folder: Path) -> None:
    """Raise UserError if no replay can be written to a folder."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise UserError(f"No replay can be written to {folder}: is there such a folder, and may you write there?")


def _own_bot(site: Site, name: str, contest: str | None) -> Bot:
    named = own_bots(site, name)
    meant = [bot for bot in named if contest in (None, bot.contest)]
    if len(meant) == 1:
        return meant[0]
    contests = ", ".join(bot.contest for bot in named)
    raise UserError(f"Which {name}? Tell the contest by --contest: {contests}.")


def bot_meant(site: Site, contest: str, name: str) -> int:
    """Return the number of the bot that ``name`` means: its number, the URL of its page, or its name on a board.

    ``contest`` is the key of the contest on whose board a name is looked for.

    Raises:
        UserError: no bot there has this name, or the arena cannot be reached.
    """
    last = name.rstrip("/").rpartition("/")[2]
    if last.isascii() and last.isdigit():
        return int(last)
    board = site.get(f"contests/{quote(contest, safe='')}/board/?name={quote(name)}", Board)
    alike = {row.name: row.bot for row in board.rows}
    for known, bot in alike.items():
        if known.casefold() == name.casefold():
            return bot
    known = f" There are: {', '.join(alike)}." if alike else ""
    raise UserError(f"No bot of {contest} is called {name}.{known} Its number will do, too: bots/NUMBER/.")


def await_end(site: Site, number: int) -> WholeMatch:
    """Wait until a match is finished or void, and return it.

    Raises:
        UserError: the arena cannot be reached, or refuses.
    """
    while (match := retry_while_away(partial(site.get, f"matches/{number}/", WholeMatch))).state in (
        "queued",
        "running",
    ):
        time.sleep(POLL_SECONDS)
    return match


def outcome(site: Site, match: WholeMatch, folder: Path) -> str:
    """Fetch the replay of a match, and return the result as one line.

    Raises:
        UserError: the file cannot be written, or the arena cannot be reached.
    """
    if match.state != "finished":
        return f"Match {match.id}: {match.void_reason or match.state}"
    path = folder / f"match-{match.id}.jsonl.zst"
    write_whole(path, retry_while_away(partial(site.file, f"matches/{match.id}/replay/")))
    seats: list[WholeSeat | RemoteSeat] = [*match.seats, *match.players]
    places = ", ".join(map(_place, sorted(seats, key=lambda seat: seat.rank or 0)))
    return f"Match {match.id}: {places}. banzuke watch {shlex.quote(as_argument(str(path)))}"


def _place(seat: WholeSeat | RemoteSeat) -> str:
    fault = f" ({seat.verdict})" if seat.verdict else ""
    return f"{seat.rank}. {seat.name} {seat.score or 0:g}{fault}"
