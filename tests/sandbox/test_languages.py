"""Finding, checking and starting programs of each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import languages
from sandbox.api import Limits, Program, Sandbox, TurnLimits
from sandbox.languages import Language, NoProgram


def write(folder: Path, *names: str) -> Path:
    """Make empty files."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


@pytest.mark.parametrize(
    ("names", "entry"),
    [
        (("main.py", "bot.py", "other.py"), "main.py"),
        (("bot.py", "other.py"), "bot.py"),
        (("player.py", "data.txt", "lib/a.py"), "player.py"),
    ],
)
def test_python_is_detected(tmp_path: Path, names: tuple[str, ...], entry: str) -> None:
    language, found = languages.detect(write(tmp_path, *names))
    assert (language.name, found) == ("python", entry)


@pytest.mark.parametrize("names", [(), ("a.py", "b.py"), ("src/main.py",), ("main.rb",)])
def test_what_was_looked_for_is_told(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(NoProgram, match=r"Python 3: main\.py, bot\.py"):
        languages.detect(write(tmp_path, *names))


def test_a_folder_is_no_entry_point(tmp_path: Path) -> None:
    with pytest.raises(NoProgram):
        languages.detect(write(tmp_path, "main.py/readme"))


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoProgram, match=r"Known are: python"):
        languages.detect(write(tmp_path, "main.py"), "cobol")


@pytest.mark.parametrize("language", languages.ALL, ids=lambda language: language.name)
def test_each_language_checks_and_runs_its_own_program(walls: Sandbox, tmp_path: Path, language: Language) -> None:
    for name, text in language.selftest.items():
        (tmp_path / name).write_text(text)
    found, entry = languages.detect(tmp_path)
    assert found == language
    assert walls.run(Program(tmp_path, language.check(entry)), Limits(), cpu_ms=5_000).exit_code == 0
    assert walls.run(Program(tmp_path, language.version), Limits(), cpu_ms=5_000).exit_code == 0
    with walls.start(Program(tmp_path, language.command(entry)), Limits()) as process:
        assert process.ask(["41"], TurnLimits(cpu_ms=1_000)).lines == ("42",)


def test_a_syntax_error_is_shown_with_file_and_line_and_nothing_is_run(walls: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("raise SystemExit('was run')\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "bad.py").write_text("x = 1\nif x\n    pass\n")
    (tmp_path / "worse.py").write_bytes(b"x = '\xff'\n")
    result = walls.run(Program(tmp_path, languages.language("python").check("main.py")), Limits(), cpu_ms=5_000)
    assert result.exit_code == 1
    assert 'File "lib/bad.py", line 2' in result.output
    assert "worse.py" in result.output
    assert "was run" not in result.output
