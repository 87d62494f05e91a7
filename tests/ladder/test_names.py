"""Names that are the same to people are one name, on every database."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from ladder.errors import InputError
from ladder.models import Bot
from ladder.names import KEY_LENGTH_MAX, name_key
from ladder.services.uploads import version_create
from matches.selectors.opponents import bot_by_text
from tests.ladder.makers import an_upload, make_bot, make_user

SAME = [("Moat", "mOAT"), ("Ärger", "äRGER"), ("СУМО", "сумо"), ("Straße", "STRASSE"), ("Οδος", "ΟΔΟΣ")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_capitals_make_no_other_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Moat", "Moats"), ("Ärger", "Arger"), ("横綱", "大関"), ("a b", "ab")])
def test_other_letters_do(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_key_of_any_name_fits() -> None:
    longest = max(len(name_key(chr(code))) for code in range(0x110000) if len(chr(code).casefold()) > 1)
    assert longest * 40 <= KEY_LENGTH_MAX


@pytest.mark.database
@pytest.mark.django_db
@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_database_takes_one_of_them_in_a_game(one: str, other: str) -> None:
    bot = make_bot(one)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_bot(other, make_user("bob"))
    assert bot_by_text(text=other, game=bot.game) == bot


@pytest.mark.database
@pytest.mark.django_db
def test_an_upload_under_anothers_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    make_bot("Ärger")
    with pytest.raises(InputError, match="Another bot of this game has this name"):
        version_create(owner=make_user("bob"), game="kakomimasu", name="ÄRGER", upload=an_upload())


@pytest.mark.database
@pytest.mark.django_db
def test_bots_that_had_one_name_all_along_keep_their_pages() -> None:
    bots = [make_bot(f"{number}") for number in range(4)]
    names = ["Ärger", "ärger", "x" * 40, "X" * 40]
    for bot, name in zip(bots, names, strict=True):
        Bot.objects.filter(pk=bot.pk).update(name=name, name_key=f"none {bot.pk}")
    import_module("ladder.migrations.0008_bot_name_keys").keys_fill(apps, None)
    kept = list(Bot.objects.order_by("pk").values_list("name", "name_key"))
    assert kept == [(name, name_key(name)) for name in ("Ärger", "ärger 2", "x" * 40, f"{'X' * 38} 2")]
