"""The command ``manage.py contests list|create|delete|open|pause|freeze|archive|deadline|limits``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import User
from common.errors import InputError
from common.times import moment, moment_read
from contests.models import FINAL_GAMES, Contest
from contests.selectors.contests import LIMIT_NAMES, bot_limits, limits_read
from contests.services.contests import (
    ACTS,
    contest_create,
    contest_deadline_set,
    contest_delete,
    contest_limits_set,
    contest_transition,
)
from contests.services.people import organiser_add
from contests.validation import DATES


class Command(BaseCommand):
    help = (
        "The contests: list them, make one, open, pause or freeze it, choose its deadline and the limits of its bots."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="all contests, their states and limits")
        opened = acts.add_parser("open", help="take bots until the deadline, and pair matches")
        paused = acts.add_parser("pause", help="make no new matches; bots are taken until the deadline, and built")
        frozen = acts.add_parser("freeze", help="it is over: no bots, no new matches; the board stays")
        archived = acts.add_parser("archive", help="frozen for ever; replays may be thinned")
        deadline = acts.add_parser("deadline", help="choose until when bots are taken; matches go on behind it")
        limits = acts.add_parser("limits", help="choose limits of its bots, for matches handed out from now on")
        deleted = acts.add_parser("delete", help="delete a contest in which no match was played")
        _create_arguments(acts.add_parser("create", help="make a draft; open it when it is ready"))
        for act in (opened, paused, frozen, archived, deadline, limits, deleted):
            act.add_argument("contest")
        for act in (opened, paused, frozen, archived):
            act.add_argument("--reason", default="", help="everybody reads it at the contest while it is not open")
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
                self._act(options["contest"], options)
        except InputError as error:
            raise CommandError(str(error)) from error
        for contest in Contest.objects.all():
            if contest.slug == options.get("contest", contest.slug):
                self._show(contest)

    def _act(self, contest: str, options: dict[str, Any]) -> None:
        if options["act"] == "create":
            _create(options)
        elif options["act"] == "delete":
            contest_delete(contest=contest, actor=None)
        elif options["act"] == "limits":
            contest_limits_set(contest=contest, limits=limits_read(options["limits"]), actor=None)
        elif options["act"] == "deadline":
            until = None if options["until"] == "none" else moment_read(options["until"])
            contest_deadline_set(contest=contest, until=until, actor=None)
        else:
            contest_transition(contest=contest, to=ACTS[options["act"]], actor=None, reason=options["reason"])

    def _show(self, contest: Contest) -> None:
        chosen = bot_limits(contest=contest)
        limits = " ".join(f"{name}={getattr(chosen, name)}" for name in LIMIT_NAMES)
        self.stdout.write(f"{contest.slug}  {contest.state}  {limits}")
        if contest.deadline:
            self.stdout.write(f"    deadline: {moment(contest.deadline)}")
        if contest.reason:
            self.stdout.write(f"    {contest.reason}")


def _create_arguments(parser: CommandParser) -> None:
    parser.add_argument("contest", help="its name in urls")
    parser.add_argument("game")
    parser.add_argument("--title", required=True)
    parser.add_argument("--description", default="", help="in Markdown")
    parser.add_argument("--organiser", help="the user who organises it; without one, administrators alone do")
    parser.add_argument("--ruleset", default="", help="of the game (default: the first)")
    parser.add_argument("--option", nargs="*", default=[], metavar="NAME=VALUE", help="of the game, over the ruleset")
    parser.add_argument("--tables", nargs="*", default=[], metavar="BOTS=SHARE", help="such as 2=1 4=3")
    parser.add_argument("--limits", nargs="*", default=[], metavar="NAME=NUMBER", help=f"of {', '.join(LIMIT_NAMES)}")
    parser.add_argument("--languages", nargs="*", default=[], help="those that it allows (default: all)")
    parser.add_argument("--bots-max", type=int, help="bots a participant")
    parser.add_argument("--tables-each", type=int, help="open tables a participant")
    parser.add_argument("--final-games", type=int, default=FINAL_GAMES, help="of each bot before the board is signed")
    for name in ("--opens-at", "--entries-until", "--frozen-at", "--final-by"):
        parser.add_argument(name, metavar="TIME", help="such as 2026-12-01T18:00+09:00 (without a zone: UTC)")
    parser.add_argument("--visibility", default="public", choices=Contest.Visibility.values)
    parser.add_argument("--mail-domain", default="", help="whose verified addresses may join")
    parser.add_argument("--has-house-bots", action="store_true", help="those that can play its rules take part")
    parser.add_argument("--has-leagues", action="store_true")


def _create(options: dict[str, Any]) -> None:
    """Make a contest from the words of a command line.

    Raises:
        InputError: there is no such organiser, or a field cannot be as it is. Nothing is made then.
    """
    named = options["organiser"]
    organiser = User.objects.filter(username=named).first() if named else None
    if named and organiser is None:
        raise InputError(f"There is no user {named}.")
    copied = ("title", "description", "ruleset", "languages", "bots_max", "tables_each", "final_games", "visibility")
    fields = {name: options[name] for name in (*copied, "mail_domain", "has_house_bots", "has_leagues")}
    for name in DATES:
        fields[name] = moment_read(options[name]) if options[name] else None
    fields["options"] = dict(_pair(word) for word in options["option"])
    fields["tables"] = {size: _number(share) for size, share in map(_pair, options["tables"])}
    fields["limits"] = limits_read(options["limits"])
    with transaction.atomic():
        contest_create(slug=options["contest"], game=options["game"], actor=None, **fields)
        if organiser is not None:
            organiser_add(contest=options["contest"], user=organiser, actor=None)


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise InputError(f"{word} has no =: write a name, = and a value.")
    return name, value


def _number(word: str) -> float | str:
    """Return a share as a number; a word that is none is left for the check of the contest to refuse."""
    try:
        return float(word)
    except ValueError:
        return word
