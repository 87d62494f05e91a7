"""The commits of a release, and the list of releases."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from deploy.release import VERSION, release_make
from deploy.settings import ROOT
from tests.releases import releases

FILES = {
    "pyproject.toml": '[project]\nname = "banzuke"\nversion = "1.0.0"\n[tool]\nversion = "9"\n',
    "core/__init__.py": '"""The core."""\n\n__version__ = "1.0.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\nBefore the upgrade: nothing.\n\n## 1.0.0\n\nThe first release.\n",
    "deploy/releases.toml": "# The releases.\n",
}


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with the files that a release changes."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@arena.example")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=Begin")
    return tmp_path


def version_of(root: Path, commit: str) -> tuple[str, str]:
    """Return the version that a commit's package and code have."""
    project = tomllib.loads(git(root, "show", f"{commit}:pyproject.toml"))["project"]["version"]
    return project, git(root, "show", f"{commit}:core/__init__.py").partition('__version__ = "')[2].partition('"')[0]


def test_a_release_is_one_commit_which_the_next_one_lists(checkout: Path) -> None:
    release_make(checkout, "2.0.0")
    release_make(checkout, "2.1.0")
    subjects = git(checkout, "log", "--format=%s").splitlines()
    assert subjects == [
        "Begin version 2.2.0.dev0",
        "Release 2.1.0",
        "Begin version 2.1.0.dev0",
        "Release 2.0.0",
        "Begin",
    ]
    listed = tomllib.loads((checkout / "deploy/releases.toml").read_text())["releases"]
    assert [(row["version"], row["commit"]) for row in listed] == [
        ("2.1.0", git(checkout, "rev-parse", "HEAD~1")),
        ("2.0.0", git(checkout, "rev-parse", "HEAD~3")),
    ]
    assert version_of(checkout, "HEAD~3") == ("2.0.0", "2.0.0")
    assert version_of(checkout, "HEAD") == ("2.2.0.dev0", "2.2.0.dev0")
    assert git(checkout, "status", "--porcelain") == ""
    headings = [line for line in (checkout / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert headings == ["## Unreleased", "## 2.1.0", "## 2.0.0", "## 1.0.0"]
    assert "## Unreleased" not in git(checkout, "show", "HEAD~3:CHANGELOG.md")


@pytest.mark.parametrize(
    ("version", "changed", "sentence"),
    [
        ("two", {}, "Name the version as 2.1.0."),
        ("2.0.0", {"pyproject.toml": "# changed\n"}, "Commit what has changed first."),
    ],
)
def test_a_release_is_refused_in_a_sentence(
    version: str, changed: dict[str, str], sentence: str, checkout: Path
) -> None:
    for name, text in changed.items():
        (checkout / name).write_text(text)
    with pytest.raises(SystemExit) as refused:
        release_make(checkout, version)
    assert refused.value.code == sentence
    assert git(checkout, "log", "--format=%s") == "Begin"


def test_each_listed_release_is_the_commit_of_its_version() -> None:
    """The newest one is first; today's code is of a later version."""
    listed = releases()
    for row in listed:
        git(ROOT, "merge-base", "--is-ancestor", row["commit"], "HEAD")
        assert version_of(ROOT, row["commit"]) == (row["version"], row["version"])
    versions = [tuple(map(int, row["version"].split("."))) for row in listed]
    assert versions == sorted(versions, reverse=True)
    today = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert today not in {row["version"] for row in listed}
    assert VERSION.match(today)
