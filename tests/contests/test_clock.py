"""Contests open and freeze by the database's clock, and uploads close to the second by it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import User
from common.errors import InputError
from common.queries.sql import database_now as arrivals_now
from contests.models import Contest
from contests.services.clock import contests_tick
from contests.services.contests import contest_transition
from ladder.services.uploads import version_create
from tests.at_once import while_uncommitted
from tests.contests.playing import make_contest
from tests.ladder.makers import an_upload, make_user

State = Contest.State
PAST, FUTURE = timedelta(minutes=-1), timedelta(minutes=1)


def state_after_tick(**fields: Any) -> str:
    contest = make_contest(**fields)
    contests_tick()
    contest.refresh_from_db()
    return contest.state


def database_now() -> datetime:
    """Return the time that the database has."""
    from django.db.models.functions import Now

    return Contest.objects.annotate(now=Now()).values_list("now", flat=True)[0]


@pytest.mark.database
@pytest.mark.slow_on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "moment", "at", "after"),
    [
        (State.DRAFT, "opens_at", PAST, State.OPEN),
        (State.DRAFT, "opens_at", FUTURE, State.DRAFT),
        (State.OPEN, "frozen_at", PAST, State.FROZEN),
        (State.PAUSED, "frozen_at", PAST, State.FROZEN),
        (State.OPEN, "frozen_at", FUTURE, State.OPEN),
    ],
)
def test_the_clock_opens_and_freezes(state: str, moment: str, at: timedelta, after: str) -> None:
    assert state_after_tick(state=state, **{moment: timezone.now() + at}) == after


@pytest.mark.django_db
def test_the_moment_of_the_freeze_takes_the_place_of_the_planned_one() -> None:
    planned = timezone.now() - timedelta(days=1)
    contest = make_contest(frozen_at=planned, state=State.PAUSED, reason="We mend a rule.")
    contests_tick()
    contest.refresh_from_db()
    assert contest.frozen_at
    assert contest.frozen_at > planned + timedelta(hours=23)
    assert contest.reason == "We mend a rule."


@pytest.mark.django_db
def test_a_contest_that_is_opened_again_does_not_freeze_at_once() -> None:
    make_contest(frozen_at=timezone.now() + PAST)
    contests_tick()
    contest_transition(contest="spring", to=State.OPEN, actor=None)
    contests_tick()
    assert Contest.objects.get(pk="spring").state == State.OPEN


@pytest.mark.database
@pytest.mark.django_db
def test_a_contest_was_frozen_at_the_time_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of this machine is an hour slow: versions that were taken before the freeze play all the same."""
    monkeypatch.setattr(timezone, "now", lambda: datetime.now(tz=timezone.get_current_timezone()) - timedelta(hours=1))
    make_contest()
    received_at = arrivals_now()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    contest = Contest.objects.get(pk="spring")
    assert contest.frozen_at
    assert received_at <= contest.frozen_at <= arrivals_now()
    assert contest.plays_if_received(received_at)


@pytest.mark.database
@pytest.mark.slow_on_sqlite
@pytest.mark.django_db
def test_uploads_close_by_the_clock_of_the_database(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of this machine is an hour slow: it does not decide."""
    monkeypatch.setattr(timezone, "now", lambda: datetime.now(tz=timezone.get_current_timezone()) - timedelta(hours=1))
    make_contest(entries_until=database_now() + timedelta(seconds=1.2))
    deadline = Contest.objects.get(pk="spring").entries_until
    assert deadline
    taken, refused = [], []
    for number in range(1_000):
        begun, owner = database_now(), make_user(f"u{number}")
        try:
            version_create(owner=owner, contest="spring", name=f"Bot {number}", upload=an_upload())
            taken.append(begun)
        except InputError:
            refused.append(database_now())
        if len(refused) == 3:
            break
    assert taken
    assert max(taken) < deadline <= min(refused)


@pytest.mark.django_db(transaction=True)
def test_an_upload_that_meets_a_freeze_waits_for_it(
    alice: User, enqueued: list[int], django_db_blocker: DjangoDbBlocker
) -> None:
    make_contest()

    def upload() -> str:
        try:
            return str(version_create(owner=alice, contest="spring", name="Moat", upload=an_upload()))
        except InputError as error:
            return str(error)

    def freeze() -> None:
        contest_transition(contest="spring", to=State.FROZEN, actor=None)

    assert "This contest is over" in while_uncommitted(freeze, upload, django_db_blocker)


@pytest.mark.django_db(transaction=True)
def test_two_uploads_to_a_contest_do_not_wait_for_each_other(
    alice: User, enqueued: list[int], django_db_blocker: DjangoDbBlocker
) -> None:
    make_contest()
    bob = make_user("bob")
    order = []

    def upload(owner: User) -> None:
        version_create(owner=owner, contest="spring", name=owner.username, upload=an_upload())
        order.append(owner.username)

    while_uncommitted(lambda: upload(alice), lambda: upload(bob), django_db_blocker, at_last=lambda: order.append("!"))
    assert connection.vendor != "postgresql" or order == ["alice", "bob", "!"]
