"""Makers of tries for tests: begun by the service, and reported on by a hand that writes what a worker does."""

from __future__ import annotations

from typing import Any

import msgspec

from accounts.models import User
from core.replay import encode
from jobs.files.storage import REPLAYS, file_store
from tests.matches.makers import make_records, store_replay
from wire.jobs import SeatReport, TryProgress, TryReport
from wire.turnlog import LoggedTurn, pack
from workshop.models import Try
from workshop.services.tries import TRIES, try_begin

FILES = {"main.py": "print('hello')\n"}
WORKER = "worker-1"


def make_try(owner: User, **fields: Any) -> Try:
    """Begin a try of Kakomimasu, by default against a copy of itself on the first seat."""
    row = {"contest": "kakomimasu", "language": "python", "files": FILES, "opponent": None, "seat": 0}
    return try_begin(owner=owner, **row | fields)


def reached(tried: Try, step: str, worker: str = WORKER) -> None:
    """Report a step, as the worker of the current attempt does."""
    tried.refresh_from_db()
    TRIES.heartbeat(report=TryProgress(tried.pk, tried.lease_token, step, worker))


def report_of(tried: Try, **fields: Any) -> TryReport:
    """Return the report of a worker that has played the match of the current attempt."""
    tried.refresh_from_db()
    records = make_records(*["hana"] * tried.players)
    turns = [LoggedTurn(seat, 1, "asked", "NONE", f"of {seat}", 1.0, 2.0) for seat in range(tried.players)]
    log = pack(turns)
    report = TryReport(
        tried.pk,
        tried.lease_token,
        WORKER,
        turns=len(records) - 2,
        seats=[SeatReport(1 + seat, 5.0 - seat, 1.0, 1.0) for seat in range(tried.players)],
        replay_digest=store_replay(encode(records)),
        log_digest=file_store(store=REPLAYS, chunks=[log], max_bytes=len(log)).digest,
        language="python",
        entry="main.py",
        log="all well",
    )
    return msgspec.structs.replace(report, **fields)
