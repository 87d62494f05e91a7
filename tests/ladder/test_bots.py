"""Selectors of bots: their versions, rating history and quotas."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import BotVersion, RatingPoint
from ladder.selectors import bots
from ladder.selectors.bots import bot_active_version, bot_page, bot_rating_points, bot_versions, bot_withdrawn, bots_of
from ladder.selectors.quotas import quota_of
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

State = BotVersion.State


def make_points(version: BotVersion, games: range) -> None:
    RatingPoint.objects.bulk_create(
        RatingPoint(version=version, games=count, rating=1_500, standard_error=30, at=timezone.now()) for count in games
    )


def test_a_rating_history_goes_version_after_version() -> None:
    bot = make_bot()
    newer, older = make_version(bot, number=2), make_version(bot, number=1, state=State.RETIRED)
    make_points(newer, range(1, 3))
    make_points(older, range(5, 7))
    make_points(make_version(make_bot("other")), range(1, 3))
    history = [(point.version, point.games) for point in bot_rating_points(bot=bot)]
    assert history == [(1, 5), (1, 6), (2, 1), (2, 2)]
    assert [(point.version, point.games) for point in bot_rating_points(bot=bot, version=1)] == history[:2]


def test_a_long_history_is_thinned_evenly_and_keeps_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "POINTS_SHOWN", 10)
    version = make_version()
    make_points(version, range(1, 36))
    games = [point.games for point in bot_rating_points(bot=version.bot)]
    assert games == [3, 7, 11, 15, 19, 23, 27, 31, 35]


def test_the_version_that_plays_is_found_behind_many_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "VERSIONS_SHOWN", 2)
    active = make_version()
    for _ in range(3):
        make_version(active.bot, state=State.REJECTED)
    page = bot_page(pk=active.bot_id)
    assert page is not None
    own = bots_of(owner=active.bot.owner)[0]
    assert [[version.number for version in bot_versions(bot=bot)] for bot in (page, own)] == [[4, 3, 1]] * 2
    assert bot_active_version(bot=page) == active


def test_no_query_is_made_for_versions_that_do_not_exist(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    retired = make_version(state=State.RETIRED)
    with django_assert_num_queries(2):
        assert [bot_active_version(bot=bot) for bot in bots_of(owner=retired.bot.owner)] == [None]


def test_a_page_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    bot = make_version().bot
    make_version(bot, state=State.RETIRED)
    with django_assert_num_queries(1):
        page = bot_page(pk=bot.pk)
        assert page == bot
        assert page.owner.username
        newest: list[BotVersion] = page.newest_versions  # type: ignore[union-attr]
        assert [(version.bot, getattr(version, "rating", None)) for version in newest] == [(bot, None)] * 2


def test_a_bot_without_versions_has_a_page() -> None:
    bot = make_bot("empty")
    page = bot_page(pk=bot.pk)
    assert page == bot
    assert page.newest_versions == []  # type: ignore[union-attr]
    assert bot_page(pk=bot.pk + 1) is None


@pytest.mark.parametrize(
    ("states", "withdrawn"),
    [
        ("", False),
        ("retired", True),
        ("retired rejected", False),
        ("active retired", False),
        ("building retired", False),
        ("retired uploaded", False),
    ],
)
def test_a_bot_is_withdrawn_if_its_newest_version_is_and_none_plays(states: str, withdrawn: bool) -> None:
    bot = make_bot()
    for state in states.split():
        make_version(bot, state=State(state))
    assert [bot_withdrawn(bot=own) for own in bots_of(owner=bot.owner)] == [withdrawn]


def test_a_quota_counts_bots_that_play_or_soon_will() -> None:
    alice = make_user("alice")
    for name, state in [("a", State.ACTIVE), ("b", State.UPLOADED), ("c", State.BUILDING), ("d", State.REJECTED)]:
        make_version(make_bot(name, alice), state=state, bundle_bytes=10)
    make_version(make_bot("house", alice, is_house=True, declared_rating=1_500.0))
    make_bot("other", make_user("bob"))
    assert len(bots_of(owner=alice)) == 5
    quota = quota_of(owner=alice)
    assert (quota.bots, quota.versions_hour, quota.bytes) == (3, 4, 40)
