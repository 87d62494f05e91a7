"""Have a bot of yours play against another of the arena of the last login, and fetch the replays.

OTHER is a bot on the board: its name, its number, or the address of its page. Two matches are played as soon as a
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

import msgspec
from tqdm import tqdm

from banzuke.bots import as_argument
from banzuke.site import OwnBot, Site, own_bots, site_remembered, waited_for
from banzuke.text import UserError, say
from games.registry import game_names

LOOK_SECONDS = 0.5


class Seat(msgspec.Struct, frozen=True):
    """A bot in a match, and how it ended there."""

    name: str
    rank: int | None
    score: float | None
    verdict: str


class Match(msgspec.Struct, frozen=True):
    """A match."""

    id: int
    state: str
    seats: list[Seat]
    void_reason: str = ""


class Row(msgspec.Struct, frozen=True):
    """A bot on a board."""

    bot: int
    name: str


class Board(msgspec.Struct, frozen=True):
    """A page of a board."""

    rows: list[Row]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``challenge``."""
    parser.add_argument("name", help="of your bot")
    parser.add_argument("other", metavar="OTHER")
    parser.add_argument("--game", choices=game_names(), help="where bots of yours have the same name")
    parser.add_argument("--folder", type=Path, default=Path(), help="for the replays (default: this one)")
    parser.add_argument("--no-wait", action="store_true", help="do not wait for the results")


def run(arguments: argparse.Namespace) -> int:
    """Ask for the matches, wait for them, fetch their replays."""
    if not arguments.no_wait:
        _refuse_no_place(arguments.folder)
    site = site_remembered()
    bot = _own(site, arguments.name, arguments.game)
    other = _number(arguments.other) or _found(site, bot.game, arguments.other)
    matches = site.post(f"bots/{other}/challenge/", list[Match], json={"bot": bot.id})
    for match in matches:
        say(f"{site.url}/matches/{match.id}/")
    if not arguments.no_wait:
        for match in tqdm(matches, unit=" matches", disable=None, leave=False):
            say(_told(site, _ended(site, match.id), arguments.folder))
    return 0


def _refuse_no_place(folder: Path) -> None:
    """Say before anything is ordered that no replay can be kept."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UserError(f"No replay can be written to {folder}: is there such a folder, and may you write there?")


def _own(site: Site, name: str, game: str | None) -> OwnBot:
    named = own_bots(site, name)
    meant = [bot for bot in named if game in (None, bot.game)]
    if len(meant) == 1:
        return meant[0]
    games = ", ".join(bot.game for bot in named)
    raise UserError(f"Which {name}? Tell the game by --game: {games}.")


def _number(other: str) -> int | None:
    """Return the number of a bot, if it is told by that or by the address of its page."""
    last = other.rstrip("/").rpartition("/")[2]
    return int(last) if last.isascii() and last.isdigit() else None


def _found(site: Site, game: str, name: str) -> int:
    board = site.get(f"games/{game}/board/?name={quote(name)}", Board)
    alike = {row.name: row.bot for row in board.rows}
    for known, bot in alike.items():
        if known.casefold() == name.casefold():
            return bot
    known = f" There are: {', '.join(alike)}." if alike else ""
    raise UserError(f"No bot of {game} is called {name}.{known} Its number will do, too: bots/NUMBER/.")


def _ended(site: Site, number: int) -> Match:
    """Wait until a match has ended, one way or the other."""
    while (match := waited_for(partial(site.get, f"matches/{number}/", Match))).state in ("queued", "running"):
        time.sleep(LOOK_SECONDS)
    return match


def _told(site: Site, match: Match, folder: Path) -> str:
    """Return how a match ended in one line, its replay fetched."""
    if match.state != "finished":
        return f"Match {match.id}: {match.void_reason or match.state}"
    path = folder / f"match-{match.id}.jsonl.zst"
    try:
        path.write_bytes(waited_for(partial(site.file, f"matches/{match.id}/replay/")))
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error
    places = ", ".join(_place(seat) for seat in match.seats)
    return f"Match {match.id}: {places}. banzuke watch {shlex.quote(as_argument(str(path)))}"


def _place(seat: Seat) -> str:
    fault = f" ({seat.verdict})" if seat.verdict else ""
    return f"{seat.rank}. {seat.name} {seat.score or 0:g}{fault}"
