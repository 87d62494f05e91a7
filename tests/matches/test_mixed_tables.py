"""A contest with tables of 2, 3 and 4 bots: shares of its matches, and one rating from all of them."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db.models import Count
from django.utils import timezone
from pytest_django import Settings

from contests.models import Contest
from ladder.models import Bot, BotVersion, Rating
from matches.models import Match, Seat
from matches.services.pairing import _choose, matches_pair
from matches.services.ratings import ratings_refit
from rating.matchmaking import Candidate, Snapshot
from tests.ladder.makers import make_user, make_version

pytestmark = pytest.mark.django_db

SHARES = {2: 0.25, 3: 0.25, 4: 0.5}


@pytest.fixture
def mixed(settings: Settings) -> Contest:
    """A contest of Back to the Code whose tables have 2, 3 and 4 bots; half of its matches are of 4."""
    settings.PROCESSES_ASSUMED = 0
    settings.MATCHES_IN_FLIGHT = 8
    tables = {"2": 1, "3": 1, "4": 2}
    return Contest.objects.create(slug="mixed", game="back_to_the_code", title="Mixed", state="open", tables=tables)


def make_entries(contest: Contest, count: int) -> list[BotVersion]:
    """Create active versions of bots of as many owners."""
    versions = []
    for number in range(count):
        owner = make_user(f"owner{number}")
        bot = Bot.objects.create(owner=owner, contest=contest, game=contest.game, name=f"Bot {number}")
        versions.append(make_version(bot, artifact_digest=f"{number:064x}"))
    return versions


def snapshot_of(count: int) -> Snapshot:
    """Return a snapshot of so many bots that have not met yet."""
    rows = [
        Candidate(version=pk, owner=pk, artifact=f"{pk}", rating=1500.0 + pk, se=20.0, games=100, waiting_since=0.0)
        for pk in range(1, count + 1)
    ]
    return Snapshot(rows, [], 1.0, visitors=True, matches_with=lambda version: {})


@pytest.mark.parametrize("bots", [4, 12])
def test_shares_hold_over_many_pairings(bots: int) -> None:
    snapshot, matches = snapshot_of(bots), Counter[int]()
    for _ in range(600):
        for table in _choose(snapshot, SHARES, 1):
            matches[len(table)] += len(table)
    total = matches.total()
    for size, share in SHARES.items():
        # Four standard deviations: a meeting gives as many matches as it has seats.
        assert abs(matches[size] / total - share) < 4 * (share * size / total) ** 0.5, matches


@pytest.mark.parametrize(("bots", "sizes"), [(3, {2, 3}), (2, {2}), (1, set())])
def test_a_size_without_enough_bots_is_left_out(bots: int, sizes: set[int]) -> None:
    snapshot = snapshot_of(bots)
    assert {len(table) for _ in range(100) for table in _choose(snapshot, SHARES, 1)} == sizes


def test_all_tables_make_one_rating(mixed: Contest) -> None:
    versions = make_entries(mixed, 7)
    for _ in range(40):
        assert matches_pair(contest="mixed")
        Match.objects.update(state="finished", finished_at=timezone.now(), lease_token="", lease_ends_at=None)
    sizes = Counter(Match.objects.annotate(seated=Count("seats")).values_list("seated", flat=True))
    assert set(sizes) == {2, 3, 4}
    assert all(count % size == 0 for size, count in sizes.items()), "each meeting is played from each seat"
    mixed.refresh_from_db()
    assert mixed.has_matches
    # The bots with lower keys always rank better.
    seats = list(Seat.objects.order_by("match", "version"))
    best: dict[int, int] = {}
    for seat in seats:
        best[seat.match_id] = seat.rank = best.get(seat.match_id, 0) + 1
    Seat.objects.bulk_update(seats, ["rank"], batch_size=200)
    assert ratings_refit(contest="mixed")
    rows = list(Rating.objects.order_by("-rating").values_list("version", "games"))
    assert [version for version, _games in rows] == [version.pk for version in versions]
    assert sum(games for _version, games in rows) == len(seats)
