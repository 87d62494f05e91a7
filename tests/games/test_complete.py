"""Every game of the source tree has all of its parts; for a new one, the failure lists all that is still missing."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.guides import LANGUAGES
from tests.own import OWN

ROOT = Path(__file__).parents[2]
EXPLAINED = "docs/contributors/changes.md and docs/understand/core.md (A new game) tell what each of them is."


def files_of(game: str) -> Iterator[str]:
    """Yield the paths of the files that a game must have; with a *, at least one file must match."""
    modules = ("protocol", "frames", "judge", "guide/__init__")
    yield from (f"games/{game}/{module}.py" for module in modules)
    yield from (f"games/{game}/words/{language}.ftl" for language in LANGUAGES)
    yield f"tests/games/{game}/plain.py"
    yield f"tests/games/{game}/test_*.py"
    yield f"tests/games/golden/{game}-*.replay"
    yield f"tests/bench/rules/{game}.py"
    yield f"games/{game}/guide/bot.txt"
    yield from (f"games/{game}/guide/{language}.html" for language in LANGUAGES)
    yield f"games/{game}/viewer/viewer.js"
    yield f"tests/matches/test_viewer_{game}.py"
    yield f"games/{game}/bots/random/main.py"
    yield f"games/{game}/bots/README.md"
    yield f"games/{game}/bots/starter/*.py"
    yield f"games/{game}/stub.txt"
    yield f"tests/games/bots/test_{game}.py"
    yield f"docs/play/first_bots/{game}.md"


def lacks(game: str) -> list[str]:
    """Return the files that a game lacks."""
    return [path for path in files_of(game) if not any(ROOT.glob(path))]


@pytest.mark.parametrize("game", OWN)
def test_a_game_lacks_nothing(game: str) -> None:
    missing = lacks(game)
    assert not missing, "\n- ".join([f"{game} lacks:", *missing]) + f"\n{EXPLAINED}"


def test_missing_parts_are_listed() -> None:
    missing = lacks("rps")
    assert {"games/rps/judge.py", "tests/games/golden/rps-*.replay", "games/rps/guide/ja.html"} <= set(missing)


def test_no_file_outside_of_their_folders_lists_games() -> None:
    """A new game would be missing from such a list. One game alone may be named, as an example or for a reason."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    free = (*(f"games/{game}/" for game in OWN), "tests/", "docs/", "locale/", "examples/")
    names = re.compile(rf"\b(?:{'|'.join(OWN)})\b")
    lists = []
    for path in tracked:
        file = ROOT / path
        if not path.startswith(free) and file.suffix not in (".md", ".png", ".woff2") and file.is_file():
            found = set(names.findall(file.read_text(encoding="utf-8", errors="replace")))
            lists += [f"{path}: {', '.join(sorted(found))}"] if len(found) > 1 else []
    assert not lists
