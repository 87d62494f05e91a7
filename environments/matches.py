"""What all environments share: matches of one game, and their spaces, masks, observations and rewards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from core.game import Choices, Game
from core.playout import random_choices
from core.simple import SimpleGame
from core.simple_adapter import as_game
from games.registry import game_named

SEED_LIMIT = 2**63
"""Seeds of matches are less than this."""

Playable = str | Game[Any] | SimpleGame[Any]
"""A game, or its name in the registry."""
Policy = Callable[[Game[Any], Any, int, np.random.Generator], Choices]
"""Plays a seat: given game, state of B boards, seat and random numbers, it returns the choices (B, ..) of the seat.

It is given the whole state. One that must not see what is hidden looks at ``game.observation(state, seat)`` alone.
"""


def random_policy(game: Game[Any], state: Any, seat: int, rng: np.random.Generator) -> Choices:
    """Return random legal choices (B, ..) of a seat, -1 where it has none; see ``Policy``."""
    return random_choices(game.legal(state)[:, seat], rng)


class Matches:
    """Matches of a game with the same options and number of players: all that does not depend on a state.

    An action is the number of a choice (``Game.legal``), or a row of numbers if a seat has several agents. One that the
    mask does not allow does nothing.
    """

    def __init__(self, game: Playable, players: int | None, options: Mapping[str, Any] | None) -> None:
        """Set matches up.

        Args:
            game: a game, or its name in the registry.
            players: None: as many as on the ladder.
            options: None: those of the ladder.

        Raises:
            KeyError: there is no such game.
            BadOptions: the game does not know these options or this number of players.
        """
        self.game = game_named(game) if isinstance(game, str) else as_game(game)
        self.players = self.game.players[0] if players is None else players
        self.options = dict(next(iter(self.game.rulesets.values())) if options is None else options)
        first = self.reset([0])
        self.width = self.game.width(first)
        self.agents: tuple[int, ...] = self.game.legal(first).shape[2:-1]
        """(A,) if a seat has A agents, each with a choice of its own; else ()."""
        self._seen = self.game.observation(first, 0)

    def begun(self, seed: int | None, rng: np.random.Generator) -> Any:
        """Return the first state of the match of a seed, a batch of one; None: of a seed that is drawn from ``rng``."""
        return self.reset([int(rng.integers(SEED_LIMIT)) if seed is None else seed % SEED_LIMIT])

    def reset(self, seeds: Sequence[int]) -> Any:
        """Return the first state of a match for each seed, all in the same shape."""
        return self.game.padded(self.game.reset(seeds, self.players, self.options), self.options)

    def action_space(self) -> spaces.Discrete | spaces.MultiDiscrete:
        """Return a new space of the actions of a seat."""
        return spaces.MultiDiscrete([self.width] * self.agents[0]) if self.agents else spaces.Discrete(self.width)

    def observation_space(self) -> spaces.Dict:
        """Return a new space of the observations of a seat: ``observation``, and ``action_mask`` of 0 and 1.

        If a seat has several agents, the mask is a tuple of one mask for each agent, as ``MultiDiscrete.sample`` takes.
        """
        limits = np.iinfo(self._seen.dtype)
        seen = spaces.Box(limits.min, limits.max, self._seen.shape[1:], self._seen.dtype.type)
        mask: spaces.Space[Any] = spaces.MultiBinary(self.width)
        if self.agents:
            mask = spaces.Tuple([spaces.MultiBinary(self.width) for _ in range(self.agents[0])])
        return spaces.Dict({"observation": seen, "action_mask": mask})

    def observations(self, state: Any, seat: int) -> dict[str, Any]:
        """Return what a seat sees of B boards: like ``observation_space``, with an axis B in front of each array.

        Raises:
            ValueError: the game has more choices than its ``width`` says.
        """
        legal = self.game.legal(state)[:, seat]
        if legal.shape[-1] > self.width:
            raise ValueError(
                f"{self.game.title} has {legal.shape[-1]} choices now, but its width says that {self.width} are the "
                "most: mend it (in a SimpleGame, answers_max)."
            )
        mask = np.zeros((*legal.shape[:-1], self.width), np.int8)
        mask[..., : legal.shape[-1]] = legal
        seen = self.game.observation(state, seat)
        return {"observation": seen, "action_mask": tuple(mask.swapaxes(0, 1).copy()) if self.agents else mask}

    def seen(self, state: Any, seat: int) -> dict[str, Any]:
        """Return what a seat sees of a batch of one board: an element of ``observation_space``.

        Raises:
            ValueError: the game has more choices than its ``width`` says.
        """
        seen = self.observations(state, seat)
        mask = tuple(each[0] for each in seen["action_mask"]) if self.agents else seen["action_mask"][0]
        return {"observation": seen["observation"][0], "action_mask": mask}

    def nothing(self, boards: int) -> Choices:
        """Return choices (B, P, ..) for so many boards that do nothing, to be filled in."""
        return np.full((boards, self.players, *self.agents), -1)

    def asked(self, state: Any) -> NDArray[np.bool_]:
        """Return (B, P): whether a seat is asked, and has a choice.

        The rules also ask a seat that can do nothing, whose mask is all 0: one whose units are shut in must give up.
        """
        legal = self.game.legal(state)
        asked: NDArray[np.bool_] = self.game.to_move(state) & legal.any(axis=tuple(range(2, legal.ndim)))
        return asked

    def play(self, state: Any, choices: Choices) -> Any:
        """Return the state after a turn with choices (B, P, ..), and after all turns in which no seat has a choice."""
        return self.until_asked(self.game.step(state, self.game.choose(state, choices)))

    def until_asked(self, state: Any) -> Any:
        """Return the state after all turns in which no seat of any board has a choice."""
        while not (self.asked(state).any() or self.game.over(state).all()):
            state = self.game.step(state, self.game.choose(state, self.nothing(len(self.game.over(state)))))
        return state

    def rewards(self, state: Any) -> NDArray[np.float64]:
        """Return (B, P): the share of the other seats that rank behind a seat, less the share that rank before it.

        0 on a board that is not over. The rewards of a board's seats add up to 0.
        """
        ranks = self.game.ranks(state)
        ahead = np.sign(ranks[:, None] - ranks[:, :, None]).sum(axis=2) / (self.players - 1)
        rewards: NDArray[np.float64] = ahead * self.game.over(state)[:, None]
        return rewards
