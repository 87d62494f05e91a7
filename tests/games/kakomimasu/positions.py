"""Positions for tests: recorded ones, random ones, and batches of them."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from games.kakomimasu.boards import BoardFile
from games.kakomimasu.state import Kind, State, area_bit, first_state, spots, tally, wall_bit

VECTORS = Path(__file__).parents[2] / "vectors/kakomimasu"

Request = dict[str, Any]


def vectors(name: str) -> list[tuple[Request, dict[str, Any]]]:
    """Return questions and answers recorded from the original core."""
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt") as file:
        return [(vector["input"], vector["output"]) for vector in map(json.loads, file)]


def batch(requests: Sequence[Request]) -> State:
    """Return a batch of the positions of questions with the same number of players and boards of any sizes."""
    seats = requests[0]["nplayer"]
    files = [
        BoardFile(each["w"], each["h"], each["points"], each.get("nagent", 1), each.get("totalTurn", 1))
        for each in requests
    ]
    state = first_state([file.board() for file in files], seats, article=requests[0].get("fill") == "2020")
    for b, request in enumerate(requests):
        for cell, (kind, player) in enumerate(request["field"]):
            spot = spots_of(state, b, cell % request["w"], cell // request["w"])
            if player >= 0:
                state.cells[spot, b] = wall_bit(player) if kind else area_bit(player)
        for seat, places in enumerate(request.get("agents", [])):
            state.agents[seat, : len(places), b] = [spots_of(state, b, x, y) for x, y in places]
        state.played[b] = request.get("turn", 1) - 1
    state.scores[:] = tally(state.points, state.cells, seats)
    return replace(state, settled=False)


def spots_of(state: State, b: int, x: int, y: int) -> int:
    """Return the spot of a cell of one board of a batch."""
    column, row = (np.full(state.boards, value) for value in (x, y))
    return int(spots(state, column, row)[b])


@st.composite
def fields(draw: st.DrawFn, width: int, height: int, players: int) -> list[list[int]]:
    """Return a random field of rings (whole, broken, nested, thick) and single cells."""
    kinds = [[0, -1]] * 3 + [[kind, player] for kind in (0, 1) for player in range(players)]
    field = [[0, -1]] * (width * height)
    for _ in range(draw(st.integers(0, 5))):
        left, top = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
        right, bottom = draw(st.integers(left, width - 1)), draw(st.integers(top, height - 1))
        player = draw(st.integers(0, players - 1))
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                if x in (left, right) or y in (top, bottom):
                    field[x + y * width] = [1, player]
    for cell in draw(st.lists(st.integers(0, width * height - 1), max_size=12)):
        field[cell] = draw(st.sampled_from(kinds))
    return field


@st.composite
def fill_requests(draw: st.DrawFn, players: st.SearchStrategy[int], side: int = 12) -> Request:
    """Return a question about enclosure, on a board of any size from 1x1."""
    width, height, seats = draw(st.integers(1, side)), draw(st.integers(1, side)), draw(players)
    dice = random.Random(draw(st.integers(0, 9)))  # noqa: S311 - no secret; drawing each value is slow
    points = [dice.randint(-16, 16) for _ in range(width * height)]
    field = draw(fields(width, height, seats))
    return {"op": "fill", "w": width, "h": height, "nplayer": seats, "points": points, "field": field}


@st.composite
def turn_requests(draw: st.DrawFn, players: st.SearchStrategy[int], *, plain: bool = False) -> Request:
    """Return a question about a turn on a crowded board, with orders of all kinds; ``plain``: as in ``is_plain``."""
    request = draw(fill_requests(players, side=6))
    width, height, seats = request["w"], request["h"], request["nplayer"]
    count = draw(st.integers(1, 4))
    cells = [[x, y] for y in range(height) for x in range(width)]
    places = draw(st.permutations(cells + [[-1, -1]] * (count * seats)))
    agents = [places[seat * count : (seat + 1) * count] for seat in range(seats)]
    for seat, own in enumerate(agents):
        for x, y in own:
            if x >= 0:
                request["field"][x + y * width] = [1, seat]
    total = draw(st.integers(1, 3))
    return request | {
        "op": "turn",
        "nagent": count,
        "totalTurn": total,
        "turn": draw(st.integers(1, total)),
        "agents": agents,
        "actions": [draw(_actions(own, width, height, plain)) for own in agents],
    }


@st.composite
def _actions(draw: st.DrawFn, agents: list[list[int]], width: int, height: int, plain: bool) -> list[list[int]]:
    """Return orders of a seat, most of them sensible; some agents get several or none, some do not exist."""
    orders = []
    more = [] if plain else draw(st.lists(st.integers(-1, 5), max_size=2))
    for agent in draw(st.permutations([*range(len(agents)), *more])):
        x, y = agents[agent] if 0 <= agent < len(agents) else (0, 0)
        if x < 0 or draw(st.integers(0, 9)) == 0:
            target = [draw(st.integers(-1, width)), draw(st.integers(-1, height))]
            kind = draw(st.sampled_from([1, 1, 1, 1, 1, 2, 3, 4, 0, 7]))
        else:
            target = [x + draw(st.integers(-1, 1)), y + draw(st.integers(-1, 1))]
            kind = draw(st.sampled_from([3, 3, 3, 3, 4, 4, 4, 1, 2]))
        orders.append([agent, kind, *target])
    return orders[: draw(st.integers(0, len(orders)))] if draw(st.integers(0, 4)) == 0 else orders


def batch_orders(requests: Sequence[Request], state: State) -> NDArray[np.int16]:
    """Return the orders of questions, at most one for each agent, as ``rules.step`` takes them."""
    orders = np.zeros((3, *state.agents.shape), np.int16)
    for b, request in enumerate(requests):
        for seat, sent in enumerate(request["actions"]):
            for agent, kind, x, y in sent:
                orders[:, seat, agent, b] = kind or Kind.NONE, x, y  # 0 would be no order
    return orders


def is_plain(request: Request) -> bool:
    """Return whether no agent gets two orders and all agents exist."""
    named = [[order[0] for order in sent] for sent in request["actions"]]
    return all(len(set(seat)) == len(seat) and set(seat) <= set(range(request["nagent"])) for seat in named)


def drawn(request: Request, field: list[list[int]]) -> list[str]:
    """Return a field as rows of tiles."""
    text = "".join("." if player < 0 else ("ABCD" if kind else "abcd")[player] for kind, player in field)
    return [text[start : start + request["w"]] for start in range(0, len(text), request["w"])]
