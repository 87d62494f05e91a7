"""Reports of workers that are refused: impossible results, and replays of another match or result."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from django.core.files.storage import storages

from common.errors import StoreAway
from core.message import said
from core.referee import GIVEN_UP, ILLEGAL_ANSWER
from core.replay import encode
from jobs.files.storage import REPLAYS
from matches.models import Match
from matches.selectors.statements import seats_of
from matches.services.reports import report_problem
from matches.verdicts import VERDICTS
from sandbox.api import Verdict
from tests.matches.makers import finish_match, make_match, make_records, make_version, store_replay
from tests.words import english
from tests.workers.replays import header_of, replay_telling
from wire.jobs import FaultReport, MatchReport, SeatReport

pytestmark = pytest.mark.django_db

DIGESTS = ["a" * 64, "b" * 64]
WON, LOST = SeatReport(1, 1.5, 1.0, 1.0), SeatReport(2, 0.1, 1.0, 1.0)
CRASHED = FaultReport("crashed", said("It ended."), 3, exit_code=1)
SEATS_PROBLEMS = {
    "one seat": ([WON], "another number of seats"),
    "nobody first": ([LOST, LOST], "ranks that cannot be"),
    "third of two": ([WON, SeatReport(3, 1.0, 1.0, 1.0)], "ranks that cannot be"),
    "no number": ([SeatReport(1, float("nan"), 1.0, 1.0), LOST], "score that is no number"),
    "unknown fault": (
        [WON, SeatReport(2, 1.0, 1.0, 1.0, FaultReport("cheated, said admins", said("It did."), 1))],
        "fault that there is not",
    ),
}
ANOTHER_MATCH = {
    "game": {"game": "attack25"},
    "rules": {"rules": "0"},
    "seed": {"seed": 43},
    "options": {"options": {"board": "A-2"}},
    "seats changed": {"artifacts": DIGESTS[::-1]},
}
ANOTHER_RESULT = {
    "turns": {"turns": 31},
    "ranks": {"seats": [LOST, WON]},
    "scores": {"seats": [SeatReport(1, 2.5, 1.0, 1.0), LOST]},
    "no fault": {"seats": [WON, SeatReport(2, 0.1, 1.0, 1.0, CRASHED)]},
}


@dataclass(frozen=True)
class Played:
    """A match, the header that its replay must have, and the report of its worker."""

    match: Match
    header: dict[str, Any]
    report: MatchReport

    def problem(self, data: bytes, **changes: Any) -> str:
        """Return the problem of the report with this replay and these changes."""
        report = msgspec.structs.replace(self.report, replay_digest=store_replay(data), **changes)
        return english(report_problem(match=self.match, report=report))


@pytest.fixture
def played() -> Played:
    ant, bee = (
        make_version(name, artifact_digest=digest) for name, digest in zip(("ant", "bee"), DIGESTS, strict=True)
    )
    match = make_match(ant, bee, options={"board": "A-1"})
    header = {"game": match.game, "rules": "1", "seed": 42, "options": {"board": "A-1"}, "artifacts": DIGESTS}
    return Played(match, header, MatchReport(match.pk, 1, "0" * 32, "worker", 30, [WON, LOST], None))


def test_what_the_referee_has_recorded_is_believed() -> None:
    match = make_match(make_version("ant"), make_version("bee"), options={"board": "A-1", "agents": 2})
    records = make_records("ant", "bee", fault_turn=4)
    finish_match(match, records)
    seats = seats_of(match=match.pk)
    seat_reports = [
        SeatReport(seat.rank, seat.score, 1.0, 1.0, msgspec.convert(fault, FaultReport) if fault else None)
        for seat, fault in zip(seats, records[-1]["faults"], strict=True)
    ]
    assert [seat.fault and seat.fault.turn for seat in seat_reports] == [None, 4]
    digest = match.result.replay_digest
    report = MatchReport(match.pk, 1, "0" * 32, "worker", records[-1]["turns"], seat_reports, digest)
    assert report_problem(match=match, report=report) is None


@pytest.mark.parametrize(("seats", "reason"), SEATS_PROBLEMS.values(), ids=SEATS_PROBLEMS)
def test_a_result_that_cannot_be(played: Played, seats: list[SeatReport], reason: str) -> None:
    problem = played.problem(replay_telling(header_of(**played.header), played.report), seats=seats)
    assert reason in problem


def test_every_fault_that_referee_and_sandbox_find_is_known() -> None:
    assert set(VERDICTS) == {*Verdict, ILLEGAL_ANSWER, GIVEN_UP}


@pytest.mark.parametrize("lie", ANOTHER_MATCH.values(), ids=ANOTHER_MATCH)
def test_the_replay_of_another_match(played: Played, lie: dict[str, Any]) -> None:
    problem = played.problem(replay_telling(header_of(**played.header | lie), played.report))
    assert problem == "The worker stored the replay of another match."


@pytest.mark.parametrize("changed", ANOTHER_RESULT.values(), ids=ANOTHER_RESULT)
def test_a_replay_with_another_result(played: Played, changed: dict[str, Any]) -> None:
    header = header_of(**played.header)
    problem = played.problem(replay_telling(header, msgspec.structs.replace(played.report, **changed)))
    assert problem == "The worker stored a replay that tells another result than its report."


def test_a_replay_with_the_fault_of_another_turn(played: Played) -> None:
    header, seats = header_of(**played.header), [WON, msgspec.structs.replace(LOST, fault=CRASHED)]
    later = [WON, msgspec.structs.replace(LOST, fault=msgspec.structs.replace(CRASHED, turn=4))]
    replay = replay_telling(header, msgspec.structs.replace(played.report, seats=seats))
    assert played.problem(replay, seats=seats) == ""
    assert played.problem(replay, seats=later)


def test_a_file_that_is_no_replay(played: Played) -> None:
    whole = replay_telling(header_of(**played.header), played.report)
    unfinished = encode([msgspec.to_builtins(header_of(**played.header))] * 2)
    for data in (b"a replay", b"", whole[:-1], unfinished, encode([])):
        assert played.problem(data) == "What the worker stored as the replay is none."


@pytest.mark.parametrize(
    ("digest", "reason"),
    [
        (None, "The worker reported no replay."),
        (hashlib.sha256(b"never stored").hexdigest(), "The replay of the match is missing from the store."),
    ],
    ids=["none", "lost"],
)
def test_no_replay(played: Played, digest: str | None, reason: str) -> None:
    report = msgspec.structs.replace(played.report, replay_digest=digest)
    assert english(report_problem(match=played.match, report=report)) == reason


def test_a_store_that_does_not_answer_is_nobodys_lie(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(storages[REPLAYS], "open", away)
    with pytest.raises(StoreAway):  # so that the task is retried
        played.problem(replay_telling(header_of(**played.header), played.report))
