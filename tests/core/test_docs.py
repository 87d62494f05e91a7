"""The examples in core.md and replays.md of docs/understand work as described, and their tables are complete."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from core import record
from games.registry import game_named
from tests.own import OWN

pytestmark = pytest.mark.usefixtures("rps")

ROOT = Path(__file__).parents[2]
TEXT = "\n".join((ROOT / "docs" / "understand" / name).read_text() for name in ("core.md", "replays.md"))


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))


def test_the_python_examples_hold() -> None:
    test = doctest.DocTestParser().get_doctest(blocks("python"), {}, "docs/understand/core.md", None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(report)


def test_the_commands_run(tmp_path: Path) -> None:
    for folder in ("banzuke", "core", "formats", "games", "rating", "sandbox"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    script = "set -eux -o pipefail\n" + re.sub(r"^\$ ", "", blocks("console"), flags=re.MULTILINE)
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "standard error" not in done.stdout  # the command shows it of a bot at fault
    assert "match.replay: in order." in done.stdout
    assert "error" not in done.stdout


@pytest.mark.parametrize(
    "kind", [record.Header, record.SeatInfo, record.TurnLine, record.RecordedAnswer, record.Footer]
)
def test_every_field_of_a_replay_is_described(kind: type[record.Line]) -> None:
    table = TEXT.split("| line | fields |")[1].split("\n\n")[0]
    assert [name for name in kind.__struct_fields__ if f"`{name}`" not in table] == []


def rows_of(heading: str) -> list[tuple[str, str]]:
    """Return name and row of each game in the table with this heading."""
    table = TEXT.split(heading)[1].split("\n\n")[0]
    games = {f"| {game_named(name).title} |": name for name in OWN}
    found = [(name, line) for line in table.splitlines() for start, name in games.items() if line.startswith(start)]
    assert found
    return found


@pytest.mark.parametrize(("name", "row"), rows_of("| game | options |"))
def test_every_option_of_a_game_is_told_with_its_words(name: str, row: str) -> None:
    hints = get_type_hints(importlib.import_module(f"games.{name}").Options)
    kinds = [kind for hint in hints.values() for kind in (hint, *get_args(hint))]
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    assert [word for word in (*hints, *words) if f"`{word}`" not in row] == []


@pytest.mark.parametrize(("name", "row"), rows_of("| game | choices |"))
def test_the_number_of_choices_of_a_game_is_described(name: str, row: str) -> None:
    game = game_named(name)
    choices = game.legal(game.reset([0], game.players[0])).shape[-1]
    assert re.search(rf"\b{choices}\b", row) or "by cell" in row  # the number depends on the size of the board
