"""The pages for authors are true: conversations, first bots, commands, verdicts."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from pathlib import Path

import msgspec
import pytest

from arena.settings import base
from banzuke.commands import main
from core.referee import ANSWER_CHARS_MAX, ILLEGAL_ANSWER
from core.replay import decode
from deploy.settings import ROOT
from formats.model import Stage
from formats.seeds import encounter_seed
from formats.stages import stages_faults
from games.registry import game_named
from ladder.files.archives import ENTRIES_MAX, TOTAL_MIB
from sandbox.api import Verdict
from tests.banzuke.conftest import Run
from tests.banzuke.transcripts import BLOCK, FOLDER, transcript
from tests.own import OWN

LEAGUE = ROOT / "docs" / "kakomimasu_league.md"
PAGES = [*sorted(FOLDER.glob("*.md")), ROOT / "docs" / "tournaments.md", LEAGUE]
PAGES += [ROOT / name for name in ("README.md", "games/README.md")]


def blocks(page: Path, language: str = "") -> list[str]:
    found = re.findall(r"^ *```(\w*)\n(.*?)^ *```", page.read_text(), re.MULTILINE | re.DOTALL)
    return [code for tongue, code in found if tongue == language]


@pytest.mark.parametrize("game", OWN)
def test_the_conversation_is_what_the_referee_says(game: str) -> None:
    (conversation,) = BLOCK.findall((FOLDER / f"{game}.md").read_text())
    assert conversation == transcript(game), "Run: .venv/bin/python -m tests.banzuke.transcripts"


@pytest.mark.parametrize("game", OWN)
def test_the_first_bot_plays_in_the_kit(game: str, banzuke: Run, tmp_path: Path) -> None:
    assert banzuke("new", game, "python", tmp_path / "kit") == 0
    path, replay = tmp_path / "kit" / "main.py", tmp_path / "replay"
    (snippet,) = blocks(FOLDER / f"{game}.md", "python")
    path.write_text(replaced(path.read_text(), snippet))
    others = ["house:random"] * (game_named(game).players[0] - 1)
    assert banzuke("play", game, path.parent, *others, "--seed", 2, "--replay", replay) == 0
    assert not any(decode(replay.read_bytes())[-1]["faults"])


def replaced(source: str, snippet: str) -> str:
    """Replace functions of a program by those of the same names in a snippet, and add the snippet's imports."""
    imports, *functions = snippet.split("\n\n\n")
    for function in functions:
        (new,) = ast.parse(function).body
        assert isinstance(new, ast.FunctionDef)
        known = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        (old,) = (node for node in known if node.name == new.name)
        lines = source.splitlines()
        lines[old.lineno - 1 : old.end_lineno] = function.splitlines()
        source = "\n".join(lines)
    return f"{imports}\n{source}\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_is_one_that_exists(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.strip() for block in blocks(page) for line in block.splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("banzuke ")]
    assert commands or page.name == "faults.md"
    for _, name, *rest in commands:
        with pytest.raises(SystemExit):
            main([name, "--help"])
        known = capsys.readouterr().out
        assert [word for word in rest if word.startswith("--") and word not in known] == []


def test_every_verdict_is_explained() -> None:
    page = (FOLDER / "faults.md").read_text()
    for word in [*Verdict, ILLEGAL_ANSWER, "no program", "no language", "compile error"]:
        assert f"\n| `{word}` |" in page
    assert f"more than {ANSWER_CHARS_MAX:,} characters" in page


def test_the_page_has_the_upload_limits_of_the_arena() -> None:
    text = " ".join((FOLDER / "README.md").read_text().split())
    packed, files, unpacked = base.UPLOAD_MAX_BYTES >> 20, ENTRIES_MAX, TOTAL_MIB
    assert f"at most {packed} MiB: {files} files, {unpacked} MiB unpacked" in text
    assert f"{base.USER_ACTIVE_BOTS_MAX} bots that play, and upload {base.USER_VERSIONS_PER_HOUR} versions" in text


def test_talk_prints_both_sides_of_one_seat(banzuke: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert banzuke("play", "kakomimasu", "house:random", "house:ring", "--option", "turns=1", "--talk", 1) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("> 1 2 ")
    assert any(line.startswith("< PUT ") for line in lines)


def test_the_league_of_the_page_has_the_final_of_the_page(banzuke: Run, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++: apt-get install g++")
    (stages,) = blocks(LEAGUE, "json")
    assert stages_faults(stages=msgspec.json.decode(stages, type=list[Stage]), sizes=[2], entrants=6) == []
    seed = encounter_seed(lots=2026, stage=1, round_=2, pairing=1, encounter=1)
    assert banzuke("play", "kakomimasu", "house:rings", "house:scout", "--seed", seed) == 0
    scores = re.findall(r"^seat \d: (\S+) +(\d+) ", capsys.readouterr().out, re.MULTILINE)
    assert scores == [("house:rings", "362"), ("house:scout", "361")]
    assert "362 points to 361" in " ".join(LEAGUE.read_text().split())
