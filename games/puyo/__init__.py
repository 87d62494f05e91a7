"""Puyo Puyo for two: rules of a turn in ``tsu`` and ``smash``, rules of popping in ``chain``, protocol in ``protocol``.

For searches and studies: ``placements.expand`` places a pair in all ways on thousands of fields, ``chain.resolve`` lets
chains pop, and ``field`` describes how fields lie in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Choices, Game, JsonObject, read_options
from core.message import Message
from games import codingame
from games.puyo import frames as viewing
from games.puyo import learning, protocol, rules
from games.puyo.placements import PLACEMENTS
from games.puyo.state import SEATS, State, first_state, supplied

__all__ = ["PLACEMENTS", "Options", "Puyo", "State"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match."""

    ruleset: Literal["tsu", "smash_the_code", "smash_the_code_contest"] = "tsu"
    """Smash the Code has the protocol of the later multiplayer game, or that of the contest of May 2016, see
    ``protocol``."""


class Puyo(Game[State]):
    """The rules of Puyo Puyo and Smash the Code, as ``core.game.Game`` asks for them.

    Actions are (B, P, 2): column of the axis and turn (see ``placements``), or -1 twice.
    """

    name: ClassVar[str] = "puyo"
    title: ClassVar[str] = "Puyo Puyo"
    rules_version: ClassVar[str] = "2"
    players: ClassVar[tuple[int, ...]] = (SEATS,)
    rulesets: ClassVar[Mapping[str, JsonObject]] = {
        "tsu": {},
        "smash_the_code": {"ruleset": "smash_the_code"},
        "smash_the_code_contest": {"ruleset": "smash_the_code_contest"},
    }
    options_type: ClassVar[type[msgspec.Struct]] = Options
    bot_limits: ClassVar[Mapping[str, int]] = codingame.BOT_LIMITS  # Smash the Code comes from there

    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> State:
        """Return the first states, for options as ``Options`` has them.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not allowed.
        """
        if players not in self.players:
            raise BadOptions(f"Puyo Puyo is played by 2 players, not by {players}.")
        ruleset = read_options(options, Options).ruleset
        smash, contest = ruleset != "tsu", ruleset == "smash_the_code_contest"
        return first_state(supplied(seeds, smash=smash), smash=smash, contest=contest)

    def idle(self, state: State) -> Actions:
        """Return actions in which no seat places a pair."""
        return np.full((state.over.size, SEATS, 2), -1, np.int64)

    def step(self, state: State, actions: Actions) -> State:
        """Return the state after a tick: pairs are placed, one step of every chain pops (Smash the Code: all of it)."""
        return rules.step(state, np.ascontiguousarray(actions.transpose(2, 1, 0)))

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P, 22): whether a seat may choose each of ``PLACEMENTS``; in Smash the Code it may have none."""
        return (rules.legal(state) & state.asked).transpose(2, 1, 0)

    def actions(self, state: State, choices: Choices) -> Actions:
        """Return the placements (B, P, 2) with these numbers (B, P); -1 twice for -1."""
        return np.array([*PLACEMENTS, (-1, -1)]).take(np.maximum(choices, -1), axis=0)

    def to_move(self, state: State) -> NDArray[np.bool_]:
        """Return (B, P): whether seats are asked: those that are not out and whose chain does not run."""
        return state.asked.T

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (B, P): the points of all chains of each seat."""
        return state.score.T.astype(np.float64)

    ranks = staticmethod(rules.ranks)
    observation = staticmethod(learning.observation)
    introduce = staticmethod(protocol.introduction)
    observe = staticmethod(protocol.observation)

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        """Return the CPU time of an answer in milliseconds, which is longer for the first answer."""
        return protocol.CPU_MS if state.tick[b] else protocol.FIRST_CPU_MS

    parse = staticmethod(protocol.parse)

    def may_leave(self, state: State, b: int, seat: int) -> bool:
        """Return whether there is no space for the pair, so that any answer loses; only in Smash the Code."""
        return not rules.legal(state)[:, seat, b].any()

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Place the pair at random where it is allowed; if it is allowed nowhere, answer the first placement."""
        choices = np.flatnonzero(rules.legal(state)[:, seat, b])
        return [protocol.answer(state, PLACEMENTS[rng.choice(choices) if choices.size else 0])]

    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        """Return the placements that are allowed; if none is, the first placement, which loses like all others."""
        numbers = np.flatnonzero(rules.legal(state)[:, seat, b]).tolist() or [0]
        return [[protocol.answer(state, PLACEMENTS[number]) for number in numbers]]

    setting = staticmethod(viewing.setting)
    frame = staticmethod(viewing.frame)
    commentary = staticmethod(viewing.commentary)
    closing = staticmethod(viewing.closing)

    def reason(
        self, setting: JsonObject, frames: Sequence[JsonObject], ranks: Sequence[int], scores: Sequence[float]
    ) -> Message:
        """Return why the seats of rank 1 are first: others have no room for a pair, or else by their points."""
        return viewing.reason(setting, frames[-1], ranks) or super().reason(setting, frames, ranks, scores)
