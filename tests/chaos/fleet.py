"""``python -m tests.chaos.fleet [--workers 200] [--managers 2] [--filled MATCHES]``: how many matches are served.

A fleet that only pretends to play: one process takes jobs from a real broker by the workers' protocol and after a
while, too short for a sign of life, puts a replay without turns into the store and sends its result. Real: broker,
PostgreSQL, managing workers, clock, pairing, ratings. Printed: matches a second, what waits, and the CPU time a match
of each part.
"""

from __future__ import annotations

import argparse
import base64
import heapq
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
import psutil
import redis

from deploy.broker import broker_running
from deploy.servers import postgres_running
from deploy.settings import ROOT
from tests.workers.replays import header_of_job, replay_telling
from wire.jobs import BEAT_SECONDS, MATCH_RESULT_TASK, WORKER_BEAT_TASK, MatchReport, PlayJob, SeatReport, WireMessage
from wire.message_filter import CONTENT_TYPE
from wire.signing import broker_user, signature_of
from wire.worker_reports import WorkerBeat

WARM_UP_SECONDS = 10
MATCH_SECONDS = 0.6
"""200 workers of one process could play 333 matches a second: somewhat more than the managing side is to serve."""
BOTS = 400
"""Each has five matches in flight at most: 60 bots cannot keep more than 150 workers busy."""

SEED = """
import os, django
django.setup()
from django.utils import timezone
from ladder.models import Bot, BotVersion, User
from tests.bench.filling import arena_make
if {filled}:
    arena_make(bots={bots}, matches={filled})
for number in range(BotVersion.objects.count(), {bots}):
    user = User.objects.create(username=f"user{{number}}")
    bot = Bot.objects.create(owner=user, contest_id="kakomimasu", game="kakomimasu", name=f"bot {{number}}")
    BotVersion.objects.create(bot=bot, number=1, state="active", artifact_digest=f"{{number:064x}}",
        bundle_digest=f"{{number:064x}}", bundle_bytes=1, language="python", entry="main.py",
        upload_name="main.py", activated_at=timezone.now())
"""


class Fleet:
    """Workers that only pretend to play."""

    def __init__(self, url: str, workers: int, replays: Path) -> None:
        self.played = 0
        self._url, self._redis = url, redis.Redis.from_url(url)
        self._free = [f"play@w{number}" for number in range(workers)]
        self._names = tuple(self._free)
        self._replays = replays
        self._busy: list[tuple[float, str, PlayJob]] = []
        self._beat_at = 0.0

    def run(self, seconds: float) -> None:
        """Pretend to play for so many seconds."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            letters = [*self._beats(now), *self._ends(now)]
            self._take(now)
            if letters:
                self._redis.lpush("report", *letters)
            else:
                time.sleep(0.002)

    def waiting(self) -> dict[str, int]:
        """Return how many messages wait in each queue."""
        return {queue: self._redis.llen(queue) for queue in ("play", "report", "manage")}

    def _beats(self, now: float) -> Iterator[bytes]:
        if now < self._beat_at:
            return
        self._beat_at = now + BEAT_SECONDS
        for name in self._names:
            counts = {"cores": 1, "processes": 1, "busy": 0, "takes_work": True, "uptime_seconds": now}
            who = {"worker": name, "host": name, "broker_user": broker_user(self._url)}
            how = {"version": "0", "backend": "none", "languages": ["python"]}
            beat = WorkerBeat(**who, **how, **counts, jobs_taken=0, jobs_done=0)
            yield self._letter(WORKER_BEAT_TASK, beat)

    def _ends(self, now: float) -> Iterator[bytes]:
        while self._busy and self._busy[0][0] <= now:
            _, worker, job = heapq.heappop(self._busy)
            self._free.append(worker)
            self.played += 1
            seats = [SeatReport(rank, 10.0 - rank, 5.0, 1.0) for rank in (1, 2)]
            if hash((job.seed, job.seats[0].name)) % 2:
                seats.reverse()
            report = MatchReport(job.match_id, job.attempt, job.lease_token, worker, 60, seats, None)
            yield self._letter(MATCH_RESULT_TASK, self._with_replay(job, report))

    def _with_replay(self, job: PlayJob, report: MatchReport) -> MatchReport:
        data = replay_telling(header_of_job(job), report)
        digest = sha256(data).hexdigest()
        (self._replays / digest).write_bytes(data)
        return msgspec.structs.replace(report, replay_digest=digest)

    def _letter(self, task: str, message: WireMessage) -> bytes:
        body = msgspec.json.encode(message)
        return letter(task, body + b"\n" + msgspec.json.encode(signature_of(self._url, task, body)))

    def _take(self, now: float) -> None:
        for message in self._redis.rpop("play", len(self._free)) or [] if self._free else []:
            job = msgspec.json.decode(base64.b64decode(json.loads(message)["body"]).partition(b"\n")[0], type=PlayJob)
            worker = self._free.pop()
            heapq.heappush(self._busy, (now + MATCH_SECONDS, worker, job))


def letter(task: str, text: bytes) -> bytes:
    """Return a message as Celery puts it into Redis; made here, since Celery takes longer for it than a manager."""
    body = base64.b64encode(text).decode()
    number = str(uuid.uuid4())
    route = {"exchange": "", "routing_key": "report"}
    how = {"delivery_mode": 2, "delivery_info": route, "priority": 0, "body_encoding": "base64", "delivery_tag": number}
    return json.dumps(
        {
            "body": body,
            "content-encoding": "utf-8",
            "content-type": CONTENT_TYPE,
            "headers": {"lang": "py", "task": task, "id": number, "root_id": number, "retries": 0},
            "properties": {"correlation_id": number, **how},
        }
    ).encode()


@contextmanager
def managing_side(
    folder: Path, managers: int, bots: int, filled: int
) -> Iterator[tuple[str, Path, dict[str, list[psutil.Process]]]]:
    """Run broker, database, managing workers and beat; yield the broker's URL, the replays' folder, the processes."""
    with ExitStack() as stack:
        database_url = stack.enter_context(postgres_running(folder / "p"))
        broker = stack.enter_context(broker_running(folder / "b", site_password="site", player_password="player"))
        env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "arena.settings.production",
            "SECRET_KEY": "only to measure",
            "ALLOWED_HOSTS": "localhost",
            "DATABASE_URL": database_url,
            "REDIS_URL": broker.site_url,
            "DATA": str(folder / "data"),
            "GAMES": "kakomimasu",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        program = [sys.executable, "-c", SEED.format(bots=bots, filled=filled)]
        subprocess.run(program, cwd=ROOT, env=env, check=True)
        replays = folder / "data" / "replays"
        replays.mkdir(parents=True, exist_ok=True)
        celery = [sys.executable, "-m", "celery", "-A", "arena.celery"]
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
        commands = {"clock": [[*celery, "beat", "-s", str(folder / "beat"), "--pidfile", ""]]}
        commands["managers"] = [
            [*celery, "worker", "-n", f"manage{number}", "-Q", "report,manage", "-P", "solo", *quiet]
            for number in range(managers)
        ]
        processes = {}
        for name, lines in commands.items():
            log = stack.enter_context((folder / f"{name}.log").open("wb"))
            started = [subprocess.Popen(line, cwd=ROOT, env=env, stdout=log, stderr=log) for line in lines]
            for process in started:
                stack.callback(process.wait)
                stack.callback(process.kill)
            processes[name] = [psutil.Process(process.pid) for process in started]
        cluster = int((folder / "p" / "cluster" / "postmaster.pid").read_text().split()[0])
        processes |= {"database": [psutil.Process(cluster)], "broker": [psutil.Process(broker.process.pid)]}
        yield broker.site_url, replays, processes | {"fleet": [psutil.Process()]}


def cpu_seconds(processes: list[psutil.Process]) -> float:
    """Return the CPU time of processes and their children until now, without the children of this process."""
    total = 0.0
    for process in processes:
        children = [] if process.pid == os.getpid() else process.children(recursive=True)
        for one in [process, *children]:
            times = one.cpu_times()
            total += times.user + times.system
    return total


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.fleet")
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--managers", type=int, default=2)
    parser.add_argument("--bots", type=int, default=BOTS)
    parser.add_argument("--filled", type=int, default=0, help="so many matches of the bots have been played before")
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-") as name, ExitStack() as stack:
        Path(name).chmod(0o711)
        side = managing_side(Path(name), arguments.managers, arguments.bots, arguments.filled)
        url, replays, processes = stack.enter_context(side)
        fleet = Fleet(url, arguments.workers, replays)
        fleet.run(WARM_UP_SECONDS)
        before, played, waited = {n: cpu_seconds(p) for n, p in processes.items()}, fleet.played, fleet.waiting()
        fleet.run(arguments.seconds)
        matches = fleet.played - played
        sys.stdout.write(f"matches a second: {matches / arguments.seconds:.1f}\n")
        for part, found in processes.items():
            spent = cpu_seconds(found) - before[part]
            per_match = f"{1_000 * spent / max(matches, 1):.2f} ms a match"
            sys.stdout.write(f"CPU of {part}: {per_match}, {100 * spent / arguments.seconds:.0f} % of a core\n")
        sys.stdout.write(f"waiting: {waited} before, {fleet.waiting()} after\n")


if __name__ == "__main__":
    main()
