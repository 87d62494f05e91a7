"""House bots as processes, for the tests of every game's."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bots.measure import unpack
from ladder.housebots import HouseBot

HURRY = 8
"""In tests bots think for an eighth of their time: they do the same, only less deep."""


@pytest.fixture(scope="module")
def commands(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """How each of the module's BOTS is started: unpacked as on the ladder, but in a hurry."""
    return {name: unpack(_hurried(bot), tmp_path_factory.mktemp(name)) for name, bot in request.module.BOTS.items()}


def _hurried(bot: HouseBot) -> HouseBot:
    return replace(bot, files={name: _with_less_time(content) for name, content in bot.files.items()})


def _with_less_time(source: bytes) -> bytes:
    """Divide the numbers in a module's line ``SECONDS = ..``, which holds how long it thinks."""
    return re.sub(
        rb"(?m)^.*\bSECONDS = .*$", lambda line: re.sub(rb"\d+\.\d+", rb"\g<0> / %d" % HURRY, line[0]), source
    )
