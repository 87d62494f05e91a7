"""Replay files: reading, writing and verifying them, also those that an attacker made."""

from __future__ import annotations

import copy
import hashlib
import json
import struct
from collections.abc import Callable
from typing import Any

import pytest
import zstandard

from core import replay
from core.game import JsonObject
from core.message import Message
from core.referee import Reply, SeatInfo, Turn, drive, play
from core.replay import (
    BadReplay,
    ReplayMismatch,
    decode,
    encode,
)
from games.replays import verify
from tests.core.toy import RockPaperScissors

pytestmark = pytest.mark.usefixtures("rps")


Change = Callable[[list[Any]], object]


@pytest.fixture
def records() -> list[JsonObject]:
    """A match in which seat 0 wins a round, seat 1 answers nonsense and seat 2 crashes."""
    replies = {
        1: {0: Reply(["paper"], 1.5, 2.5), 1: Reply(["rock"]), 2: Reply(["rock"])},
        2: {
            0: Reply(["rock"]),
            1: Reply(["lizard"]),
            2: Reply([], fault="crashed", why=Message("bot-exited", {"code": 1})),
        },
        3: {0: Reply(["rock"])},
    }

    def answer(turn: Turn) -> dict[int, Reply]:
        return replies[turn.number]

    seats = [SeatInfo("one"), SeatInfo("two", "2", "ff"), SeatInfo("three")]
    return drive(play(RockPaperScissors(), seed=3, seats=seats), answer)[1]


def packed(text: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(text)


def test_a_replay_comes_back_as_it_was(records: list[JsonObject]) -> None:
    data = encode(records)
    assert decode(data) == records
    verify(data)


@pytest.mark.parametrize("percent", [25, 100, 250])
def test_time_is_scaled_told_and_verified(percent: int) -> None:
    seats = [SeatInfo("one"), SeatInfo("two"), SeatInfo("three")]
    match = play(RockPaperScissors(), seed=3, seats=seats, time_percent=percent)
    asked = list[int]()

    def answer(turn: Turn) -> dict[int, Reply]:
        asked.extend(ask.cpu_ms for ask in turn.asks)
        return {ask.seat: Reply(["rock"]) for ask in turn.asks}

    played = drive(match, answer)[1]
    assert set(asked) == {RockPaperScissors().cpu_ms(None, 0, 0) * percent // 100}  # type: ignore[arg-type]
    assert played[0].get("time_percent", 100) == percent
    assert ("time_percent" in played[0]) == (percent != 100)  # replays from before it could differ keep their hashes
    verify(encode(played))
    played[0]["time_percent"] = 300
    with pytest.raises(ReplayMismatch):
        verify(encode(played))


def test_the_hash_can_be_computed_from_the_description_alone(records: list[JsonObject]) -> None:
    """As docs/understand/replays.md describes it, with nothing but the standard library."""
    sha256 = hashlib.sha256()
    for line in copy.deepcopy(records):
        for seat in line["seats"] if "turn" in line else ():
            if seat:
                del seat["cpu_ms"], seat["wall_ms"]
        line.pop("hash", None)
        sha256.update(json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    assert sha256.hexdigest() == records[-1]["hash"]


CHANGES: dict[str, tuple[Change, str]] = {
    "limit": (lambda r: r[1]["seats"][0].update(limit_ms=9), "Turn 1 .* seats"),
    "answer": (lambda r: r[1]["seats"][0].update(answer=["rock"]), "Turn 1 .* frame, events"),
    "frame": (lambda r: r[2]["frame"].update(points=[9, 0, 0]), "Turn 2 .* frame"),
    "number as truth": (lambda r: r[0]["frame"].update(turn=False), "header .* frame"),
    "event": (lambda r: r[3]["events"].append({"turn": 3, "kind": "x", "seat": 0, "args": {}}), "Turn 3 .* events"),
    "bad options": (lambda r: r[0].update(options={"rounds": "x"}), "options that its game refuses"),
    "seat added": (lambda r: r[0]["seats"].append(r[0]["seats"][0]), "options that its game refuses"),
    "seat taken": (lambda r: r[0]["seats"].pop(), "header .* frame"),
    "name": (lambda r: r[0]["seats"][0].update(name="somebody else"), "footer .* hash"),
    "fault denied": (lambda r: r[2]["seats"][1].update(fault=None), "Turn 2 .* seats"),
    "fault claimed": (lambda r: r[1]["seats"][1].update(fault="time"), "Turn 1"),
    "answer taken": (lambda r: r[3]["seats"].__setitem__(0, None), "Turn 3 lacks the answer of seat 0"),
    "answer added": (lambda r: r[3]["seats"].__setitem__(1, r[1]["seats"][1]), "Turn 3 .* seats"),
    "turn taken": (lambda r: r.pop(2), "Turn 2"),
    "last turn taken": (lambda r: r.pop(3), "ends before its match"),
    "ranks": (lambda r: r[-1].update(ranks=[1, 1, 1]), "footer .* ranks"),
    "fault's reason": (lambda r: r[-1]["faults"][2]["why"].update(kind="bot-won"), "Turn 2 .* events"),
    "hash": (lambda r: r[-1].update(hash="0" * 64), "footer .* hash"),
    "game": (lambda r: r[0].update(game="chess"), "unknown game, 'chess'"),
    "rules": (lambda r: r[0].update(rules="0"), "version 0 of the rules .* only version 1 can be played here"),
}


@pytest.mark.parametrize(("change", "sentence"), CHANGES.values(), ids=CHANGES.keys())
def test_a_tampered_replay_is_found_out(records: list[JsonObject], change: Change, sentence: str) -> None:
    tampered = copy.deepcopy(records)
    change(tampered)
    with pytest.raises(ReplayMismatch, match=sentence):
        verify(encode(tampered))


BROKEN: dict[str, Change] = {
    "format": lambda r: r[0].update(format=1),
    "seed": lambda r: r[0].update(seed=-1),
    "large seed": lambda r: r[0].update(seed=2**63),
    "no seats": lambda r: r[0].update(seats=[]),
    "too many seats": lambda r: r[0].update(seats=r[0]["seats"] * 9),
    "missing": lambda r: r[1].pop("frame"),
    "unknown": lambda r: r[1].update(more=1),
    "type": lambda r: r[1]["seats"][0].update(answer="rock"),
    "event": lambda r: r[1].update(events=[{"kind": "x"}]),
    "no footer": lambda r: r.pop(),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN.keys())
def test_broken_lines_are_refused(records: list[JsonObject], change: Change) -> None:
    change(records)
    with pytest.raises(BadReplay, match="broken line"):
        decode(encode(records))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"{}",
        b"[" * 100_000 + b"\n\n",
        b"\xff\n\xff\n",
        b'{"game":"\xff"}\n\n',
    ],
    ids=lambda text: repr(text[:10]),
)
def test_other_texts_are_refused(text: bytes) -> None:
    with pytest.raises(BadReplay):
        decode(packed(text))


def test_a_cut_replay_is_refused(records: list[JsonObject]) -> None:
    data = encode(records)
    for bad in (b"", b"PK\x03\x04", data[:-1], data[: len(data) // 2], data + b"x", data + data):
        with pytest.raises(BadReplay):
            decode(bad)
    with pytest.raises(BadReplay, match="cut off"):
        decode(packed(zstandard.ZstdDecompressor().decompress(data)[:-1]))


def test_a_bomb_is_refused_unopened() -> None:
    bomb = packed(b"\n" * (replay.INFLATED_BYTES_MAX + 1))
    assert len(bomb) < 2_000
    for data in (bomb, zstandard.ZstdCompressor(write_content_size=False).compress(b"\n" * 1_000_000)):
        with pytest.raises(BadReplay, match="declare its size"):
            decode(data)


def test_a_bomb_that_lies_about_its_size_is_refused() -> None:
    bomb = bytearray(packed(b"\n" * 1_000_000))
    assert struct.unpack_from("<I", bomb, 5) == (1_000_000,)  # the size's place in this frame, RFC 8878 section 3.1.1.1
    struct.pack_into("<I", bomb, 5, 70_000)
    with pytest.raises(BadReplay, match="no zstandard file"):
        decode(bytes(bomb))


def test_a_replay_that_nobody_could_read_is_not_written(records: list[JsonObject]) -> None:
    with pytest.raises(BadReplay, match="more than a replay may have"):
        encode(records[:1] * (replay.LINES_MAX + 1))
    records[1]["frame"]["large"] = "x" * replay.INFLATED_BYTES_MAX
    with pytest.raises(BadReplay, match="more than a replay may have"):
        encode(records)
