"""Helpers for the tests of house bots."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import combinations
from pathlib import Path
from types import ModuleType

from banzuke.bots import bot_ready
from banzuke.local import ProcessBot, local_process
from core.game import JsonObject
from core.referee import Outcome, SeatInfo, drive, play
from games.housebots import HouseBot
from games.registry import FOLDER, game_named


def starter(game: str) -> ModuleType:
    """Return the module of a game's starter kit, without leaving it in ``sys.modules``."""
    path = FOLDER / game / "bots" / "starter" / f"{game}.py"
    loader = SourceFileLoader(f"starter_{game}", str(path))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    sys.modules[loader.name] = module  # a dataclass looks its module up
    try:
        loader.exec_module(module)
    finally:
        del sys.modules[loader.name]
    return module


def in_python(bots: dict[str, HouseBot]) -> list[str]:
    """Return the sorted names of the house bots in Python."""
    return sorted(name for name, bot in bots.items() if bot.description.language == "python")


def said(command: str, lines: list[str]) -> list[str]:
    """Return the lines that a bot answers to these lines and the end of its input."""
    text = "\n".join([*lines, ""])
    run = subprocess.run(shlex.split(command), input=text, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


@contextmanager
def starter_importable(folder: Path) -> Iterator[None]:
    """Make the modules of a kit importable, and remove them from ``sys.modules`` afterwards."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for module in folder.glob("*.py"):
            sys.modules.pop(module.stem, None)


def unpack(housebot: HouseBot, folder: Path) -> str:
    """Write a bot's files to a folder, and build it if it must be built; return the command that starts it.

    Raises:
        UserError: its language is not installed.
    """
    for name, content in housebot.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if housebot.description.language == "python":
        return shlex.join([sys.executable, str(folder / "main.py")])
    bot = bot_ready(str(folder), game=housebot.description.game)
    return shlex.join(["env", "-C", str(bot.root), *shlex.split(bot.command)])


def each_pair(bots: Iterable[str]) -> list[tuple[str, str]]:
    """Return every two bots once; each bot sits first in about half of its pairs."""
    pairs = combinations(sorted(bots), 2)
    return [(one, other) if number % 2 else (other, one) for number, (one, other) in enumerate(pairs)]


def meet(game: str, commands: list[str], seed: int, options: dict[str, object] | None = None) -> Outcome:
    """Play one match between programs in seat order."""
    return recorded(game, commands, seed, options)[0]


def recorded(
    game: str, commands: list[str], seed: int, options: dict[str, object] | None = None
) -> tuple[Outcome, list[JsonObject]]:
    """Play one match between programs in seat order; return its replay's records, too."""
    with ExitStack() as stack:
        bots = [ProcessBot(stack.enter_context(local_process(command))) for command in commands]
        seats = [SeatInfo(command, "1", "0" * 64) for command in commands]
        match = play(game_named(game), seed=seed, seats=seats, options=options)
        return drive(match, lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks})
