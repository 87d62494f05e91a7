"""Tries from end to end: real files over real HTTP, the real sandbox, the real game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.replay import decode
from games.kits import PYTHON, kit_files
from games.registry import game_named, rules_versions
from games.replays import verify
from tests.own import OWN
from tests.words import english
from tests.workers.conftest import GOOD_BOT, FileSite, seat_program, try_job
from wire.jobs import RULES, TryJob, TryReport
from wire.turnlog import unpack
from workers.compiling import Step
from workers.play import Tools
from workers.tries import program_try

IDLE = ["NONE"] * 8
TALKER = GOOD_BOT.replace("    print(", "    import sys\n    print('turn', turn, file=sys.stderr)\n    print(", 1)


def tried(job: TryJob, tools: Tools) -> tuple[TryReport, list[str], list[dict[str, Any]]]:
    """Make a try, and return its report as a valid message, its steps, and the lines that were shown live."""
    steps: list[str] = []
    shown: list[dict[str, Any]] = []
    report = program_try(job, tools, steps.append, shown.extend)
    return msgspec.convert(msgspec.json.decode(msgspec.json.encode(report)), TryReport), steps, shown


def test_a_program_is_built_and_plays_on_its_seat(site: FileSite, tools: Tools) -> None:
    job = try_job(site, TALKER, seat=1, opponent=seat_program(site, GOOD_BOT, "house"))
    report, steps, shown = tried(job, tools)
    assert (report.platform_fault, report.failed_step) == (None, None)
    assert steps == [Step.FETCH, Step.UNPACK, Step.COMPILE, Step.CHECK]
    replay = decode(site.files[report.replay_digest])
    verify(site.files[report.replay_digest])
    assert [seat["name"] for seat in replay[0]["seats"]] == ["house", "hana"]
    assert shown == replay
    assert (report.turns, len(report.seats)) == (12, 2)
    own = [turn for turn in unpack(site.files[report.log_digest]) if turn.seat == 1]
    assert [turn.stderr for turn in own] == [f"turn {number}\n" for number in range(12)]
    assert all(turn.asked and turn.answered for turn in own)


@pytest.mark.parametrize("game", OWN)
def test_the_kit_of_every_game_plays_a_copy_of_itself(site: FileSite, tools: Tools, game: str) -> None:
    rules = rules_versions(game)[0]
    digest = site.bundle({path: data.decode() for path, data in kit_files(game, PYTHON).items()})
    players = game_named(game, rules).players[0]
    changes = {"game": game, "rules_version": rules, "options": {}, "players": players}
    job = msgspec.structs.replace(try_job(site, ""), bundle_url=f"{site.url}/{digest}", bundle_digest=digest, **changes)
    report, *_ = tried(job, tools)
    assert (report.platform_fault, report.failed_step, len(report.seats)) == (None, None, players)
    assert not any(seat.fault for seat in report.seats)
    verify(site.files[report.replay_digest])
    assert any(turn.answered for turn in unpack(site.files[report.log_digest]) if turn.seat == job.seat)


def test_a_silent_program_has_a_log_as_well(site: FileSite, tools: Tools) -> None:
    report, *_ = tried(try_job(site, GOOD_BOT), tools)
    assert len(unpack(site.files[report.log_digest])) == 24


def test_a_fault_ends_the_match_and_not_the_try(site: FileSite, tools: Tools) -> None:
    source = GOOD_BOT.replace("    print(", "    assert turn < 2, 'I give up'\n    print(", 1)
    report, *_ = tried(try_job(site, source, opponent=seat_program(site, GOOD_BOT)), tools)
    fault = report.seats[0].fault
    assert fault is not None
    assert (fault.verdict, fault.turn, report.seats[1].fault) == ("crashed", 3, None)
    assert "I give up" in fault.stderr
    assert report.replay_digest


@pytest.mark.parametrize("seat", [0, 1])
def test_a_program_plays_on_from_a_turn(site: FileSite, tools: Tools, seat: int) -> None:
    """The first turns are those of the other match, whatever is answered now; the program has read them all."""
    moves = [[f"PUT {turn} {turn + seat}", *IDLE[1:]] for turn in range(3)]
    played = [{seat: move, 1 - seat: IDLE} for move in moves]
    report, *_ = tried(try_job(site, TALKER, seat=seat, played=played), tools)
    again = decode(site.files[report.replay_digest])
    assert [record["seats"][seat]["answer"] for record in again[1:4]] == moves
    assert again[4]["seats"][seat]["answer"] == IDLE
    verify(site.files[report.replay_digest])
    own = [turn for turn in unpack(site.files[report.log_digest]) if turn.seat == seat]
    assert own[0].stderr == "turn 0\n"


def test_a_program_that_is_not_built_tells_why(site: FileSite, tools: Tools) -> None:
    report, steps, shown = tried(try_job(site, "def answer(:\n    pass\n"), tools)
    assert (report.failed_step, steps[-1], shown, report.seats) == (Step.COMPILE, Step.COMPILE, [], [])
    assert 'main.py", line 1' in report.log
    assert english(report.why)


def test_a_worker_without_the_rules_leaves_the_try_to_others(site: FileSite, tools: Tools) -> None:
    report, *_ = tried(try_job(site, GOOD_BOT, rules_version="0"), tools)
    assert report.lacks == RULES
    assert report.platform_fault is not None
