"""Playing workers as separate processes, with only the environment variables that a worker needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.processes import words_of
from tests.releases import TODAY, Code

ROOT = Path(__file__).resolve().parents[2]
LEASE_SECONDS = 2.0
PLAYS = ("-Q", "play,try,build", "-c", "1")
HOLDS_TABLES = ("-Q", "table", "-P", "threads", "-c", "4")
"""Options of a worker of tables."""


class PlayingWorker:
    """One ``celery -A workers.app worker``, by default with one pool process."""

    def __init__(
        self,
        broker_url: str,
        folder: Path,
        node: str = "play@%h",
        pool: Sequence[str] = PLAYS,
        code: Code = TODAY,
        **env: str,
    ) -> None:
        self.log = folder / f"worker-{len(list(folder.glob('worker-*.log')))}.log"
        command = [code.python, "-m", "celery", "-A", "workers.app", "worker", *pool]
        quiet = ["-n", node, "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command + quiet,
                cwd=code.folder,
                env=worker_environment(broker_url, folder) | env,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def pool(self) -> list[psutil.Process]:
        """The processes in which it plays."""
        return [child for child in psutil.Process(self.process.pid).children() if _plays(child)]

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the worker and its pool, not to the bots."""
        for process in [psutil.Process(self.process.pid), *self.pool()]:
            process.send_signal(number)

    def kill(self) -> None:
        """Kill it with all its processes at once, as a power cut does."""
        self.signal(signal.SIGKILL)
        self.process.wait()


def _plays(child: psutil.Process) -> bool:
    """Tell a pool process from the programs a worker starts.

    Not by its age: the kernel tells that to a second, and a process younger than that may play already.
    """
    return "workers.app" in words_of(child)


def worker_environment(broker_url: str, folder: Path) -> dict[str, str]:
    """Return the environment variables of a playing worker."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "REDIS_URL": broker_url,
        "SANDBOX": "bubblewrap",
        "WORKER_CACHE": str(folder / "cache"),
        "LEASE_SECONDS": str(LEASE_SECONDS),
        "REMAP_SIGTERM": "SIGQUIT",
        "LANGUAGES": "python",
    }


@contextmanager
def playing_worker(
    broker_url: str,
    folder: Path,
    node: str = "play@%h",
    pool: Sequence[str] = PLAYS,
    code: Code = TODAY,
    **env: str,
) -> Iterator[PlayingWorker]:
    """Start a playing worker, and kill it at the end of the block. If the block fails, its log is printed."""
    worker = PlayingWorker(broker_url, folder, node, pool, code, **env)
    try:
        yield worker
    except BaseException:
        sys.stderr.write(worker.log.read_text())
        raise
    finally:
        if worker.process.poll() is None:
            worker.kill()
