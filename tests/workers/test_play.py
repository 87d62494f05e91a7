"""Matches from end to end: whose fault a failure is, what it costs, and that one bot's death harms no other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
import structlog
from structlog.testing import capture_logs

from core.game import JsonObject
from core.replay import decode
from games.registry import game_named
from games.replays import verify
from sandbox import cgroups
from sandbox.api import Limits, PlatformFault, Program
from sandbox.leftovers import fresh_name
from sandbox.process import BoxedProcess
from tests.installing import games_installed
from tests.sandbox.test_fair_time import burners
from tests.words import english
from tests.workers.conftest import GOOD_BOT, TOKEN, FileSite, play_job
from wire.jobs import AGAIN_MAX, RULES, MatchReport
from wire.turnlog import unpack
from workers import play
from workers.play import Tools, match_play, wants_rest

DIES_ON_TURN_2 = GOOD_BOT.replace("    print(", "    if turn == 1: raise SystemExit(3)\n    print(")
SPEAKS_OUT_OF_TURN = GOOD_BOT.replace("    print(", "    import sys; print('to the log', file=sys.stderr)\n    print(")


def played(site: FileSite, tools: Tools, *sources: str, **changes: object) -> MatchReport:
    report = match_play(play_job(site, *sources, **changes), tools)
    return msgspec.convert(msgspec.json.decode(msgspec.json.encode(report)), MatchReport)


def test_a_match_is_played_and_its_replay_stored(site: FileSite, tools: Tools) -> None:
    report = played(site, tools, GOOD_BOT, GOOD_BOT)
    assert (report.match_id, report.attempt, report.lease_token, report.worker) == (7, AGAIN_MAX + 1, TOKEN, "tester")
    assert report.platform_fault is None
    assert report.turns == 30
    assert [seat.rank for seat in report.seats] == [1, 1]
    verify(site.files[report.replay_digest])


def test_the_cost_of_turns_is_reported(site: FileSite, tools: Tools) -> None:
    burnt = "    if turn in (0, 4): sum(range(10**6 * (1 if turn else 3)))\n    print("
    seats = played(site, tools, GOOD_BOT.replace("    print(", burnt), GOOD_BOT).seats
    assert seats[0].cpu_ms_total > seats[0].cpu_ms_worst > seats[1].cpu_ms_worst > 0
    assert seats[0].cpu_ms_worst < seats[0].cpu_ms_total / 2, "not of the first answer, with its higher limit"


def test_a_bot_that_dies_loses_and_the_other_plays_on(site: FileSite, tools: Tools) -> None:
    report = played(site, tools, DIES_ON_TURN_2, GOOD_BOT)
    dead, alive = report.seats
    assert report.turns == 30
    assert (dead.rank, alive.rank) == (2, 1)
    assert alive.fault is None
    assert dead.fault is not None
    assert (dead.fault.verdict, dead.fault.turn, dead.fault.exit_code) == ("crashed", 2, 3)
    assert dead.fault.last_input, "what it was asked when it died"
    verify(site.files[report.replay_digest])


def test_a_bot_at_fault_is_gone_while_the_other_plays_on(
    site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it could run on, as after too much output, and take CPU time and memory until the match ends."""
    acts: list[tuple[str, BoxedProcess]] = []
    for act in ("ask", "kill"):
        monkeypatch.setattr(BoxedProcess, act, _noted(act, getattr(BoxedProcess, act), acts))
    talks = GOOD_BOT.replace("    print(", "    if turn == 2: print('x' * 100_000, flush=True)\n    print(")
    fault = played(site, tools, talks, GOOD_BOT).seats[0].fault
    assert fault is not None
    assert fault.verdict == "output"
    first_asked, last_asked = (next(who for act, who in order if act == "ask") for order in (acts, acts[::-1]))
    assert acts[acts.index(("kill", first_asked)) + 1] == ("ask", last_asked)


def _noted(act: str, done: Any, acts: list[tuple[str, BoxedProcess]]) -> Any:
    """Collect the process objects, not their ``id``, which a later object may get again."""

    def noting(process: BoxedProcess, *arguments: Any) -> Any:
        acts.append((act, process))
        return done(process, *arguments)

    return noting


@pytest.fixture
def bots_weigh_no_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A sandbox whose control groups get no more CPU time than other programs of the machine."""
    monkeypatch.setattr(cgroups, "PARENT", f"banzuke-test-{fresh_name()}")
    monkeypatch.setattr(cgroups, "CPU_SHARES", 1_024)
    monkeypatch.setattr(cgroups, "CPU_WEIGHT", 100)
    yield
    cgroups.remove_parents()


@pytest.mark.quiet
def test_a_match_in_which_a_bot_waited_for_a_core_is_given_back_once(
    site: FileSite, tools: Tools, bots_weigh_no_more: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks = "    import time; end = time.process_time() + 0.06\n    while time.process_time() < end: pass\n    print("
    thinker, turns = GOOD_BOT.replace("    print(", thinks), {"board": "A-1", "turns": 4}
    shown: list[JsonObject] = []
    with burners(2 * sorted(os.sched_getaffinity(0)), apart=True):
        with capture_logs() as logs:
            monkeypatch.setattr(play, "log", structlog.get_logger())  # the old logger may write where logs went before
            first = match_play(play_job(site, thinker, GOOD_BOT, options=turns, attempt=1), tools, shown.extend)
        last = played(site, tools, thinker, GOOD_BOT, options=turns, attempt=AGAIN_MAX + 1)
    assert "waited for a core" in english(first.platform_fault)
    assert [(line["event"], line["reason"]) for line in logs] == [("match_waited", str(first.platform_fault))]
    assert first.turns, "the worker need not rest, since the match was played to its end"
    assert last.platform_fault is None
    assert "hash" in decode(site.files[last.replay_digest])[-1]
    assert shown
    assert "hash" not in shown[-1], "the end of an attempt that does not count is not shown"
    kept = unpack(site.files[last.log_digest])
    assert max(turn.waited_ms for turn in kept if turn.seat == 0) > 25


def test_an_illegal_answer_is_shown_with_its_question_and_its_turn_is_kept(site: FileSite, tools: Tools) -> None:
    report = played(site, tools, SPEAKS_OUT_OF_TURN.replace("NONE", "FLY 3 4"), GOOD_BOT)
    fault = report.seats[0].fault
    assert fault is not None
    assert (fault.verdict, fault.stderr) == ("illegal answer", "to the log\n")
    assert "FLY 3 4" in fault.last_output
    assert fault.last_input.startswith("0 2 10 10 8")
    assert fault.memory_peak_mib > 0
    turns = unpack(site.files[report.log_digest])
    assert [(turn.turn, turn.fault) for turn in turns if turn.seat == 0] == [(1, "illegal answer")]
    assert {turn.fault for turn in turns if turn.seat == 1} == {""}
    assert fault.cpu_ms == pytest.approx(turns[0].cpu_ms, abs=0.1)


@pytest.mark.parametrize(
    ("changes", "words", "lacks"),
    [
        ({"game": "chess"}, "does not know the game chess", RULES),
        ({"rules_version": "0.0"}, "the match needs 0.0: bring the worker and the site to the same release", RULES),
        ({"options": {"no such": 1}}, "The worker failed (BadOptions)", ""),
    ],
)
def test_what_the_worker_cannot_play_is_our_fault(
    site: FileSite, tools: Tools, changes: dict[str, object], words: str, lacks: str
) -> None:
    report = played(site, tools, GOOD_BOT, GOOD_BOT, **changes)
    assert words in english(report.platform_fault)
    assert report.lacks == lacks
    assert (report.seats, report.replay_digest) == ([], None)


TOY = """
from tests.core.toy import RockPaperScissors

class Toy(RockPaperScissors):
    name = "toy"
    rules_version = "{version}"
    def frame(self, state, b):
        return super().frame(state, b) | ({extra} if state.round[b] else {{}})
"""
ROCK = "input()\nwhile input():\n    print('rock', flush=True)\n"


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., AbstractContextManager[None]]:
    """Return a function that installs the package ``toys`` with the game ``toy`` in versions of its rules."""

    def install(*versions: str, extra: str = "{}") -> AbstractContextManager[None]:
        folder = tmp_path / f"site {len(list(tmp_path.iterdir()))}"
        for version in versions:
            (folder / f"toys{version}").mkdir(parents=True)
            (folder / f"toys{version}/__init__.py").write_text(TOY.format(version=version, extra=extra))
        newest, *earlier = versions
        entries = {"toy": f"toys{newest}:Toy", **{f"toy.{version}": f"toys{version}:Toy" for version in earlier}}
        return games_installed(folder, entries)

    return install


def test_matches_by_earlier_rules_are_played_beside_the_newest(
    site: FileSite, tools: Tools, toy: Callable[..., AbstractContextManager[None]]
) -> None:
    asked = {"game": "toy", "options": {}}
    with toy("3", "2"):
        for version in ("3", "2"):
            report = played(site, tools, ROCK, ROCK, rules_version=version, **asked)
            assert (report.platform_fault, report.turns) == (None, 3)
            assert decode(site.files[report.replay_digest])[0]["rules"] == version
        handed_on = played(site, tools, ROCK, ROCK, rules_version="1", **asked)
    assert "plays version 3, 2 of the rules of Rock, paper, scissors" in english(handed_on.platform_fault)
    assert handed_on.lacks == RULES
    assert "does not know the game toy" in english(played(site, tools, ROCK, ROCK, **asked).platform_fault)


def test_a_package_that_is_broken_here_is_named_and_its_match_handed_on(
    site: FileSite, tools: Tools, toy: Callable[..., AbstractContextManager[None]]
) -> None:
    with toy("1", extra="{}\n1 / 0"):
        report = played(site, tools, ROCK, ROCK, game="toy", options={})
        other = played(site, tools, GOOD_BOT, GOOD_BOT)
    assert english(report.platform_fault).startswith("The game toy of the package toys cannot be used. ")
    assert report.lacks == RULES
    assert wants_rest(report), "another worker may take it"
    assert other.platform_fault is None


@pytest.mark.parametrize(
    ("extra", "words"),
    [("{'x': 1j}", "TypeError: Encoding objects of type complex"), ("{'x': 1 // 0}", "ZeroDivisionError: integer")],
    ids=["no JSON", "raises"],
)
def test_rules_that_fail_in_a_match_are_named_and_no_bot_is_blamed(
    site: FileSite,
    tools: Tools,
    toy: Callable[..., AbstractContextManager[None]],
    extra: str,
    words: str,
) -> None:
    with toy("1", extra=extra):
        report = played(site, tools, ROCK, ROCK, game="toy", rules_version="1", options={})
    assert (report.seats, report.replay_digest, report.lacks) == ([], None, "")
    assert f"The rules of Rock, paper, scissors (package toys) failed: {words}" in english(report.platform_fault)
    assert not wants_rest(report), "the machine is well"


def test_a_language_that_the_worker_has_not_is_our_fault(
    site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tools._versions, "python", None)
    report = played(site, tools, GOOD_BOT, GOOD_BOT)
    assert english(report.platform_fault).startswith("This worker has no Python 3: install ")
    assert report.lacks == "python"
    assert report.seats == []


def test_a_sandbox_that_fails_is_our_fault(site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools.sandbox, "start", Mock(side_effect=PlatformFault("The machine is full.")))
    assert english(played(site, tools, GOOD_BOT, GOOD_BOT).platform_fault) == "The machine is full."


def test_a_site_that_restarts_or_has_a_full_disk_is_waited_for(site: FileSite, tools: Tools) -> None:
    site.failures = [503, 502, 507]
    assert played(site, tools, GOOD_BOT, GOOD_BOT).platform_fault is None


def test_a_replay_that_cannot_be_stored_is_our_fault(site: FileSite, tools: Tools) -> None:
    played(site, tools, GOOD_BOT, GOOD_BOT)  # the bots are in the cache now: the next request is the replay's
    assert sum(request.startswith("GET") for request in site.requests) == 1, "both have the same program"
    site.failures = [500]
    assert "refused a transfer (500)" in english(played(site, tools, GOOD_BOT, GOOD_BOT).platform_fault)


def test_a_bot_whose_files_are_taken_away_is_not_blamed(
    site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody frees disk space, or a program cleans up caches, while a match begins."""
    start = tools.sandbox.start

    def start_cleaned(program: Program, limits: Limits) -> Any:
        (program.root / "main.py").unlink(missing_ok=True)
        return start(program, limits)

    monkeypatch.setattr(tools.sandbox, "start", start_cleaned)
    report = played(site, tools, GOOD_BOT, GOOD_BOT)
    assert "have gone from this worker's cache during the match" in english(report.platform_fault)
    assert report.seats == []
    monkeypatch.undo()
    again = played(site, tools, GOOD_BOT, GOOD_BOT)
    assert (again.platform_fault, [seat.fault for seat in again.seats]) == (None, [None, None])


def test_the_turns_of_a_bot_that_writes_to_standard_error_are_kept(site: FileSite, tools: Tools) -> None:
    report = played(site, tools, SPEAKS_OUT_OF_TURN, DIES_ON_TURN_2)
    turns = unpack(site.files[report.log_digest])
    speaker = [turn for turn in turns if turn.seat == 0]
    assert [turn.turn for turn in speaker] == list(range(1, 31))
    assert {turn.stderr for turn in speaker} == {"to the log\n"}
    assert set(speaker[3].answered.split()) == {"NONE"}
    assert [(turn.turn, turn.fault) for turn in turns if turn.seat == 1] == [(1, ""), (2, "crashed")]


def test_the_cost_of_the_last_turn_is_reported_with_its_fault(site: FileSite, tools: Tools) -> None:
    spins = GOOD_BOT.replace("    print(", "    while turn == 2: pass\n    print(")
    report = played(site, tools, spins, GOOD_BOT)
    seat, last = report.seats[0], [turn for turn in unpack(site.files[report.log_digest]) if turn.seat == 0][-1]
    assert (seat.fault.verdict, last.turn, last.fault) == ("time", 3, "time")
    assert seat.fault.cpu_ms == seat.cpu_ms_worst == pytest.approx(last.cpu_ms, abs=0.1)
    replayed = decode(site.files[report.replay_digest])[3]
    assert replayed["seats"][0]["cpu_ms"] == last.cpu_ms


def test_nothing_is_kept_beside_the_replay_of_silent_bots(
    site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "WAITED_SHARE", float("inf"))  # however busy this machine is
    assert played(site, tools, GOOD_BOT, GOOD_BOT).log_digest is None


def test_a_program_that_dies_without_legal_actions_has_accepted_its_defeat(site: FileSite, tools: Tools) -> None:
    contest_bot = """
size, units = int(input()), int(input())
while True:
    for _ in range(size + 2 * units):
        input()
    actions = [input() for _ in range(int(input()))]
    print(actions[0], flush=True)
"""
    rules = game_named("wondev_woman")
    changes = {"game": rules.name, "rules_version": rules.rules_version, "options": {}, "seed": 4}
    report = played(site, tools, contest_bot, contest_bot, **changes)
    assert [(seat.rank, seat.score, seat.fault) for seat in report.seats] == [(1, 6.0, None), (2, 2.0, None)]
    replay = site.files[report.replay_digest]
    verify(replay)
    assert "out" in [event["kind"] for line in decode(replay)[1:-1] for event in line["events"]]
