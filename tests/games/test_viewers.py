"""What viewers need of a game: which files show it, by which rules, and which words they get."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.registry import FOLDER, game_keys
from games.viewers import TEXT_BOARD, input_module, viewer_folders, viewer_module, viewer_style, viewer_tables
from tests.installing import games_installed
from tests.own import OWN

WORDS = """title = Toy
viewer-walls = Walls
input-choose = Choose
    { $cell } or
    none
input-turns = { $count ->
    [one] a turn
   *[other] turns
}
lead = { $bot } leads.
"""


@pytest.fixture
def toys(tmp_path: Path) -> Iterator[Path]:
    """A package with a game in two versions of its rules, and another one without a viewer."""
    text = "from tests.core.toy import RockPaperScissors\n\nclass {name}(RockPaperScissors):\n"
    for folder, name, key, version in (
        ("new", "Toy", "toy", "2"),
        ("old", "Toy", "toy", "1"),
        ("bare", "Bare", "bare", "1"),
    ):
        package = tmp_path / folder
        package.mkdir()
        lines = f"    name = {key!r}\n    rules_version = {version!r}\n"
        (package / "__init__.py").write_text(text.format(name=name) + lines)
    for name in ("viewer.js", "viewer.css", "input.js"):
        (tmp_path / "new" / "viewer").mkdir(exist_ok=True)
        (tmp_path / "new" / "viewer" / name).write_text("")
    (tmp_path / "new" / "words").mkdir()
    (tmp_path / "new" / "words" / "en.ftl").write_text(WORDS)
    with games_installed(tmp_path, {"toy": "new:Toy", "toy.1": "old:Toy", "bare": "bare:Bare"}):
        yield tmp_path


@pytest.mark.parametrize("game", OWN)
def test_each_game_of_the_source_tree_is_drawn_and_played_by_its_own_modules(game: str) -> None:
    assert viewer_folders()[game] == FOLDER / game / "viewer"
    assert viewer_module(game) == f"games/{game}/viewer.js"
    assert input_module(game) == f"games/{game}/input.js"
    styled = (FOLDER / game / "viewer" / "viewer.css").is_file()
    assert viewer_style(game) == (f"games/{game}/viewer.css" if styled else "")


def test_a_game_without_a_viewer_is_a_text_board_that_nobody_plays_by_hand(toys: Path) -> None:
    assert viewer_module("bare") == viewer_module("chess") == TEXT_BOARD
    assert input_module("bare") == viewer_style("bare") == ""
    assert "bare" not in viewer_folders()
    assert {"bare", "toy", "toy.1"} <= set(game_keys())


def test_earlier_rules_are_shown_by_their_own_viewer_if_they_have_one(toys: Path) -> None:
    assert viewer_module("toy", "1") == "games/toy/viewer.js", "the newest, as long as the old ones have none"
    (toys / "old" / "viewer").mkdir()
    (toys / "old" / "viewer" / "viewer.js").write_text("")
    assert viewer_folders()["toy.1"] == toys / "old" / "viewer"
    assert viewer_module("toy", "1") == "games/toy.1/viewer.js"
    assert viewer_module("toy", "2") == viewer_module("toy", "7") == viewer_module("toy") == "games/toy/viewer.js"
    assert input_module("toy", "1") == "games/toy/input.js", "what the old viewer lacks is the newest's"
    assert viewer_style("toy", "1") == "games/toy/viewer.css"


def test_only_players_get_the_words_of_the_input_module(toys: Path) -> None:
    ((language, watched), *_), ((_, played), *_) = (
        viewer_tables("toy", "2", "en", plays=plays) for plays in (False, True)
    )
    assert language == "en"
    assert played == WORDS
    assert watched == "title = Toy\nviewer-walls = Walls\nlead = { $bot } leads.\n"


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
@pytest.mark.parametrize("game", OWN)
def test_no_game_sends_words_of_its_input_to_those_who_only_watch(game: str, language: str) -> None:
    watched, played = (viewer_tables(game, "", language, plays=plays) for plays in (False, True))
    assert [name for name, _ in watched] == [name for name, _ in played]
    assert not any(line.startswith("input-") for _, content in watched for line in content.splitlines())
    assert any(line.startswith("input-") for _, content in played for line in content.splitlines())
    for (_, short), (_, whole) in zip(watched, played, strict=True):
        kept = set(short.splitlines())
        assert kept <= set(whole.splitlines())
        assert [line for line in whole.splitlines() if line.startswith("viewer-")] == [
            line for line in short.splitlines() if line.startswith("viewer-")
        ]


def test_words_of_earlier_rules_go_before_the_newest_ones(toys: Path) -> None:
    (toys / "old" / "words").mkdir()
    (toys / "old" / "words" / "en.ftl").write_text("title = Old toy\n")
    found = viewer_tables("toy", "1", "en")
    assert [content.splitlines()[0] for _, content in found[:1]] == ["title = Old toy"]
    newest = viewer_tables("toy", "2", "en")
    assert sorted(found[1:]) == sorted(newest), "no table is sent twice"


def test_a_match_of_a_game_that_is_gone_has_the_words_that_all_games_share() -> None:
    shared = viewer_tables("chess", "1", "ja")
    assert [name for name, _ in shared] == ["ja", "en"]
    assert all("won = " in content for _, content in shared)
