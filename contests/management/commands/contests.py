"""The command ``manage.py contests list|open|pause|freeze|deadline|limits``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.errors import InputError
from common.times import moment, moment_read
from contests.models import Contest
from contests.selectors.contests import LIMIT_NAMES, bot_limits, limits_read
from contests.services.contests import ACTS, contest_deadline_set, contest_limits_set, contest_transition


class Command(BaseCommand):
    help = "The contests: list them, open, pause or freeze one, choose its deadline and the limits of its bots."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="all contests, their states and limits")
        opened = acts.add_parser("open", help="take bots until the deadline, and pair matches")
        paused = acts.add_parser("pause", help="make no new matches; bots are taken until the deadline, and built")
        frozen = acts.add_parser("freeze", help="it is over: no bots, no new matches; the board stays")
        archived = acts.add_parser("archive", help="frozen for ever; replays may be thinned")
        deadline = acts.add_parser("deadline", help="choose until when bots are taken; matches go on behind it")
        limits = acts.add_parser("limits", help="choose limits of its bots, for matches handed out from now on")
        for act in (opened, paused, frozen, archived, deadline, limits):
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
        if options["act"] == "limits":
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
