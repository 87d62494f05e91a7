"""A table at which nobody answers makes room for those who wait."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from redis import Redis

from accounts.models import User
from exhibitions.selectors.seats import question_open
from exhibitions.services.answering import NotTaken, seat_answer
from exhibitions.services.idling import idle_tables_end
from exhibitions.services.opening import Opened
from jobs.models import Worker
from tests.exhibitions.makers import HOST, WORKER, make_player, make_table, make_worker, question, seat_of, table_begin
from tests.ladder.makers import make_user
from tests.matches.makers import make_version
from wire.tables import IDLE_SECONDS, TOLD_FIELD, Answer, answers_key, seat_key

pytestmark = pytest.mark.django_db


def ask(broker: Redis, opened: Opened, *, seconds_ago: float) -> None:
    """Ask the first seat without a clock, some time ago."""
    opened.match.refresh_from_db()
    at = round((time.time() - seconds_ago) * 1_000)
    told = msgspec.json.encode(question(1, seconds=0.0))
    broker.xadd(seat_key(opened.match.lease_token, 0, host=HOST), {TOLD_FIELD: told}, id=f"{at}-1")


def answers(broker: Redis, opened: Opened) -> list[Answer]:
    key = answers_key(opened.match.lease_token, 0, host=HOST)
    return [msgspec.json.decode(each, type=Answer) for each in broker.lrange(key, 0, -1)]  # type: ignore[union-attr]


@pytest.fixture
def tables(streams: Redis) -> list[Opened]:
    """Three tables of users who think as long as they like: all that there are."""
    make_worker(tables=3)
    bot = make_version("Beta")
    users: list[User] = [make_user(f"user-{number}") for number in range(3)]
    opened = [make_table(make_player(user, clock_seconds=0), bot=bot) for user in users]
    for each, seconds_ago in zip(opened, (IDLE_SECONDS + 60, IDLE_SECONDS + 600, 5), strict=True):
        table_begin(each.match)
        ask(streams, each, seconds_ago=seconds_ago)
    return opened


def test_nobody_is_put_out_as_long_as_nobody_waits(tables: list[Opened], streams: Redis) -> None:
    assert idle_tables_end() == 0
    assert not any(answers(streams, each) for each in tables)


def test_the_longest_silence_ends_for_each_who_waits(tables: list[Opened], streams: Redis) -> None:
    late: dict[str, Any] = {"bot": tables[0].match.seats.get().version}
    make_table(make_player(), **late)
    assert idle_tables_end() == 1
    (left,) = answers(streams, tables[1])
    assert (left.leaves, left.is_idle) == (True, True)
    assert idle_tables_end() == 0, "the worker is just ending it"
    make_table(make_player(visitor="192.0.2.9"), **late)
    assert idle_tables_end() == 1
    assert [bool(answers(streams, each)) for each in tables] == [True, True, False], "5 s are no silence"


def test_who_answers_at_the_last_moment_stays(tables: list[Opened], streams: Redis) -> None:
    """The question that nobody had answered when the tables were looked at is not the one that is open now."""
    seat_answer(seat=seat_of(tables[1]), answer=Answer(1, ["STAY"]))
    with pytest.raises(NotTaken):
        seat_answer(seat=seat_of(tables[1]), answer=Answer(1, leaves=True, is_idle=True))
    assert [each.leaves for each in answers(streams, tables[1])] == [False]


def test_who_has_answered_stays(tables: list[Opened], streams: Redis) -> None:
    for opened in tables[:2]:
        seat_answer(seat=seat_of(opened), answer=Answer(1, ["STAY"]))
    make_table(make_player(), bot=tables[0].match.seats.get().version)
    assert idle_tables_end() == 0
    assert Worker.objects.get(name=WORKER).tables == 3
    open_now = question_open(seat=seat_of(tables[2]))
    assert open_now is not None
    assert 4 < open_now.waited < IDLE_SECONDS
