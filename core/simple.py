"""The short way to write a game: one board in plain Python. ``as_game`` makes a ``core.game.Game`` of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import takewhile
from typing import Any, ClassVar, Generic

import msgspec
import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray

from core.game import (
    Actions,
    BadOptions,
    Choices,
    Event,
    Game,
    IllegalAnswer,
    JsonObject,
    StateT,
    quoted,
    read_options,
    seat_out,
)
from core.message import Message

ANSWER_CHARS_MAX = 2_000
"""Characters of an answer, with its line ends; the referee refuses longer ones as well."""
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


class SimpleGame(ABC, Generic[StateT]):
    """A game with one board. Seats are numbered from 0.

    A state is any Python object that ``copy.deepcopy`` can copy: a list, a dictionary, an object of an own class. A
    *move* is whatever ``parse`` makes of an answer. The game itself keeps nothing between calls: all that changes is in
    the state. All methods must be deterministic: draw random numbers from the
    seed, by ``core.seeding`` or by ``random.Random(seed).random()``, which are the same on every machine.
    """

    name: ClassVar[str]
    """The game's key: lower case, no spaces; also the name of its entry point."""
    title: ClassVar[str]
    """The game's name as people read it."""
    rules_version: ClassVar[str] = "1"
    """Change it whenever the same seed and answers may lead to another match, frame or event."""
    players: ClassVar[tuple[int, ...]] = (2,)
    """Allowed numbers of players; the ladder plays with the first."""
    options: ClassVar[Mapping[str, Any]] = {}
    """The defaults of all options of a match by name; a value given must have the type of the default."""
    rulesets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}}
    """Sets of rules: options by name. The open contest plays the first."""
    ruleset_players: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """Allowed numbers of players by ruleset, for rulesets that allow fewer than ``players``."""
    answers_max: int = 256
    """The greatest length of ``answers``: how many actions an environment for learning has."""
    answer_lines: ClassVar[int] = 1
    """How many lines each answer has."""
    cpu_ms: ClassVar[int] = 100
    """The CPU time of a bot for an answer, in milliseconds."""
    first_cpu_ms: ClassVar[int] = 1_000
    """The same for its first answer."""
    seat_letters: ClassVar[str] = Game.seat_letters
    """See ``core.game.Game``."""
    bot_limits: ClassVar[Mapping[str, int]] = {}
    """See ``core.game.Game``."""
    faults_rank_last: ClassVar[bool] = True
    """Whether bots at fault rank behind all others, whatever they scored."""
    hides: ClassVar[bool] = False
    """Whether seats know less than the frames show, see ``seen``."""

    @abstractmethod
    def start(self, seed: int, players: int, options: Mapping[str, Any]) -> StateT:
        """Return the state before the first turn.

        Args:
            seed: 0 <= seed < 2**63; what is random follows from it.
            players: one of ``self.players``.
            options: ``self.options``, with the values chosen for this match.

        Raises:
            BadOptions: an option has a value that the game cannot play.
        """

    @abstractmethod
    def ask(self, state: StateT, seat: int) -> Sequence[str] | None:
        """Return the lines in ASCII that a seat's bot reads this turn; None if the seat does not move this turn.

        It is called once for each seat and turn, before the turn, until the match is over.
        """

    @abstractmethod
    def answers(self, state: StateT, seat: int) -> Sequence[str]:
        r"""Return the legal answers of a seat that is asked, at least one; lines are joined by ``\n``.

        Random bots, searches and learning choose among them. Where there are too many to list, return those that are
        worth trying; ``parse`` may accept others.
        """

    @abstractmethod
    def step(self, state: StateT, moves: Mapping[int, Any]) -> StateT:
        """Return the state after a turn; the state given is a copy that may be changed and returned.

        Args:
            state: the state before the turn.
            moves: the move of each seat that was asked. A seat that gave no legal answer is missing: it does nothing.
                In a game with turns of single seats there may be no move at all: the turn goes to the next seat.
        """

    @abstractmethod
    def over(self, state: StateT) -> bool:
        """Return whether the match has ended. It also ends when at most one seat is not at fault."""

    @abstractmethod
    def scores(self, state: StateT) -> Sequence[float]:
        """Return the points of each seat so far; more is better."""

    @abstractmethod
    def frame(self, state: StateT) -> JsonObject:
        """Return what the viewer draws, as JSON: dict with text keys, list, str, int, float, bool, None.

        ``rows``, a list of text lines, is shown as the board where the game has no viewer of its own. ``turn`` and
        ``scores`` are added.
        """

    def seen(self, state: StateT, seat: int) -> JsonObject:
        """Return the frame as the player of a seat may see it at a table, for a game with ``hides``: here all of it.

        It is shown in the states in which the seat is asked. ``turn`` and ``scores`` are added as to ``frame``: a game
        whose scores tell something hidden returns ``scores`` of its own, with None for those that the seat does not
        know.
        """
        return self.frame(state)

    def parse(self, state: StateT, seat: int, lines: Sequence[str]) -> Any:
        r"""Return the move that an answer stands for: here the answer itself, its lines joined by ``\n``.

        Args:
            state: the state in which the seat is asked.
            seat: the seat that answers.
            lines: ``answer_lines`` lines of any text, from an untrusted bot.

        Raises:
            IllegalAnswer: the answer breaks the rules, here if it is none of ``answers``. Any other error, such as that
                of ``int(lines[0])``, counts as an ``IllegalAnswer`` as well.
        """
        answer = "\n".join(lines)
        if answer not in self.answers(state, seat):
            raise IllegalAnswer("no-legal-answer", answer=quoted(answer))
        return answer

    def introduce(self, state: StateT, seat: int) -> Sequence[str]:
        """Return the lines that a bot reads once, before its first question: here none."""
        return []

    def setting(self, state: StateT) -> JsonObject:
        """Return what the viewer needs and what stays the same throughout the match: here nothing."""
        return {}

    def commentary(self, before: JsonObject, after: JsonObject) -> list[Event]:
        """Return the events of a turn, made by ``core.commentary.event``, from the frames before and after it."""
        return []

    def reason(self, last: JsonObject, ranks: Sequence[int], scores: Sequence[float]) -> Message | None:
        """Return why the seats of rank 1 are first, for the last line of the commentary; None: by their points.

        Args:
            last: the last frame.
            ranks: the final place of each seat.
            scores: the final points of each seat.
        """
        return None


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
        """Return the first state of each board; see ``SimpleGame.options``."""
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
        """Return actions without characters."""
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
        """Return the move of an answer.

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
        """Return (B, P, N): the places in the lists of ``SimpleGame.answers``; N: the longest list."""
        counts = np.array([[*map(len, seats)] for seats in self._answers(state)], int).reshape(state.out.T.shape)
        mask: NDArray[np.bool_] = np.arange(counts.max(initial=1)) < counts[..., None]
        return mask

    def width(self, state: Boards) -> int:
        """Return ``SimpleGame.answers_max``."""
        return self.simple.answers_max

    def actions(self, state: Boards, choices: Choices) -> Actions:
        """Return the answers with these numbers."""
        actions, answers = self.idle(state), self._answers(state)
        for b, seat in np.argwhere(choices >= 0).tolist():
            actions[b, seat] = _numbers(answers[b][seat][choices[b, seat]])
        return actions

    def take(self, state: Boards, boards: Sequence[int] | NDArray[np.integer[Any]]) -> Boards:
        """Return a batch of the boards with these numbers."""
        numbers = np.asarray(boards, int)
        return Boards(tuple(state.boards[b] for b in numbers), state.out[:, numbers])

    def to_move(self, state: Boards) -> NDArray[np.bool_]:
        """Return whether seats have a question and are not out."""
        asked = np.array([[ask is not None for ask in board.asks] for board in state.boards], bool)
        return asked.reshape(state.out.T.shape) & ~state.out.T

    def over(self, state: Boards) -> NDArray[np.bool_]:
        """Return whether the game is over, or at most one seat was left before the last turn."""
        return np.array([board.over for board in state.boards], bool)

    def scores(self, state: Boards) -> NDArray[np.float64]:
        """Return the points of each seat."""
        points = np.array([self.simple.scores(board.state) for board in state.boards], float)
        return points.reshape(state.out.T.shape)

    def ranks(self, state: Boards) -> NDArray[np.integer[Any]]:
        """Return the places by points."""
        points = np.where(state.out.T & self.faults_rank_last, -np.inf, self.scores(state))
        ranks: NDArray[np.int64] = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
        return ranks

    disqualify = staticmethod(seat_out)

    def introduce(self, state: Boards, b: int, seat: int) -> list[str]:
        """See ``SimpleGame``."""
        return list(self.simple.introduce(state.boards[b].state, seat))

    def observe(self, state: Boards, b: int, seat: int) -> list[str]:
        """Return the question; nothing for a seat that is not asked."""
        return list(state.boards[b].asks[seat] or ())

    def answer_lines(self, state: Boards, b: int, seat: int) -> int:
        """See ``SimpleGame``."""
        return self.simple.answer_lines

    def cpu_ms(self, state: Boards, b: int, seat: int) -> int:
        """Return the time limit, which differs for the first answer."""
        return self.simple.cpu_ms if state.boards[b].asked[seat] else self.simple.first_cpu_ms

    def parse(self, state: Boards, b: int, seat: int, lines: Sequence[str]) -> Actions:
        """Return the answer as an action, once ``SimpleGame.parse`` has accepted it."""
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
        """See ``SimpleGame``."""
        return _json(self.simple.setting(state.boards[b].state))

    def frame(self, state: Boards, b: int) -> JsonObject:
        """Return the frame with its turn and the points."""
        return self._whole(state.boards[b], self.simple.frame(state.boards[b].state))

    def seen(self, state: Boards, b: int, seat: int) -> JsonObject:
        """Return what a seat sees of the frame, with its turn and the points."""
        return self._whole(state.boards[b], self.simple.seen(state.boards[b].state, seat))

    def _whole(self, board: Board, frame: JsonObject) -> JsonObject:
        scores = [float(points) for points in self.simple.scores(board.state)]
        return _json({"turn": board.turn, "scores": scores, **frame})

    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        """See ``SimpleGame``."""
        return self.simple.commentary(*frames[-2:]) if len(frames) > 1 else []

    def reason(
        self, setting: JsonObject, frames: Sequence[JsonObject], ranks: Sequence[int], scores: Sequence[float]
    ) -> Message:
        """See ``SimpleGame``."""
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
    """Return a copy of a game's data: the game may have returned a part of its state.

    Raises:
        TypeError: it holds something that is no JSON.
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
