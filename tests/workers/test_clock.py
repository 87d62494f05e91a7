"""A machine whose clock is wrong, as the real broker's clock shows it."""

from __future__ import annotations

import time

import pytest

from deploy.broker import Broker, free_port
from workers.clock import clock_fault
from workers.transport import CLOCKS_APART_SECONDS


@pytest.mark.parametrize(
    ("ahead_seconds", "words"),
    [(CLOCKS_APART_SECONDS + 60, "is 11 minutes ahead of"), (-CLOCKS_APART_SECONDS - 60, "is 11 minutes behind")],
)
def test_a_clock_that_would_lose_every_match_is_told(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, ahead_seconds: int, words: str
) -> None:
    now = time.time()
    monkeypatch.setattr("workers.clock.time.time", lambda: now + ahead_seconds)
    assert words in clock_fault(broker.player_url)


def test_a_clock_that_is_right_is_nothing_to_tell(broker: Broker) -> None:
    assert clock_fault(broker.player_url) == ""


def test_a_broker_that_is_away_is_waited_for_elsewhere() -> None:
    assert clock_fault(f"redis://127.0.0.1:{free_port()}/0") == ""
