"""A tournament at home: Swiss, round robin, or a knockout, with the pairings and standings of the arena.

Each BOT is a folder, a source file, `house:NAME` or a command line in quotes. The first is the strongest: the order in
which you name them is that of their seed numbers. An encounter is one board, which all bots at a table play from each
seat; --best-of says how many encounters a table has. Rounds and standings are printed as they end.

With --out all results and replays are kept in a folder. After Ctrl-C, or if the machine was switched off, the same
command goes on where it was, and comes to the same end.

--stages FILE reads several stages, one after the other, as the arena keeps them:
[{"format": "round_robin", "groups": 2, "goes_on": 4}, {"format": "single_elimination", "best_of": 3}]
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from tqdm import tqdm

from banzuke.arguments import add_variant, game_name, options_chosen
from banzuke.bots import Bot, bot_ready, with_distinct_names
from banzuke.commands.options import add_parallel, add_sandbox
from banzuke.faults import faults_text
from banzuke.isolation import sandbox_opened
from banzuke.pool import Pairing, Setting, matches_played, results_known, stoppable
from banzuke.results import Key
from banzuke.text import UserError, os_errors_told, say
from banzuke.tournament import Course, Fixture, Plan
from banzuke.tournament_folder import TournamentFolder, folder_opened
from banzuke.tournament_text import Report
from core.arguments import positive, seed
from core.game import BadOptions, Game, JsonObject
from core.variants import options_read, ruleset_of, table_sizes
from formats.model import DUEL, KNOCKOUTS, Decided, Entrant, Format, Stage, TieBreak
from formats.stages import stages_faults
from formats.trf import trf_write
from games.registry import game_named, game_names
from games.words import ENGLISH, words_of

STAGE_OPTIONS = ("format", "rounds", "groups", "cycles", "best_of", "table_size", "third_place", "tie_breaks")
"""The options that describe a single stage, by the names of the fields of ``formats.model.Stage``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tournament``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("bots", metavar="BOT", nargs="*", help="the strongest first")
    parser.add_argument("--format", type=Format, choices=list(Format), metavar="FORMAT", help=", ".join(Format))
    parser.add_argument("--rounds", type=positive, help="of a Swiss tournament")
    parser.add_argument("--groups", type=positive, help="of a round robin (default: 1)")
    parser.add_argument("--cycles", type=positive, help="of a round robin: how often each two meet (default: 1)")
    parser.add_argument("--best-of", type=positive, metavar="N", help="encounters at a table (default: 1)")
    parser.add_argument("--table-size", type=positive, metavar="N", help="bots at a table (default: 2)")
    parser.add_argument(
        "--third-place", action="store_true", default=None, help="single elimination: play for the third place"
    )
    parser.add_argument(
        "--tie-breaks", type=_tie_breaks, metavar="NAME,..", help=f"for equal points, in order: {', '.join(TieBreak)}"
    )
    parser.add_argument("--stages", type=Path, metavar="FILE", help="JSON of several stages, instead of the above")
    parser.add_argument("--seed", type=seed, default=0, help="of the boards and lots (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep results and replays; the command goes on there")
    add_variant(parser)
    add_parallel(parser)
    add_sandbox(parser)


def _tie_breaks(text: str) -> tuple[TieBreak, ...]:
    try:
        return tuple(TieBreak(name) for name in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}; choose from: {', '.join(TieBreak)}") from error


def run(arguments: argparse.Namespace) -> int:
    """Play the tournament, and print its rounds and standings."""
    game = game_named(arguments.game)
    stages = _stages(arguments)
    options, sizes = _rules(arguments, game, stages)
    bots = _bots(arguments)
    entrants = tuple(Entrant(number, bot.name) for number, bot in enumerate(bots, 1))
    plan = Plan(stages, entrants, arguments.seed, sizes)
    setting = Setting(game.name, options, bots, arguments.sandbox)
    with folder_opened(arguments.out, setting, plan) as folder:
        playing = _Playing(setting, plan, folder)
        try:
            stopped = playing.play(arguments.parallel)
        except (KeyboardInterrupt, UserError):  # a second Ctrl-C, or no more can be played
            playing.print_end()
            raise
        playing.print_end()
        if stopped:
            kept = "The same command goes on where it has stopped."
            say(f"\n{kept}" if arguments.out else f"\nNone of these matches is kept: add --out DIR. {kept}")
    return 130 if stopped else 0


def _stages(arguments: argparse.Namespace) -> tuple[Stage, ...]:
    """Return the stages that the arguments describe.

    Raises:
        UserError: they describe none, or both one stage and a file of stages, or the file cannot be read.
    """
    given = {name: value for name in STAGE_OPTIONS if (value := getattr(arguments, name)) is not None}
    if arguments.stages is None:
        if arguments.format is None:
            raise UserError(f"Say how the bots meet: --format is one of {', '.join(Format)}; or give --stages FILE.")
        return (Stage(**given),)
    if given:
        raise UserError(f"The stages stand in {arguments.stages}: leave --{next(iter(given)).replace('_', '-')} out.")
    try:
        with os_errors_told(f"{arguments.stages} cannot be read"):
            return msgspec.json.decode(arguments.stages.read_bytes(), type=tuple[Stage, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{arguments.stages} is no JSON of a list of stages: {error}.") from error


def _rules(
    arguments: argparse.Namespace, game: Game[Any], stages: Sequence[Stage]
) -> tuple[JsonObject, tuple[int, ...]]:
    """Return the options of all matches, and the table sizes that the game can play with them.

    Raises:
        BadOptions: the game cannot be played with these options at these tables.
        UserError: the stages cannot be played so, or not by so many bots.
    """
    options: JsonObject = {}
    for stage in stages:
        options = options_chosen(arguments, game, stage.table_size)
    try:
        ruleset = ruleset_of(game, options_read(game, options))
    except BadOptions as error:
        raise UserError(f"A match cannot be played: {error}") from error
    sizes = table_sizes(game, ruleset)
    if faults := stages_faults(stages=stages, sizes=sizes, entrants=len(arguments.bots)):
        raise UserError("\n".join(words_of(game.name, ENGLISH).sentence(fault) for fault in faults))
    return options, sizes


def _bots(arguments: argparse.Namespace) -> tuple[Bot, ...]:
    """Build the bots, and return them in the order of their seed numbers.

    Raises:
        UserError: a bot cannot be built, or two are the same program.
    """
    with sandbox_opened(arguments.sandbox) as backend:
        words = tqdm(arguments.bots, desc="Building", unit="bot", disable=None, leave=False)
        bots = with_distinct_names(bot_ready(word, game=arguments.game, backend=backend) for word in words)
    for one, other in combinations(bots, 2):
        if one.digest == other.digest:
            raise UserError(f"{one.name} and {other.name} are the same program: take one of them out.")
    return bots


class _Playing:
    """Plays the matches that a tournament lacks, and prints each round when it has ended."""

    def __init__(self, setting: Setting, plan: Plan, folder: TournamentFolder) -> None:
        self._setting = setting
        self._folder = folder
        self._course = Course(plan)
        self._report = Report(plan)
        self._results = {result.key: result for result in results_known(setting, folder.log)}
        self._fixtures: dict[Key, Fixture] = {}
        """The matches that were made so far."""
        self._waiting: deque[Pairing] = deque()
        self._printed = 0
        """How many rounds have been printed."""

    def play(self, parallel: int) -> bool:
        """Play until the tournament ends; return whether the user has ended it before."""
        title = game_named(self._setting.game).title
        with stoppable() as stop, tqdm(desc=title, unit=" matches", disable=None) as bar:
            self._go_on(bar)
            for result in matches_played(self._setting, self._take, parallel=parallel, stop=stop):
                self._folder.log.add(result)
                self._results[result.key] = result
                bar.update()
                self._course.record(self._fixtures[result.key], tuple(result.ranks))
                self._go_on(bar)
        return self._course.draw is not None

    def print_end(self) -> None:
        """Print the stage that is played or was the last one, the places after the end, and the faults."""
        course = self._course
        if course.draw is None:
            say(f"\n{self._report.places(course.decided)}")
        elif course.rounds:
            say(f"\n{self._report.stage(course.draw.stage, course.decided)}")
        results = [self._results[key] for key in self._fixtures if key in self._results]
        say(f"\n{len(results)} matches.\n{faults_text(self._setting, results)}".rstrip())

    def _take(self, most: int) -> list[Pairing]:
        return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]

    def _go_on(self, bar: tqdm[NoReturn]) -> None:
        """Take results that are known already, put the other matches into the queue, and print rounds that ended."""
        while fixtures := self._course.take():
            for fixture in fixtures:
                seats = tuple(number - 1 for number in fixture.seats)
                key = fixture.seed, tuple(self._setting.bots[seat].digest for seat in seats)
                self._fixtures[key] = fixture
                if known := self._results.get(key):
                    self._course.record(fixture, tuple(known.ranks))
                else:
                    self._waiting.append(Pairing(fixture.seed, seats, self._folder.replay(fixture)))
        if self._printed < len(self._course.rounds):
            bar.clear()
            self._print_rounds()
        if draw := self._course.draw:
            bar.set_postfix_str(f"stage {draw.stage + 1}, round {draw.round}")

    def _print_rounds(self) -> None:
        """Print the rounds that have ended since the last call, and the standings of each stage after its last one."""
        course = self._course
        draws = [draw for draw, _ in course.rounds]
        for number in range(self._printed, len(draws)):
            draw, decided = course.rounds[number]
            say(f"\n{self._report.round(draw, decided)}")
            following = draws[number + 1] if number + 1 < len(draws) else course.draw
            if following is None or following.stage != draw.stage:
                before = [each for _, tables in course.rounds[: number + 1] for each in tables]
                say(f"\n{self._report.stage(draw.stage, before)}")
                self._write_trf(draw.stage, before)
        self._printed = len(draws)

    def _write_trf(self, number: int, decided: Sequence[Decided]) -> None:
        """Write a stage that has ended into TRF files, one for each group; knockouts and larger tables have none."""
        plan = self._course.plan
        stage = plan.stages[number]
        if stage.format in KNOCKOUTS or stage.table_size != DUEL:
            return
        name = game_named(self._setting.game).title
        for group in sorted({each.pairing.group for each in decided if each.pairing.stage == number}):
            text = trf_write(
                name=name, stages=plan.stages, stage=number, entrants=plan.entrants, decided=decided, group=group
            )
            self._folder.write(f"stage{number + 1}{group and f'_{group}'}.trf", text)
