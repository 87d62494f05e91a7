"""The command ``manage.py tournaments list|show|open|draw|take-back|start|pause|resume|release|..``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.errors import InputError
from common.names import name_key
from common.times import moment
from common.words.messages import sentence_of
from formats.trf import trf_write
from tournaments.models import Entrant, Tournament
from tournaments.selectors.loading import RoundTold, Told, tournament_whole
from tournaments.services.entries import entrant_enter, entrant_leave, entrant_remove
from tournaments.services.tables import table_decide_by_hand
from tournaments.services.tournaments import (
    round_release,
    tournament_draw,
    tournament_draw_take_back,
    tournament_open,
    tournament_pause,
    tournament_release,
    tournament_resume,
    tournament_start,
)

_ACTS: dict[str, tuple[Callable[..., object], str]] = {
    "open": (tournament_open, "announce a draft: bots can be entered"),
    "draw": (tournament_draw, "fix the entrants and their versions, and pair the first round"),
    "start": (tournament_start, "make the matches of a drawn tournament from now on"),
    "resume": (tournament_resume, "go on with a paused one; matches that failed too often are tried again"),
    "release": (tournament_release, "tell everybody all results of a finished one, for good"),
    "release-round": (round_release, "tell everybody the results of the first hidden round"),
}
_REASON = "everybody may read it"


class Command(BaseCommand):
    help = "The tournaments: list them, show one with its results, and do what organisers do on their desk."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="all tournaments and their states")
        named = [acts.add_parser(act, help=text) for act, (_service, text) in _ACTS.items()]
        show = acts.add_parser("show", help="its entrants, rounds and results, also hidden ones")
        back = acts.add_parser("take-back", help="take the draw back, as long as no match has a result")
        pause = acts.add_parser("pause", help="make no new matches")
        enter = acts.add_parser("enter", help="enter a bot before the draw")
        remove = acts.add_parser("remove", help="remove a bot before the draw")
        withdraw = acts.add_parser("withdraw", help="let a bot leave after the draw: it loses what it has not played")
        disqualify = acts.add_parser("disqualify", help="the same, against the will of its owner")
        decide = acts.add_parser("decide", help="decide a table of the newest round by hand")
        export = acts.add_parser("export", help="write a stage with tables of two as a TRF file")
        for act in (*named, show, back, pause, enter, remove, withdraw, disqualify, decide, export):
            act.add_argument("tournament", metavar="CONTEST/TOURNAMENT", help="both by their names in urls")
        for act in (enter, remove, withdraw, disqualify):
            act.add_argument("bot", help="the name of the bot")
        decide.add_argument("table", type=int, help="the number of the table")
        decide.add_argument("points", type=float, nargs="+", help="of its bots in their order, from 0 to 1")
        for act in (pause, withdraw, disqualify, decide):
            act.add_argument("--reason", required=True, help=_REASON)
        back.add_argument("--reason", default="", help="for the audit log")
        export.add_argument("--stage", type=int, default=1, help="its number (default: 1)")
        export.add_argument("--group", default="", help="of a round robin with groups, such as A")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._act(options["act"], options)
        except InputError as error:
            raise CommandError(str(error)) from error

    def _act(self, act: str, options: dict[str, Any]) -> None:
        if act == "list":
            for tournament in Tournament.objects.order_by("contest", "pk"):
                self._line(tournament)
            return
        found = _named(options["tournament"])
        if act in _ACTS:
            _ACTS[act][0](tournament=found.pk, actor=None)
        elif act == "take-back":
            tournament_draw_take_back(tournament=found.pk, actor=None, reason=options["reason"])
        elif act == "pause":
            tournament_pause(tournament=found.pk, actor=None, reason=options["reason"])
        elif act == "decide":
            _decide(found, options)
        elif act in ("enter", "remove", "withdraw", "disqualify"):
            _entry(found, act, options)
        elif act == "export":
            self.stdout.write(_trf(found, options["stage"] - 1, options["group"]), ending="")
            return
        found.refresh_from_db()
        self._line(found)
        if act == "show":
            self._show(tournament_whole(tournament=found))

    def _line(self, tournament: Tournament) -> None:
        self.stdout.write(f"{tournament.key}  {tournament.state}  {tournament.title}")
        for word, at in (("entries until", tournament.entries_until), ("starts", tournament.starts_at)):
            if at:
                self.stdout.write(f"    {word}: {moment(at)}")
        if tournament.reason:
            self.stdout.write(f"    {sentence_of(tournament.reason)}")

    def _show(self, told: Told) -> None:
        for entrant in told.rows.values():
            place = f"place {entrant.place}" if entrant.place else ""
            rating = "" if entrant.rating is None else f"{entrant.rating:.0f}"
            words = [f"{entrant.number:>4}", f"{entrant.bot} v{entrant.version.number}", rating, entrant.left, place]
            self.stdout.write("  ".join(filter(None, words)))
        for entrant in Entrant.objects.filter(tournament=told.tournament, number=None).select_related("bot"):
            self.stdout.write(f"   -  {entrant.bot}")
        for each in told.rounds:
            self._round(told, each)

    def _round(self, told: Told, each: RoundTold) -> None:
        row = each.row
        hidden = "" if row.released_at else "  hidden"
        self.stdout.write(f"stage {row.stage + 1} ({told.stages[row.stage].format}), round {row.number}{hidden}")
        for table in each.tables:
            seats = list(table.seats.all())
            names = " - ".join(told.rows[seat.entrant.number or 0].bot.name for seat in seats)
            points = " - ".join("?" if seat.points is None else f"{seat.points:g}" for seat in seats)
            words = [f"{table.number:>4}", table.group, names, points, table.outcome, table.reason]
            self.stdout.write("  ".join(filter(None, words)))


def _named(name: str) -> Tournament:
    contest, _slash, slug = name.partition("/")
    found = Tournament.objects.filter(contest=contest, slug=slug).first()
    if found is None:
        raise InputError(f"There is no tournament {name}: `manage.py tournaments list` shows all.")
    return found


def _entry(tournament: Tournament, act: str, options: dict[str, Any]) -> None:
    key = name_key(options["bot"])
    if act == "enter":
        bot = tournament.contest.bots.filter(name_key=key).first()
        if bot is None:
            raise InputError(f"The contest has no bot {options['bot']}.")
        entrant_enter(tournament=tournament.pk, bot=bot.pk, actor=None)
        return
    entrant = tournament.entrants.filter(bot__name_key=key).first()
    if entrant is None:
        raise InputError(f"No bot {options['bot']} is entered.")
    if act == "remove":
        entrant_remove(entrant=entrant.pk, actor=None)
        return
    left = Entrant.Left.WITHDRAWN if act == "withdraw" else Entrant.Left.DISQUALIFIED
    entrant_leave(entrant=entrant.pk, left=left, reason=options["reason"], actor=None)


def _decide(tournament: Tournament, options: dict[str, Any]) -> None:
    newest = tournament.rounds.order_by("-stage", "-number").first()
    table = newest.tables.filter(number=options["table"]).first() if newest else None
    if table is None:
        raise InputError(f"The newest round has no table {options['table']}.")
    table_decide_by_hand(table=table.pk, points=options["points"], reason=options["reason"], actor=None)


def _trf(tournament: Tournament, stage: int, group: str) -> str:
    whole = tournament_whole(tournament=tournament)
    if not 0 <= stage < len(whole.stages):
        raise InputError(f"The tournament has {len(whole.stages)} stages.")
    try:
        return trf_write(
            name=tournament.title,
            stages=whole.stages,
            stage=stage,
            entrants=whole.entrants,
            decided=whole.decided_whole,
            group=group,
        )
    except KeyError as error:
        raise InputError(f"This stage has no group {group or 'without a name'}: choose one by --group.") from error
    except ValueError as error:
        raise InputError(str(error)) from error
