"""When a worker counts as unreachable."""

from __future__ import annotations

from workers.self_ping import INTERVALS_MAX, SelfPingMonitor


def test_unreachable_after_so_many_intervals_without_a_ping() -> None:
    monitor = SelfPingMonitor()
    *before, last = [monitor.is_unreachable(received=0, expected=True) for _ in range(INTERVALS_MAX)]
    assert last
    assert not any(before)


def test_a_received_ping_restarts_the_count() -> None:
    monitor = SelfPingMonitor()
    for received in range(5):
        assert not any(monitor.is_unreachable(received=received, expected=True) for _ in range(INTERVALS_MAX - 1))


def test_no_ping_is_missed_while_none_is_expected() -> None:
    """While the broker is away or the worker plays, it must not end itself."""
    monitor = SelfPingMonitor()
    for _ in range(INTERVALS_MAX - 1):
        monitor.is_unreachable(received=0, expected=True)
    assert not monitor.is_unreachable(received=0, expected=False)
    assert not monitor.is_unreachable(received=0, expected=True)
