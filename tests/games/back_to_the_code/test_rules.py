"""Invariants of matches, and the ways in which they end."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core.batch import seat_out
from core.game import BadOptions
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.back_to_the_code import rules
from games.back_to_the_code.state import Action, Ending, first_state
from games.registry import game_named

GAME = game_named("back_to_the_code")


STAY = np.zeros((2, 1), np.int16)


def test_seats_that_are_out_keep_their_place() -> None:
    state = first_state([[(0, 0), (5, 3), (9, 9)]], (10, 10), 50)
    state = replace(state, counts=np.array([[7], [3], [7]], np.int16))
    out = GAME.disqualify(state, 0, 0)
    assert GAME.ranks(state).tolist() == GAME.ranks(out).tolist() == [[1, 3, 1]]
    assert GAME.scores(out).tolist() == [[7.0, 3.0, 7.0]]
    assert GAME.to_move(out).tolist() == [[False, True, True]]
    assert not GAME.faults_rank_last


def test_a_bot_that_crashes_may_win_by_its_cells() -> None:
    def answer(turn: Turn) -> dict[int, Reply]:
        """Return replies: seat 0 walks along a row for 6 rounds and crashes, seat 1 stays."""
        replies = {}
        for ask in turn.asks:
            x, y, _ = map(int, ask.lines[-9].split())
            walks = ask.seat == 0
            replies[ask.seat] = Reply([f"{19 * (x < 10) if walks else x} {y}"])
        if turn.number == 7:
            replies[0] = Reply([], fault="crashed")
        return replies

    options = {"width": 20, "height": 7, "rounds": 20}
    outcome, _ = drive(play(GAME, seed=4, seats=[SeatInfo("a"), SeatInfo("b")], options=options), answer)
    assert outcome.faults[0] is not None
    assert outcome.scores[0] > outcome.scores[1]
    assert outcome.ranks == (1, 2)
    assert outcome.turns == 20


def ending(match: str) -> tuple[Ending, int]:
    """Play a match of 2 seats on 4 x 4 cells for at most 60 rounds; return how and after how many rounds it ended.

    Args:
        match: what seat 0 does in each round, seat 1 stays: ``r`` and ``l`` steps, ``B`` BACK 1, ``x`` out, else STAY.
    """
    state = first_state([[(0, 0), (3, 3)]], (4, 4), 60)
    kinds = {"r": Action.RIGHT, "l": Action.LEFT, "B": Action.BACK + 1}
    for number in range(60):
        sign = match[number] if number < len(match) else "."
        if sign == "x":
            state = seat_out(seat_out(state, 0, 0), 0, 1)
        actions = STAY.copy()
        actions[0] = kinds.get(sign, Action.STAY)
        state = rules.step(state, actions)
        if state.over[0]:
            break
    return Ending(state.ending[0]), int(state.played[0])


@pytest.mark.parametrize(
    ("match", "how", "rounds"),
    [
        ("", Ending.IDLE, 26),
        ("r", Ending.IDLE, 26),
        (".r", Ending.IDLE, 27),
        ("rlr", Ending.IDLE, 28),
        ("." * 24 + "B", Ending.IDLE, 50),
        ("." * 25 + "B", Ending.IDLE, 51),
        ("rl" * 30, Ending.ROUNDS, 60),
        ("rlrx", Ending.NOBODY, 4),
    ],
)
def test_ends(match: str, how: Ending, rounds: int) -> None:
    assert ending(match) == (how, rounds)


def test_one_more_round_is_played_once_the_ranking_is_settled() -> None:
    """Seat 0 owns all but two cells and no BACK is left; the last two cells cannot change the ranking."""
    state = first_state([[(0, 0), (3, 0)]], (1, 4), 60)
    state = replace(state, backs=np.zeros((2, 1), np.bool_))
    actions = STAY.copy()
    actions[0] = Action.RIGHT
    state = rules.step(state, actions)
    assert (state.settled[0], state.over[0]) == (False, False)  # 2 to 1, and one cell is free
    state = rules.step(state, actions)
    assert (state.settled[0], state.over[0]) == (True, False)
    state = rules.step(state, STAY)
    assert Ending(state.ending[0]) == Ending.SETTLED


def test_backs_that_are_left_keep_the_ranking_open() -> None:
    """As above, but seat 1 could still undo all rounds: only a ranking settled 25 rounds ago is settled."""
    state = first_state([[(0, 0), (3, 0)]], (1, 4), 60)
    state = replace(state, backs=np.array([[False], [True]]))
    settled = []
    for number in range(40):
        actions = STAY.copy()
        actions[0] = Action.RIGHT if number < 2 or number % 2 else Action.LEFT
        state = rules.step(state, actions)
        settled.append(bool(state.settled[0]))
    assert settled.index(True) + 1 == 2 + 25


@pytest.mark.parametrize(
    ("options", "complaint"),
    [({"width": 1}, "width"), ({"height": 41}, "height"), ({"rounds": 0}, "rounds"), ({"rounds": "many"}, "rounds")],
)
def test_options_are_checked(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadOptions, match=complaint):
        GAME.reset([0], 2, options)


@pytest.mark.parametrize(("players", "rounds"), [(2, 350), (3, 300), (4, 250)])
def test_matches_have_the_contests_number_of_rounds(players: int, rounds: int) -> None:
    assert GAME.setting(GAME.reset([0], players), 0) == {
        "width": 35,
        "height": 20,
        "rounds": rounds,
        "players": players,
    }
