"""Environments of PettingZoo: an agent for each seat, ``seat_0`` and so on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from environments.matches import Matches, Playable

Observation = dict[str, Any]


class _Seats:
    """A match with an agent for each seat. ``board`` is the state of the rules, a batch of one."""

    def __init__(self, game: Playable, *, players: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Set matches up; arguments and errors are those of ``Matches``."""
        self.matches = Matches(game, players, options)
        self.game = self.matches.game
        self.metadata = {"name": f"{self.game.name}_v{self.game.rules_version}", "render_modes": []}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(self.matches.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = {
            agent: (self.matches.observation_space(), self.matches.action_space()) for agent in self.possible_agents
        }
        self._rng = seeding.np_random()[0]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, see ``Matches.observation_space``: always the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, see ``Matches.action_space``: always the same object."""
        return self._spaces[agent][1]

    def _begin(self, seed: int | None) -> None:
        """Begin the match of a seed; None: of a seed that is drawn at random."""
        if seed is not None:
            self._rng = seeding.np_random(seed)[0]
        self.board = self.matches.until_asked(self.matches.begun(seed, self._rng))
        self.agents = self.possible_agents[:]

    def _play(self, actions: Mapping[str, Any]) -> None:
        choices = self.matches.nothing(1)
        for agent, action in actions.items():
            choices[0, self._seats[agent]] = action
        self.board = self.matches.play(self.board, choices)

    def _seen(self, agent: str) -> Observation:
        return self.matches.seen(self.board, self._seats[agent])

    def _asked(self) -> list[str]:
        """Return the agents whose seats are asked this turn and have a choice."""
        return [self.possible_agents[seat] for seat in np.flatnonzero(self.matches.asked(self.board)[0]).tolist()]

    def _rewards(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.matches.rewards(self.board)[0].tolist(), strict=True))

    def _infos(self) -> dict[str, dict[str, Any]]:
        points = self.game.scores(self.board)[0].tolist()
        return {agent: {"score": score} for agent, score in zip(self.possible_agents, points, strict=True)}

    def _all(self, value: Any) -> dict[str, Any]:
        return dict.fromkeys(self.possible_agents, value)


class AllAtOnce(_Seats, ParallelEnv[str, Observation, Any]):
    """A match in which all agents act in each turn. The action of one that is not asked, whose mask is 0, does nothing.

    Rewards come with the end of the match (see ``Matches.rewards``); the score in an agent's info is its points so far.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match, and return observations and infos by agent.

        ``seed`` is the seed of the match; None: one is drawn at random. ``options`` are ignored: all matches have those
        of ``__init__``.
        """
        self._begin(seed)
        return {agent: self._seen(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a turn; return observations, rewards, terminations, truncations (always False) and infos by agent."""
        self._play(actions)
        over = bool(self.game.over(self.board)[0])
        self.agents = [] if over else self.agents
        seen = {agent: self._seen(agent) for agent in self.possible_agents}
        return seen, self._rewards(), self._all(over), self._all(False), self._infos()


class OneByOne(_Seats, AECEnv[str, Observation, Any]):
    """A match in which agents act one after another, and only when they are asked and have a choice.

    Where several seats are asked in a turn, none sees what the others have chosen: the turn is played when all have.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the match of a seed; None: of a seed that is drawn at random.

        ``options`` are ignored: all matches have those of ``__init__``.
        """
        self._begin(seed)
        self.rewards, self._cumulative_rewards = self._all(0.0), self._all(0.0)
        self.terminations, self.truncations, self.infos = self._all(False), self._all(False), self._infos()
        self._chosen: dict[str, Any] = {}
        self._waiting = self._asked()
        self.agent_selection = self._waiting[0]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, asked or not."""
        return self._seen(agent)

    def step(self, action: Any) -> None:
        """Take the action of the agent selected; play the turn if it was the last one asked."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = action
        self._waiting = self._waiting[1:]
        if not self._waiting:
            self._play(self._chosen)
            self._chosen, self._waiting, self.infos = {}, self._asked(), self._infos()
            self.rewards = self._rewards()
            if self.game.over(self.board)[0]:
                self.terminations, self._waiting = self._all(True), self.agents[:1]
        self.agent_selection = self._waiting[0]
        self._accumulate_rewards()
