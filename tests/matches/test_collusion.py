"""The collusion report on rows of the database."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from itertools import combinations

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import Bot, BotVersion
from matches.models import Match, Seat
from matches.selectors.collusion import collusion_report, matches_between
from matches.services.ratings import ratings_refit
from tests.ladder import makers
from tests.matches.makers import make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


def meet(one: BotVersion, other: BotVersion, *ranks: tuple[int, int], **fields: object) -> list[Match]:
    """Make finished matches of two versions, one for each pair of ranks."""
    row = {
        "contest_id": GAME,
        "game": GAME,
        "rules_version": "1",
        "seed": 1,
        "encounter": "e" * 32,
        "state": "finished",
    }
    matches = Match.objects.bulk_create(Match(**row | {"finished_at": timezone.now()} | fields) for _ in ranks)
    Seat.objects.bulk_create(
        Seat(match=match, index=index, version=version, rank=rank)
        for match, pair in zip(matches, ranks, strict=True)
        for index, (version, rank) in enumerate(zip((one, other), pair, strict=True))
    )
    return matches


def successor(version: BotVersion) -> BotVersion:
    """Activate a new version of a bot and retire the version before."""
    BotVersion.objects.filter(pk=version.pk).update(state=BotVersion.State.RETIRED)
    return makers.make_version(version.bot, parent=version)


EVEN = [(1, 2), (2, 1)] * 10


@pytest.fixture
def versions() -> list[BotVersion]:
    """Six equally good versions, except that the second loses all its games against the first."""
    versions = [make_version(f"bot{i}") for i in range(6)]
    for i, one in enumerate(versions):
        for other in versions[i + 1 :]:
            meet(one, other, *([(1, 2)] * 40 if other is versions[1] else EVEN))
    ratings_refit(contest=GAME)
    return versions


def test_the_planted_pair_is_reported_alone(
    versions: list[BotVersion], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):  # ratings, house bots, pairs, bots
        report = collusion_report(contest=GAME)
        assert report.pairs == 15
        (found,) = report.suspicions
        assert (str(found.one), str(found.other), found.games, found.score) == ("bot0", "bot1", 40, 40.0)
        assert found.one.owner.username == "bot0 owner"
    assert 10 < found.expected < 30


def test_who_did_better_comes_first(versions: list[BotVersion]) -> None:
    Seat.objects.filter(version__in=versions[:2]).filter(match__seats__version=versions[0]).filter(
        match__seats__version=versions[1]
    ).update(rank=1)
    between = matches_between(one=versions[0].bot_id, other=versions[1].bot_id)
    Seat.objects.filter(version=versions[0], match__in=between).update(rank=2)
    ratings_refit(contest=GAME)
    (found,) = collusion_report(contest=GAME).suspicions
    assert (str(found.one), found.score) == ("bot1", 40.0)


def test_collusion_is_found_although_the_version_changes_often() -> None:
    friend, accomplice, *others = (make_version(f"bot{i}") for i in range(6))
    for one, other in combinations([friend, *others], 2):
        meet(one, other, *EVEN * 2)
    for _ in range(10):
        meet(accomplice, friend, *[(2, 1)] * 4)
        for other in others:
            meet(accomplice, other, *EVEN[:8])
        accomplice = successor(accomplice)
    ratings_refit(contest=GAME)
    (found,) = collusion_report(contest=GAME).suspicions
    assert (found.one, found.other, found.games, found.score) == (friend.bot, accomplice.bot, 40, 40.0)
    assert 10 < found.expected < 30


def test_only_rated_matches_of_the_time_count(versions: list[BotVersion]) -> None:
    assert collusion_report(contest=GAME, since=timezone.now() + timedelta(days=1)).pairs == 0
    Match.objects.update(kind=Match.Kind.TRIAL)
    assert collusion_report(contest=GAME).pairs == 0
    Match.objects.update(kind=Match.Kind.LADDER, state=Match.State.VOID)
    assert collusion_report(contest=GAME).pairs == 0


def test_house_bots_among_themselves_are_left_out(versions: list[BotVersion]) -> None:
    Bot.objects.filter(name__in=["bot0", "bot1"]).update(is_house=True, declared_rating=1_500.0)
    report = collusion_report(contest=GAME)
    assert (report.pairs, report.suspicions) == (14, [])


def test_the_matches_of_a_pair(versions: list[BotVersion]) -> None:
    newer = successor(versions[0])
    meet(newer, versions[1], (1, 2))
    meet(newer, versions[2], (1, 2))
    found = matches_between(one=versions[0].bot_id, other=versions[1].bot_id)
    assert len(found) == 41, "of all versions"
    seated = {seat.version_id for match in found for seat in match.seats.all()}
    assert seated == {versions[0].pk, versions[1].pk, newer.pk}


@pytest.mark.parametrize(
    ("days", "words"),
    [("0", "it must lie between 1 and"), ("1" + "0" * 9, "it must lie between 1 and"), ("x", "'x' is no whole number")],
)
def test_the_command_refuses_days_that_no_calendar_has(days: str, words: str) -> None:
    with pytest.raises(CommandError, match=f"--days: {words}"):
        call_command("collusion", "--days", days)


def test_the_command_names_pair_and_matches(versions: list[BotVersion]) -> None:
    output = StringIO()
    call_command("collusion", contest=GAME, days=1, stdout=output)
    text = output.getvalue()
    newest = matches_between(one=versions[0].bot_id, other=versions[1].bot_id)[0].pk
    assert "kakomimasu: 15 pairs, 1 improbable." in text
    assert "bot0 (bot0 owner) against bot1 (bot1 owner): 40.0 of 40" in text
    assert f"matches {newest}, " in text
