"""Replays as files: JSON lines in one zstandard frame, and the proof that a file is the match it claims to be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
import zstandard

from core.game import Actions, BadOptions, Game, JsonObject
from core.record import Footer, Header, Line, SeatTurn, TurnLine, canonical
from core.referee import ILLEGAL_ANSWER, Reply, Turn, drive, play

INFLATED_BYTES_MAX = 16 << 20
"""No replay is larger; far more than any real one, and little enough to decode in memory."""
LINES_MAX = 10_000

_LEVEL = 9
_AnyLine = TypeVar("_AnyLine", bound=Line)

RulesOf: TypeAlias = Callable[[Header], Game[Any]]
"""Finds the rules of a replay."""


class BadReplay(ValueError):  # noqa: N818
    """The bytes are no replay. Its text is a whole sentence."""


class ReplayMismatch(ValueError):  # noqa: N818
    """A replay does not tell what the rules make of its answers. Its text is a whole sentence."""


def encode(records: Sequence[JsonObject]) -> bytes:
    """Return all records of a match, as the referee made them, as the bytes of a file.

    Raises:
        BadReplay: they are larger than ``decode`` would take.
    """
    text = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    if len(text) > INFLATED_BYTES_MAX or len(records) > LINES_MAX:
        raise BadReplay(f"The replay has {len(text)} bytes in {len(records)} lines, more than a replay may have.")
    return zstandard.ZstdCompressor(level=_LEVEL).compress(text)


def decode(data: bytes) -> list[JsonObject]:
    """Return the records of a file, their types checked; the file may be hostile.

    Raises:
        BadReplay: it is no replay, or too large.
    """
    lines = _lines(data)
    kinds: list[type[Line]] = [Header, *[TurnLine] * (len(lines) - 2), Footer]
    return [msgspec.to_builtins(_decode_line(line, kind)) for line, kind in zip(lines, kinds, strict=True)]


def ends(data: bytes) -> tuple[Header, Footer]:
    """Return the header and the footer of a file, which may be hostile; what is between them is not looked at.

    Raises:
        BadReplay: it is no replay, or too large.
    """
    first, *_turns, last = _lines(data)
    return _decode_line(first, Header), _decode_line(last, Footer)


def _lines(data: bytes) -> list[bytes]:
    lines = _inflate(data).split(b"\n", LINES_MAX + 1)
    if lines.pop() or len(lines) < 2:
        raise BadReplay("The replay is cut off or has too many lines.")
    return lines


def _decode_line(line: bytes, kind: type[_AnyLine]) -> _AnyLine:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadReplay(f"The replay has a broken line: {error}.") from error


def verify(data: bytes, rules_of: RulesOf) -> None:
    """Play the answers of a replay again and compare everything it tells: frames, events, faults, ranks, hash.

    Args:
        data: the compressed replay.
        rules_of: returns the rules that a replay was played by, or raises ``ReplayMismatch``.

    Raises:
        BadReplay: it is no replay.
        ReplayMismatch: it does not tell what the rules make of its answers, or was played by other rules.
    """
    told = decode(data)
    header = msgspec.convert(told[0], Header)
    match = play(rules_of(header), seed=header.seed, seats=header.seats, options=header.options)
    comparison = _Comparison(told)
    try:
        outcome, _ = drive(match, comparison.replies)
    except BadOptions as error:
        raise ReplayMismatch(f"The replay has options that its game refuses. {error}") from error
    comparison.check(outcome.records)


def positions(records: Sequence[JsonObject], rules_of: RulesOf) -> Iterator[tuple[Any, Actions]]:
    """Make the states of a recorded match in which it was played on, each with the actions (1, P, ..) that were chosen.

    Actions of seats that were not asked, were at fault or left are those in which nobody does anything.

    Args:
        records: the lines of the replay, see ``decode``.
        rules_of: returns the rules that a replay was played by, or raises ``ReplayMismatch``.

    Raises:
        ReplayMismatch: it was played by other rules.
        IllegalAnswer: an answer is none by these rules; ``verify`` finds more that is wrong.
    """
    first, *turns, _ = records
    header = msgspec.convert(first, Header)
    rules = rules_of(header)
    state = rules.reset([header.seed], len(header.seats), header.options)
    for turn in turns:
        actions, told = rules.idle(state), msgspec.convert(turn, TurnLine).seats
        out = [seat for seat, answered in enumerate(told) if answered and (answered.fault or not answered.answer)]
        for seat, answered in enumerate(told):
            if answered and seat not in out:
                actions[0, seat] = rules.parse(state, 0, seat, answered.answer)
        yield state, actions
        for seat in out:
            state = rules.disqualify(state, 0, seat)
        state = rules.step(state, actions)


class _Comparison:
    """What a replay tells, beside what the rules make of its answers."""

    def __init__(self, told: Sequence[JsonObject]) -> None:
        self.told = told
        self.footer = msgspec.convert(told[-1], Footer)
        self.checked = 0

    def check(self, made: Sequence[JsonObject]) -> None:
        """Compare the next records.

        Nothing can be left over: only the last line told is a footer, as ``decode`` has seen, and so is only the last
        one made. Where one of them comes sooner it is beside another kind of line.
        """
        for record in made:
            told = self.told[self.checked]
            _same(told, _limited_as(told, record))
            self.checked += 1

    def replies(self, turn: Turn) -> dict[int, Reply]:
        """Return the recorded answers of a turn, which is the line of its number as the header is line 0."""
        self.check(turn.records)
        if turn.number >= len(self.told) - 1:
            raise ReplayMismatch("The replay ends before its match.")
        seats = msgspec.convert(self.told[turn.number], TurnLine).seats
        return {ask.seat: self._reply(ask.seat, dict(enumerate(seats)).get(ask.seat), turn.number) for ask in turn.asks}

    def _reply(self, seat: int, told: SeatTurn | None, turn: int) -> Reply:
        if told is None:
            raise ReplayMismatch(f"Turn {turn} lacks the answer of seat {seat}.")
        if told.fault in (None, ILLEGAL_ANSWER):  # the rules find this fault by themselves
            return Reply(told.answer, told.cpu_ms, told.wall_ms)
        fault = dict(enumerate(self.footer.faults)).get(seat)
        return Reply(told.answer, told.cpu_ms, told.wall_ms, told.fault, fault.sentence if fault else "")


def _same(told: JsonObject, made: JsonObject) -> None:
    """Raise ReplayMismatch unless two records are equal, naming what is not."""
    names = [name for name in made if canonical(told.get(name)) != canonical(made[name])]
    if told.keys() != made.keys() or names:
        where = f"Turn {made['turn']}" if "turn" in made else "The header" if "setting" in made else "The footer"
        raise ReplayMismatch(f"{where} is not what the rules make of the answers: {', '.join(names)}.")


def _limited_as(told: JsonObject, made: JsonObject) -> JsonObject:
    """Return what was made without the limits of time that a replay of before they were told has not."""
    if not {"turn", "seats"} <= told.keys() & made.keys():
        return made
    untold = {seat for seat, turn in enumerate(told["seats"]) if turn and turn["limit_ms"] is None}
    seats = [turn and turn | {"limit_ms": None} if seat in untold else turn for seat, turn in enumerate(made["seats"])]
    return made | {"seats": seats}


def _inflate(data: bytes) -> bytes:
    """Inflate one whole frame.

    A bomb is stopped by the size its frame declares: zstandard allocates just that and refuses to write more.
    """
    try:
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= INFLATED_BYTES_MAX:
            raise BadReplay(f"The replay must declare its size, at most {INFLATED_BYTES_MAX} bytes.")
        return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise BadReplay(f"The replay is no zstandard file: {error}.") from error
