"""Every message that a layer sends has a sentence in every language; stored messages are shown in the reader's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation import override
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

from common.words.messages import game_title, sentence_of
from core.message import Message, said, stored
from games.words import FOLDER, TOURNAMENTS
from tests.own import OWN

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "ja", "ru")
LAYERS = (
    "core",
    "sandbox",
    "formats",
    "banzuke",
    "wire",
    "workers",
    "jobs",
    "ladder",
    "matches",
    "tournaments",
    "exhibitions",
    "fleet",
)
MAKERS = {"Message": 0, "IllegalAnswer": 0, "event": 1}
"""The calls that make messages, each with the index of the kind among its arguments."""
GIVEN_LATER = {"bot"}
"""Values that the reader's side adds."""
NUMBERS = (0, 1, 2, 5, 1_234)
SHARED = {language: FOLDER / f"{language}.ftl" for language in LANGUAGES}
OF_TOURNAMENTS = {language: TOURNAMENTS / f"{language}.ftl" for language in LANGUAGES}
TABLES = [
    SHARED,
    OF_TOURNAMENTS,
    *({language: ROOT / "games" / game / "words" / f"{language}.ftl" for language in LANGUAGES} for game in OWN),
]

every_table = pytest.mark.parametrize("table", TABLES, ids=["shared", "tournaments", *OWN])


class _Variables(Visitor):
    """Collects the names of the values that a sentence needs, and of the sentences that it contains."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.within: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802 - the library's name
        self.found.add(node.id.name)

    def visit_MessageReference(self, node: fluent.MessageReference) -> None:  # noqa: N802
        self.within.add(node.id.name)


@cache
def kinds_of(path: Path) -> dict[str, set[str]]:
    """Return the values that the sentence of each kind needs, by kind, without mere parts of sentences.

    A damaged table fails.
    """
    resource = FluentParser().parse(path.read_text(encoding="utf-8"))
    damaged = [entry.content for entry in resource.body if isinstance(entry, fluent.Junk)]
    assert not damaged, f"{path} has a damaged entry: {damaged[0]}"
    seen = {}
    for entry in resource.body:
        if isinstance(entry, fluent.Message):
            seen[entry.id.name] = _Variables()
            seen[entry.id.name].visit(entry)
    parts = {name for needs in seen.values() for name in needs.within}
    needed = {kind: needs.found.union(*(seen[name].found for name in needs.within)) for kind, needs in seen.items()}
    return {kind: values for kind, values in needed.items() if kind not in parts}


def sent(folder: str) -> Iterator[tuple[str, str, set[str] | None]]:
    """Yield the place, kind and names of values of the messages that the sources in a folder make.

    The names are None where only a run of the program can tell them.
    """
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                kind, *rest = node.args[MAKERS[node.func.id] :] or [None]
                if isinstance(kind, ast.Constant) and "template" not in path.parts:
                    named = {str(keyword.arg) for keyword in node.keywords}
                    values = _keys(rest) if node.func.id == "Message" else named
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", str(kind.value), values


def _keys(rest: list[ast.expr]) -> set[str] | None:
    if not rest:
        return set()
    if not isinstance(rest[0], ast.Dict) or None in rest[0].keys:
        return None
    return {str(key.value) for key in rest[0].keys if isinstance(key, ast.Constant)}


@pytest.mark.parametrize("folder", [*LAYERS, *(f"games/{game}" for game in OWN)])
def test_every_message_has_a_sentence_that_its_values_fill(folder: str) -> None:
    known = kinds_of(SHARED["en"]) | kinds_of(OF_TOURNAMENTS["en"])
    if (table := ROOT / folder / "words" / "en.ftl").exists():
        known |= kinds_of(table)
    for place, kind, values in sent(folder):
        assert kind in known, f"{place} sends {kind}, for which no table has a sentence."
        missing = known[kind] - (known[kind] if values is None else values) - GIVEN_LATER
        assert not missing, f"The sentence of {kind} needs {', '.join(missing)}, which {place} does not send."


def test_messages_are_found_in_the_sources() -> None:
    assert all(any(sent(folder)) for folder in ("core", "sandbox", "workers", "ladder", "matches", "games/puyo"))


def test_no_sentence_is_left_that_nobody_sends() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8") for layer in (*LAYERS, "games") for path in (ROOT / layer).rglob("*.py")
    )
    known = [*kinds_of(SHARED["en"]), *kinds_of(OF_TOURNAMENTS["en"])]
    unused = [kind for kind in known if f'"{kind}"' not in sources]
    assert not unused, f"games/words/*.ftl have sentences that no source sends: {', '.join(unused)}."


@every_table
def test_every_language_has_the_same_kinds_with_the_same_values(table: dict[str, Path]) -> None:
    english = kinds_of(table["en"])
    for language in LANGUAGES[1:]:
        other = kinds_of(table[language])
        assert other.keys() == english.keys(), table[language]
        for kind, values in other.items():
            assert values <= english[kind], f"{table[language]}: {kind} has values that English lacks."


@every_table
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_said(table: dict[str, Path], language: str) -> None:
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource(table[language].read_text(encoding="utf-8")))
    for kind, values in kinds_of(table[language]).items():
        pattern = bundle.get_message(kind).value
        assert pattern is not None
        for number in NUMBERS:
            sentence, errors = bundle.format_pattern(pattern, dict.fromkeys(values, number))
            assert not errors, f"{table[language]}: {kind}: {errors}"
            assert "{" not in sentence


BUILT = Message("build-fault", {"why": stored(Message("bot-memory", {"limit": 1_024}))})
"""A message within another."""


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The build: It was killed at its memory limit of 1,024 MiB."),
        ("ja", "ビルド: メモリの上限 1,024 MiB に達したため、強制終了されました。"),
        ("ru", "Сборка. Программа остановлена: она дошла до предела памяти, 1\xa0024 МиБ."),
        ("pt-br", "The build: It was killed at its memory limit of 1,024 MiB."),
    ],
)
def test_a_message_is_said_in_the_language_of_the_reader(language: str, sentence: str) -> None:
    with override(language):
        assert sentence_of(BUILT) == sentence_of(stored(BUILT)) == sentence


def test_a_refusal_is_said_by_the_words_of_its_game() -> None:
    why = Message("build-check-fault", {"turn": 1, "why": {"kind": "answer-too-long", "args": {"most": 2_000}}})
    with override("ru"):
        assert sentence_of(why, "kakomimasu") == "Ход 1 проверочного матча. Ответ длиннее 2\xa0000 символов."


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_somebody_typed_is_shown_as_it_is(language: str) -> None:
    """So are the English sentences that older releases have stored."""
    with override(language):
        for text in ("It lies.", "{ $bot } and {sentence}", "a\nb"):
            assert sentence_of(stored(said(text))) == text
        assert sentence_of({}) == sentence_of(None) == ""


def test_a_kind_that_is_unknown_here_is_shown_with_its_values() -> None:
    assert sentence_of({"kind": "of-a-newer-worker", "args": {"limit": 3}}) == "of-a-newer-worker limit=3"


@pytest.mark.parametrize(("language", "title"), [("en", "Kakomimasu"), ("ja", "囲みマス"), ("ru", "Какомимасу")])
def test_titles_of_games_are_in_the_language_of_the_reader(language: str, title: str) -> None:
    with override(language):
        assert game_title("kakomimasu") == title
        assert game_title("chess") == "chess", "it is not installed here"
