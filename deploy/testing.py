"""``python -m deploy.testing``: every check of the project, against real servers. ``make test`` calls it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from deploy.arena import interrupted, say
from deploy.servers import (
    ServerFailed,
    engine_possible,
    engine_running,
    image_building,
    postgres_possible,
    postgres_running,
)
from deploy.settings import ROOT

PYTHON = sys.executable
PYTEST = [PYTHON, "-m", "pytest", "-q", "--no-loadscope-reorder"]
LANES = "3"
"""Number of lanes of tests at a time (see tests/conftest.py), for two cores: two of the first three mostly wait."""
POSTGRES_OPTIONS = "-c autovacuum=off"
"""Who counts a table's rows between two tests finds none, and then plans for none: a query of 0.1 s took 50."""
TESTING = {"DJANGO_SETTINGS_MODULE": "arena.settings.test"}
STATIC_CHECKS: tuple[tuple[str, list[str], dict[str, str]], ...] = (
    ("lint", [PYTHON, "-m", "ruff", "check", "."], {}),
    ("format", [PYTHON, "-m", "ruff", "format", "--check", "."], {}),
    ("types", [PYTHON, "-m", "mypy"], {}),
    ("layers", [str(Path(PYTHON).with_name("lint-imports"))], {}),
    ("scripts", [PYTHON, "-m", "deploy.eslint"], {}),
    ("migrations", [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"], TESTING),
)
LOG_LINES_SHOWN = 40


class CheckFailed(Exception):  # noqa: N818 - reads as what happened
    """A check found something; its output is on the terminal."""


def main() -> int:
    """Run the checks in order, until one fails.

    Returns:
        The exit code.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    with tempfile.TemporaryDirectory(prefix="banzuke-", ignore_cleanup_errors=True) as folder:
        try:
            check_all(Path(folder))
        except (CheckFailed, ServerFailed) as reason:
            logs_show(Path(folder))
            say(str(reason))
            return 1
        except KeyboardInterrupt:
            say("Ended before all checks were done.")
            return 130
    return 0


def check_all(folder: Path) -> None:
    """Run the static checks beside the tests of the database on SQLite, and then all tests on PostgreSQL."""
    folder.chmod(0o711)  # the database's account must be able to reach its folder
    with ExitStack() as servers:
        env, image_wait = {}, None
        if engine_possible():
            say("== starting a Docker engine; its image is built beside the next checks")
            env["DOCKER_HOST"] = servers.enter_context(engine_running(folder / "d"))
            image_wait = servers.enter_context(image_building(env["DOCKER_HOST"], folder / "image.log"))
        static = servers.enter_context(static_checks_running())
        # Only the files with the mark: to collect all tests takes longer than to run these.
        files = (file for file in (ROOT / "tests").rglob("test_*.py") if "pytest.mark.database" in file.read_text())
        check("tests of the database on SQLite", [*PYTEST, "-n", "2", "-m", "database", *map(str, sorted(files))], env)
        if static.wait():
            raise CheckFailed("A static check failed.")
        if postgres_possible():
            say("== starting PostgreSQL")
            env["DATABASE_URL"] = servers.enter_context(postgres_running(folder / "p", POSTGRES_OPTIONS))
        else:
            say("PostgreSQL is not installed: all tests run on SQLite.")
        if image_wait:
            image_wait()
        check("all tests", [*PYTEST, "-n", LANES, *sys.argv[1:]], env)


def static_checks_running() -> subprocess.Popen[bytes]:
    """Start the static checks, each of which uses one core."""
    return subprocess.Popen([PYTHON, "-m", "deploy.static_checks"], cwd=ROOT)  # noqa: S603


def check(name: str, argv: list[str], env: dict[str, str]) -> None:
    """Run one check.

    Raises:
        CheckFailed: it found something.
    """
    say(f"== {name}")
    result = subprocess.run(argv, cwd=ROOT, env={**clean_environment(), **env}, check=False)  # noqa: S603
    if result.returncode:
        raise CheckFailed(f"The check “{name}” failed.")


def clean_environment() -> dict[str, str]:
    """Return our environment without what would point the tests at somebody's real arena, or hold them up."""
    ours = {"DATA", "PORT", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "BANZUKE_URL", "SANDBOX", "DOCKER_HOST"}
    slow = {"PYTHONDONTWRITEBYTECODE"}  # each process would compile all of it, and pytest rewrite all tests, anew
    return {name: value for name, value in os.environ.items() if name not in ours | slow}


def logs_show(folder: Path) -> None:
    """Print the last lines of every server's log."""
    for log in sorted(folder.glob("*.log")):
        lines = log.read_text(errors="replace").splitlines()[-LOG_LINES_SHOWN:]
        say("\n".join([f"-- {log.name}", *lines]))


if __name__ == "__main__":
    sys.exit(main())
