"""Play a match at home, with the referee of the arena.

Each COMMAND is a bot: its folder, its only source file, `house:NAME` for a house bot, or what you would type to start
it, in quotes: "python3 my_bot/main.py". Folders and files are built and started as the arena does it.

Without --sandbox the bots run as you and may do what you may: play only with bots you trust. On Linux an answer is
charged the CPU time of the bot's process, elsewhere wall time; the first answer may take 5 s more, for the start. With
--sandbox (Linux only) isolation, limits and clock are those of the arena.

With --no-clock no answer comes too late: you can stop a bot in a debugger for as long as you like.

With --from a match is played again: game, seed, options and the names of the seats are those of the replay, the bots
are yours, in the order of its seats. Whether the hash is equal tells whether it came out the same.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator
from itertools import count

from tqdm import tqdm

from banzuke.arguments import options_chosen
from banzuke.bots import RANDOM, bot_ready, house_bots, house_bots_able
from banzuke.commands.options import add_sandbox
from banzuke.isolation import bot_running, sandbox_opened
from banzuke.local import RunningBot
from banzuke.referee import play
from banzuke.replays import replay_read
from banzuke.text import UserError, say
from core.arguments import positive, whole
from core.referee import Ask, Reply
from games.registry import game_named, game_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``play``."""
    play.add_arguments(parser)
    parser.add_argument("--players", type=positive, help="at the table; house bots take the seats that are left")
    parser.add_argument("--talk", type=whole, metavar="SEAT", help="print what this seat is asked and answers")
    parser.add_argument("--no-clock", action="store_true", help="let answers take any time, for a debugger")
    parser.add_argument("--strict", action="store_true", help="end with exit code 1 if a bot was at fault")
    add_sandbox(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print how it ended."""
    game = game_of(arguments)
    if arguments.players and not arguments.original:
        arguments.words += _house_bots(arguments, game)
    seats = arguments.words if arguments.original else arguments.words[1:]
    if seats and arguments.talk is not None and arguments.talk not in range(len(seats)):
        raise UserError(f"There is no seat {arguments.talk}: --talk is one from 0 to {len(seats) - 1}.")
    if arguments.no_clock and arguments.sandbox:
        raise UserError("A sandbox always has its clock: give --no-clock without --sandbox.")
    numbers = count()  # bots are started in the order of their seats
    quiet = True if arguments.talk is not None or arguments.watch else None
    with sandbox_opened(arguments.sandbox) as backend, tqdm(unit=" answers", disable=quiet, leave=False) as bar:

        @contextlib.contextmanager
        def start(text: str) -> Iterator[RunningBot]:
            observe = talk if next(numbers) == arguments.talk else lambda ask, reply: bar.update()
            bot = bot_ready(text, game=game, backend=backend)
            with bot_running(bot, backend, clock=not arguments.no_clock) as player:
                yield ObservedBot(player, observe)

        sentence = f"In the sandbox {backend.name}." if backend else play.NO_SANDBOX
        sentence += " No clock: answers may take any time." if arguments.no_clock else ""
        outcome = play.played(arguments, start, sentence)
    return int(arguments.strict and any(outcome.faults))


class ObservedBot:
    """A bot that passes each question and reply to a function."""

    def __init__(self, player: RunningBot, observe: Callable[[Ask, Reply], object]) -> None:
        self._player = player
        self._hear = observe
        self.stderr_tail = player.stderr_tail

    def ask(self, ask: Ask) -> Reply:
        """Ask the bot, pass question and reply on, and return the reply."""
        reply = self._player.ask(ask)
        self._hear(ask, reply)
        return reply


def talk(ask: Ask, reply: Reply) -> None:
    """Print a question and the reply."""
    say("\n".join([*(f"> {line}" for line in ask.lines), *(f"< {line}" for line in reply.lines)]))


def _house_bots(arguments: argparse.Namespace, game: str) -> list[str]:
    """Return the house bots for the seats that the user's bots leave, those with the lowest declared ratings first.

    Raises:
        UserError: the user gave more bots than seats, or no house bot can play this.
    """
    given = len(arguments.words) - 1
    missing = arguments.players - given
    if missing < 0:
        raise UserError(f"--players {arguments.players} is less than the {given} bots that you name: leave it out.")
    if not missing or game not in game_names():
        return []
    rules = game_named(game)
    able = house_bots_able(rules, options_chosen(arguments, rules, arguments.players), arguments.players)
    if not able and house_bots(game):
        raise UserError(f"No house bot of {rules.title} can play this: name a bot for each seat.")
    known = {word: able[word] or house_bots(game)[word].description.declared_rating or 0 for word in able}
    weakest = sorted(known, key=known.__getitem__) or [RANDOM]
    return [weakest[number % len(weakest)] for number in range(missing)]


def game_of(arguments: argparse.Namespace) -> str:
    """Return the name of the game; empty if the user gave none."""
    if arguments.original:
        return str(replay_read(arguments.original)[0]["game"])
    return arguments.words[0] if arguments.words else ""
