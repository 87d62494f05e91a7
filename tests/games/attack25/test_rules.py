"""The rules: auctions, faults, Attack Chance, invariants, and whole matches compared with the plain reference."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from games.attack25 import INVALID, NOTHING, Attack25, protocol
from games.attack25.panels import unpack
from games.attack25.state import CHANCE, CHIPS, TAKES, State
from tests.games.attack25 import plain

GAME = Attack25()


def begin(players: int = 4, mode: str = "bid", seed: int = 1) -> State:
    return GAME.reset([seed], players, {"mode": mode})


def play(state: State, *answers: tuple[int, int]) -> State:
    """Return the state after a turn of one board, given an action for each seat."""
    actions = GAME.idle(state)
    actions[0, : len(answers)] = answers
    return GAME.step(state, actions)


def bid(state: State, *bids: int) -> State:
    return play(state, *[(each, NOTHING) for each in bids])


def pick(state: State, panel: int, erased: int = NOTHING) -> State:
    """Return the state after the mover's answer."""
    return play(state, *[(panel, erased)] * len(state.owned))


def order(state: State) -> list[int]:
    seats: list[int] = state.order[:, 0].tolist()
    return seats


def position(state: State, b: int = 0) -> plain.Board:
    """Return the board in the form of the plain reference."""
    flags = unpack(state.owned, state.boards)[..., b]
    return {int(panel): int(colour) for colour, panel in np.argwhere(flags)}


def at_chance(state: State) -> State:
    """Return the state at the Attack Chance after picks by the rules."""
    while not state.chance:
        state = GAME.step(state, GAME.idle(state))
    return state


# --- Auctions -------------------------------------------------------------------------------------------------------


def test_the_highest_bid_wins_and_is_paid() -> None:
    state = bid(begin(), 5, 0, 7, 2)
    assert state.mover[0] == 2
    assert state.chips[:, 0].tolist() == [100, 100, 93, 100]
    assert order(state) == order(begin())


def test_of_equal_bids_the_first_in_the_order_wins_and_moves_to_its_end() -> None:
    first, second, third, fourth = order(begin())
    bids = [0, 0, 0, 0]
    bids[second] = bids[fourth] = 8
    state = bid(begin(), *bids)
    assert state.mover[0] == second
    assert order(state) == [first, third, fourth, second]
    assert state.chips[[first, second, third, fourth], 0].tolist() == [100, 92, 100, 100]


def test_invalid_bids_count_as_zero_and_the_third_silences_a_seat() -> None:
    state = begin()
    for faults in (1, 2):
        state = bid(state, INVALID, 0, 0, 1)
        assert state.faults[:, 0].tolist() == [faults, 0, 0, 0]
        assert GAME.to_move(pick(state, NOTHING))[0].all()
        state = pick(state, NOTHING)
    state = bid(state, INVALID, 0, 0, 1)
    assert GAME.to_move(state)[0].tolist() == [False, False, False, True]
    state = pick(state, NOTHING)
    assert GAME.to_move(state)[0].tolist() == [False, True, True, True]
    assert bid(state, 50, 2, 1, 0).mover[0] == 1


def test_a_silent_winner_takes_the_lowest_panel_unasked() -> None:
    state = begin()
    first = order(state)[0]
    state = bid(GAME.disqualify(state, 0, first), 0, 0, 0, 0)
    assert state.mover[0] == first
    assert not GAME.to_move(state).any()
    assert position(pick(state, 1)) == {13: first}


# --- Picks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("panel", [NOTHING, INVALID])
def test_instead_of_an_invalid_pick_the_lowest_panel_is_taken(panel: int) -> None:
    state = bid(pick(bid(begin(), 9), 13), 9)
    after = pick(state, panel)
    assert position(after) == {13: 0, 7: 0}
    assert after.faults[:, 0].tolist() == [int(panel == INVALID), 0, 0, 0]
    assert after.taken[0] == 7


def test_the_attack_chance_comes_once_and_empties_a_panel() -> None:
    state = bid(at_chance(begin()), 1)
    before = position(state)
    assert (state.takes, len(before)) == (CHANCE, 20)
    panel = protocol.legal(state, 0)[0]
    after = pick(state, panel, 13)
    plain.take(before, 0, panel)
    del before[13]
    assert position(after) == before
    assert after.erased[0] == 13
    assert not after.chance
    last = pick(bid(after, 1), NOTHING, 1)
    assert len(position(last)) == 21
    assert last.erased[0] == 0


def test_on_a_board_of_one_colour_its_highest_panel_is_emptied() -> None:
    state = at_chance(begin(2))
    owned = np.zeros_like(state.owned)
    owned[0, 1:21] = 0x80
    after = pick(bid(replace(state, owned=owned), 1), NOTHING)
    assert (after.taken[0], after.erased[0]) == (21, 21)


# --- Orders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bags_hold_each_seat_once_and_seats_pick_in_their_order(players: int) -> None:
    state, movers = begin(players, "order"), []
    while not state.over:
        asked = np.flatnonzero(GAME.to_move(state)[0]).tolist()
        assert asked == [int(state.mover[0])]
        assert order(state)[len(movers) % players] == asked[0]
        movers += asked
        state = pick(state, NOTHING)
    assert len(movers) == TAKES
    for start in range(0, TAKES - players, players):
        assert sorted(movers[start : start + players]) == list(range(players))


def test_orders_come_from_the_seed_and_all_are_possible() -> None:
    state = GAME.reset(range(4_000), 4)
    orders, counts = np.unique(state.order, axis=1, return_counts=True)
    assert orders.shape == (4, 24)
    assert counts.min() > 100
    assert order(GAME.reset([3_999], 4)) == state.order[:, -1].tolist()


# --- Whole matches --------------------------------------------------------------------------------------------------


def random_action(match: plain.Match, dice: np.random.Generator, bidding: bool, winner: int) -> tuple[int, int] | None:
    """Return a random answer: None, which stands for an invalid one, one time in eight."""
    if dice.integers(8) == 0:
        return None
    if bidding:
        return int(dice.integers(match.chips[winner] // 4 + 1)), NOTHING
    panel = int(dice.choice(plain.legal(match.board, winner)[1]))
    return panel, int(dice.choice([*match.board, panel])) if match.chance else NOTHING


def turn(matches: list[plain.Match], movers: list[int], state: State, dice: np.random.Generator) -> np.ndarray:
    """Play a turn of each match of the reference; return the same actions for the fast rules, and set the movers."""
    actions = GAME.idle(state)
    seats = range(len(state.owned))
    for b, match in enumerate(matches):
        if state.picking:
            answer = random_action(match, dice, False, movers[b])
            match.pick(movers[b], answer)
            actions[b, movers[b]] = answer or (INVALID, INVALID)
        else:
            bids = [random_action(match, dice, True, seat) for seat in seats]
            actions[b] = [each or (INVALID, INVALID) for each in bids]
            movers[b] = match.bid([each and each[0] for each in bids])
    return actions


@pytest.mark.parametrize("mode", ["bid", "order"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_matches_have_the_results_of_the_reference(players: int, mode: str) -> None:
    dice = np.random.default_rng(players)
    state = GAME.reset(range(21), players, {"mode": mode})
    matches = [plain.Match(orders) for orders in state.order.T.tolist()]
    movers = state.mover.tolist()
    while not state.over:
        state = GAME.step(state, turn(matches, movers, state, dice))
        for b, match in enumerate(matches):
            assert position(state, b) == match.board
            assert state.faults[:, b].tolist() == match.faults
            if mode == "bid":
                assert state.chips[:, b].tolist() == match.chips
                assert state.order[:, b].tolist() == match.order
        movers = state.mover.tolist()
    assert any(max(match.faults) == 3 for match in matches)


def test_equal_seats_share_ranks_and_disqualified_ones_are_last() -> None:
    state = begin()
    owned = np.zeros_like(state.owned)
    for seat, panel in ((0, 1), (0, 2), (1, 3), (2, 4), (2, 5), (3, 6)):
        owned[seat, panel] = 0x80
    state = replace(state, owned=owned)
    assert GAME.ranks(state).tolist() == [[1, 3, 1, 3]]
    assert GAME.ranks(GAME.disqualify(state, 0, 0)).tolist() == [[4, 2, 1, 2]]
    assert begin().chips.max() == CHIPS
