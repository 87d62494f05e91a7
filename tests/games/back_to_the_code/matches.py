"""Matches for tests: recorded ones, random ones, and batches of them."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from core.batch import seat_out
from games.back_to_the_code import protocol, rules
from games.back_to_the_code.protocol import Refusal
from games.back_to_the_code.state import State, first_state

VECTORS = Path(__file__).parents[2] / "vectors/back_to_the_code"

Request = dict[str, Any]
StateJson = dict[str, Any]


def vectors() -> list[tuple[Request, dict[str, list[StateJson]]]]:
    """Return questions and answers recorded from the original referee."""
    with gzip.open(VECTORS / "games.jsonl.gz", "rt") as file:
        return [(vector["input"], vector["output"]) for vector in map(json.loads, file)]


def state_json(state: State, b: int) -> StateJson:
    """Return the state of a board as in an answer of the judge, without the reasons of ends."""
    return {
        "players": protocol.seats(state, b),
        "grid": protocol.rows(state, b),
        "scores": state.counts[:, b].tolist(),
        "completedRounds": int(state.completed[b]),
        "realRound": int(state.played[b]),
    }


def played(requests: Sequence[Request]) -> Iterator[State]:
    """Play requests of one size, number of players and limit as one batch; yield the state after each round."""
    first = requests[0]
    limit = first["max"] or {2: 350, 3: 300, 4: 250}[first["n"]]
    state = first_state([request["starts"] for request in requests], (first["h"], first["w"]), limit)
    yield state
    for number in range(max(len(request["rounds"]) for request in requests)):
        actions = np.zeros(state.spots.shape, np.int16)
        for b, seat in np.argwhere(~(state.out | state.over).T).tolist():
            rounds = requests[b]["rounds"]
            line = rounds[number][seat] if number < len(rounds) else f"{0} {0}"
            try:
                actions[seat, b] = protocol.parse(state, b, seat, [line])
            except Refusal:
                state = seat_out(state, b, seat)
        state = rules.step(state, actions)
        yield state


def random_request(seed: int, *, width: int, height: int, players: int, limit: int) -> Request:
    """Return a random match with rings, BACKs, meetings, faults and timeouts, in which some seats come to rest."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    back, fault = dice.choice([0, 0.02, 0.1]), dice.choice([0, 0, 0.01])
    wanderers = [_wanderer(dice, width, height, back, fault) for _ in range(players)]
    rounds = [[next(wanderer) for wanderer in wanderers] for _ in range(2 * limit)]
    if dice.random() < 0.2:
        rest = dice.randrange(limit)
        rounds[rest:] = [rounds[rest]] * limit
    return {
        "w": width,
        "h": height,
        "n": players,
        "max": limit,
        "starts": [[dice.randrange(width), dice.randrange(height)] for _ in range(players)],
        "rounds": rounds,
    }


def _wanderer(dice: random.Random, width: int, height: int, back: float, fault: float) -> Iterator[str]:
    """Return lines of a seat that walks round rectangles, one after another."""
    spent = False
    while True:
        left, top, side = dice.randrange(width), dice.randrange(height), dice.randint(2, 5)
        right, bottom = min(left + side, width - 1), min(top + side, height - 1)
        for x, y in [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]:
            for _ in range(side):
                if dice.random() < back and not (spent and dice.random() < 0.9):
                    spent = True
                    yield f"{dice.choice(['BACK', 'back'])} {dice.randint(1, 25)}"
                elif dice.random() < fault:
                    yield dice.choice(["<T>", "", "BACK 26", "BACK 0", "1 1 ", f"{x} -1", "999 0", "BACK 3"])
                else:
                    yield f"{x} {y}" + dice.choice(["", " hello"])


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Return random matches on boards of all shapes."""
    return random_request(
        draw(st.integers(0, 2**32)),
        width=draw(st.integers(1, 9)),
        height=draw(st.integers(1, 9)),
        players=draw(st.integers(2, 4)),
        limit=draw(st.sampled_from([1, 20, 60, 120])),
    )
