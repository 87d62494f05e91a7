"""Variants: rulesets, options over them and table sizes are described, checked, and refused in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from core.game import BadOptions, Game
from core.simple_adapter import as_game
from core.variants import Option, fixed_options, options_check, options_of, ruleset_of, table_sizes
from games.registry import game_named
from games.words import option_title, ruleset_title
from tests.core.simple_toy import Nim


class Small(Nim):
    """Nim whose second ruleset is for two, and which fails where its options are strange."""

    ruleset_players = {"many": (2,)}
    options = {"stones": 9, "open": True, "name": "Nim", "weights": [1]}
    rulesets = {"standard": {}, "many": {"open": False}}

    def start(self, seed: int, players: int, options: Any) -> Any:
        return super().start(seed, players, options | {"stones": options["stones"] // len(options["weights"])})


NIM: Game[Any] = as_game(Small)


def test_a_ruleset_may_be_for_fewer_players() -> None:
    assert table_sizes(NIM, "standard") == (2, 3)
    assert table_sizes(NIM, "many") == (2,)
    with pytest.raises(BadOptions, match=r"^Nim with the ruleset many is played by 2 players, not by 3\.$"):
        options_check(NIM, "many", {}, 3)


def test_a_form_can_list_the_options_of_any_game() -> None:
    assert options_of(NIM) == (
        Option("stones", "whole", 9),
        Option("name", "text", "Nim"),
        Option("weights", "data", [1]),
    )
    assert fixed_options(NIM) == {"open"}
    found = {option.name: option for option in options_of(game_named("kakomimasu"))}
    assert found["board"].kind == "text"
    assert "A-1" in found["board"].choices
    assert found["turns"] == Option("turns", "whole", None, (), 1, 1_000)
    wondev = {option.name: option for option in options_of(game_named("wondev_woman"))}
    assert wondev["map"].choices == ("diamond", "random", "square")
    assert wondev["symmetric"].kind == "switch"
    assert "league" not in wondev


def test_options_become_values_and_defaults_are_left_out() -> None:
    wondev = game_named("wondev_woman")
    assert options_check(wondev, "league0", {"symmetric": "true", "map": "square"}, 2) == {
        "league": 0,
        "symmetric": True,
        "map": "square",
    }
    assert options_check(wondev, "league3", {"symmetric": "false"}, 2) == {}
    board = {"width": 1, "height": 2, "points": [1, 2], "nAgent": 1, "more": 0}
    checked = options_check(game_named("kakomimasu"), "2020", {"board": board, "turns": "40"}, 2)
    assert checked["turns"] == 40
    assert checked["board"] == {"width": 1, "height": 2, "points": [1, 2], "nAgent": 1, "totalTurn": 30}


@pytest.mark.parametrize(
    ("game", "ruleset", "options", "players", "sentence"),
    [
        ("puyo", "fever", {}, 2, "Puyo Puyo has no ruleset 'fever'; choose one of: tsu, "),
        ("puyo", "tsu", {"ruleset": "smash_the_code"}, 2, "The option ruleset is part of the rulesets: choose a "),
        ("wondev_woman", "league1", {}, 3, "Wondev Woman with the ruleset league1 is played by 2 players, not by 3."),
        ("back_to_the_code", "contest", {"width": 99}, 4, "These options do not fit: Expected `int` <= 40 "),
        ("back_to_the_code", "contest", {"widht": 9}, 4, "These options do not fit: Object contains unknown field "),
        ("kakomimasu", "2020", {"board": "Z-9"}, 2, "There is no board 'Z-9'. Known are "),
        ("kakomimasu", "present", {"turns": 0}, 2, "The number of turns must lie between 1 and 1000."),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    game: str, ruleset: str, options: dict[str, Any], players: int, sentence: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        options_check(game_named(game), ruleset, options, players)
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).endswith(".")


def test_a_game_that_fails_on_options_refuses_them() -> None:
    with pytest.raises(BadOptions, match="No match can begin with these options: ZeroDivisionError: "):
        options_check(NIM, "standard", {"weights": []}, 2)
    with pytest.raises(BadOptions, match="There is at least 1 stone"):
        options_check(NIM, "standard", {"stones": 0}, 2)


def test_the_ruleset_of_a_match_is_known_by_its_options() -> None:
    wondev = game_named("wondev_woman")
    for ruleset in wondev.rulesets:
        assert ruleset_of(wondev, options_check(wondev, ruleset, {"map": "square"}, 2)) == ruleset


def test_rulesets_and_options_have_titles_or_show_their_names() -> None:
    assert ruleset_title("attack25", "order", "en") == "In turn: the order is drawn by lot"
    assert ruleset_title("attack25", "order", "ja") == "順番制:順番は抽選で決まる"
    assert ruleset_title("attack25", "strange.name", "en") == "strange.name"
    assert option_title("back_to_the_code", "rounds", "ru") == "Раунды"
    assert option_title("not_installed", "rounds", "ru") == "rounds"
