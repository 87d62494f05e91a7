"""The command ``python -m sandbox``, also run by a user who is not root."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import sandbox
from sandbox.__main__ import main
from sandbox.api import Sandbox
from sandbox.languages import ALL
from sandbox.toolchains import libraries_of, version_of

REPOSITORY = Path(__file__).parents[2]
NOBODY = 60_123
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.mark.usefixtures("strict_umask")
def test_the_selftest_passes(
    backend: Sandbox, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandbox import selftest

    monkeypatch.setattr(selftest, "PROBES", selftest.PROBES[-2:])  # all of them: test_selftest.py
    assert main(["selftest", "--backend", backend.name]) == 0
    assert "passes all its checks" in capsys.readouterr().err
    assert "BANZUKE_SELFTEST_SECRET" not in os.environ


def test_a_failed_check_is_printed(
    backend: Sandbox, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandbox import selftest

    monkeypatch.setattr(selftest, "PROBES", (selftest.Probe("a bot cannot print", "print('free')", "held"),))
    assert main(["selftest", "--backend", backend.name]) == 1
    assert "This check fails: a bot cannot print (expected held, got free)." in capsys.readouterr().err


def test_run_shows_output_and_cost(backend: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "--root", str(tmp_path), "--backend", backend.name, "--"]
    assert main([*command, "/bin/echo", "hello"]) == 0
    assert main([*command, "/bin/sh", "-c", "exit 7"]) == 1
    assert main(["run", "--cpu-ms", "100", *command[1:], "/bin/sh", "-c", "while :; do :; done"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "hello\n"
    assert "Exit code 7" in captured.err
    assert "time: bot-cpu used=" in captured.err


def test_a_missing_folder_is_one_sentence(bubblewrap: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--root", "/nowhere", "--backend", "bubblewrap", "--", "/bin/echo", "hello"]) == 1
    assert capsys.readouterr().err == "There is no folder /nowhere.\n"


@pytest.mark.parametrize(("typed", "sentence"), [("ten", "'ten' is no whole number"), ("0", "it must be at least 1")])
@pytest.mark.parametrize("options", [["run", "--cpu-ms"], ["languages", "--memory-mib"]], ids=" ".join)
def test_an_invalid_number_is_refused_in_words(
    options: list[str], typed: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*options, typed])
    assert sentence in capsys.readouterr().err


def test_the_limits_are_printed_without_any_sandbox(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["limits"]) == 0
    assert "| `memory_mib` | 256 | 1024 |" in capsys.readouterr().out


def as_nobody(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m sandbox`` as an unprivileged user."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to become nobody")
    return subprocess.run(
        [SYSTEM_PYTHON, "-m", "sandbox", *arguments, "--backend", "bubblewrap"],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_selftest_passes_without_root(bubblewrap: str) -> None:
    """It uses the system's Python, because only root may be able to read the Python of the tests."""
    result = as_nobody("selftest")
    assert "Control groups cannot be written" in result.stderr
    assert "The bubblewrap sandbox passes all its checks." in result.stderr
    assert result.returncode == 0


def test_a_worker_with_lower_limits_passes_them_on(bubblewrap: str) -> None:
    """A process cannot raise its limits: a sandbox that tried would start no program."""
    low = ["prlimit", "--nofile=60:60", "--memlock=2048:2048", sys.executable, "-m", "sandbox"]
    script = "ulimit -Hn; ulimit -Hl"
    with tempfile.TemporaryDirectory() as root:
        command = [*low, "run", "--root", root, "--backend", "bubblewrap", "--", "/bin/sh", "-c", script]
        result = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert (result.stdout, result.returncode) == ("60\n2\n", 0), result.stderr


def test_languages_are_printed_and_work_without_root_too_in_the_least_memory(bubblewrap: str) -> None:
    """Java and Node reserve gigabytes that they never use: a limit of address space must not end them."""
    backend = sandbox.backend("bubblewrap")
    found = [(each.title, version_of(backend, each), libraries_of(backend, each)) for each in ALL]
    expected = "".join(f"{' '.join(words).rstrip()}\n" for words in found if words[1])
    assert as_nobody("languages", "--memory-mib", "64").stdout == expected
    assert "Python 3 3." in expected
