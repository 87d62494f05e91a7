"""Finding, copying and building the bots that the command line names."""

from __future__ import annotations

import errno
import os
import select
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from banzuke import bots, home_builds
from banzuke.bots import FILES_MAX, UNUSED_SECONDS, Source, bot_ready, cache_folder, source_of
from banzuke.home_builds import build_run
from banzuke.text import UserError
from sandbox import languages

GAME = "kakomimasu"
PYTHON = languages.language("python").selftest["main.py"]


def folder_with(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    return folder


def files_of(word: str) -> list[str]:
    """Return the paths of the files of a bot, sorted."""
    source = source_of(word, GAME)
    assert source
    return sorted(source.files)


def test_a_folder_is_copied_so_that_editing_it_disturbs_no_match(tmp_path: Path) -> None:
    bot = bot_ready(str(folder_with(tmp_path, main_dot_py=PYTHON)), game=GAME)
    assert bot.root
    assert (bot.root / "main.py").read_text() == PYTHON
    assert tmp_path not in bot.root.parents
    (tmp_path / "main.py").write_text(PYTHON + "# better\n")
    assert bot_ready(str(tmp_path), game=GAME).digest != bot.digest
    assert (bot.root / "main.py").read_text() == PYTHON


def test_links_are_followed_to_files_of_the_bot(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    (shared / "tables").mkdir(parents=True)
    folder_with(shared, step_dot_py="STEP = 1\n")
    folder_with(shared / "tables", a_dot_txt="1")
    (tmp_path / "bot").mkdir()
    folder = folder_with(tmp_path / "bot", main_dot_py=PYTHON)
    (folder / "lib").symlink_to(shared)
    (folder / "b.txt").symlink_to(shared / "tables" / "a.txt")
    assert files_of(str(folder)) == ["b.txt", "lib/step.py", "lib/tables/a.txt", "main.py"]


@pytest.mark.parametrize(("target", "words"), [(".", "symbolic links"), ("nowhere", "No such file")])
def test_a_broken_link_is_named(tmp_path: Path, target: str, words: str) -> None:
    (folder_with(tmp_path, main_dot_py=PYTHON) / "trap").symlink_to(tmp_path / target)
    with pytest.raises(UserError, match=rf"{words}.*trap"):
        bot_ready(str(tmp_path), game=GAME)


def test_leading_folders_are_removed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    folder_with(tmp_path / "a" / "b", main_dot_py=PYTHON, x_dot_txt="1")
    assert files_of(str(tmp_path)) == ["main.py", "x.txt"]


def test_a_program_is_built_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder_with(tmp_path, main_dot_py=PYTHON + "# once\n")
    first = bot_ready(str(tmp_path), game=GAME)
    assert "Building" in capsys.readouterr().err
    assert bot_ready(str(tmp_path), game=GAME) == first
    assert capsys.readouterr().err == ""


def test_what_the_compiler_warns_of_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In TypeScript these are also errors of types, with which the program plays all the same."""
    (tmp_path / "main.ts").write_text('const n: number = "three";\n')
    assert bot_ready(str(tmp_path), game=GAME).root
    assert "main.ts(1,7): error TS2322" in capsys.readouterr().err


@pytest.mark.parametrize(("game", "memory_mib"), [("wondev_woman", 768), ("kakomimasu", 256)])
def test_a_bot_has_the_limits_of_its_game(tmp_path: Path, game: str, memory_mib: int) -> None:
    folder_with(tmp_path, main_dot_py=PYTHON + "# limits\n")
    assert bot_ready(str(tmp_path), game=game).limits.memory_mib == memory_mib


def test_a_changed_build_step_builds_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_with(tmp_path, main_dot_py=PYTHON + "# anew\n")
    first = bot_ready(str(tmp_path), game=GAME)
    others = [replace(language, build=lambda entry: ("/bin/true", entry)) for language in languages.ALL]
    monkeypatch.setattr(languages, "ALL", others)
    again = bot_ready(str(tmp_path), game=GAME)
    assert (again.digest, again.root == first.root) == (first.digest, False)


def test_bots_not_played_for_long_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old bots are removed when a bot is built."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    texts = [str(tmp_path / name) for name in ("played.py", "forgotten.py", "new.py")]
    for number, text in enumerate(texts):
        Path(text).write_text(f"print({number})\n")
    for text in texts[:2]:
        bot_ready(text, game=GAME)
    for home in cache_folder().iterdir():
        os.utime(home, times=(0, time.time() - UNUSED_SECONDS - 60))
    bot_ready(texts[0], game=GAME)
    assert len(list(cache_folder().iterdir())) == 2
    bot_ready(texts[2], game=GAME)
    left = {path.name for path in cache_folder().glob("*/bot/*")}
    assert left == {"played.py", "new.py"}


def test_two_commands_may_build_the_same_program_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_with(tmp_path, main_dot_py=PYTHON + "# twice\n")
    build = bots._build

    def faster(source: Source, folder: Path, backend: None) -> None:
        monkeypatch.setattr(bots, "_build", build)
        bot_ready(str(tmp_path), game=GAME)
        build(source, folder, backend)

    monkeypatch.setattr(bots, "_build", faster)
    assert bot_ready(str(tmp_path), game=GAME).root
    assert not list(cache_folder().glob("new-*"))


def test_a_file_is_a_bot_by_itself(tmp_path: Path) -> None:
    folder_with(tmp_path, one_dot_py=PYTHON, two_dot_py=PYTHON)
    assert files_of(str(tmp_path / "one.py")) == ["one.py"]


def test_a_house_bot_has_the_modules_that_it_imports() -> None:
    assert {"main.py", "kakomimasu.py"} <= set(files_of("house:greedy"))


def test_caches_and_hidden_files_are_no_part_of_a_bot(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_text("")
    (tmp_path / "main.pyc").write_bytes(b"")
    folder_with(tmp_path, main_dot_py=PYTHON)
    assert files_of(str(tmp_path)) == ["main.py"]


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("house:nobody", "no house bot 'house:nobody'"),
        ("./no/such", "no file or folder ./no/such"),
        ("nobody 1", r"'nobody 1' is no folder, no source file \(\.py .*\) and no program\.$"),
        ("compiled", r"'compiled' is no .* program\. A program that lies here is \./compiled\.$"),
        ("python3 'bot", "no command line: No closing quotation"),
        (" ", "' ' is no folder"),
        (".", r"No program was found.*main\.py"),
    ],
)
def test_a_missing_bot_is_named(word: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_with(tmp_path, compiled="ELF")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=sentence):
        bot_ready(word, game=GAME)


def test_a_command_line_may_be_longer_than_a_path() -> None:
    line = f"python3 -c '{300 * '#'}'"
    found = bot_ready(line, game=GAME)
    assert (found.command, found.root) == (line, None)
    with pytest.raises(UserError, match="no folder, no source file"):
        bot_ready(300 * "x", game=GAME)


def test_a_build_ends_the_processes_that_it_started(tmp_path: Path) -> None:
    """A shell killed by a time limit or Ctrl-C must not leave its compiler behind."""
    held = tmp_path / "held"
    os.mkfifo(held)
    reading = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    assert build_run(["sh", "-c", f"exec 3>{held}; sleep 1000 >&3 2>&1 & echo built"], tmp_path) == (0, "built\n")
    assert select.select([reading], [], [], 30)[0], "nobody holds the other end any more"
    os.close(reading)


@pytest.mark.parametrize(
    ("script", "wall_seconds", "words"),
    [
        ("while :; do :; done & wait", 120.0, "more than 0.2 seconds of CPU time"),
        ("sleep 1; echo built", 120.0, ""),  # sleeping uses no CPU time
        ("sleep 1000", 0.5, "more than 0.5 seconds"),
    ],
)
def test_a_build_may_use_cpu_time_as_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, wall_seconds: float, words: str
) -> None:
    monkeypatch.setattr(home_builds, "BUILD_CPU_MS", 200)
    monkeypatch.setattr(home_builds, "_WALL_SECONDS", wall_seconds)
    monkeypatch.setattr(home_builds, "_POLL_SECONDS", 0.02)
    (tmp_path / "bot").mkdir()
    code, output = bots._run_locally(languages.ALL[0], ("sh", "-c", script), tmp_path)
    assert (code, output) == ((0, "built\n") if not words else (1, f"The build took {words}."))


@pytest.mark.parametrize(
    ("name", "title", "tool"), [("main.cpp", "C++", "g++"), ("main.js", "JavaScript (Node)", "node")]
)
def test_a_missing_compiler_is_named_and_not_the_programs_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, title: str, tool: str
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for known in ("sh", "cp", "dirname", "rm", "env", "mkdir", "cat"):
        (tools / known).symlink_to(shutil.which(known) or "")
    monkeypatch.setenv("PATH", str(tools))
    program = tmp_path / "bot"
    program.mkdir()
    (program / name).write_text("int main() {}\n")
    with pytest.raises(UserError) as refused:
        bot_ready(str(program), game=GAME)
    assert str(refused.value).startswith(f"{title} is not installed here ({tool} is missing). Debian: ")


def test_a_program_with_an_error_is_shown_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r'is no valid Python 3:\n *File "main\.py", line 1'):
        bot_ready(str(folder_with(tmp_path, main_dot_py="while\n")), game=GAME)
    assert not list(cache_folder().glob("new-*"))


def test_python_is_that_of_the_command_which_has_numpy(tmp_path: Path) -> None:
    bot = bot_ready(str(folder_with(tmp_path, main_dot_py="import numpy\n")), game=GAME)
    assert shlex.split(bot.command)[0] == sys.executable


def test_a_folder_too_large_for_a_bot_is_refused(tmp_path: Path) -> None:
    history = tmp_path / ".git"
    history.mkdir()
    for number in range(FILES_MAX + 1):
        (history / str(number)).touch()
    folder_with(tmp_path, main_dot_py=PYTHON)
    assert bot_ready(str(tmp_path), game=GAME).root
    history.rename(tmp_path / "history")
    with pytest.raises(UserError, match="no bot's folder"):
        bot_ready(str(tmp_path), game=GAME)


def test_an_unreadable_subfolder_is_named_unless_it_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be left out silently."""
    folder_with(tmp_path, main_dot_py=PYTHON)
    read = os.scandir

    def refuse(path: str | Path) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if Path(path).name in ("data", ".git"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (tmp_path / ".git").mkdir()
    assert bot_ready(str(tmp_path), game=GAME).root
    (tmp_path / "data").mkdir()
    with pytest.raises(UserError, match=f"Permission denied: '{tmp_path}/data'"):
        bot_ready(str(tmp_path), game=GAME)


def test_a_file_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = folder_with(tmp_path, main_dot_py=PYTHON) / os.fsdecode(b"caf\xe9.py")
    path.write_text(PYTHON)
    for word in (tmp_path, path):
        with pytest.raises(UserError, match=r"^The name of the file caf\\udce9\.py is no text in UTF-8: rename it\.$"):
            source_of(str(word), GAME)


@pytest.mark.parametrize(
    ("cache", "sentence"),
    [
        ("/dev/null", r"cannot be made ready below /dev/null/banzuke: .*Not a directory"),
        ("/tmp/my cache", "without spaces"),  # noqa: S108 - it is refused
    ],
)
def test_an_impossible_cache_is_refused(cache: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    with pytest.raises(UserError, match=sentence):
        bot_ready("house:random", game=GAME)
