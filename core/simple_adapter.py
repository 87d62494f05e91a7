"""Makes a ``core.game.Game`` of a ``core.simple.SimpleGame``: boards in plain Python, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import takewhile
from typing import Any, ClassVar

import msgspec
import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray

from core.game import Actions, BadOptions, Choices, Event, Game, IllegalAnswer, JsonObject, quoted, read_options
from core.message import Message
from core.referee import ANSWER_CHARS_MAX
from core.simple import SimpleGame

SEATS_MIN = 2
"""A match with fewer seats that are not out has ended."""
_END = -1
"""Fills the rest of an action, which is the answer's characters as numbers."""
_SHARED = (
    "name",
    "title",
    "rules_version",
    "players",
    "rulesets",
    "ruleset_players",
    "seat_letters",
    "bot_limits",
    "faults_rank_last",
    "hides",
)
"""Names of the class attributes that ``as_game`` copies from a simple game to its adapter."""


class Board(msgspec.Struct, frozen=True, eq=False):
    """One board of a batch. It is never changed, so that batches may share it."""

    state: Any
    turn: int
    over: bool
    asks: tuple[tuple[str, ...] | None, ...]
    """The question to each seat; None: it is not asked."""
    asked: tuple[bool, ...]
    """Whether each seat was asked in an earlier turn."""


class Boards(msgspec.Struct, frozen=True, eq=False):
    """The state of a game made by ``as_game``."""

    boards: tuple[Board, ...]
    out: NDArray[np.bool_]
    """(P, B): whether a seat is out of the match."""


class _Boards(Game[Boards]):
    """A simple game as a ``Game``.

    An action is the text of the answer, so that an answer needs no place in a list: (B, P, ``ANSWER_CHARS_MAX``), the
    numbers of its characters, then -1.
    """

    simple: ClassVar[SimpleGame[Any]]

    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> Boards:
        """Return the first states; options that are missing have the defaults of ``SimpleGame.options``.

        Raises:
            BadOptions: an option or its value is wrong, or the number of players is not allowed.
        """
        if players not in self.players:
            allowed = " or ".join(map(str, self.players))
            raise BadOptions(f"{self.title} is played by {allowed} players, not by {players}.")
        chosen = asdict(read_options(options, _options_type(self.simple)))
        out = np.zeros((players, len(seeds)), bool)
        starts = [self.simple.start(int(seed), players, dict(chosen)) for seed in seeds]
        nobody = (False,) * players
        return Boards(tuple(self._board(start, 0, nobody, out[:, b]) for b, start in enumerate(starts)), out)

    def _board(self, state: Any, turn: int, asked: tuple[bool, ...], out: NDArray[np.bool_]) -> Board:
        over = bool(self.simple.over(state)) or (~out).sum() < SEATS_MIN
        asks: list[tuple[str, ...] | None] = []
        for seat in range(len(asked)):
            lines = None if over or out[seat] else self.simple.ask(state, seat)
            asks.append(None if lines is None else tuple(lines))
        return Board(state, turn, over, tuple(asks), asked)

    def idle(self, state: Boards) -> Actions:
        """Return (B, P, ``ANSWER_CHARS_MAX``): actions without characters, which do nothing."""
        return np.full((*state.out.T.shape, ANSWER_CHARS_MAX), _END, np.int32)

    def step(self, state: Boards, actions: Actions) -> Boards:
        """Return the state after the moves that ``SimpleGame.parse`` makes of the actions."""
        boards = []
        for b, board in enumerate(state.boards):
            if not board.over:
                moves = self._moves(state, b, actions[b])
                after = self.simple.step(deepcopy(board.state), moves)
                asked = tuple(was or ask is not None for was, ask in zip(board.asked, board.asks, strict=True))
                board = self._board(after, board.turn + 1, asked, state.out[:, b])
            boards.append(board)
        return Boards(tuple(boards), state.out)

    def _moves(self, state: Boards, b: int, actions: Actions) -> dict[int, Any]:
        moves = {}
        for seat in np.flatnonzero(self.to_move(state)[b]).tolist():
            answer = _text(actions[seat])
            if answer is not None:
                try:
                    moves[seat] = self._move(state, b, seat, answer.split("\n"))
                except IllegalAnswer:
                    continue
        return moves

    def _move(self, state: Boards, b: int, seat: int, lines: Sequence[str]) -> Any:
        """Return the move of an answer; raise IllegalAnswer for any answer that ``SimpleGame.parse`` fails on.

        The attack: a bot that loses answers what the game's author did not think of, so that the match is void.
        """
        if len(lines) != self.simple.answer_lines:
            raise IllegalAnswer("wrong-lines", count=self.simple.answer_lines)
        try:
            return self.simple.parse(state.boards[b].state, seat, lines)
        except IllegalAnswer:
            raise
        except Exception as error:
            raise IllegalAnswer("not-understood", answer=quoted(" ".join(lines))) from error

    def _answers(self, state: Boards) -> list[list[Sequence[str]]]:
        """Return the legal answers of each seat on each board, none where it is not to move."""
        to_move = self.to_move(state)
        return [
            [self.simple.answers(board.state, seat) if to_move[b, seat] else [] for seat in range(to_move.shape[1])]
            for b, board in enumerate(state.boards)
        ]

    def legal(self, state: Boards) -> NDArray[np.bool_]:
        """Return (B, P, N): whether a seat's list ``SimpleGame.answers`` has this place; the longest list has N."""
        counts = np.array([[*map(len, seats)] for seats in self._answers(state)], int).reshape(state.out.T.shape)
        mask: NDArray[np.bool_] = np.arange(counts.max(initial=1)) < counts[..., None]
        return mask

    def width(self, state: Boards) -> int:
        """Return ``SimpleGame.answers_max``."""
        return self.simple.answers_max

    def actions(self, state: Boards, choices: Choices) -> Actions:
        """Return as actions the answers at these places in the lists of ``SimpleGame.answers``."""
        actions, answers = self.idle(state), self._answers(state)
        for b, seat in np.argwhere(choices >= 0).tolist():
            actions[b, seat] = _numbers(answers[b][seat][choices[b, seat]])
        return actions

    def take(self, state: Boards, boards: Sequence[int] | NDArray[np.integer[Any]]) -> Boards:
        """Return a batch of the boards with these numbers."""
        numbers = np.asarray(boards, int)
        return Boards(tuple(state.boards[b] for b in numbers), state.out[:, numbers])

    def to_move(self, state: Boards) -> NDArray[np.bool_]:
        """Return (B, P): whether seats have a question and are not out."""
        asked = np.array([[ask is not None for ask in board.asks] for board in state.boards], bool)
        return asked.reshape(state.out.T.shape) & ~state.out.T

    def over(self, state: Boards) -> NDArray[np.bool_]:
        """Return (B,): whether the game is over, or at most one seat was not out when the last turn was played."""
        return np.array([board.over for board in state.boards], bool)

    def scores(self, state: Boards) -> NDArray[np.float64]:
        """Return (B, P): the points of each seat."""
        points = np.array([self.simple.scores(board.state) for board in state.boards], float)
        return points.reshape(state.out.T.shape)

    def ranks(self, state: Boards) -> NDArray[np.integer[Any]]:
        """Return (B, P): the places by points; with ``faults_rank_last`` seats that are out share the last place."""
        points = np.where(state.out.T & self.faults_rank_last, -np.inf, self.scores(state))
        ranks: NDArray[np.int64] = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
        return ranks

    def introduce(self, state: Boards, b: int, seat: int) -> list[str]:
        """Return the lines of ``SimpleGame.introduce``."""
        return list(self.simple.introduce(state.boards[b].state, seat))

    def observe(self, state: Boards, b: int, seat: int) -> list[str]:
        """Return the question; nothing for a seat that is not asked."""
        return list(state.boards[b].asks[seat] or ())

    def answer_lines(self, state: Boards, b: int, seat: int) -> int:
        """Return ``SimpleGame.answer_lines``."""
        return self.simple.answer_lines

    def cpu_ms(self, state: Boards, b: int, seat: int) -> int:
        """Return ``SimpleGame.first_cpu_ms`` for the first answer of a seat, ``SimpleGame.cpu_ms`` for all others."""
        return self.simple.cpu_ms if state.boards[b].asked[seat] else self.simple.first_cpu_ms

    def parse(self, state: Boards, b: int, seat: int, lines: Sequence[str]) -> Actions:
        """Return the answer as an action, once ``SimpleGame.parse`` has accepted it.

        Raises:
            IllegalAnswer: the answer is too long, or ``SimpleGame.parse`` has failed.
        """
        answer = "\n".join(lines)
        if len(answer) > ANSWER_CHARS_MAX:
            raise IllegalAnswer("answer-too-long", most=ANSWER_CHARS_MAX)
        self._move(state, b, seat, answer.split("\n"))
        return _numbers(answer)

    def random_answer(self, state: Boards, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Return one of ``SimpleGame.answers``."""
        answers = self.simple.answers(state.boards[b].state, seat)
        return answers[int(rng.integers(len(answers)))].split("\n")

    def lines_offered(self, state: Boards, b: int, seat: int) -> list[list[str]]:
        """Return the texts of each line of ``SimpleGame.answers``."""
        answers = [answer.split("\n") for answer in self.simple.answers(state.boards[b].state, seat)]
        return [list(dict.fromkeys(lines)) for lines in zip(*answers, strict=True)]

    def setting(self, state: Boards, b: int) -> JsonObject:
        """Return a copy of ``SimpleGame.setting``."""
        return _json(self.simple.setting(state.boards[b].state))

    def frame(self, state: Boards, b: int) -> JsonObject:
        """Return a copy of ``SimpleGame.frame``, with ``turn`` and ``scores``."""
        return self._whole(state.boards[b], self.simple.frame(state.boards[b].state))

    def seen(self, state: Boards, b: int, seat: int) -> JsonObject:
        """Return a copy of ``SimpleGame.seen``, with ``turn`` and ``scores`` unless it has its own."""
        return self._whole(state.boards[b], self.simple.seen(state.boards[b].state, seat))

    def _whole(self, board: Board, frame: JsonObject) -> JsonObject:
        scores = [float(points) for points in self.simple.scores(board.state)]
        return _json({"turn": board.turn, "scores": scores, **frame})

    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        """Return ``SimpleGame.commentary`` of the last two frames; no events as long as there is only one frame."""
        return self.simple.commentary(*frames[-2:]) if len(frames) > 1 else []

    def reason(
        self, setting: JsonObject, frames: Sequence[JsonObject], ranks: Sequence[int], scores: Sequence[float]
    ) -> Message:
        """Return ``SimpleGame.reason`` of the last frame, or what ``Game.reason`` says if that is None."""
        return self.simple.reason(frames[-1], ranks, scores) or super().reason(setting, frames, ranks, scores)


def _options_type(simple: SimpleGame[Any]) -> type[msgspec.Struct]:
    """Return the struct of a game's options, each of the type of its default."""
    copies = {name: msgspec.field(default_factory=partial(deepcopy, value)) for name, value in simple.options.items()}
    known = [(name, type(value), copies[name]) for name, value in simple.options.items()]
    return msgspec.defstruct("Options", known, forbid_unknown_fields=True)


def _numbers(answer: str) -> Actions:
    action = np.full(ANSWER_CHARS_MAX, _END, np.int32)
    action[: len(answer)] = [*map(ord, answer)]
    return action


def _text(action: Actions) -> str | None:
    """Return the answer that an action holds; None if it holds none."""
    characters = [*takewhile(range(0x110000).__contains__, action.tolist())]
    return "".join(map(chr, characters)) if characters else None


def _json(value: JsonObject) -> JsonObject:
    """Return a copy of a game's data, of JSON's types alone: the game may have returned a part of its state.

    Raises:
        TypeError: the data holds something that cannot be written as JSON.
    """
    copy: JsonObject = msgspec.to_builtins(value, str_keys=True)
    return copy


def as_game(found: Any) -> Game[Any]:
    """Return the rules that an entry point names: a ``Game``, a ``SimpleGame`` or a class of one.

    Raises:
        TypeError: it is something else, or a class that lacks a method.
    """
    made = found() if isinstance(found, type) else found
    if isinstance(made, SimpleGame):
        shared = {name: getattr(made, name) for name in _SHARED if hasattr(made, name)}
        body = {"simple": made, "options_type": _options_type(made), **shared}
        game: Game[Any] = type(type(made).__name__, (_Boards,), body)()
        return game
    if not isinstance(made, Game):
        raise TypeError(f"{made!r} is neither a core.game.Game nor a core.simple.SimpleGame")
    return made
