"""Endings have somebody look at the queue: each where few matches are in flight, some where many are."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.utils import timezone

from common.queries.cached import cached_clear
from jobs.services import dispatching
from matches.models import Match
from matches.services import lifecycle
from matches.services.throttle import looks_to_hand_out, looks_to_pair
from tests.matches import makers

pytestmark = pytest.mark.django_db

Commit = Callable[..., AbstractContextManager[object]]
State = Match.State
GAME = "kakomimasu"


@pytest.fixture
def bad_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks by chance does not."""
    monkeypatch.setattr(secrets, "randbelow", lambda below: below - 1)


def make_out(count: int) -> list[Match]:
    """Make matches that workers have."""
    now = timezone.now()
    return [makers.make_match(state=State.RUNNING, lease_ends_at=now, rung_at=now) for _ in range(count)]


@pytest.mark.usefixtures("bad_luck")
def test_every_ending_looks_where_few_are_in_flight() -> None:
    assert looks_to_hand_out()
    assert looks_to_pair(game=GAME)
    make_out(31)
    cached_clear()
    assert looks_to_hand_out()
    assert looks_to_pair(game=GAME)


@pytest.mark.usefixtures("bad_luck")
def test_not_every_ending_looks_where_many_are_in_flight() -> None:
    make_out(32)
    assert not looks_to_hand_out()
    assert not looks_to_pair(game=GAME)
    assert looks_to_pair(game="puyo"), "of this game none is"


def test_one_in_so_many_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    make_out(80)
    chances: list[int] = []
    monkeypatch.setattr(secrets, "randbelow", chances.append)
    assert looks_to_hand_out()
    assert looks_to_pair(game=GAME)
    assert chances == [5, 5]


@pytest.mark.usefixtures("bad_luck")
@pytest.mark.parametrize("state", [State.FINISHED, State.VOID, State.QUEUED])
def test_whatever_is_not_a_mere_ending_looks_at_once(
    state: Match.State, django_capture_on_commit_callbacks: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = make_out(33)
    looks: list[None] = []
    monkeypatch.setattr(dispatching, "queue_dispatch", lambda: looks.append(None))
    with django_capture_on_commit_callbacks(execute=True):
        lifecycle.match_transition(match=first, state=state)
    assert len(looks) == (0 if state == State.FINISHED else 1)
