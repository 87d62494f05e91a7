"""Makers of matches and replays for tests: replays come from the referee, rows are as the services write them."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone

from accounts.models import User
from core import replay
from core.game import JsonObject
from core.message import said
from core.playout import random_answers, replay_answers
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from jobs.files.storage import REPLAYS, file_store
from jobs.leases import token_new
from ladder.models import BotVersion
from matches.models import Attempt, Match, Result, Seat
from matches.services.lifecycle import matches_create
from tests.ladder import makers
from tests.workers.replays import header_of, replay_telling
from wire.jobs import FaultReport, MatchReport

RING = ((0, 1), (1, 0), (1, 0), (0, -1), (0, -1), (-1, 0), (-1, 0), (0, 1))
"""Steps round a square of three cells a side, which encloses its middle after eight turns."""


def make_records(
    *names: str, options: JsonObject | None = None, fault_turn: int = 0, message: str = "", seed: int = 42
) -> list[JsonObject]:
    """Play a real match of Kakomimasu whose agents walk rings: agent k of seat s has the place (4 k + 1, 4 s + 1).

    Args:
        names: of the seats.
        options: of the match.
        fault_turn: the turn in which seat 1 crashes with ``message`` as its sentence; 0: never.
        message: also written behind each order.
        seed: of the match.
    """

    def answer(turn: Turn) -> dict[int, Reply]:
        replies = {
            ask.seat: Reply(_ring_orders(turn.number, ask.seat, ask.answer_lines, message), 1.5, 3.0)
            for ask in turn.asks
        }
        if turn.number == fault_turn:
            replies[1] = Reply([], 2.5, 4.0, "crashed", said(f"It ended with exit code 1. {message}"))
        return replies

    seats = [SeatInfo(name, str(i + 1), makers.DIGEST) for i, name in enumerate(names)]
    rules = game_named("kakomimasu")
    _, records = drive(play(rules, seed=seed, seats=seats, options=options or {"board": "A-1", "agents": 2}), answer)
    return records


def _ring_orders(turn: int, seat: int, agents: int, message: str) -> list[str]:
    orders = []
    for agent in range(agents):
        x, y = 4 * agent + 1, 4 * seat + 1
        for dx, dy in (RING * 20)[: turn - 1]:
            x, y = x + dx, y + dy
        orders.append(f"{'PUT' if turn == 1 else 'MOVE'} {x} {y} {message}".rstrip())
    return orders


def make_version(name: str, owner: str = "", **fields: Any) -> BotVersion:
    """Make an active version of a new bot of an owner, and the owner too if there is no user of that name."""
    username = owner or f"{name} owner"
    user = User.objects.filter(username=username).first() or makers.make_user(username)
    return makers.make_version(makers.make_bot(name, user), **fields)


def make_match(*versions: BotVersion, game: str = "kakomimasu", **fields: Any) -> Match:
    """Make a queued match of versions in seat order."""
    match = Match.objects.create(contest_id=game, game=game, rules_version="1", seed=42, encounter="e" * 32, **fields)
    Seat.objects.bulk_create([Seat(match=match, index=i, version=version) for i, version in enumerate(versions)])
    return match


def queue_match(*versions: int, **fields: Any) -> Match:
    """Put a match of versions in seat order, given by their keys, into the queue as the services do."""
    match = Match(
        **{
            "contest_id": "kakomimasu",
            "game": "kakomimasu",
            "rules_version": "1",
            "seed": 7,
            "encounter": "e" * 32,
            **fields,
        }
    )
    matches_create(tables=[(match, versions)])
    return match


def make_running(*names: str, **fields: Any) -> Match:
    """Make a match of two bots in the state RUNNING."""
    match = make_match(*map(make_version, names or ("Alpha", "Beta")), **fields)
    match.state, match.lease_token, match.lease_ends_at = Match.State.RUNNING, token_new(), match.created_at
    match.save()
    return match


def finish_match(match: Match, records: list[JsonObject] | None = None) -> Match:
    """Finish a match with the result that stands in the records of its replay."""
    records = records or make_records(*(seat.version.bot.name for seat in match.seats.all()))
    footer = records[-1]
    now = timezone.now()
    attempt = Attempt.objects.create(
        match=match,
        number=1,
        lease_token=token_new(),
        worker="worker-1",
        started_at=now,
        ended_at=now,
        ending="result",
    )
    Result.objects.create(
        match=match, attempt=attempt, turns=footer["turns"], replay_digest=store_replay(replay.encode(records))
    )
    for seat in match.seats.all():
        _finish_seat(seat, footer)
    Match.objects.filter(pk=match.pk).update(state=Match.State.FINISHED, started_at=now, finished_at=now)
    match.refresh_from_db()
    return match


def _finish_seat(seat: Seat, footer: JsonObject) -> None:
    fault = footer["faults"][seat.index]
    seat.rank, seat.score = footer["ranks"][seat.index], footer["scores"][seat.index]
    seat.cpu_ms_total, seat.cpu_ms_worst = 100.0, 10.0
    if fault:
        seat.verdict = fault["verdict"]
        seen = {
            "exit_code": 1,
            "stderr": "Traceback <b>\nIndexError",
            "last_input": "1\n0 0",
            "cpu_ms": 2.5,
            "memory_peak_mib": 9.7,
        }
        seat.evidence = msgspec.to_builtins(msgspec.convert({**fault, **seen}, FaultReport))
    seat.save()


def with_replay(match: Match, report: MatchReport) -> MatchReport:
    """Store a replay that agrees with a report, and return the report with its digest."""
    artifacts = match.seats.order_by("index").values_list("version__artifact_digest", flat=True)
    header = header_of(match.game, match.rules_version, match.seed, match.options, list(artifacts))
    return msgspec.structs.replace(report, replay_digest=store_replay(replay_telling(header, report)))


def store_replay(data: bytes) -> str:
    """Store the bytes of a replay as a worker does; return their SHA-256."""
    return file_store(store=REPLAYS, chunks=[data], max_bytes=len(data)).digest


def random_records(game: str) -> list[JsonObject]:
    """Play a match of random players, with as many of them as the game takes."""
    rules = game_named(game)
    table: dict[str, Any] = {"seed": 7, "players": max(rules.players), "options": {}}
    return replay_answers(rules, random_answers(rules, **table), **table)[1]


def finish_random_match(game: str) -> Match:
    """Make a match of random players that has been played to its end."""
    records = random_records(game)
    names = ("Alpha", "Beta", "Gamma", "Delta")[: len(records[0]["seats"])]
    versions = [make_version(name) for name in names]
    return finish_match(make_match(*versions, game=game), records)
