"""Builds wheels, and virtual environments in which they are installed, without network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.settings import ROOT


def wheel_built(source: Path, wheels: Path) -> Path:
    """Build the wheel of a copy of this source tree.

    Args:
        source: an empty folder, for the copy.
        wheels: an empty folder, for the wheel.

    Returns:
        The path of the wheel.
    """
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
    (made,) = wheels.iterdir()
    return made


def venv_made(folder: Path) -> Path:
    """Make a virtual environment that takes the packages it needs from this one, and return its folder."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    ours = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "ours.pth").write_text("\n".join(ours))
    return folder


def pip_install(venv: Path, *arguments: str | Path, cwd: Path = ROOT) -> None:
    """Install packages into a virtual environment, without their dependencies."""
    options = ["-q", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "install", *options, *arguments]
    subprocess.run(command, cwd=cwd, check=True)
