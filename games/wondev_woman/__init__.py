"""Wondev Woman, a game of climbing, building and pushing in the fog; rules in ``rules``, protocol in ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Choices, Event, Game, JsonObject, read_options
from games.wondev_woman import actions, maps, protocol, rules, view
from games.wondev_woman import frames as viewing
from games.wondev_woman.state import SEATS, League, State, batch

__all__ = ["League", "Options", "State", "WondevWoman"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match."""

    league: Annotated[int, msgspec.Meta(ge=0, le=3)] = 3
    """Rules of the contest's leagues: 0 one unit each and the first on the top wins, 1 points, 2 two units and pushes,
    3 fog."""
    map: Literal["square", "diamond", "random"] | None = None
    """Kind of map; None: drawn."""
    symmetric: bool = False
    """Whether the second seat starts as the mirror image of the first one."""
    java_seed: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | None = None
    """Seed of the contest's generator, for all boards; None: made from each match's seed."""


class WondevWoman(Game[State]):
    """See ``core.game.Game``. Actions are (B, 2): numbers as in ``board``, or ``actions.ACCEPT_DEFEAT``."""

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
    faults_rank_last: ClassVar[bool] = False

    def reset(self, seeds: Sequence[int], players: int = SEATS, options: Mapping[str, Any] | None = None) -> State:
        """Set up boards; see ``Options``."""
        if players != SEATS:
            raise BadOptions(f"Wondev Woman is played by 2 players, not by {players}.")
        chosen = read_options(options, Options)
        league = League(chosen.league)
        kind = None if chosen.map is None else maps.KINDS.index(chosen.map)
        javas = [maps.java_seed(seed) if chosen.java_seed is None else chosen.java_seed for seed in seeds]
        starts = [maps.generate(java, league.units, kind, symmetric=chosen.symmetric) for java in javas]
        return rules.with_legal(batch([start.position for start in starts], league))

    def idle(self, state: State) -> Actions:
        """Return actions that accept defeat, as there is no doing nothing."""
        return np.full((state.boards, SEATS), actions.ACCEPT_DEFEAT, np.int16)

    def step(self, state: State, actions: Actions) -> State:
        """Play the action of the seat to move."""
        return rules.step(state, np.where(state.mover, actions[:, 1], actions[:, 0]))

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Return (B, 2, 256): what the seat to move may do, by the actions' numbers."""
        moving = state.mover[:, None] == np.arange(SEATS)
        mask: NDArray[np.bool_] = actions.mask(state.legal)[:, None] & moving[..., None]
        return mask

    def actions(self, state: State, choices: Choices) -> Actions:
        """Return the choices: they are actions."""
        return choices.astype(np.int16)

    def to_move(self, state: State) -> NDArray[np.bool_]:
        """Return who is asked: one seat after the other, or the only one left."""
        asked: NDArray[np.bool_] = (state.mover[:, None] == np.arange(SEATS)) & rules.to_move(state)[:, None]
        return asked

    def over(self, state: State) -> NDArray[np.bool_]:
        """Return whether nothing is left to be played."""
        return state.over

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return the points."""
        return rules.scores(state).T.astype(np.float64)

    def ranks(self, state: State) -> NDArray[np.integer[Any]]:
        """Return places by points alone."""
        points = rules.scores(state)
        return (1 + (points[::-1] > points)).T

    def disqualify(self, state: State, b: int, seat: int) -> State:
        """Take a seat out; it keeps its points."""
        return rules.disqualify(state, b, seat)

    def introduce(self, state: State, b: int, seat: int) -> list[str]:
        """See ``protocol``."""
        return protocol.introduction(state, b)

    def observe(self, state: State, b: int, seat: int) -> list[str]:
        """See ``protocol``."""
        return protocol.observation(state, b, seat)

    def cpu_ms(self, state: State, b: int, seat: int) -> int:
        """Return the limit: more for the first turn."""
        return protocol.FIRST_CPU_MS if state.ply[b] < SEATS else protocol.CPU_MS

    def parse(self, state: State, b: int, seat: int, lines: Sequence[str]) -> Actions:
        """See ``protocol``."""
        return np.array(protocol.parse(state, b, seat, lines), np.int16)

    def may_leave(self, state: State, b: int, seat: int) -> bool:
        """Tell whether a seat has no legal action: whatever it answers, it is out."""
        return not view.words(state, b, seat).any()

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Pick one of the legal actions; accept defeat if there is none."""
        legal = actions.lines(view.words(state, b, seat))
        return [legal[rng.integers(len(legal))] if legal else "ACCEPT-DEFEAT"]

    def setting(self, state: State, b: int) -> JsonObject:
        """See ``frames``."""
        return viewing.setting(state, b)

    def frame(self, state: State, b: int) -> JsonObject:
        """See ``frames``."""
        return viewing.frame(state, b)

    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        """See ``frames``."""
        return viewing.commentary(*frames[-2:]) if len(frames) > 1 else []
