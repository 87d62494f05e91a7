"""What holds for the house bots and the starter kits of every game."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from games.housebots import HouseBot, housebots_of
from games.registry import FOLDER, game_named
from sandbox.languages.python import INTERPRETER
from tests.games.bots.kit import in_python, recorded
from tests.own import OWN

pytestmark = pytest.mark.test_all


def _timeless(bot: HouseBot) -> HouseBot:
    """Stop the clock of a bot, which on a slow or busy machine would end a search before its count."""
    files = {name: re.sub(rb"(time\.)?process_time\(\)", b"0.0", text) for name, text in bot.files.items()}
    return replace(bot, files=files)


SHIPPED = {f"{game}/{bot.description.name}": bot for game in OWN for bot in housebots_of(game)}
BOTS = {name: _timeless(bot) for name, bot in SHIPPED.items()}
SHORT = {"back_to_the_code": {"rounds": 12}}
"""Options that make a match short enough for a test."""


OPEN = {name: bot for name, bot in BOTS.items() if bot.description.plays_openly}


@pytest.mark.parametrize("name", sorted(OPEN))
def test_a_match_can_be_played_again(name: str, commands: dict[str, str]) -> None:
    """Random numbers of house bots are seeded, and searches end by count."""
    game = BOTS[name].description.game
    seats = [commands[name], *[commands[f"{game}/random"]] * (game_named(game).players[0] - 1)]
    first, second = (recorded(game, seats, 6, SHORT.get(game))[1][-1]["hash"] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", in_python(BOTS))
def test_a_bot_needs_no_more_than_its_kit_and_the_sandbox(name: str, commands: dict[str, str]) -> None:
    """Its bundle holds the kit; the interpreter of sandboxes starts it, and it ends at the end of its input."""
    kit = FOLDER / BOTS[name].description.game / "bots" / "starter"
    assert SHIPPED[name].files.items() >= {path.name: path.read_bytes() for path in kit.glob("*.py")}.items()
    main = Path(shlex.split(commands[name])[1])
    code = f"import runpy, sys; sys.path.insert(0, {str(main.parent)!r}); runpy.run_path({str(main)!r})"
    run = subprocess.run([INTERPRETER, "-I", "-c", code], input="", capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1].startswith("EOFError")


@pytest.mark.parametrize("game", OWN)
def test_the_bot_that_a_starter_module_shows_plays(game: str, tmp_path: Path) -> None:
    """The lines of the module's docstring are a whole bot."""
    source = (FOLDER / game / "bots" / "starter" / f"{game}.py").read_text()
    example = re.search(r"A whole bot::\n((?:\n|    .*\n)+)", source)
    assert example
    (tmp_path / f"{game}.py").write_text(source)
    (tmp_path / "main.py").write_text("\n".join(line.removeprefix("    ") for line in example[1].splitlines()))
    players = game_named(game).players[0]
    outcome, _ = recorded(game, [f"{sys.executable} {tmp_path / 'main.py'}"] * players, seed=1)
    assert outcome.faults == (None,) * players
