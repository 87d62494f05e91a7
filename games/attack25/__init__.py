"""Attack 25, a game of four colours on 25 panels: rules in ``rules`` and ``panels``, protocol in ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Game, JsonObject, read_options
from games.attack25 import choices as numbers
from games.attack25 import frames as viewing
from games.attack25 import learning, protocol, rules
from games.attack25.panels import Class
from games.attack25.rules import INVALID, NOTHING
from games.attack25.state import COLOURS, State, taken

__all__ = ["INVALID", "NOTHING", "Attack25", "Class", "Options", "State"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match."""

    mode: Literal["bid", "order"] = "bid"
    """How rounds are won: by auction (bid), or in turn, in a shuffled order (order)."""


class Attack25(Game[State]):
    """The rules of Attack 25, as ``core.game.Game`` asks for them.

    Actions are (B, P, 2): (bid, ``NOTHING``), or (panel to take, panel to empty).
    An invalid answer becomes (``INVALID``, ``INVALID``), which the rules punish; ``parse`` never raises IllegalAnswer.
    """

    name: ClassVar[str] = "attack25"
    title: ClassVar[str] = "Attack 25"
    rules_version: ClassVar[str] = "3"
    players: ClassVar[tuple[int, ...]] = (4, 2, 3)
    seat_letters: ClassVar[str] = COLOURS
    rulesets: ClassVar[Mapping[str, JsonObject]] = {"bid": {}, "order": {"mode": "order"}}
    options_type: ClassVar[type[msgspec.Struct]] = Options

    def reset(self, seeds: Sequence[int], players: int = 4, options: Mapping[str, Any] | None = None) -> State:
        """Return the first states, for options as ``Options`` has them.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not allowed.
        """
        if players not in self.players:
            raise BadOptions(f"Attack 25 is played by 2, 3 or 4 players, not by {players}.")
        return rules.first_state(seeds, players, auction=read_options(options, Options).mode == "bid")

    def idle(self, state: State) -> Actions:
        """Return bids of 0, or picks that leave the choice to the rules."""
        # In the memory order that ``step`` works on, so that it need not copy them.
        return np.full((2, *state.chips.shape), NOTHING, np.int16).transpose(2, 1, 0)

    def step(self, state: State, actions: Actions) -> State:
        """Return the state after an auction or a pick."""
        return rules.step(state, np.ascontiguousarray(actions.transpose(2, 1, 0)))

    legal = staticmethod(numbers.legal)
    actions = staticmethod(numbers.actions)
    observation = staticmethod(learning.observation)

    def width(self, state: State) -> int:
        """Return the number of choices in the Attack Chance, which has most."""
        return numbers.NUMBERS_MAX

    take = staticmethod(taken)
    to_move = staticmethod(rules.to_move)

    def over(self, state: State) -> NDArray[np.bool_]:
        """Return (B,): whether all rounds have been played."""
        return np.full(state.boards, state.over)

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (B, P): the number of panels of each seat."""
        return rules.panels(state).T.astype(np.float64)

    ranks = staticmethod(rules.ranks)
    introduce = staticmethod(protocol.introduction)
    observe = staticmethod(protocol.observation)
    cpu_ms = staticmethod(protocol.cpu_ms)
    parse = staticmethod(protocol.parse)

    def forgives(self, action: Actions) -> bool:
        """Return whether the action is that of an invalid answer."""
        return bool(action[0] == INVALID)

    def random_answer(self, state: State, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Bid at random up to a tenth of the chips, so that they last; pick any legal panel, empty any owned one."""
        if not state.picking:
            return [str(rng.integers(int(state.chips[seat, b]) // 10 + 1))]
        panel = rng.choice(protocol.legal(state, b))
        return [f"{panel} {rng.choice(protocol.owned(state, b))}" if state.chance else str(panel)]

    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        """Return each bid that the seat can pay, or each pick."""
        return [numbers.lines(state, np.flatnonzero(self.legal(state)[b, seat]).tolist())]

    setting = staticmethod(viewing.setting)
    frame = staticmethod(viewing.frame)
    commentary = staticmethod(viewing.commentary)
