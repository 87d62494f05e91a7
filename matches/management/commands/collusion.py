"""``manage.py collusion``."""

from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from common.errors import InputError
from contests.selectors.contests import contests_chosen
from core.arguments import whole
from matches.selectors.collusion import DAYS_MAX, CollusionReport, collusion_report, matches_between

MATCHES_LISTED = 50


class Command(BaseCommand):
    help = "Pairs of bots whose results differ improbably from their ratings, with their matches."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--contest", help="only this contest; default all")
        parser.add_argument("--days", type=_days, help="only matches of this many days; default all")

    def handle(self, *args: Any, **options: Any) -> None:
        since = timezone.now() - timedelta(days=options["days"]) if options["days"] else None
        try:
            contests = contests_chosen(slug=options["contest"])
        except InputError as error:
            raise CommandError(str(error)) from error
        for contest in contests:
            self._print(collusion_report(contest=contest, since=since), since)

    def _print(self, report: CollusionReport, since: datetime | None) -> None:
        self.stdout.write(f"{report.contest}: {report.pairs} pairs, {len(report.suspicions)} improbable.")
        for row in report.suspicions:
            matches = matches_between(one=row.one.pk, other=row.other.pk, since=since)
            numbers = ", ".join(map(str, matches.values_list("pk", flat=True)[:MATCHES_LISTED]))
            if (more := matches.count() - MATCHES_LISTED) > 0:
                numbers += f" and {more} more"
            self.stdout.write(
                f"{row.one} ({row.one.participant}) against {row.other} ({row.other.participant}):"
                f" {row.score:.1f} of {row.games}, {row.expected:.1f} expected; p {row.p_value:.1e},"
                f" false discovery rate {row.q_value:.1e}; matches {numbers}"
            )


def _days(text: str) -> int:
    days = whole(text)
    if not 1 <= days <= DAYS_MAX:
        raise ArgumentTypeError(f"it must lie between 1 and {DAYS_MAX}")
    return days
