"""How often versions have met, as the matchmaker counts it, and how it pairs by that."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from matches.models import Match
from matches.services import pairing
from tests.matches.test_pairing import make_rival
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
