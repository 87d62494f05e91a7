"""Benchmark of the statements that run for every match, by our SQL and by Django: ``python -m tests.bench.statements``.

It fills a PostgreSQL with an arena of 400 bots and 40,000 matches, and prints the CPU time of this process a statement.
"""

from __future__ import annotations

import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import call_command

from deploy.servers import postgres_running
from tests.bench import filling

BOTS, MATCHES = 400, 40_000
REPEATS, ROUNDS = 12, 5


def main() -> None:
    """Print the CPU time of each statement by SQL and by Django in ms, and the sum of all."""
    with tempfile.TemporaryDirectory() as data:
        Path(data).chmod(0o755)  # the server has a user of its own
        with postgres_running(Path(data) / "postgres") as url:
            settings = {"DATA": data, "SECRET_KEY": "only to measure", "PLAYING": "2", "REDIS_URL": ""}
            os.environ |= settings | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.bench.arena_settings"}
            django.setup()
            call_command("migrate", interactive=False, verbosity=0)
            filling.arena_make(bots=BOTS, matches=MATCHES)
            logging.disable()
            _measure()


def _measure() -> None:
    from django.db import connection, transaction

    from matches.services.pairing import matches_pair
    from tests.bench.statement_pairs import statements

    matches_pair(contest=filling.GAME)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    sums = [0.0, 0.0]
    with transaction.atomic():
        for name, ways in statements().items():
            taken = [statistics.median(_cpu_ms(way) for _ in range(ROUNDS)) for way in ways]
            sums = [total + one for total, one in zip(sums, taken, strict=True)]
            sys.stdout.write(f"{name}: {taken[0]:.2f} ms by SQL, {taken[1]:.2f} ms by Django\n")
        transaction.set_rollback(True)
    sys.stdout.write(f"all: {sums[0]:.1f} ms by SQL, {sums[1]:.1f} ms by Django\n")


def _cpu_ms(statement: Callable[[], object]) -> float:
    statement()
    begun = time.process_time()
    for _ in range(REPEATS):
        statement()
    return 1e3 * (time.process_time() - begun) / REPEATS


if __name__ == "__main__":
    main()
