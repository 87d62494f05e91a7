"""Every game has all of its parts: whoever adds one is told here, at once and in words, what it still lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from django.conf import settings

import core
from ladder.guides import LANGUAGES, MATERIALS
from ladder.words.sentences import ANSWERS, COMMENTARY, TITLES
from tests.banzuke.test_kits import LANGUAGES as KITS
from tests.core.toy import RockPaperScissors

ROOT = Path(__file__).parent.parent
TOLD = "CONTRIBUTING.md (A new game) and docs/core.md (A new game) tell what each of them is."

SENTENCES = "ladder/words/sentences.py"
GAMES: dict[str, Collection[str]] = {
    f"COMMENTARY of {SENTENCES}": COMMENTARY,
    f"ANSWERS of {SENTENCES}": ANSWERS,
    "MATERIALS of ladder/guides/__init__.py": MATERIALS,
    "GAMES of ladder/settings/base.py": settings.GAMES,
}
"""Where games are listed by name."""


def files_of(game: str) -> Iterator[str]:
    """The files that a game has at least; with a *: any of them."""
    yield from (f"core/{game}/{module}.py" for module in ("protocol", "frames", "judge", "bench", "plain"))
    yield f"tests/core/{game}/test_*.py"
    yield f"tests/core/golden/{game}-*.replay"
    yield f"ladder/guides/{game}.py"
    yield f"ladder/templates/ladder/guides/{game}_bot.txt"
    yield from (f"ladder/templates/ladder/guides/{language}/{game}.html" for language in LANGUAGES)
    yield f"matches/static/matches/viewer/games/{game}.js"
    yield f"tests/matches/test_viewer_{game}.py"
    yield f"bots/{game}/random/main.py"
    yield from (f"bots/{game}/starter/{'' if kit == 'python' else f'{kit}/'}*.*" for kit in KITS)
    yield f"tests/bots/test_{game}.py"
    yield f"docs/authors/{game}.md"


def mentions_of(game: str) -> Iterator[tuple[str, str]]:
    """Pages, and what each of them says of a game."""
    title = core.game(game).title
    yield "pyproject.toml", f'"core.{game}"'
    yield "README.md", f"**{title}**"
    yield "bots/README.md", f"| {title} | what it does |"
    yield "docs/authors/README.md", f"[{title}]({game}.md)"


def lacks(game: str) -> Iterator[str]:
    """What a game lacks, in words."""
    yield from (f"a file {path}" for path in files_of(game) if not any(ROOT.glob(path)))
    for page, text in mentions_of(game):
        if text not in (ROOT / page).read_text(encoding="utf-8"):
            yield f"the text {text!r} in {page}"
    if core.game(game).title not in TITLES:
        yield f"its title in TITLES of {SENTENCES}"
    yield from (f"an entry in {place}" for place, games in GAMES.items() if game not in games)


@pytest.mark.parametrize("game", core.games())
def test_a_game_lacks_nothing(game: str) -> None:
    missing = list(lacks(game))
    assert not missing, "\n- ".join([f"{game} lacks:", *missing]) + f"\n{TOLD}"


def test_what_a_game_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.game", lambda name: RockPaperScissors())
    told = list(lacks("rps"))
    for part in (
        "core/rps/judge.py",
        "tests/core/golden/rps-*.replay",
        "viewer/games/rps.js",
        "ja/rps.html",
        "rust/*.*",
    ):
        assert [line for line in told if line.startswith("a file ") and line.endswith(part)], part
    assert "the text '[Rock, paper, scissors](rps.md)' in docs/authors/README.md" in told
    assert "its title in TITLES of ladder/words/sentences.py" in told
    assert "an entry in GAMES of ladder/settings/base.py" in told
