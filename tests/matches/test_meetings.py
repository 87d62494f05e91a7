"""How often versions have met, as the matchmaker counts it, and how it pairs by that."""

from __future__ import annotations

from collections import Counter

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from matches.models import Match, Seat
from matches.services import pairing
from matches.services.pairing import matches_pair
from tests.ladder.makers import make_rating
from tests.matches.test_pairing import GAME, make_rival
from tests.matches.test_ratings import finish

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_rated_matches_are_counted_by_opponent(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a, b, c, d = (make_rival(name) for name in "abcd")
    finish((a, 1), (b, 2))
    finish((b, 1), (a, 2))
    finish((c, 1), (a, 2), (b, 3))
    finish((b, 1), (c, 2))
    finish((a, 1), (d, 2), state=Match.State.VOID)
    finish((a, 1), (d, 2), state=Match.State.QUEUED)
    with django_assert_num_queries(1):
        assert pairing._matches_with(a.pk) == {b.pk: 3, c.pk: 1}
    monkeypatch.setattr(pairing, "_MATCHES_REMEMBERED", 1)
    assert pairing._matches_with(a.pk) == {b.pk: 1, c.pk: 1}, "only of the last"


def test_an_arena_pairs_rather_new_opponents(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT, settings.PROCESSES_ASSUMED = 2, 0
    newcomer, *others = (make_rival(name) for name in ("newcomer", "old", "new"))
    for other in others:
        make_rating(other, 1500.0, standard_error=15.0, games=800)
    for _ in range(20):
        finish((newcomer, 1), (others[0], 2))
    met = Counter[str]()
    for _ in range(20):
        assert matches_pair(game=GAME) == 2
        queued = Match.objects.filter(state=Match.State.QUEUED)
        met.update(Seat.objects.filter(match__in=queued).values_list("version__bot__name", flat=True))
        Seat.objects.filter(match__in=queued).delete()
        queued.delete()
    assert met["newcomer"] == 40
    assert met["new"] > 30, "a hundred and twenty times as likely as the other"
