"""When a worker takes itself for deaf."""

from __future__ import annotations

from workers.self_ping import INTERVALS_MAX, SelfPingMonitor


def test_deaf_after_so_many_intervals_without_an_echo() -> None:
    hearing = SelfPingMonitor()
    assert [hearing.is_unreachable(received=0, expected=True) for _ in range(INTERVALS_MAX)] == [False] * (
        INTERVALS_MAX - 1
    ) + [True]


def test_an_echo_begins_the_count_anew() -> None:
    hearing = SelfPingMonitor()
    for heard in range(5):
        assert not any(hearing.is_unreachable(received=heard, expected=True) for _ in range(INTERVALS_MAX - 1))


def test_no_echo_is_missed_while_none_could_come() -> None:
    """The broker is away, or the worker plays: it would be wrong to end then."""
    hearing = SelfPingMonitor()
    for _ in range(INTERVALS_MAX - 1):
        hearing.is_unreachable(received=0, expected=True)
    assert not hearing.is_unreachable(received=0, expected=False)
    assert not hearing.is_unreachable(received=0, expected=True)
