"""Let a program here play against a bot of the arena of the last login, without uploading it.

COMMAND is your program: its folder, its only source file, or what you would type to start it, behind `--`:

    banzuke spar GAME --against rings -- ./mybot --verbose

It runs as you, with your debugger and your GPU, and reads and writes the same lines as in the arena. The bot it plays
against runs in the arena's sandbox. No answer comes too late for half an hour, so you can stop your program in a
debugger; --clock gives it the CPU time of the arena. The match is not rated, and everybody who has its link may watch.
"""

from __future__ import annotations

import argparse
import shlex
import time
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from banzuke.api_types import News, TableOpened
from banzuke.arguments import game_name
from banzuke.bots import bot_ready
from banzuke.commands.challenge import await_end, bot_meant, folder_check, outcome
from banzuke.isolation import bot_running
from banzuke.local import RunningBot
from banzuke.site import Site, retry_while_away, site_remembered
from banzuke.text import UserError, say
from core.arguments import positive, whole
from core.referee import Ask
from games.registry import game_names
from games.words import ENGLISH, words_of

CLOCK_SECONDS = 60
"""Wall time of an answer at the table with ``--clock``; the CPU time is counted here."""
PAUSE_SECONDS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``spar``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="your program, and its arguments")
    parser.add_argument("--against", required=True, metavar="BOT", help="its name, its number, or the URL of its page")
    parser.add_argument("--contest", metavar="KEY", help="the bot's contest (default: the game's open one)")
    parser.add_argument("--seat", type=whole, help="yours, from 0 (default: drawn)")
    parser.add_argument("--players", type=positive, default=2, help="at the table (default: %(default)s)")
    parser.add_argument("--clock", action="store_true", help="give each answer the CPU time that it has in the arena")
    parser.add_argument("--folder", type=Path, default=Path(), help="for the replay (default: this one)")


def run(arguments: argparse.Namespace) -> int:
    """Open a table, play the match, and fetch its replay."""
    folder_check(arguments.folder)
    site = site_remembered()
    command: list[str] = arguments.command
    bot = bot_ready(command[0] if len(command) == 1 else shlex.join(command), game=arguments.game)
    if bot.plays_at_random:
        raise UserError("house:random has no program that could play at a table: name a program of yours.")
    other = bot_meant(site, arguments.contest or arguments.game, arguments.against)
    clock_seconds = CLOCK_SECONDS if arguments.clock else 0
    wanted = {"bot": other, "seat": arguments.seat, "seats": arguments.players, "clock_seconds": clock_seconds}
    table = site.post("tables/", TableOpened, json=wanted)
    say(table.url)
    seat = Site(site.url, table.secret, "Seat")
    try:
        with bot_running(bot, None, clock=arguments.clock) as program:
            _play(seat, table, program)
    except BaseException:  # also Ctrl-C: nobody should wait for a player who has gone
        _leave(seat, table)
        raise
    say(outcome(site, await_end(site, table.id), arguments.folder))
    return 0


def _play(seat: Site, table: TableOpened, program: RunningBot) -> None:
    """Answer the questions of a seat by a program until the match has ended.

    Raises:
        UserError: the program failed, or the arena cannot be reached or refuses.
    """
    after, answered, place = "", 0, 0
    while True:
        news = retry_while_away(partial(seat.get, f"tables/{table.id}/news/?after={after}", News))
        after = news.after
        # A connection that has broken off may repeat questions: the last one alone is open.
        questions = [event.data for event in news.events if event.event == "question"]
        if questions and questions[-1]["number"] > answered and not questions[-1]["answered"]:
            answered = questions[-1]["number"]
            _answer(seat, table, program, questions[-1])
        for event in news.events:
            name, data = event.event, event.data
            if name == "waiting" and data["place"] != place:
                place = data["place"]
                if place:
                    say(f"All tables are taken. Place in line: {place}.")
            elif name == "out":
                say(f"Out in turn {data['turn']}: {data['why']}")
            elif name in ("ended", "over"):
                return
            elif name == "away":
                time.sleep(PAUSE_SECONDS)


def _answer(seat: Site, table: TableOpened, program: RunningBot, question: dict[str, Any]) -> None:
    if question["refused"]:
        say(question["refused"])
    begun = time.monotonic()
    reply = program.ask(Ask(table.seat, tuple(question["lines"]), question["answer_lines"], question["cpu_ms"]))
    if reply.fault:
        sentence = words_of("", ENGLISH).sentence(reply.why) if reply.why else ""
        where = f"in turn {question['turn']} ({reply.fault})"
        raise UserError(f"Your program failed {where}: {sentence}\n{program.stderr_tail()}")
    say(f"Turn {question['turn']}: {' / '.join(reply.lines)} ({(time.monotonic() - begun) * 1_000:.0f} ms)")
    answer = {"number": question["number"], "lines": list(reply.lines)}
    retry_while_away(partial(_send, seat, table, answer))


def _send(seat: Site, table: TableOpened, answer: dict[str, Any]) -> None:
    """Send an answer. That it is not open any more is no error: it may have been sent before the connection broke."""
    status = seat.status(f"tables/{table.id}/answer/", json=answer)
    if status == HTTPStatus.CONFLICT:
        say("This answer came too late, or had been taken already.")


def _leave(seat: Site, table: TableOpened) -> None:
    """Give up; the arena may be away, or the match over."""
    try:
        seat.status(f"tables/{table.id}/answer/", json={"number": 0, "leaves": True})
    except UserError as error:
        say(f"The table could not be left: {error}")
