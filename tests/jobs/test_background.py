"""Work in threads of a managing process."""

from __future__ import annotations

import threading

import pytest

from jobs.background import background_run


def test_one_piece_of_work_runs_at_a_time_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def fail() -> None:
        begun.set()
        go_on.wait(10)
        raise OSError("The store is away.")

    background_run("work", fail)
    assert begun.wait(10)
    background_run("work", done.set)
    background_run("other work", done.set)
    assert done.wait(10), "of another name"
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "work")
    go_on.set()
    thread.join(10)
    assert "background_failed" in caplog.text
    done.clear()
    background_run("work", done.set)
    assert done.wait(10), "the next time"
