"""Fixtures of the tests of the command ``banzuke``: a separate cache, and a function that runs the command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from banzuke.commands import main
from tests.banzuke.makers import bot

Run = Callable[..., int]
Refusal = Callable[..., str]


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Set the cache to a folder of this test session, so that each program is built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def banzuke() -> Run:
    """Return a function that runs a command and returns its exit status."""

    def run(*argv: object) -> int:
        try:
            return main([str(word) for word in argv])
        except SystemExit as error:
            return int(error.code or 0)

    return run


@pytest.fixture
def refusal(banzuke: Run, capsys: pytest.CaptureFixture[str]) -> Refusal:
    """Return a function that runs a command that must be refused, and returns what it wrote to standard error."""

    def refuse(*argv: object) -> str:
        assert banzuke(*argv) == 2
        return capsys.readouterr().err

    return refuse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three bots: one takes a cell, two do nothing."""
    bot(tmp_path / "bots", "taker", answer="PUT 0 0")
    bot(tmp_path / "bots", "idle")
    bot(tmp_path / "bots", "idler")
    return tmp_path / "bots"
