"""``python -m tests.chaos.scripted URL FOLDER NAME``: a worker that decides matches by a formula instead of bots.

It takes jobs from a real broker by the workers' protocol, puts replays without turns into the store and signs its
reports. Some reports it sends twice, some long after their lease has run out, and some matches always fail. The result
of a match follows from its seed and the names on its seats alone, so whatever is killed, each match has one possible
result.
"""

from __future__ import annotations

import base64
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
import redis

from core.message import Message
from tests.chaos.fleet import letter
from tests.tournaments.undisturbed import ranks_of
from tests.workers.replays import header_of_job, replay_telling
from wire.jobs import (
    BEAT_SECONDS,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    WORKER_BEAT_TASK,
    Heartbeat,
    MatchReport,
    PlayJob,
    SeatReport,
    WireMessage,
)
from wire.signing import broker_user, signature_of
from wire.worker_reports import WorkerBeat

PROCESSES = 4
"""How many matches a worker plays at once."""
MATCH_SECONDS = 0.1
DOUBLED, LATE, TOLD = 0.1, 0.02, 0.3
"""Shares of reports that are sent twice, of those sent too late, and of matches whose beginning is told."""
FAILING = 61
"""One match in so many fails in each attempt, and so becomes void."""


class Worker:
    """The worker's matches and its letters."""

    def __init__(self, url: str, folder: Path, name: str) -> None:
        self._url, self._name = url, f"play@{name}"
        self._redis = redis.Redis.from_url(url)
        self._replays = folder
        self._rng = random.Random()  # noqa: S311 - dice; what it spoils must not change any result
        self._playing: list[tuple[float, PlayJob]] = []
        self._letters: list[tuple[float, bytes]] = []
        """With the moments at which they are sent."""
        self._beat_at = 0.0

    def run(self) -> None:
        """Work until killed."""
        while True:
            with suppress(redis.ConnectionError, redis.BusyLoadingError):  # what was not sent is sent again
                self._work(time.monotonic())
            time.sleep(0.02)

    def _work(self, now: float) -> None:
        if now >= self._beat_at:
            self._redis.lpush("report", self._letter(WORKER_BEAT_TASK, self._beat(now)))
            self._beat_at = now + BEAT_SECONDS
        for end, job in list(self._playing):
            if end <= now:
                self._playing.remove((end, job))
                self._letters += self._reports(job, now)
        for due, text in list(self._letters):
            if due <= now:
                self._redis.lpush("report", text)
                self._letters.remove((due, text))
        if free := PROCESSES - len(self._playing):
            for message in self._redis.rpop("play", free) or []:
                body = base64.b64decode(json.loads(message)["body"]).partition(b"\n")[0]
                self._begin(msgspec.json.decode(body, type=PlayJob), now)

    def _begin(self, job: PlayJob, now: float) -> None:
        self._playing.append((now + MATCH_SECONDS, job))
        if self._rng.random() < TOLD:
            heartbeat = Heartbeat(job.match_id, job.lease_token, self._name, 0.01)
            self._letters.append((now, self._letter(MATCH_HEARTBEAT_TASK, heartbeat)))

    def _reports(self, job: PlayJob, now: float) -> Iterator[tuple[float, bytes]]:
        """Yield the letters about a match that has ended, with when to send each."""
        text = self._letter(MATCH_RESULT_TASK, self._report(job))
        dice = self._rng.random()
        if dice < LATE:  # it says that it plays, and then nothing until another has played the match
            heartbeat = Heartbeat(job.match_id, job.lease_token, self._name, 0.01)
            yield now, self._letter(MATCH_HEARTBEAT_TASK, heartbeat)
            yield now + 2.5 * LEASE_SECONDS, text
        elif dice < LATE + DOUBLED:
            yield now, text
            yield now + self._rng.uniform(0, LEASE_SECONDS), text
        else:
            yield now, text

    def _report(self, job: PlayJob) -> MatchReport:
        of = job.match_id, job.attempt, job.lease_token, self._name
        if job.match_id % FAILING == 0:
            return MatchReport(*of, 0, [], None, platform_fault=Message("worker-failed", {"error": "it is scripted"}))
        ranks = ranks_of(seed=job.seed, names=[seat.name for seat in job.seats])
        report = MatchReport(*of, 60, [SeatReport(rank, 10.0 - rank, 5.0, 1.0) for rank in ranks], None)
        data = replay_telling(header_of_job(job), report)
        digest = sha256(data).hexdigest()
        (self._replays / digest).write_bytes(data)
        return msgspec.structs.replace(report, replay_digest=digest)

    def _beat(self, now: float) -> WorkerBeat:
        who = {"worker": self._name, "host": self._name, "broker_user": broker_user(self._url)}
        how = {"version": "0", "backend": "none", "languages": ["python"]}
        counts = {"cores": 1, "processes": PROCESSES, "busy": len(self._playing), "takes_work": True}
        return WorkerBeat(**who, **how, **counts, uptime_seconds=now, jobs_taken=0, jobs_done=0)

    def _letter(self, task: str, message: WireMessage) -> bytes:
        body = msgspec.json.encode(message)
        return letter(task, body + b"\n" + msgspec.json.encode(signature_of(self._url, task, body)))


if __name__ == "__main__":
    Worker(sys.argv[1], Path(sys.argv[2]), sys.argv[3]).run()
