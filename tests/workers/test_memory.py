"""Matches whose bots may use more memory than the machine has."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sandbox.api import Limits
from sandbox.surroundings import Memory
from tests.words import english
from tests.workers.conftest import GOOD_BOT, FileSite, play_job
from tests.workers.processes import ROOT
from wire.jobs import MEMORY, BotLimits
from workers import memory
from workers.lacking import Lacking
from workers.memory import memory_reserved
from workers.play import Tools, match_play

BOT = Limits(memory_mib=700)
HOLDS = """
from sandbox.api import Limits
from workers.memory import memory_reserved
with memory_reserved([Limits(memory_mib=700)]):
    print(flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine of 2,000 MiB, of which 1,800 are free."""
    monkeypatch.setenv("WORKER_CACHE", str(tmp_path))
    monkeypatch.setattr(memory, "memory", lambda: Memory(2_000, 1_800))


def test_a_match_waits_until_its_bots_fit_beside_those_of_others() -> None:
    """As bots of other processes do, those of the threads of a worker of tables count."""
    begins = threading.Event()

    def third() -> None:
        with memory_reserved([BOT]):
            begins.set()

    thread = threading.Thread(target=third)
    with memory_reserved([BOT]):
        with memory_reserved([BOT]), memory_reserved([]):
            thread.start()
            assert not begins.wait(0.3)
        assert begins.wait(10)
    thread.join()


def test_what_a_killed_process_has_reserved_is_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory", lambda: Memory(1_000, 1_000))
    monkeypatch.setattr(memory, "WAIT_SECONDS", 0)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        holder.stdout.readline()
        with pytest.raises(Lacking, match="reserved=700"), memory_reserved([BOT]):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with memory_reserved([BOT]):
            pass


def test_a_match_waits_for_memory_to_be_free_unless_it_is_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a small machine, of which the site uses much, would play nothing."""
    monkeypatch.setattr(memory, "memory", lambda: Memory(2_000, 600))
    monkeypatch.setattr(memory, "WAIT_SECONDS", 0)
    with memory_reserved([BOT]), pytest.raises(Lacking, match="free=600"), memory_reserved([BOT]):
        pass
    with memory_reserved([BOT, BOT]):
        pass


def test_a_match_that_does_not_fit_at_all_is_handed_back_at_once(
    site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Memory(1_300, 1_200)
    monkeypatch.setattr(memory, "memory", lambda: here)
    report = match_play(play_job(site, GOOD_BOT, GOOD_BOT, limits=BotLimits(memory_mib=700)), tools)
    assert report.lacks == MEMORY
    assert f"may use 1,400 MiB, and this worker has {here.free:,} MiB free" in english(report.platform_fault)
