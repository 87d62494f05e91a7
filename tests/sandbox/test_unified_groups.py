"""Control groups of version 2 on a real hierarchy, also where version 1 has the memory and pids controllers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from sandbox import cgroups, leftovers
from sandbox.bubblewrap import join_command
from sandbox.freezer import Freezer

FAMILY = """
import os, sys, time
sys.stdin.readline()
if os.fork():
    os.wait()
end = time.process_time() + 0.15
while time.process_time() < end: pass
print("spent", flush=True)
while True: pass
"""
"""A program whose child uses 150 ms of CPU, reports it and computes on, while the parent waits for the child."""


@pytest.fixture
def hierarchy() -> Iterator[Path]:
    """Yield a new group in the unified hierarchy."""
    mounts = (line.split() for line in Path("/proc/mounts").read_text().splitlines())
    place = next((Path(words[1]) for words in mounts if words[2] == "cgroup2"), None)
    if os.geteuid() or place is None:
        pytest.skip("needs root and a cgroup2 hierarchy: mount -t cgroup2 none /sys/fs/cgroup/unified")
    folder = place / f"banzuke-test-{leftovers.fresh_name()}"
    folder.mkdir()
    yield folder
    cgroups._empty(partial(cgroups._pids_in, str(folder / "cgroup.procs")))
    cgroups._rmdir(folder)


@pytest.fixture
def group(hierarchy: Path, tmp_path: Path) -> Iterator[cgroups.GroupV2]:
    """Yield a ``GroupV2``; files of memory and pids are fakes, since version 1 may have these controllers."""
    for name in ("cpu.stat", "cgroup.procs"):
        (tmp_path / name).symlink_to(hierarchy / name)
    (tmp_path / "memory.events").write_text("oom_kill 0\n")
    (tmp_path / "memory.current").write_text("0\n")
    (tmp_path / "pids.current").write_text("2\n")
    group = cgroups.GroupV2(tmp_path)
    yield group
    group.close()


def test_parent_and_child_are_counted_frozen_and_killed_together(group: cgroups.GroupV2) -> None:
    command = [*join_command(group), sys.executable, "-c", FAMILY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        parent.stdin.write("go\n")
        parent.stdin.flush()
        assert parent.stdout.readline() == "spent\n"
        (child,) = psutil.Process(parent.pid).children()
        assert set(group.pids()) == {parent.pid, child.pid}
        assert group.cpu_ms() > 145
        freezer = Freezer(group, frozenset())
        freezer.freeze()
        before = group.cpu_ms()
        time.sleep(0.2)  # no event to wait for: the test checks that nothing happens
        assert group.cpu_ms() - before < 20
        freezer.thaw()
        freezer.close()
        cgroups._empty(group.pids)
        assert group.pids() == []
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
