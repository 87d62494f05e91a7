"""Opens tables against the bots of an arena, and prints them as JSON: ``python -m tests.bench.opening COUNT``."""

from __future__ import annotations

import json
import sys
import time

import django

WORKER_SECONDS = 60
"""How long the worker of tables may take to start on a busy machine."""


def main(count: int) -> None:
    """Open tables of one guest each, each against another bot."""
    django.setup()
    from contests.models import Contest
    from exhibitions.services.opening import Player, table_open
    from jobs.selectors.workers import tables_count
    from ladder.models import BotVersion

    ends = time.monotonic() + WORKER_SECONDS
    while not tables_count() and time.monotonic() < ends:
        time.sleep(0.5)
    contest = Contest.objects.get(pk="kakomimasu")
    opened = [
        table_open(contest=contest, seats={0: Player("guest", None, f"guest {place}", 60, 3), 1: version})
        for place, version in enumerate(BotVersion.objects.order_by("pk")[:count])
    ]
    sys.stdout.write(json.dumps([{"match": table.match.pk, "secret": table.secrets[0]} for table in opened]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
