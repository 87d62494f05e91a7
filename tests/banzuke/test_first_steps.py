"""The first improvements in `docs/play/first_bots/`: a changed kit that a page calls better is better."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from deploy.settings import ROOT
from games.registry import FOLDER, game_named
from tests.banzuke.test_docs import blocks, replaced
from tests.games.bots.kit import meet
from tests.own import OWN

PAGES = sorted((ROOT / "docs" / "play" / "first_bots").glob("*.md"))
SNIPPETS = [(page.stem, text) for page in PAGES for text in blocks(page, "python")]
BOARDS = 6
POINTS_MIN = 0.7
"""The least share of points against the kit: 1 for an opponent with a worse rank, half for an equal one."""


def written(folder: Path, game: str, program: str) -> str:
    """Write a bot into the folder of the kit's module; return the command that starts the bot."""
    folder.mkdir()
    (folder / "main.py").write_text(program)
    (folder / f"{game}.py").write_text((FOLDER / game / "bots" / "starter" / f"{game}.py").read_text())
    return shlex.join([sys.executable, str(folder / "main.py")])


def points(ranks: tuple[int, ...], seat: int) -> float:
    """Return the share of its opponents that a seat has beaten."""
    others = [rank for number, rank in enumerate(ranks) if number != seat]
    return sum((rank > ranks[seat]) + (rank == ranks[seat]) / 2 for rank in others) / len(others)


def test_every_game_has_a_first_step() -> None:
    assert [game for game, _ in SNIPPETS] == list(OWN)


@pytest.mark.parametrize(("game", "snippet"), SNIPPETS, ids=[game for game, _ in SNIPPETS])
def test_the_first_step_is_better_than_the_kit(game: str, snippet: str, tmp_path: Path) -> None:
    program = (FOLDER / game / "bots" / "random" / "main.py").read_text()
    kit = written(tmp_path / "kit", game, program)
    mine = written(tmp_path / "mine", game, replaced(program, snippet))
    seats = game_named(game).players[0]
    got = []
    for seed in range(BOARDS):
        seat = seed % seats
        outcome = meet(game, [mine if number == seat else kit for number in range(seats)], seed)
        assert outcome.faults == (None,) * seats
        got.append(points(outcome.ranks, seat))
    assert sum(got) / BOARDS >= POINTS_MIN, got
