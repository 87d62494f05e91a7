"""The command ``manage.py games list|open|pause|freeze|deadline|limits``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.errors import InputError
from common.times import moment, moment_read
from ladder.selectors.games import LIMIT_NAMES, GameCard, game_limits_read, games_all
from ladder.services.games import ACTS, game_deadline_set, game_limits_set, game_transition


class Command(BaseCommand):
    help = "The games: list them, open, pause or freeze one, choose its deadline and the limits of its bots."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="all games, their states and limits")
        opened = acts.add_parser("open", help="take bots until the deadline, and pair matches")
        paused = acts.add_parser("pause", help="make no new matches; bots are taken until the deadline, and built")
        frozen = acts.add_parser("freeze", help="the contest is over: no bots, no new matches; the board stays")
        deadline = acts.add_parser("deadline", help="choose until when bots are taken; matches go on behind it")
        limits = acts.add_parser("limits", help="choose limits of its bots, for matches handed out from now on")
        for act in (opened, paused, frozen, deadline, limits):
            act.add_argument("game")
        for act in (opened, paused, frozen):
            act.add_argument("--reason", default="", help="everybody reads it at the game while it is not open")
        deadline.add_argument("until", help='such as 2026-12-01T18:00+09:00 (without a zone: UTC), or "none"')
        limits.add_argument(
            "limits",
            nargs="*",
            metavar="NAME=NUMBER",
            help=f"of {', '.join(LIMIT_NAMES)}; those left out are as the installation has them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["act"] != "list":
                self._act(options["game"], options)
        except InputError as error:
            raise CommandError(str(error)) from error
        for card in games_all():
            if card.name == options.get("game", card.name):
                self._show(card)

    def _act(self, game: str, options: dict[str, Any]) -> None:
        if options["act"] == "limits":
            game_limits_set(game=game, limits=game_limits_read(options["limits"]), actor=None)
        elif options["act"] == "deadline":
            until = None if options["until"] == "none" else moment_read(options["until"])
            game_deadline_set(game=game, until=until, actor=None)
        else:
            game_transition(game=game, to=ACTS[options["act"]], actor=None, reason=options["reason"])

    def _show(self, card: GameCard) -> None:
        limits = " ".join(f"{name}={getattr(card.limits, name)}" for name in LIMIT_NAMES)
        self.stdout.write(f"{card.name}  {card.setting.state}  {limits}")
        if card.deadline:
            self.stdout.write(f"    deadline: {moment(card.deadline)}")
        if card.setting.reason:
            self.stdout.write(f"    {card.setting.reason}")
