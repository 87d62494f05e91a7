"""Bots that read and answer as public bots for CodinGame's Smash the Code do play whole matches without a fault.

Each is the reading loop that a good part of them share, with a simple choice of a column. Public sources show two
protocols: those of the contest of May 2016 read no scores, those of the later multiplayer game do. Bots of the first
league answer the column alone.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from games.registry import game_named
from tests.games.bots.kit import recorded

LINES = """
while True:
    pairs = [[int(each) for each in input().split()] for _ in range(8)]
    {score}
    mine = [input() for _ in range(12)]
    {score}
    other = [input() for _ in range(12)]
    x = max(range(6), key=lambda x: sum(row[x] == "." for row in mine))
    print({answer})
"""
"""Reads line by line, as bots in Python, C# and JavaScript do; an ``int()`` of a row would raise an error."""
WORDS = """
import sys
words = (word for line in sys.stdin for word in line.split())
while True:
    pairs = [(int(next(words)), int(next(words))) for _ in range(8)]
    {score}
    mine = [next(words) for _ in range(12)]
    x = max(range(6), key=lambda x: sum(row[x] == "." for row in mine))
    print({answer}, flush=True)
    {score}
    other = [next(words) for _ in range(12)]
"""
"""Reads word by word, as bots in C++, Java and Go do, and answers before it has read about the opponent."""
ANSWERS = {
    "column": "x",
    "rotation": "x, 1",
    "message": "x, 3, 'Take that!!'",
    "blanks": "f'{x} 3 Brexe the swag  '",
    "column and message": "f'{x} vvv ARMAGEDDON'",
}


def command(folder: Path, source: str) -> str:
    path = folder / f"{len([*folder.iterdir()])}.py"
    path.write_text(source)
    return shlex.join([sys.executable, "-u", str(path)])


@pytest.mark.parametrize("ruleset", ["smash_the_code", "smash_the_code_contest"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_public_bots_play_unchanged(ruleset: str, answer: str, tmp_path: Path) -> None:
    read, following = ("int(input())", "int(next(words))") if ruleset == "smash_the_code" else ("pass", "pass")
    seats = [
        command(tmp_path, LINES.format(score=read, answer=ANSWERS[answer])),
        command(tmp_path, WORDS.format(score=following, answer=ANSWERS[answer])),
    ]
    outcome, records = recorded("puyo", seats, seed=3, options=game_named("puyo").rulesets[ruleset])
    assert outcome.faults == (None, None), "who cannot place its pair has lost without a fault"
    assert outcome.turns > 20
    assert outcome.ranks == (1, 1), "both play the same columns"
    assert records[-1]["scores"][0] == records[-1]["scores"][1]


def test_a_bot_for_the_other_protocol_is_out_in_the_first_turn(tmp_path: Path) -> None:
    """It neither hangs nor gets out of step in silence: its author is told to compare the rulesets."""
    reads_scores = command(tmp_path, LINES.format(score="int(input())", answer="x"))
    reads_none = command(tmp_path, LINES.format(score="pass", answer="x"))
    for ruleset, culprit in (("smash_the_code", 1), ("smash_the_code_contest", 0)):
        outcome, _ = recorded("puyo", [reads_scores, reads_none], seed=3, options={"ruleset": ruleset})
        faults = [None if fault is None else fault.turn for fault in outcome.faults]
        assert faults[1 - culprit] is None
        assert faults[culprit] in (1, 2)
