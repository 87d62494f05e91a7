"""Names that people take for the same one are equal, on every database."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from common.errors import InputError
from common.names import KEY_LENGTH_MAX, LOOK_LENGTH_MAX, name_key, name_look
from common.validators import validate_bot_name
from ladder.services.uploads import version_create
from matches.selectors.opponents import bot_by_text
from tests.ladder.makers import an_upload, make_bot, make_user, make_version

SAME = [("Moat", "mOAT"), ("Ärger", "äRGER"), ("СУМО", "сумо"), ("Straße", "STRASSE"), ("Οδος", "ΟΔΟΣ")]
ALIKE = [
    ("rings", "rіngs"),  # its i is Cyrillic
    ("RINGS", "RІNGS"),
    ("alpha_beta", "aIpha_beta"),  # a capital I
    ("Hal 9000", "Hal 9OOO"),
    ("Ёлка", "Ëлка"),  # Cyrillic, Latin
    ("Νoob", "Noob"),  # a Greek capital
    ("カラテ", "力ラテ"),  # the kanji of strength
    ("⚔ Moat", "⚔️ Moat"),  # drawn as an emoji
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_differ_in_case_are_equal(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Moat", "Moats"), ("Ärger", "Arger"), ("横綱", "大関"), ("a b", "ab")])
def test_names_of_other_letters_differ(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_with_similar_letters_look_alike(one: str, other: str) -> None:
    assert name_look(one) == name_look(other)
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Ball", "Bali"), ("Ball", "Bäll"), ("вор", "bop"), ("横綱", "大関")])
def test_other_names_do_not_look_alike(one: str, other: str) -> None:
    assert name_look(one) != name_look(other)


@pytest.mark.parametrize(
    "name",
    [
        "ri\u034fngs",  # joins nothing
        "rings\u1160",  # fills half a Korean syllable
        "ri\U000e0100ngs",  # chooses another form of a kanji
        "rings\u2800",  # Braille, without dots
        "\u2800",
        "two  spaces",
        "\u1680 Ogham",
        "\u0338rings",  # strikes through what stands before it
        "r" + "\u0321" * 4,
    ],
)
def test_a_name_with_invisible_characters_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_bot_name(name)


@pytest.mark.parametrize("name", ["⚔️ Moat", "กี่คน", "שָּׁלוֹם", "हिन्दी", "Bảo", "番付 2"])
def test_names_of_any_script_are_accepted(name: str) -> None:
    validate_bot_name(name)


def test_the_look_of_any_name_fits_its_column() -> None:
    normalized = [chr(code) for code in range(0x110000) if normalize("NFKC", chr(code)) == chr(code)]
    assert max(len(name_look(character)) for character in normalized) * 40 <= LOOK_LENGTH_MAX


def test_the_key_of_any_name_fits_its_column() -> None:
    longest = max(len(name_key(chr(code))) for code in range(0x110000) if len(chr(code).casefold()) > 1)
    assert longest * 40 <= KEY_LENGTH_MAX


@pytest.mark.database
@pytest.mark.django_db
@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_database_takes_only_one_of_two_equal_names_in_a_game(one: str, other: str) -> None:
    bot = make_version(make_bot(one)).bot
    with pytest.raises(IntegrityError), transaction.atomic():
        make_bot(other, make_user("bob"))
    assert bot_by_text(text=other, reader=AnonymousUser(), contest=bot.game) == bot


@pytest.mark.database
@pytest.mark.django_db
@pytest.mark.parametrize("name", ["ÄRGER", "Ärgеr"])  # capitals; the second e is Cyrillic
def test_an_upload_under_anothers_name_is_refused(name: str) -> None:
    make_bot("Ärger")
    with pytest.raises(InputError, match="Another bot of this contest has this name"):
        version_create(owner=make_user("bob"), contest="kakomimasu", name=name, upload=an_upload())
