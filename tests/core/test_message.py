"""Messages as data, whole numbers of other languages, and the types of numeric options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from core.arguments import positive, seed, whole
from core.message import Message, bot, said, stored
from core.numbers import whole_numbers


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (said("The disk is full."), "The disk is full."),
        (Message("text"), ""),
        (Message("bot-killed", {"signal": 9, "who": bot(1)}), "bot-killed signal=9 who={'seat': 1}"),
        (Message("build-left", {"why": stored(Message("tar-damaged"))}), "build-left why=(tar-damaged)"),
        (Message("x", {"why": stored(said("So it is."))}), "x why=(So it is.)"),
    ],
)
def test_logs_show_text_or_kind_and_values(message: Message, line: str) -> None:
    assert str(message) == line


def test_a_message_comes_back_from_what_is_stored() -> None:
    message = Message("bot-exited-half", {"code": 3, "why": stored(Message("bot-half-line"))})
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(stored(message))), Message) == message
    assert stored(None) == {}


def test_fields_that_nobody_knows_are_no_message() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "x", "args": {}, "html": "<b>"}, Message)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (5.0, 5),
        (-0.0, 0),
        (0.5, 0.5),
        (2.0**53, 2**53),
        (2.0**54, 2.0**54),
        (float("inf"), float("inf")),
        ({"a": [1.0, {"b": 2.0}], "c": "3.0"}, {"a": [1, {"b": 2}], "c": "3.0"}),
        (True, True),
        (None, None),
    ],
)
def test_floats_that_are_whole_numbers_become_such(value: Any, read: Any) -> None:
    assert repr(whole_numbers(value)) == repr(read)


def test_what_is_nested_too_deeply_is_refused() -> None:
    value: Any = 1.0
    for _ in range(100_000):
        value = [value]
    with pytest.raises(RecursionError):
        whole_numbers(value)
    while isinstance(value, list):  # else Python would free the lists by recursion
        value = value.pop()


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        (positive, "0", "it must be at least 1"),
        (positive, "-3", "it must be at least 1"),
        (positive, "two", "'two' is no whole number"),
        (seed, "-1", "a seed is at least 0"),
        (seed, str(2**63), "less than 2"),
        (whole, "1.5", "'1.5' is no whole number"),
        (whole, "", "'' is no whole number"),
    ],
)
def test_wrong_numbers_on_command_lines_are_refused_in_a_sentence(
    kind: Callable[[str], int], text: str, sentence: str
) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=sentence):
        kind(text)


def test_numbers_on_command_lines_are_read() -> None:
    assert [positive("1"), seed("0"), seed(str(2**63 - 1)), whole("-7"), whole(" 12 ")] == [1, 0, 2**63 - 1, -7, 12]
