"""``manage.py games list|open|pause|freeze|limits``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.errors import InputError
from ladder.selectors.games import LIMIT_NAMES, game_limits_read, games_all
from ladder.services.games import ACTS, game_limits_set, game_transition


class Command(BaseCommand):
    help = "The games: list them, open, pause or freeze one, choose the limits of its bots."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="all games, their states and limits")
        opened = acts.add_parser("open", help="take bots and pair matches")
        paused = acts.add_parser("pause", help="make no new matches; bots are taken and built")
        frozen = acts.add_parser("freeze", help="the contest is over: no bots, no new matches; the board stays")
        limits = acts.add_parser("limits", help="choose limits of its bots, for matches handed out from now on")
        for act in (opened, paused, frozen, limits):
            act.add_argument("game")
        for act in (opened, paused, frozen):
            act.add_argument("--reason", default="", help="everybody reads it at the game while it is not open")
        limits.add_argument(
            "limits",
            nargs="*",
            metavar="NAME=NUMBER",
            help=f"of {', '.join(LIMIT_NAMES)}; those left out are as the installation has them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["act"] == "list":
                self._list()
            elif options["act"] == "limits":
                game_limits_set(game=options["game"], limits=game_limits_read(options["limits"]), actor=None)
            else:
                state, reason = ACTS[options["act"]], options["reason"]
                game_transition(game=options["game"], to=state, actor=None, reason=reason)
        except InputError as error:
            raise CommandError(str(error)) from error

    def _list(self) -> None:
        for card in games_all():
            limits = " ".join(f"{name}={getattr(card.limits, name)}" for name in LIMIT_NAMES)
            self.stdout.write(f"{card.name}  {card.setting.state}  {limits}")
            if card.setting.reason:
                self.stdout.write(f"    {card.setting.reason}")
