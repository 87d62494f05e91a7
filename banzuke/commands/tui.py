"""Step through a match in the terminal: a replay, or a match that is played while you look.

Give a replay, or a game and its bots as for `play`. Keys: right, space or l the next turn, left or h the one before,
p plays and pauses, Home and End or g and G go to the ends, up and down scroll, q leaves. Behind the answer of a bot are
the values that it has written to standard error (`@value depth 7`).
"""

from __future__ import annotations

import argparse
import curses
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from banzuke.arguments import add_variant, options_chosen
from banzuke.bots import bot_ready
from banzuke.commands.options import add_sandbox
from banzuke.frames import Frames, played_records
from banzuke.isolation import bot_running, sandbox_opened
from banzuke.replays import replay_read
from banzuke.text import UserError, say
from banzuke.tui import show
from banzuke.turnlog import log_read
from core.arguments import seed
from core.referee import Reply, SeatInfo, Turn, play
from games.registry import game_missing, game_named, game_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tui``."""
    parser.add_argument("words", nargs="+", metavar="REPLAY | GAME BOT..")
    parser.add_argument("--seed", type=seed, help="of a live match")
    add_variant(parser)
    parser.add_argument("--text", action="store_true", help="print all turns instead")
    add_sandbox(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the match."""
    with _frames(arguments) as frames:
        try:
            frames.reach(0)
            if arguments.text:
                number = 0
                while frames.reach(number) == number:
                    say(f"{frames[number]}\n")
                    number += 1
            else:
                _draw(frames)
        except curses.error as error:
            raise UserError(f"This is no terminal that can be drawn on ({error}): use --text.") from error
    return 0


def _draw(frames: Frames) -> None:
    if not (os.isatty(0) and os.isatty(1)):  # otherwise the first frame would vanish at once
        raise UserError("Keys and pictures need a terminal, which standard input or output is not: use --text.")
    curses.wrapper(show, frames)


@contextmanager
def _frames(arguments: argparse.Namespace) -> Iterator[Frames]:
    first, *bots = arguments.words
    if not bots and first not in game_names():
        path = Path(first)
        yield Frames(iter(replay_read(path)), {(turn.turn, turn.seat): turn.stderr for turn in log_read(path)})
        return
    if first not in game_names():
        raise UserError(game_missing(first))
    game = game_named(first)
    options = options_chosen(arguments, game, len(bots))
    with ExitStack() as stack:
        backend = stack.enter_context(sandbox_opened(arguments.sandbox))
        ready = [bot_ready(word, game=first, backend=backend) for word in bots]
        try:
            players = [stack.enter_context(bot_running(bot, backend)) for bot in ready]
        except (OSError, ValueError) as error:
            raise UserError(f"A bot cannot be started: {error}.") from error
        drawn = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
        seats = [SeatInfo(bot.name, "", bot.digest) for bot in ready]
        match = play(game, seed=drawn, seats=seats, options=options)
        errors: dict[tuple[int, int], str] = {}

        def answers(turn: Turn) -> dict[int, Reply]:
            replies = {ask.seat: players[ask.seat].ask(ask) for ask in turn.asks}
            errors.update(((turn.number, seat), reply.stderr) for seat, reply in replies.items() if reply.stderr)
            return replies

        yield Frames(played_records(match, answers), errors)
