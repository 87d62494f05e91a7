"""Environments of Gymnasium: one seat learns, policies play the others.

A step is a turn of the game; turns in which the learner has a choice on no board are played without it. So a single
match always asks the learner, and there is something it can do. A batch goes on as soon as one board asks; on the
others the mask is all 0, and the action does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from environments.matches import SEED_LIMIT, Matches, Playable, Policy, random_policy

Observation = dict[str, Any]


class _Learner:
    """Base class of environments in which one seat learns."""

    action_space: Any
    observation_space: Any

    def __init__(
        self,
        game: Playable,
        *,
        seat: int = 0,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        others: Policy = random_policy,
    ) -> None:
        """Set matches up in which ``seat`` learns and ``others`` plays all other seats.

        The other arguments, and the errors, are those of ``Matches``.
        """
        self.matches = Matches(game, players, options)
        self.game, self.seat, self.others = self.matches.game, seat, others
        self.action_space = self.matches.action_space()
        self.observation_space = self.matches.observation_space()


class OneSeat(_Learner, gymnasium.Env[Observation, Any]):
    """A match in which one seat learns. ``board`` is the state of the rules, a batch of one.

    The reward comes with the end of the match (see ``Matches.rewards``); ``info["score"]`` has the points so far.
    """

    metadata = {"render_modes": []}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match, and return the first observation and the info.

        ``seed`` is the seed of the match; None: one is drawn at random. ``options`` are ignored: all matches have those
        of ``__init__``.
        """
        super().reset(seed=seed)
        self.board = _until_asked(self, self.matches.begun(seed, self.np_random))
        return self.matches.seen(self.board, self.seat), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a turn; return observation, reward, whether the match is over, False, and the info.

        The False says that a match is never truncated: the rules end it.
        """
        self.board = _until_asked(self, _turn(self, self.board, np.asarray(action)[None]))
        reward = float(self.matches.rewards(self.board)[0, self.seat])
        seen, over = self.matches.seen(self.board, self.seat), bool(self.game.over(self.board)[0])
        return seen, reward, over, False, self._info()

    def _info(self) -> dict[str, Any]:
        return {"score": float(self.game.scores(self.board)[0, self.seat])}


class ManyBoards(_Learner, VectorEnv[Observation, Any, NDArray[Any]]):
    """Many matches at once, by the batches of the rules; each is like ``OneSeat``.

    A match that is over begins anew in the next step, whose action it ignores (``AutoresetMode.NEXT_STEP``). Matches
    that began in the same step make up a batch.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: Playable,
        num_envs: int,
        *,
        seat: int = 0,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        others: Policy = random_policy,
    ) -> None:
        """Set ``num_envs`` matches up; the other arguments, and the errors, are those of ``OneSeat``."""
        super().__init__(game, seat=seat, players=players, options=options, others=others)
        self.num_envs = num_envs
        self.single_action_space, self.single_observation_space = self.action_space, self.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the matches of the seeds from ``seed`` on, and return the first observations and the info.

        Without a seed the seeds are drawn at random. ``options`` are ignored: all matches have those of ``__init__``.
        """
        super().reset(seed=seed)
        boards = np.arange(self.num_envs)
        seeds = None if seed is None else [(seed + b) % SEED_LIMIT for b in boards.tolist()]
        self._batches = [(boards, self._begun(self.num_envs, seeds))]
        return self._seen(), self._info()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a turn on all boards that are not over, and begin the others anew.

        Returns:
            The observations, rewards (n,), which matches are over (n,), (n,) of False for truncations, and the info.
        """
        batches, again = [], []
        for boards, state in self._batches:
            going = np.flatnonzero(~self.game.over(state))
            again.append(np.delete(boards, going))
            if len(going) < len(boards):
                state = self.game.take(state, going)
            if len(going):
                boards = boards[going]
                batches.append((boards, _until_asked(self, _turn(self, state, np.asarray(actions)[boards]))))
        new = np.concatenate(again)
        if len(new):
            batches.append((new, self._begun(len(new))))
        self._batches = batches
        rewards = self._merged([self.matches.rewards(state)[:, self.seat] for _, state in batches])
        ended = self._merged([self.game.over(state) for _, state in batches])
        return self._seen(), rewards, ended, np.zeros(self.num_envs, np.bool_), self._info()

    def _begun(self, count: int, seeds: list[int] | None = None) -> Any:
        drawn = self.np_random.integers(SEED_LIMIT, size=count).tolist() if seeds is None else seeds
        return _until_asked(self, self.matches.reset(drawn))

    def _seen(self) -> Observation:
        parts = [self.matches.observations(state, self.seat) for _, state in self._batches]
        masks = [part["action_mask"] for part in parts]
        agents = zip(*masks, strict=True) if self.matches.agents else ()
        mask = tuple(self._merged(list(each)) for each in agents) or self._merged(masks)
        return {"observation": self._merged([part["observation"] for part in parts]), "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return {"score": self._merged([self.game.scores(state)[:, self.seat] for _, state in self._batches])}

    def _merged(self, parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return the values (n, ..) of the boards of each batch in the order of all boards."""
        merged = np.empty((self.num_envs, *parts[0].shape[1:]), parts[0].dtype)
        for (boards, _), part in zip(self._batches, parts, strict=True):
            merged[boards] = part
        return merged


def _turn(env: OneSeat | ManyBoards, state: Any, actions: NDArray[np.integer[Any]] | None = None) -> Any:
    """Return the state after a turn with actions (B, ..) of the learner; None: the learner has no choice."""
    choices = env.matches.nothing(len(env.game.over(state)))
    for seat in np.flatnonzero(env.game.to_move(state).any(axis=0)).tolist():
        if seat != env.seat:
            choices[:, seat] = env.others(env.game, state, seat, env.np_random)
    if actions is not None:
        choices[:, env.seat] = actions
    return env.matches.play(state, choices)


def _until_asked(env: OneSeat | ManyBoards, state: Any) -> Any:
    """Return the state after the turns that are played until the learner has a choice on a board, or all are over."""
    while not (env.matches.asked(state)[:, env.seat].any() or env.game.over(state).all()):
        state = _turn(env, state)
    return state
