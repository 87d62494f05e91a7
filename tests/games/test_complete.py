"""Every game has all of its parts; for a new game, the failure lists in words all that is still missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from common.words.sentences import ANSWERS, COMMENTARY, TITLES
from games.registry import game_named, game_names
from ladder.guides import LANGUAGES
from tests.banzuke.test_kits import LANGUAGES as KITS
from tests.core.toy import RockPaperScissors
from tests.games.test_judges import REQUESTS

ROOT = Path(__file__).parents[2]
EXPLAINED = "CONTRIBUTING.md (A new game) and docs/core.md (A new game) tell what each of them is."

SENTENCES = "common/words/sentences.py"
GAMES: dict[str, Collection[str]] = {
    f"COMMENTARY of {SENTENCES}": COMMENTARY,
    f"ANSWERS of {SENTENCES}": ANSWERS,
    "GAMES of arena/settings/base.py": settings.GAMES,
    "REQUESTS of tests/games/test_judges.py": REQUESTS,
}
"""The places in which games are listed by name."""


def files_of(game: str) -> Iterator[str]:
    """Yield the paths of the files that a game must have; with a *, at least one file must match."""
    modules = ("protocol", "frames", "judge", "bench", "plain", "guide/__init__")
    yield from (f"games/{game}/{module}.py" for module in modules)
    yield f"tests/games/{game}/test_*.py"
    yield f"tests/games/golden/{game}-*.replay"
    yield f"games/{game}/guide/bot.txt"
    yield from (f"games/{game}/guide/{language}.html" for language in LANGUAGES)
    yield f"games/{game}/viewer/viewer.js"
    yield f"tests/matches/test_viewer_{game}.py"
    yield f"games/{game}/bots/random/main.py"
    yield from (f"games/{game}/bots/starter/{'' if kit == 'python' else f'{kit}/'}*.*" for kit in KITS)
    yield f"tests/games/bots/test_{game}.py"
    yield f"docs/authors/{game}.md"


def mentions_of(game: str) -> Iterator[tuple[str, str]]:
    """Yield pages, and the text on the game that each of them must have."""
    title = game_named(game).title
    yield "pyproject.toml", f'"games.{game}"'
    yield "README.md", f"**{title}**"
    yield "games/README.md", f"| {title} | what it does |"
    yield "docs/authors/README.md", f"[{title}]({game}.md)"


def lacks(game: str) -> Iterator[str]:
    """Yield in words what a game lacks."""
    yield from (f"a file {path}" for path in files_of(game) if not any(ROOT.glob(path)))
    for page, text in mentions_of(game):
        if text not in (ROOT / page).read_text(encoding="utf-8"):
            yield f"the text {text!r} in {page}"
    if game_named(game).title not in TITLES:
        yield f"its title in TITLES of {SENTENCES}"
    yield from (f"an entry in {place}" for place, games in GAMES.items() if game not in games)


@pytest.mark.parametrize("game", game_names())
def test_a_game_lacks_nothing(game: str) -> None:
    missing = list(lacks(game))
    assert not missing, "\n- ".join([f"{game} lacks:", *missing]) + f"\n{EXPLAINED}"


def test_missing_parts_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.games.test_complete.game_named", lambda name: RockPaperScissors())
    missing = list(lacks("rps"))
    for part in (
        "games/rps/judge.py",
        "tests/games/golden/rps-*.replay",
        "games/rps/viewer/viewer.js",
        "guide/ja.html",
        "rust/*.*",
    ):
        assert [line for line in missing if line.startswith("a file ") and line.endswith(part)], part
    assert "the text '[Rock, paper, scissors](rps.md)' in docs/authors/README.md" in missing
    assert "its title in TITLES of common/words/sentences.py" in missing
    assert "an entry in GAMES of arena/settings/base.py" in missing
