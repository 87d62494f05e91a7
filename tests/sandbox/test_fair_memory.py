"""A machine that is short of memory makes no bot lose."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import cgroups, leftovers
from sandbox.api import BotFault, Limits, PlatformFault, Sandbox, TurnLimits
from sandbox.bubblewrap import Bubblewrap
from tests.sandbox.programs import python

pytestmark = pytest.mark.quiet

TURN = TurnLimits(cpu_ms=2_000)
HOARDER = "input(); x = bytearray(60 << 20); print('mine'); input()"


@pytest.fixture
def apart(bubblewrap: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Yield a sandbox whose control groups lie in another group, as in a worker that runs in a container."""
    if os.geteuid() or cgroups.problem():
        pytest.skip("needs root and control groups that can be written")
    monkeypatch.setattr(cgroups, "PARENT", f"banzuke-test-{leftovers.fresh_name()}")
    yield Bubblewrap()
    cgroups.remove_parents()


@pytest.mark.parametrize(
    ("own_mib", "fault", "words"),
    [(256, PlatformFault, "machine-short-of-memory .* limit=256"), (40, BotFault, "bot-memory limit=40")],
)
def test_a_machine_short_of_memory_is_to_blame_and_not_the_bot(
    apart: Sandbox, tmp_path: Path, own_mib: int, fault: type[Exception], words: str
) -> None:
    """The kernel kills a bot also when the machine runs out of memory; only a bot at its own limit is to blame."""
    with apart.start(python(tmp_path, HOARDER), Limits(memory_mib=own_mib)) as process:
        group = process._group
        (group.folders[0].parent / group._limit_file).write_text(str(50 << 20))
        with pytest.raises(fault, match=words):
            process.ask(["go"], TURN)
