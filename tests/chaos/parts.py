"""Parts of the chaos tests: a courier that delays and doubles reports, workers that are killed."""

from __future__ import annotations

import heapq
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil
import redis
from kombu.exceptions import OperationalError

from arena import celery as managing
from tests.workers.processes import PlayingWorker

HEARD_QUEUE = "heard"
"""The queue from which the managing worker takes reports; the courier moves them there from the workers' queue."""


class Clock(threading.Thread):
    """Sends the tasks of the arena's timetable, as Celery beat does, but for pairing: the tests choose the matches."""

    TASKS = (
        *("matches.dispatch", "matches.sweep", "ladder.sweep_builds"),
        *("ladder.handle_heartbeats", "ladder.examine_uploads"),
    )

    def __init__(self, *, faster: float = 1) -> None:
        super().__init__(name="clock", daemon=True)
        timetable = managing.app.conf.beat_schedule.values()
        self._entries = [entry for entry in timetable if entry["task"] in self.TASKS]
        self._faster = faster
        self._ended = threading.Event()

    def run(self) -> None:
        """Send the tasks until the end."""
        due = dict.fromkeys(self.TASKS, 0.0)
        while not self._ended.wait(0.05):
            for entry in self._entries:
                if due[entry["task"]] <= time.monotonic():
                    due[entry["task"]] = time.monotonic() + entry["schedule"] / self._faster
                    with suppress(OperationalError):  # the broker is down: the task is sent again
                        managing.app.send_task(entry["task"], **entry["options"], retry=False)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.join()


class Courier(threading.Thread):
    """Moves reports to the site, each with its own delay, so out of order, and every tenth twice."""

    def __init__(self, url: str, rng: random.Random, *, late_seconds: float, very_late_seconds: float) -> None:
        super().__init__(name="courier", daemon=True)
        self.carried = self.doubled = 0
        self._redis = redis.Redis.from_url(url)
        self._rng = rng
        self._late, self._very_late = late_seconds, very_late_seconds
        self._bag: list[tuple[float, int, bytes]] = []
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.is_set() or self._bag:
            try:
                self._take()
                self._deliver()
            except (redis.ConnectionError, redis.BusyLoadingError):
                time.sleep(0.02)  # the broker is down; reports taken so far wait

    def empty(self) -> bool:
        return not self._bag

    def end(self) -> None:
        self._ended.set()
        self.join()
        self._redis.close()

    def _take(self) -> None:
        received = self._redis.brpop(["report"], timeout=0.05)
        if received is None:
            return
        self.carried += 1
        self._pack(received[1])
        if self.carried % 10 == 0:
            self.doubled += 1
            self._pack(received[1])

    def _pack(self, message: bytes) -> None:
        late = self._very_late if self._rng.random() < 0.01 else self._rng.uniform(0, self._late)
        heapq.heappush(self._bag, (time.monotonic() + late, self._rng.getrandbits(60), message))

    def _deliver(self) -> None:
        while self._bag and self._bag[0][0] <= time.monotonic():
            self._redis.lpush(HEARD_QUEUE, self._bag[0][2])
            heapq.heappop(self._bag)


class Crew:
    """Playing workers that are killed and replaced, either the whole worker or only the process that plays."""

    def __init__(self, url: str, folder: Path, size: int, **env: str) -> None:
        self._url, self._folder, self._env = url, folder, env
        self._lock = threading.RLock()
        self._began = time.monotonic()
        self.workers = [self._start(place) for place in range(size)]
        self.acts: list[str] = []
        """What was done and when, printed if the test fails."""

    def note(self, act: str) -> None:
        self.acts.append(f"{time.monotonic() - self._began:.1f}s {act}")

    def kill_process(self, rng: random.Random) -> None:
        """Kill the playing process of some worker."""
        with self._lock:
            for process in rng.choice(self.workers).pool():
                self._kill(process)

    def kill_worker(self, rng: random.Random) -> None:
        """Kill all of some worker, and start another in its place."""
        place = rng.randrange(len(self.workers))
        with self._lock:
            self.note(f"worker {self.workers[place].process.pid} killed")
            self.workers[place].kill()
            with suppress(ProcessLookupError):  # it has just ended
                os.killpg(self.workers[place].process.pid, signal.SIGKILL)
            self.workers[place] = self._start(place)

    def keep_up(self) -> None:
        """Restart workers that have ended by themselves, as a supervisor does."""
        with self._lock:
            for place, worker in enumerate(self.workers):
                if worker.process.poll() is not None:
                    self.note(f"worker {worker.process.pid} ended with {worker.process.returncode}")
                    self.workers[place] = self._start(place)

    def kill_player_of(self, program: str) -> None:
        """Kill the process that plays with a program, if there is one."""
        with self._lock:
            for player in [pid for worker in self.workers for pid in _children(worker.process.pid)]:
                if any(program in _command(bot) for bot in _children(player)):
                    with suppress(psutil.NoSuchProcess):  # it has just ended
                        self._kill(psutil.Process(player))

    def _kill(self, process: psutil.Process) -> None:
        self.note(f"process {process.pid} killed")
        with suppress(psutil.NoSuchProcess):
            process.kill()

    def _start(self, place: int) -> PlayingWorker:
        return PlayingWorker(self._url, self._folder, f"play@{place}", **self._env)

    def stop(self) -> None:
        """End all workers in an orderly way, as an administrator does."""
        for worker in self.workers:
            worker.process.terminate()
        for worker in self.workers:
            worker.process.wait(30)

    def kill(self) -> None:
        """Kill what still runs."""
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.kill()

    def logs(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the name of each worker's log with its lines."""
        for path in sorted(self._folder.glob("worker-*.log")):
            yield path.name, path.read_text().splitlines()


def _children(pid: int) -> list[int]:
    """Return the children of a process; many times faster than listing all processes of the machine.

    None of one that ends while it is looked at.
    """
    with suppress(OSError):
        threads = [thread.read_text() for thread in Path(f"/proc/{pid}/task").glob("*/children")]
        return [int(child) for children in threads for child in children.split()]
    return []


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""
