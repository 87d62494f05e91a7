"""The self-test names each wall that is missing, and no other."""

from __future__ import annotations

import os

import pytest

import sandbox
from sandbox import selftest
from sandbox.api import Sandbox
from sandbox.selftest import PROBES, SECRET, failures
from tests.sandbox.holes import HOLES


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
