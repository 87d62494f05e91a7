"""The SQL statements agree with the models."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import Model
from django.utils import timezone

from jobs.leases import token_new
from ladder.models import BotVersion
from ladder.services.builds import BUILDS
from matches.models import HeadToHead, Match, Seat, Trial, TrialPair
from matches.selectors import statements
from matches.selectors.trials import pairs_of
from matches.services.match_jobs import MATCHES
from tests.matches import makers

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def tables() -> list[Match]:
    """Five rated matches of six bots: one in each state, and one that waits although its message has been sent."""
    versions = [makers.make_version(f"bot {number}", number=number + 1).pk for number in range(6)]
    made = []
    for number, state in enumerate(["queued", "queued", "running", "finished", "void"]):
        match = makers.queue_match(*versions[number:][:2], options={"board": "A-1"}, seed=number)
        Match.objects.filter(pk=match.pk).update(
            state=state,
            notified_at=match.created_at if number else None,
            lease_ends_at=match.created_at if state == "running" else None,
        )
        made.append(Match.objects.get(pk=match.pk))
    return made


def columns(row: Model) -> list[object]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def test_a_match_and_what_belongs_to_it(tables: list[Match]) -> None:
    match = tables[2]
    attempt = match.attempts.get()
    found = statements.match_locked(pk=match.pk)
    assert found is not None
    assert columns(found) == columns(match)
    with_token = statements.attempt_with_token(token=attempt.lease_token)
    assert with_token is not None
    assert columns(with_token) == columns(attempt)
    assert statements.seats_of(match=match.pk) == list(match.seats.order_by("index"))


@pytest.mark.parametrize(("seconds", "is_held"), [(-1, False), (0, False), (1, True), (60, True), (61, False)])
def test_what_is_held_is_left_out(tables: list[Match], seconds: int, is_held: bool) -> None:
    match = tables[0]
    times = match.created_at, match.created_at + timedelta(minutes=1)
    Match.objects.filter(pk=match.pk).update(held_until=match.created_at + timedelta(seconds=seconds))
    assert (match.pk not in {row[0] for row in statements.in_flight_bots(held=times)}) is is_held


def test_what_is_not_there() -> None:
    assert statements.match_locked(pk=1) is None
    assert statements.attempt_with_token(token=token_new()) is None
    assert statements.seats_of(match=1) == []


def test_what_is_in_flight(tables: list[Match]) -> None:
    line = Match.QueueClass.REQUESTED
    assert statements.in_flight_count() == (3, 2)
    bots = [[seat.version.bot for seat in match.seats.all()] for match in tables]
    of_bots = [[(bot.pk, bot.owner_id, bot.is_house) for bot in seated] for seated in bots]
    seats = [
        (match.pk, "kakomimasu", line, bool(number), *bot)
        for number, match in enumerate(tables[:3])
        for bot in of_bots[number]
    ]
    now = tables[0].created_at
    held = (now, now + timedelta(minutes=1))
    assert sorted(statements.in_flight_bots(held=held)) == sorted(seats)
    assert statements.ladder_in_flight_counts() == {"kakomimasu": 3}
    versions = [(match.pk, line, seat.version_id) for match in tables[:3] for seat in match.seats.all()]
    assert sorted(statements.ladder_in_flight_versions(contest="kakomimasu")) == sorted(versions)
    assert statements.ladder_in_flight_versions(contest="puyo") == []


@pytest.mark.parametrize("change", [{"kind": Match.Kind.TRIAL}, {"queue_class": Match.QueueClass.REPLACED}])
def test_a_match_of_another_kind_or_played_again_is_in_flight_for_all_that(
    tables: list[Match], change: dict[str, str]
) -> None:
    Match.objects.filter(pk=tables[0].pk).update(**change)
    assert statements.in_flight_count() == (3, 2)
    assert statements.ladder_in_flight_counts() == {"kakomimasu": 2}
    assert {row[0] for row in statements.ladder_in_flight_versions(contest="kakomimasu")} == {
        tables[1].pk,
        tables[2].pk,
    }


@pytest.mark.parametrize("handed_out", [False, True])
def test_an_upload_that_waits_is_seen(handed_out: bool) -> None:
    notified_at = timezone.now() if handed_out else None
    makers.make_version("new", state=BotVersion.State.UPLOADED, notified_at=notified_at)
    assert BUILDS.is_due(None) is not handed_out


def test_which_matches_can_be_notified_with_which_programs(tables: list[Match]) -> None:
    keys = [match.pk for match in tables]
    assert [match.pk for match in MATCHES.lock(MATCHES.queued.filter(pk__in=keys[::-1]))] == keys[:2]
    versions = [seat.version for seat in tables[1].seats.order_by("index").select_related("version__bot")]
    assert statements.programs_of(matches=keys[1:2]) == [
        (keys[1], row.bot.name, row.number, row.artifact_digest, row.language, row.entry) for row in versions
    ]


def test_whom_a_version_has_met(tables: list[Match]) -> None:
    one, other = tables[3].seats.order_by("index")
    assert statements.opponents_count(version=one.version_id, matches=10) == [(other.version_id, 1)]
    assert statements.opponents_count(version=one.version_id, matches=0) == []
    Match.objects.filter(pk=tables[3].pk).update(kind=Match.Kind.TRIAL)
    assert statements.opponents_count(version=one.version_id, matches=10) == []


def test_how_far_the_pairs_of_a_trial_are(tables: list[Match]) -> None:
    version = tables[3].seats.get(index=0).version
    other = tables[3].seats.get(index=1).version
    trial = Trial.objects.create(
        owner=version.bot.owner, candidate=version, reference=other, game="kakomimasu", games_max=10
    )
    TrialPair.objects.create(trial=trial, number=1, first=tables[3], second=tables[4])
    TrialPair.objects.create(trial=trial, number=0, first=tables[2], second=tables[0])
    for match, ranks in ((tables[3], (2, 1)), (tables[4], (3, 4))):
        for index, rank in enumerate(ranks):
            Seat.objects.filter(match=match, index=index).update(rank=rank)
    assert pairs_of(trial=trial.pk) == [
        (("running", "queued"), (0, 0, 0, 0)),
        (("finished", "void"), (2, 1, 4, 3)),  # of the second match that of seat 1 is the candidate's
    ]
    assert pairs_of(trial=trial.pk + 1) == []


def test_no_more_tallies_are_read_than_are_asked_for() -> None:
    """All tallies among some bots are more, the longer an arena has played."""
    bots = [makers.make_version(f"bot {number}", number=number + 1).bot_id for number in range(4)]
    for bot in bots:
        for opponent in bots[1:]:
            if bot != opponent:
                HeadToHead.objects.create(bot_id=bot, opponent_id=opponent, games=1, wins=1)
    asked = [(bots[0], bots[1]), (bots[2], bots[3]), (bots[1], bots[0])]
    found = statements.tallies_of(pairs=asked)
    assert {(row.bot_id, row.opponent_id) for row in found} == set(asked[:2])
    assert all(columns(row) == columns(HeadToHead.objects.get(pk=row.pk)) for row in found)
