"""Every starter kit plays legal matches at once."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from core.replay import decode
from games.kits import kit_languages
from games.registry import game_named
from games.stubs.writer import LANGUAGES
from sandbox import languages
from tests.banzuke.conftest import Run
from tests.own import OWN

pytestmark = pytest.mark.test_all

KITS = [(game, language) for game in OWN for language in LANGUAGES]


@pytest.mark.parametrize("game", OWN)
def test_every_game_has_a_kit_in_each_language(game: str) -> None:
    assert sorted(kit_languages(game)) == sorted(LANGUAGES)


@pytest.mark.parametrize(("game", "language"), KITS)
def test_a_kit_plays_without_a_fault_and_the_same_way_again(
    game: str, language: str, banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = languages.language(language).tool
    if shutil.which(tool) is None:
        pytest.skip(f"needs {tool}: apt-get install {' '.join(languages.language(language).packages)}")
    assert banzuke("new", game, language, tmp_path / "kit") == 0
    replay = tmp_path / "match.replay"
    others = ["house:random"] * (game_named(game).players[0] - 1)
    assert f"banzuke play {game} {tmp_path / 'kit'} {' '.join(others)} " in capsys.readouterr().out
    assert banzuke("play", game, tmp_path / "kit", *others, "--seed", 4, "--replay", replay) == 0
    assert not any(decode(replay.read_bytes())[-1]["faults"])
    assert banzuke("play", "--from", replay, tmp_path / "kit", *others) == 0
    assert "It came out the same" in capsys.readouterr().out


def test_the_commands_to_copy_know_a_folder_whose_name_begins_with_a_dash(
    banzuke: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name must not be taken for an option."""
    monkeypatch.chdir(tmp_path)
    assert banzuke("new", "kakomimasu", "python", "--", "-my bot's") == 0
    play, upload = re.findall("^  banzuke (.*?)   ", capsys.readouterr().out, re.MULTILINE)
    assert shlex.split(upload)[:2] == ["upload", "./-my bot's"]
    assert banzuke(*shlex.split(play)) == 0
