"""The short way to write a game: one board in plain Python. ``simple_adapter`` makes a ``core.game.Game`` of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from core.game import Event, Game, IllegalAnswer, JsonObject, StateT, quoted
from core.message import Message


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
    """The CPU time of a bot for its first answer, in milliseconds."""
    seat_letters: ClassVar[str] = Game.seat_letters
    """The letter shown to people for each seat."""
    bot_limits: ClassVar[Mapping[str, int]] = {}
    """Limits that differ from those of the arena for bots of this game, see ``core.game.Game.bot_limits``."""
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
