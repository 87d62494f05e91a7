"""Show how your bots stand on the arena of the last login; with a name only that one.

With --wait it waits until the first games have been played, which is when a rating begins to mean something.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

from tqdm import tqdm

from banzuke.api_types import Bot, FirstGames, OwnVersion
from banzuke.site import Site, own_bots, retry_while_away, site_remembered
from banzuke.text import UserError, say, table
from core.text import printable

POLL_SECONDS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``status``."""
    parser.add_argument("name", nargs="?", help="of one of your bots (default: all)")
    parser.add_argument("--contest", metavar="KEY", help="only those in this contest")
    parser.add_argument("--wait", action="store_true", help="until its first games have been played")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each bot."""
    site = site_remembered()
    bots = own_bots(site, arguments.name, arguments.contest)
    if arguments.wait:
        for bot in bots:
            _await_first_games(site, bot)
    newest = [(bot, site.get(f"versions/{bot.versions[0].id}/", OwnVersion)) for bot in bots if bot.versions]
    rows = [_row(bot, version) for bot, version in newest]
    say(table([("bot", "contest", "version", "state", "rating", "", "games", "place"), *rows]))
    for bot, version in newest:
        if sentence := version.rank_wait or version.match_pace:
            say(f"\n{bot.name}: {sentence}")
    for bot in bots:
        for line in bot.versions:
            if line.state == "probation":  # which need not be the newest
                version = site.get(f"versions/{line.id}/", OwnVersion)
                faults = ", ".join(f"{fault.match} ({fault.verdict})" for fault in version.faults)
                say(f"\n{bot.name}, version {line.number}, is on probation: {site.url}/versions/{line.id}/")
                say(f"{version.advice} It failed in: {faults}.")
    return 0


def _await_first_games(site: Site, bot: Bot) -> None:
    """Show the progress of the first games of a bot's newest version until they have been played.

    Raises:
        UserError: something keeps them from being played, or the arena cannot be reached.
    """
    newest = f"versions/{bot.versions[0].id}/"
    with tqdm(desc=printable(bot.name), unit=" games", disable=None) as bar:
        while first := retry_while_away(partial(site.find, f"{newest}first-games/", FirstGames)):
            bar.total = first.goal
            bar.update(first.played - bar.n)
            if first.problem:
                raise UserError(f"{bot.name}: {first.problem}")
            time.sleep(POLL_SECONDS)
    while (
        version := retry_while_away(partial(site.get, newest, OwnVersion))
    ).state == "active" and version.rating is None:
        time.sleep(POLL_SECONDS)  # until the arena has computed the ratings again


def _row(bot: Bot, version: OwnVersion) -> tuple[str, ...]:
    rated = version.rating is not None and version.interval is not None
    rating = (f"{version.rating:.0f}", f"± {version.interval:.0f}") if rated else ("-", "")
    place = f"{version.rank}." if version.rank else f"({version.place}.)" if version.place else "-"
    place += " provisional" if version.provisional else ""
    return bot.name, bot.contest, str(version.number), version.state, *rating, str(version.games or 0), place
