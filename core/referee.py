"""The loop of a match, as a generator that does no input or output.

It yields whom to ask what, is sent the answers or faults, and returns the outcome. Workers, the local runner, the
verification of replays and tests drive this same generator; ``drive`` is the plain way to do it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from core.game import Actions, Event, Game, IllegalAnswer, JsonObject, quoted
from core.record import Digest, Footer, Header, Line, SeatFault, SeatInfo, SeatTurn, TurnLine, record_of

__all__ = ["Ask", "Outcome", "Reply", "SeatFault", "SeatInfo", "Turn", "drive", "play"]

ILLEGAL_ANSWER = "illegal answer"
"""The one verdict that the referee itself gives."""
SECURITY = "security"
"""The verdict of the sandbox that is a fault even where a seat may leave.

The attack: a bot makes forbidden system calls at a question where nothing else is a fault, so that nobody is told.
"""
LEFT = "Out of the match: no answer could help any more."
"""What spectators are told of a seat that leaves."""
ANSWER_CHARS_MAX = 2_000
"""Characters of a whole answer: a bot must not fill the store of replays."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to one seat."""

    seat: int
    lines: tuple[str, ...]
    """What to write to the bot; its introduction comes first when it is asked for the first time."""
    answer_lines: int
    cpu_ms: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a seat answered, or why it could not."""

    lines: Sequence[str]
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    fault: str | None = None
    """Verdict of the sandbox; None: it answered in time."""
    sentence: str = ""
    """The fault in words for people."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whom to ask now: at least one seat."""

    number: int
    """1, 2, 3 ..; turns in which nobody is asked are counted but not yielded."""
    asks: tuple[Ask, ...]
    records: tuple[JsonObject, ...]
    """The lines of the replay since the last yield."""


@dataclass(frozen=True, slots=True)
class Forgiven:
    """The answers of a seat that were none, or not allowed, and that its game forgives."""

    count: int
    turn: int
    """Of the first."""
    answer: str
    """The first, quoted."""

    @property
    def sentence(self) -> str:
        """How many there were and the first of them, in words for people."""
        many = f"{self.count} answers were" if self.count > 1 else "1 answer was"
        return f"{many} not understood, or not allowed; the first, in turn {self.turn}: {self.answer}."


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the match ended."""

    ranks: tuple[int, ...]
    """By seat, 1 = best, equals share the better place."""
    scores: tuple[float, ...]
    faults: tuple[SeatFault | None, ...]
    turns: int
    records: tuple[JsonObject, ...]
    """The lines of the replay since the last yield, the footer last."""
    forgiven: tuple[Forgiven | None, ...] = ()
    """By seat; None: all answers were understood."""


Match = Generator[Turn, Mapping[int, Reply], Outcome]


def play(game: Game[Any], *, seed: int, seats: Sequence[SeatInfo], options: Mapping[str, Any] | None = None) -> Match:
    """Play one match: yields turns, is sent ``{seat: Reply}`` for all seats asked, returns the outcome.

    A seat at fault is disqualified and never asked again, and so is a seat that leaves where it may (see
    ``Game.may_leave``), which is no fault. The match goes on as the game says, and ends at once when no seat is left
    that is not at fault. The same seed and answers give the same records, but for the milliseconds.

    Raises:
        BadOptions: the options or the number of seats do not fit the game (when first advanced).
        KeyError: a reply is missing.
    """
    return _Referee(game, seed, seats, options).play()


def drive(match: Match, answer: Callable[[Turn], Mapping[int, Reply]]) -> tuple[Outcome, list[JsonObject]]:
    """Play a match to its end, asking a function each turn.

    Returns:
        The outcome, and all records of the match.
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


class _Referee:
    """The state of one match."""

    def __init__(
        self, game: Game[Any], seed: int, seats: Sequence[SeatInfo], options: Mapping[str, Any] | None
    ) -> None:
        self.game = game
        self.seed = seed
        self.seats = list(seats)
        self.options = dict(options or {})
        self.faults: list[SeatFault | None] = [None] * len(self.seats)
        self.left: set[int] = set()
        self.forgiven: list[Forgiven | None] = [None] * len(self.seats)
        self.introduced: set[int] = set()
        self.turns = 0
        self.digest = Digest()
        self.pending: list[JsonObject] = []

    def play(self) -> Match:
        self._begin()
        while not self._over():
            self.turns += 1
            asks = self._asks()
            replies = (yield Turn(self.turns, asks, self._flush())) if asks else {}
            self._turn(asks, replies)
        return self._end()

    def _begin(self) -> None:
        self.state = self.game.reset([self.seed], len(self.seats), self.options)
        self.setting = self.game.setting(self.state, 0)
        self.frames = [self.game.frame(self.state, 0)]
        names = self.game.name, self.game.rules_version
        self._record(Header(1, *names, self.seed, self.options, self.seats, self.setting, self.frames[0]))

    def _over(self) -> bool:
        return all(self.faults) or bool(self.game.over(self.state)[0])

    def _asks(self) -> tuple[Ask, ...]:
        to_move = self.game.to_move(self.state)[0]
        return tuple(self._ask(seat) for seat, asked in enumerate(to_move.tolist()) if asked)

    def _ask(self, seat: int) -> Ask:
        game, state = self.game, self.state
        first = [] if seat in self.introduced else game.introduce(state, 0, seat)
        self.introduced.add(seat)
        lines = (*first, *game.observe(state, 0, seat))
        return Ask(seat, lines, game.answer_lines(state, 0, seat), game.cpu_ms(state, 0, seat))

    def _turn(self, asks: Sequence[Ask], replies: Mapping[int, Reply]) -> None:
        """Take the answers, play the turn, record it."""
        actions = self.game.idle(self.state)
        seats: list[SeatTurn | None] = [None] * len(self.seats)
        for ask in asks:
            seats[ask.seat] = self._hear(ask, replies[ask.seat], actions)
        events = [self._take_out(ask.seat) for ask in asks if self._is_out(ask.seat)]
        self.state = self.game.step(self.state, actions)
        self.frames.append(self.game.frame(self.state, 0))
        told = self.game.commentary(self.setting, self.frames)
        # That a seat was taken out has been told, with the reason.
        events += [event for event in told if not (event["kind"] == "out" and self._is_out(event["seat"]))]
        self._record(TurnLine(self.turns, seats, self.frames[-1], events))

    def _is_out(self, seat: int | None) -> bool:
        """Tell whether the referee has to take a seat out, or has done so."""
        return seat is not None and (self.faults[seat] is not None or seat in self.left)

    def _hear(self, ask: Ask, reply: Reply, actions: Actions) -> SeatTurn:
        """Fill a seat's action in, or note its fault, or that it leaves.

        Of a seat that leaves no lines are recorded, so that they leave in ``verify``, too: lines that came too late
        might be a legal answer.
        """
        lines = _kept(reply.lines, ask.answer_lines)
        fault = None
        if reply.fault:
            fault = SeatFault(reply.fault, reply.sentence, self.turns)
        else:
            try:
                action = self._parse(ask, lines)
                actions[0, ask.seat] = action
                if self.game.forgives(action):
                    self._forgive(ask.seat, lines)
            except IllegalAnswer as error:
                fault = SeatFault(ILLEGAL_ANSWER, str(error), self.turns)
        if fault and fault.verdict != SECURITY and self.game.may_leave(self.state, 0, ask.seat):
            self.left.add(ask.seat)
            lines, fault = [], None
        self.faults[ask.seat] = fault
        verdict = fault.verdict if fault else None
        return SeatTurn(lines, round(reply.cpu_ms, 1), round(reply.wall_ms, 1), verdict, ask.cpu_ms)

    def _forgive(self, seat: int, lines: list[str]) -> None:
        known = self.forgiven[seat] or Forgiven(0, self.turns, quoted(" ".join(lines)))
        self.forgiven[seat] = replace(known, count=known.count + 1)

    def _parse(self, ask: Ask, lines: list[str]) -> Actions:
        if len(lines) != ask.answer_lines:
            much = "fewer" if len(lines) < ask.answer_lines else "more"
            raise IllegalAnswer(f"The answer has {much} lines than the {ask.answer_lines} asked for.")
        if sum(map(len, lines)) > ANSWER_CHARS_MAX:
            raise IllegalAnswer(f"The answer is longer than {ANSWER_CHARS_MAX} characters.")
        return self.game.parse(self.state, 0, ask.seat, lines)

    def _take_out(self, seat: int) -> Event:
        self.state = self.game.disqualify(self.state, 0, seat)
        fault = self.faults[seat]
        kind, text = ("fault", fault.sentence) if fault else ("out", LEFT)
        return Event(turn=self.turns, kind=kind, seat=seat, text=text)

    def _end(self) -> Outcome:
        ranks: list[int] = self.game.ranks(self.state)[0].tolist()
        if self.game.faults_rank_last:
            ranks = _ranks(ranks, self.faults)
        scores: list[float] = self.game.scores(self.state)[0].tolist()
        self._record(Footer(ranks, scores, self.faults, self.turns, hash=""))
        return Outcome(tuple(ranks), tuple(scores), tuple(self.faults), self.turns, self._flush(), tuple(self.forgiven))

    def _record(self, line: Line) -> None:
        self.digest.add(line)
        if isinstance(line, Footer):
            line = msgspec.structs.replace(line, hash=self.digest.hexdigest())
        self.pending.append(record_of(line))

    def _flush(self) -> tuple[JsonObject, ...]:
        records, self.pending = tuple(self.pending), []
        return records


def _kept(lines: Sequence[str], asked: int) -> list[str]:
    """Return what is judged and recorded of an answer: enough to show the fault, whatever a hostile bot wrote.

    Lone surrogates, which no UTF-8 file can hold, become question marks.
    """
    kept = [line[: ANSWER_CHARS_MAX + 1] for line in lines[: asked + 1]]
    return [line if line.isascii() else line.encode(errors="replace").decode() for line in kept]


def _ranks(ranks: Sequence[int], faults: Sequence[SeatFault | None]) -> list[int]:
    """Return the places of the match: seats at fault behind all others, the earlier their fault the worse."""
    keys = [(1, -fault.turn) if fault else (0, rank) for rank, fault in zip(ranks, faults, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]
