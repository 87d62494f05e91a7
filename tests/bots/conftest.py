"""House bots as processes, for the tests of every game's."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.text import UserError
from ladder.housebots import HouseBot
from tests.bots.kit import unpack

HURRY = 8
"""In tests bots look at an eighth of their nodes: they do the same, only less deep."""


@pytest.fixture(scope="module")
def commands(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """How each of the module's BOTS is started: unpacked as on the ladder, but in a hurry."""
    return _Commands(request.module.BOTS, tmp_path_factory.mktemp("bots"))


class _Commands(dict[str, str]):
    """Commands by name; a bot is unpacked and built when it is first asked for."""

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
    return replace(bot, files={name: _with_less_nodes(content) for name, content in bot.files.items()})


def _with_less_nodes(source: bytes) -> bytes:
    """Divide the number in a module's line ``NODES = ..``."""
    return re.sub(rb"(?m)^(NODES = )([0-9_]+)$", lambda line: b"%s%d" % (line[1], int(line[2]) // HURRY), source)
