"""Ends of matches trigger checks of the queue: each while few matches are in flight, some while many are."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.utils import timezone

from jobs.services import dispatching
from matches.models import Match
from matches.services import lifecycle
from matches.services.throttle import dispatch_check_due, pairing_check_due
from tests.matches import makers

pytestmark = pytest.mark.django_db

Commit = Callable[..., AbstractContextManager[object]]
State = Match.State
GAME = "kakomimasu"


@pytest.fixture
def bad_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance never chooses a check."""
    monkeypatch.setattr(secrets, "randbelow", lambda below: below - 1)


def make_out(count: int) -> list[Match]:
    """Make running matches."""
    now = timezone.now()
    return [makers.make_match(state=State.RUNNING, lease_ends_at=now, notified_at=now) for _ in range(count)]


@pytest.mark.usefixtures("bad_luck")
@pytest.mark.parametrize(("in_flight", "is_due"), [(0, True), (31, True), (32, False)])
def test_every_end_triggers_a_check_while_few_are_in_flight(in_flight: int, is_due: bool) -> None:
    make_out(in_flight)
    assert dispatch_check_due() is is_due
    assert pairing_check_due(contest=GAME) is is_due
    assert pairing_check_due(contest="puyo"), "of this game none is"


def test_one_end_in_so_many_triggers_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    make_out(80)
    chances: list[int] = []
    monkeypatch.setattr(secrets, "randbelow", chances.append)
    assert dispatch_check_due()
    assert pairing_check_due(contest=GAME)
    assert chances == [5, 5]


@pytest.mark.usefixtures("bad_luck")
@pytest.mark.parametrize("state", [State.FINISHED, State.VOID, State.QUEUED])
def test_other_transitions_trigger_a_check_at_once(
    state: Match.State, django_capture_on_commit_callbacks: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = make_out(33)
    looks: list[None] = []
    monkeypatch.setattr(dispatching, "queue_dispatch", lambda: looks.append(None))
    with django_capture_on_commit_callbacks(execute=True):
        lifecycle.match_transition(match=first, state=state)
    assert len(looks) == (0 if state == State.FINISHED else 1)
