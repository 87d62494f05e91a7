"""Reads remote seats: whose a secret is, which question is open, and the place of a table in line."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.crypto import constant_time_compare
from redis import Redis

from common.queries.compiled import CompiledQuery
from common.text import ROW_NUMBER_MAX
from contests.selectors.visibility import contest_key_is_seen
from exhibitions.selectors.queue import WAITING
from exhibitions.selectors.tables import seats_of
from matches.models import Match, RemoteSeat
from matches.selectors.matches import attempt_host
from wire.live import BATCH_BYTES_MAX, token_hash
from wire.tables import TOLD_FIELD, Question, Told, answers_key, seat_key

TAKEN_PREFIX = "taken."
"""Prefix of keys, which no worker may read, that hold the number of the last question of a seat that was answered."""
_BROKER_SECONDS = 2

# The value is not read if it is longer than any honest worker's. The attack: a worker that was taken over adds an entry
# of hundreds of megabytes, and for each request the site reads it into memory.
_READ = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or #last[2] ~= 2 or last[2][1] ~= ARGV[1] or #last[2][2] > tonumber(ARGV[2]) then return false end
local now = redis.call('TIME')
return {last[1], last[2][2], now[1], now[2], redis.call('GET', KEYS[2]) or '0'}
"""


class SeatKeys(NamedTuple):
    """The keys in the broker (Redis) that belong to a remote seat in the current attempt of its match.

    ``stream`` has what the seat is told, ``answers`` its answers for the worker, and ``taken`` the number of the last
    question that was answered.
    """

    stream: str
    answers: str
    taken: str
    needless: str
    """The key of a count of the seat's answers in the present second that were not taken."""


class Asked(NamedTuple):
    """The question that a seat is asked now."""

    question: Question
    entry: str
    """Id of its entry in the seat's stream."""
    at: float
    """When it was asked: Unix time by the clock of the worker's machine."""
    left: float
    """Seconds that are left for the answer, at least 0; 0 also if there is no limit (``Question.seconds`` is 0)."""
    waited: float
    """Seconds since it was asked, at least 0."""
    is_answered: bool
    """Whether an answer to it has been taken; it stays open until the worker has judged the answer."""


def seat_broker() -> Redis:
    """Return the client of the broker for short requests about seats."""
    return _broker(settings.REDIS_URL)


@cache
def _broker(url: str) -> Redis:
    return Redis.from_url(url, socket_connect_timeout=_BROKER_SECONDS, socket_timeout=_BROKER_SECONDS)


def secret_hash(secret: str) -> str:
    """Return what the database stores of a seat's secret.

    A fast hash is enough: the secret is random, so nobody can try them all.
    """
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def seat_of_secret(*, match: int, secret: str) -> RemoteSeat | None:
    """Return the remote seat that has this secret in the match with this primary key; None if none has.

    The seat has its match and exhibition loaded. None also if the player may not see the contest any more. 1 query, and
    at most 3 more if the contest is not public. The attack: a player answers for the seat of another, or measures how
    long a wrong secret takes to be refused; or a member who was removed from a private contest goes on by the secret of
    an old table.
    """
    if match > ROW_NUMBER_MAX:
        return None
    told = secret_hash(secret)
    found = next((seat for seat in _SEATS.rows(match) if constant_time_compare(seat.secret_hash, told)), None)
    if found is None or not contest_key_is_seen(found.match.contest_id, reader=found.user or AnonymousUser()):
        return None
    return found


# Each request of a player begins with it.
_SEATS = CompiledQuery(
    lambda match: (
        RemoteSeat.objects.select_related("match__exhibition").defer("match__exhibition__played").filter(match=match)
    )
)


def seat_keys(*, seat: RemoteSeat) -> SeatKeys | None:
    """Return the broker's keys for a seat (1 query); None if no worker has begun its table, or the table has ended."""
    if seat.match.state != Match.State.RUNNING:
        return None
    lease_token = seat.match.lease_token
    host = attempt_host(lease_token=lease_token)
    taken = f"{TAKEN_PREFIX}{token_hash(lease_token)}.{seat.index}"
    return SeatKeys(
        stream=seat_key(lease_token, seat.index, host=host),
        answers=answers_key(lease_token, seat.index, host=host),
        taken=taken,
        needless=f"{taken}.needless",
    )


def question_open(*, seat: RemoteSeat) -> Asked | None:
    """Return the question that a seat is asked now (1 query, 1 request to the broker); None if there is none.

    The seat is as ``seat_of_secret`` returns it; its match is not read again.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached.
    """
    keys = seat_keys(seat=seat)
    return question_at(keys=keys) if keys else None


def question_at(*, keys: SeatKeys) -> Asked | None:
    """Return the question that stands last in a seat's stream; None if something else does.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached.
    """
    found: Any = seat_broker().eval(_READ, 2, keys.stream, keys.taken, TOLD_FIELD, BATCH_BYTES_MAX)
    if not found:
        return None
    entry, told, seconds, micros, taken = found
    try:
        question = msgspec.json.decode(told, type=Told)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # the worker was taken over
        return None
    if not isinstance(question, Question):
        return None
    now = int(seconds) + int(micros) / 1e6
    return asked(question, entry.decode(), now=now, taken=int(taken))


def asked(question: Question, entry: str, *, now: float, taken: int) -> Asked:
    """Return a question with the seconds that are left for it, and whether it is answered.

    Args:
        question: the question.
        entry: id of its entry in the seat's stream, which begins with its time in ms.
        now: Unix time by the broker's clock.
        taken: number of the last question of the seat that was answered.
    """
    at = int(entry.partition("-")[0]) / 1_000
    # By the clock of the worker's machine, which may differ from the broker's.
    left = min(max(at + question.seconds - now, 0.0), question.seconds)
    return Asked(question, entry, at, left, max(now - at, 0.0), question.number <= taken)


def place_in_line(*, match: Match) -> int:
    """Return the place of a table in the line for a free place, from 1; 0 once it has one.

    1 query for a table that waits, else none.
    """
    if match.state != Match.State.QUEUED or match.notified_at:
        return 0
    return WAITING.filter(pk__lte=match.pk).count()


def seat_names(*, match: Match) -> list[str]:
    """Return the names of all seats of an exhibition, bots and players, in their order (2 queries)."""
    return [each.name for each in seats_of(match=match)]
