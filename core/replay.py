"""Replay files (JSON lines in one zstandard frame), and the check that a replay follows the rules of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import msgspec
import zstandard

from core.game import Actions, BadOptions, Game, JsonObject
from core.record import Footer, Header, Line, RecordedAnswer, TurnLine, canonical
from core.referee import ILLEGAL_ANSWER, Reply, Turn, drive, play

INFLATED_BYTES_MAX = 16 << 20
"""Size limit of a decompressed replay: far more than any real one has, and little enough to decode in memory."""
LINES_MAX = 10_000

_LEVEL = 9
_AnyLine = TypeVar("_AnyLine", bound=Line)

RulesOf: TypeAlias = Callable[[Header], Game[Any]]
"""Returns the game whose rules a replay's header names."""


class BadReplay(ValueError):  # noqa: N818
    """The bytes are not a replay. The text is a whole sentence."""


class ReplayMismatch(ValueError):  # noqa: N818
    """A replay differs from the match that the rules make of its answers. The text is a whole sentence."""


def encode(records: Sequence[JsonObject]) -> bytes:
    """Return the content of a replay file with all records of a match, as the referee returned them.

    Raises:
        BadReplay: the records are larger than ``decode`` accepts.
    """
    text = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    if len(text) > INFLATED_BYTES_MAX or len(records) > LINES_MAX:
        raise BadReplay(f"The replay has {len(text)} bytes in {len(records)} lines, more than a replay may have.")
    return zstandard.ZstdCompressor(level=_LEVEL).compress(text)


def decode(data: bytes) -> list[JsonObject]:
    """Return the records of a replay file, with their types checked. The file may come from an attacker.

    Raises:
        BadReplay: the file is not a replay, or too large.
    """
    lines = _lines(data)
    kinds: list[type[Line]] = [Header, *[TurnLine] * (len(lines) - 2), Footer]
    return [msgspec.to_builtins(_decode_line(line, kind)) for line, kind in zip(lines, kinds, strict=True)]


def header_and_footer(data: bytes) -> tuple[Header, Footer]:
    """Return the first and the last line of a replay file, without a check of the lines between them.

    The file may come from an attacker.

    Raises:
        BadReplay: the file is not a replay, or too large.
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
    """Play the answers of a replay again and compare all records: frames, events, faults, ranks, hash.

    Args:
        data: the content of a replay file.
        rules_of: returns the game whose rules a header names, or raises ``ReplayMismatch``.

    Raises:
        BadReplay: the file is not a replay.
        ReplayMismatch: the records are not those that the rules make of the answers, or the rules are other ones.
    """
    recorded = decode(data)
    header = msgspec.convert(recorded[0], Header)
    percent = 100 if header.time_percent is msgspec.UNSET else header.time_percent
    match = play(rules_of(header), seed=header.seed, seats=header.seats, options=header.options, time_percent=percent)
    comparison = _Comparison(recorded)
    try:
        outcome, _ = drive(match, comparison.replies)
    except BadOptions as error:
        raise ReplayMismatch(f"The replay has options that its game refuses. {error}") from error
    comparison.check(outcome.records)


def positions(records: Sequence[JsonObject], rules_of: RulesOf) -> Iterator[tuple[Any, Actions]]:
    """Yield the state before each turn of a recorded match, with the actions (1, P, ..) that the seats chose.

    Seats that were not asked, were at fault or left the match have the action of ``Game.idle``.

    Args:
        records: the lines of the replay, see ``decode``.
        rules_of: returns the game whose rules a header names, or raises ``ReplayMismatch``.

    Raises:
        ReplayMismatch: the match was played by other rules.
        IllegalAnswer: a recorded answer breaks the rules. ``verify`` checks much more.
    """
    first, *turns, _ = records
    header = msgspec.convert(first, Header)
    rules = rules_of(header)
    state = rules.reset([header.seed], len(header.seats), header.options)
    for turn in turns:
        actions, seats = rules.idle(state), msgspec.convert(turn, TurnLine).seats
        out = [seat for seat, answered in enumerate(seats) if answered and (answered.fault or not answered.answer)]
        for seat, answered in enumerate(seats):
            if answered and seat not in out:
                actions[0, seat] = rules.parse(state, 0, seat, answered.answer)
        yield state, actions
        for seat in out:
            state = rules.disqualify(state, 0, seat)
        state = rules.step(state, actions)


class _Comparison:
    """Compares the records of a replay with those of the match that its answers make by the rules."""

    def __init__(self, recorded: Sequence[JsonObject]) -> None:
        self.recorded = recorded
        self.footer = msgspec.convert(recorded[-1], Footer)
        self.checked = 0

    def check(self, played: Sequence[JsonObject]) -> None:
        """Compare the next records of the match with those of the replay; raise ReplayMismatch if they differ.

        After the last record of the match no line of the replay is left: the last line of each, and no other, is a
        footer (``decode`` has checked the replay), so if one of them ends earlier, its footer differs from a turn.
        """
        for made in played:
            recorded = self.recorded[self.checked]
            names = [name for name in made if canonical(recorded.get(name)) != canonical(made[name])]
            if recorded.keys() != made.keys() or names:
                where = (
                    f"Turn {made['turn']}" if "turn" in made else "The header" if "setting" in made else "The footer"
                )
                raise ReplayMismatch(f"{where} is not what the rules make of the answers: {', '.join(names)}.")
            self.checked += 1

    def replies(self, turn: Turn) -> dict[int, Reply]:
        """Return the recorded answers of a turn by seat, after a check of the records up to it.

        The header is line 0 of the replay, so turn n is line n. Raise ReplayMismatch if a record differs, or if the
        replay lacks the turn or an answer.
        """
        self.check(turn.records)
        if turn.number >= len(self.recorded) - 1:
            raise ReplayMismatch("The replay ends before its match.")
        seats = msgspec.convert(self.recorded[turn.number], TurnLine).seats
        return {ask.seat: self._reply(ask.seat, dict(enumerate(seats)).get(ask.seat), turn.number) for ask in turn.asks}

    def _reply(self, seat: int, recorded: RecordedAnswer | None, turn: int) -> Reply:
        if recorded is None:
            raise ReplayMismatch(f"Turn {turn} lacks the answer of seat {seat}.")
        reply = Reply(recorded.answer, recorded.cpu_ms, recorded.wall_ms)
        if recorded.fault in (None, ILLEGAL_ANSWER):  # the referee finds an illegal answer again by itself
            return reply
        fault = dict(enumerate(self.footer.faults)).get(seat)
        return replace(reply, fault=recorded.fault, why=fault.why if fault else None)


def _inflate(data: bytes) -> bytes:
    """Decompress a file that consists of one zstandard frame; raise BadReplay if it is no such file, or too large.

    The attack: a small file that decompresses to gigabytes. A frame must declare its size, which we check first;
    zstandard allocates the declared size and refuses to write more.
    """
    try:
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= INFLATED_BYTES_MAX:
            raise BadReplay(f"The replay must declare its size, at most {INFLATED_BYTES_MAX} bytes.")
        return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise BadReplay(f"The replay is no zstandard file: {error}.") from error
