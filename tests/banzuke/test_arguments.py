"""The game in command lines: each command takes it as the first word, and by ``--game``."""

from __future__ import annotations

import argparse
from types import ModuleType

import pytest

from banzuke.arguments import takes_game, with_game
from banzuke.commands import challenge, judge, league, new, play, spar, sprt, tournament, tries, tui, upload

GAME = "kakomimasu"


def parsed(module: ModuleType, argv: list[str]) -> dict[str, object]:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert takes_game(parser)
    return vars(parser.parse_intermixed_args(with_game(parser, argv)))


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (challenge, ["hana", "rings"]),
        (league, ["bots"]),
        (new, ["python", "mine"]),
        (play, ["mine", "house:rings", "--seed", "3"]),
        (spar, ["--against", "rings", "--", "./mybot", "--game", "x"]),
        (sprt, ["new", "old"]),
        (tournament, ["a", "b"]),
        (tries, ["mine", "--against", "rings"]),
        (tui, ["a", "b"]),
        (upload, ["mine", "--name", "Hana"]),
        (judge, []),
    ],
)
def test_a_game_is_named_in_one_way_in_all_commands(module: ModuleType, words: list[str]) -> None:
    first = parsed(module, [GAME, *words])
    assert GAME in str(first)
    assert parsed(module, ["--game", GAME, *words]) == parsed(module, [f"--game={GAME}", *words]) == first
    if "--" not in words:
        assert parsed(module, [*words, "--game", GAME]) == first


def test_a_folder_or_bot_may_have_the_name_of_a_game() -> None:
    assert str(parsed(upload, [GAME, "--game", "puyo"])["path"]) == GAME
    assert parsed(challenge, [GAME, "rings"])["name"] == GAME
