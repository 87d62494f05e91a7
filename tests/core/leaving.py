"""Matches of random players, each of which answers wrongly as soon as it may leave the match without fault."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.game import Game, JsonObject
from core.message import said
from core.referee import Outcome, Reply, SeatInfo, Turn, drive, play

WRONG = (
    Reply([]),
    Reply(["hello"]),
    Reply(["0 0"], fault="time", why=said("Late.")),
    Reply([], 0, 0, "crashed", said("Died.")),
)


def leaving_match(
    game: Game[Any], wrong: Reply, *, seed: int = 5, players: int = 2, options: JsonObject
) -> tuple[Outcome, list[JsonObject], list[int]]:
    """Play a match in which ``wrong`` answers where a seat may leave; return outcome, records and seats that left."""
    rng, left = np.random.default_rng(seed), list[int]()
    state = game.reset([seed], players, options)

    def replies(turn: Turn) -> dict[int, Reply]:
        nonlocal state
        while not game.to_move(state)[0].any():
            state = game.step(state, game.idle(state))
        actions, made = game.idle(state), {}
        leaving = [ask.seat for ask in turn.asks if game.may_leave(state, 0, ask.seat)]
        for ask in turn.asks:
            if ask.seat in leaving:
                made[ask.seat] = wrong
                continue
            lines = game.random_answer(state, 0, ask.seat, rng)
            made[ask.seat] = Reply(lines)
            actions[0, ask.seat] = game.parse(state, 0, ask.seat, lines)
        for seat in leaving:
            state = game.disqualify(state, 0, seat)
        state = game.step(state, actions)
        left.extend(leaving)
        return made

    seats = [SeatInfo(f"bot {seat}") for seat in range(players)]
    outcome, records = drive(play(game, seed=seed, seats=seats, options=options), replies)
    return outcome, records, left
