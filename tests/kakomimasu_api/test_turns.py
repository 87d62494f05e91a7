"""Turns of the API of Kakomimasu go by the clock; requests at their beginning wait for the worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from redis import Redis

from kakomimasu_api import games, views
from kakomimasu_api.bodies import Code
from tests.exhibitions.makers import question, tell
from tests.kakomimasu_api.makers import ADA, began, begin, code_of, joined, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _ready(streams: Redis) -> None:
    begin()


class Clock:
    """The clock of the site, which stands still; a worker that is late may act while the site sleeps."""

    def __init__(self) -> None:
        self.now = time.time()
        self.nap_seconds = self.slept = 0.0
        self.asleep: Callable[[], object] = lambda: None

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, self.nap_seconds)
        self.slept += max(seconds, self.nap_seconds)
        self.asleep()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (games, views):
        monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.mark.parametrize(
    ("into_the_game", "asked", "told"),
    [
        (-0.2, 0, ("ready", 0)),
        (-0.02, 1, ("gaming", 1)),  # timers may be early
        (0.5, 1, ("gaming", 1)),
        (1.02, 1, Code.TRANSITION),  # by the clock alone: for the worker the turn is not over
        (1.9, 1, Code.TRANSITION),
        (2.001, 2, ("gaming", 2)),
        (3.5, 2, Code.TRANSITION),
        (5.5, 2, ("gaming", 2)),  # the worker is late
    ],
)
def test_the_clock_tells_when_a_turn_is(
    client: Client, streams: Redis, clock: Clock, into_the_game: float, asked: int, told: Any
) -> None:
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    match = began(streams, place)
    start = send(client, "GET", place["gameId"]).json()["startedAtUnixTime"]  # type: ignore[attr-defined]
    for turn in range(1, asked + 1):
        tell(streams, match, question(turn, seconds=1.0))
    clock.now = start + into_the_game
    answer = send(client, "GET", place["gameId"])
    if isinstance(told, Code):
        assert code_of(answer) == told
    else:
        shown = answer.json()  # type: ignore[attr-defined]
        assert (shown["status"], shown["turn"]) == told
        assert shown["nextTurnUnixTime"] == start + 2 * told[1]


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_a_request_at_the_start_of_a_turn_waits_for_the_worker(
    client: Client, streams: Redis, clock: Clock, method: str
) -> None:
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    match = began(streams, place)
    start = send(client, "GET", place["gameId"]).json()["startedAtUnixTime"]  # type: ignore[attr-defined]
    clock.now = float(start)
    naps = iter([lambda: tell(streams, match, question(1))])
    clock.nap_seconds = 1.5  # the worker comes when it is between two turns: the request came in time
    clock.asleep = lambda: next(naps)()
    path = place["gameId"] if method == "GET" else f"{place['gameId']}/actions"
    answer = send(client, method, path, {"actions": []}, Authorization=place["pic"])
    assert answer.json().get("turn") == 1, answer.content  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("into_the_game", "asked", "slept"),
    [(0.5, 0, 1.5), (1.5, 0, 0), (2.5, 1, 1.5), (4.5, 1, 0), (59.5, 30, 1.5), (59.5, 4, 1.5), (62, 4, 0)],
)
def test_requests_wait_two_seconds_at_most_for_a_worker_that_is_gone(
    client: Client, streams: Redis, clock: Clock, into_the_game: float, asked: int, slept: float
) -> None:
    place = joined(client, "ai", ADA | {"aiName": "rings", "totalTurn": 30})
    match = began(streams, place)
    start = send(client, "GET", place["gameId"]).json()["startedAtUnixTime"]  # type: ignore[attr-defined]
    if asked:
        tell(streams, match, question(asked, seconds=1.0))
    for _again in range(2):
        clock.now = start + into_the_game
        clock.slept = 0.0
        send(client, "GET", place["gameId"])
        assert clock.slept == pytest.approx(slept, abs=0.05)
