"""Wondev Woman, a game of climbing, building and pushing in the fog: rules in ``rules``, protocol in ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Choices, Game, JsonObject, read_options
from core.message import Message
from games import codingame
from games.wondev_woman import actions, learning, maps, protocol, rules, view
from games.wondev_woman import frames as viewing
from games.wondev_woman.state import SEATS, League, State, batch

__all__ = ["League", "Options", "State", "WondevWoman"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match."""

    league: Annotated[int, msgspec.Meta(ge=0, le=3)] = 3
    """The rules of a league of the contest. 0: one unit each, the first on the top wins; 1: points; 2: two units each,
    and pushes; 3: fog."""
    map: Literal["square", "diamond", "random"] | None = None
    """Kind of map; None: drawn from the seed."""
    symmetric: bool = False
    """Whether the second seat starts on the mirror images of the first seat's cells."""
    java_seed: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | None = None
    """Seed of the contest's generator, for all boards; None: derived from the seed of each match."""


class WondevWoman(Game[State]):
    """The rules of Wondev Woman, as ``core.game.Game`` asks for them.

    Actions are (B, 2): numbers as described in ``board``, or ``actions.ACCEPT_DEFEAT``.
    """

    name: ClassVar[str] = "wondev_woman"
    title: ClassVar[str] = "Wondev Woman"
    rules_version: ClassVar[str] = "3"
    players: ClassVar[tuple[int, ...]] = (SEATS,)
    rulesets: ClassVar[Mapping[str, JsonObject]] = {
        "league3": {},
        "league2": {"league": 2},
        "league1": {"league": 1},
        "league0": {"league": 0},
    }
    options_type: ClassVar[type[msgspec.Struct]] = Options
    bot_limits: ClassVar[Mapping[str, int]] = codingame.BOT_LIMITS
    faults_rank_last: ClassVar[bool] = False
    hides: ClassVar[bool] = True

    def reset(self, seeds: Sequence[int], players: int = SEATS, options: Mapping[str, Any] | None = None) -> State:
        """Return the first states, for options as ``Options`` has them.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not 2.
        """
        if players != SEATS:
            raise BadOptions(f"Wondev Woman is played by 2 players, not by {players}.")
        chosen = read_options(options, Options)
        league = League(chosen.league)
        kind = None if chosen.map is None else maps.KINDS.index(chosen.map)
        javas = [maps.java_seed(seed) if chosen.java_seed is None else chosen.java_seed for seed in seeds]
        starts = [maps.generate(java, league.units, kind, symmetric=chosen.symmetric) for java in javas]
        return rules.with_legal(batch([start.position for start in starts], league))

    def idle(self, state: State) -> Actions:
        """Return actions that accept defeat, since this game has no action without effect."""
        return np.full((state.boards, SEATS), actions.ACCEPT_DEFEAT, np.int16)

    def step(self, state: State, actions: Actions) -> State:
        """Return the state after the action of the seat to move."""
        return rules.step(state, np.where(state.mover, actions[:, 1], actions[:, 0]))

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Return (B, 2, 256): whether each seat may do each action, by number; False for the seat not to move."""
        moving = state.mover[:, None] == np.arange(SEATS)
        mask: NDArray[np.bool_] = actions.mask(state.legal)[:, None] & moving[..., None]
        return mask

    def actions(self, state: State, choices: Choices) -> Actions:
        """Return the choices, which are the numbers of actions."""
        return choices.astype(np.int16)

    def to_move(self, state: State) -> NDArray[np.bool_]:
        """Return (B, 2): whether seats are asked: both alternately, or the only one that is not out."""
        asked: NDArray[np.bool_] = (state.mover[:, None] == np.arange(SEATS)) & rules.to_move(state)[:, None]
        return asked

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (B, 2): the points of each seat; in league 0, 1 for one that has won and -1 for one that is out."""
        return rules.scores(state).T.astype(np.float64)

    def ranks(self, state: State) -> NDArray[np.integer[Any]]:
        """Return (B, 2): the places by points alone, whether a seat is out or not."""
        points = rules.scores(state)
        return (1 + (points[::-1] > points)).T

    observation = staticmethod(learning.observation)
    disqualify = staticmethod(rules.disqualify)
    introduce = staticmethod(protocol.introduction)
    observe = staticmethod(protocol.observation)

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        """Return the CPU time of an answer in milliseconds, which is longer in the first turn of each seat."""
        return protocol.FIRST_CPU_MS if state.ply[b] < SEATS else protocol.CPU_MS

    parse = staticmethod(protocol.parse)

    def may_leave(self, state: State, b: int, seat: int) -> bool:
        """Return whether a seat has no legal action, so that any answer puts it out of the match."""
        return not view.words(state, b, seat).any()

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Answer a random legal action, or accept defeat if there is none."""
        legal = actions.lines(view.words(state, b, seat))
        return [legal[rng.integers(len(legal))] if legal else "ACCEPT-DEFEAT"]

    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        """Return the legal actions, or the acceptance of defeat if there is none."""
        return [actions.lines(view.words(state, b, seat)) or ["ACCEPT-DEFEAT"]]

    setting = staticmethod(viewing.setting)
    frame = staticmethod(viewing.frame)
    seen = staticmethod(viewing.seen)
    commentary = staticmethod(viewing.commentary)
    closing = staticmethod(viewing.closing)

    def reason(
        self, setting: JsonObject, frames: Sequence[JsonObject], ranks: Sequence[int], scores: Sequence[float]
    ) -> Message:
        """Return why the seats of rank 1 are first: by their points, except in league 0, which has none."""
        return viewing.reason(setting, ranks, scores) or super().reason(setting, frames, ranks, scores)
