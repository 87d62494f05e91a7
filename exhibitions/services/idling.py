"""Ends tables at which nobody answers while others wait for a place."""

from __future__ import annotations

from typing import NamedTuple

import structlog
from redis import RedisError

from contests.selectors.contests import own_hosts_only
from exhibitions.selectors.queue import OPEN, WAITING
from exhibitions.selectors.seats import question_open
from exhibitions.services.answering import NotTaken, seat_answer
from jobs.selectors.workers import tables_count
from matches.models import Match, RemoteSeat
from wire.tables import IDLE_SECONDS, Answer

log = structlog.get_logger(__name__)


class _Idle(NamedTuple):
    """A seat whose question has not been answered for ``IDLE_SECONDS``, or whose answer the worker has not judged."""

    waited: float
    """Seconds since the question was asked."""
    seat: RemoteSeat
    number: int
    """The number of the question."""
    is_ending: bool
    """Whether the worker has an answer already, or knows that the player is out."""


def idle_tables_end() -> int:
    """End tables whose players have not answered for ``IDLE_SECONDS``, as many as others wait for; return how many end.

    Players who have been silent for longest are put out first. Tables in real time are left alone: there the clock ends
    each turn. The attack: four accounts open all tables and answer nothing, and nobody else plays for half an hour.
    """
    # No table that ends makes room for one of a private contest if only hosts of others have tables.
    waiting = WAITING if tables_count(own=True) else WAITING.exclude(own_hosts_only(at="contest"))
    wanted = waiting.count()
    if not wanted:
        return 0
    try:
        idle = sorted(_idle(), key=lambda each: each.waited, reverse=True)
    except RedisError as error:  # the timetable calls again soon
        log.warning("idle_tables_unknown", error=str(error))
        return 0
    wanted -= len({each.seat.match_id for each in idle if each.is_ending})
    ended: set[int] = set()
    for each in idle:
        if each.is_ending or (len(ended) >= wanted and each.seat.match_id not in ended):
            continue
        try:
            seat_answer(seat=each.seat, answer=Answer(each.number, leaves=True, is_idle=True))
        except NotTaken as error:  # it was answered just now
            log.info("idle_table_goes_on", match=each.seat.match_id, reason=str(error))
        else:
            ended.add(each.seat.match_id)
            log.info("idle_table_ended", match=each.seat.match_id, seconds=round(each.waited))
    return len(ended)


def _idle() -> list[_Idle]:
    """Return the seats of tables without real time whose question is older than ``IDLE_SECONDS`` (2 queries a seat).

    Raises:
        redis.exceptions.RedisError: the broker could not be reached.
    """
    running = OPEN.filter(state=Match.State.RUNNING, exhibition__real_time__isnull=True)
    seats = RemoteSeat.objects.select_related("match__exhibition").defer("match__exhibition__played")
    found = []
    for seat in seats.filter(match__in=running):
        asked = question_open(seat=seat)
        if asked and asked.waited > IDLE_SECONDS:
            found.append(_Idle(asked.waited, seat, asked.question.number, asked.is_answered))
    return found
