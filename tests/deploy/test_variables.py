"""Every environment variable that our programs read is documented, and every documented one is read."""

from __future__ import annotations

import re

import pytest

from deploy.processes import PLAYERS
from deploy.settings import ROOT
from workers.artifacts import AUTHORITIES

FOLDERS = (
    *("arena", "api", "fleet", "matches", "ladder", "jobs", "accounts", "common", "workers", "wire", "banzuke"),
    *("rating", "games", "sandbox", "core", "deploy"),
)
READ = re.compile(r"""(?:environ(?:\.get)?|env(?:\.\w+)?)[\[(]\s*"([A-Z][A-Z_]+)\"""")
TABLES = {"run/settings.md": "variable of `/etc/banzuke/site.env`", "run/hosts.md": "A playing worker needs"}
OTHERS = {"NOTIFY_SOCKET", "REMAP_SIGTERM", "DJANGO_SETTINGS_MODULE", "CI"}
"""Variables of systemd, Celery, Django and services that run tests."""


def read() -> set[str]:
    files = (path for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.py") if path.name != "test.py")
    return {name for path in files for name in READ.findall(path.read_text())} - OTHERS | {AUTHORITIES}


def table(file: str) -> set[str]:
    """Return the names of variables in a page's first table after the words in ``TABLES``."""
    rest = (ROOT / "docs" / file).read_text().partition(TABLES[file])[2].lstrip("`:")
    lines = re.search(r"(?:^\|.*\n)+", rest, re.MULTILINE)
    assert lines
    return {name for line in lines[0].splitlines() for name in re.findall(r"`([A-Z][A-Z_]+)", line.split("|")[1])}


def test_every_variable_is_documented() -> None:
    pages = "".join(page.read_text() for page in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"))
    assert {name for name in read() if not re.search(rf"\b{name}\b", pages)} == set()


@pytest.mark.parametrize("file", TABLES)
def test_every_documented_variable_is_read(file: str) -> None:
    names = table(file)
    assert len(names) > 8
    assert names - read() - OTHERS == set()


def test_an_arena_passes_all_worker_settings_to_its_worker() -> None:
    ours = {"REDIS_URL", "SANDBOX", "WORKER_CACHE", "HEALTH_FILE", "REQUESTS_CA_BUNDLE"}
    assert table("run/hosts.md") - OTHERS - ours == set(PLAYERS)
