"""Recorded results of the contest's referee are repeated, one by one, in batches and in whole matches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.registry import game_named
from games.wondev_woman import actions, rules, view
from games.wondev_woman.judge import judge
from tests.games.wondev_woman import plain
from tests.games.wondev_woman.positions import LEAGUES, Request, asked, heights, state_of, vectors

GAME = game_named("wondev_woman")


def recorded(*kinds: str) -> list[tuple[Request, dict[str, Any]]]:
    """Return recorded questions and answers."""
    return [(_request(vector), vector["expect"]) for vector in vectors("vectors") if vector["kind"] in kinds]


def _request(vector: dict[str, Any]) -> Request:
    return {"cmd": vector["kind"], **{key: value for key, value in vector.items() if key not in ("kind", "expect")}}


def test_the_judge_repeats_the_vectors() -> None:
    cases = recorded("init", "legal", "apply")
    assert len(cases) == 1_600
    for request, expected in cases:
        answer = judge(request)
        assert {key: answer.get(key) for key in expected} == expected, request


@pytest.mark.parametrize("league", LEAGUES)
def test_positions_of_all_sizes_and_both_seats_in_one_batch(league: int) -> None:
    cases = [(request, expected) for request, expected in recorded("legal") if request["version"] == league]
    state = state_of(*(asked(request) for request, _ in cases))
    assert state.boards == len(cases) > 5
    legal = rules.legal(state, *rules.sides(state.units, state.mover))
    for b, (request, expected) in enumerate(cases):
        assert actions.lines(legal[:, b : b + 1]) == expected["legal"]
        assert GAME.observe(state, b, request["player"]) == expected["input"]


@pytest.mark.parametrize("league", LEAGUES)
def test_actions_on_boards_of_all_sizes_in_one_batch(league: int) -> None:
    cases = [
        (request, expected)
        for request, expected in recorded("apply")
        if request["version"] == league and expected["ok"] and not asked(request).over
    ]
    state = state_of(*(asked(request) for request, _ in cases))
    assert state.boards == len(cases) > 3
    played = [GAME.parse(state, b, request["player"], [request["action"]]) for b, (request, _) in enumerate(cases)]
    after = rules.step(state, np.array(played))
    for b, (_, expected) in enumerate(cases):
        assert view.rows(after, b) == expected["rows"]
        assert [list(place) for seat in view.places(after, b) for place in seat] == expected["units"]
        assert after.points[:, b].tolist() == expected["scores"]
        assert rules.ended(after, np.array([True]))[b] == expected["over"]


def test_the_plain_reference_repeats_the_vectors() -> None:
    for request, expected in recorded("legal"):
        board = asked(request)
        assert plain.legal(board, request["player"]) == expected["legal"]
    for request, expected in recorded("apply"):
        board = asked(request)
        if expected["ok"] and not board.out[board.seat]:
            after = plain.play(board, " ".join(request["action"].upper().split()[:4]))
            assert after.heights == heights(expected["rows"])
            assert [list(unit) for seat in after.units for unit in seat] == expected["units"]
            assert list(after.points) == expected["scores"]


@pytest.mark.parametrize("number", range(20))
def test_recorded_matches(number: int) -> None:
    """Matches are replayed from their seeds: illegal answers disqualify, seats that are out are skipped, ends agree."""
    record = vectors("games")[number]
    kind = ["square", "diamond", "random"][record["mapIndex"]]
    state = GAME.reset([0], 2, {"java_seed": record["seed"], "map": kind, "league": record["version"]})
    assert view.rows(state, 0) == record["start"]["rows"]
    assert [list(place) for seat in view.places(state, 0) for place in seat] == record["start"]["units"]
    for seat, line, fine in record["trace"]:
        assert GAME.to_move(state)[0].tolist() == [seat == 0, seat == 1]
        played = GAME.idle(state)
        if fine:
            played[0, seat] = GAME.parse(state, 0, seat, [line])
        elif line != "ACCEPT-DEFEAT":
            state = GAME.disqualify(state, 0, seat)
        state = GAME.step(state, played)
    assert GAME.over(state)[0] == record["final"]["over"]
    assert view.rows(state, 0) == record["final"]["rows"]
    assert state.points[:, 0].tolist() == record["final"]["scores"]
    assert state.out[:, 0].astype(int).tolist() == record["final"]["dead"]


def test_recorded_matches_by_the_judge() -> None:
    for record in vectors("games"):
        request = {"version": record["version"], "seed": record["seed"], "mapIndex": record["mapIndex"]}
        answer = judge({"cmd": "init", **request})
        for seat, line, fine in record["trace"]:
            position = {key: answer[key] for key in ("rows", "units", "scores", "dead")}
            answer = judge({"cmd": "apply", "version": record["version"], "player": seat, "action": line, **position})
            assert answer["ok"] == fine
        assert {key: answer[key] for key in record["final"]} == record["final"]
