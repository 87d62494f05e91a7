"""Holds processes to a fraction of a core by a control group, as on a machine that is much too small."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 100_000


@contextmanager
def held_to(cores: float, pids: Iterable[int]) -> Iterator[Path]:
    """Hold processes, together with the children that they start meanwhile, to a fraction of a core.

    It needs root, and yields the folder of the control group. At the end the processes go back to the root's group.

    Args:
        cores: how much CPU time they may use together in a second.
        pids: the processes.
    """
    quota = max(round(cores * PERIOD_US), 1_000)
    root = GROUPS / "cpu" if (GROUPS / "cpu").is_dir() else GROUPS  # version 1 has a hierarchy for each resource
    group = root / f"contest-day-{os.getpid()}"
    group.mkdir()
    try:
        if root == GROUPS:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        for pid in pids:
            (group / "cgroup.procs").write_text(str(pid))
        yield group
    except PermissionError as error:
        sys.exit(f"A control group cannot be used here ({error}); run the benchmark as root, or without --cores.")
    finally:
        for pid in (group / "cgroup.procs").read_text().split():
            (root / "cgroup.procs").write_text(pid)
        group.rmdir()
