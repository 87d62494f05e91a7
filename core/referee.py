"""The referee: the loop of a match, as a generator that does no input or output.

``play`` yields the questions of each turn, is sent the answers or faults, and returns the outcome. Workers, the local
runner, the verification of replays and tests drive the same generator; ``drive`` does so with a function that answers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from core.game import Actions, Event, Game, IllegalAnswer, JsonObject, quoted
from core.message import Message, bot, said
from core.record import Digest, Footer, Header, Line, RecordedAnswer, SeatFault, SeatInfo, TurnLine, record_of

__all__ = ["Ask", "Outcome", "Reply", "SeatFault", "SeatInfo", "Turn", "answer_read", "drive", "play"]

ILLEGAL_ANSWER = "illegal answer"
"""The only verdict that the referee itself gives; the others come from the sandbox."""
SECURITY = "security"
"""A verdict of the sandbox that is a fault even where a seat may leave without fault.

The attack: a bot makes forbidden system calls in a turn in which nothing else is a fault, so that nobody notices.
"""
TIME = "time"
"""The verdict of a seat that answers too late; the sandbox gives it to bots."""
GIVEN_UP = "left"
"""The verdict of a player of a remote seat who gives up."""
LEFT = Message("nothing-helps")
"""Why a seat is out that leaves without fault."""
ANSWER_CHARS_MAX = 2_000
"""Characters that all lines of an answer may have together. The attack: long answers fill the disk with replays."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to one seat."""

    seat: int
    lines: tuple[str, ...]
    """Lines to write to the bot; its first question begins with its introduction."""
    answer_lines: int
    """How many lines the answer has."""
    cpu_ms: int
    """CPU time allowed for the answer."""
    state: Any = field(default=None, repr=False)
    """The state in which the seat is asked, for a seat that is played by the game itself; no bot may see it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A seat's answer, or why there is none."""

    lines: Sequence[str]
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    fault: str | None = None
    """Verdict of the sandbox; None: the bot answered in time."""
    why: Message | None = None
    """What the bot did wrong; None: nobody knows."""
    stderr: str = ""
    """What the bot wrote to standard error in this turn, for its author; no part of the replay."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The questions of one turn, to at least one seat."""

    number: int
    """1, 2, 3 ..; turns in which no seat is asked are counted but not yielded."""
    asks: tuple[Ask, ...]
    records: tuple[JsonObject, ...]
    """The lines of the replay since the last turn yielded."""


@dataclass(frozen=True, slots=True)
class Forgiven:
    """The wrong answers of a seat that the game forgives, see ``Game.forgives``."""

    count: int
    turn: int
    """The turn of the first wrong answer."""
    answer: str
    """The first wrong answer, quoted."""

    @property
    def message(self) -> Message:
        """A message with the number of wrong answers, and the first one."""
        return Message("forgiven", {"count": self.count, "turn": self.turn, "answer": self.answer})


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the match ended."""

    ranks: tuple[int, ...]
    """Place of each seat; 1 = best, equals share the better place."""
    scores: tuple[float, ...]
    faults: tuple[SeatFault | None, ...]
    turns: int
    records: tuple[JsonObject, ...]
    """The lines of the replay since the last turn yielded; the footer is the last one."""
    forgiven: tuple[Forgiven | None, ...] = ()
    """For each seat its wrong answers that were forgiven; None if it gave none."""


Match = Generator[Turn, Mapping[int, Reply], Outcome]


def play(
    game: Game[Any],
    *,
    seed: int,
    seats: Sequence[SeatInfo],
    options: Mapping[str, Any] | None = None,
    time_percent: int = 100,
) -> Match:
    """Play one match: yield turns, be sent ``{seat: Reply}`` for all seats asked, return the outcome.

    A seat at fault is disqualified and never asked again. A seat that leaves where it may (see ``Game.may_leave``) is
    never asked again either, but is not at fault. The match goes on until the game says that it is over, or until all
    seats are at fault. The same seed and answers give the same records except for measured times.

    Args:
        game: the rules.
        seed: decides all that is random.
        seats: who plays, by seat.
        options: of the game.
        time_percent: CPU time of each answer, in percent of what the game allows; the replay's header says it.

    Raises:
        BadOptions: the options or the number of seats do not fit the game; raised by the first ``next``.
        KeyError: the reply of a seat is missing.
    """
    return _Referee(game, seed, seats, options, time_percent).play()


def drive(match: Match, answer: Callable[[Turn], Mapping[int, Reply]]) -> tuple[Outcome, list[JsonObject]]:
    """Play a match, a new generator of ``play``, to its end; ``answer`` returns the reply of each seat that is asked.

    Returns:
        The outcome, and the records of the match: all lines of its replay as JSON objects.
    """
    records: list[JsonObject] = []
    try:
        turn = next(match)
        while True:
            records += turn.records
            turn = match.send(answer(turn))
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome, records + list(outcome.records)


def answer_read(game: Game[Any], ask: Ask, lines: Sequence[str]) -> Actions:
    """Return the action that the answer ``lines`` to a question stand for; they may be any text, any number of lines.

    Raises:
        IllegalAnswer: the answer breaks the rules, has another number of lines, or is too long.
    """
    if len(lines) != ask.answer_lines:
        kind = "fewer-lines" if len(lines) < ask.answer_lines else "more-lines"
        raise IllegalAnswer(kind, count=ask.answer_lines)
    if sum(map(len, lines)) > ANSWER_CHARS_MAX:
        raise IllegalAnswer("answer-too-long", most=ANSWER_CHARS_MAX)
    return game.parse(ask.state, 0, ask.seat, lines)


class _Referee:
    """The state of one match."""

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        seats: Sequence[SeatInfo],
        options: Mapping[str, Any] | None,
        time_percent: int,
    ) -> None:
        self.game = game
        self.seed = seed
        self.seats = list(seats)
        self.options = dict(options or {})
        self.time_percent = time_percent
        self.faults: list[SeatFault | None] = [None] * len(self.seats)
        self.left: set[int] = set()
        self.forgiven: list[Forgiven | None] = [None] * len(self.seats)
        self.introduced: set[int] = set()
        self.turns = 0
        self.digest = Digest()
        self.pending: list[JsonObject] = []

    def play(self) -> Match:
        self.state = self.game.reset([self.seed], len(self.seats), self.options)
        self.setting = self.game.setting(self.state, 0)
        self.frames = [self.game.frame(self.state, 0)]
        names = self.game.name, self.game.rules_version
        percent = msgspec.UNSET if self.time_percent == 100 else self.time_percent
        self._record(Header(2, *names, self.seed, self.options, self.seats, self.setting, self.frames[0], percent))
        over = self._is_over()
        while not over:
            self.turns += 1
            to_move = self.game.to_move(self.state)[0].tolist()
            asks = tuple(self._ask(seat) for seat, asked in enumerate(to_move) if asked)
            replies = (yield Turn(self.turns, asks, self._flush())) if asks else {}
            actions = self.game.idle(self.state)
            seats: list[RecordedAnswer | None] = [None] * len(self.seats)
            for ask in asks:
                seats[ask.seat] = self._check(ask, replies[ask.seat], actions)
            events = [self._disqualify(ask.seat) for ask in asks if self._is_out(ask.seat)]
            self.state = self.game.step(self.state, actions)
            self.frames.append(self.game.frame(self.state, 0))
            commentary = self.game.commentary(self.setting, self.frames)
            # Our own event, with the reason, says already that a seat is out.
            events += [event for event in commentary if not (event["kind"] == "out" and self._is_out(event["seat"]))]
            over = self._is_over()
            if over:
                events += [*self.game.closing(self.setting, self.frames), self._result()]
            self._record(TurnLine(self.turns, seats, self.frames[-1], events))
        ranks, scores = self._ranks(), self._scores()
        self._record(Footer(ranks, scores, self.faults, self.turns, hash=""))
        return Outcome(tuple(ranks), tuple(scores), tuple(self.faults), self.turns, self._flush(), tuple(self.forgiven))

    def _is_over(self) -> bool:
        return all(self.faults) or bool(self.game.over(self.state)[0])

    def _ask(self, seat: int) -> Ask:
        game, state = self.game, self.state
        first = [] if seat in self.introduced else game.introduce(state, 0, seat)
        self.introduced.add(seat)
        lines = (*first, *game.observe(state, 0, seat))
        cpu_ms = max(1, game.cpu_ms(state, 0, seat) * self.time_percent // 100)
        return Ask(seat, lines, game.answer_lines(state, 0, seat), cpu_ms, state)

    def _is_out(self, seat: int | None) -> bool:
        """Return whether a seat is at fault or has left the match."""
        return seat is not None and (self.faults[seat] is not None or seat in self.left)

    def _check(self, ask: Ask, reply: Reply, actions: Actions) -> RecordedAnswer:
        """Write the action of a seat into ``actions``, or note its fault, or that it leaves the match.

        The lines of a seat that leaves are not recorded. If they came too late they might be a legal answer, and
        ``verify``, which does not see times, would go on with the seat.
        """
        # Only so much of an answer is checked and recorded as shows that it is too long. Lone
        # surrogates, which cannot be encoded as UTF-8, become question marks.
        beginning = [line[: ANSWER_CHARS_MAX + 1] for line in reply.lines[: ask.answer_lines + 1]]
        lines = [line if line.isascii() else line.encode(errors="replace").decode() for line in beginning]
        fault = None
        if reply.fault:
            fault = SeatFault(reply.fault, reply.why or said(""), self.turns)
        else:
            try:
                action = answer_read(self.game, ask, lines)
                actions[0, ask.seat] = action
                if self.game.forgives(action):
                    known = self.forgiven[ask.seat] or Forgiven(0, self.turns, quoted(" ".join(lines)))
                    self.forgiven[ask.seat] = replace(known, count=known.count + 1)
            except IllegalAnswer as error:
                fault = SeatFault(ILLEGAL_ANSWER, error.message, self.turns)
        if fault and fault.verdict != SECURITY and self.game.may_leave(self.state, 0, ask.seat):
            self.left.add(ask.seat)
            lines, fault = [], None
        self.faults[ask.seat] = fault
        verdict = fault.verdict if fault else None
        return RecordedAnswer(lines, round(reply.cpu_ms, 1), round(reply.wall_ms, 1), verdict, ask.cpu_ms)

    def _disqualify(self, seat: int) -> Event:
        self.state = self.game.disqualify(self.state, 0, seat)
        if fault := self.faults[seat]:
            args = {"verdict": fault.verdict, "why": msgspec.to_builtins(fault.why)}
            return Event(turn=self.turns, kind="fault", seat=seat, args=args)
        return Event(turn=self.turns, kind="out", seat=seat, args={"why": msgspec.to_builtins(LEFT)})

    def _result(self) -> Event:
        """Return the last event of the match: who won and why, or who share the first place."""
        ranks = self._ranks()
        args = {"why": msgspec.to_builtins(self._reason(ranks))}
        first = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if len(first) == 1:
            return Event(turn=self.turns, kind="won", seat=first[0], args=args)
        names = dict(zip(("first", "second", "third", "fourth"), map(bot, first), strict=False))
        return Event(turn=self.turns, kind="drawn", seat=None, args={"count": len(first), **names, **args})

    def _reason(self, ranks: Sequence[int]) -> Message:
        """Return why the seats of rank 1 are first."""
        sound = self.faults.count(None)
        if self.game.faults_rank_last and sound < 2:
            if sound == 1:
                return Message("others-out", {"count": len(ranks) - 1, "other": bot(ranks.index(2))})
            return Message("all-out" if ranks.count(1) > 1 else "out-last")
        return self.game.reason(self.setting, self.frames, ranks, self._scores())

    def _ranks(self) -> list[int]:
        """Return the place of each seat."""
        ranks: list[int] = self.game.ranks(self.state)[0].tolist()
        if not self.game.faults_rank_last:
            return ranks
        # Seats at fault rank behind all others, and behind those whose fault was later.
        keys = [(1, -fault.turn) if fault else (0, rank) for rank, fault in zip(ranks, self.faults, strict=True)]
        return [1 + sum(other < key for other in keys) for key in keys]

    def _scores(self) -> list[float]:
        scores: list[float] = self.game.scores(self.state)[0].tolist()
        return scores

    def _record(self, line: Line) -> None:
        self.digest.add(line)
        if isinstance(line, Footer):
            line = msgspec.structs.replace(line, hash=self.digest.hexdigest())
        self.pending.append(record_of(line))

    def _flush(self) -> tuple[JsonObject, ...]:
        records, self.pending = tuple(self.pending), []
        return records
