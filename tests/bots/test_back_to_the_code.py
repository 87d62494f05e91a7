"""The house bots of Back to the Code: real processes, the real referee, not one fault."""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path

import pytest

from bots.measure import meet, unpack
from ladder.housebots import FOLDER, housebots_read

GAME = "back_to_the_code"
BOTS = {bot.description.name: bot for bot in housebots_read() if bot.description.game == GAME}
STARTER = FOLDER / GAME / "starter"


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """How each bot is started, unpacked as on the ladder."""
    return {name: unpack(bot, tmp_path_factory.mktemp(name)) for name, bot in BOTS.items()}


@pytest.mark.parametrize("pair", list(permutations(sorted(BOTS), 2)), ids=" against ".join)
def test_no_fault_on_the_ladder(pair: tuple[str, str], commands: dict[str, str]) -> None:
    assert meet(GAME, [commands[name] for name in pair], seed=1).faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"random"}))
def test_every_bot_beats_random(name: str, commands: dict[str, str]) -> None:
    for seats in permutations([name, "random"]):
        outcome = meet(GAME, [commands[bot] for bot in seats], seed=4)
        assert outcome.ranks[seats.index(name)] == 1


def test_every_bundle_holds_the_starter_kit() -> None:
    kit = {path.name: path.read_bytes() for path in STARTER.glob("*.py")}
    for bot in BOTS.values():
        assert bot.files.items() >= kit.items()


def test_the_bot_in_the_starter_module_plays(tmp_path: Path) -> None:
    """The lines that its docstring shows are a whole bot."""
    starter = (STARTER / "back_to_the_code.py").read_text()
    example = starter.split("A whole bot::")[1].split("A cell is")[0]
    (tmp_path / "back_to_the_code.py").write_text(starter)
    (tmp_path / "main.py").write_text("\n".join(line.removeprefix("    ") for line in example.splitlines()))
    command = f"{sys.executable} {tmp_path / 'main.py'}"
    assert meet(GAME, [command, command], seed=1).faults == (None, None)
