"""The statements that ``tests.bench.statements`` measures, each as our SQL and as Django's query."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Case, Count, Exists, OuterRef, Q, Sum, When

from common.queries.sql import rows_update
from jobs.leases import held_times
from jobs.models import Worker
from jobs.selectors.workers import processes_count
from matches.models import Attempt, HeadToHead, Match, Seat
from matches.selectors import statements as ours
from tests.bench import filling

OPPONENTS_OF = 20
"""How many of a version's last matches are looked at."""

Statement = Callable[[], object]
Pairs = dict[str, tuple[Statement, Statement]]


def statements() -> Pairs:
    """Return each statement by its name, as our SQL and as Django's query, for the first matches that wait."""
    queued = list(Match.objects.filter(state="queued")[:4])
    seats = list(Seat.objects.filter(match=queued[0]).select_related("version"))
    return _of_matches(queued, seats) | _of_the_queue() | _updates(queued[0], seats)


def _of_matches(queued: list[Match], seats: list[Seat]) -> Pairs:
    match, pks = queued[0], [one.pk for one in queued]
    token = Attempt.objects.latest("pk").lease_token
    version, bots = seats[0].version_id, [seat.version.bot_id for seat in seats]
    pairs = [(bots[0], bots[1]), (bots[1], bots[0])]
    met = Q(bot=bots[0], opponent=bots[1]) | Q(bot=bots[1], opponent=bots[0])
    finished = Exists(Match.objects.filter(pk=OuterRef("match"), kind="ladder", state="finished"))
    last = Seat.objects.filter(finished, version=version).order_by("-match").values("match")[:OPPONENTS_OF]
    programs = ("match", "version__bot__name", "version__number", "version__artifact_digest", "version__language")
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
    }


def _of_the_queue() -> Pairs:
    held = held_times()
    in_flight = Match.objects.filter(state__in=["queued", "running"])
    ladder = Q(match__kind="ladder") & ~Q(match__queue_class="replaced")
    seats_in_flight = Seat.objects.filter(match__state__in=["queued", "running"])
    is_free = Q(match__held_until=None) | Q(match__held_until__lte=held[0]) | Q(match__held_until__gt=held[1])
    held_by = ("match", "match__contest", "match__queue_class", "version__bot", "version__bot__owner")
    return {
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
        "processes": (
            processes_count,
            lambda: Worker.objects.filter(tables=0).aggregate(
                total=Sum(Case(When(state="active", then="processes"), default=0))
            ),
        ),
    }


def _updates(match: Match, seats: list[Seat]) -> Pairs:
    of_match = ["state", "lease_token", "lease_ends_at", "notified_at", "finished_at"]
    of_seat = ["rank", "score", "cpu_ms_total", "cpu_ms_worst", "verdict", "evidence"]
    return {
        "update of a match": (
            lambda: rows_update([match], of_match),
            lambda: match.save(update_fields=of_match),
        ),
        "update of its seats": (
            lambda: rows_update(seats, of_seat),
            lambda: [seat.save(update_fields=of_seat) for seat in seats],
        ),
    }
