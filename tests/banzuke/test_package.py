"""What ``pip install .`` installs is enough: the command runs from the wheel alone."""

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
    """A folder with what the wheel of this source tree holds."""
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
    """Run Python with what is installed, away from the source tree."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-P", "-c", code, *argv]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def banzuke(installed: Path, folder: Path, *argv: str) -> str:
    """Run the command; returns what it prints."""
    code = "from banzuke.__main__ import main; import banzuke, sys; print(banzuke.__file__); sys.exit(main())"
    done = run(installed, folder, code, *argv)
    assert done.returncode == 0, done.stderr
    where, _, told = done.stdout.partition("\n")
    assert where.startswith(str(installed))
    return told


def test_it_plays_house_bots_and_kits_and_rates_them(installed: Path, tmp_path: Path) -> None:
    banzuke(installed, tmp_path, "new", "kakomimasu", "python", "mine")
    small = ["--option", "turns=2", "--option", "agents=2"]
    assert "after 2 turns" in banzuke(installed, tmp_path, "play", "kakomimasu", "mine", "house:ring", *small)


def test_it_has_the_viewer_and_everything_it_needs(installed: Path, tmp_path: Path) -> None:
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
"""Versions of packages that are taken if somebody has them already."""


def test_the_lowest_versions_it_asks_for_are_not_above_those_of_the_arena() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "requirements.in").read_text().splitlines() if "==" in line)
    for name in LOWEST.keys() & pinned:
        assert LOWEST[name] <= numbers(pinned[name])


def test_the_lowest_versions_it_asks_for_have_what_it_calls() -> None:
    """With older ones no command began, Wondev Woman and Puyo Puyo could not be played, and no engine was found."""
    assert LOWEST["msgspec"] >= [0, 18, 6]  # Encoder(order="sorted")
    assert LOWEST["numpy"] >= [2, 0]  # bitwise_count
    assert LOWEST["docker"] >= [7, 1]  # requests 2.32, see the package's change log


def test_windows_is_told_of_linux(installed: Path, tmp_path: Path) -> None:
    """It has neither the locks of files nor the process groups that the commands need: to import them failed there."""
    windows = "import sys; sys.platform = 'win32'; sys.modules['fcntl'] = None"
    done = run(installed, tmp_path, f"{windows}; from banzuke.__main__ import main; sys.exit(main())")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", WINDOWS)


def test_the_command_is_what_is_tested_here() -> None:
    assert PROJECT["project"]["scripts"] == {"banzuke": f"{main.__module__}:{main.__name__}"}
