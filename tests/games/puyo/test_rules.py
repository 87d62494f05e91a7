"""Examples of ticks of Tsu and turns of Smash the Code, and invariants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.puyo import PLACEMENTS, State
from games.puyo.chain import resolve
from games.puyo.field import SMASH, TSU, heights, read
from games.puyo.state import supplied as supply
from games.puyo.tsu import rate
from tests.games.puyo.positions import GAME, begun, low, numbers, play, supplied

RED = [(1, 1)]


# --- Popping --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "field", "chains", "score", "after"),
    [
        (TSU, "111...", 0, 0, "111..."),
        (TSU, "1111..", 1, 40, ""),
        (TSU, "11111.", 1, 10 * 5 * 2, ""),
        (TSU, "1111.. 2222..", 1, 10 * 8 * 3, ""),
        (TSU, "22.... 112... 112...", 2, 40 + 10 * 4 * 8, ""),
        (TSU, "1...1. 1...1. 1...1. 1...1.", 1, 10 * 8 * 1, ""),
        (TSU, "111111 111111", 1, 10 * 12 * 10, ""),
        (TSU, "11..11 11..11 1...1.", 1, 10 * 10 * (2 + 2), ""),
        (TSU, "00.... 11.... 113... 030...", 1, 40, "..3... .30..."),
        (SMASH, "11..11 11..11 1...1.", 1, 10 * 10 * (1 + 1), ""),
        (SMASH, "1111.. 2222..", 1, 10 * 8 * 2, ""),
        (SMASH, "11111. 22222. 33333. 44444. 55555.", 1, 10 * 25 * (16 + 5), ""),
    ],
)
def test_a_chain_and_its_points(ruleset: Any, field: str, chains: int, score: int, after: str) -> None:
    rows = field.split()
    picture = ["......"] * (ruleset.rows - len(rows)) + rows
    resolved = resolve(ruleset, read(ruleset, picture)[:, None])
    state = begun(field, ruleset=ruleset.name)
    assert (int(resolved.chains[0]), int(resolved.score[0])) == (chains, score)
    state.fields[:, 0] = resolved.fields
    assert low(state, 0) == after


def tower(*cells: str) -> str:
    """Return a field whose third column has these cells, from the bottom up."""
    return " ".join(f"..{cell}..." for cell in reversed(cells))


def test_the_hidden_row_neither_pops_nor_connects_and_its_garbage_stays() -> None:
    filling = ["3", "4"] * 5
    assert _resolved(tower(*filling[:9], "1", "1", "1", "1")) == (0, tower(*filling[:9], "1", "1", "1", "1"))
    assert _resolved(tower(*filling[:8], "1", "1", "1", "1", "0")) == (1, tower(*filling[:8], "0"))
    assert _resolved(tower(*filling[:7], "1", "1", "1", "1", "0")) == (1, tower(*filling[:7]))


def test_hidden_puyos_pop_after_falling_into_visible_rows() -> None:
    assert _resolved(tower(*["3", "4"] * 3, "2", "2", "1", "1", "1", "1", "2")) == (1, tower(*["3", "4"] * 3, *"222"))
    assert _resolved(tower(*["3", "4"] * 2, "3", "2", "2", "2", "1", "1", "1", "1", "2")) == (2, tower(*"34343"))


def _resolved(picture: str) -> tuple[int, str]:
    state = begun(picture, "")
    resolved = resolve(TSU, state.fields[:, :1, 0])
    state.fields[:, 0] = resolved.fields
    return int(resolved.chains[0]), low(state, 0)


# --- The sequence ---------------------------------------------------------------------------------------------------


def test_sequences_have_each_colour_64_times_and_open_with_three() -> None:
    drawn = supply(range(300), smash=False)
    puyos = drawn.pairs.reshape(256, 300)
    for colour in range(1, 5):
        assert ((puyos == colour).sum(axis=0) == 64).all()
    assert max(len(set(column)) for column in puyos[:4].T.tolist()) == 3
    assert (np.sort(drawn.turns, axis=1) == np.arange(6)[:, None]).all()


def test_all_colours_and_columns_are_equally_likely_at_every_place() -> None:
    drawn = supply(range(4_000), smash=False)
    for place in (0, 3, 4, 255):
        counts = np.bincount(drawn.pairs.reshape(256, -1)[place], minlength=5)[1:]
        assert counts.min() > 850  # 1000 expected, standard deviation 27
    assert np.bincount(drawn.turns[0, 0]).min() > 550  # 667 expected
    smash = supply(range(4_000), smash=True)
    assert np.bincount(smash.pairs[17, 1], minlength=6)[1:].min() > 680  # 800 expected


def test_the_sequence_repeats_after_128_pairs() -> None:
    state = begun(index=[127, 128])
    pairs = state.supply.pairs[..., 0].tolist()
    assert GAME.frame(state, 0)["pairs"] == [[pairs[127], *pairs[:2]], pairs[:3]]


# --- Ticks of Tsu ---------------------------------------------------------------------------------------------------


TWO_CHAIN = "22.... 112... 112..."
"""A field that pops at once, for 40 and 320 points."""


def test_a_chain_takes_one_tick_for_each_step_after_the_first() -> None:
    state = play(supplied(begun(TWO_CHAIN, "11...."), (3, 4), (1, 1)), "5 0", "5 0")
    assert numbers(state, "chain", "steps", "score") == [[1, 0], [1, 0], [40, 0]]
    assert GAME.to_move(state)[0].tolist() == [False, True]
    state = play(state, None, "2 1")
    assert numbers(state, "chain", "steps", "score") == [[0, 0], [2, 1], [360, 40]]
    assert GAME.to_move(state)[0].tolist() == [True, True]


def test_garbage_is_pending_while_the_chain_runs_and_falls_a_move_after_it() -> None:
    state = supplied(begun(TWO_CHAIN, "", carry=[30, 0]), (3, 4))
    state = play(state, "5 0", "0 0")
    assert numbers(state, "chain", "pending", "fixed") == [[1, 0], [0, 1], [0, 0]]
    state = play(state, None, "0 0")
    assert numbers(state, "chain", "pending", "fixed") == [[0, 0], [0, 0], [0, 5]]
    assert "0" not in low(state, 1)
    state = play(state, "5 0", "0 0")
    assert numbers(state, "fixed", "falls") == [[0, 0], [0, 1]]
    assert low(state, 1).count("0") == 5


@pytest.mark.parametrize(
    ("pending", "fixed", "left", "sent"),
    [
        ([9, 0], [9, 0], [[3, 0], [9, 0]], 0),
        ([2, 0], [9, 0], [[0, 0], [5, 0]], 0),
        ([2, 0], [1, 0], [[0, 3], [0, 0]], 3),
    ],
)
def test_an_attack_cancels_pending_then_fixed_garbage(
    pending: list[int], fixed: list[int], left: list[list[int]], sent: int
) -> None:
    """Six puyos are sent for 420 points; the chain runs on."""
    state = supplied(begun(TWO_CHAIN, "", carry=[380, 0], pending=pending, fixed=fixed), (3, 4))
    state = play(state, "5 0", "0 0")
    assert numbers(state, "pending", "fixed") == left
    assert sent == left[0][1]


def test_attacks_of_one_tick_cancel_each_other() -> None:
    state = supplied(begun("11....", "11....", carry=[380, 240]), *RED)
    state = play(state, "2 1", "2 1")
    assert numbers(state, "pending", "fixed", "carry") == [[0, 0], [0, 2], [0, 0]]


def test_30_puyos_fall_at_once_and_the_rest_by_the_next_permutation() -> None:
    state = supplied(begun("", "", fixed=[35, 33]), (1, 2))
    state = play(state, "0 1", "0 1")
    assert low(state, 0) == low(state, 1) == "00.... 000000 000000 000000 000000 120000"
    assert numbers(state, "fixed", "falls") == [[5, 3], [0, 0]]
    state = play(state, "0 1", "0 1")
    turns = state.supply.turns[0, :, 0]
    grown = heights(TSU, state.fields[:, :, 0]) - np.array([7, 7, 5, 5, 5, 5])[:, None]
    assert grown.T.tolist() == [(turns < 5).astype(int).tolist(), (turns < 3).astype(int).tolist()]
    assert numbers(state, "fixed", "falls") == [[0, 0], [1, 1]]


def test_no_garbage_falls_on_a_seat_whose_chain_runs() -> None:
    state = supplied(begun(TWO_CHAIN, "", fixed=[20, 0]), (3, 4))
    state = play(state, "5 0", "0 0")
    assert (numbers(state, "fixed"), "0" in low(state, 0)) == ([[20, 0]], False)
    state = play(state, None, "0 0")
    assert (numbers(state, "fixed"), low(state, 0).count("0")) == ([[0, 0]], 20 - 5)


def test_an_all_clear_adds_30_to_the_next_chain() -> None:
    state = supplied(begun("11....", ""), *RED)
    state = play(state, "2 1", "0 0")
    assert numbers(state, "all_clear", "pending", "fixed") == [[1, 0], [0, 0], [0, 0]]
    state = play(state, "0 0", "2 0")
    assert numbers(state, "all_clear") == [[1, 0]]
    state = play(state, "1 0", "4 0")
    assert numbers(state, "all_clear", "carry", "fixed") == [[1, 0], [10, 0], [0, 31]]


def test_garbage_left_prevents_an_all_clear_but_incoming_garbage_does_not() -> None:
    state = supplied(begun("0..... 11....", "11....", fixed=[0, 6]), *RED)
    state = play(state, "2 1", "2 1")
    assert numbers(state, "all_clear") == [[1, 1]]
    state = supplied(begun("0..... 3..... 11....", "", fixed=[0, 6]), *RED)
    assert numbers(play(state, "2 1", "2 1"), "all_clear") == [[0, 0]]


def test_margin_time_makes_garbage_cheap() -> None:
    ticks = [0, 127, 128, 135, 136, 144, 152, 160, 168, 176, 184, 192, 200, 208, 399]
    assert rate(np.array(ticks)).tolist() == [70, 70, 52, 52, 35, 26, 17, 13, 8, 6, 4, 3, 2, 1, 1]


# --- The end --------------------------------------------------------------------------------------------------------


def end(state: State) -> tuple[bool, list[int]]:
    return bool(GAME.over(state)[0]), GAME.ranks(state)[0].tolist()


HIGH = tower(*["3", "4"] * 5)


def test_a_seat_that_fills_the_spawn_cell_is_dead() -> None:
    state = supplied(begun(HIGH, HIGH), (1, 2))
    assert end(play(state, "0 0", "0 0")) == (False, [1, 1])
    assert end(play(state, "2 0", "0 0")) == (True, [2, 1])
    assert end(play(state, "2 0", "2 2")) == (True, [1, 1])


def test_puyos_that_pop_in_the_spawn_cell_do_not_kill() -> None:
    state = supplied(begun(tower(*["3", "4"] * 4, "1", "1"), ""), (1, 1))
    assert end(play(state, "2 0", "0 0")) == (False, [1, 2])
    hidden = supplied(begun(tower(*["3", "4"] * 4, "3", "1", "1"), ""), (1, 1))
    assert end(play(hidden, "2 0", "0 0")) == (True, [2, 1])


def test_after_400_ticks_the_higher_score_wins() -> None:
    state = supplied(begun(tick=[399], score=[40, 80]), (1, 2))
    assert end(play(state, "0 0", "0 0")) == (True, [2, 1])
    state = supplied(begun(tick=[398], score=[40, 80]), (1, 2))
    assert end(play(state, "0 0", "0 0"))[0] is False


@pytest.mark.parametrize("ruleset", ["tsu", "smash_the_code"])
def test_a_fault_loses_at_once_and_two_are_a_draw(ruleset: str) -> None:
    state = supplied(begun(ruleset=ruleset, score=[900, 0]), (1, 2))
    out = GAME.disqualify(state, 0, 0)
    answered = GAME.idle(out)
    answered[0, 1] = GAME.parse(out, 0, 1, ["0 0"])
    assert end(GAME.step(out, answered)) == (True, [2, 1])
    out = GAME.disqualify(out, 0, 1)
    assert end(GAME.step(out, GAME.idle(out))) == (True, [1, 1])


# --- Smash the Code -------------------------------------------------------------------------------------------------


def test_a_whole_chain_pops_in_a_turn_and_skulls_fall_in_the_next() -> None:
    state = supplied(begun(TWO_CHAIN, "", ruleset="smash_the_code", carry=[60, 0]), (3, 4), (5, 3))
    state = play(state, "5 1", "0 0")
    assert numbers(state, "steps", "score", "carry", "pending") == [[2, 0], [360, 0], [0, 0], [0, 1]]
    state = play(state, "5 1", "0 0")
    assert low(state, 1) == "53.... 00.... 340000"
    assert numbers(state, "pending") == [[0, 0]]


def test_a_seat_without_space_loses() -> None:
    column = " ".join(["1.....", "2....."] * 5) + " 3....."
    state = supplied(begun(column, "", ruleset="smash_the_code"), (4, 5))
    assert end(play(state, "0 0", "0 0")) == (False, [1, 1])
    assert end(play(state, "0 1", "0 0")) == (True, [2, 1])
    full = supplied(begun(column, "", ruleset="smash_the_code", pending=[1, 0]), (4, 5))
    assert not GAME.legal(full)[0, 0, PLACEMENTS.index((0, 1))]
    assert end(play(full, "0 0", "0 0")) == (True, [2, 1])


def test_a_seat_that_places_nothing_loses() -> None:
    state = supplied(begun(ruleset="smash_the_code"), (1, 2))
    actions = GAME.choose(state, np.array([[-1, 0]]))
    assert actions[0].tolist() == [[-1, -1], list(PLACEMENTS[0])]
    assert end(GAME.step(state, actions)) == (True, [2, 1])


def test_after_200_turns_the_higher_score_wins() -> None:
    state = supplied(begun(ruleset="smash_the_code", tick=[199], score=[80, 40]), (1, 2))
    assert end(play(state, "0 0", "0 0")) == (True, [1, 2])
