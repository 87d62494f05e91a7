"""One rating a day of each bot: what is stored and kept, and the line of the last month on boards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from contests.models import Contest
from ladder.graphs import sparkline
from ladder.models import BotVersion, DailyRating, Rating
from ladder.services.daily_ratings import DAYS_KEPT, daily_ratings_store
from tests.ladder.makers import make_ranked, make_rating, make_standings, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

FIRST = date(2027, 3, 1)
BOARD = "/games/kakomimasu/"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Store the ratings so many days after the first."""

    def stored(days: int) -> None:
        noon = datetime(2027, 3, 1, 12, tzinfo=UTC) + timedelta(days=days)
        with monkeypatch.context() as patched:
            patched.setattr(timezone, "now", lambda: noon)
            daily_ratings_store()

    return stored


def days() -> list[tuple[str, int, int]]:
    rows = DailyRating.objects.order_by("bot", "day").values_list("bot__name", "day", "rating")
    return [(name, (day - FIRST).days, rating) for name, day, rating in rows]


def test_each_day_keeps_its_first_rating_and_a_new_version_goes_on(store: Callable[[int], None]) -> None:
    first = make_ranked("Moat", 1_500.4)
    make_ranked("new", 1_500, games=0)
    make_standings()
    store(0)
    Rating.objects.filter(version=first).update(rating=1_510)
    store(0)
    BotVersion.objects.filter(pk=first.pk).update(state=BotVersion.State.RETIRED)
    make_rating(make_version(first.bot), 1_520)
    make_standings()
    store(1)
    assert days() == [("Moat", 0, 1_500), ("Moat", 1, 1_520)]


def test_a_month_is_kept_and_for_ever_once_the_contest_is_over(store: Callable[[int], None]) -> None:
    make_ranked("Moat", 1_500)
    make_standings()
    for day in range(3):
        store(day)
    store(DAYS_KEPT + 1)
    assert [day for _, day, _ in days()] == [1, 2, DAYS_KEPT + 1]
    Contest.objects.filter(slug="kakomimasu").update(state=Contest.State.FROZEN)
    store(500)
    assert [day for _, day, _ in days()] == [1, 2, DAYS_KEPT + 1]


def test_the_line_ends_at_todays_rating_at_the_right_edge() -> None:
    month = [(FIRST + timedelta(days=day), 1_500 + 10 * day) for day in range(31)]
    line = sparkline(month, rating=1_799.6, today=month[-1][0])
    assert line
    assert (line.change, line.points.count(" ")) == (300, 31)
    assert line.points.startswith("0,19.0 ")
    assert line.points.endswith(" 72,3.0")
    assert sparkline(month[-1:], rating=1_500, today=month[-1][0]) is None, "the first day"
    calm = sparkline(month[:2], rating=1_500, today=month[1][0])
    assert calm
    assert calm.points == "67,13.0 70,9.0 72,13.0", "ten points are a small step"


@pytest.mark.usefixtures("kept")
def test_boards_show_the_month(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    today = timezone.now().date()
    for index, name in enumerate(["up", "down", "young"]):
        bot = make_ranked(name, 1_500 + index).bot
        then = {"up": 1_466, "down": 1_513}.get(name)
        if then:
            DailyRating.objects.create(bot=bot, day=today - timedelta(days=20), rating=then)
        DailyRating.objects.create(bot=bot, day=today, rating=1_500)
    make_standings()
    client.get(BOARD)  # fills the caches of all pages
    with django_assert_num_queries(2):  # rows, matches; the months are kept for seconds
        page = client.get(BOARD).text
    rows = {row.split("</bdi>")[0].rpartition(">")[2]: row for row in page.split('<tr id="bot-')[1:]}
    assert ("+34</span>" in rows["up"], "is-up" in rows["up"]) == (True, True)
    assert ("−12</span>" in rows["down"], "is-down" in rows["down"]) == (True, True)
    assert "spark" not in rows["young"]
