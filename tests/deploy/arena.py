"""Starts an arena in a process as `make run` does after the bootstrap."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from deploy.settings import ROOT
from sandbox.leftovers import owner_lives
from tests.processes import words_of

OPEN = "The arena is open"
QUICK = {"GAMES": "kakomimasu", "LANGUAGES": "python"}
"""Variables for a quick start: check matches of all house bots take minutes, self-tests of all languages seconds."""
ONE_CORE = str(max(os.sched_getaffinity(0)))
"""The core on which test arenas play: tests of CPU limits, which run at the same time, use the first core."""
ENDING_SECONDS_MAX = 40


class Arena:
    """An arena: its process, and what it has printed so far."""

    def __init__(self, data: Path, port: int, python: str | Path = sys.executable, **env: str) -> None:
        self.data = data
        self.url = f"http://localhost:{port}"
        self.process = subprocess.Popen(
            ["taskset", "--cpu-list", ONE_CORE, python, "-m", "deploy.arena"],
            cwd=ROOT,
            env={**_without_django(), **QUICK, "DATA": str(data), "PORT": str(port), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def output(self) -> str:
        """Everything that the arena has printed so far."""
        return "\n".join(self.lines)

    def wait_for(self, words: str, seconds: float = 120, times: int = 1) -> None:
        """Wait until the arena has printed these words ``times`` times."""

        def printed() -> bool:
            return self.output.count(words) >= times

        with self._news:
            found = self._news.wait_for(lambda: printed() or not self._reader.is_alive(), seconds)
        assert found, f"{words!r} was not printed within {seconds} s:\n{self.output}"
        assert printed(), f"ended before {words!r} was printed:\n{self.output}"

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """End the arena by a signal, by default that of Ctrl-C, and return the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end, and return the exit code."""
        code = self.process.wait(ENDING_SECONDS_MAX)
        self._reader.join(5)
        return code

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._news.notify_all()


@contextmanager
def arena_running(data: Path, port: int, python: str | Path = sys.executable, **env: str) -> Iterator[Arena]:
    """Start an arena by this or another interpreter; kill it if the block leaves it running."""
    arena = Arena(data, port, python, **env)
    try:
        yield arena
    finally:
        if arena.process.poll() is None:
            arena.end(signal.SIGTERM)


def errors_in(arena: Arena) -> list[str]:
    """Return the log lines about errors, except about bots that were slow because other tests ran."""
    wrong = [line for line in arena.lines if re.search(r"(?i)\b(error|warning|critical|traceback)\b", line)]
    return [line for line in wrong if not re.search(r"match_waited|match_attempt_requeued", line)]


def processes_of(data: Path) -> list[psutil.Process]:
    """Return the live processes that were started for this folder, also those with another parent by now."""
    mark = str(data).encode()
    found = []
    for process in psutil.process_iter():
        with suppress(OSError, psutil.NoSuchProcess):  # it has just ended
            proc = Path(f"/proc/{process.pid}")
            texts = [(proc / "cmdline").read_bytes(), (proc / "environ").read_bytes(), bytes((proc / "cwd").readlink())]
            is_zombie = process.status() == psutil.STATUS_ZOMBIE
            if any(mark in text for text in texts) and process.pid != os.getpid() and not is_zombie:
                found.append(process)
    return found


def processes_left(data: Path, seconds: float = 5) -> list[str]:
    """Return the command lines of processes started for this folder that do not end in time."""
    _, alive = psutil.wait_procs(processes_of(data), timeout=seconds)
    return [" ".join(words_of(process)) for process in alive]


def groups_left() -> set[str]:
    """Return the control groups of sandboxes whose worker has ended."""
    # The paths of version 2 and version 1. Other folders are not searched, since containers of other tests come and go.
    found = [folder for pattern in ("banzuke/*/", "*/banzuke/*/") for folder in Path("/sys/fs/cgroup").glob(pattern)]
    return {str(path) for path in found if not owner_lives(path.name)}


def _without_django() -> dict[str, str]:
    """Return the environment of this process without the variables of the test database."""
    ours = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "BANZUKE_URL")
    return {name: value for name, value in os.environ.items() if name not in ours}
