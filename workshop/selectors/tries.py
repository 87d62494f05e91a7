"""Reads tries: their state, their log and its marks, as their authors see them."""

from __future__ import annotations

from typing import Any

from accounts.access import Reader
from common.words.messages import sentence_of
from core.text import printable
from jobs.worker_names import worker_host
from matches.live import Followed
from matches.selectors.matches import turns_read
from wire.turnlog import LoggedTurn
from workshop.models import Try
from workshop.selectors.marks import marks_of
from workshop.selectors.waiting import seconds_to_wait, tries_before


def try_of(*, pk: int, reader: Reader) -> Try | None:
    """Return a reader's own try (1 query); None if there is none, or it is another's."""
    if reader.pk is None:
        return None
    # Asked for several times a second: without the answers to be repeated, and the log of another's build.
    tries = Try.objects.select_related("contest", "opponent__bot", "owner").defer("played", "opponent__log")
    return tries.filter(pk=pk, owner=reader.pk).first()


def try_told(*, tried: Try) -> dict[str, Any]:
    """Return what an author is told of a try, as plain values for JSON (6 queries at most, none once it has begun)."""
    before = tries_before(tried=tried) if tried.state == Try.State.WAITING else None
    other = tried.opponent.bot.name if tried.opponent else tried.owner.username
    names = [tried.owner.username if seat == tried.seat else other for seat in range(tried.players)]
    fault = tried.seats[tried.seat]["fault"] if tried.seats else None
    log = printable(tried.log)
    stderr = printable(fault["stderr"]) if fault else ""
    return {
        "id": tried.pk,
        "state": tried.state,
        "place": before,
        "seconds": None if before is None else seconds_to_wait(before=before, own=tried.contest.keeps_to_own_hosts),
        "step": tried.step,
        "verdict": fault["verdict"] if fault else tried.verdict,
        "why": sentence_of(fault["why"] if fault else tried.reason, tried.contest.game, names),
        "log": log,
        "marks": _marks(log, stderr, is_built=tried.state != Try.State.REJECTED),
        "turn": fault["turn"] if fault else None,
        "turns": tried.turns,
        "ranks": [seat["rank"] for seat in tried.seats],
        "scores": [seat["score"] for seat in tried.seats],
        "cpu_ms_total": [round(seat["cpu_ms_total"], 1) for seat in tried.seats],
        "seat": tried.seat,
        "seats": names,
    }


def _marks(log: str, stderr: str, *, is_built: bool) -> list[dict[str, Any]]:
    """Return the places that a build names, and those of the program's last error (no query).

    What a build that has made the program complains about, as an error of types in TypeScript, is a warning.
    """
    if not is_built:
        return marks_of(log=log)
    warnings = [{**mark, "is_error": False} for mark in marks_of(log=log)]
    return marks_of(log=stderr) + warnings


def try_turns(*, tried: Try) -> list[LoggedTurn]:
    """Return what the program was asked, answered and wrote, turn by turn (no query).

    Raises:
        ReplayUnreadable: the match was not played, or its log is missing or damaged.
        StoreAway: the store of replays cannot be reached now.
    """
    return turns_read(digest=tried.log_digest, seats={tried.seat})


def try_followed(*, tried: Try) -> Followed:
    """Return a try as listeners follow it live."""
    rows = Try.objects.filter(pk=tried.pk)

    def host() -> str:
        workers = rows.values_list("worker", flat=True).first()
        return worker_host(workers) if workers else ""

    return Followed(
        name=str(tried),
        lease_token=tried.lease_token,
        host=host,
        runs=rows.filter(lease_token=tried.lease_token).exists,
        ended=rows.exclude(state__in=Try.OPEN).exists,
    )
