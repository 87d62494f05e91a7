"""All combinations of a game, one of its sets of rules and one of its numbers of players, and matches by them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from core.game import Game, JsonObject
from core.playout import Answers, play_turn, random_answers, replay_answers
from core.variants import table_sizes

SEEDS = (5, 0, 2**63 - 1)
SHORT_TURNS = 20


@dataclass(frozen=True, eq=False)
class Setup:
    """A game, one of its sets of rules, and one of its numbers of players."""

    game: Game[Any]
    ruleset: str
    players: int

    def __str__(self) -> str:
        return f"{self.game.name}-{self.ruleset}-{self.players}"

    @property
    def options(self) -> JsonObject:
        """The options of the set of rules."""
        return dict(self.game.rulesets[self.ruleset])

    def reset(self, *seeds: int) -> Any:
        """Return the first state of a board for each seed."""
        return self.game.reset(seeds, self.players, self.options)

    def answers(self, seed: int) -> Answers:
        """Return the answers of a random match.

        Raises:
            Endless: the match does not end.
        """
        return _answers(self, seed)

    def match(self, seed: int = 5) -> list[JsonObject]:
        """Play random answers through the referee and return the records."""
        return self._records(self.answers(seed), seed)

    def short_match(self) -> list[JsonObject]:
        """Return the records of a match in which all seats stop answering after ``SHORT_TURNS``: it has faults, too."""
        answers = self.answers(seed=5)
        nothing: dict[int, list[str]] = {seat: [] for seat in range(self.players)}
        return self._records(answers[:SHORT_TURNS] + [nothing] * len(answers), seed=5)

    def states(self, seed: int) -> Iterator[tuple[Any, dict[int, list[str]]]]:
        """Yield the states of a random match, each with the answers given in it; the last one has none."""
        state = self.reset(seed)
        for answers in self.answers(seed):
            yield state, answers
            state = play_turn(self.game, state, answers)
        yield state, {}

    def midgame(self) -> tuple[Any, dict[int, list[str]]]:
        """Return the last state in the first half of a match in which a seat is asked, with its answers."""
        match = list(self.states(5))
        return [turn for turn in match[: len(match) // 2 + 1] if turn[1]][-1]

    def _records(self, answers: Answers, seed: int) -> list[JsonObject]:
        return replay_answers(self.game, answers, seed=seed, players=self.players, options=self.options)[1]


@cache  # most checks of the contract play the same matches
def _answers(setup: Setup, seed: int) -> Answers:
    return random_answers(setup.game, seed=seed, players=setup.players, options=setup.options)


def setups_of(game: Game[Any]) -> list[Setup]:
    """Return all setups of a game."""
    return [Setup(game, ruleset, players) for ruleset in game.rulesets for players in table_sizes(game, ruleset)]


def view(game: Game[Any], state: Any, b: int) -> bytes:
    """Return everything that the interface says about a board, as bytes."""
    seats = range(game.to_move(state).shape[1])
    table = [
        [function(state)[b].tolist() for function in (game.to_move, game.over, game.scores, game.ranks)],
        [[game.introduce(state, b, seat), game.observe(state, b, seat)] for seat in seats],
        [[game.answer_lines(state, b, seat), game.cpu_ms(state, b, seat)] for seat in seats],
        [game.setting(state, b), game.frame(state, b)],
    ]
    return msgspec.json.encode(table)


def answered(game: Game[Any], state: Any, answers: dict[int, dict[int, list[str]]]) -> Any:
    """Return the state after a turn, given answers by board and seat."""
    actions = game.idle(state)
    for b, seats in answers.items():
        for seat, lines in seats.items():
            actions[b, seat] = game.parse(state, b, seat, lines)
    return game.step(state, actions)
