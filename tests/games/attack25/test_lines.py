"""In whole matches, questions and effects of answers are those of the plain reference."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games.attack25 import Attack25
from games.attack25.state import State
from tests.games.attack25 import plain

GAME = Attack25()


def asked(state: State, b: int, match: plain.Match) -> list[str]:
    """Return the question of the plain reference."""
    lines = [] if state.auction and state.picking else match.round_lines()
    return [*lines, match.pick_line(int(state.mover[b]))] if state.picking else lines


def answered(lines: list[str], seat: int, dice: random.Random) -> str:
    """Return a random answer to a question, which uses only what the question says."""
    if not lines[-1].startswith("PICK"):
        return str(dice.randint(0, int(lines[6].split()[seat])))
    *_, chance, _, legal = lines[-1].split()
    panel = dice.choice(legal.split(","))
    return f"{panel} {panel}" if chance == "1" else panel


@pytest.mark.parametrize("mode", ["bid", "order"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_lines_are_those_of_the_reference(players: int, mode: str) -> None:
    dice = random.Random(players)  # noqa: S311 - no secret
    state = GAME.reset(range(9), players, {"mode": mode})
    matches = [plain.Match(order) for order in state.order.T.tolist()]
    while not state.over:
        actions = GAME.idle(state)
        for b, match in enumerate(matches):
            if mode == "order":
                match.chips, match.order = [0] * players, state.order[:, b].tolist()
            lines, seats = asked(state, b, match), np.flatnonzero(GAME.to_move(state)[b]).tolist()
            answers = {seat: answered(lines, seat, dice) for seat in seats}
            for seat, answer in answers.items():
                assert GAME.observe(state, b, seat) == lines
                actions[b, seat] = GAME.parse(state, b, seat, [answer])
            if state.picking:
                panel, *erased = map(int, answers[seats[0]].split())
                match.pick(seats[0], (panel, erased[0] if erased else 0))
            else:
                match.bid([int(answer) for answer in answers.values()])
        state = GAME.step(state, actions)
    assert [match.takes for match in matches] == [26] * 9
