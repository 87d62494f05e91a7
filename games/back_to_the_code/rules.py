"""The rules of Back to the Code: walk over a grid, own the cells you step on or enclose, and once undo some rounds.

After CodinGame's contest of 2015. In a round, for all seats at once,

1. a seat steps to one of the 4 neighbours of its cell, or stays; or it goes BACK: it stays, has no BACK any more, and
   the round will end with a return by k rounds;
2. a neutral cell on which exactly one living seat stands becomes that seat's; owned cells never change hands;
3. zones are filled: neutral cells, connected in 8 directions, none of them on the rim of the board and none beside
   a cell of another seat, all become the cells of the seat that closed them in with its step;
4. if seats went BACK, the match returns to the state of as many rounds ago as they asked for together, at most all; but
   spent BACKs stay spent, and seats that went out stay out. A BACK in the first round has no effect, but is spent.

The score is the number of cells. A seat that is out keeps its cells. The match ends, see ``Ending``, after its number
of completed rounds; or earlier, when all seats are out, nothing moves, or the ranking can no longer change.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.enclosure import members, outside, pack
from games.back_to_the_code.state import (
    BACK_MAX,
    MARK_BITS,
    NEUTRAL,
    NEVER,
    PAD,
    ROUND_SHIFT,
    SEATS_MAX,
    Action,
    Bools,
    Ending,
    Ints,
    State,
    alone,
    mark,
    recall,
)

IDLE_ROUNDS = 25
"""The match ends after more than this number of rounds in which no seat moved or went BACK; the first round counts as a
move."""

_STEPS = {Action.LEFT: (-1, 0), Action.RIGHT: (1, 0), Action.UP: (0, -1), Action.DOWN: (0, 1)}
_AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Steps to the 8 neighbours, in order round the cell."""


def _parting() -> Bools:
    """Return (256,): whether a step onto a cell may split the cells that the seat does not own into two parts.

    The index has a bit for each neighbour that the seat owns, the highest for the first of ``_AROUND``. A step may
    split the others if they are not connected round the cell, in 8 directions: their Yokoi number is 2 or more.
    """
    own = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    side, corner = own[:, ::2], own[:, 1::2]
    components = (side - side * corner * np.roll(side, -1, axis=1)).sum(axis=1)
    parting: Bools = components >= 2
    return parting


_PARTING = _parting()
_PAIRS = {seats: np.triu_indices(seats, 1) for seats in range(2, SEATS_MAX + 1)}
"""The first and the second seats of all pairs, by number of seats."""


def ranks(state: State) -> NDArray[np.int64]:
    """Return (B, P): places by number of cells."""
    places: NDArray[np.int64] = 1 + (state.counts[:, None] > state.counts).sum(axis=0).T
    return places


def legal(state: State) -> Bools:
    """Return (N, P, B): whether each seat may do each action; False if it is not asked."""
    at = state.spots + np.arange(0, state.cells.size, state.cells.shape[1])
    ways = _offsets(state)[:, None, None]
    mask: Bools = state.cells.reshape(-1).take(at + ways) != PAD
    mask[Action.BACK + 1 :] = state.backs
    mask &= ~(state.out | state.over)
    return mask


def step(state: State, actions: Ints) -> State:
    """Return the state after a round on all boards that are not over.

    ``actions`` (P, B) are numbers of ``Action``. Illegal ones (a step off the board, a second BACK), those of seats
    that are out, and those on boards that are over count as STAY.
    """
    playing = state.ending == Ending.NONE
    at = state.spots + np.arange(0, state.cells.size, state.cells.shape[1])
    number = np.clip(actions, Action.STAY, Action.BACK + BACK_MAX)
    on_board = state.cells.reshape(-1).take(at + _offsets(state).take(number)) != PAD
    legal: Bools = (number == actions) & on_board & (state.backs | (number <= Action.BACK))
    action = np.where(playing & ~state.out & legal, actions, np.int16(Action.STAY))
    spots = state.spots + _offsets(state).take(action)
    asked = np.maximum(action - np.int16(Action.BACK), 0)
    rounds = np.minimum(asked.sum(axis=0, dtype=np.int16), state.completed)
    onward = playing & (rounds == 0)
    cells, counts = state.cells.copy(), state.counts.copy()
    _claim(state, spots, onward, cells, counts)
    returns = state.returns
    if rounds.any():
        returns = _return(state, rounds, cells, spots, counts)
    after = replace(
        state,
        cells=cells,
        spots=spots,
        counts=counts,
        backs=state.backs & (asked == 0),
        completed=state.completed + onward - rounds,
        played=state.played + playing,
        acted=np.where((action != Action.STAY).any(axis=0), state.played, state.acted),
        past=(*state.past, np.stack([spots, counts])),
        returns=returns,
    )
    return _judged(after, playing)


def _offsets(state: State) -> NDArray[np.int16]:
    """Return (N,): the difference that each action makes to the spot of a seat."""
    offsets = np.zeros(Action.BACK + BACK_MAX + 1, np.int16)
    for action, (dx, dy) in _STEPS.items():
        offsets[action] = dy * (state.grid[1] + 2) + dx
    return offsets


def _claim(
    state: State, spots: NDArray[np.int16], onward: Bools, cells: NDArray[np.int16], counts: NDArray[np.int16]
) -> None:
    """Give neutral cells to seats that stand on them alone, and fill the zones that this encloses.

    Changes ``cells`` and ``counts`` in place, on boards where ``onward`` is True. On boards that return to an earlier
    round, the claims of this round would be undone at its end.
    """
    at = spots + np.arange(0, cells.size, cells.shape[1])
    claims = (cells.reshape(-1).take(at) == NEUTRAL) & alone(spots, ~state.out) & onward
    counts += claims
    seat, board = np.nonzero(claims)
    at = at[claims]
    code = ((state.completed.take(board) + 1) << ROUND_SHIFT) + seat.astype(np.int16) + np.int16(mark(0))
    cells.reshape(-1)[at] = code
    around = np.array([dy * (state.grid[1] + 2) + dx for dx, dy in _AROUND])[:, None]
    own = (cells.reshape(-1).take(at + around) & MARK_BITS) == code & MARK_BITS
    parting = np.flatnonzero(_PARTING.take(np.packbits(own, axis=0)[0]))
    if parting.size:
        _fill(state, seat[parting], board[parting], code[parting], cells, counts)


def _fill(
    state: State,
    seat: NDArray[np.intp],
    board: NDArray[np.intp],
    code: NDArray[np.int16],
    cells: NDArray[np.int16],
    counts: NDArray[np.int16],
) -> None:
    """Fill the zones that n steps may have enclosed, all at once; change ``cells`` and ``counts`` in place.

    ``seat``, ``board`` and ``code`` (n,) are the seat and the board of each step, and the code that it has written.
    ``cells`` (B, L), codes, and ``counts`` (P, B), numbers of cells, are given as they are after these steps.

    The contest's referee looks, in each round, at the zones beside each seat whose earlier path touches its cell. The
    result is the same. Only a step onto a neutral cell can enclose a zone, by splitting it from the rest, and the zone
    is filled at once, so there are no older ones. The ring that closes has two cells next to that step, and both were
    stepped on before. Zones of two seats do not overlap, as each is surrounded by cells of its own seat.
    """
    rows = cells.take(board, axis=0).T
    height, width = state.grid
    own, neutral = (
        pack(np.ascontiguousarray(flags)).reshape(height + 2, width + 2, -1)
        for flags in ((rows & MARK_BITS) == code & MARK_BITS, rows == NEUTRAL)
    )
    reached = outside(~own[None], own | neutral)[0]
    spot, number = members(neutral & ~reached)
    cells[board[number], spot] = code[number]
    counts[seat, board] += np.bincount(number, minlength=len(board)).astype(np.int16)


def _return(
    state: State, rounds: Ints, cells: NDArray[np.int16], spots: NDArray[np.int16], counts: NDArray[np.int16]
) -> NDArray[np.int16]:
    """Undo the last ``rounds[b]`` (0 on most boards) rounds of each board b; return the new ``State.returns``.

    Changes ``cells``, ``spots`` and ``counts`` in place.
    """
    boards = np.flatnonzero(rounds)
    target = state.completed[boards] - rounds[boards]
    rows = cells[boards]
    rows[rows >= ((target + 1) << ROUND_SHIFT)[:, None]] = NEUTRAL
    cells[boards] = rows
    spots[:, boards], counts[:, boards] = recall(state, boards, target)
    returns = state.returns.copy()
    number = (returns[0][:, boards] != NEVER).sum(axis=0)
    returns[:, number, boards] = target, state.played[boards] + 1 - target
    return returns


def _judged(state: State, playing: Bools) -> State:
    """Return the state after a round with ``ending`` and ``settled`` of the boards that have played the round."""
    ending = np.where(state.completed >= state.limit, np.int8(Ending.ROUNDS), np.int8(Ending.NONE))
    ending = np.where(state.out.all(axis=0), np.int8(Ending.NOBODY), ending)
    ending = np.where(state.played - state.acted > IDLE_ROUNDS, np.int8(Ending.IDLE), ending)
    ending = np.where(state.settled, np.int8(Ending.SETTLED), ending)
    ending = np.where(playing, ending, state.ending)
    return replace(state, ending=ending, settled=state.settled | (playing & _settled(state)))


def _settled(state: State) -> Bools:
    """Return (B,): whether the ranking can no longer change, not even by the BACKs that are left.

    A ranking that was settled in the round to which all these BACKs together would lead is settled in all later rounds,
    too. So the past is looked up only on boards where the present ranking is settled.
    """
    living = ~state.out
    earliest = state.completed - BACK_MAX * (state.backs & living).sum(axis=0, dtype=np.int16)
    size = state.grid[0] * state.grid[1]
    settled: Bools = (earliest >= 0) & _decided(size, state.counts, state.counts, living)
    boards = np.flatnonzero(settled & (earliest < state.completed))
    if boards.size:
        least = recall(state, boards, earliest[boards])[1]
        settled[boards] = _decided(size, least, state.counts[:, boards], living[:, boards])
    return settled


def _decided(size: int, least: Ints, counts: Ints, living: Bools) -> Bools:
    """Return (B,): whether for any two seats it is certain which will have more cells, or that their numbers stay.

    Args:
        size: number of cells of the board.
        least: (P, B), the least number of cells that each seat will have. A living seat may get all neutral ones.
        counts: (P, B), the greatest number of cells that a seat that is out will have.
        living: (P, B), whether each seat is not out.
    """
    most = np.where(living, least + (size - least.sum(axis=0, dtype=np.int16)), counts)
    one, other = _PAIRS[len(least)]
    fixed = most == least
    known = (most[one] < least[other]) | (most[other] < least[one]) | (fixed[one] & fixed[other])
    decided: Bools = known.all(axis=0)
    return decided
