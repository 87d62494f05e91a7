"""A league at home: all bots of a folder play each other, on every board from all seats, until you end it.

A bot is a folder or a source file in FOLDER; with --house the house bots of the game play, too, and hold the scale of
the ratings. Ctrl-C ends the league after the running matches. All results are stored in the log (default:
FOLDER/league-GAME.jsonl; none without FOLDER): the same command goes on where it ended, and a bot that has changed
begins anew. The exit code is 1 if a house bot was at fault, which none may be; with --strict also if any other bot was,
or could not be built. Kits of other games are left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, count, islice
from pathlib import Path

from tqdm import tqdm

from banzuke.arguments import game_name, options_chosen
from banzuke.bots import HOUSE, RANDOM, SUFFIXES, Bot, bot_ready, house_bots, house_bots_able, with_distinct_names
from banzuke.commands.options import add_matches
from banzuke.faults import faults_text
from banzuke.isolation import sandbox_opened
from banzuke.pool import Setting, matches_played, pairings_left, results_known, stoppable
from banzuke.results import Result, ResultLog, result_log_opened
from banzuke.standing import StandingRow, opponents_text, standing, standing_text
from banzuke.text import UserError, say
from core.arguments import positive
from core.game import JsonObject
from core.text import printable
from games.kits import kit_game
from games.registry import game_named, game_names
from sandbox import languages

SECONDS_BETWEEN_TABLES = 60


@dataclass(frozen=True, slots=True)
class _Variant:
    """The options of all matches of the league, and its house bots."""

    options: JsonObject
    house: dict[str, float | None]
    """The house bots that take part, by the argument that names them, with their declared ratings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``league``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("folder", type=Path, nargs="?", help="holds the bots")
    parser.add_argument("--house", action="store_true", help="the house bots of the game play, too")
    parser.add_argument(
        "--seeds", type=positive, help="boards; on each, every table plays from all seats (default: no end)"
    )
    parser.add_argument("--players", type=positive, help="at a table (default: as many as on the ladder)")
    parser.add_argument(
        "--strict", action="store_true", help="end with exit code 1 if a bot was at fault or could not be built"
    )
    add_matches(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play matches, print the standings every minute and at the end, and return the exit code.

    Raises:
        UserError: the game is not played by so many, or a bot cannot be used.
    """
    game = game_named(arguments.game)
    players = arguments.players or game.players[0]
    if players not in game.players:
        raise UserError(f"{game.title} is not played by {players}; --players is one of {game.players}.")
    variant = _variant(arguments, players)
    bots, is_whole = _bots(arguments, variant)
    if len(bots) < players:
        raise UserError(f"A table has {players} seats, but there are {len(bots)} bots: add some, or --house.")
    setting = Setting(game.name, variant.options, with_distinct_names(bots), arguments.sandbox)
    with result_log_opened(_log_path(arguments)) as log:
        try:
            stopped = _play(setting, variant, tables(len(bots), players), arguments, log)
        except (KeyboardInterrupt, UserError):  # a second Ctrl-C, or no more can be played
            if played := results_known(setting, log):
                _print(setting, variant, played)
            raise
        rows = _print(setting, variant, results_known(setting, log))
        if stopped and not _log_path(arguments):
            say("None of these matches is kept: add --log FILE, and the same command goes on where it has ended.")
    if stopped:
        return 130
    return int(arguments.strict and not is_whole) or status_of(rows, strict=arguments.strict)


def status_of(rows: Sequence[StandingRow], *, strict: bool = False) -> int:
    """Return the exit status: 1 if a house bot was at fault, or with ``strict`` any bot, else 0."""
    return int(any(row.faults for row in rows if strict or row.name.startswith(HOUSE)))


def tables(bots: int, players: int) -> list[tuple[int, ...]]:
    """Return the matches on one board, as indexes of bots by seat.

    Each choice of ``players`` bots plays ``players`` matches, so that each of these bots plays once on each seat.
    """
    return [table[seat:] + table[:seat] for table in combinations(range(bots), players) for seat in range(players)]


def _bots(arguments: argparse.Namespace, variant: _Variant) -> tuple[list[Bot], bool]:
    """Build the bots of the league; return those that could be built, and whether all could.

    A bot that cannot be built is reported and left out.

    Raises:
        UserError: two bots are the same program, or the folder cannot be read.
    """
    words = [str(path) for path in _bots_of_game(arguments.game, _entries(arguments.folder))]
    if arguments.house:
        words += [*variant.house] or [RANDOM]
    bots, is_whole = [], True
    with sandbox_opened(arguments.sandbox) as backend:
        for word in tqdm(words, desc="Building", unit="bot", disable=None, leave=False):
            try:
                bots.append(bot_ready(word, game=arguments.game, backend=backend))
            except UserError as error:
                is_whole = False
                tqdm.write(f"{printable(str(error))}\nIt does not take part.", sys.stderr)
    for one, other in combinations(bots, 2):
        if one.digest == other.digest:
            raise UserError(f"{one.name} and {other.name} are the same program: take one of them out.")
    return bots, is_whole


def _bots_of_game(game: str, paths: Sequence[Path]) -> list[Path]:
    """Return the paths of bots of a game; kits of other games are reported and left out."""
    games = {path: kit_game(path) for path in paths}
    for path, other in games.items():
        if other not in (None, game):
            sys.stderr.write(f"{printable(str(path))} is a bot for {other}: it does not take part.\n")
    return [path for path in paths if games[path] in (None, game)]


def _entries(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    # A folder of bots may well hold one that is a single file named bot.py.
    entries = filter(None, (language.top_entry(folder) for language in languages.ALL))
    if kit_game(folder) or any(Path(entry).stem.lower() == "main" for entry in entries):
        around = folder.resolve().parent
        raise UserError(f"{folder} is a bot itself, not a folder of bots: give the folder that it lies in, {around}.")
    try:
        shown = [path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "__"))]
        return [path for path in shown if path.is_dir() or path.suffix in SUFFIXES]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UserError(f"There is no folder {folder}.") from error
    except OSError as error:
        raise UserError(f"{folder} cannot be read: {error.strerror}.") from error


def _variant(arguments: argparse.Namespace, players: int) -> _Variant:
    """Return the options of the league's matches and its house bots; those that cannot play are reported and left out.

    Raises:
        BadOptions: the game cannot be played with these options.
        UserError: the game has house bots, but none that can play.
    """
    game = game_named(arguments.game)
    options = options_chosen(arguments, game, players)
    if not arguments.house:
        return _Variant(options, {})
    all_bots, able = house_bots(game.name), house_bots_able(game, options, players)
    for word in sorted(all_bots.keys() - able.keys()):
        sys.stderr.write(f"{word} cannot play this: it does not take part.\n")
    if all_bots and not able:
        raise UserError(f"No house bot of {game.title} can play this: leave --house out.")
    return _Variant(options, able)


def _log_path(arguments: argparse.Namespace) -> Path | None:
    log: Path | None = arguments.log
    return log or (arguments.folder / f"league-{arguments.game}.jsonl" if arguments.folder else None)


def _play(
    setting: Setting,
    variant: _Variant,
    seatings: Sequence[tuple[int, ...]],
    arguments: argparse.Namespace,
    log: ResultLog,
) -> bool:
    """Play matches and add the results to the log; return whether the user ended the league.

    ``seatings`` are the matches on one board, as ``tables`` returns them.
    """
    known = results_known(setting, log)
    boards = islice(count(arguments.first_seed), arguments.seeds)
    pairings = pairings_left(setting, seeds=boards, seatings=seatings, done={result.key for result in known})
    total = None
    if arguments.seeds:
        left = list(pairings)
        pairings, total = iter(left), len(known) + len(left)
    bar = tqdm(desc=game_named(setting.game).title, unit=" matches", initial=len(known), total=total, disable=None)
    shown = time.monotonic()
    with stoppable() as stop, bar:
        for result in matches_played(
            setting, lambda most: islice(pairings, most), parallel=arguments.parallel, stop=stop
        ):
            log.add(result)
            bar.update()
            if time.monotonic() > shown + SECONDS_BETWEEN_TABLES:
                shown = time.monotonic()
                bar.clear()
                _print(setting, variant, results_known(setting, log))
        return stop.asked


def _print(setting: Setting, variant: _Variant, results: Sequence[Result]) -> list[StandingRow]:
    anchors = {name: rating for name, rating in variant.house.items() if rating is not None}
    rows = standing(setting.bots, results, anchors)
    say(f"\n{standing_text(rows)}\n\n{opponents_text(setting.bots, rows, results)}")
    say(f"\n{len(results)} matches.\n{faults_text(setting, results)}".rstrip())
    return rows
