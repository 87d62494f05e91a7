"""Whether this code is of the release that the database was made for."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.loader import MigrationLoader


def code_is_older() -> str:
    """Say that the database has been migrated by a newer release than this one, and what to do; empty if it has not.

    Raises:
        django.db.OperationalError: the database is away.
    """
    loader = MigrationLoader(connection)
    ours = {app for app, _ in loader.disk_migrations}
    unknown = sorted(
        f"{app}.{name}"
        for app, name in set(loader.applied_migrations) - set(loader.disk_migrations)
        if app in ours and (app, name) not in _replaced(loader)
    )
    if not unknown:
        return ""
    return (
        f"This code is older than its database, which has {unknown[-1]}: install the release that has migrated it, or"
        " restore the backup that was taken before."
    )


def _replaced(loader: MigrationLoader) -> set[tuple[str, str]]:
    """Return the migrations that others stand for, whose files may be gone."""
    return {old for migration in loader.disk_migrations.values() for old in migration.replaces}
