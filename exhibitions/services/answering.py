"""Takes the answers of remote seats, each question's once, and hands them to the worker through the broker."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, ClassVar

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _
from redis import RedisError

from core.message import Message
from core.numbers import whole_numbers
from exhibitions.selectors.seats import SeatKeys, question_at, seat_broker, seat_keys
from matches.models import Match, RemoteSeat
from matches.services.lifecycle import matches_void
from wire.tables import ANSWER_CHARS_MAX, TABLE_KEY_SECONDS, TABLE_SECONDS_MAX, Answer

ANSWER_BYTES_MAX = 8 * ANSWER_CHARS_MAX
"""Bytes of an answer as JSON: each character may be written as six, and each line adds quotes and a comma."""
NEEDLESS_A_SECOND = 10
"""How many answers in a second a seat may send that answer no open question, or change an answer."""
ANSWERS_KEPT = 16
"""How many answers of a seat the broker keeps; in real time only the last one counts."""
# All in one step: of two answers at once one counts, and none counts once the next entry is in the stream. A player who
# has left is noted by a number that no question has.
_TAKE = """
local entry, number, answer, again, leaves = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1', ARGV[5] == '1'
local taken = tonumber(redis.call('GET', KEYS[2]) or '0')
if taken >= 2147483648 then return 0 end
if entry ~= '' then
    local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
    if not last or last[1] ~= entry or (taken >= number and not again) then return 0 end
end
redis.call('SET', KEYS[2], leaves and '2147483648' or ARGV[2], 'EX', ARGV[6])
redis.call('RPUSH', KEYS[3], answer)
redis.call('LTRIM', KEYS[3], -tonumber(ARGV[8]), -1)
redis.call('EXPIRE', KEYS[3], ARGV[7])
return 1
"""


class NotTaken(Exception):  # noqa: N818 - says what has happened
    """An answer was not taken. ``str(error)`` is a whole sentence for the player or the author of the program."""

    status: ClassVar[HTTPStatus]
    """The HTTP status with which a request is answered for this reason."""


class NotOpen(NotTaken):
    """The answer is to no open question: it is too late, the second one, or nothing is asked."""

    status = HTTPStatus.CONFLICT


class Malformed(NotTaken):
    """The answer is no JSON of the type ``wire.tables.Answer``, or one of its lines has a line feed or NUL."""

    status = HTTPStatus.BAD_REQUEST


class TooLong(NotTaken):
    """The answer is longer than those of any game."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class TooOften(NotTaken):
    """The seat has sent ``NEEDLESS_A_SECOND`` answers in this second that answer no open question or change one."""

    status = HTTPStatus.TOO_MANY_REQUESTS


class BrokerAway(NotTaken):
    """The broker cannot be reached, so that nobody knows whether the answer has been taken."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


def answer_read(*, body: bytes) -> Answer:
    """Return the answer in the body of a request.

    Raises:
        TooLong: the body has more than ``ANSWER_BYTES_MAX`` bytes.
        Malformed: the body is no JSON of the type ``wire.tables.Answer``.
    """
    if len(body) > ANSWER_BYTES_MAX:
        raise _too_long()
    try:
        return msgspec.convert(whole_numbers(msgspec.json.decode(body)), Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(
            _("This is no answer. Please send JSON such as %(example)s.")
            % {"example": '{"number": 1, "lines": ["..."]}'}
        ) from error


def seat_answer(*, seat: RemoteSeat, answer: Answer) -> None:
    """Hand an answer, or the wish to leave, to the worker that plays the seat's table.

    An answer counts once, and only for the question that is open now; in real time the last one of a turn counts. A
    player who leaves before a worker has begun the table closes it: the match becomes void.

    Args:
        seat: as ``selectors.seats.seat_of_secret`` returns it.
        answer: from ``answer_read``.

    Raises:
        NotTaken: its class says why.
    """
    _check(answer)
    is_own_wish = answer.leaves and not answer.is_idle
    if is_own_wish and _queued_leave(seat.match_id):
        return
    try:
        keys = seat_keys(seat=seat)
        if keys is None:
            raise NotOpen(_("Nothing is asked at this table now."))
        _check_rate(keys)
        in_real_time = seat.match.exhibition.real_time is not None
        # Who gives up may do so at any time. Who is put out may have answered the question just now.
        asked = None if is_own_wish else question_at(keys=keys)
        is_open = is_own_wish or (asked is not None and asked.question.number == answer.number)
        is_taken = is_open and _take(keys, answer, asked.entry if asked else "", again=in_real_time)
        if in_real_time or not is_taken:
            _count(keys)
    except RedisError as error:
        raise BrokerAway(_("The answer could not be passed on. Please send it once more in a few seconds.")) from error
    if not is_taken:
        raise NotOpen(_("This question has been answered, or is not open any more."))


def _check(answer: Answer) -> None:
    if sum(map(len, answer.lines)) > ANSWER_CHARS_MAX:
        raise _too_long()
    if any(character in line for line in answer.lines for character in "\n\r\0"):
        raise Malformed(_("A line of an answer must have no line feed or NUL in it. Please send each line by itself."))


def _too_long() -> TooLong:
    return TooLong(
        _("An answer has at most %(max)d characters. Please send a shorter one.") % {"max": ANSWER_CHARS_MAX}
    )


@transaction.atomic
def _queued_leave(pk: int) -> bool:
    """Void a match if no worker has begun it; return whether that was so.

    A worker that has got the message of the match does not begin it, or ends it, since its lease is over.
    """
    match = Match.objects.select_for_update(no_key=True).get(pk=pk)
    if match.state != Match.State.QUEUED:
        return False
    matches_void(matches=[match], reason=Message("table-left"))
    return True


def _check_rate(keys: SeatKeys) -> None:
    """Check that a seat has sent fewer than ``NEEDLESS_A_SECOND`` answers in this second that were not taken.

    The attack: a program sends a thousand answers a second, for each of which the site asks the broker several times.
    A fast program that answers each question once is never refused.

    Raises:
        TooOften: the seat has sent too many.
    """
    if int(seat_broker().get(keys.needless) or 0) >= NEEDLESS_A_SECOND:
        raise TooOften(
            _("Please send at most %(max)d answers a second, one for each question.") % {"max": NEEDLESS_A_SECOND}
        )


def _count(keys: SeatKeys) -> None:
    with seat_broker().pipeline() as pipe:
        pipe.set(keys.needless, 0, ex=1, nx=True)
        pipe.incr(keys.needless)
        pipe.execute()


def _take(keys: SeatKeys, answer: Answer, entry: str, *, again: bool) -> bool:
    arguments: list[Any] = [entry, answer.number, msgspec.json.encode(answer), int(again), int(answer.leaves)]
    limits = [TABLE_SECONDS_MAX, TABLE_KEY_SECONDS, ANSWERS_KEPT]
    return bool(seat_broker().eval(_TAKE, 3, keys.stream, keys.taken, keys.answers, *arguments, *limits))
