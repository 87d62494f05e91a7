"""The coordinates of rating graphs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from ladder.graphs import (
    BOTTOM,
    DATES,
    HEIGHT,
    LABEL_WIDTH,
    LEFT,
    RIGHT,
    TICKS_MAX,
    TOP,
    WIDTH,
    Graph,
    comparison_graph,
    rating_graph,
)
from ladder.selectors.bots import HistoryPoint


def points_of(*runs: list[tuple[int, float, float]]) -> list[HistoryPoint]:
    """Return points (games, rating, standard error) of versions 1, 2, .."""
    return [
        HistoryPoint(version=number, games=games, rating=rating, standard_error=error, at=timezone.now())
        for number, run in enumerate(runs, start=1)
        for games, rating, error in run
    ]


def drawn(*runs: list[tuple[int, float, float]]) -> Graph:
    graph = rating_graph(points_of(*runs))
    assert graph is not None
    return graph


def pixels(points: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split(",") for point in points.split())]


@pytest.mark.parametrize("runs", [[], [[(1, 1_500.0, 30.0)]]])
def test_one_point_is_no_graph(runs: list[list[tuple[int, float, float]]]) -> None:
    assert rating_graph(points_of(*runs)) is None


def test_better_is_higher_and_later_is_further_right_within_a_band() -> None:
    (stretch,) = drawn([(10, 1_500, 30), (20, 1_600, 20)]).stretches
    band, line = pixels(stretch.band), pixels(stretch.line)
    assert line[0][0] < line[1][0] == WIDTH - RIGHT
    assert line[0][1] > line[1][1]
    assert band[0][1] < line[0][1] < band[-1][1]
    assert band[1][1] < line[1][1] < band[2][1]


def test_a_version_begins_on_the_axis_where_the_previous_one_ended() -> None:
    first, second = drawn([(10, 1_500, 30), (30, 1_500, 20)], [(5, 1_500, 30), (10, 1_500, 20)]).stretches
    assert (first.label, second.label) == ("v1", "v2")
    assert second.start == first.last[0]


def test_no_label_lies_on_another_or_outside() -> None:
    quick = [(1, 1_500.0, 30.0)]
    stretches = drawn(quick, quick, [(500, 1_500, 20)], quick).stretches
    assert [stretch.label for stretch in stretches] == ["", "", "v3", "v4"]
    assert stretches[-1].label_at + LABEL_WIDTH == WIDTH < stretches[-1].start + LABEL_WIDTH


def test_ticks_are_round_numbers_round_the_data() -> None:
    graph = drawn([(1, 1_432, 20), (130, 1_611, 20)])
    labels = [int(tick.label) for tick in graph.ratings]
    assert labels[0] <= 1_392
    assert labels[-1] >= 1_651
    assert 3 <= len(labels) <= 8
    assert [tick.label for tick in graph.games] == ["0", "50", "100"]


@pytest.mark.parametrize("games", [1, 12_001, 100_000, 2_000_000])
def test_an_axis_over_many_games_has_few_labels(games: int) -> None:
    labels = [int(tick.label) for tick in drawn([(1, 1_500, 20), (games, 1_500, 20)]).games]
    assert 1 <= len(labels) <= TICKS_MAX + 1
    assert labels[-1] <= games < labels[-1] + max(10, games / 2)


ratings = st.floats(-5_000, 5_000)
runs = st.lists(
    st.lists(st.tuples(st.integers(1, 10_000), ratings, st.floats(0, 400)), min_size=1, max_size=5).map(sorted),
    min_size=1,
    max_size=4,
)


@given(runs)
def test_everything_lies_inside_the_picture(runs: list[list[tuple[int, float, float]]]) -> None:
    graph = rating_graph(points_of(*runs))
    if graph is None:
        assert sum(map(len, runs)) < 2
        return
    for stretch in graph.stretches:
        for x, y in pixels(stretch.line) + pixels(stretch.band):
            assert LEFT <= x <= WIDTH - RIGHT
            assert TOP <= y <= HEIGHT - BOTTOM


# --- Two bots -------------------------------------------------------------------------------------------------------


def over_time(*hours: int, rating: float = 1_500.0) -> list[HistoryPoint]:
    points = points_of([(10 * (i + 1), rating, 30.0) for i in range(len(hours))])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    return [point._replace(at=begin + timedelta(hours=hour)) for point, hour in zip(points, hours, strict=True)]


def test_two_bots_lie_on_one_axis_of_time() -> None:
    graph = comparison_graph(over_time(0, 10), over_time(5, 20, rating=1_700.0))
    assert graph is not None
    first, second = (pixels(stretch.line) for stretch in graph.stretches)
    assert first[0][0] == LEFT
    assert second[0][0] == (first[0][0] + first[1][0]) / 2
    assert second[1][0] == WIDTH - RIGHT
    assert second[0][1] < first[0][1], "better is higher"
    assert [tick.label for tick in graph.games] == ["Thu 00:00", "Thu 05:00", "Thu 10:00", "Thu 15:00"]


@pytest.mark.parametrize(
    "span", [timedelta(seconds=90), timedelta(hours=36), timedelta(days=95), timedelta(days=1_100)]
)
def test_no_moment_on_the_axis_is_called_like_another(span: timedelta) -> None:
    new_year = datetime(2026, 12, 31, 20, tzinfo=UTC)
    first, second = (
        point._replace(at=at) for point, at in zip(over_time(0, 1), (new_year, new_year + span), strict=True)
    )
    graph = comparison_graph([first], [second])
    assert graph is not None
    assert graph.begin == new_year
    assert len({tick.label for tick in graph.games}) == DATES


@pytest.mark.parametrize(
    ("language", "hours", "days"),
    [
        ("en", ["Thu 00:00", "Thu 12:00", "Fri 00:00", "Fri 12:00"], ["2026-01-01", "2026-01-03"]),
        ("ja", ["木 00:00", "木 12:00", "金 00:00", "金 12:00"], ["2026/01/01", "2026/01/03"]),
        ("ru", ["Чт 00:00", "Чт 12:00", "Пт 00:00", "Пт 12:00"], ["01.01.2026", "03.01.2026"]),
    ],
)
def test_the_axis_speaks_the_language_of_its_reader(language: str, hours: list[str], days: list[str]) -> None:
    with override(language):
        short, long = comparison_graph(over_time(0), over_time(48)), comparison_graph(over_time(0), over_time(192))
    assert short is not None
    assert long is not None
    assert [tick.label for tick in short.games] == hours
    assert [tick.label for tick in long.games][:2] == days


@pytest.mark.parametrize(("first", "second"), [([], [0, 1]), ([0], []), ([3], [3])])
def test_a_comparison_needs_points_at_two_times(first: list[int], second: list[int]) -> None:
    assert comparison_graph(over_time(*first), over_time(*second)) is None
