"""Matches in the terminal: as text, as steps, and on a real pseudo-terminal."""

from __future__ import annotations

import curses
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from banzuke import tui
from banzuke.frames import Frames
from banzuke.replays import replay_read
from banzuke.tui import NO_KEY, View
from core.replay import decode, encode
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.test_watch import replay_of


@pytest.fixture
def replay(tmp_path: Path, banzuke: Run) -> Path:
    path = tmp_path / "match.replay"
    argv = ["house:random", "house:random", "--seed", 1, "--option", "turns=3", "--replay", path]
    assert banzuke("play", "kakomimasu", *argv) == 0
    return path


def test_text_shows_every_turn_answers_and_the_result(
    banzuke: Run, replay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert banzuke("tui", replay, "--text") == 0
    out = capsys.readouterr().out
    assert "seat 1: house:random\n" in out
    assert [f"\nturn {turn}\nseat 0: PUT " in out for turn in (1, 4)] == [True, False]
    assert "The match has ended after 3 turns.\n1. house:random, " in out


def test_a_live_match_is_shown_as_it_is_played(banzuke: Run, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["kakomimasu", "house:random", "house:ring", "--seed", 1, "--option", "turns=2", "--text"]
    assert banzuke("tui", *argv) == 0
    assert "The match has ended after 2 turns." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"), [(("house:random", "house:ring", "--option", "colour=red"), "colour"), ((), "not by 0")]
)
def test_an_impossible_live_match_is_a_sentence(words: tuple[str, ...], sentence: str, refusal: Refusal) -> None:
    assert sentence in refusal("tui", "kakomimasu", *words, "--text")


def test_fields_of_different_heights_are_printed_as_json(replay: Path) -> None:
    records = replay_read(replay)
    records[1]["frame"] = {"fields": [["..", ".."], ["..", "..", "##"]]}
    frames = Frames(iter(records))
    frames.reach(1)
    assert '[["..",".."],["..","..","##"]]' in frames[1]


def test_fields_lie_side_by_side(tmp_path: Path, banzuke: Run, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "puyo.replay"
    path.write_bytes(replay_of("puyo"))
    assert banzuke("tui", path, "--text") == 0
    assert "\n......  ......\n" in capsys.readouterr().out


def test_frames_read_no_more_records_than_needed(replay: Path) -> None:
    records = iter(replay_read(replay))
    frames = Frames(records)
    assert frames.reach(1) == 1
    assert next(records)["turn"] == 2


def test_a_closed_terminal_ends_the_command(replay: Path) -> None:
    main, terminal = pty.openpty()
    argv = [sys.executable, "-m", "banzuke", "tui", str(replay)]
    env = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(argv, stdin=terminal, stdout=terminal, stderr=subprocess.DEVNULL, env=env) as process:
        os.close(terminal)
        seen = b""
        while b"q quit" not in seen:
            seen += os.read(main, 65_536)
        os.close(main)
        try:
            process.wait(timeout=30)
        finally:
            process.kill()


@pytest.mark.parametrize("closed", ["<&-", "</dev/null", ">&-"])
def test_where_there_is_no_terminal_text_is_offered(closed: str, replay: Path) -> None:
    main, terminal = pty.openpty()
    argv = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "banzuke", "tui", str(replay)]
    env = {**os.environ, "TERM": "xterm-256color"}
    done = subprocess.run(argv, stdin=terminal, stdout=terminal, stderr=subprocess.PIPE, env=env, check=False)
    reported = b"Keys and pictures need a terminal, which standard input or output is not: use --text.\n"
    assert (done.returncode, done.stderr) == (2, reported)
    os.close(terminal)
    os.close(main)


def test_keys_step_play_and_jump(replay: Path) -> None:
    view = View(Frames(iter(replay_read(replay))))
    view.press(NO_KEY)
    assert view.number == -1 + 1
    for key, number in [
        (curses.KEY_RIGHT, 1),
        (ord("l"), 2),
        (curses.KEY_LEFT, 1),
        (ord("g"), 0),
        (ord("h"), 0),
        (ord("G"), 4),
        (ord(" "), 4),
        (curses.KEY_HOME, 0),
    ]:
        assert view.press(key)
        assert view.number == number
    view.press(ord("p"))
    shown = []
    while view.playing:
        view.press(NO_KEY)
        shown.append(view.number)
    assert shown == [1, 2, 3, 4, 4]
    assert not view.press(ord("q"))


def test_keys_work_while_a_live_match_is_skipped_to_its_end(replay: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of a live match take time, and otherwise the display would freeze until the match is over."""
    monkeypatch.setattr(tui, "SKIP_SECONDS", 0)
    played = replay_read(replay)
    view = View(Frames(iter(played)))
    view.frames.reach(0)
    for number in (0, 1):  # without time to skip frames, ``press`` returns at once
        view.press(curses.KEY_END if number == 0 else NO_KEY)
        assert (view.number, view.skipping, view.wait_ms) == (0, True, 0)
    monkeypatch.setattr(tui, "SKIP_SECONDS", 60)
    view.press(ord("l"))
    assert (view.number, view.skipping, view.wait_ms) == (1, False, -1)
    view.press(ord("G"))
    assert (view.number, view.skipping, view.wait_ms) == (len(played) - 1, False, -1)


def test_no_replay_can_control_the_terminal(replay: Path) -> None:
    """The attack: a bot's name or answer with escape sequences, watched by somebody else."""
    header, *rest = replay_read(replay)
    header["seats"][0]["name"] = "\x1b[2Jgone"
    frames = Frames(iter([header, *rest]))
    frames.reach(len(rest))
    assert "\\x1b[2Jgone" in frames[0]
    assert not any("\x1b" in frames[number] for number in range(len(rest) + 1))


def test_no_color_turns_colours_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curses, "has_colors", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert tui._paint() == {}


def test_the_screen_of_a_real_terminal(replay: Path) -> None:
    records = decode(replay.read_bytes())
    records[0]["seats"][1]["name"] = "Zoe\u0301囲み名人"
    replay.write_bytes(encode(records))
    main, terminal = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    argv = [sys.executable, "-m", "banzuke", "tui", str(replay)]
    with subprocess.Popen(argv, stdin=terminal, stdout=terminal, stderr=terminal, env=env) as process:
        os.close(terminal)
        seen = os.read(main, 65_536)
        while b"q quit" not in seen:
            seen += os.read(main, 65_536)
        assert b"seat 0: house:random" in seen
        assert "seat 1: Zoe\u0301囲み名人".encode() in seen, "one sign takes no column, four take two each"
        os.write(main, b"G")
        while b"The match has ended" not in seen:
            seen += os.read(main, 65_536)
        os.write(main, b"q")
        assert process.wait(timeout=30) == 0
    os.close(main)
