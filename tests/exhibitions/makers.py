"""Makers of tables for tests: opened by the service, and played on by a hand that writes what a worker does."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone
from redis import Redis

from accounts.models import User
from contests.models import Contest
from exhibitions.selectors.seats import seat_of_secret
from exhibitions.services.opening import Opened, Player, table_open
from jobs.models import Worker
from ladder.models import BotVersion
from matches.models import Match, RemoteSeat
from matches.services.match_jobs import MATCHES
from tests.ladder.makers import DIGEST
from tests.matches.makers import make_version, store_replay
from tests.workers.replays import header_of, replay_telling
from wire.jobs import Heartbeat, MatchReport, SeatReport
from wire.live import LINES_FIELD
from wire.tables import TOLD_FIELD, Out, Question, Told, seat_key

WORKER = "north/table@north"
HOST = "north"


def make_player(user: User | None = None, **fields: Any) -> Player:
    """Return a player, by default a guest with a clock of a minute."""
    row = {"name": "Ada", "user": user, "visitor": "" if user else "192.0.2.1", "clock_seconds": 60, "tries": 3}
    return Player(**row | fields)


def make_worker(**fields: Any) -> Worker:
    """Make an active worker of tables."""
    now = timezone.now()
    row = {"name": WORKER, "host": HOST, "version": "1", "backend": "bubblewrap", "cores": 2, "processes": 0}
    return Worker.objects.create(**row | {"tables": 8, "started_at": now, "last_seen_at": now} | fields)


def make_table(*players: Player, bot: BotVersion | None = None, **options: Any) -> Opened:
    """Open a table of Kakomimasu: players from seat 0 on (by default one guest), then a bot if a seat is left."""
    if not Worker.objects.filter(name=WORKER).exists():
        make_worker()
    players = players or (make_player(),)
    seats: dict[int, BotVersion | Player] = dict(enumerate(players))
    if len(players) == 1:
        seats[1] = bot or make_version("Beta")
    return table_open(contest=Contest.objects.get(pk="kakomimasu"), seats=seats, **options)


def table_begin(match: Match) -> None:
    """Report that the worker plays the match."""
    match.refresh_from_db()
    MATCHES.heartbeat(report=Heartbeat(match_id=match.pk, lease_token=match.lease_token, worker=WORKER, seconds=0.1))


def report_of(match: Match, **fields: Any) -> MatchReport:
    """Return what a worker reports of a table, by default that it was lost by our fault."""
    row = {"match_id": match.pk, "attempt": match.attempt, "lease_token": match.lease_token, "worker": WORKER}
    row |= {"seconds": 3.0, "turns": 0, "seats": [], "replay_digest": None}
    return MatchReport(**row | fields)


def finish(match: Match) -> None:
    """Report the end of a table at which Beta has won, since Ada gave up."""
    seats = [SeatReport(rank, score, cpu_ms_total=1.0, cpu_ms_worst=1.0) for rank, score in ((2, 3.0), (1, 5.0))]
    report = report_of(match, turns=9, seats=seats)
    header = header_of(match.game, match.rules_version, match.seed, match.options, ["", DIGEST])
    digest = store_replay(replay_telling(header, report))
    MATCHES.record(report=msgspec.structs.replace(report, replay_digest=digest))
    match.refresh_from_db()
    assert match.state == Match.State.FINISHED, match.void_reason


def seat_of(opened: Opened, index: int = 0) -> RemoteSeat:
    """Return a seat as a request with its secret finds it."""
    seat = seat_of_secret(match=opened.match.pk, secret=opened.secrets[index])
    assert seat is not None
    return seat


def question(number: int, **fields: Any) -> Question:
    """Return a question as a worker asks it."""
    row = {"turn": number, "lines": ["1", "2"], "answer_lines": 1, "offered": [["STAY"]], "seconds": 60.0, "tries": 3}
    return Question(number=number, **row | fields)


def out(turn: int = 3) -> Out:
    """Return what a seat is told that is out."""
    return Out(turn=turn, verdict="time", why={"kind": "worker-silent", "args": {}})


def tell(broker: Redis, match: Match, *told: Told | list[dict[str, Any]], seat: int = 0, host: str = HOST) -> None:
    """Add messages, or lines of the replay, to the stream of a seat as the worker does."""
    match.refresh_from_db()
    for each in told:
        lines = b"\n".join(map(msgspec.json.encode, each)) if isinstance(each, list) else b""
        fields = {LINES_FIELD: lines} if isinstance(each, list) else {TOLD_FIELD: msgspec.json.encode(each)}
        broker.xadd(seat_key(match.lease_token, seat, host=host), fields)
