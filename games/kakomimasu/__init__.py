"""Kakomimasu, a game of walls and areas: rules in ``rules`` and ``orders``, protocol in ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Game, JsonObject, read_options
from games.kakomimasu import boards, learning, protocol, rules
from games.kakomimasu import choices as numbers
from games.kakomimasu import frames as viewing
from games.kakomimasu.state import Kind, State, first_state

__all__ = ["Kakomimasu", "Kind", "Options", "State"]


def _limits(most: int) -> msgspec.Meta:
    """Describe the limits of a number to forms; ``Options.each`` checks them for files of boards as well."""
    return msgspec.Meta(extra_json_schema={"minimum": 1, "maximum": most})


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match. Agents and turns default to those of the board."""

    board: Annotated[str, msgspec.Meta(examples=[*boards.NAMES])] | boards.BoardFile | None = None
    """Name of a published board, or content of a board file; None: generated from the seed."""
    agents: Annotated[int, _limits(boards.AGENTS_LIMIT)] | None = None
    """Number of agents of each seat."""
    turns: Annotated[int, _limits(boards.TURNS_LIMIT)] | None = None
    fill: Literal["2020"] | None = None
    """Rules of enclosure: None for the present ones, 2020 for those of the article."""

    def each(self, seeds: Sequence[int]) -> list[boards.Board]:
        """Return the board for each seed.

        Raises:
            BadOptions: there is no such board, or a number is out of range.
        """
        if self.board is None:
            return [self._adapted(boards.generate(seed)) for seed in seeds]
        fixed = boards.named(self.board) if isinstance(self.board, str) else self.board.board()
        return [self._adapted(fixed)] * len(seeds)

    def _adapted(self, board: boards.Board) -> boards.Board:
        agents = board.agents if self.agents is None else self.agents
        turns = board.turns if self.turns is None else self.turns
        if not 1 <= agents <= boards.AGENTS_LIMIT:
            raise BadOptions(f"The number of agents must lie between 1 and {boards.AGENTS_LIMIT}.")
        if not 1 <= turns <= boards.TURNS_LIMIT:
            raise BadOptions(f"The number of turns must lie between 1 and {boards.TURNS_LIMIT}.")
        return boards.Board(board.points, agents, turns)


class Kakomimasu(Game[State]):
    """The rules of Kakomimasu, as ``core.game.Game`` asks for them.

    Actions are (B, P, A, 3): ``Kind``, x and y of the order to each agent.
    """

    name: ClassVar[str] = "kakomimasu"
    title: ClassVar[str] = "Kakomimasu"
    rules_version: ClassVar[str] = "1"
    players: ClassVar[tuple[int, ...]] = (2, 3, 4)
    rulesets: ClassVar[Mapping[str, JsonObject]] = {"present": {}, "2020": {"fill": "2020"}}
    options_type: ClassVar[type[msgspec.Struct]] = Options

    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> State:
        """Return the first states, for options as ``Options`` has them.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not allowed.
        """
        if players not in self.players:
            raise BadOptions(f"Kakomimasu is played by 2, 3 or 4 players, not by {players}.")
        chosen = read_options(options, Options)
        return first_state(chosen.each(seeds), players, article=chosen.fill == "2020")

    def idle(self, state: State) -> Actions:
        """Return orders to stand still."""
        # In the memory order that ``step`` works on, so that it need not copy them.
        return np.zeros((3, *state.agents.shape), np.int16).transpose(3, 1, 2, 0)

    def step(self, state: State, actions: Actions) -> State:
        """Return the state after a turn."""
        return rules.step(state, np.ascontiguousarray(actions.transpose(3, 1, 2, 0)))

    legal = staticmethod(numbers.legal)
    actions = staticmethod(numbers.actions)
    width = staticmethod(numbers.width)
    observation = staticmethod(learning.observation)

    def padded(self, state: State, options: Mapping[str, Any] | None = None) -> State:
        """Return the state on the largest grid of generated boards, with their most agents.

        If ``options`` name a board, the state is returned as it is.
        """
        chosen = read_options(options, Options)
        return state if chosen.board else learning.padded(state, chosen.agents or boards.AGENTS_MAX)

    def to_move(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P): whether seats are asked: all that are not out, in each turn."""
        return ~(state.out | state.over).T

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (B, P): the total points of each seat."""
        return rules.totals(state).T.astype(np.float64)

    ranks = staticmethod(rules.ranks)
    introduce = staticmethod(protocol.introduction)
    observe = staticmethod(protocol.observation)

    def answer_lines(self, state: State, b: int, seat: int) -> int:
        """Return the number of agents of a seat: an answer has a line for each."""
        return int(state.agent_count[b])

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        """Return the CPU time of an answer in milliseconds, which is longer in the first turn."""
        return protocol.CPU_MS if state.played[b] else protocol.FIRST_CPU_MS

    parse = staticmethod(protocol.parse)

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """PUT agents anywhere; let those on the board MOVE, or one time in four REMOVE, to a random neighbour."""
        width, height = int(state.width[b]), int(state.height[b])
        lines = []
        for x, y in protocol.agents(state, b)[seat]:
            if x < 0:
                lines.append(f"PUT {rng.integers(width)} {rng.integers(height)}")
            else:
                kind = "MOVE" if rng.integers(4) else "REMOVE"
                lines.append(f"{kind} {x + rng.integers(-1, 2)} {y + rng.integers(-1, 2)}")
        return lines

    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        """Return for each agent the orders that may have an effect, and NONE; agents do not limit each other."""
        legal = self.legal(state)[b, seat]
        return [
            numbers.lines(state, place, np.flatnonzero(mask).tolist())
            for place, mask in zip(protocol.agents(state, b)[seat], legal, strict=False)
        ]

    setting = staticmethod(viewing.setting)
    frame = staticmethod(viewing.frame)
    commentary = staticmethod(viewing.commentary)
    closing = staticmethod(viewing.closing)
