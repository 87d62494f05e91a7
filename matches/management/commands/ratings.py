"""``manage.py ratings rebuild|void``."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.errors import InputError
from common.times import moment_read
from contests.selectors.contests import contests_chosen
from matches.services.ratings import ratings_differences, ratings_rebuild
from matches.services.voiding import matches_voidable, rated_matches_void

CHECK_SECONDS = 60.0
"""How long ``rebuild --check`` waits for the board to catch up with new results."""


class Command(BaseCommand):
    help = "The leaderboards: fit them anew from the match log, prove that they follow from it, void matches."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        rebuild = acts.add_parser("rebuild", help="fit from all results")
        rebuild.add_argument("--contest", help="only this contest; default all")
        rebuild.add_argument(
            "--check", action="store_true", help="write nothing; exit code 1 and a line for each version that differs"
        )
        void = acts.add_parser("void", help="make rated matches void, with a reason; nothing is deleted")
        void.add_argument("--contest", required=True, help="whose matches")
        void.add_argument("--rules-version", default="", help="played under these rules")
        void.add_argument("--worker", default="", help="played by this worker")
        void.add_argument("--bot", default="", help="played by this bot, by its name")
        void.add_argument("--since", help="ended then or later, such as 2026-01-31T12:00+00:00")
        void.add_argument("--reason", required=True, help="everybody will read it at the matches")
        void.add_argument("--yes", action="store_true", help="do it; without, only say how many there are")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except InputError as error:
            raise CommandError(str(error)) from error

    def _rebuild(self, options: dict[str, Any]) -> None:
        contests = contests_chosen(slug=options["contest"])
        if not options["check"]:
            for contest in contests:
                ratings_rebuild(contest=contest)
                self.stdout.write(f"{contest}: fitted anew.")
        elif differences := [line for contest in contests for line in self._check(contest)]:
            raise CommandError("\n".join(differences))

    def _check(self, contest: str) -> list[str]:
        ends = time.monotonic() + CHECK_SECONDS
        while (differences := ratings_differences(contest=contest)) is None:
            if time.monotonic() > ends:
                return [f"{contest}: results come in that the board has not seen; does the managing worker run?"]
            time.sleep(1)
        if not differences:
            self.stdout.write(f"{contest}: the board is the function of the match log, to the last bit.")
        return [f"{contest}: {line}" for line in differences]

    def _void(self, options: dict[str, Any]) -> None:
        contests_chosen(slug=options["contest"])
        since = moment_read(options["since"], day_alone=True) if options["since"] else None
        wanted = {name: options[name] for name in ("contest", "rules_version", "worker", "bot")}
        matches = matches_voidable(since=since, **wanted)
        if not options["yes"]:
            self.stdout.write(f"{matches.count()} matches would be voided. Add --yes to do it.")
            return
        voided = rated_matches_void(matches=matches, contest=options["contest"], reason=options["reason"], actor=None)
        self.stdout.write(f"{voided} matches were voided, and the ratings fitted anew.")
