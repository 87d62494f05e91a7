"""The sentences that the page hands to the scripts of the workshop, and the urls that they ask."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles.finders import find
from django.utils.translation import override

from contests.models import Contest
from deploy.settings import ROOT
from tests.contests.makers import make_contest
from workshop.pages import _PHRASES, _WORDS, CODEMIRROR, WORKSHOP_MODULES, workshop_page
from workshop.selectors.opened import Opened

SCRIPTS = {name: (ROOT / f"workshop/static/workshop/{name}.js").read_text() for name in WORKSHOP_MODULES}
TEXT = "".join(SCRIPTS.values())
BY_STATE = {"rejected", "failed"}
"""Words that the scripts name by the state of a try."""
OPENED = Opened("python", {"main.py": ""}, {"main.py": ""}, None, is_kit=True, revision=3)


def page(contest: Contest, reader: int | None = 5, played: dict[str, int] | None = None) -> dict[str, object]:
    told = workshop_page(contest=contest, opened=OPENED, bots=["Moat"], reader=reader, played=played)["workshop"]
    assert isinstance(told, dict)
    return told


def test_every_sentence_is_used_and_every_used_one_is_there() -> None:
    used = set(re.findall(r"\bwords\.([a-z_]+)\b(?!\")", TEXT)) | BY_STATE
    assert "words[state]" in TEXT
    assert used == set(_WORDS)


@pytest.mark.parametrize("name", [name for name, words in _WORDS.items() if "{" in str(words)])
def test_what_a_sentence_has_in_braces_is_filled_in(name: str) -> None:
    (call,) = re.findall(rf"fill\((?:this\.)?words\.{name}, \{{(.+?)\}}\)", TEXT)
    given = {part.partition(":")[0].strip() for part in call.split(",")}
    assert given == set(re.findall(r"\{(\w+)\}", str(_WORDS[name])))


@pytest.mark.parametrize("language", ["ja", "ru"])
def test_no_translation_loses_what_is_filled_in(language: str) -> None:
    for name, words in _WORDS.items():
        with override("en"):
            braces = sorted(re.findall(r"\{\w+\}", str(words)))
        with override(language):
            assert sorted(re.findall(r"\{\w+\}", str(words))) == braces, name


def test_the_editor_knows_the_phrases_that_are_translated() -> None:
    path = find(CODEMIRROR)
    assert path
    editor = (ROOT / path).read_text()
    assert [phrase for phrase in _PHRASES if f'"{phrase}"' not in editor] == []


def test_every_script_is_there_and_imports_what_the_page_loads_before_it() -> None:
    loaded = {f"./{name}.js" for name in WORKSHOP_MODULES} | {f"./{CODEMIRROR.removeprefix('workshop/')}"}
    imported = set(re.findall(r'from "(\./[^"]+)"', TEXT))
    assert imported - loaded <= {"./columns.js"}


@pytest.mark.django_db
def test_urls_are_those_of_the_contest_and_of_a_try_to_come() -> None:
    urls = page(make_contest("spring"))["urls"]
    assert urls == {
        "draft": "/workshop/contests/spring/draft/",
        "begin": "/workshop/contests/spring/tries/",
        "submit": "/workshop/contests/spring/submit/",
        "try": "/workshop/tries/0/",
        "live": "/workshop/tries/0/live/",
        "replay": "/workshop/tries/0/replay.json",
        "turns": "/workshop/tries/0/turns.json",
    }
    assert set(re.findall(r"urls\.(\w+)", TEXT)) | set(re.findall(r'#url\("(\w+)"', TEXT)) == urls.keys()


@pytest.mark.django_db
def test_a_guest_and_a_user_are_told_apart() -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    told = page(contest, played={"match": 3, "turn": 2})
    assert (told["signed_in"], told["reader"], told["revision"], told["bots"]) == (True, 5, 3, ["Moat"])
    assert (told["place"], told["keeps_draft"], told["played"]) == ("games/kakomimasu", True, {"match": 3, "turn": 2})
    told = page(contest, reader=None)
    assert (told["signed_in"], told["reader"], told["played"]) == (False, None, None)
    assert all(isinstance(words, str) for words in told["words"].values())  # type: ignore[attr-defined]
