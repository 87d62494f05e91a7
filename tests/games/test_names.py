"""Names of games and versions of their rules, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import registry
from games.canary import GAME, OPTIONS
from games.codingame import BOT_LIMITS
from games.registry import (
    FOLDER,
    BrokenGame,
    folder_of,
    game_missing,
    game_named,
    game_names,
    game_part,
    is_key,
    package_of,
    rules_versions,
    versions_text,
)
from tests.installing import games_installed, package_made, packages_found
from tests.own import OWN

TOY = "from tests.core.toy import RockPaperScissors\n\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"


def written(site: Path, folder: str = "toys", more: str = "") -> None:
    (site / folder).mkdir()
    (site / folder / "__init__.py").write_text(TOY + more)


@pytest.mark.parametrize("game", OWN)
def test_a_game_is_named_by_its_folder_and_its_class_by_the_same_words(game: str) -> None:
    rules = game_named(game)
    assert rules.name == game
    assert type(rules).__name__ == "".join(word.capitalize() for word in game.split("_"))
    assert game_named(game, rules.rules_version) is rules
    assert folder_of(game) == FOLDER / game
    assert package_of(game) == "banzuke"
    assert rules_versions(game) == (rules.rules_version,)
    assert versions_text(game) == f"version {rules.rules_version}"
    assert game_part(game, "judge").__name__ == f"games.{game}.judge"


@pytest.mark.parametrize("name", ["chess", "puyo.plain", ""])
def test_what_is_unknown_has_neither_rules_nor_folder(name: str) -> None:
    assert folder_of(name) is None
    for asked in (game_named, rules_versions, versions_text, package_of):
        with pytest.raises(KeyError):
            asked(name)
    with pytest.raises(KeyError):
        game_part(name, "judge")
    assert game_missing(name) == f"There is no game {name!r}; choose one of: {', '.join(OWN)}."


def test_a_game_has_only_the_versions_and_parts_that_are_here() -> None:
    with pytest.raises(KeyError):
        game_named("puyo", "0")
    with pytest.raises(ModuleNotFoundError):
        game_part("puyo", "oracle")


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *[(game, True) for game in OWN],
        ("a", True),
        ("a" * 30, True),
        ("a" * 31, False),
        ("go9x9", True),
        ("9x9", False),
        ("Go", False),
        ("tron.1", False),
        ("two words", False),
        ("", False),
        ("x\n", False),
    ],
)
def test_which_texts_can_be_names_of_games(name: str, is_one: bool) -> None:
    assert is_key(name) == is_one


def test_versions_are_told_in_words_the_newest_first(tmp_path: Path) -> None:
    written(tmp_path, "new", "    rules_version = '3'\n")
    for version in ("1", "2"):
        written(tmp_path, f"v{version}", f"    rules_version = {version!r}\n")
    with games_installed(tmp_path, {"toy": "new:Toy", "toy.1": "v1:Toy", "toy.2": "v2:Toy"}, "toy-package"):
        assert rules_versions("toy") == ("3", "1", "2")
        assert versions_text("toy") == "versions 3, 1, 2"
        assert game_names()[-1] == "toy", "a version is no game of its own"
        assert package_of("toy") == "toy-package"
        assert folder_of("toy.2") == tmp_path / "v2"
        assert game_named("toy", "2").rules_version == "2"


def test_a_broken_game_is_missing_with_its_reason(tmp_path: Path) -> None:
    written(tmp_path, more="    players = ()\n")
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        sentence = "The game toy of the package toys cannot be used. Its class has no players, or a wrong one."
        assert game_missing("toy") == sentence
        assert folder_of("toy") is None
        with pytest.raises(BrokenGame, match="no players"):
            rules_versions("toy")


def test_a_game_in_a_single_module_is_refused(tmp_path: Path) -> None:
    (tmp_path / "alone.py").write_text(TOY)
    with games_installed(tmp_path, {"toy": "alone:Toy"}):
        assert "It is a single module: make it a package" in game_missing("toy")


def test_a_package_that_comes_later_is_found_once_the_old_finding_is_forgotten(tmp_path: Path) -> None:
    with packages_found(tmp_path):
        assert "toy" not in game_names()
        written(tmp_path)
        package_made(tmp_path, {"toy": "toys:Toy"})
        assert "toy" not in game_names()
        registry.forget()
        assert "toy" in game_names()
    assert game_names() == OWN


def test_the_canary_is_a_match_that_every_host_can_play_the_same_way() -> None:
    """Its options fix the board and its length, so that its CPU time depends on nothing but the host."""
    game = game_named(GAME)
    state = game.reset([1], game.players[0], OPTIONS)
    assert game.setting(state, 0) == game.setting(game.reset([2], game.players[0], OPTIONS), 0)
    assert game.setting(state, 0)["turns"] == 20


def test_games_of_codingame_give_bots_as_much_memory_as_it_does() -> None:
    assert BOT_LIMITS == {"memory_mib": 768}
    limits = {game: game_named(game).bot_limits for game in OWN}
    assert [game for game, own in limits.items() if own == BOT_LIMITS] == ["back_to_the_code", "puyo", "wondev_woman"]
    assert all(own in ({}, BOT_LIMITS) for own in limits.values())
