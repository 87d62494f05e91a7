"""Compiled queries return the rows that Django's own queries return."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F, FloatField, QuerySet, Value
from pytest_django import DjangoAssertNumQueries

from common.queries import compiled
from common.queries.compiled import CompiledQuery
from ladder.models import BotVersion, Rating
from tests.ladder.makers import make_bot, make_rating, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def versions() -> list[BotVersion]:
    """Four versions; the last one is not rated."""
    made = [make_version(make_bot(f"bot {number}")) for number in range(4)]
    for number, version in enumerate(made[:3]):
        make_rating(version, 1_500 + number)
    return made


@pytest.fixture
def built() -> list[object]:
    """The values with which the queries of a test were built."""
    return []


def test_rows_are_those_of_the_current_values(versions: list[BotVersion], built: list[object]) -> None:
    def build(pk: int, bot: int) -> QuerySet[BotVersion]:
        built.append(pk)
        return BotVersion.objects.select_related("bot").filter(pk=pk, bot=bot)

    query = CompiledQuery(build)
    for version in versions:
        assert [(row.pk, row.bot.name, row.created_at) for row in query.rows(version.pk, version.bot_id)] == [
            (version.pk, version.bot.name, version.created_at)
        ]
        assert query.rows(version.pk, version.bot_id + 1) == []
    assert len(built) == 1


def test_related_rows_come_with_the_one_query(
    versions: list[BotVersion], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    query = CompiledQuery(lambda pk: BotVersion.objects.select_related("bot__owner", "rating").filter(pk=pk))
    for version, rating in ((versions[0], 1_500), (versions[3], None)):
        with django_assert_num_queries(1):
            (row,) = query.rows(version.pk)
            assert row.bot.owner.username == "alice"
            assert getattr(getattr(row, "rating", None), "rating", None) == rating


def test_other_types_lengths_and_keywords_are_other_queries(versions: list[BotVersion]) -> None:
    def build(pks: list[int], above: float | None, *, limit: int) -> QuerySet[Rating, tuple[Any, ...]]:
        rows = Rating.objects.filter(version__in=pks).order_by("-rating")
        rows = (
            rows if above is None else rows.annotate(more=F("rating") - Value(above, FloatField())).filter(more__gt=0)
        )
        return rows.values_list("version", "rating")[:limit]

    query, first, second = CompiledQuery(build), versions[0].pk, versions[1].pk
    assert query.rows([first, second], None, limit=5) == [(second, 1_501.0), (first, 1_500.0)]
    assert query.rows([second, first], 1_500.5, limit=5) == [(second, 1_501.0)]
    assert query.rows([first], None, limit=5) == [(first, 1_500.0)]
    assert query.rows([first, second], None, limit=1) == [(second, 1_501.0)]
    assert query.rows([], None, limit=5) == []


def test_zero_is_a_value_too(versions: list[BotVersion]) -> None:
    query = CompiledQuery(lambda games: Rating.objects.filter(games=games))
    Rating.objects.update(games=0)
    assert len(query.rows(0)) == 3
    assert query.rows(1) == []


def test_a_value_that_django_alters_is_refused() -> None:
    with pytest.raises(AssertionError, match="alters a value"):
        CompiledQuery(lambda number: BotVersion.objects.filter(bot__name=number)).rows(1)


def test_a_column_that_is_too_small_for_placeholders_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_FIRST", 2**70)
    with pytest.raises(AssertionError, match="too small"):
        CompiledQuery(lambda pk: BotVersion.objects.filter(pk=pk)).rows(1)
