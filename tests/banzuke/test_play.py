"""``banzuke play`` and ``new``, with correct and wrong arguments."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from banzuke.bots import bot_ready
from banzuke.isolation import sandbox_opened
from banzuke.text import UserError
from core.replay import decode
from deploy.settings import ROOT
from games.replays import verify
from sandbox.api import PlatformFault
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.makers import IDLE, SMALL
from tests.installing import games_installed

GAME = "kakomimasu"


def test_a_match_of_folders_and_house_bots_is_replayed_to_the_same_hash(banzuke: Run, tmp_path: Path) -> None:
    replay = tmp_path / "match.replay"
    assert banzuke("play", GAME, "house:random", "house:ring", "--seed", 7, "--replay", replay) == 0
    verify(replay.read_bytes())
    assert [seat["name"] for seat in decode(replay.read_bytes())[0]["seats"]] == ["house:random", "house:ring"]


@pytest.mark.test_all
def test_a_game_without_house_bots_has_a_random_one_of_its_rules(
    banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay, bot = tmp_path / "match.replay", tmp_path / "bots" / "first.py"
    bot.parent.mkdir()
    bot.write_text("input()\nwhile True:\n    a, b = map(int, input().split())\n    print(0 if a else 1, 1)\n")
    (tmp_path / "site").mkdir()
    with games_installed(tmp_path / "site", {"simple_nim": "tests.core.simple_toy:Nim"}):
        assert banzuke("play", "simple_nim", bot, "house:random", "--strict", "--replay", replay) == 0
        verify(replay.read_bytes())
        league = ("league", "simple_nim", bot.parent, "--house", "--seeds", 2, "--strict")
        assert banzuke(*league) == 0
        assert "house:random" in capsys.readouterr().out
        assert banzuke("play", "simple_nim", bot, "house:ring") == 2
        assert "there are: house:random." in capsys.readouterr().err


@pytest.mark.test_all
def test_without_a_clock_no_answer_comes_too_late(
    banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For example that of a bot in a debugger."""
    burns = "import time\nend = time.process_time() + 7\nwhile time.process_time() < end: pass\n"
    slow = tmp_path / "slow.py"
    slow.write_text(burns + IDLE.format(begin="", answer="NONE"))
    command = ("play", GAME, slow, "house:random", *SMALL, "--strict")
    assert banzuke(*command) == 1
    assert "Seat 0, turn 1, time: The answer took" in capsys.readouterr().out
    assert banzuke(*command, "--no-clock") == 0
    out = capsys.readouterr().out
    assert "No clock: answers may take any time." in out
    assert "time:" not in out


def test_the_version_is_that_of_the_package() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    shown = subprocess.run([sys.executable, "-m", "banzuke", "--version"], cwd=ROOT, capture_output=True, text=True)
    assert shown.stdout == f"banzuke {wanted}\n"


@pytest.mark.usefixtures("bubblewrap", "strict_umask")
def test_a_sandbox_isolates_bots_at_home(banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spy = tmp_path / "spy.py"
    spy.write_text("import os, sys\ninput()\nsys.stderr.write(' '.join(sorted(os.listdir('/bot'))))\nsys.exit(3)\n")
    assert banzuke("play", GAME, spy, "house:random", "--sandbox", "bubblewrap") == 0
    out = capsys.readouterr().out
    assert "In the sandbox bubblewrap." in out
    assert "Seat 0, turn 1, crashed:" in out
    assert out.endswith("spy.py\n")


@pytest.mark.usefixtures("bubblewrap")
def test_a_sandbox_that_fails_is_a_sentence_and_no_bots_fault() -> None:
    with pytest.raises(UserError, match=r"no bot is to blame: The disk is full\."), sandbox_opened("bubblewrap"):
        raise PlatformFault("The disk is full.")


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            f"play {GAME} house:random house:random --no-clock --sandbox",
            "A sandbox always has its clock: give --no-clock without --sandbox.\n",
        ),
        (f"play {GAME} house:random house:random --talk 2", "There is no seat 2: --talk is one from 0 to 1.\n"),
        (f"play {GAME} sleep house:random --sandbox bubblewrap", "'sleep' is no folder or source file"),
        ("plya", "There is no command 'plya'. Did you mean 'play'?"),
        ("xyzzy", "There is no command 'xyzzy'. There are: "),
        (f"new {GAME} cobol nowhere", "There is no kit in 'cobol'; there are: python, cpp"),
    ],
)
def test_an_impossible_command_is_one_sentence(line: str, sentence: str, refusal: Refusal) -> None:
    err = refusal(*line.split())
    assert sentence in err
    assert err.count("\n") == 1


def test_an_unwritable_replay_is_refused_before_the_match(
    banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "none" / "x", tmp_path / "file" / "x", tmp_path):
        assert banzuke("play", GAME, "house:random", "house:random", "--replay", path) == 2
        reported = capsys.readouterr()
        assert f"The replay cannot be written to {path}" in reported.err
        assert reported.out == ""


def test_a_name_that_is_not_utf8_is_shown_by_its_bytes(banzuke: Run, tmp_path: Path) -> None:
    folder, replay = tmp_path / os.fsdecode(b"bot\xff"), tmp_path / "match.replay"
    folder.mkdir()
    (folder / "main.py").write_text("raise SystemExit\n")
    assert banzuke("play", GAME, folder, folder, "--replay", replay) == 0
    assert [seat["name"][-9:] for seat in decode(replay.read_bytes())[0]["seats"]] == ["bot\\udcff"] * 2
    assert bot_ready(str(folder), game=GAME).name == "bot\\udcff"


@pytest.mark.test_all
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_closed_output_is_dropped(closed: str, tmp_path: Path) -> None:
    replay = tmp_path / "match.replay"
    words = [GAME, "house:random", "house:random", "--option", "turns=2", "--replay", replay]
    argv = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "banzuke", "play", *words]
    done = subprocess.run(argv, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    verify(replay.read_bytes())


@pytest.mark.parametrize("command", [("new", GAME, "c++"), ("game", "new", "land")])
def test_new_leaves_no_incomplete_folder_on_a_full_disk(
    command: tuple[str, ...], banzuke: Run, refusal: Refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rest would block the next attempt, since the command overwrites nothing."""
    write, room = Path.write_bytes, iter([True])

    def write_until_the_disk_is_full(path: Path, content: bytes) -> int:
        if next(room, False):
            return write(path, content)
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", write_until_the_disk_is_full)
        assert "No space left on device" in refusal(*command, tmp_path / "mine")
    assert [path for path in (tmp_path / "mine").rglob("*") if path.is_file()] == []
    assert banzuke(*command, tmp_path / "mine") == 0


def test_new_overwrites_nothing(refusal: Refusal, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("mine")
    assert "exists already" in refusal("new", GAME, "c++", tmp_path)
    assert (tmp_path / "main.cpp").read_text() == "mine"
