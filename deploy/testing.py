"""``python -m deploy.testing [--all] [OPTION...]``: checks of the project, against real servers.

``make test`` calls it, and ``make test-all`` with ``--all``; other options are handed on to pytest.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deploy.arena import interrupted, say
from deploy.servers import KEPT, ServerFailed, engine_possible, engine_with_image, postgres_possible, postgres_running
from deploy.settings import ROOT

PYTHON = sys.executable
PYTEST = [PYTHON, "-m", "pytest", "-q"]
PROCESSES = ["-n", "3", "--no-loadscope-reorder"]
"""Three processes run lanes of tests (see tests/lanes.py) on two cores, since some lanes mostly wait."""
POSTGRES_OPTIONS = "-c autovacuum=off"
"""Autovacuum may count a table's rows between two tests, when it is empty; PostgreSQL then plans queries for an empty
table, and one of 0.1 s took 50 s."""
TESTING = {"DJANGO_SETTINGS_MODULE": "arena.settings.test"}
TEMPLATE = "migrated"
"""The database that is copied for each process of tests, since to migrate one takes longer."""
STATIC_CHECKS: tuple[tuple[str, list[str], dict[str, str]], ...] = (
    ("lint", [PYTHON, "-m", "ruff", "check", "."], {}),
    ("format", [PYTHON, "-m", "ruff", "format", "--check", "."], {}),
    ("types", [PYTHON, "-m", "mypy"], {"MYPY_CACHE_DIR": str(KEPT / "mypy")}),
    ("layers", [str(Path(PYTHON).with_name("lint-imports"))], {}),
    ("scripts", [PYTHON, "-m", "deploy.eslint"], {}),
    ("templates", [PYTHON, "-m", "djlint", "--lint", "--quiet", *map(str, sorted(ROOT.glob("*/templates")))], {}),
    ("migrations", [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"], TESTING),
)
LOG_LINES_SHOWN = 40
OF_ALL = re.compile(r"^pytestmark = .*", re.MULTILINE)
"""The markers of all tests of a file."""


class CheckFailed(Exception):  # noqa: N818 - reads as what happened
    """A check found something; its output is on the terminal."""


def main(arguments: list[str]) -> int:
    """Run the checks in order until one fails; return 0 if all passed, 1 if one failed, 130 after an interruption."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    parser = argparse.ArgumentParser(prog="python -m deploy.testing", allow_abbrev=False)
    parser.add_argument("--all", action="store_true", help="run the tests marked test_all as well")
    known, options = parser.parse_known_args(arguments)
    with tempfile.TemporaryDirectory(prefix="banzuke-", ignore_cleanup_errors=True) as folder:
        try:
            check_all(Path(folder), everything=known.all, options=options)
        except (CheckFailed, ServerFailed) as reason:
            logs_show(Path(folder))
            say(str(reason))
            return 1
        except KeyboardInterrupt:
            say("Ended before all checks were done.")
            return 130
    return 0


def check_all(folder: Path, *, everything: bool, options: list[str]) -> None:
    """Run the static checks beside tests on SQLite, then tests that need a quiet machine, then the others.

    With ``everything``, tests marked ``test_all`` are run, too, and those marked ``slow_on_sqlite`` also on SQLite.
    Pytest gets ``options`` in the last step.

    Raises:
        CheckFailed: a check found something.
        ServerFailed: a server did not start.
    """
    folder.chmod(0o711)  # the database's account must be able to reach its folder
    left_out, slow = ([], []) if everything else (["test_all"], ["slow_on_sqlite"])
    with ExitStack() as servers:
        env: dict[str, str] = {}
        postgres: dict[str, str] = {}
        started: list[subprocess.Popen[bytes]] = []
        image_wait = None
        if engine_possible():
            say("== starting a Docker engine; if no image is kept, it is built beside the next checks")
            env["DOCKER_HOST"], image_wait = servers.enter_context(engine_with_image(folder))
        if postgres_possible():
            say("== starting PostgreSQL, and migrating a database that the tests copy")
            url = servers.enter_context(postgres_running(folder / "p", POSTGRES_OPTIONS))
            started.append(servers.enter_context(template_migrating(url)))
            postgres = {"DATABASE_URL": url, "DATABASE_TEMPLATE": TEMPLATE}
        else:
            say("PostgreSQL is not installed: all tests run on SQLite.")
        started.append(servers.enter_context(static_checks_running()))
        # They collect all tests: after that, pytest has compiled their files for the processes of the last step.
        of_database = [*marked("database", [*left_out, *slow]), *files_ignored(left_out)]
        check("tests of the database on SQLite", [*PYTEST, "-n", "2", *of_database], env)
        codes = [process.wait() for process in started]
        if any(codes):
            raise CheckFailed("A static check failed, or the database could not be migrated.")
        env |= postgres
        if image_wait:
            image_wait()
        check("tests that need a quiet machine", [*PYTEST, *marked("quiet", left_out), *files_with("quiet")], env)
        others = [*marked("", ["quiet", *left_out]), *files_ignored(left_out)]
        check("all other tests", [*PYTEST, *PROCESSES, *others, *options], env)


def marked(marker: str, without: list[str]) -> list[str]:
    """Return the options of pytest for the tests that have a marker, if one is given, and none of the others."""
    return ["-m", " and ".join([*filter(None, [marker]), *(f"not {other}" for other in without)])]


def files_with(marker: str) -> list[str]:
    """Return the test files that have a marker: to collect all tests takes longer than to run a few."""
    return [str(path) for path in test_files() if f"mark.{marker}" in path.read_text()]


def files_ignored(markers: list[str]) -> list[str]:
    """Return pytest's options to ignore files whose tests all have one of the markers: reading them takes long."""
    marks = ((path, "".join(OF_ALL.findall(path.read_text()))) for path in test_files())
    return [f"--ignore={path}" for path, line in marks if any(f"mark.{marker}" in line for marker in markers)]


def test_files() -> list[Path]:
    """Return the files that may have tests."""
    return sorted((ROOT / "tests").rglob("test_*.py"))


def template_migrating(database_url: str) -> subprocess.Popen[bytes]:
    """Make the database ``TEMPLATE``, start to migrate it, and return the process that does."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    url = urlsplit(database_url)._replace(path=f"/{TEMPLATE}").geturl()
    argv = [PYTHON, "manage.py", "migrate", "--verbosity=0"]
    env = {**clean_environment(), **TESTING, "DATABASE_URL": url}
    return subprocess.Popen(argv, cwd=ROOT, env=env)  # noqa: S603


def static_checks_running() -> subprocess.Popen[bytes]:
    """Start the static checks, one after the other on one core, and return their process."""
    return subprocess.Popen([PYTHON, "-m", "deploy.static_checks"], cwd=ROOT)  # noqa: S603


def check(name: str, argv: list[str], env: dict[str, str]) -> None:
    """Run one check, and print how long it took; raise CheckFailed if it has found something."""
    say(f"== {name}")
    begun = time.monotonic()
    result = subprocess.run(argv, cwd=ROOT, env={**clean_environment(), **env}, check=False)  # noqa: S603
    say(f"== {name}: {time.monotonic() - begun:.0f} s")
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
    sys.exit(main(sys.argv[1:]))
