"""Benchmark of the statements that run for every match, by our SQL and by Django: ``python -m tests.bench.statements``.

It fills a PostgreSQL with an arena of 400 bots and 40,000 matches, and prints the CPU time of this process a statement.
"""

from __future__ import annotations

import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import call_command

from deploy.servers import postgres_running
from tests.bench import filling

BOTS, MATCHES = 400, 40_000
REPEATS, ROUNDS = 12, 5
OPPONENTS_OF = 20
"""How many of a version's last matches are looked at."""

Statement = Callable[[], object]


def main() -> None:
    """Print the CPU time of each statement by SQL and by Django in ms, and the sum of all."""
    with tempfile.TemporaryDirectory() as data:
        Path(data).chmod(0o755)  # the server has a user of its own
        with postgres_running(Path(data) / "postgres") as url:
            settings = {"DATA": data, "SECRET_KEY": "only to measure", "PLAYING": "2", "REDIS_URL": ""}
            os.environ |= settings | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.bench.arena_settings"}
            django.setup()
            call_command("migrate", interactive=False, verbosity=0)
            filling.arena_make(bots=BOTS, matches=MATCHES)
            logging.disable()
            _measure()


def _measure() -> None:
    from django.db import connection, transaction

    from matches.services.pairing import matches_pair

    matches_pair(contest=filling.GAME)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    sums = [0.0, 0.0]
    with transaction.atomic():
        for name, ways in _statements().items():
            taken = [statistics.median(_cpu_ms(way) for _ in range(ROUNDS)) for way in ways]
            sums = [total + one for total, one in zip(sums, taken, strict=True)]
            sys.stdout.write(f"{name}: {taken[0]:.2f} ms by SQL, {taken[1]:.2f} ms by Django\n")
        transaction.set_rollback(True)
    sys.stdout.write(f"all: {sums[0]:.1f} ms by SQL, {sums[1]:.1f} ms by Django\n")


def _cpu_ms(statement: Statement) -> float:
    statement()
    begun = time.process_time()
    for _ in range(REPEATS):
        statement()
    return 1e3 * (time.process_time() - begun) / REPEATS


def _statements() -> dict[str, tuple[Statement, Statement]]:
    """Return each statement as our SQL and as Django's query."""
    from django.db.models import Case, Count, Exists, OuterRef, Q, Sum, When

    from common.queries.sql import rows_update
    from jobs.leases import held_times
    from jobs.models import Worker
    from jobs.selectors.workers import processes_count
    from matches.models import Attempt, HeadToHead, Match, Seat
    from matches.selectors import statements as ours

    queued = list(Match.objects.filter(state="queued")[:4])
    match, pks, held = queued[0], [one.pk for one in queued], held_times()
    token = Attempt.objects.latest("pk").lease_token
    seats = list(Seat.objects.filter(match=match).select_related("version"))
    version, bots = seats[0].version_id, [seat.version.bot_id for seat in seats]
    pairs = [(bots[0], bots[1]), (bots[1], bots[0])]
    met = Q(bot=bots[0], opponent=bots[1]) | Q(bot=bots[1], opponent=bots[0])
    in_flight = Match.objects.filter(state__in=["queued", "running"])
    ladder = Q(match__kind="ladder") & ~Q(match__queue_class="replaced")
    seats_in_flight = Seat.objects.filter(match__state__in=["queued", "running"])
    is_free = Q(match__held_until=None) | Q(match__held_until__lte=held[0]) | Q(match__held_until__gt=held[1])
    finished = Exists(Match.objects.filter(pk=OuterRef("match"), kind="ladder", state="finished"))
    last = Seat.objects.filter(finished, version=version).order_by("-match").values("match")[:OPPONENTS_OF]
    of_match = ["state", "lease_token", "lease_ends_at", "notified_at", "finished_at"]
    of_seat = ["rank", "score", "cpu_ms_total", "cpu_ms_worst", "verdict", "evidence"]
    programs = ("match", "version__bot__name", "version__number", "version__artifact_digest", "version__language")
    held_by = ("match", "match__contest", "match__queue_class", "version__bot", "version__bot__owner")
    return {
        "a match, locked": (
            lambda: ours.match_locked(pk=match.pk),
            lambda: Match.objects.select_for_update(no_key=True).filter(pk=match.pk).first(),
        ),
        "its attempt": (
            lambda: ours.attempt_with_token(token=token),
            lambda: Attempt.objects.filter(lease_token=token).first(),
        ),
        "its seats": (
            lambda: ours.seats_of(match=match.pk),
            lambda: list(Seat.objects.filter(match=match.pk).order_by("index")),
        ),
        "programs": (
            lambda: ours.programs_of(matches=pks),
            lambda: list(Seat.objects.filter(match__in=pks).order_by("index").values_list(*programs, "version__entry")),
        ),
        "count in flight": (
            ours.in_flight_count,
            lambda: in_flight.exclude(queue_class="table").aggregate(Count("pk"), Count("notified_at")),
        ),
        "bots in flight": (
            lambda: ours.in_flight_bots(held=held),
            lambda: list(
                seats_in_flight.filter(is_free)
                .exclude(match__queue_class="table")
                .values_list(*held_by, "version__bot__is_house", "match__notified_at")
            ),
        ),
        "rated in flight, by contest": (
            ours.ladder_in_flight_counts,
            lambda: list(in_flight.filter(kind="ladder").values_list("contest").annotate(Count("pk")).order_by()),
        ),
        "rated in flight, by version": (
            lambda: ours.ladder_in_flight_versions(contest=filling.GAME),
            lambda: list(
                seats_in_flight.filter(ladder, match__contest=filling.GAME).values_list(
                    "match", "match__queue_class", "version"
                )
            ),
        ),
        "opponents": (
            lambda: ours.opponents_count(version=version, matches=OPPONENTS_OF),
            lambda: list(
                Seat.objects.filter(match__in=last)
                .exclude(version=version)
                .values_list("version")
                .annotate(Count("pk"))
                .order_by()
            ),
        ),
        "tallies": (lambda: ours.tallies_of(pairs=pairs), lambda: list(HeadToHead.objects.filter(met))),
        "processes": (
            processes_count,
            lambda: Worker.objects.filter(tables=0).aggregate(
                total=Sum(Case(When(state="active", then="processes"), default=0))
            ),
        ),
        "update of a match": (
            lambda: rows_update([match], of_match),
            lambda: match.save(update_fields=of_match),
        ),
        "update of its seats": (
            lambda: rows_update(seats, of_seat),
            lambda: [seat.save(update_fields=of_seat) for seat in seats],
        ),
    }


if __name__ == "__main__":
    main()
