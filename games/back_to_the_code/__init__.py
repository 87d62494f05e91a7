"""Back to the Code, after CodinGame's contest: rules in ``rules``, protocol in ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Choices, Game, JsonObject, read_options
from games import codingame
from games.back_to_the_code import frames as viewing
from games.back_to_the_code import learning, protocol, rules
from games.back_to_the_code.starts import starts
from games.back_to_the_code.state import NEUTRAL, Action, State, first_state, taken

__all__ = ["Action", "BackToTheCode", "Options", "State"]

ROUNDS = {2: 350, 3: 300, 4: 250}
"""Rounds of a match by the number of players."""
ROUNDS_LIMIT = 1_000
SIDE_MIN, SIDE_MAX = 2, 40

_Side = Annotated[int, msgspec.Meta(ge=SIDE_MIN, le=SIDE_MAX)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match."""

    width: _Side = 35
    height: _Side = 20
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_LIMIT)] | None = None
    """Number of rounds; None: the contest's number for this number of players, see ``ROUNDS``."""


class BackToTheCode(Game[State]):
    """The rules of Back to the Code, as ``core.game.Game`` asks for them.

    Actions are (B, P): numbers of ``Action``; BACK k is ``Action.BACK + k``.
    """

    name: ClassVar[str] = "back_to_the_code"
    title: ClassVar[str] = "Back to the Code"
    rules_version: ClassVar[str] = "2"
    players: ClassVar[tuple[int, ...]] = (2, 3, 4)
    rulesets: ClassVar[Mapping[str, JsonObject]] = {"contest": {}}
    options_type: ClassVar[type[msgspec.Struct]] = Options
    bot_limits: ClassVar[Mapping[str, int]] = codingame.BOT_LIMITS
    faults_rank_last: ClassVar[bool] = False

    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> State:
        """Return the first states, for options as ``Options`` has them.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not allowed.
        """
        if players not in self.players:
            raise BadOptions(f"Back to the Code is played by 2, 3 or 4 players, not by {players}.")
        chosen = read_options(options, Options)
        grid = chosen.height, chosen.width
        places = np.reshape([starts(seed, players, grid) for seed in seeds], (-1, players, 2))  # for no seeds, too
        return first_state(places, grid, chosen.rounds or ROUNDS[players])

    def idle(self, state: State) -> Actions:
        """Return actions in which all seats stay."""
        return np.full(state.spots.shape[::-1], Action.STAY, np.int16)

    def step(self, state: State, actions: Actions) -> State:
        """Return the state after a round."""
        return rules.step(state, actions.T)

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P, 30): whether each seat may do each action; choices are the numbers of actions."""
        return rules.legal(state).transpose(2, 1, 0)

    def actions(self, state: State, choices: Choices) -> Actions:
        """Return the choices as actions; STAY in place of -1."""
        return np.maximum(choices, Action.STAY).astype(np.int16)

    take = staticmethod(taken)

    def to_move(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P): whether seats are asked: all that are not out, in each round."""
        return ~(state.out | state.over).T

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (B, P): the number of cells of each seat."""
        return state.counts.T.astype(np.float64)

    ranks = staticmethod(rules.ranks)
    observation = staticmethod(learning.observation)
    introduce = staticmethod(protocol.introduction)
    observe = staticmethod(protocol.observation)

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        """Return the CPU time of an answer in milliseconds, which is longer in the first round."""
        return protocol.CPU_MS if state.played[b] else protocol.FIRST_CPU_MS

    parse = staticmethod(protocol.parse)

    def may_leave(self, state: State, b: int, seat: int) -> bool:
        """Return whether the board is full: a seat that leaves keeps its cells, and only a BACK could free others."""
        return not (state.cells[b] == NEUTRAL).any()

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Go to a random neighbour, three times in four a neutral one if there is any; go BACK once in 128 rounds."""
        if state.backs[seat, b] and not rng.integers(128):
            return [f"BACK {rng.integers(1, 26)}"]
        height, width = state.grid
        x, y, *_ = protocol.seats(state, b)[seat]
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        near = [(u, v) for u, v in near if 0 <= u < width and 0 <= v < height]
        cells = state.cells[b].reshape(height + 2, width + 2)
        neutral = [(u, v) for u, v in near if cells[v + 1, u + 1] == NEUTRAL]
        choice = neutral if neutral and rng.integers(4) else near
        x, y = choice[rng.integers(len(choice))]
        return [f"{x} {y}"]

    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        """Return the own cell, its neighbours and, while it is left, each BACK."""
        return [protocol.offered(state, b, seat, np.flatnonzero(self.legal(state)[b, seat]).tolist())]

    setting = staticmethod(viewing.setting)
    frame = staticmethod(viewing.frame)
    commentary = staticmethod(viewing.commentary)
    closing = staticmethod(viewing.closing)
