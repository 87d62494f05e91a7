"""Tron, a game for Banzuke in a package of its own: rules in ``rules``, protocol in ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from banzuke.sdk import Actions, BadOptions, Choices, Game, JsonObject, Message, between, draws, read_options
from banzuke_tron import frames as viewing
from banzuke_tron import protocol, rules
from banzuke_tron.rules import DIRECTIONS, STAY, TRAIL, State, first_state

__all__ = ["Options", "State", "Tron"]

_Side = Annotated[int, msgspec.Meta(ge=8, le=40)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match."""

    width: _Side = 30
    height: _Side = 20


class Tron(Game[State]):
    """The rules of Tron, as ``banzuke.sdk.Game`` asks for them.

    Actions are (B, P): indices of ``DIRECTIONS``, or ``STAY``.
    """

    name: ClassVar[str] = "tron"
    title: ClassVar[str] = "Tron"
    rules_version: ClassVar[str] = "1"
    players: ClassVar[tuple[int, ...]] = (2, 3, 4)
    rulesets: ClassVar[Mapping[str, JsonObject]] = {"normal": {}, "small": {"width": 16, "height": 12}}

    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> State:
        """Return the first states, for options as ``Options`` has them.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not allowed.
        """
        if players not in self.players:
            raise BadOptions(f"Tron is played by 2, 3 or 4 players, not by {players}.")
        chosen = read_options(options, Options)
        places = np.reshape([_starts(seed, players, chosen) for seed in seeds], (-1, players, 2))  # for no seeds, too
        return first_state(places, (chosen.height, chosen.width))

    def idle(self, state: State) -> Actions:
        """Return actions in which all seats do nothing."""
        return np.full(state.heads.shape[::-1], STAY, np.int16)

    def step(self, state: State, actions: Actions) -> State:
        """Return the state after a turn."""
        return rules.step(state, actions.T)

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P, 4): the directions among which each seat chooses."""
        return rules.legal(state).transpose(2, 1, 0)

    def actions(self, state: State, choices: Choices) -> Actions:
        """Return the choices as actions: they are the same numbers."""
        return np.asarray(choices, np.int16)

    def to_move(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P): whether seats are asked: all that ride, in each turn."""
        return (state.riding & ~state.over).T

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (B, P): how many cells each seat has ridden."""
        return state.lengths.T.astype(np.float64)

    ranks = staticmethod(rules.ranks)
    introduce = staticmethod(protocol.introduction)
    observe = staticmethod(protocol.observation)

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        """Return the CPU time of an answer in milliseconds, which is longer in the first turn."""
        return protocol.CPU_MS if state.turn[b] else protocol.FIRST_CPU_MS

    parse = staticmethod(protocol.parse)

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Ride straight on nine times in ten, if that does not crash; else in any direction."""
        choices = protocol.choices_of(state, b, seat)
        code = int(state.cells[state.heads[seat, b], b])
        straight = DIRECTIONS[(code - TRAIL) % 4] if code >= TRAIL else ""
        return [straight if straight in choices and rng.integers(10) else choices[rng.integers(len(choices))]]

    setting = staticmethod(viewing.setting)
    frame = staticmethod(viewing.frame)
    commentary = staticmethod(viewing.commentary)

    def reason(
        self, setting: JsonObject, frames: Sequence[JsonObject], ranks: Sequence[int], scores: Sequence[float]
    ) -> Message:
        """Return why the seats of rank 1 are first."""
        return viewing.reason(frames, ranks)


def _starts(seed: int, players: int, options: Options) -> list[rules.Place]:
    """Return where the seats start: for each the same place in a quarter of the grid.

    Two seats start opposite each other. Which quarters three seats get is drawn by chance.
    """
    across, down, turned = draws(seed, 0, 3)
    x = int(between(across, 1, options.width // 2 - 2))
    y = int(between(down, 1, options.height // 2 - 2))
    right, bottom = options.width - 1 - x, options.height - 1 - y
    corners = [(x, y), (right, bottom), (right, y), (x, bottom)]
    shift = int(between(turned, 0, 3)) if players > 2 else 0
    return (corners[shift:] + corners[:shift])[:players]
