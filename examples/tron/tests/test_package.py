"""The package as a whole: the contract of games, recorded matches, house bots and starter kits.

Banzuke and this package must be installed: ``pip install banzuke pytest && pip install -e .``, then ``pytest``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from banzuke.sdk import verify
from banzuke.testing import check_game

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.replay"))
COMPILERS = {"python": "python3", "cpp": "g++", "csharp": "mcs", "java": "javac", "rust": "rustc"}
COMPILERS |= {"javascript": "node", "kotlin": "kotlinc", "php": "php", "typescript": "tsc"}


def banzuke(*words: str | Path) -> str:
    """Run the command, which must succeed; return what it prints."""
    return subprocess.run(
        [sys.executable, "-m", "banzuke", *map(str, words)], capture_output=True, text=True, check=True
    ).stdout


def test_the_contract_holds() -> None:
    check_game("tron")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_recorded_matches_hold(path: Path) -> None:
    """If you change the rules on purpose, change ``rules_version`` too and record anew: ``python tests/record.py``."""
    verify(path.read_bytes())


def test_the_bot_that_looks_at_space_wins() -> None:
    for seed in ("1", "2"):
        printed = banzuke("play", "tron", "house:space", "house:random", "--seed", seed, "--strict")
        (place,) = [line.split()[-1] for line in printed.splitlines() if "house:space" in line and "seat" in line]
        assert place == "1"


@pytest.mark.parametrize("language", COMPILERS)
def test_a_kit_plays_at_once(language: str, tmp_path: Path) -> None:
    if shutil.which(COMPILERS[language]) is None:
        pytest.skip(f"needs {COMPILERS[language]}")
    banzuke("new", "tron", language, tmp_path / "kit")
    banzuke("play", "tron", tmp_path / "kit", "house:space", "--seed", "4", "--strict")
