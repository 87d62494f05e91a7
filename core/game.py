"""What every game of the arena promises: one interface for the referee, the viewer, self-play and studies.

A state holds B boards at once (the batch); a match is the same code with B = 1. Boards are numbered by ``b``, players
by ``seat`` (0 to P-1). A game object has no state of its own and may be shared by threads.

A game is a package ``games/<name>/`` that also holds ``judge.py`` with ``judge(request) -> answer`` (see
``banzuke/referee/judge.py``; where there are questions in text, also ``judge_text(text) -> text``), ``plain.py``, the
rules in plain Python, and ``bench.py`` with ``CASES``, a list of ``games.bench.Case``, and ``PLAIN_STEP``, a turn of
the plain rules: see ``games.bench.step_case``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypedDict, TypeVar, cast, get_args, get_origin

import msgspec
import numpy as np
from msgspec.structs import FieldInfo, asdict, fields, replace
from numpy.typing import NDArray

StateT = TypeVar("StateT")
PartT = TypeVar("PartT")
OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

Actions = NDArray[np.integer[Any]]
"""Integers, of all seats on all boards (B, P, ...); the axes behind P are the game's own. Of one seat: only these."""

Choices = NDArray[np.integer[Any]]
"""Numbers of what seats may do, see ``Game.legal``; less than 0: nothing."""

_CHARACTERS_QUOTED = 40

JsonObject = dict[str, Any]
"""Only dict with text keys, list, str, int, float, bool and None (no numpy number): it goes into replays as JSON."""


class IllegalAnswer(ValueError):  # noqa: N818 - the field's word for it
    """A bot answered what no rule allows. Its text is a whole sentence for the bot's author."""


class BadOptions(ValueError):  # noqa: N818
    """Options or a number of players that the game does not know. Its text is a whole sentence for the user."""


class BadRequest(ValueError):  # noqa: N818
    """A question to a game's judge that it cannot answer. Its text is a whole sentence for the user."""


class Event(TypedDict):
    """Something a spectator wants to be told."""

    turn: int
    """The ``turn`` of the frame it belongs to."""
    kind: str
    """A short stable word, such as ``lead`` or ``enclosed``."""
    seat: int | None
    """Whom it is about; None: everybody."""
    text: str
    """A whole English sentence."""


class StateWithOut(Protocol):
    """A state, a msgspec struct, that marks who is out of the match."""

    @property
    def out(self) -> NDArray[np.bool_]:
        """(P, B): whether a seat is out."""


OutT = TypeVar("OutT", bound=StateWithOut)


class Game(ABC, Generic[StateT]):
    """A game's rules. No method ever changes a state it is given, and all are deterministic on every machine.

    A seat that is disqualified or not to move has no say: its entry in ``actions`` is ignored. A board that is over
    stays as it is when the others of its batch go on. Boards of a batch never influence each other.
    """

    name: ClassVar[str]
    """Its key and the name of its package: lower case, no spaces."""
    title: ClassVar[str]
    """Its name for people."""
    rules_version: ClassVar[str]
    """Changes whenever the same seed and answers may lead to another match, or another frame."""
    players: ClassVar[tuple[int, ...]]
    """Allowed numbers of players; the first is what the ladder plays."""
    seat_letters: ClassVar[str] = "ABCDEFGH"
    """By seat, how people see it named: as the protocol does, where that has letters."""
    rulesets: ClassVar[Mapping[str, JsonObject]]
    """Options by name: one for each set of rules the game knows. The first is the ladder's; tests play them all."""
    bot_limits: ClassVar[Mapping[str, int]] = {}
    """What a bot of this game may use, where that is not what the arena gives every bot: ``{"memory_mib": 512}``.

    The names are those of ``wire.jobs.BotLimits``; time is not among them, see ``cpu_ms``.
    """
    faults_rank_last: ClassVar[bool] = True
    """Whether seats at fault share the last places; if not, they keep the place that their points are worth."""

    @abstractmethod
    def reset(self, seeds: Sequence[int], players: int = 2, options: Mapping[str, Any] | None = None) -> StateT:
        """Set up B = len(seeds) boards, each from its own seed alone (0 <= seed < 2**63).

        Args:
            seeds: one a board.
            players: P, one of ``self.players``.
            options: the same for all boards, None as {}. Read them with ``read_options``.

        Raises:
            BadOptions: an unknown option or value, or a number of players that is not allowed.
        """

    @abstractmethod
    def idle(self, state: StateT) -> Actions:
        """Return new writable actions (B, P, ...) in which every seat does nothing; the caller fills in what is asked.

        Filling is ``actions[b, seat] = game.parse(state, b, seat, lines)``.
        """

    @abstractmethod
    def step(self, state: StateT, actions: Actions) -> StateT:
        """Play one turn on all boards that are not over.

        Args:
            state: as it was asked; stays as it is.
            actions: (B, P, ...), shaped like ``idle(state)``, as ``parse`` and ``choose`` make them. One that is not
                legal counts as that of ``idle`` (in Kakomimasu as an order that is refused, which does nothing either).
        """

    @abstractmethod
    def legal(self, state: StateT) -> NDArray[np.bool_]:
        """Return (B, P, .., N): which of the choices 0 to N - 1 each seat has; none where ``to_move`` is False.

        The axes between P and N (such as the agents of a seat) are the game's own, as is what a number means; N is the
        same for all boards, but after a step it may be another one. A seat to move may have no choice, too.
        """

    def choose(self, state: StateT, choices: Choices, legal: NDArray[np.bool_] | None = None) -> Actions:
        """Return the actions that choices mean, to be given to ``step``.

        Args:
            state: as it is asked.
            choices: (B, P, ..), shaped like ``legal(state)`` without N; of a number that is not legal, or less than 0,
                comes what ``idle`` has there.
            legal: ``legal(state)``, of a caller that has it already: to compute it costs more than all else here.
        """
        legal = self.legal(state) if legal is None else legal
        number = np.clip(choices, 0, legal.shape[-1] - 1)
        known = (number == choices) & np.take_along_axis(legal, number[..., None], axis=-1)[..., 0]
        return self.actions(state, np.where(known, choices, -1))

    @abstractmethod
    def actions(self, state: StateT, choices: Choices) -> Actions:
        """Return the actions of choices that are legal, or -1: nothing. Called by ``choose``."""

    def take(self, state: StateT, boards: Sequence[int] | NDArray[np.integer[Any]]) -> StateT:
        """Return a batch of some of the boards, in the order of these numbers; one may be taken several times."""
        return taken(state, boards)

    @abstractmethod
    def to_move(self, state: StateT) -> NDArray[np.bool_]:
        """Return (B, P): who is asked this turn. False where the board is over or the seat is disqualified.

        A board that is not over may ask nobody (only disqualified seats would be to move): ``step`` goes on with it.
        """

    @abstractmethod
    def over(self, state: StateT) -> NDArray[np.bool_]:
        """Return (B,): whether the board's match has ended by the rules."""

    @abstractmethod
    def scores(self, state: StateT) -> NDArray[np.float64]:
        """Return (B, P): points so far, more is better."""

    @abstractmethod
    def ranks(self, state: StateT) -> NDArray[np.integer[Any]]:
        """Return (B, P): places as in sports, 1 = best, equals share the better place (1, 1, 3).

        Disqualified seats share the last places, whatever they scored, if ``faults_rank_last``. Defined before the
        end, too.
        """

    @abstractmethod
    def disqualify(self, state: StateT, b: int, seat: int) -> StateT:
        """Take a seat at fault out of the match on board b: it does nothing from now on. See ``faults_rank_last``."""

    @abstractmethod
    def introduce(self, state: StateT, b: int, seat: int) -> list[str]:
        """Return the lines a bot gets once, before its first question. May be empty."""

    @abstractmethod
    def observe(self, state: StateT, b: int, seat: int) -> list[str]:
        """Return the lines a bot is asked with this turn: what its seat may know, without line ends."""

    def answer_lines(self, state: StateT, b: int, seat: int) -> int:
        """Return how many lines make a whole answer this turn, at least 1."""
        return 1

    @abstractmethod
    def cpu_ms(self, state: StateT, b: int, seat: int) -> int:
        """Return how much CPU time this answer may cost, in milliseconds."""

    def forgives(self, action: Actions) -> bool:
        """Say whether ``parse`` has made this action of an answer that is none, or not allowed, and is forgiven.

        Referees count such answers, so that their author learns of them.
        """
        return False

    @abstractmethod
    def parse(self, state: StateT, b: int, seat: int, lines: Sequence[str]) -> Actions:
        """Return the action that an answer means, shaped like ``idle(state)[b, seat]``.

        The lines are hostile: any text, any number of lines.

        Raises:
            IllegalAnswer: and no other exception, whatever the lines are.
        """

    def may_leave(self, state: StateT, b: int, seat: int) -> bool:
        """Tell whether a seat that is asked may leave the match without fault: by an illegal answer, or by none.

        True where no answer helps the seat any more: bots of the original contest need not be able to answer there.
        The referee calls ``disqualify`` for a seat that leaves.
        """
        return False

    @abstractmethod
    def random_answer(self, state: StateT, b: int, seat: int, rng: np.random.Generator) -> list[str]:
        """Return a random legal answer of a seat that is to move; for tests, benchmarks and playouts."""

    @abstractmethod
    def setting(self, state: StateT, b: int) -> JsonObject:
        """Return what a viewer needs and never changes in a match."""

    @abstractmethod
    def frame(self, state: StateT, b: int) -> JsonObject:
        """Return what a viewer draws now, with ``turn``: how many turns have been played (0 at the start)."""

    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        """Return the events that the last frame brings.

        Args:
            setting: of this match.
            frames: from the first to the present one, at least one.
        """
        return []


def read_options(options: Mapping[str, Any] | None, kind: type[OptionsT]) -> OptionsT:
    """Check options against a msgspec struct; numbers and booleans may be text, as a command line has nothing else.

    Args:
        options: what the user gave, None as {}.
        kind: a struct that forbids unknown fields and has a default for each.

    Raises:
        BadOptions: an option does not fit.
    """
    try:
        return msgspec.convert(dict(options or {}), kind, strict=False)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the latter of text that is no UTF-8
        known = ", ".join(map(_with_words, fields(kind)))
        raise BadOptions(f"These options do not fit: {error}. Known are: {known}.") from error


def _with_words(option: FieldInfo) -> str:
    """Return the name of an option, with the words that it may be set to if there are no others."""
    kinds = (option.type, *get_args(option.type))  # the latter of ``Literal[..] | None``
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    return f"{option.name} ({', '.join(words)})" if words else option.name


def quoted(line: str) -> str:
    """Return the beginning of a wrong line as its author is told it, in ASCII and in quotation marks."""
    return ascii(line[:_CHARACTERS_QUOTED]) + (" .." if len(line) > _CHARACTERS_QUOTED else "")


def seat_out(state: OutT, b: int, seat: int) -> OutT:
    """Return a state that also has a seat of board b among those that are out, which do nothing any more."""
    out = state.out.copy()
    out[seat, b] = True
    struct: Any = state
    return cast(OutT, replace(struct, out=out))


def taken(part: PartT, boards: slice | Sequence[int] | NDArray[np.integer[Any]]) -> PartT:
    """Take boards out of a part of a state: of arrays along the last axis, also those in tuples and structs.

    What is none of these has nothing of boards. By a slice, arrays are not copied.
    """
    some: Any = part
    if isinstance(part, np.ndarray):
        some = part[..., boards] if isinstance(boards, slice) else part.take(boards, axis=-1)
    elif isinstance(part, tuple):
        some = tuple(taken(each, boards) for each in part)
    elif isinstance(part, msgspec.Struct):
        some = replace(part, **{name: taken(value, boards) for name, value in asdict(part).items()})
    return cast(PartT, some)
