"""Matches of random players, for searches, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.game import Choices, Game, JsonObject, StateT
from core.referee import Outcome, Reply, SeatInfo, Turn, drive, play

Answers = list[dict[int, list[str]]]
"""For each turn in order, the lines that each seat asked has answered."""


def random_answers(game: Game[Any], *, seed: int, players: int, options: Mapping[str, Any]) -> Answers:
    """Play one board to its end with random legal answers and return these; ``seed`` decides board and answers."""
    rng = np.random.default_rng(seed)
    state = game.reset([seed], players, options)
    turns: Answers = []
    while not game.over(state)[0]:
        seats = np.flatnonzero(game.to_move(state)[0]).tolist()
        turns.append({seat: game.random_answer(state, 0, seat, rng) for seat in seats})
        state = play_turn(game, state, turns[-1])
    return turns


def random_choices(legal: NDArray[np.bool_], rng: np.random.Generator) -> Choices:
    """Return random choices (..), evenly distributed over those that a mask (.., N) allows; -1 where it allows none."""
    wish = np.where(legal, rng.random(legal.shape, np.float32), -1)
    return np.where(legal.any(axis=-1), wish.argmax(axis=-1), -1)


def play_turn(game: Game[StateT], state: StateT, answers: Mapping[int, Sequence[str]]) -> StateT:
    """Return the state of a single board after a turn with these answers, by seat."""
    actions = game.idle(state)
    for seat, lines in answers.items():
        actions[0, seat] = game.parse(state, 0, seat, lines)
    return game.step(state, actions)


def replay_answers(
    game: Game[Any], answers: Answers, *, seed: int, players: int, options: Mapping[str, Any]
) -> tuple[Outcome, list[JsonObject]]:
    """Let the referee play a match with given answers; return its outcome and the records of its replay."""

    def replies(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply(answers[turn.number - 1][ask.seat]) for ask in turn.asks}

    seats = [SeatInfo(f"random {seat}") for seat in range(players)]
    return drive(play(game, seed=seed, seats=seats, options=options), replies)
