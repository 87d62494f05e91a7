"""Benchmark of the services of a match, without broker, Celery and web: ``python -m tests.bench.services``."""

from __future__ import annotations

import logging
import os
import statistics
import sys
import tempfile
import time

import msgspec

from tests.bench import seeding

BOTS = 20
WARM_UP_MATCHES = 20
MATCHES = 25
REPEATS = 8


def main() -> None:
    """Print CPU time and database queries a match, for its result, its share of pairing, and handing out the next."""
    with tempfile.TemporaryDirectory() as data:
        settings = {"DATA": data, "SECRET_KEY": "only to measure", "PLAYING": "2", "DATABASE_URL": "", "REDIS_URL": ""}
        os.environ |= settings | {"DJANGO_SETTINGS_MODULE": "tests.bench.arena_settings"}
        seeding.main(BOTS)
        logging.disable()
        _measure()


def _measure() -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from jobs.files.storage import REPLAYS, file_store
    from jobs.services import life
    from matches.services.match_jobs import MATCHES as PLAYED
    from matches.services.pairing import matches_pair, matches_pair_again
    from tests.workers.replays import header_of_job, replay_telling
    from wire.jobs import MatchReport, PlayJob, SeatReport

    jobs: list[PlayJob] = []
    life.jobs_send = lambda _app, _task, more, **_: jobs.extend(more)  # type: ignore[assignment] # no broker
    seats = [SeatReport(1, 2.0, 1.0, 1.0), SeatReport(2, 1.0, 1.0, 1.0)]

    def played(job: PlayJob) -> MatchReport:
        report = MatchReport(job.match_id, job.attempt, job.lease_token, "worker", 60, seats, None)
        data = replay_telling(header_of_job(job), report)
        digest = file_store(store=REPLAYS, chunks=[data], max_bytes=len(data)).digest
        return msgspec.structs.replace(report, replay_digest=digest)

    def play(matches: int) -> float:
        spent = 0.0
        for _ in range(matches):
            report = played(jobs.pop(0))
            begun = time.process_time()
            PLAYED.record(report=report)
            matches_pair_again(contest="kakomimasu")
            spent += time.process_time() - begun
        return 1e3 * spent / matches

    matches_pair(contest="kakomimasu")
    play(WARM_UP_MATCHES)
    cpu_ms = [play(MATCHES) for _ in range(REPEATS)]
    with CaptureQueriesContext(connection) as statements:
        play(MATCHES)
    sys.stdout.write(f"CPU time a match: {statistics.median(cpu_ms):.1f} ms (best {min(cpu_ms):.1f})\n")
    sys.stdout.write(f"statements a match: {len(statements) / MATCHES:.1f}\n")


if __name__ == "__main__":
    main()
