"""``python -m deploy.checking``: the static checks, and beside them the tests of changed files (``make check``).

It takes 90 seconds at most, and is for every small change; ``make test`` is for what is handed in.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import pytest

from deploy.arena import say
from deploy.settings import ROOT
from deploy.testing import QUICK_CHECKS, SLOW_CHECKS, CheckFailed, check

TESTS_SECONDS = 75
"""No test begins later than this."""
QUICK = "not arena and not engine and not browser"
NO_SERVERS = "not arena and not engine"
"""An arena or the image for a Docker engine alone take longer than the whole check may."""


class Deadline:
    """A plugin of pytest that leaves out all tests that have not begun in time."""

    def __init__(self, seconds: float) -> None:
        self.left_out = 0
        self._ends_at = time.monotonic() + seconds

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Tell pytest that this test is done, when it is too late to begin it."""
        if time.monotonic() < self._ends_at:
            return None
        self.left_out += 1
        return True


def main() -> int:
    """Run the static checks in one thread and the tests in this one.

    Returns:
        The exit code.
    """
    files = changed_files()
    deadline = Deadline(TESTS_SECONDS)
    with ThreadPoolExecutor(1) as beside:
        static = beside.submit(static_checks)
        failed = [name for name, argv in test_runs(files) if tests_fail(argv, deadline)]
        failed += static.result()
    if deadline.left_out:
        say(f"Too late for {deadline.left_out} tests: `make test` runs them.")
    say(f"Failed: {', '.join(failed)}." if failed else "All is well.")
    return 1 if failed else 0


def static_checks() -> list[str]:
    """Run all static checks, and return the names of those that found something."""
    failed = []
    for name, argv, env in (*QUICK_CHECKS, *SLOW_CHECKS):
        try:
            check(name, argv, env)
        except CheckFailed:
            failed.append(name)
    return failed


def tests_fail(argv: list[str], deadline: Deadline) -> bool:
    """Run tests in this process, and tell whether one failed; that the marks select none is no failure."""
    return pytest.main(argv, [deadline]) not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def test_runs(changed: list[str]) -> list[tuple[str, list[str]]]:
    """Return names and pytest's arguments: changed test files first, then the quick tests of other changed files."""
    own = [file for file in changed if _is_test(file)]
    concerned = [file for file in tests_of(changed) if file not in own]
    return [
        (name, ["-q", "-m", marks, *files])
        for name, marks, files in (("changed tests", NO_SERVERS, own), ("tests of changed files", QUICK, concerned))
        if files
    ]


def tests_of(changed: Iterable[str]) -> list[str]:
    """Return the test files that import one of the changed modules directly; those of the same name come first."""
    modules = {module_of(file) for file in changed if file.endswith(".py")}
    stems = {PurePosixPath(file).stem for file in changed}
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if modules & imported_by(path.read_text())
    ]
    return sorted(found, key=lambda file: PurePosixPath(file).stem.removeprefix("test_") not in stems)


def imported_by(source: str) -> set[str]:
    """Return the dotted names that a program imports; of ``from a import b`` both ``a`` and ``a.b``."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def module_of(file: str) -> str:
    """Return the dotted name of a Python file."""
    return ".".join(PurePosixPath(file).with_suffix("").parts).removesuffix(".__init__")


def changed_files() -> list[str]:
    """Return the files that differ from where this branch left ``main``, committed or not; deleted ones are not told.

    Where there is no ``main``: those that differ from the last commit.
    """
    base = (_git("merge-base", "HEAD", "main") or ["HEAD"])[0]
    tracked = _git("diff", "--name-only", "--diff-filter=d", base)
    return sorted({*tracked, *_git("ls-files", "--others", "--exclude-standard")})


def _git(*argv: str) -> list[str]:
    result = subprocess.run(["git", *argv], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return result.stdout.splitlines() if result.returncode == 0 else []


def _is_test(file: str) -> bool:
    return Path(file).parts[0] == "tests" and Path(file).match("test_*.py")


if __name__ == "__main__":
    sys.exit(main())
