"""Matches of random players, for searches, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bits import selected
from core.game import Choices, Game, JsonObject, StateT
from core.referee import Outcome, Reply, SeatInfo, Turn, drive, play

TURNS_MAX = 3_000
"""A match that has not ended after so many turns counts as one that never ends."""
TRIALS = 16
"""How many random choices a greedy seat compares."""
_BLOCK = 1_024
"""Number of boards that are copied for trials at a time: their memory is used again by the next ones."""

Answers = list[dict[int, list[str]]]
"""For each turn in order, the lines that each seat asked has answered."""


class Endless(Exception):  # noqa: N818 - what it says of a match
    """A random match does not end."""


def random_answers(game: Game[Any], *, seed: int, players: int, options: Mapping[str, Any]) -> Answers:
    """Play one board to its end with random legal answers and return these; ``seed`` decides board and answers.

    Raises:
        Endless: the match does not end.
    """
    rng = np.random.default_rng(seed)
    state = game.reset([seed], players, options)
    turns: Answers = []
    while not game.over(state)[0]:
        if len(turns) == TURNS_MAX:
            raise Endless
        seats = np.flatnonzero(game.to_move(state)[0]).tolist()
        turns.append({seat: game.random_answer(state, 0, seat, rng) for seat in seats})
        state = play_turn(game, state, turns[-1])
    return turns


def random_choices(legal: NDArray[np.bool_], rng: np.random.Generator) -> Choices:
    """Return random choices (..), evenly distributed over those that a mask (.., N) allows; -1 where it allows none."""
    return _drawn(_packed(legal), rng)


def _packed(mask: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return a mask (.., N) as words (.., ceil(N / 64)) with a bit for each entry."""
    octets = np.packbits(mask, axis=-1, bitorder="little")
    words = np.zeros((*octets.shape[:-1], -(-octets.shape[-1] // 8)), "<u8")
    words.view(np.uint8)[..., : octets.shape[-1]] = octets
    return words.astype(np.uint64, copy=False)


def _drawn(words: NDArray[np.uint64], rng: np.random.Generator) -> Choices:
    """Return the number (..) of a random bit that is set in words (.., W), all equally likely; -1 if none is set."""
    sums = np.cumsum(np.bitwise_count(words), axis=-1, dtype=np.int64)
    total = sums[..., -1]
    rank = (rng.random(total.shape) * total).astype(np.int64)
    nth = np.minimum((sums <= rank[..., None]).sum(axis=-1), words.shape[-1] - 1)[..., None]
    word = np.take_along_axis(words, nth, axis=-1)[..., 0]
    below = np.take_along_axis(sums, nth, axis=-1)[..., 0] - np.bitwise_count(word)
    return np.where(total > 0, 64 * nth[..., 0] + selected(word, rank - below), -1)


def greedy_choices(
    game: Game[StateT], state: StateT, seat: int, rng: np.random.Generator, trials: int = TRIALS
) -> Choices:
    """Return choices (B, ..) of a seat that are good for this turn alone; -1 where it has none.

    The seat tries ``trials`` random choices while the others do nothing, and takes the one that brings it furthest
    ahead of the best of the others.
    """
    legal = game.legal(state)
    words = _packed(legal[:, seat])
    chosen = np.empty(words.shape[:-1], np.int64)
    for start in range(0, len(words), _BLOCK):
        some = np.arange(start, min(start + _BLOCK, len(words)))
        copies = game.take(state, some.repeat(trials))
        tried = _drawn(words[some].repeat(trials, axis=0), rng)
        choices = np.full((len(tried), *legal.shape[1:-1]), -1)
        choices[:, seat] = tried
        scores = game.scores(game.step(copies, game.actions(copies, choices)))
        ahead = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
        best = ahead.reshape(-1, trials).argmax(axis=1) + np.arange(0, len(tried), trials)
        chosen[some] = tried[best]
    return chosen


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
