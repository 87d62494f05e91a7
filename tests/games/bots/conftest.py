"""Fixtures that run house bots as processes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from banzuke.text import UserError
from games.housebots import HouseBot
from tests.games.bots.kit import unpack

HURRY = 8
"""In tests bots search only an eighth of their nodes or, if they count none, end by the clock at once."""


@pytest.fixture(scope="module")
def commands(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The command that starts each of the module's BOTS, unpacked as on the ladder, with shorter searches."""
    return _Commands(request.module.BOTS, tmp_path_factory.mktemp("bots"))


class _Commands(dict[str, str]):
    """Commands by name of the bot; a bot is unpacked and built at the first access."""

    def __init__(self, bots: dict[str, HouseBot], folder: Path) -> None:
        super().__init__()
        self.bots, self.folder = bots, folder

    def __missing__(self, name: str) -> str:
        try:
            self[name] = unpack(_hurried(self.bots[name]), self.folder / name)
        except UserError as error:
            pytest.skip(f"needs {self.bots[name].description.language} for the house bot {name}: {error}")
        return self[name]


def _hurried(bot: HouseBot) -> HouseBot:
    nodes, seconds = rb"(?m)^NODES = .*$", rb"(?m)^SECONDS = .*$"
    if any(re.search(nodes, content) for content in bot.files.values()):
        return _extended(bot, nodes, b" // %d" % HURRY)
    return _extended(bot, seconds, b" * 0")


def _extended(bot: HouseBot, line: bytes, more: bytes) -> HouseBot:
    """Return the bot with text appended to all lines that match."""
    return replace(bot, files={name: re.sub(line, rb"\g<0>" + more, text) for name, text in bot.files.items()})
