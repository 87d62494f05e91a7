"""The newest release, as a folder beside this checkout, whose code tests run."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deploy.settings import ROOT


def releases() -> list[dict[str, Any]]:
    """Return the listed releases, the newest first: ``version``, ``date`` and ``commit``."""
    return list(tomllib.loads((ROOT / "deploy/releases.toml").read_text()).get("releases", []))


@dataclass(frozen=True, slots=True)
class Code:
    """A folder with code of Banzuke, and the Python that has the packages which this code needs."""

    folder: Path
    python: Path

    def run(self, *arguments: str, env: Mapping[str, str], told: str = "") -> str:
        """Run Python with this code, tell it something on its standard input, and return what it prints."""
        argv = [self.python, *arguments]
        done = subprocess.run(argv, cwd=self.folder, env=env, input=told, capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments} by {self.folder}:\n{done.stdout[-2_000:]}{done.stderr[-4_000:]}"
        return done.stdout


TODAY = Code(ROOT, Path(sys.executable))


def newest_release(folder: Path) -> Code:
    """Write the files of the newest release into a folder; while none is listed, those of the last commit.

    Its packages are installed only if it has pinned other ones than today's code.
    """
    listed = releases()
    commit = listed[0]["commit"] if listed else "HEAD"
    argv = ["git", "archive", f"--output={folder}.tar", commit]
    found = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True)
    if "not a git repository" in found.stderr:
        pytest.skip("needs git and its copy of the repository: apt-get install git")
    assert found.returncode == 0, f"The clone lacks {commit}: type `git fetch --unshallow`. {found.stderr}"
    folder.mkdir()
    subprocess.run(["tar", "-xf", f"{folder}.tar", "-C", folder], check=True)
    if (folder / "requirements.txt").read_bytes() == (ROOT / "requirements.txt").read_bytes():
        return Code(folder, TODAY.python)
    install = "set -eu; . deploy/bootstrap.sh; make_venv requirements.txt"
    subprocess.run(["sh", "-c", install], cwd=folder, check=True)
    return Code(folder, folder / ".venv/bin/python")
