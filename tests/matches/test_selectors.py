"""Queries of the pages of matches: what they return and how many there are."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.storage import storages
from pytest_django import DjangoAssertNumQueries

from matches.models import Attempt, Match
from matches.selectors import filters
from matches.selectors import matches as selectors
from matches.selectors.filters import MatchFilter
from tests.matches.makers import finish_match, make_match, make_records, make_version, store_replay

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_newest_matches_come_first() -> None:
    a, b = make_version("a"), make_version("b")
    old, new = make_match(a, b), make_match(b, a)

    assert list(selectors.matches_list()) == [new, old]


def test_filters_take_game_bot_and_state() -> None:
    a, b, c = make_version("Ring walker"), make_version("b"), make_version("c")
    ab, bc = make_match(a, b), make_match(b, c)
    finish_match(bc)

    assert list(selectors.matches_list(chosen=MatchFilter(bot_id=a.bot_id))) == [ab]
    assert list(selectors.matches_list(chosen=MatchFilter(bot="ring"))) == [ab]
    assert list(selectors.matches_list(chosen=MatchFilter(state=Match.State.FINISHED))) == [bc]
    assert list(selectors.matches_list(chosen=MatchFilter(game="another"))) == []


def test_many_bots_of_a_name_are_found_like_few(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c = make_version("ring a"), make_version("ring b"), make_version("c")
    matches = [make_match(a, c), make_match(b, c), make_match(a, b)]
    make_match(c, make_version("d"))
    for most in (200, 1):
        monkeypatch.setattr(filters, "VERSIONS_NAMED_MAX", most)
        monkeypatch.setattr(filters, "FEW_SEATS", most)
        assert list(selectors.matches_list(chosen=MatchFilter(bot="RING"))) == matches[::-1]


def test_match_page_takes_four_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    match = finish_match(make_match(make_version("a"), make_version("b")))

    with django_assert_num_queries(4):
        found = selectors.match_page(pk=match.pk, reader=AnonymousUser())
        assert found is not None
        assert [row.seat.version.bot.name for row in selectors.seats_for_reader(match=found, reader=AnonymousUser())]
        assert [attempt.number for attempt in found.attempts.all()] == [1]
        assert not selectors.match_failed_by_platform(match=found)


def test_evidence_is_for_the_owner_of_the_faulty_bot_alone() -> None:
    winner, loser = make_version("winner"), make_version("loser")
    finished = finish_match(make_match(winner, loser), make_records("winner", "loser", fault_turn=3))
    match = selectors.match_page(pk=finished.pk, reader=AnonymousUser())
    assert match is not None

    seen = {
        reader.pk: [bool(row.evidence) for row in selectors.seats_for_reader(match=match, reader=reader)]
        for reader in (winner.bot.owner, loser.bot.owner, AnonymousUser())
    }

    assert seen == {winner.bot.owner.pk: [False, False], loser.bot.owner.pk: [False, True], None: [False, False]}


def test_void_by_an_administrator_is_no_platform_fault() -> None:
    match = make_match(make_version("a"), make_version("b"), state=Match.State.VOID)
    assert not selectors.match_failed_by_platform(match=match)

    Attempt.objects.bulk_create([Attempt(match=match, number=n, lease_token=f"{n:032x}") for n in (1, 2, 3)])
    assert selectors.match_failed_by_platform(match=match)

    match.attempts.filter(number=3).update(ending=Attempt.Ending.WITHDRAWN)
    assert not selectors.match_failed_by_platform(match=match), "an attempt that was taken back is no failure"


def test_check_match_is_known_to_its_owner_alone() -> None:
    mine = make_version("mine", check_replay_digest="c" * 64)
    unchecked = make_version("unchecked")
    other = make_version("other").bot.owner

    assert selectors.version_check(pk=mine.pk, reader=mine.bot.owner) == mine
    assert selectors.version_check(pk=mine.pk, reader=other) is None
    assert selectors.version_check(pk=mine.pk, reader=AnonymousUser()) is None
    assert selectors.version_check(pk=unchecked.pk, reader=unchecked.bot.owner) is None


def test_replay_is_read_by_its_digest() -> None:
    match = finish_match(make_match(make_version("a"), make_version("b")))

    records = selectors.replay_records(digest=match.result.replay_digest)

    assert [seat["name"] for seat in records[0]["seats"]] == ["a", "b"]
    assert records[-1]["turns"] == 30


def test_missing_and_damaged_replays_are_told_apart() -> None:
    damaged = store_replay(b"no replay")

    with pytest.raises(selectors.ReplayUnreadable, match="no longer stored"):
        selectors.replay_records(digest="0" * 64)
    with pytest.raises(selectors.ReplayUnreadable, match="damaged"):
        selectors.replay_records(digest=damaged)
    assert storages["replays"].exists(damaged)
