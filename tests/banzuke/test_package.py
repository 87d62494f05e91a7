"""The command runs from the wheel alone, without the source tree."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from banzuke.__main__ import WINDOWS, main

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INSTALLED = ("banzuke", "core", "sandbox", "ladder/rating")


def test_no_package_is_forgotten() -> None:
    there = {
        init.parent.relative_to(ROOT).as_posix().replace("/", ".")
        for name in INSTALLED
        for init in (ROOT / name).rglob("__init__.py")
    }
    assert there - set(PROJECT["tool"]["setuptools"]["packages"]) == set()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the unpacked wheel of this source tree."""
    source, wheels, target = (tmp_path_factory.mktemp(name) for name in ("source", "wheels", "target"))
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if files.returncode:
        pytest.skip("needs git and its copy of the repository: apt-get install git")
    for name in files.stdout.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(wheels), "."]
    done = subprocess.run(build, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = wheels.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def run(installed: Path, folder: Path, code: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with the installed package, outside of the source tree."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-P", "-c", code, *argv]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def banzuke(installed: Path, folder: Path, *argv: str) -> str:
    """Run the installed command and return its output."""
    code = "from banzuke.__main__ import main; import banzuke, sys; print(banzuke.__file__); sys.exit(main())"
    done = run(installed, folder, code, *argv)
    assert done.returncode == 0, done.stderr
    where, _, told = done.stdout.partition("\n")
    assert where.startswith(str(installed))
    return told


def test_the_installed_command_plays_and_rates_bots(installed: Path, tmp_path: Path) -> None:
    banzuke(installed, tmp_path, "new", "kakomimasu", "python", "mine")
    small = ["--option", "turns=2", "--option", "agents=2"]
    assert "after 2 turns" in banzuke(installed, tmp_path, "play", "kakomimasu", "mine", "house:ring", *small)


def test_the_installed_command_has_the_viewer(installed: Path, tmp_path: Path) -> None:
    code = (
        "from banzuke.viewer import HERE, static_file; print(HERE);"
        "print((HERE / 'viewer.html').is_file(), static_file('/static/matches/viewer/games/puyo.js'),"
        " static_file('/static/ladder/site.css'))"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    run = [sys.executable, "-P", "-c", code]
    told = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert told.split() == [
        str(installed / "banzuke"),
        "True",
        str(installed / "banzuke/static/matches/viewer/games/puyo.js"),
        str(installed / "banzuke/static/ladder/site.css"),
    ]


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


LOWEST = {
    name: numbers(version.split(",")[0])
    for name, _, version in (wanted.partition(">=") for wanted in PROJECT["project"]["dependencies"])
}
"""The lowest versions of packages that the metadata allows."""


def test_lowest_versions_are_not_above_the_locked_ones() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "requirements.in").read_text().splitlines() if "==" in line)
    for name in LOWEST.keys() & pinned:
        assert LOWEST[name] <= numbers(pinned[name])


def test_lowest_versions_have_the_functions_that_are_used() -> None:
    """With older versions commands fail to start, two games cannot be played, or no Docker engine is found."""
    assert LOWEST["msgspec"] >= [0, 18, 6]  # Encoder(order="sorted")
    assert LOWEST["numpy"] >= [2, 0]  # bitwise_count
    assert LOWEST["docker"] >= [7, 1]  # requests 2.32, see the package's change log


def test_windows_users_are_pointed_to_linux(installed: Path, tmp_path: Path) -> None:
    """Windows has neither the file locks nor the process groups that the commands need."""
    windows = "import sys; sys.platform = 'win32'; sys.modules['fcntl'] = None"
    done = run(installed, tmp_path, f"{windows}; from banzuke.__main__ import main; sys.exit(main())")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", WINDOWS)


def test_the_installed_command_is_this_package() -> None:
    assert PROJECT["project"]["scripts"] == {"banzuke": f"{main.__module__}:{main.__name__}"}
