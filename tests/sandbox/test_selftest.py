"""The self-test names each promise that the sandbox does not keep, and no other."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

import pytest

import sandbox
from sandbox import selftest
from sandbox.api import Limits, PlatformFault, Process, Program, Sandbox
from sandbox.selftest import PROBES, SECRET, failures
from tests.sandbox.holes import HOLES
from tests.sandbox.programs import one_core
from tests.sandbox.test_fair_time import burners


def test_the_selftest_passes(backend: Sandbox) -> None:
    assert list(failures(backend)) == []
    assert SECRET not in os.environ


def test_every_promise_can_be_broken() -> None:
    assert [probe.promise for probe in PROBES] == list(HOLES)


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.promise)
def test_a_broken_promise_is_named(backend: Sandbox, probe: selftest.Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid():
        pytest.skip("needs root: for other users memory and processes are limited in another way")
    monkeypatch.setattr(selftest, "PROBES", (probe,))
    HOLES[probe.promise][backend.name](monkeypatch)
    (sentence,) = failures(sandbox.backend(backend.name))
    assert sentence.startswith(f"This check fails: {probe.promise} (expected ")


@pytest.mark.parametrize(
    ("busy_for", "end"), [(2, nullcontext()), (3, pytest.raises(PlatformFault, match="overloaded"))]
)
def test_a_machine_that_is_busy_for_a_moment_passes(
    bubblewrap: str, monkeypatch: pytest.MonkeyPatch, busy_for: int, end: AbstractContextManager[object]
) -> None:
    backend, starts = sandbox.backend("bubblewrap"), [PlatformFault("overloaded")] * busy_for
    start = backend.start

    def busy(program: Program, limits: Limits) -> Process:
        if starts:
            raise starts.pop()
        return start(program, limits)

    monkeypatch.setattr(backend, "start", busy)
    monkeypatch.setattr(selftest, "PROBES", PROBES[-1:])
    with end:
        assert list(failures(backend)) == []


@pytest.mark.quiet
def test_the_selftest_needs_at_most_a_tenth_of_a_core(bubblewrap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise no worker would start on a busy machine."""
    monkeypatch.setattr(selftest, "PROBES", PROBES[:1])
    with burners([min(os.sched_getaffinity(0))] * 9, apart=True), one_core():
        assert list(failures(sandbox.backend("bubblewrap"))) == []
