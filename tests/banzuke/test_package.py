"""What ``pip install .`` installs is enough: the command runs from the wheel alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

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


def banzuke(installed: Path, folder: Path, *argv: str) -> str:
    """Run the command as installed, away from the source tree; returns what it prints."""
    code = "from banzuke.commands import main; import banzuke, sys; print(banzuke.__file__); sys.exit(main())"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    run = [sys.executable, "-P", "-c", code, *argv]
    done = subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True)
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


def test_the_lowest_versions_it_asks_for_are_not_above_those_of_the_arena() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "requirements.in").read_text().splitlines() if "==" in line)
    for wanted in PROJECT["project"]["dependencies"]:
        name, _, version = wanted.partition(">=")
        lowest = [int(part) for part in version.split(",")[0].split(".")]
        if name in pinned:
            assert lowest <= [int(part) for part in pinned[name].split(".")]
