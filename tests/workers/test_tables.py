"""Tables: matches with remote seats, played by a worker over a real broker and a real sandbox."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from celery import Celery
from redis import Redis
from redis.exceptions import NoPermissionError

from core.replay import decode
from deploy.broker import Broker
from games.registry import game_named
from games.replays import verify
from jobs.sending import jobs_send
from sandbox.api import PlatformFault
from tests.words import english
from tests.workers.conftest import GOOD_BOT, TOKEN, FileSite
from tests.workers.processes import HOLDS_TABLES, playing_worker
from tests.workers.tables import Seat, table_job
from tests.workers.test_worker_process import next_report
from wire.heartbeats import over_write
from wire.jobs import (
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    TABLE_TASK,
    MatchReport,
    RealTime,
    RemoteProgram,
    TableJob,
)
from wire.live import live_key
from wire.tables import TOLD_FIELD, answers_key, seat_key
from workers import table_link
from workers.play import Tools
from workers.table_link import TableLink
from workers.tables import table_match_play


@pytest.fixture
def player(broker: Broker) -> Iterator[Redis]:
    with Redis.from_url(broker.player_url, socket_timeout=2) as client:
        yield client


@pytest.fixture
def site_client(broker_url: str) -> Iterator[Redis]:
    with Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def begin(tools: Tools, player: Redis) -> Iterator[Callable[..., Future[MatchReport]]]:
    """Begins a table in a thread of its own, and returns its future report."""
    ended = threading.Event()
    with ThreadPoolExecutor() as pool:

        def begun(job: TableJob, must_end: Callable[[], str] = lambda: "") -> Future[MatchReport]:
            def ends() -> str:
                return "The test is over." if ended.is_set() else must_end()

            link = TableLink(player, job.lease_token, host="", seats=list(job.remotes), must_end=ends)
            return pool.submit(table_match_play, job, tools, link)

        yield begun
        ended.set()


Begin = Callable[..., "Future[MatchReport]"]


def test_a_person_plays_a_whole_match(site: FileSite, begin: Begin, site_client: Redis) -> None:
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, seat=1))
    seat = Seat(site_client, TOKEN, 1)
    for turn in (1, 2, 3):
        question = seat.question()
        assert (question.turn, question.number, question.seconds, question.refused) == (turn, turn, 20, None)
        assert len(question.offered) == question.answer_lines
        seat.answer_idle(question)
    seat.until_end()
    result = report.result(timeout=30)
    assert result.platform_fault is None
    assert [found.fault for found in result.seats] == [None, None]
    replay = site.files[result.replay_digest]
    verify(replay)
    records = decode(replay)
    assert [found["name"] for found in records[0]["seats"]] == ["bot 0", "player 1"]
    assert (seat.lines[0]["seed"], records[0]["seed"]) == (0, 1), "the seed tells what comes"
    assert seat.lines[1:] == records[1:]
    assert len(site_client.xrange(live_key(TOKEN, host=""))) == 4, "spectators see each turn"


@pytest.mark.parametrize("tries", [1, 3])
def test_an_illegal_answer_is_refused_until_no_tries_are_left(
    site: FileSite, begin: Begin, site_client: Redis, tries: int
) -> None:
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, remotes={0: RemoteProgram("player", 20, tries)}))
    seat = Seat(site_client, TOKEN, 0)
    question = seat.question()
    for left in reversed(range(tries)):
        seat.answer(question, "nonsense")
        if left:
            question = seat.question()
            assert (question.turn, question.tries, question.number) == (1, left, tries - left + 1)
            assert question.refused["kind"] == "fewer-lines"
    assert (seat.out().verdict, seat.told[-1].turn) == ("illegal answer", 1)
    assert report.result(timeout=30).seats[0].fault.verdict == "illegal answer"


def test_answers_that_come_twice_or_late_do_not_count(site: FileSite, begin: Begin, site_client: Redis) -> None:
    report = begin(table_job(site, GOOD_BOT, token=TOKEN))
    seat = Seat(site_client, TOKEN, 0)
    first = seat.question()
    seat.answer_idle(first)
    for _ in range(3):
        seat.answer(first, "nonsense")
    for _ in range(2):
        seat.answer_idle(seat.question())
    assert [found.fault for found in report.result(timeout=30).seats] == [None, None]


@pytest.mark.parametrize(("leaves", "verdict"), [(True, "left"), (False, "time")])
def test_who_leaves_or_says_nothing_is_out(
    site: FileSite, begin: Begin, site_client: Redis, leaves: bool, verdict: str
) -> None:
    report = begin(
        table_job(site, GOOD_BOT, token=TOKEN, remotes={0: RemoteProgram("player", 1 if not leaves else 60)})
    )
    seat = Seat(site_client, TOKEN, 0)
    question = seat.question()
    if leaves:
        seat.answer(question, leaves=True, is_idle=True)
    assert seat.out().verdict == verdict
    result = report.result(timeout=30)
    assert [found.rank for found in result.seats] == [2, 1]
    assert result.seats[0].fault.verdict == verdict
    assert ("others waited" in english(result.seats[0].fault.why)) is leaves


def test_two_players_are_asked_at_once(site: FileSite, begin: Begin, site_client: Redis) -> None:
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, players=(0, 1)))
    seats = [Seat(site_client, TOKEN, seat) for seat in (0, 1)]
    for _ in range(3):
        for seat, question in [(seat, seat.question()) for seat in seats]:
            seat.answer_idle(question)
    assert report.result(timeout=30).turns == 3


def test_who_answers_in_time_is_not_late_because_another_seat_is(
    site: FileSite, begin: Begin, site_client: Redis
) -> None:
    """Nor does a refusal wait for the other seat."""
    remotes = {0: RemoteProgram("silent", 2), 1: RemoteProgram("player", 2, 2)}
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, remotes=remotes))
    seat = Seat(site_client, TOKEN, 1)
    seat.answer(seat.question(), "nonsense")
    again = seat.question()
    assert again.seconds > 1
    seat.answer_idle(again)
    for _ in range(2):
        seat.answer_idle(seat.question())
    verdicts = [found.fault and found.fault.verdict for found in report.result(timeout=30).seats]
    assert verdicts == ["time", None]


def test_a_refusal_starts_no_clock_where_there_is_none(site: FileSite, begin: Begin, site_client: Redis) -> None:
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, remotes={0: RemoteProgram("player", 0, 2)}))
    seat = Seat(site_client, TOKEN, 0)
    seat.answer(seat.question(), "nonsense")
    again = seat.question()
    assert again.seconds == 0
    seat.answer(again, leaves=True)
    assert report.result(timeout=30).seats[0].fault.verdict == "left"


def test_a_program_in_a_debugger_is_waited_for(
    site: FileSite, begin: Begin, site_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For longer than the keys of the table live, which are renewed meanwhile; the real ones live for ten minutes."""
    monkeypatch.setattr(table_link, "TABLE_KEY_SECONDS", 2)
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, remotes={0: RemoteProgram("player", 0)}))
    seat = Seat(site_client, TOKEN, 0)
    question = seat.question()
    time.sleep(4)  # nothing is told meanwhile, and the expiry of a key that is renewed cannot be waited for
    assert site_client.exists(seat_key(TOKEN, 0, host="")), "the site finds the open question there"
    seat.answer_idle(question)
    again = seat.question()
    assert (again.turn, again.refused) == (2, None)
    seat.answer(again, leaves=True)
    assert report.result(timeout=30).seats[0].fault.verdict == "left"


def test_in_real_time_all_seats_are_heard_and_may_leave_between_turns(
    site: FileSite, begin: Begin, site_client: Redis
) -> None:
    times = RealTime(start_seconds=0, operation_seconds=1, transition_seconds=1, idle_line="NONE")
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, players=(0, 1), real_time=times))
    seats = [Seat(site_client, TOKEN, seat) for seat in (0, 1)]
    asked = [seat.question() for seat in seats]
    answers = []
    for seat, question in zip(seats, asked, strict=True):
        corner = next(line for line in question.offered[0] if line.startswith("PUT"))
        answers.append([corner, *["NONE"] * (question.answer_lines - 1)])
        seat.answer(question, *answers[-1])
    seats[1].next_lines()
    seats[1].answer(asked[1], leaves=True)
    result = report.result(timeout=30)
    replay = decode(site.files[result.replay_digest])
    assert [seat["answer"] for seat in replay[1]["seats"]] == answers
    assert [found.fault and found.fault.verdict for found in result.seats] == [None, "left"]


def test_in_real_time_the_last_answer_counts_and_silence_is_no_fault(
    site: FileSite, begin: Begin, site_client: Redis
) -> None:
    times = RealTime(start_seconds=0, operation_seconds=1, transition_seconds=1, idle_line="NONE")
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, real_time=times))
    seat = Seat(site_client, TOKEN, 0)
    question = seat.question()
    corner = next(line for line in question.offered[0] if line.startswith("PUT"))
    rest = ["NONE"] * (question.answer_lines - 1)
    seat.answer(question, "nonsense")
    seat.answer(question, corner, *rest)
    begun = time.monotonic()
    seat.question()
    assert time.monotonic() - begun > 1, "the transition takes a second"
    assert seat.lines[1]["seats"][0]["answer"] == [corner, *rest]
    result = report.result(timeout=30)
    assert [found.fault for found in result.seats] == [None, None]
    assert decode(site.files[result.replay_digest])[2]["seats"][0]["answer"] == ["NONE", *rest]


def test_in_real_time_turns_begin_on_whole_seconds(site: FileSite, begin: Begin, site_client: Redis) -> None:
    """Programs compute from the first state when each turn begins, and wait for it by their own clocks."""
    times = RealTime(start_seconds=1, operation_seconds=1, transition_seconds=1, idle_line="NONE")
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, real_time=times))
    seat = Seat(site_client, TOKEN, 0)
    for _turn in range(3):
        seat.question()
    entries = site_client.xrange(seat_key(TOKEN, 0, host=""))
    shown = int(entries[0][0].split(b"-")[0]) // 1_000
    asked = [int(entry.split(b"-")[0]) / 1_000 for entry, fields in entries if TOLD_FIELD in fields]
    assert asked == pytest.approx([shown + 1, shown + 3, shown + 5], abs=0.2)
    report.result(timeout=30)


def test_somebody_takes_over_a_seat(site: FileSite, begin: Begin, site_client: Redis) -> None:
    """The bot is asked in the turns that were played, and its answers there are those of the original."""
    game = game_named("kakomimasu")
    agents = game.answer_lines(game.reset([1], 2, {"board": "A-1"}), 0, 0)
    idle = ["NONE"] * agents
    played = [{0: idle, 1: idle}, {0: idle, 1: idle}]
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, played=played))
    seat = Seat(site_client, TOKEN, 0)
    question = seat.question()
    assert (question.turn, question.answer_lines) == (3, agents)
    assert question.lines[0].split()[:2] == ["0", "2"], "it begins with the introduction"
    seat.answer_idle(question)
    result = report.result(timeout=30)
    assert (result.turns, [found.fault for found in result.seats]) == (3, [None, None])


def test_the_fog_stays_until_the_end(site: FileSite, begin: Begin, site_client: Redis) -> None:
    """The attack: a player reads the opponent's units from the live stream, or from his own."""
    waits = "while True: input()"
    report = begin(table_job(site, waits, token=TOKEN, game="wondev_woman", options={}))
    seat = Seat(site_client, TOKEN, 0)
    question = seat.question()
    game = game_named("wondev_woman")
    start = game.reset([1], 2, {})
    assert seat.lines[0]["frame"] == game.seen(start, 0, 0) != game.frame(start, 0)
    assert not site_client.exists(live_key(TOKEN, host=""))
    seat.answer(question, leaves=True)
    seat.until_end()
    report.result(timeout=60)
    assert len(site_client.xrange(live_key(TOKEN, host=""))) == 1, "spectators see the end alone"


def test_a_worker_that_stops_reports_its_tables_at_once(site: FileSite, begin: Begin, site_client: Redis) -> None:
    stops = threading.Event()
    report = begin(table_job(site, GOOD_BOT, token=TOKEN), lambda: "Stopped." if stops.is_set() else "")
    Seat(site_client, TOKEN, 0).question()
    stops.set()
    assert str(report.result(timeout=10).platform_fault.args["text"]) == "Stopped."


def test_a_broker_that_is_away_is_waited_for(player: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_link, "AWAY_SECONDS_MAX", 1)
    with Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.1) as nowhere:
        link = TableLink(nowhere, TOKEN, host="", seats=[0], must_end=lambda: "")
        with pytest.raises(PlatformFault, match="The broker was away for 1 seconds"):
            link.show([])


def test_a_hostile_worker_reaches_no_other_hosts_tables(player: Redis, site_client: Redis) -> None:
    """The attack: a worker that was taken over reads or forges what players of another host's tables say."""
    site_client.rpush(answers_key(TOKEN, 0, host="other"), b"secret")
    for act in (
        lambda: player.lpop(answers_key(TOKEN, 0, host="other")),
        lambda: player.blpop([answers_key(TOKEN, 0, host="other")], timeout=1),
        lambda: player.xadd(seat_key(TOKEN, 0, host="other"), {"told": b"{}"}),
        lambda: player.xread({seat_key(TOKEN, 0, host=""): "0-0"}),
        lambda: player.rpush(answers_key(TOKEN, 0, host=""), b"forged"),
        lambda: player.keys("answers.*"),
    ):
        with pytest.raises(NoPermissionError):
            act()


def test_one_process_holds_many_tables(
    site: FileSite, broker: Broker, app: Celery, site_client: Redis, tmp_path: Path
) -> None:
    tokens = [character * 32 for character in "0123"]
    with playing_worker(broker.player_url, tmp_path, "table@test", HOLDS_TABLES) as worker:
        jobs: list[Any] = [table_job(site, GOOD_BOT, token=token) for token in tokens]
        jobs_send(app, TABLE_TASK, jobs)
        seats = [Seat(site_client, token, 0) for token in tokens]
        questions = [seat.question() for seat in seats]  # all are open at once
        for _ in range(2):
            for seat, question in zip(seats, questions, strict=True):
                seat.answer_idle(question)
            questions = [seat.question() for seat in seats]
        for seat, question in zip(seats[:2], questions[:2], strict=True):
            seat.answer_idle(question)
            seat.until_end()
        worker.process.terminate()  # the two others are lost, and said to be
        results = []
        while len(results) < 4:
            task, body = next_report(app)
            assert task in (MATCH_HEARTBEAT_TASK, MATCH_RESULT_TASK)
            results += [body] if task == MATCH_RESULT_TASK else []
        faults = [body["platform_fault"] for body in results]
        assert faults[:2] == [None, None]
        assert all(fault and "stopped" in fault["args"]["text"] for fault in faults[2:])
        worker.process.wait(timeout=20)


def test_a_table_asks_again_when_the_broker_has_lost_its_data(site: FileSite, begin: Begin, site_client: Redis) -> None:
    """The player saw nothing and could answer nothing, until the clock had run out."""
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, remotes={0: RemoteProgram("player", 60)}))
    seat = Seat(site_client, TOKEN, 0)
    seat.answer_idle(seat.question())
    lost = seat.question()
    site_client.flushall()
    again = seat.question()
    assert (again.turn, again.lines, again.number) == (lost.turn, lost.lines, lost.number + 1)
    assert 0 < again.seconds <= lost.seconds
    assert len(site_client.xrange(live_key(TOKEN, host=""))) == 2, "spectators see the match from its beginning"
    late = Seat(site_client, TOKEN, 0)
    numbers = [late.question().number for _ in range(3)]
    assert numbers == [1, 2, 3], "a browser that connects anew gets all from the beginning"
    assert late.lines == seat.lines
    seat.answer(lost, "too late")
    seat.answer_idle(again)
    seat.answer_idle(seat.question())
    result = report.result(timeout=60)
    assert (result.platform_fault, [found.fault for found in result.seats]) == (None, [None, None])


def test_a_broker_that_loses_its_data_again_and_again_loses_no_table(
    site: FileSite, begin: Begin, site_client: Redis
) -> None:
    report = begin(table_job(site, GOOD_BOT, token=TOKEN, remotes={0: RemoteProgram("player", 60)}))
    seat = Seat(site_client, TOKEN, 0)
    for _ in range(3):
        seat.question()
        site_client.flushall()
        seat.answer_idle(seat.question())
    assert report.result(timeout=60).turns == 3


def test_a_table_that_all_players_have_left_is_free_at_once(site: FileSite, begin: Begin, site_client: Redis) -> None:
    """The bots played on among themselves, and others waited for the table."""
    slow = GOOD_BOT.replace("    print(", "    import time; time.sleep(0.05)\n    print(")
    job = table_job(site, slow, token=TOKEN, players=(0,))
    report = begin(msgspec.structs.replace(job, options={"board": "A-1", "turns": 60}))
    seat = Seat(site_client, TOKEN, 0)
    seat.answer(seat.question(), leaves=True)
    result = report.result(timeout=60)
    assert [found.rank for found in result.seats] == [2, 1], "who left first is last"
    assert result.seats[0].fault.verdict == "left"
    assert result.turns <= 2
    verify(site.files[result.replay_digest])


def test_a_table_that_was_made_void_ends_on_its_worker_and_frees_it(
    site: FileSite, broker: Broker, app: Celery, site_client: Redis, tmp_path: Path
) -> None:
    """One of them while its player thinks, and one while its message waits in line."""
    one_table = (*HOLDS_TABLES[:-1], "1")
    tokens = [character * 32 for character in "abc"]
    with playing_worker(broker.player_url, tmp_path, "table@test", one_table):
        patient = {0: RemoteProgram("player", 3_600)}
        jobs: list[Any] = [table_job(site, GOOD_BOT, token=token, remotes=patient) for token in tokens]
        jobs_send(app, TABLE_TASK, jobs)
        Seat(site_client, tokens[0], 0).question()
        over_write(site_client, tokens[:2])
        assert Seat(site_client, tokens[2], 0).question().number == 1
    assert not site_client.exists(seat_key(tokens[1], 0, host="")), "it was never begun"
