"""The newest release, as a folder beside this checkout, whose code tests run."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import warnings
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
    """Write the files of the newest release into a folder.

    While none is listed, and in a shallow clone that lacks its commit, those of the last commit stand for it.
    Its packages are installed only if it has pinned other ones than today's code.
    """
    if _git("rev-parse", "--is-inside-work-tree").returncode:
        pytest.skip("needs git and its copy of the repository: apt-get install git")
    commit = next((each["commit"] for each in releases() if is_here(each["commit"])), "HEAD")
    found = _git("archive", f"--output={folder}.tar", commit)
    assert found.returncode == 0, found.stderr
    folder.mkdir()
    subprocess.run(["tar", "-xf", f"{folder}.tar", "-C", folder], check=True)
    if (folder / "requirements.txt").read_bytes() == (ROOT / "requirements.txt").read_bytes():
        return Code(folder, TODAY.python)
    install = "set -eu; . deploy/bootstrap.sh; make_venv requirements.txt"
    subprocess.run(["sh", "-c", install], cwd=folder, check=True)
    return Code(folder, folder / ".venv/bin/python")


def is_here(commit: str) -> bool:
    """Return whether this clone has the commit of a listed release; only a shallow one may lack it, with a warning."""
    if not _git("cat-file", "-e", commit).returncode:
        return True
    shallow = _git("rev-parse", "--is-shallow-repository").stdout.strip()
    assert shallow == "true", f"deploy/releases.toml lists {commit}, which the history of this clone has not."
    warnings.warn(f"This shallow clone lacks {commit}: type `git fetch --unshallow`.", stacklevel=2)
    return False


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
