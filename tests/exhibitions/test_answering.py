"""Answers of remote seats: each question takes one, from its own player alone; everything else is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from django.db import connection
from redis import Redis

from core.message import Message
from exhibitions.selectors.seats import place_in_line, question_open, seat_of_secret
from exhibitions.services import answering
from exhibitions.services.answering import (
    Malformed,
    NotOpen,
    NotTaken,
    TooLong,
    TooOften,
    answer_read,
    seat_answer,
)
from exhibitions.services.opening import Opened
from matches.models import Match
from matches.services.lifecycle import match_void
from matches.services.match_jobs import MATCHES
from tests.exhibitions.makers import (
    HOST,
    WORKER,
    make_player,
    make_table,
    make_worker,
    out,
    question,
    seat_of,
    table_begin,
    tell,
)
from tests.managing import site_sends_to
from tests.matches.makers import make_records, make_version
from wire.heartbeats import is_over
from wire.jobs import Heartbeat, RealTime
from wire.tables import ANSWER_CHARS_MAX, ANSWER_LINES_MAX, Answer, answers_key

pytestmark = pytest.mark.django_db(transaction=True)


def arrived(streams: Redis, table: Opened, seat: int = 0) -> list[Answer]:
    """Return the answers of a seat that wait for its worker."""
    table.match.refresh_from_db()
    key = answers_key(table.match.lease_token, seat, host=HOST)
    found: Any = streams.lrange(key, 0, -1)
    assert not found or streams.ttl(key) > 0
    return [msgspec.json.decode(each, type=Answer) for each in found]


def test_a_question_takes_one_answer(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, question(1))
    asked = question_open(seat=seat_of(table))
    assert asked is not None
    assert not asked.is_answered
    assert 59 < asked.left <= 60
    seat_answer(seat=seat_of(table), answer=Answer(1, ["STAY"]))
    assert arrived(streams, table) == [Answer(1, ["STAY"])]
    asked = question_open(seat=seat_of(table))
    assert asked is not None
    assert asked.is_answered
    with pytest.raises(NotOpen):
        seat_answer(seat=seat_of(table), answer=Answer(1, ["STAY"]))
    tell(streams, table.match, question(2, turn=1, refused={"kind": "worker-silent", "args": {}}))
    seat_answer(seat=seat_of(table), answer=Answer(2, ["STAY"]))
    assert [answer.number for answer in arrived(streams, table)] == [1, 2]


def test_of_many_answers_at_once_one_counts(streams: Redis, table: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "NEEDLESS_A_SECOND", 1_000)
    tell(streams, table.match, question(1))
    seat = seat_of(table)
    _ = seat.match.exhibition  # read here, since SQLite gives each thread a connection

    def send(line: int) -> bool:
        try:
            seat_answer(seat=seat, answer=Answer(1, [str(line)]))
        except NotOpen:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(send, range(40))) == 1
    assert len(arrived(streams, table)) == 1


def _told(*told: Any) -> Callable[[Redis, Opened], None]:
    return lambda streams, table: tell(streams, table.match, *told)


def _answered(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, question(1))
    seat_answer(seat=seat_of(table), answer=Answer(1, ["STAY"]))
    streams.delete(answers_key(table.match.lease_token, 0, host=HOST))


def _left(streams: Redis, table: Opened) -> None:
    seat_answer(seat=seat_of(table), answer=Answer(0, leaves=True))
    streams.delete(answers_key(table.match.lease_token, 0, host=HOST))
    tell(streams, table.match, question(1))


def _ended(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, question(1))
    match_void(match=table.match, reason=Message("match-voided"))


def _flood(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, question(1))
    refusals = []
    for _ in range(1_000):
        with pytest.raises(NotTaken) as refused:
            seat_answer(seat=seat_of(table), answer=Answer(7, ["STAY"]))
        refusals.append(refused.type)
    assert refusals.count(TooOften) > 700  # however slow this machine is
    assert arrived(streams, table) == []


def _other_host(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, question(1), host="south")


LINES = make_records("Ada", "Beta")[:2]
BIG = {"number": 1, "lines": ["x" * (1 << 20)]}
ATTACKS: dict[str, tuple[Callable[[Redis, Opened], None], bytes | Answer, type[NotTaken]]] = {
    "nothing is asked": (_told(), Answer(1, ["STAY"]), NotOpen),
    "of an old turn": (_told(question(1), LINES, question(2)), Answer(1, ["STAY"]), NotOpen),
    "of a turn to come": (_told(question(1)), Answer(2, ["STAY"]), NotOpen),
    "twice": (_answered, Answer(1, ["STAY"]), NotOpen),
    "after the turn": (_told(question(1), LINES), Answer(1, ["STAY"]), NotOpen),
    "out of the match": (_told(question(1), out()), Answer(1, ["STAY"]), NotOpen),
    "after leaving": (_left, Answer(1, ["STAY"]), NotOpen),
    "leaving twice": (_left, Answer(0, leaves=True), NotOpen),
    "after the end": (_ended, Answer(1, ["STAY"]), NotOpen),
    "leaving after the end": (_ended, Answer(0, leaves=True), NotOpen),
    "a question that another host has put": (_other_host, Answer(1, ["STAY"]), NotOpen),
    "1 MB": (_told(question(1)), json.dumps(BIG).encode(), TooLong),
    "too many characters": (_told(question(1)), Answer(1, ["x" * ANSWER_CHARS_MAX, "x"]), TooLong),
    "too many lines": (
        _told(question(1)),
        json.dumps({"number": 1, "lines": [""] * (ANSWER_LINES_MAX + 1)}).encode(),
        Malformed,
    ),
    "no JSON": (_told(question(1)), b"STAY", Malformed),
    "nested without end": (_told(question(1)), b"[" * 10_000, Malformed),
    "no UTF-8": (_told(question(1)), b'{"number": 1, "lines": ["\xff"]}', Malformed),
    "half a character": (_told(question(1)), b'{"number": 1, "lines": ["\\ud800"]}', Malformed),
    "another field": (_told(question(1)), b'{"number": 1, "lines": [], "seat": 1}', Malformed),
    "a number below 0": (_told(question(1)), b'{"number": -1, "lines": []}', Malformed),
    "a huge number": (_told(question(1)), b'{"number": 99999999999999999999, "lines": []}', Malformed),
    "two lines in one": (_told(question(1)), Answer(1, ["STAY\nSTAY"]), Malformed),
    "NUL": (_told(question(1)), Answer(1, ["\0"]), Malformed),
    "1,000 a second": (_flood, Answer(7, ["STAY"]), NotTaken),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_answer_that_is_no_answer_never_arrives(streams: Redis, table: Opened, attack: str) -> None:
    prepare, sent, refusal = ATTACKS[attack]
    prepare(streams, table)
    before = arrived(streams, table) if table.match.lease_token else []
    with pytest.raises(refusal):
        seat_answer(seat=seat_of(table), answer=answer_read(body=sent) if isinstance(sent, bytes) else sent)
    assert table.match.lease_token == "" or arrived(streams, table) == before


def test_a_secret_opens_its_own_seat_alone(streams: Redis, table: Opened) -> None:
    other = make_table(make_player(visitor="192.0.2.3"))
    assert seat_of(table, 1).index == 1
    secrets = [other.secrets[0], "", "x", "\ud800", table.secrets[0][:-1], seat_of(table).secret_hash]
    assert [seat_of_secret(match=table.match.pk, secret=secret) for secret in secrets] == [None] * len(secrets)
    tell(streams, table.match, question(1), seat=1)
    with pytest.raises(NotOpen):
        seat_answer(seat=seat_of(table, 0), answer=Answer(1, ["STAY"]))
    assert arrived(streams, table, 1) == []


@pytest.mark.parametrize("value", [b"x" * 300_000, b"{}", b"\xff", b"[" * 9_000, b'{"type": "Question"}'])
def test_a_hostile_worker_opens_no_question(streams: Redis, table: Opened, value: bytes) -> None:
    tell(streams, table.match, question(1))
    for key in streams.scan_iter("table.*"):
        streams.xadd(key, {"told": value})
    assert question_open(seat=seat_of(table)) is None


def test_who_leaves_in_line_gives_the_place_back(streams: Redis) -> None:
    make_worker(tables=1)
    versions = [make_version(name) for name in ("Beta", "Gamma", "Delta")]
    opened = [make_table(make_player(visitor=str(bot.pk)), bot=bot) for bot in versions]
    assert places(opened) == [0, 1, 2]
    seat_answer(seat=seat_of(opened[1]), answer=Answer(0, leaves=True))
    assert places(opened) == [0, 0, 1]
    assert opened[1].match.state == Match.State.VOID
    assert opened[1].match.void_reason["kind"] == "table-left"


@pytest.fixture
def telling(broker_url: str) -> Iterator[None]:
    """The site tells workers by the test's broker that their leases have ended."""
    with site_sends_to(broker_url):
        yield


@pytest.mark.usefixtures("telling")
def test_who_leaves_while_the_worker_begins_ends_the_table(streams: Redis) -> None:
    opened = make_table()
    opened.match.refresh_from_db()
    token = opened.match.lease_token
    begun = Heartbeat(match_id=opened.match.pk, lease_token=token, worker=WORKER, seconds=0.1)
    seat_answer(seat=seat_of(opened), answer=Answer(0, leaves=True))
    opened.match.refresh_from_db()
    assert opened.match.state == Match.State.VOID
    assert is_over(streams, token), "a worker that takes its message now does not begin it"
    streams.flushall()
    MATCHES.heartbeat(report=begun)
    assert is_over(streams, token), "the answer to a heartbeat tells it again"


def places(opened: list[Opened]) -> list[int]:
    for table in opened:
        table.match.refresh_from_db()
    return [place_in_line(match=table.match) for table in opened]


def test_who_leaves_a_table_tells_its_worker_at_any_time(streams: Redis, table: Opened) -> None:
    seat_answer(seat=seat_of(table), answer=Answer(0, leaves=True))
    assert arrived(streams, table) == [Answer(0, leaves=True)]


@pytest.mark.usefixtures("telling")
def test_the_worker_of_a_table_that_an_administrator_makes_void_is_told(streams: Redis, table: Opened) -> None:
    table.match.refresh_from_db()
    token = table.match.lease_token
    assert not is_over(streams, token)
    match_void(match=table.match, reason=Message("match-voided"))
    assert is_over(streams, token)


def test_in_real_time_an_answer_may_be_changed(streams: Redis) -> None:
    opened = make_table(real_time=RealTime(1, 2, 1, "STAY"))
    table_begin(opened.match)
    tell(streams, opened.match, question(1))
    for line in ("STAY", "MOVE 1 1"):
        seat_answer(seat=seat_of(opened), answer=Answer(1, [line]))
    assert [answer.lines for answer in arrived(streams, opened)] == [["STAY"], ["MOVE 1 1"]]
