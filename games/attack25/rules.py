"""The rules of Attack 25, a panel game of four colours: win a round, take a panel, turn over those that you enclose.

After the television show Panel Quiz Attack 25 and the CodeIQ problem on it. In the show, a round is won by answering a
question; here

- in *bid* mode by the highest of sealed bids, which the winner pays. Of equal bids, that of the first seat in the tie
  order wins, and this seat moves to the end of the order. If all bids are 0, they are tied, too;
- in *order* mode by the seat whose turn it is: each *bag* holds all seats once, shuffled by the seed.

The winner takes a panel (``panels.takes``). The panels of others between it and panels of its own turn over
(``panels.flipped``). In the round that begins with five empty panels, the Attack Chance, the winner then also makes any
owned panel empty. After 26 takes all panels are owned, and the seat with most panels is the best.

An invalid bid counts as 0. Instead of an invalid pick, the legal panel with the lowest number is taken; in the Attack
Chance, also the panel with the highest number is emptied, of another colour or, if there is none, of the winner's own.
After three invalid answers a seat is *silent*: it bids 0 and, if it still wins, the rules pick for it in the same way.
Disqualified seats are silent, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.seeding import between, draws_of_each
from games.attack25.panels import PANELS, Plane, flipped, pack, single, takes, unpack
from games.attack25.state import CHIPS, TAKES, Bools, Ints, State

NOTHING = 0
"""An action that leaves the pick to the rules."""
INVALID = -1
"""The action of an invalid answer; the rules count it as a fault of the seat."""
_union = partial(np.bitwise_or.reduce, axis=0)


def first_state(seeds: Sequence[int], seats: int, *, auction: bool) -> State:
    """Return the first state of a board for each seed, with P = ``seats``.

    ``auction`` tells whether rounds are won by bids; otherwise seats win them in turn.
    """
    boards = len(seeds)
    lanes = -(-boards // 8)
    bags = _bags(seeds, seats, 1 if auction else -(-TAKES // seats))
    none = np.zeros(boards, np.int8)
    state = State(
        auction=auction,
        boards=boards,
        played=0,
        bags=bags,
        order=bags[0],
        owned=np.zeros((seats, PANELS + 1, lanes), np.uint8),
        chips=np.full((seats, boards), CHIPS if auction else 0, np.int16),
        bids=np.zeros((seats, boards), np.int16),
        mover=none,
        legal=np.zeros((PANELS + 1, lanes), np.uint8),
        classes=np.zeros((4, lanes), np.uint8),
        taken=none,
        taker=none,
        erased=none,
        faults=np.zeros((seats, boards), np.int8),
        out=np.zeros((seats, boards), np.bool_),
    )
    return state if auction else _with_next_of_bag(state)


def _bags(seeds: Sequence[int], seats: int, count: int) -> NDArray[np.int8]:
    """Return (count, P, B): random permutations of the seats, by the algorithm of Fisher and Yates."""
    numbers = draws_of_each(seeds, 0, count * (seats - 1)).reshape(len(seeds), count, seats - 1)
    bags = np.empty((len(seeds), count, seats), np.int8)
    bags[:] = np.arange(seats)
    for last in range(seats - 1, 0, -1):
        chosen = between(numbers[..., last - 1], 0, last)[..., None]
        moved = np.take_along_axis(bags, chosen, axis=-1)
        np.put_along_axis(bags, chosen, bags[..., last : last + 1], axis=-1)
        bags[..., last : last + 1] = moved
    return np.ascontiguousarray(bags.transpose(1, 2, 0))


def step(state: State, actions: Ints) -> State:
    """Return the state after a turn: an auction, or the mover's pick.

    ``actions`` (2, P, B) are in an auction the bid, and a number that is ignored; in a pick the panel to take and, in
    the Attack Chance, the panel to empty; or ``NOTHING`` or ``INVALID``. Actions of silent seats, and illegal ones,
    count as ``NOTHING``.
    """
    if state.over:
        return state
    actions = np.where(state.silent, NOTHING, actions)
    return _picked(state, actions) if state.picking else _auctioned(state, actions[0])


def _auctioned(state: State, bids: Ints) -> State:
    """Return the state after an auction with bids (P, B)."""
    valid = np.where(bids <= state.chips, np.maximum(bids, 0), 0)
    highest = valid.max(axis=0)
    tied = valid == highest
    place = np.take_along_axis(tied, state.order, axis=0).argmax(axis=0)
    winner = np.take_along_axis(state.order, place[None], axis=0)[0]
    behind = np.arange(len(bids))[:, None] >= place
    after = replace(
        state,
        played=state.played + 1,
        faults=state.faults + (bids == INVALID),
        bids=valid.astype(np.int16),
        chips=state.chips - _by_seat(state, winner) * highest.astype(np.int16),
        order=np.where(behind & (tied.sum(axis=0) > 1), [*state.order[1:], winner], state.order),
    )
    return _with_mover(after, winner)


def _with_next_of_bag(state: State) -> State:
    """Return the state with the next seat of the bags to pick."""
    seats = len(state.order)
    order = state.bags[state.takes // seats]
    return _with_mover(replace(state, order=order), order[state.takes % seats])


def _with_mover(state: State, mover: NDArray[np.int8]) -> State:
    """Return the state with a seat (B,) to pick."""
    legal, classes = takes(*sides(state.owned, pack(_by_seat(state, mover))))
    return replace(state, mover=mover, legal=legal, classes=classes)


def _picked(state: State, actions: Ints) -> State:
    """Return the state after picks: the movers take panels and, in the Attack Chance, empty one."""
    panel, erased = np.take_along_axis(actions, state.mover[None, None].astype(np.intp), axis=1)[:, 0]
    movers = _by_seat(state, state.mover)
    panel = _filled(_known(panel, state.legal), state.legal, lowest=True)
    owned = take_panels(state.owned, pack(movers), single(panel))
    if state.chance:
        others = owned & ~pack(movers)[:, None]
        erased = _filled(_filled(_known(erased, _union(owned)), _union(others)), _union(owned))
        owned &= ~single(erased)
    after = replace(
        state,
        played=state.played + 1,
        owned=owned,
        taken=panel.astype(np.int8),
        taker=state.mover,
        erased=(erased if state.chance else erased * 0).astype(np.int8),
        faults=state.faults + (movers & (actions[0] == INVALID)),
    )
    return after if state.auction or after.over else _with_next_of_bag(after)


def take_panels(owned: Plane, movers: Plane, panel: Plane) -> Plane:
    """Return the planes of all colours, ``owned`` (P, 26, K), after one colour on each board has taken a panel.

    ``movers`` (P, K) are the boards on which each colour is the one that takes a panel; ``panel`` (26, K) is the plane
    of the panels taken, which are empty.
    """
    own, other = sides(owned, movers)
    new = flipped(own, other, panel) | panel
    after: Plane = owned & ~new | new & movers[:, None]
    return after


def sides(owned: Plane, movers: Plane) -> tuple[Plane, Plane]:
    """Return the planes of the movers' panels and of the others'; arguments are those of ``take_panels``."""
    own = _union(owned & movers[:, None])
    return own, _union(owned) & ~own


def _by_seat(state: State, seat: NDArray[np.int8]) -> Bools:
    """Return (P, B): whether each seat is the one given (B,)."""
    flags: Bools = np.arange(len(state.owned), dtype=np.int8)[:, None] == seat
    return flags


def _known(panel: Ints, plane: Plane) -> Ints:
    """Return panels (B,), with 0 in place of those that are not in a plane."""
    number = np.clip(panel, 0, PANELS)
    inside = np.take_along_axis(unpack(plane, len(panel)), number.astype(np.intp)[None], axis=0)[0]
    return np.where((number == panel) & (inside != 0), panel, 0)


def _filled(panel: Ints, plane: Plane, *, lowest: bool = False) -> Ints:
    """Return panels (B,), with the lowest or highest panel of a plane, if it has any, in place of those below 1."""
    open_ = panel <= 0
    if not open_.any():
        return panel
    flags = unpack(plane, len(panel))
    default = flags.argmax(axis=0) if lowest else (PANELS - flags[::-1].argmax(axis=0)) * flags.any(axis=0)
    return np.where(open_, default, panel)


def to_move(state: State) -> Bools:
    """Return (B, P): whether seats are asked: all in an auction, the mover for its pick; silent seats never."""
    asked: Bools = ~state.silent & (_by_seat(state, state.mover) if state.picking else not state.over)
    return asked.T


def panels(state: State) -> NDArray[np.int64]:
    """Return (P, B): the number of panels of each seat."""
    counts: NDArray[np.int64] = unpack(state.owned, state.boards).sum(axis=1, dtype=np.int64)
    return counts


def ranks(state: State) -> NDArray[np.int64]:
    """Return (B, P): places by number of panels; disqualified seats share the last places."""
    points = np.where(state.out, -1, panels(state))
    places: NDArray[np.int64] = 1 + (points[:, None] > points).sum(axis=0).T
    return places
