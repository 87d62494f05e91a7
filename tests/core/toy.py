"""Rock, paper, scissors: a toy game for tests of the referee and of everything else that takes a game.

Each seat answers one word in each of ``rounds`` rounds and gets a point for each seat that it beats. With ``pause`` no
seat is asked in every second round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.game import (
    Actions,
    BadOptions,
    BadRequest,
    Choices,
    Event,
    Game,
    IllegalAnswer,
    JsonObject,
    quoted,
    read_options,
)

WORDS = ("rock", "paper", "scissors")
NOTHING = -1


class Options(msgspec.Struct, forbid_unknown_fields=True):
    rounds: int = 3
    pause: bool = False


class State(msgspec.Struct, frozen=True, eq=False):
    options: Options
    round: NDArray[np.int64]  # (B,)
    points: NDArray[np.int64]  # (B, P)
    out: NDArray[np.bool_]  # (B, P)


class RockPaperScissors(Game[State]):
    name = "rps"
    title = "Rock, paper, scissors"
    rules_version = "1"
    players = (2, 3)
    rulesets = {"short": {}, "pauses": {"pause": True}}

    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> State:
        if players not in self.players:
            raise BadOptions("It takes 2 or 3.")
        shape = len(seeds), players
        return State(
            read_options(options, Options), np.zeros(len(seeds), int), np.zeros(shape, int), np.zeros(shape, bool)
        )

    def idle(self, state: State) -> Actions:
        return np.full_like(state.points, NOTHING)

    def legal(self, state: State) -> NDArray[np.bool_]:
        return np.repeat(self.to_move(state)[..., None], len(WORDS), axis=-1)

    def actions(self, state: State, choices: Choices) -> Actions:
        return choices

    def take(self, state: State, boards: Sequence[int] | NDArray[np.integer[Any]]) -> State:
        return State(state.options, state.round[boards], state.points[boards], state.out[boards])

    def step(self, state: State, actions: Actions) -> State:
        going = ~self.over(state)
        hands = np.where(self.to_move(state), actions, NOTHING)
        beats = (hands[:, :, None] == (hands[:, None, :] + 1) % 3) & (hands >= 0)[:, None, :] & (hands >= 0)[:, :, None]
        return replace(state, round=state.round + going, points=state.points + beats.sum(axis=2))

    def to_move(self, state: State) -> NDArray[np.bool_]:
        asks = ~self.over(state) & ~(state.options.pause & (state.round % 2 == 1))
        return asks[:, None] & ~state.out

    def over(self, state: State) -> NDArray[np.bool_]:
        return state.round >= state.options.rounds

    def scores(self, state: State) -> NDArray[np.float64]:
        return state.points.astype(float)

    def ranks(self, state: State) -> NDArray[np.int64]:
        points = np.where(state.out, -1, state.points)
        return 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)

    def disqualify(self, state: State, b: int, seat: int) -> State:
        out = state.out.copy()
        out[b, seat] = True
        return replace(state, out=out)

    def introduce(self, state: State, b: int, seat: int) -> list[str]:
        return [f"you are {seat}"]

    def observe(self, state: State, b: int, seat: int) -> list[str]:
        return [f"round {state.round[b] + 1}"]

    def answer_lines(self, state: State, b: int, seat: int) -> int:
        return 1

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        return 100

    def parse(self, state: State, b: int, seat: int, lines: Sequence[str]) -> Actions:
        if list(lines) not in [[word] for word in WORDS]:
            raise IllegalAnswer("no_hand", answer=quoted(" ".join(lines)))
        return np.array(WORDS.index(lines[0]))

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        return [WORDS[rng.integers(3)]]

    def setting(self, state: State, b: int) -> JsonObject:
        return {"rounds": state.options.rounds}

    def frame(self, state: State, b: int) -> JsonObject:
        return {"turn": int(state.round[b]), "points": state.points[b].tolist()}

    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        before, now = frames[-2:][0]["points"], frames[-1]["points"]
        return [
            Event(turn=frames[-1]["turn"], kind="point", seat=seat, args={"points": points})
            for seat, points in enumerate(now)
            if points > before[seat]
        ]


def judge(request: JsonObject) -> JsonObject:
    if request.get("op") != "beats":
        raise BadRequest("The only op is beats.")
    return {"beats": msgspec.convert(request["hand"], int) - 1}
