"""The report of bots that were at fault, or not understood, and the command that plays such a match again."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec
import pytest

from banzuke.bots import Bot
from banzuke.faults import faults_text
from banzuke.pool import Pairing, Setting, Stop, pairings_left, results_known
from banzuke.results import Result, ResultLog
from core.referee import Forgiven
from games.registry import game_named
from tests.banzuke.makers import GAME, result


def bot(name: str, text: str = "") -> Bot:
    return Bot(name, name, f"./{name}", text=text or f"bots/{name}.py")


RING, WALL, DASH = bot("ring"), bot("wall", "house:wall"), bot("dash", "-dash")
SETTING = Setting(GAME, {"turns": 2}, (RING, WALL, DASH), None)


def commands(text: str) -> list[list[str]]:
    return [shlex.split(line.partition(": ")[2]) for line in text.split("\n") if line.startswith("  To see")]


def test_without_faults_there_is_nothing_to_report() -> None:
    assert faults_text(SETTING, []) == ""
    assert faults_text(SETTING, [result("ring", "wall", ranks=(1, 2))]) == ""


def test_each_bot_at_fault_is_named_with_its_last_fault() -> None:
    played = [
        result("ring", "wall", ranks=(2, 1), seed=3, faults=("time", None)),
        result("wall", "ring", ranks=(1, 2), seed=4, faults=(None, "crashed")),
        result("ring", "dash", ranks=(1, 1), seed=5),
    ]
    text = faults_text(SETTING, played)
    assert text.startswith("ring was at fault in 2 of 3 matches, the last time by: crashed.\n  To see why: ")
    assert commands(text) == [
        ["banzuke", "play", GAME, "house:wall", "bots/ring.py", "--seed", "4", "--option", "turns=2"]
    ]


def test_answers_that_the_game_forgave_are_counted_over_all_matches() -> None:
    first, second = (Forgiven(count, 2, f"'{word}'") for count, word in ((3, "hello"), (1, "well")))
    played = [
        msgspec.structs.replace(result("ring", "wall", ranks=(1, 2), seed=seed), forgiven=forgiven)
        for seed, forgiven in ((7, [first, None]), (8, [second, None]), (9, [None, None]))
    ]
    text = faults_text(SETTING, played)
    assert "ring: in 2 of 3 matches answers were not understood, or not allowed, 4 in all; the first: 'hello'." in text
    assert commands(text)[0][-3:] == ["7", "--option", "turns=2"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"board": {"width": 3}}, ["--option", "board=@FILE"]),
        ({"open": True, "share": 0.5}, ["--option", "open=true", "--option", "share=0.5"]),
        ({"map": "a b"}, ["--option", "map=a b"]),
    ],
)
def test_the_command_has_the_options_as_they_are_typed(options: dict[str, Any], words: list[str]) -> None:
    setting = Setting(GAME, options, (DASH, WALL), "bubblewrap")
    (command,) = commands(faults_text(setting, [result("dash", "wall", ranks=(2, 1), faults=("output", None))]))
    assert command[3:5] == ["./-dash", "house:wall"], "a name that begins with a dash is no option"
    assert command[command.index("--option") : -2] == words
    assert command[-2:] == ["--sandbox", "bubblewrap"]


# --- What a league, a test or a tournament still has to play --------------------------------------------------------


def test_matches_that_were_played_are_not_played_again() -> None:
    seatings = [(0, 1), (1, 0)]
    done = {(5, ("ring", "wall")), (6, ("wall", "ring"))}
    left = list(pairings_left(SETTING, seeds=(5, 6, 7), seatings=seatings, done=done))
    assert left == [Pairing(5, (1, 0)), Pairing(6, (0, 1)), Pairing(7, (0, 1)), Pairing(7, (1, 0))]


def test_only_results_of_the_same_bots_rules_and_options_count() -> None:
    rules = game_named(GAME).rules_version

    def played(*bots: str, **fields: Any) -> Result:
        of = {"rules": rules, "options": {"turns": 2}, **fields}
        return msgspec.structs.replace(result(*bots, ranks=(1, 2)), **of)

    known = played("ring", "wall")
    others = [
        played("ring", "another"),
        played("ring", "wall", rules="0"),
        played("ring", "wall", options={}),
        played("ring", "wall", game="puyo"),
    ]
    assert results_known(SETTING, ResultLog([*others, known], None)) == [known]


def test_a_log_in_memory_keeps_what_is_added() -> None:
    log = ResultLog([], None)
    log.add(result("ring", "wall", ranks=(1, 2)))
    assert [each.key for each in log.results] == [(0, ("ring", "wall"))]


def test_the_first_ctrl_c_asks_and_the_second_ends(capsys: pytest.CaptureFixture[str]) -> None:
    stop = Stop()
    stop.interrupt(2, None)
    assert stop.asked
    assert "Ctrl-C again drops them" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        stop.interrupt(2, None)
    with pytest.raises(KeyboardInterrupt):
        Stop().interrupt(15, None)
