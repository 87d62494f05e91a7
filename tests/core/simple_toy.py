"""Nim with two heaps for two or three players, and a guessing game: toys for tests of ``core.simple``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.commentary import event
from core.game import BadOptions, Event, IllegalAnswer, JsonObject
from core.message import Message
from core.seeding import between, draws
from core.simple import SimpleGame

State = dict[str, Any]


class Nim(SimpleGame[State]):
    """Seats take 1 to 3 stones from a heap in turn; who takes the last one gets a point."""

    name = "simple_nim"
    title = "Nim"
    players = (2, 3)
    options = {"stones": 9, "open": True}
    rulesets = {"standard": {}, "many": {"stones": 15}}

    def start(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        if options["stones"] < 1:
            raise BadOptions("There is at least 1 stone.")
        heaps = (between(draws(seed, 0, 2), 0, 3) + options["stones"]).tolist()
        return {"heaps": heaps, "seat": 0, "scores": [0] * players}

    def introduce(self, state: State, seat: int) -> list[str]:
        return [str(seat)]

    def ask(self, state: State, seat: int) -> list[str] | None:
        return [" ".join(map(str, state["heaps"]))] if seat == state["seat"] else None

    def answers(self, state: State, seat: int) -> list[str]:
        return [f"{heap} {n}" for heap in range(2) for n in range(1, 4) if n <= state["heaps"][heap]]

    def parse(self, state: State, seat: int, lines: Sequence[str]) -> tuple[int, int]:
        """Accept more spellings than those listed; a line that is no two numbers raises a ValueError."""
        heap, count = map(int, lines[0].split())
        if f"{heap} {count}" not in self.answers(state, seat):
            raise IllegalAnswer("too_many", stones=count)
        return heap, count

    def step(self, state: State, moves: Mapping[int, Any]) -> State:
        for seat, (heap, count) in moves.items():
            state["heaps"][heap] -= count
            state["scores"][seat] += self.over(state)
        state["seat"] = (state["seat"] + 1) % len(state["scores"])
        return state

    def over(self, state: State) -> bool:
        return not any(state["heaps"])

    def scores(self, state: State) -> list[int]:
        return list(state["scores"])

    def frame(self, state: State) -> JsonObject:
        return {"rows": ["o" * heap for heap in state["heaps"]], "heaps": state["heaps"]}

    def reason(self, last: JsonObject, ranks: Sequence[int], scores: Sequence[float]) -> Message | None:
        return Message("last-stone", {"stones": sum(last["heaps"])}) if len(ranks) == 2 else None

    def commentary(self, before: JsonObject, after: JsonObject) -> list[Event]:
        emptied = [heap for heap in range(2) if before["heaps"][heap] and not after["heaps"][heap]]
        return [event(after, "emptied", None, heap=heap) for heap in emptied]


class Guess(SimpleGame[list[int]]):
    """All seats say two lines at once, and get points for them; a state that is frozen after six turns."""

    name = "simple_guess"
    title = "Guess"
    players = (2, 3)
    answer_lines = 2

    def start(self, seed: int, players: int, options: Mapping[str, Any]) -> list[int]:
        return [0] * (players + 1)

    def ask(self, state: list[int], seat: int) -> list[str] | None:
        return [f"turn {state[-1]}"]

    def answers(self, state: list[int], seat: int) -> list[str]:
        return [f"{a}\n{b}" for a in "xyz" for b in "01"[: 1 + state[-1] % 2]]

    def step(self, state: list[int], moves: Mapping[int, Any]) -> list[int]:
        points = [len([other for other in moves if moves[other] != moves.get(seat)]) for seat in range(len(state) - 1)]
        return [*(old + more for old, more in zip(state[:-1], points, strict=True)), state[-1] + 1]

    def over(self, state: list[int]) -> bool:
        return state[-1] == 6

    def scores(self, state: list[int]) -> list[int]:
        return state[:-1]

    def frame(self, state: list[int]) -> JsonObject:
        return {"points": state}
