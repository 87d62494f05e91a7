"""Texts of allauth that we translate: they exist in allauth, and readers get our translation."""

from __future__ import annotations

from importlib.resources import files

import pytest
from babel.messages.pofile import read_po
from django.template.loader import render_to_string
from django.utils.translation import override

from arena.third_party_translations import RETRANSLATED

FACTS = {"ip": "192.0.2.1", "user_agent": "Firefox", "timestamp": "now"}


def test_all_are_texts_of_allauth() -> None:
    with files("allauth").joinpath("locale/ru/LC_MESSAGES/django.po").open("rb") as file:
        theirs = {message.id for message in read_po(file)}
    strangers = set(RETRANSLATED) - theirs
    assert not strangers, "allauth says this no more, or otherwise: take it out, or copy it anew."


@pytest.mark.parametrize(
    ("language", "advice"), [("en", "If you do not recognize this change"), ("ru", "Если это сделали не вы, ")]
)
def test_a_mail_about_a_change_asks_whether_it_was_oneself(language: str, advice: str) -> None:
    with override(language):
        mail = render_to_string("account/email/base_notification.txt", FACTS | {"current_site": {"name": "arena"}})
    assert advice in mail
    assert "192.0.2.1" in mail
    assert "arena!»" not in mail
