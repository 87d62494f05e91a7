"""The self-test names each wall that is missing, and no other."""

from __future__ import annotations

import os

import pytest

import sandbox
from sandbox import selftest
from sandbox.api import Limits, PlatformFault, Process, Program, Sandbox
from sandbox.selftest import PROBES, SECRET, failures
from tests.sandbox.holes import HOLES
from tests.sandbox.test_fair_time import burners


def test_the_walls_stand(walls: Sandbox) -> None:
    assert list(failures(walls)) == []
    assert SECRET not in os.environ


def test_every_wall_can_be_taken_away() -> None:
    assert [probe.wall for probe in PROBES] == list(HOLES)


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.wall)
def test_a_missing_wall_is_named(walls: Sandbox, probe: selftest.Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid():
        pytest.skip("needs root: without it other walls hold memory and processes")
    monkeypatch.setattr(selftest, "PROBES", (probe,))
    HOLES[probe.wall][walls.name](monkeypatch)
    (sentence,) = failures(sandbox.backend(walls.name))
    assert sentence.startswith(f"This wall is missing: {probe.wall} (expected ")


@pytest.mark.parametrize(("busy_for", "told"), [(2, []), (3, ["overloaded"])])
def test_a_machine_that_is_busy_for_a_moment_lacks_no_wall(
    bubblewrap: str, monkeypatch: pytest.MonkeyPatch, busy_for: int, told: list[str]
) -> None:
    walls, starts = sandbox.backend("bubblewrap"), [PlatformFault("overloaded")] * busy_for
    start = walls.start

    def busy(program: Program, limits: Limits) -> Process:
        if starts:
            raise starts.pop()
        return start(program, limits)

    monkeypatch.setattr(walls, "start", busy)
    monkeypatch.setattr(selftest, "PROBES", PROBES[-1:])
    faults = []
    try:
        assert list(failures(walls)) == []
    except PlatformFault as fault:
        faults.append(str(fault))
    assert faults == told


def test_it_asks_for_no_more_than_a_tenth_of_a_core(bubblewrap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker of a busy machine would start."""
    cores = os.sched_getaffinity(0)
    monkeypatch.setattr(selftest, "PROBES", PROBES[:1])
    with burners([min(cores)] * 9, apart=True):
        os.sched_setaffinity(0, {min(cores)})
        try:
            assert list(failures(sandbox.backend("bubblewrap"))) == []
        finally:
            os.sched_setaffinity(0, cores)
