from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.servers import postgres_possible, postgres_running


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 1 MiB and yield its folder."""
    if os.geteuid() != 0:
        pytest.skip("needs root: mounts a tiny file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], check=True)
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.fixture
def postgres() -> Iterator[str]:
    """Yield the DATABASE_URL of a PostgreSQL server of this test."""
    if not postgres_possible():
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="banzuke-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # the database's account must be able to reach its folder
        with postgres_running(Path(folder) / "p") as url:
            yield url.rpartition("/")[0]
