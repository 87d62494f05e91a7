"""Tables of matches: their pages, their rows, and the one query that they take."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import BotVersion
from matches.models import Match
from matches.selectors.matches import matches_list
from matches.selectors.tables import MatchesPage, MatchRow, matches_page, matches_recent
from tests.ladder.makers import make_rating
from tests.ladder.makers import make_version as make_ladder_version
from tests.matches.makers import finish_match, make_match, make_running, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def numbers(page: MatchesPage) -> list[int]:
    return pks(page.matches)


def pks(rows: list[MatchRow]) -> list[int]:
    return [row.pk for row in rows]


def test_pages_lead_down_and_up_again() -> None:
    a, b = make_version("a"), make_version("b")
    newest_first = [finish_match(make_match(a, b)).pk for _ in range(5)][::-1]
    matches = matches_list()

    first = matches_page(matches=matches, rows=2)
    second = matches_page(matches=matches, rows=2, before=str(first.older))
    third = matches_page(matches=matches, rows=2, before=str(second.older))
    up = matches_page(matches=matches, rows=2, after=str(third.newer))
    top = matches_page(matches=matches, rows=2, after=str(up.newer))

    assert [numbers(page) for page in (first, second, third)] == [
        newest_first[:2],
        newest_first[2:4],
        newest_first[4:],
    ]
    assert (first.newer, third.older) == (None, None)
    assert numbers(up) == numbers(second)
    assert (numbers(top), top.newer) == (numbers(first), None)


@pytest.mark.parametrize("number", ["x", "-1", "٣", "9" * 30, ""])
def test_a_place_that_makes_no_sense_gives_the_first_page(number: str) -> None:
    match = finish_match(make_match(make_version("a"), make_version("b")))

    assert numbers(matches_page(matches=matches_list(), rows=2, before=number)) == [match.pk]
    assert numbers(matches_page(matches=matches_list(), rows=2, after=number)) == [match.pk]


def test_the_newest_of_everybody_are_played_however_long_the_queue() -> None:
    a, b = make_version("a"), make_version("b")
    ended, running, void = finish_match(make_match(a, b)).pk, make_match(a, b).pk, make_match(a, b).pk
    Match.objects.filter(pk=running).update(state=Match.State.RUNNING, lease_ends_at=timezone.now())
    Match.objects.filter(pk=void).update(state=Match.State.VOID)
    waiting = [make_match(a, b).pk for _ in range(5)]

    assert pks(matches_recent(limit=3)) == pks(matches_recent(contest="kakomimasu", limit=3)) == [void, running, ended]
    assert pks(matches_recent(contest="puyo")) == []
    assert pks(matches_recent(versions=[a], limit=5)) == waiting[::-1], "an author sees what his bot waits for"


def test_the_newest_of_versions_with_many_matches() -> None:
    a, b, c = make_version("a"), make_version("b"), make_version("c")
    ab, bc, ac, abc = (make_match(*seats).pk for seats in ((a, b), (b, c), (a, c), (a, b, c)))
    make_match(a, b, kind=Match.Kind.RERUN, original_id=ab)
    assert pks(matches_recent(versions=[a], limit=2)) == [abc, ac]
    assert pks(matches_recent(versions=[b], limit=3)) == [abc, bc, ab]
    assert pks(matches_recent(versions=[a, b, c], limit=3)) == [abc, ac, bc], "a match of two of them stands there once"


def test_the_newest_of_a_bot_are_those_of_its_versions_one_after_the_other() -> None:
    other = make_version("other")
    old = make_version("a", state=BotVersion.State.RETIRED)
    new = make_ladder_version(old.bot, number=2)
    made = [make_match(version, other).pk for version in (old, old, new, new)]

    assert pks(matches_recent(versions=[new, old], limit=3)) == made[:0:-1]
    make_rating(new, 1_500, games=2)
    assert pks(matches_recent(versions=[new, old], limit=3)) == made[:0:-1]
    assert pks(matches_recent(versions=[new, old], limit=2)) == made[:1:-1]


def test_versions_that_never_played_cost_nothing(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    states = (BotVersion.State.UPLOADED, BotVersion.State.BUILDING, BotVersion.State.REJECTED, BotVersion.State.FAILED)
    versions = [make_version(state, state=state) for state in states]
    with django_assert_num_queries(0):
        assert matches_recent(versions=versions) == []


def test_a_row_has_its_bots_by_place() -> None:
    running = make_running("a", "b")
    a, b = (seat.version for seat in running.seats.order_by("index"))
    ended = finish_match(make_match(a, b))
    ended.seats.filter(index=0).update(rank=2, score=3.5, verdict="time")
    ended.seats.filter(index=1).update(rank=1, score=7)

    new, old = matches_page(matches=matches_list(), rows=2).matches

    assert [(seat.bot, seat.rank, seat.score, seat.verdict) for seat in new.seats] == [
        ("b", 1, 7.0, ""),
        ("a", 2, 3.5, "time"),
    ]
    assert (new.state, new.state_title) == (Match.State.FINISHED, Match.State.FINISHED.label)
    assert new.game == "kakomimasu"
    assert (new.seats[1].bot_id, new.seats[1].version) == (a.bot_id, a.number)
    assert [(seat.bot, seat.rank) for seat in old.seats] == [("a", None), ("b", None)], "no result: in seat order"
    assert old.pk == running.pk


def test_one_query_however_long(kept: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for first, second in pairwise([make_version(name) for name in "abcd"]):
        finish_match(make_match(first, second))
    versions = list(BotVersion.objects.select_related("rating"))

    with django_assert_num_queries(1):
        assert len(matches_recent()) == 3
    with django_assert_num_queries(1):
        assert len(matches_recent(versions=versions)) == 3


def test_numbered_pages_count_from_the_newest() -> None:
    a, b = make_version("a"), make_version("b")
    newest_first = [finish_match(make_match(a, b)).pk for _ in range(5)][::-1]
    second = matches_page(matches=matches_list(), rows=2, number=2)
    assert (numbers(second), second.newer, second.older) == (newest_first[2:4], newest_first[2], newest_first[3])
    assert numbers(matches_page(matches=matches_list(), rows=2, number=3)) == newest_first[4:]
    assert numbers(matches_page(matches=matches_list(), rows=2, number=20)) == []


def test_the_list_opens_with_what_can_be_watched(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.views.matches.MATCHES_A_PAGE", 2)
    a, b = make_version("a"), make_version("b")
    watched = [finish_match(make_match(a, b)).pk for _ in range(3)][::-1]
    waiting = make_match(a, b).pk

    def shown(url: str) -> list[int]:
        return pks(client.get(url).context["matches"])

    assert shown("/matches/") == watched[:2]
    assert shown("/matches/?page=2") == watched[2:]
    assert shown(f"/matches/?bot_id={a.bot_id}")[0] == waiting, "a search for a bot shows its waiting matches"
    assert shown("/matches/?state=")[0] == waiting
    first = client.get("/matches/").text
    assert '<b aria-current="page">1</b>' in first
    assert 'href="?page=2"' in first
    for nonsense in ("0", "-1", "x", "9" * 30):
        assert shown(f"/matches/?page={nonsense}") in (watched[:2], []), nonsense
