"""``python -m deploy.release VERSION``: makes the commit of a release, and the one that begins the next version.

The first commit raises the version and closes the changelog's open section. The second one lists the first with its
hash in ``deploy/releases.toml``, and gives the code a development version.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from deploy.settings import ROOT

VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})\.\d{1,4}")
OPEN = "## Unreleased\n"
NAMED = {
    "pyproject.toml": re.compile(r'(?m)^(version = )".*"$'),
    "core/__init__.py": re.compile(r'(__version__ = )".*"'),
}
"""Where the files that name the version do so."""


def release_make(root: Path, version: str) -> None:
    """Make both commits in a checkout without changes, for a version as ``2.1.0``.

    Raises:
        SystemExit: the version has another form, a file has changes, or the changelog has no open section.
    """
    parts = VERSION.fullmatch(version)
    changelog = (root / "CHANGELOG.md").read_text()
    if parts is None:
        sys.exit("Name the version as 2.1.0.")
    if _git(root, "status", "--porcelain"):
        sys.exit("Commit what has changed first.")
    if OPEN not in changelog:
        sys.exit(f"CHANGELOG.md has no line {OPEN.strip()!r}.")
    today = datetime.now(tz=UTC).date()
    closed = changelog.replace(OPEN, f"## {version}\n\n{today}.\n", 1)
    _version_set(root, version)
    (root / "CHANGELOG.md").write_text(closed)
    commit = _commit(root, f"Release {version}")

    following = f"{parts[1]}.{int(parts[2]) + 1}.0.dev0"
    _version_set(root, following)
    (root / "CHANGELOG.md").write_text(closed.replace("## ", f"{OPEN}\n## ", 1))
    listed = root / "deploy/releases.toml"
    head, newer, older = listed.read_text().partition("\n[[releases]]\n")
    entry = f'\n[[releases]]\nversion = "{version}"\ndate = {today}\ncommit = "{commit}"\n'
    listed.write_text(f"{head}{entry}{newer}{older}")
    _commit(root, f"Begin version {following}")


def _version_set(root: Path, version: str) -> None:
    for name, before in NAMED.items():
        text, count = before.subn(rf'\g<1>"{version}"', (root / name).read_text(), count=1)
        if not count:
            sys.exit(f"{name} names no version.")
        (root / name).write_text(text)


def _commit(root: Path, subject: str) -> str:
    """Commit all changes, and return the commit's hash."""
    _git(root, "commit", "--quiet", "--all", f"--message={subject}")
    return _git(root, "rev-parse", "HEAD")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode:
        sys.exit(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m deploy.release", description="Make the commits of a release.")
    parser.add_argument("version", help="such as 2.1.0")
    release_make(ROOT, parser.parse_args().version)
