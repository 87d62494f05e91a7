"""The words of the games: each message that rules and referee send has a sentence in every language of the site."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, MessageReference
from fluent.syntax.visitor import Visitor

from banzuke.testing import Setup
from core.game import JsonObject
from core.message import TEXT
from core.replay import decode
from core.variants import options_of
from games import words
from games.registry import FOLDER, game_named, game_names
from games.replays import verify
from games.wondev_woman.refusals import Refusal
from games.words import words_of
from tests.core.setups import registered
from tests.games.golden import golden

LANGUAGES = ("en", "ja", "ru")
OWN = [name for name in game_names() if (FOLDER / name).is_dir()]
ROOT = Path(__file__).parents[2]
SHARED_BY = (
    *(
        "api",
        "banzuke",
        "core",
        "exhibitions",
        "fleet",
        "formats",
        "games",
        "jobs",
        "ladder",
        "matches",
        "sandbox",
        "tournaments",
    ),
    *("wire", "workers"),
)
"""Folders whose code sends messages that all games share."""
SHARED = ("", "tournaments")
"""Folders of the tables of no game."""

ELSEWHERE = {FOLDER, ROOT / "banzuke"}
"""Folders that also make messages of games, or of what ``banzuke game new`` writes."""
MAKERS = {"event": 1, "IllegalAnswer": 0, "Message": 0, "Refusal": 1}
"""The place of the kind among the arguments, by the name of what makes messages."""


class References(Visitor):
    """Collects the messages that the patterns of a table refer to."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_MessageReference(self, node: MessageReference) -> None:  # noqa: N802 - the visitor's name
        self.found.add(node.id.name)


def table(game: str, language: str) -> Path:
    """Return the path of a table; of what all games share, or tournaments say, if ``game`` is none."""
    if game in SHARED:
        return FOLDER / "words" / game / f"{language}.ftl"
    return FOLDER / game / "words" / f"{language}.ftl"


VIEWER = ROOT / "matches" / "static" / "matches" / "viewer"
SPOKEN = ("viewer-", "input-")
"""Begin the names of messages that a game's scripts in the browser use."""


@cache
def messages(game: str, language: str) -> tuple[set[str], set[str]]:
    """Return the ids of a table's messages, and those that its patterns refer to."""
    body = FluentParser().parse(table(game, language).read_text()).body
    broken = [entry.content for entry in body if isinstance(entry, Junk)]
    assert not broken, f"This is no Fluent: {broken}"
    references = References()
    for entry in body:
        references.visit(entry)
    return {entry.id.name for entry in body if isinstance(entry, Message)}, references.found


@cache
def nodes_of(folder: Path) -> list[ast.AST]:
    """Return the pieces of text in the code of a folder, and its calls."""
    nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))]
    return [node for node in nodes if isinstance(node, ast.Constant | ast.Call)]


def texts(*folders: Path) -> set[str]:
    """Return all pieces of text in the code of folders."""
    nodes = [node for folder in folders for node in nodes_of(folder)]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def kinds(*folders: Path) -> set[str]:
    """Return the kinds of messages that the code of folders makes, as far as calls name them."""
    calls = [node for folder in folders for node in nodes_of(folder) if isinstance(node, ast.Call)]
    named = [(getattr(call.func, "id", ""), call.args) for call in calls]
    places = [args[MAKERS[name]] for name, args in named if name in MAKERS and len(args) > MAKERS[name]]
    nodes = [node for place in places for node in ast.walk(place)]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def titles(game: str) -> set[str]:
    """Return the kinds of messages that are titles of a game's rulesets, and of options that may be set over them."""
    if game in SHARED:
        return set()
    rules = game_named(game)
    options = {f"option-{option.name}" for option in options_of(rules)}
    return options | {f"ruleset-{ruleset}" for ruleset in rules.rulesets}


def records(setup: Setup) -> list[JsonObject]:
    return decode(golden(setup).read_bytes())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [*SHARED, *OWN])
def test_no_message_is_missing_unused_or_broken(game: str, language: str) -> None:
    english, helpers = messages(game, "en")
    own, used = messages(game, language)
    assert english - helpers <= own <= english, "Tables of all languages have the same messages."
    folders = [ROOT / name for name in SHARED_BY] if game in SHARED else [FOLDER / game]
    shared = set().union(*(messages(each, "en")[0] for each in SHARED))
    sent = texts(*folders) | (set() if game in SHARED else shared) | {"title"} | titles(game)
    assert {name for name in own - used if not name.startswith(SPOKEN)} <= sent, "Some messages are never sent."
    assert kinds(*({*folders} - ELSEWHERE)) <= own | shared | {TEXT}, "Some messages have no sentence."
    viewer = "".join(path.read_text() for folder in (*folders, VIEWER) for path in folder.rglob("*.js"))
    assert titles(game) <= own, "Rulesets and options have titles."
    spoken = {name for name in own if name.startswith(SPOKEN)}
    assert {name for name in spoken if name.split("-", 1)[1] not in viewer} == set()


@pytest.mark.parametrize("refusal", Refusal)
def test_each_refusal_of_an_action_has_a_sentence(refusal: Refusal) -> None:
    assert refusal in messages("wondev_woman", "en")[0]


@pytest.mark.test_all
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("setup", registered(), ids=str)
def test_recorded_events_can_be_read(setup: Setup, language: str) -> None:
    """Without a value in braces, and in the reader's language wherever English has words."""
    header, *turns, _ = records(setup)
    names = [seat["name"] for seat in header["seats"]]
    own, shared = table(setup.game.name, language).read_text(), table("", language).read_text()
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource(shared))
    bundle.add_resource(FluentResource(own), allow_overrides=True)
    for event in (event for turn in turns for event in turn["events"]):
        assert bundle.has_message(event["kind"])
        sentence = words_of(setup.game.name, language).sentence(event, names)
        assert not re.search("[{}]", sentence)
        assert event["seat"] is None or names[event["seat"]] in sentence
    assert turns[-1]["events"][-1]["kind"] in ("won", "drawn")


@pytest.mark.test_all
def test_other_words_change_no_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The hash covers what happened, not how it is told."""
    setups = registered()
    told = words_of("kakomimasu", "en").sentence({"kind": "won", "seat": 0, "args": {}}, ["Ann"])
    for game in OWN:
        copy = tmp_path / game / "words" / "en.ftl"
        copy.parent.mkdir(parents=True)
        copy.write_text(re.sub(r"(?m)^(\w[\w-]*) = .*$", r"\1 = Something happened.", table(game, "en").read_text()))
    monkeypatch.setattr(words, "folder_of", lambda game: tmp_path / game if game else None)
    monkeypatch.setattr(words, "FOLDER", tmp_path)
    words_of.cache_clear()
    try:
        event = {"kind": "lead", "seat": 0, "args": {"points": 1}}
        assert words_of("kakomimasu", "en").sentence(event, ["Ann"]) == "Something happened."
        for setup in setups:
            verify(golden(setup).read_bytes())
    finally:
        words_of.cache_clear()
    assert told.startswith("Ann wins")
