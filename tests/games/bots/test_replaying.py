"""Repeated matches between house bots are equal: their random numbers are seeded, and searches end by count."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.housebots import HouseBot, housebots_read
from games.registry import game_named
from tests.games.bots.kit import recorded


def _timeless(bot: HouseBot) -> HouseBot:
    """Stop the clock of a bot, which on a slow or busy machine would end a search before its count."""
    files = {name: re.sub(rb"(time\.)?process_time\(\)", b"0.0", text) for name, text in bot.files.items()}
    return replace(bot, files=files)


BOTS = {f"{bot.description.game}/{bot.description.name}": _timeless(bot) for bot in housebots_read()}
SHORT = {"back_to_the_code": {"rounds": 12}}
"""Options that make a match short enough for a test."""


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_match_can_be_played_again(name: str, commands: dict[str, str]) -> None:
    game = BOTS[name].description.game
    seats = [commands[name], *[commands[f"{game}/random"]] * (game_named(game).players[0] - 1)]
    first, second = (recorded(game, seats, 6, SHORT.get(game))[1][-1]["hash"] for _ in range(2))
    assert first == second
