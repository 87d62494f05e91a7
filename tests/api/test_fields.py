"""Fields of requests and answers: what is taken, what is refused by which sentence, and what an answer shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation
from rest_framework import serializers

from api.base import checked
from api.serializers.fields import (
    ComputedFlag,
    ComputedNumber,
    ComputedRows,
    ComputedText,
    KeyField,
    LanguageField,
    LimitsField,
    NumberField,
    OfContestSerializer,
    OptionalText,
    SentenceField,
    TextField,
)
from api.serializers.fleet import MomentField
from api.serializers.tries import TryBeginSerializer
from common.text import ROW_NUMBER_MAX
from contests.models import Contest
from core.message import said, stored

ZERO_WIDTH = "\u200b"


class Typed(serializers.Serializer[Any]):
    """A request with each kind of text and number."""

    name = TextField(max_length=10)
    note = OptionalText(max_length=10)
    key = KeyField()
    size = NumberField("How many.", least=2, most=4, default=2)
    seat = NumberField("Null: any.", most=3, default=None, allow_null=True)


def faults(sent: dict[str, Any], kind: type[serializers.Serializer[Any]] = Typed) -> dict[str, list[str]]:
    """Return the sentences by field that refuse a request; empty if it is taken."""
    try:
        checked(kind, sent)
    except serializers.ValidationError as error:
        return {name: [str(each) for each in told] for name, told in dict(error.detail).items()}  # type: ignore[arg-type]
    return {}


def test_what_is_left_out_has_its_default() -> None:
    assert checked(Typed, {"name": "Moat"}) == {"name": "Moat", "note": "", "size": 2, "seat": None}


@pytest.mark.parametrize(
    ("typed", "name"),
    [("  Moat ", "Moat"), (f"Mo{ZERO_WIDTH}at", "Moat"), (f"{ZERO_WIDTH} Moat", "Moat")],
)
def test_characters_that_nobody_sees_are_no_part_of_a_text(typed: str, name: str) -> None:
    """The attack: a name that looks like that of another bot, but is not equal to it."""
    assert checked(Typed, {"name": typed})["name"] == name


@pytest.mark.parametrize("typed", ["", "   ", ZERO_WIDTH, f" {ZERO_WIDTH} "])
def test_a_text_that_is_empty_to_the_eye_counts_as_empty(typed: str) -> None:
    assert list(faults({"name": typed})) == ["name"]
    assert checked(Typed, {"name": "Moat", "note": typed})["note"] == ""


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": "x" * 11}, "name"),
        ({"name": "Moat", "note": "x" * 11}, "note"),
        ({"name": "Moat", "note": None}, "note"),
        ({"name": "Moat", "key": 0}, "key"),
        ({"name": "Moat", "key": ROW_NUMBER_MAX + 1}, "key"),
        ({"name": "Moat", "key": "one"}, "key"),
        ({"name": "Moat", "size": 1}, "size"),
        ({"name": "Moat", "size": 5}, "size"),
        ({"name": "Moat", "size": None}, "size"),
        ({"name": "Moat", "seat": -1}, "seat"),
        ({"name": "Moat", "seat": 4}, "seat"),
        ({"name": ["Moat"]}, "name"),
        ({}, "name"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_its_field(sent: dict[str, Any], field: str) -> None:
    found = faults(sent)
    assert list(found) == [field]
    assert all(sentence.endswith(".") for sentence in found[field])


@pytest.mark.parametrize("sent", [{"key": ROW_NUMBER_MAX}, {"size": 4}, {"seat": 0}, {"seat": None}])
def test_bounds_themselves_are_taken(sent: dict[str, Any]) -> None:
    assert not faults({"name": "Moat", **sent})


@pytest.mark.parametrize("body", [[], "x", None, 7])
def test_a_request_that_is_no_object_is_refused(body: Any) -> None:
    with pytest.raises(serializers.ValidationError):
        checked(Typed, body)


# --- Contests by key or by game --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [{"contest": "kakomimasu"}, {"game": "kakomimasu"}, {"game": "kakomimasu", "contest": "kakomimasu"}],
)
def test_an_open_contest_is_named_by_its_key_or_by_its_game(sent: dict[str, str]) -> None:
    assert checked(OfContestSerializer, sent) == {"contest": "kakomimasu"}


@pytest.mark.parametrize(
    ("sent", "field", "word"),
    [
        ({}, "contest", "Please name the contest."),
        ({"game": "kakomimasu", "contest": "spring"}, "game", "Please send the contest alone"),
        ({"game": "chess"}, "game", "chess"),
    ],
)
def test_a_contest_that_is_not_named_or_named_twice_is_refused(sent: dict[str, str], field: str, word: str) -> None:
    found = faults(sent, OfContestSerializer)
    assert list(found) == [field]
    assert word in found[field][0]


def test_a_filter_need_not_name_a_contest() -> None:
    class Filter(OfContestSerializer):
        contest_required = False

    assert checked(Filter, {}) == {}


@pytest.mark.django_db
def test_a_language_is_one_of_the_arenas_or_none() -> None:
    class Upload(serializers.Serializer[Any]):
        language = LanguageField(max_length=20)

    assert checked(Upload, {}) == {"language": ""}
    [sentence] = faults({"language": "cobol"}, Upload)["language"]
    assert sentence.startswith("The language 'cobol' is not known here. Known are: ")


@pytest.mark.parametrize(
    ("sent", "is_taken"),
    [
        ({}, True),
        ({"seed": 5}, True),
        ({"from_match": 1, "from_turn": 3}, True),
        ({"from_try": 1, "from_turn": 3}, True),
        ({"from_turn": 3}, False),
        ({"from_match": 1}, False),
        ({"from_match": 1, "from_try": 1, "from_turn": 3}, False),
        ({"from_match": 1, "from_turn": 3, "seed": 5}, False),
    ],
)
@pytest.mark.django_db
def test_a_try_plays_on_from_one_turn_of_one_match(sent: dict[str, Any], is_taken: bool) -> None:
    found = faults({"game": "kakomimasu", "files": {"main.py": ""}, **sent}, TryBeginSerializer)
    assert list(found) == ([] if is_taken else ["from_turn"])


@pytest.mark.parametrize("value", ["2026-11-28", "tomorrow", "", 7])
def test_a_date_without_a_time_is_no_moment(value: object) -> None:
    class Deadline(serializers.Serializer[Any]):
        until = MomentField()

    [sentence] = faults({"until": value}, Deadline)["until"]
    assert sentence.endswith(".")
    assert checked(Deadline, {"until": "2026-11-28T12:00:00Z"})["until"].hour == 12


# --- Answers ---------------------------------------------------------------------------------------------------------


class Shown(serializers.Serializer[Any]):
    """An answer with computed fields."""

    title = ComputedText(lambda row: row.name.upper(), allow_null=True)
    missing = ComputedText(lambda row: None, allow_null=True)
    is_long = ComputedFlag(lambda row: len(row.name) > 3)
    length = ComputedNumber(lambda row: len(row.name))
    letters = ComputedRows(lambda row: row.name, child=serializers.CharField())
    reason = SentenceField()


def test_computed_fields_are_shown_as_their_type_and_none_as_null() -> None:
    row = SimpleNamespace(name="Moat", reason=stored(said("The hall has no electricity.")))
    assert Shown(row).data == {
        "title": "MOAT",
        "missing": None,
        "is_long": True,
        "length": 4,
        "letters": ["M", "o", "a", "t"],
        "reason": "The hall has no electricity.",
    }


def test_a_message_that_is_not_there_is_an_empty_text() -> None:
    assert Shown(SimpleNamespace(name="x", reason={})).data["reason"] == ""


def test_a_stored_message_is_told_in_the_language_of_the_caller() -> None:
    message = {"kind": "tournament-match-forfeit", "args": {}}
    told = set()
    for language in ("en", "ja", "ru"):
        with translation.override(language):
            told.add(Shown(SimpleNamespace(name="x", reason=message)).data["reason"])
    assert len(told) == 3


@pytest.mark.django_db
def test_the_limits_of_a_contest_end_in_their_unit() -> None:
    class Limits(serializers.Serializer[Any]):
        limits = LimitsField()

    shown = Limits(Contest.objects.get(pk="kakomimasu")).data["limits"]
    assert shown
    assert all(isinstance(value, int) and "_" in name for name, value in shown.items())
    assert "memory_mib" in shown
