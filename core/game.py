"""The interface that every game implements, for the referee, the viewer, self-play and studies.

A state holds B boards at once (the batch); a match is a batch with B = 1. Boards are numbered by ``b``, players by
``seat`` (0 to P-1). A game object has no state of its own and may be shared by threads.

A game is a package ``games/<name>/``, which also holds ``judge.py`` with ``judge(request) -> answer`` (see
``banzuke/commands/judge.py``), and ``judge_text(text) -> text`` if the game's judge also takes questions in text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypedDict, TypeVar, get_args, get_origin

import msgspec
import numpy as np
from msgspec.structs import FieldInfo, fields
from numpy.typing import NDArray

from core.batch import seat_out, select_boards
from core.message import Message, bot

StateT = TypeVar("StateT")
OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

Actions = NDArray[np.integer[Any]]
"""What seats do in a turn, as integers (B, P, ...) for all seats on all boards, or (...) for one seat. The meaning of
the last axes is the game's own."""

Choices = NDArray[np.integer[Any]]
"""One number a seat, which selects one of its legal actions (see ``Game.legal``); less than 0: do nothing."""

QUESTION_BYTES = 4_096
"""Length of an observation that is the text of a question."""
DRAWN_TO_OFFER = 200
"""How many random answers ``Game.lines_offered`` draws by default."""
_CHARACTERS_QUOTED = 40

JsonObject = dict[str, Any]
"""A dict with text keys whose values can be written as JSON: dict, list, str, int, float, bool, None; no numpy type."""


class IllegalAnswer(ValueError):  # noqa: N818 - the field's word for it
    """A bot's answer breaks the rules.

    Args:
        kind: the kind of ``message``, which tells the bot's author what is wrong; the game's words have its sentence.
        args: the values of the message.
    """

    def __init__(self, kind: str, /, **args: Any) -> None:
        self.message = Message(kind, args)
        super().__init__(f"{kind} {args}" if args else kind)


class BadOptions(ValueError):  # noqa: N818
    """The game does not know these options or this number of players. The text is a whole sentence for the user."""


class BadRequest(ValueError):  # noqa: N818
    """A game's judge cannot answer a question. The text is a whole sentence for the user."""


class Event(TypedDict):
    """Something that happened in a match and is worth telling spectators."""

    turn: int
    """The ``turn`` of the frame it belongs to."""
    kind: str
    """A short stable word, such as ``lead`` or ``enclosed``, see ``core.message.Message``."""
    seat: int | None
    """The seat concerned, whose bot is the value ``bot`` of the sentence; None: all of them."""
    args: JsonObject
    """The other values of the sentence, see ``core.message.Message``."""


class Game(ABC, Generic[StateT]):
    """A game's rules. No method changes a state that it is given, and all are deterministic on every machine.

    ``step`` ignores the action of a seat that is disqualified or not to move. A board that is over stays as it is while
    the others of its batch go on. Boards of a batch never influence each other.
    """

    name: ClassVar[str]
    """The game's key and the name of its package: lower case, no spaces."""
    title: ClassVar[str]
    """The game's name as people read it."""
    rules_version: ClassVar[str]
    """Changes whenever the same seed and answers may lead to another match, frame or event; never with words."""
    players: ClassVar[tuple[int, ...]]
    """Allowed numbers of players; the ladder plays with the first."""
    seat_letters: ClassVar[str] = "ABCDEFGH"
    """The letter shown to people for each seat: that of the protocol, where the protocol names seats by letters."""
    rulesets: ClassVar[Mapping[str, JsonObject]]
    """The sets of rules of the game: options by name. The open contest plays the first; tests play them all."""
    ruleset_players: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """Allowed numbers of players by ruleset, for rulesets that allow fewer than ``players``."""
    options_type: ClassVar[type[msgspec.Struct] | None] = None
    """The struct that ``reset`` gives to ``read_options``; it lets forms list the options (``core.variants``)."""
    bot_limits: ClassVar[Mapping[str, int]] = {}
    """Limits that differ from those of the arena for bots of this game, such as ``{"memory_mib": 512}``.

    The names are those of ``wire.jobs.BotLimits``; for time, see ``cpu_ms``.
    """
    faults_rank_last: ClassVar[bool] = True
    """Whether seats at fault rank behind all others; if False, they rank by their points like the others."""
    hides: ClassVar[bool] = False
    """Whether seats know less than the frames show, see ``seen``: nobody watches a table with a person live then."""

    @abstractmethod
    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> StateT:
        """Return the first state of B = len(seeds) boards, each set up from its own seed alone (0 <= seed < 2**63).

        Args:
            seeds: one for each board.
            players: P, one of ``self.players``.
            options: the same for all boards, None like {}. Implementations check them with ``read_options``.

        Raises:
            BadOptions: an unknown option or value, or a number of players that is not allowed.
        """

    @abstractmethod
    def idle(self, state: StateT) -> Actions:
        """Return new writable actions (B, P, ...) in which every seat does nothing.

        In a game that has no such action every seat accepts defeat. The caller fills in the actions of seats:
        ``actions[b, seat] = game.parse(state, b, seat, lines)``.
        """

    @abstractmethod
    def step(self, state: StateT, actions: Actions) -> StateT:
        """Return the state after one more turn on all boards that are not over.

        Args:
            state: the state before the turn; it is not changed.
            actions: (B, P, ...), shaped like ``idle(state)``: what ``choose`` returns, or ``idle(state)`` with what
                ``parse`` returned for each seat. An action that is not legal has the effect of that of ``idle``.
        """

    @abstractmethod
    def legal(self, state: StateT) -> NDArray[np.bool_]:
        """Return (B, P, .., N): whether each seat has each of the choices 0 to N - 1; False where it is not to move.

        The game defines the axes between P and N (such as the agents of a seat) and what each number means. N is the
        same for all boards, but may change with a step. A seat to move may have no choice at all.
        """

    def choose(self, state: StateT, choices: Choices, legal: NDArray[np.bool_] | None = None) -> Actions:
        """Return the actions (B, P, ...) that choices stand for, to be given to ``step``.

        Args:
            state: the state in which seats choose.
            choices: (B, P, ..), shaped like ``legal(state)`` without its last axis. A number that is not legal, or
                below 0, becomes the action of ``idle``.
            legal: the result of ``legal(state)``, if the caller has it: computing it takes longer than everything else
                here.
        """
        legal = self.legal(state) if legal is None else legal
        number = np.clip(choices, 0, legal.shape[-1] - 1)
        known = (number == choices) & np.take_along_axis(legal, number[..., None], axis=-1)[..., 0]
        return self.actions(state, np.where(known, choices, -1))

    @abstractmethod
    def actions(self, state: StateT, choices: Choices) -> Actions:
        """Return the actions of choices, each of which is legal, or -1 for doing nothing. Called by ``choose``."""

    def width(self, state: StateT) -> int:
        """Return the greatest N of ``legal`` in all matches that begin with a state of this shape (see ``padded``).

        The default is that of the state: a game whose N changes overrides it.
        """
        return int(self.legal(state).shape[-1])

    def padded(self, state: StateT, options: Mapping[str, Any] | None = None) -> StateT:
        """Return a first state in the shape that matches of all seeds share, and play the same match.

        After that, the numbers of choices and the shape of observations do not depend on the seed. Environments for
        learning call it. The default is for games of one shape.

        Args:
            state: a result of ``reset``.
            options: those of ``reset``.
        """
        return state

    def observation(self, state: StateT, seat: int) -> NDArray[np.integer[Any]]:
        """Return (B, ...): what a seat may know of each board, and nothing else, as numbers for learning.

        The shape is the same for all states that begin with the same ``padded`` one. The default is the text of
        ``introduce`` and ``observe`` in bytes (B, ``QUESTION_BYTES``), then zeros; all zeros where the seat is not to
        move.

        Raises:
            ValueError: the text is longer.
        """
        seen = np.zeros((len(self.over(state)), QUESTION_BYTES), np.uint8)
        for b in np.flatnonzero(self.to_move(state)[:, seat]).tolist():
            text = "\n".join([*self.introduce(state, b, seat), *self.observe(state, b, seat)]).encode()
            if len(text) > QUESTION_BYTES:
                raise ValueError(
                    f"A question of {self.title} has {len(text)} bytes, but an observation of text has "
                    f"{QUESTION_BYTES} at most: give the game a method observation."
                )
            seen[b, : len(text)] = list(text)
        return seen

    def take(self, state: StateT, boards: Sequence[int] | NDArray[np.integer[Any]]) -> StateT:
        """Return a batch of the boards with these numbers, in their order; a number may occur several times."""
        return select_boards(state, boards)

    @abstractmethod
    def to_move(self, state: StateT) -> NDArray[np.bool_]:
        """Return (B, P): whether a seat is asked this turn. False where the board is over or the seat is disqualified.

        On a board that is not over there may be no seat to ask, because only disqualified ones would be to move: call
        ``step`` to go on.
        """

    def over(self, state: StateT) -> NDArray[np.bool_]:
        """Return (B,): whether the match on each board has ended by the rules; the field ``over`` of the state."""
        struct: Any = state
        return np.asarray(struct.over)

    @abstractmethod
    def scores(self, state: StateT) -> NDArray[np.float64]:
        """Return (B, P): the points of each seat so far; more is better."""

    @abstractmethod
    def ranks(self, state: StateT) -> NDArray[np.integer[Any]]:
        """Return (B, P): the place of each seat, 1 = best; equals share the better place (1, 1, 3).

        If ``faults_rank_last``, disqualified seats share the last places, whatever they scored. Ranks are defined
        before the end of the match, too.
        """

    def disqualify(self, state: StateT, b: int, seat: int) -> StateT:
        """Return a state in which a seat of board b is out of the match and does nothing. See ``faults_rank_last``."""
        return seat_out(state, b, seat)

    @abstractmethod
    def introduce(self, state: StateT, b: int, seat: int) -> list[str]:
        """Return the lines that a bot reads once, before its first question. There may be none."""

    @abstractmethod
    def observe(self, state: StateT, b: int, seat: int) -> list[str]:
        """Return the lines, without line ends, that a bot reads this turn: what its seat may know of the board."""

    def answer_lines(self, state: StateT, b: int, seat: int) -> int:
        """Return how many lines the seat's answer has this turn, at least 1."""
        return 1

    @abstractmethod
    def cpu_ms(self, state: StateT, b: int, seat: int) -> int:
        """Return how much CPU time, in milliseconds, the seat's bot may use for this turn's answer."""

    def forgives(self, action: Actions) -> bool:
        """Return whether ``parse`` made this action of a wrong answer that the game forgives: the bot goes on.

        An answer is wrong if it could not be understood or is not allowed. The referee counts such answers to tell the
        bot's author.
        """
        return False

    @abstractmethod
    def parse(self, state: StateT, b: int, seat: int, lines: Sequence[str]) -> Actions:
        """Return the action that an answer stands for, shaped like ``idle(state)[b, seat]``.

        The lines come from an untrusted bot: any text, any number of lines.

        Raises:
            IllegalAnswer: the answer breaks the rules. No lines may raise any other exception.
        """

    def may_leave(self, state: StateT, b: int, seat: int) -> bool:
        """Return whether a seat that is asked may leave the match without fault, by an illegal answer or by none.

        True where no answer can help the seat any more: bots written for the original contest may be unable to answer
        there. The referee calls ``disqualify`` for a seat that leaves.
        """
        return False

    @abstractmethod
    def random_answer(self, state: StateT, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Return a random legal answer of a seat that is to move; for tests, benchmarks and playouts."""

    def lines_offered(self, state: StateT, b: int, seat: int) -> list[list[str]]:
        """Return what a person on a seat that is to move may choose from: for each line of the answer its legal texts.

        Where one line of an answer limits the others, some combinations of these texts may be illegal. The default
        draws random answers, so it may miss some where there are many.
        """
        rng = np.random.default_rng(0)
        drawn = [self.random_answer(state, b, seat, rng) for _ in range(DRAWN_TO_OFFER)]
        return [list(dict.fromkeys(lines)) for lines in zip(*drawn, strict=True)]

    @abstractmethod
    def setting(self, state: StateT, b: int) -> JsonObject:
        """Return the data that a viewer needs and that stays the same throughout the match."""

    @abstractmethod
    def frame(self, state: StateT, b: int) -> JsonObject:
        """Return the data that a viewer draws, with ``turn``, the number of turns played so far."""

    def seen(self, state: StateT, b: int, seat: int) -> JsonObject:
        """Return the frame as a viewer shows it to the player of a seat; without ``hides`` all there is."""
        return self.frame(state, b)

    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        """Return the events of the turn that led to the last frame.

        Args:
            setting: the result of ``setting`` for this match.
            frames: all frames of the match so far, at least one.

        An event ``out`` about a seat that is at fault or has left gives way to the referee's own, which has the reason.
        """
        return []

    def closing(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        """Return the events that only the end of the match completes, such as sums of what still went on.

        The arguments are those of ``commentary`` for the last frame.
        """
        return []

    def reason(
        self, setting: JsonObject, frames: Sequence[JsonObject], ranks: Sequence[int], scores: Sequence[float]
    ) -> Message:
        """Return why the seats of rank 1 are first, for the last line of the commentary: here by their points.

        The referee asks only where no fault has decided, see ``faults_rank_last``.

        Args:
            setting: the result of ``setting`` for this match.
            frames: all frames of the match.
            ranks: the final place of each seat.
            scores: the final points of each seat.
        """
        best, second, *_ = sorted(range(len(ranks)), key=ranks.__getitem__)
        points, other = plain(scores[best]), plain(scores[second])
        if ranks[second] == 1:
            return Message("equal-points", {"points": points})
        args = {"points": points, "other": other, "second": bot(second)}
        return Message("more-points" if points > other else "tie-broken", args)


def read_options(options: Mapping[str, Any] | None, kind: type[OptionsT]) -> OptionsT:
    """Return a user's options as a msgspec struct. Numbers and booleans may be text, as they are on command lines.

    Args:
        options: the user's options, None like {}.
        kind: a struct that forbids unknown fields and has a default for each field.

    Raises:
        BadOptions: an option is unknown or has a wrong value.
    """
    try:
        return msgspec.convert(dict(options or {}), kind, strict=False)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the latter if text cannot be encoded as UTF-8
        known = ", ".join(map(_with_words, fields(kind)))
        raise BadOptions(f"These options do not fit: {error}. Known are: {known}.") from error


def _with_words(option: FieldInfo) -> str:
    """Return the name of an option, followed by its allowed words if its type is a ``Literal``."""
    kinds = (option.type, *get_args(option.type))  # the latter for ``Literal[..] | None``
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    return f"{option.name} ({', '.join(words)})" if words else option.name


def plain(number: float) -> int | float:
    """Return a number as an integer if it is one: 12.0 becomes 12."""
    return int(number) if number == int(number) else number


def quoted(line: str) -> str:
    """Return the beginning of a line in ASCII and in quotation marks, for a message about it."""
    return ascii(line[:_CHARACTERS_QUOTED]) + (" .." if len(line) > _CHARACTERS_QUOTED else "")
