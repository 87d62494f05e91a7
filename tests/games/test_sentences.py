"""How messages become sentences: values, names of bots, languages, and what is said where a sentence is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.message import Message, bot, said
from games.registry import FOLDER, game_named
from games.words import Words, option_title, ruleset_title, tables, title_of, words_of
from tests.installing import games_installed
from tests.own import OWN

NAMES = ("Ann", "Bob")
ENGLISH = """
hit = { $bot } hits { $other } at { $place }.
none = Nobody.
count = { $number ->
    [one] One cell
   *[other] { $number } cells
}.
because = It fails: { $why }
ratio = { $share } of it.
"""
JAPANESE = "hit = { $bot }が{ $other }に当てた（{ $place }）。\n"


def told(message: Message, *languages: str, bots: tuple[str, ...] = NAMES) -> str:
    """Return the sentence of a message in the first of some languages that has it."""
    contents = {"en": ENGLISH, "ja": JAPANESE}
    return Words([(language, contents[language]) for language in languages or ("en",)]).sentence(message, bots)


def test_values_of_a_message_stand_in_its_sentence() -> None:
    assert told(Message("count", {"number": 1})) == "One cell."
    assert told(Message("count", {"number": 7})) == "7 cells."
    assert told(Message("ratio", {"share": 0.5})) == "0.5 of it."
    assert told(Message("ratio", {"share": True})) == "True of it.", "a truth value is no number"


def test_bots_are_told_by_their_names() -> None:
    event = {"kind": "hit", "seat": 0, "args": {"other": bot(1), "place": "3 4"}}
    assert Words([("en", ENGLISH)]).sentence(event, NAMES) == "Ann hits Bob at 3 4."


@pytest.mark.parametrize("bots", [(), ("Ann",)])
def test_a_bot_whose_name_is_not_known_is_told_by_its_number(bots: tuple[str, ...]) -> None:
    event = {"kind": "hit", "seat": 5, "args": {"other": bot(1), "place": "x"}}
    assert Words([("en", ENGLISH)]).sentence(event, bots) == "5 hits 1 at x."


def test_a_message_may_be_part_of_another() -> None:
    why = {"kind": "count", "args": {"number": 2}}
    assert told(Message("because", {"why": why})) == "It fails: 2 cells."
    assert told(Message("because", {"why": {"kind": "unheard", "args": {"a": 1}}})) == "It fails: unheard a=1"


def test_a_message_without_a_sentence_is_told_by_its_kind_and_values() -> None:
    assert told(Message("unheard")) == "unheard"
    assert told(Message("unheard", {"cells": 3, "why": "x y"})) == "unheard cells=3 why=x y"
    assert Words([]).sentence({"kind": "lead", "seat": 1, "args": {"points": 2}}, NAMES) == "lead points=2 bot=Bob"


def test_text_of_old_replays_is_told_as_it_is() -> None:
    assert told(said("It ended { $bot }.")) == "It ended { $bot }."
    assert Words([]).sentence({"kind": "text", "args": None}) == ""


def test_an_earlier_table_goes_before_a_later_one() -> None:
    event = {"kind": "hit", "seat": 0, "args": {"other": bot(1), "place": "1"}}
    words = Words([("ja", JAPANESE), ("en", ENGLISH)])
    assert words.sentence(event, NAMES) == "AnnがBobに当てた（1）。"
    assert told(Message("none"), "ja", "en") == "Nobody.", "what a language lacks is read in English"


def test_words_know_what_they_have() -> None:
    words = Words([("ja", JAPANESE), ("en", ENGLISH)])
    assert [words.has(kind) for kind in ("hit", "none", "unheard")] == [True, True, False]


def test_values_hold_no_marks_that_isolate_them() -> None:
    """Invisible characters would end up in logs and in texts that are compared."""
    assert told(Message("because", {"why": "שלום"})).isprintable()


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("ja", ["ja", "ja", "en", "en"]),
        ("ja-jp", ["ja", "ja", "en", "en"]),
        ("en", ["en", "en"]),
        ("tlh", ["en", "en"]),
    ],
)
def test_tables_of_a_language_come_before_english_and_a_games_own_before_shared_ones(
    language: str, names: list[str]
) -> None:
    found = tables("puyo", language)
    assert [name for name, _ in found] == names
    assert found[0][1] == (FOLDER / "puyo" / "words" / f"{names[0]}.ftl").read_text()
    assert found[1][1] == (FOLDER / "words" / f"{names[0]}.ftl").read_text()
    assert tables("chess", language) == found[1::2], "a game that is not installed has no table of its own"


def test_a_table_for_a_region_goes_before_that_of_its_language(tmp_path: Path) -> None:
    package = tmp_path / "toys"
    (package / "words").mkdir(parents=True)
    (package / "__init__.py").write_text(
        "from tests.core.toy import RockPaperScissors\n\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"
    )
    for language, title in {"pt-br": "Brinquedo", "pt": "Joguete", "en": "Toy of words"}.items():
        (package / "words" / f"{language}.ftl").write_text(f"title = {title}\n")
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        found = {language: title_of("toy", language) for language in ("pt-br", "pt", "pt-pt", "ja")}
    assert found == {"pt-br": "Brinquedo", "pt": "Joguete", "pt-pt": "Joguete", "ja": "Toy of words"}


def test_a_game_without_words_has_the_title_of_its_class(tmp_path: Path) -> None:
    (tmp_path / "toys").mkdir()
    (tmp_path / "toys" / "__init__.py").write_text(
        "from tests.core.toy import RockPaperScissors\n\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"
    )
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        assert title_of("toy", "ja") == "Rock, paper, scissors"
        assert ruleset_title("toy", "pauses", "ja") == "pauses"
    assert title_of("toy", "en") == "toy", "of a game that is gone only the key is left"


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
@pytest.mark.parametrize("game", OWN)
def test_games_rulesets_and_options_have_titles_of_their_own(game: str, language: str) -> None:
    rules = game_named(game)
    assert title_of(game, language)
    titles = [ruleset_title(game, ruleset, language) for ruleset in rules.rulesets]
    assert len(set(titles)) == len(titles)
    assert not set(titles) & set(rules.rulesets), "each is a title, not the key"


def test_what_has_no_title_is_told_by_its_key() -> None:
    assert ruleset_title("puyo", "fever", "en") == "fever"
    assert option_title("kakomimasu", "wind", "ru") == "wind"
    assert option_title("chess", "clock", "en") == "clock"
    assert option_title("kakomimasu", "turns", "en") != "turns"


def test_words_of_no_game_are_those_that_all_share() -> None:
    shared = words_of("", "en")
    assert shared.has("won")
    assert not shared.has("title")
    assert words_of("puyo", "en").has("title")
    assert words_of("chess", "en").has("won"), "replays of games that are gone are still told"
