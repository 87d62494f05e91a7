"""``python -m deploy.checking``: the static checks, and beside them the tests of changed files (``make check``).

It takes 90 seconds at most, and is for every small change; ``make test`` is for what is handed in.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from pathlib import PurePosixPath

import pytest

from deploy.arena import say
from deploy.settings import ROOT
from deploy.testing import static_checks_running

TESTS_SECONDS = 75
"""No test begins later than this many seconds after the first."""
MARKS = "not arena and not engine"
"""An arena, or the image for a Docker engine, takes longer to start than the whole check may take."""


class Plugin:
    """Tell pytest in which order to run the tests, and which of them to leave out.

    Args:
        changed: the changed test files; they come first, and only they use a browser.
        seconds: after this time no further test is begun.
    """

    def __init__(self, changed: Iterable[str], seconds: float) -> None:
        self.left_out = 0
        self._changed = set(changed)
        self._ends_at = time.monotonic() + seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """Put the tests of changed files first and drop browser tests of others, when all other plugins are done."""
        yield
        wanted = [item for item in items if self._is_changed(item) or not item.get_closest_marker("browser")]
        items[:] = sorted(wanted, key=lambda item: not self._is_changed(item))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Leave out and count a test that it is too late to begin: True tells pytest to do nothing more with it."""
        if time.monotonic() < self._ends_at:
            return None
        self.left_out += 1
        return True

    def _is_changed(self, item: pytest.Item) -> bool:
        return item.nodeid.partition("::")[0] in self._changed


def main() -> int:
    """Run the static checks in a process of their own and the tests in this one; return 1 when something failed."""
    # The files, but for deleted ones, that differ from where this branch left ``main``, committed or not; where there
    # is no ``main``, those that differ from the last commit.
    base = (_git("merge-base", "HEAD", "main") or ["HEAD"])[0]
    tracked = _git("diff", "--name-only", "--diff-filter=d", base)
    changed = sorted({*tracked, *_git("ls-files", "--others", "--exclude-standard")})
    own = [file for file in changed if _is_test(file)]
    plugin, status = Plugin(own, TESTS_SECONDS), pytest.ExitCode.NO_TESTS_COLLECTED
    with static_checks_running() as static:
        if tests := dict.fromkeys([*own, *importing_tests(changed)]):
            status = pytest.ExitCode(
                pytest.main(["-q", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-m", MARKS, *tests], [plugin])
            )
        failed = static.wait() or status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    if plugin.left_out:
        say(f"There was no time for {plugin.left_out} tests; `make test` runs them.")
    return int(bool(failed))


def importing_tests(changed: Iterable[str]) -> list[str]:
    """Return the test files that import one of the changed modules directly; those named like it come first."""
    modules = {module_of(file) for file in changed if file.endswith(".py")}
    stems = {PurePosixPath(file).stem for file in changed}
    found = [path for path in (ROOT / "tests").rglob("test_*.py") if modules & imported_by(path.read_text())]
    found.sort(key=lambda path: (path.stem.removeprefix("test_") not in stems, path))
    return [str(path.relative_to(ROOT)) for path in found]


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


def _git(*argv: str) -> list[str]:
    result = subprocess.run(["git", *argv], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return result.stdout.splitlines() if result.returncode == 0 else []


def _is_test(file: str) -> bool:
    path = PurePosixPath(file)
    return path.parts[0] == "tests" and path.match("test_*.py")


if __name__ == "__main__":
    sys.exit(main())
