"""How commands are found, and what becomes of their errors; with commands of the test."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from banzuke.arguments import game_name, option
from banzuke.command_line import run_command
from banzuke.signals import ending_signals, handling
from banzuke.text import UserError
from core.game import BadOptions
from core.replay import BadReplay, ReplayMismatch


def command(run: Callable[[argparse.Namespace], int], *arguments: str) -> ModuleType:
    """Return a module that is a command with these arguments."""
    module: Any = ModuleType("command", "Does something.\n\nMore of it.")
    module.run = run
    module.add_arguments = lambda parser: [parser.add_argument(name) for name in arguments]
    return module


def failing(error: BaseException) -> ModuleType:
    def run(_arguments: argparse.Namespace) -> int:
        raise error

    return command(run)


def status(modules: dict[str, ModuleType], *argv: str) -> int:
    try:
        return run_command("thing", "Does things.", modules, argv, "1.2")
    except SystemExit as error:
        return int(error.code or 0)


@pytest.mark.parametrize(
    "error",
    [
        UserError("The bot is too large."),
        BadOptions("There is no board Z."),
        BadReplay("The replay is cut off."),
        ReplayMismatch("It is another match."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_that_is_a_sentence_is_printed_alone(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    assert status({"go": failing(error)}, "go") == 2
    assert capsys.readouterr().err == f"{error}\n"


def test_no_sentence_controls_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert status({"go": failing(UserError("evil\x1b[2J"))}, "go") == 2
    assert capsys.readouterr().err == "evil\\x1b[2J\n"


def test_an_interrupt_has_its_own_status() -> None:
    assert status({"go": failing(KeyboardInterrupt())}, "go") == 130


def test_other_errors_are_faults_of_ours() -> None:
    with pytest.raises(OSError, match="Permission denied"):
        status({"go": failing(OSError(errno.EACCES, os.strerror(errno.EACCES)))}, "go")
    with pytest.raises(ZeroDivisionError):
        status({"go": failing(ZeroDivisionError())}, "go")


@pytest.mark.parametrize(
    ("argv", "reported"),
    [
        (["goo"], "There is no command 'goo'. Did you mean 'go'?"),
        (["league"], "There is no command 'league'. There are: go, more."),
        (["more", "deper"], "There is no command 'deper'. Did you mean 'deeper'?"),
        (["go"], "the following arguments are required: place"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_a_wrong_command_is_told_with_the_nearest(
    argv: list[str], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    group: Any = ModuleType("group", "Holds more.")
    group.COMMANDS = {"deeper": command(lambda _: 5)}
    modules = {"go": command(lambda _: 7, "place"), "more": group}
    assert status(modules, *argv) == 2
    assert reported in capsys.readouterr().err


def test_groups_and_versions_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    group: Any = ModuleType("group", "Holds more.")
    group.COMMANDS = {"deeper": command(lambda arguments: int(arguments.steps), "steps")}
    modules = {"go": command(lambda _: 0), "more": group}
    assert status(modules, "more", "deeper", "4") == 4
    assert status(modules, "--version") == 0
    assert capsys.readouterr().out == "thing 1.2\n"
    assert status(modules, "--help") == 0
    told = capsys.readouterr().out
    assert "Does something." in told
    assert "More of it." not in told
    assert status(modules, "go", "--help") == 0
    assert "More of it." in capsys.readouterr().out
    assert status(modules, "more", "--help") == 0
    assert "deeper" in capsys.readouterr().out


def test_signals_are_handled_in_the_block_alone() -> None:
    before, seen = signal.getsignal(signal.SIGUSR1), list[int]()
    with handling(lambda number, _frame: seen.append(number), signal.SIGUSR1):
        signal.raise_signal(signal.SIGUSR1)
    assert seen == [signal.SIGUSR1]
    assert signal.getsignal(signal.SIGUSR1) == before


def test_an_ignored_hangup_stays_ignored() -> None:
    code = "from banzuke.signals import ending_signals; print([number.name for number in ending_signals()])"
    shell = f"trap '' HUP; exec {sys.executable} -c \"{code}\""
    assert subprocess.run(["/bin/sh", "-c", shell], capture_output=True, text=True).stdout == "['SIGTERM']\n"
    assert signal.SIGTERM in ending_signals()


@pytest.mark.parametrize(
    ("text", "found"),
    [("turns=2", ("turns", "2")), ("name=a=b", ("name", "a=b")), ("name=", ("name", ""))],
)
def test_an_option_of_a_game_is_a_name_and_a_value(text: str, found: tuple[str, str]) -> None:
    assert option(text) == found


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("turns", "'turns' is not NAME=VALUE"),
        ("board=@none.json", "none.json cannot be read: No such file"),
        ("board=@broken.json", "broken.json is no JSON: "),
    ],
)
def test_an_option_that_cannot_be_read_is_a_sentence(
    text: str, sentence: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "board.json").write_bytes(b"\xef\xbb\xbf[1, 2]")
    assert option("board=@board.json") == ("board", [1, 2])
    with pytest.raises(argparse.ArgumentTypeError, match=sentence):
        option(text)


def test_a_game_whose_package_is_broken_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("banzuke.arguments.games_broken", lambda: {"chess": "It lacks a title."})
    monkeypatch.setattr("banzuke.arguments.game_missing", lambda name: f"{name} cannot be used.")
    assert game_name("kakomimasu") == "kakomimasu"
    assert game_name("nothing") == "nothing", "argparse itself lists the games"
    with pytest.raises(argparse.ArgumentTypeError, match="chess cannot be used"):
        game_name("chess")
