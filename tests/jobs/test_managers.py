"""How many managers are at work, and since when reports pile up behind them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from jobs import managers
from jobs.managers import BEHIND_SECONDS, REPORTS_FEW, SEEN_SECONDS, Managing, SignsOfLife, managing_now
from wire.jobs import REPORT_QUEUE


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 10_000.0

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(managers, "time", clock)
    return clock


@pytest.fixture
def broker(broker_url: str) -> Iterator[Redis]:
    with Redis.from_url(broker_url) as client:
        yield client


def test_a_burst_of_reports_is_no_backlog(broker: Redis, clock: Clock) -> None:
    broker.lpush(REPORT_QUEUE, *["report"] * 500)
    assert managing_now(broker) == Managing(managers=0, reports=500, seconds=0.0)
    broker.delete(REPORT_QUEUE)
    assert managing_now(broker).reports == 0
    clock.now += BEHIND_SECONDS
    broker.lpush(REPORT_QUEUE, *["report"] * 500)
    assert not managing_now(broker).is_behind, "they have been handled in between"


def test_reports_that_wait_for_half_a_minute_are_a_backlog_until_they_are_few(broker: Redis, clock: Clock) -> None:
    broker.lpush(REPORT_QUEUE, *["report"] * (REPORTS_FEW + 1))
    assert not managing_now(broker).is_behind
    clock.now += BEHIND_SECONDS
    found = managing_now(broker)
    assert (found.is_behind, found.seconds) == (True, BEHIND_SECONDS)
    broker.rpop(REPORT_QUEUE)
    assert not managing_now(broker).is_behind


def test_a_clock_that_is_set_back_is_no_backlog(broker: Redis, clock: Clock) -> None:
    broker.lpush(REPORT_QUEUE, *["report"] * 500)
    managing_now(broker)
    clock.now -= 3_600
    assert managing_now(broker).seconds == 0


def test_managers_that_are_at_work_are_counted(broker: Redis, broker_url: str, clock: Clock) -> None:
    signs = SignsOfLife()
    signs.give(broker_url)
    broker.zadd("managers", {"another.1": clock.now})
    assert managing_now(broker).managers == 2
    clock.now += SEEN_SECONDS + 1
    assert managing_now(broker).managers == 0
    signs.give(broker_url)
    assert managing_now(broker).managers == 1
    assert broker.zcard("managers") == 1, "ended managers are forgotten"


def test_a_manager_notes_a_backlog_although_nobody_looks(broker: Redis, broker_url: str, clock: Clock) -> None:
    broker.lpush(REPORT_QUEUE, *["report"] * 500)
    SignsOfLife().give(broker_url)
    clock.now += BEHIND_SECONDS
    assert managing_now(broker).is_behind


@pytest.mark.parametrize(
    ("present", "seconds", "wanted"), [(0, 0, 1), (1, 0, 1), (3, 10, 3), (1, 31, 2), (1, 3_600, 2), (4, 45, 6)]
)
def test_wanted_managers_follow_the_age_of_the_backlog(present: int, seconds: float, wanted: int) -> None:
    assert Managing(managers=present, reports=500, seconds=seconds).wanted == wanted
