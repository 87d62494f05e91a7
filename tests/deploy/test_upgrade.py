"""An arena of the newest release is upgraded as the administrators' guide says: nothing is lost, and it goes on."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from deploy.data import secrets_load
from tests.releases import TODAY, Code, newest_release

pytestmark = pytest.mark.timeout(1_200)

GONE: set[str] = set()
"""Tables, and columns as ``table.column``, that today's code has taken away since the newest release."""
NOTED = {"django_migrations", "django_session"}
"""Tables whose rows tell of the database itself."""
FILLED = {
    "contests_finalboard",
    "exhibitions_exhibition",
    "ladder_botversion",
    "ladder_rating",
    "matches_result",
    "tournaments_tableseat",
    "workshop_try",
}
"""Tables that have rows before the upgrade, among others."""
OURS = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "DATA", "GAMES")

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def release(tmp_path: Path) -> Code:
    return newest_release(tmp_path / "release")


@pytest.fixture
def settings_env(tmp_path: Path, broker_url: str) -> dict[str, str]:
    """The environment of an arena, without its database."""
    data = tmp_path / "data"
    data.mkdir()
    secrets_load(data)
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    return {**clean, "DATA": str(data), "REDIS_URL": broker_url, "BANZUKE_URL": "http://localhost:8000"}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.test_all)])
def arena(request: pytest.FixtureRequest, settings_env: dict[str, str]) -> tuple[dict[str, str], Callable[[], Any]]:
    """The environment of an empty arena on each database, and what connects to that."""
    if request.param == "sqlite":
        env = {**settings_env, "DJANGO_SETTINGS_MODULE": "arena.settings.embedded"}
        return env, lambda: sqlite3.connect(Path(env["DATA"]) / "db.sqlite3")
    url = f"{request.getfixturevalue('postgres')}/postgres"
    env = {**settings_env, "DJANGO_SETTINGS_MODULE": "arena.settings.production", "DATABASE_URL": url}
    return env | {"SECRET_KEY": "of a test", "ALLOWED_HOSTS": "localhost"}, lambda: psycopg.connect(url)


def rows_of(connection: Any) -> Rows:
    """Return all rows of a database by table, each with its columns by name."""
    cursor = connection.cursor()
    catalogue = (
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        if isinstance(connection, sqlite3.Connection)
        else "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    )
    tables = [table for (table,) in cursor.execute(catalogue).fetchall()]
    found: Rows = {}
    for table in tables:
        cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a name of the catalogue
        names = [column[0] for column in cursor.description]
        found[table] = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return found


def lost(before: Rows, after: Rows) -> Iterator[str]:
    """Yield each row that is not as it was before, by the columns that both databases have."""
    for table in sorted(before.keys() - NOTED - GONE):
        if not before[table]:
            continue
        columns = [name for name in before[table][0] if f"{table}.{name}" not in GONE]

        def row(values: dict[str, Any], names: list[str] = columns) -> str:
            return repr([values.get(name, "no such column") for name in names])

        missing = Counter(map(row, before[table])) - Counter(map(row, after.get(table, [])))
        yield from (f"{table}: {values}" for values in missing)


def test_an_arena_of_the_newest_release_goes_on(release: Code, arena: tuple[dict[str, str], Callable[[], Any]]) -> None:
    env, connect = arena
    release.run("-m", "deploy.prepare", env=env)
    release.run("-m", "tests.deploy.upgraded", "fill", env=env)
    seen = json.loads(release.run("-m", "tests.deploy.upgraded", "look", env=env))
    with closing(connect()) as connection:
        before = rows_of(connection)
    assert {table for table in before if before[table]} >= FILLED
    assert seen["wrong"] == {}
    assert len(seen["replays"]) > 4

    TODAY.run("-m", "deploy.prepare", env=env)
    with closing(connect()) as connection:
        after = rows_of(connection)
    assert list(lost(before, after)) == []
    assert json.loads(TODAY.run("-m", "tests.deploy.upgraded", "look", env=env)) == seen
    TODAY.run("-m", "tests.deploy.upgraded", "go_on", env=env)
