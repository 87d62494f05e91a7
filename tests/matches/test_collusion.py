"""The collusion report on rows of the database."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import Bot, BotVersion
from matches.models import Match, Seat
from matches.selectors.collusion import collusion_report, matches_between
from matches.services.ratings import ratings_refit
from tests.matches.makers import make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


def meet(one: BotVersion, other: BotVersion, *ranks: tuple[int, int], **fields: object) -> list[Match]:
    """Let two meet, once for each pair of ranks."""
    row = {"game": GAME, "rules_version": "1", "seed": 1, "encounter": "e" * 32, "state": "finished"}
    matches = Match.objects.bulk_create(Match(**row | {"finished_at": timezone.now()} | fields) for _ in ranks)
    Seat.objects.bulk_create(
        Seat(match=match, index=index, version=version, rank=rank)
        for match, pair in zip(matches, ranks, strict=True)
        for index, (version, rank) in enumerate(zip((one, other), pair, strict=True))
    )
    return matches


EVEN = [(1, 2), (2, 1)] * 10


@pytest.fixture
def versions() -> list[BotVersion]:
    """Six versions that are equally good, but for the first, to which the second loses all its games."""
    versions = [make_version(f"bot{i}") for i in range(6)]
    for i, one in enumerate(versions):
        for other in versions[i + 1 :]:
            meet(one, other, *([(1, 2)] * 40 if other is versions[1] else EVEN))
    ratings_refit(game=GAME)
    return versions


def test_the_planted_pair_is_reported_alone(
    versions: list[BotVersion], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):  # house bots, ratings, pairs, versions
        report = collusion_report(game=GAME)
        assert report.pairs == 15
        (found,) = report.suspicions
        assert (str(found.one), str(found.other), found.games, found.score) == ("bot0 v1", "bot1 v1", 40, 40.0)
        assert found.one.bot.owner.username == "bot0 owner"
    assert 10 < found.expected < 30


def test_who_did_better_comes_first(versions: list[BotVersion]) -> None:
    Seat.objects.filter(version__in=versions[:2]).filter(match__seats__version=versions[0]).filter(
        match__seats__version=versions[1]
    ).update(rank=1)
    Seat.objects.filter(
        version=versions[0], match__in=matches_between(one=versions[0].pk, other=versions[1].pk)
    ).update(rank=2)
    ratings_refit(game=GAME)
    (found,) = collusion_report(game=GAME).suspicions
    assert (str(found.one), found.score) == ("bot1 v1", 40.0)


def test_only_rated_matches_of_the_time_count(versions: list[BotVersion]) -> None:
    assert collusion_report(game=GAME, since=timezone.now() + timedelta(days=1)).pairs == 0
    Match.objects.update(kind=Match.Kind.TRIAL)
    assert collusion_report(game=GAME).pairs == 0
    Match.objects.update(kind=Match.Kind.LADDER, state=Match.State.VOID)
    assert collusion_report(game=GAME).pairs == 0


def test_house_bots_among_themselves_are_left_out(versions: list[BotVersion]) -> None:
    Bot.objects.filter(name__in=["bot0", "bot1"]).update(is_house=True, declared_rating=1_500.0)
    report = collusion_report(game=GAME)
    assert (report.pairs, report.suspicions) == (14, [])


def test_the_matches_of_a_pair(versions: list[BotVersion]) -> None:
    found = matches_between(one=versions[0].pk, other=versions[1].pk)
    assert len(found) == 40
    assert {seat.version_id for match in found for seat in match.seats.all()} == {versions[0].pk, versions[1].pk}


@pytest.mark.parametrize("days", ["0", "-3", "1" + "0" * 9])
def test_the_command_refuses_days_that_no_calendar_has(days: str) -> None:
    with pytest.raises(CommandError, match="--days: it must lie between 1 and"):
        call_command("collusion", "--days", days)


def test_the_command_names_pair_and_matches(versions: list[BotVersion]) -> None:
    output = StringIO()
    call_command("collusion", game=GAME, days=1, stdout=output)
    text = output.getvalue()
    newest = matches_between(one=versions[0].pk, other=versions[1].pk)[0].pk
    assert "kakomimasu: 15 pairs, 1 improbable." in text
    assert "bot0 v1 (bot0 owner) against bot1 v1 (bot1 owner): 40.0 of 40" in text
    assert f"matches {newest}, " in text
