"""Compares this code's release with the one that has migrated the database."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.loader import MigrationLoader


def code_is_older() -> str:
    """Return a sentence that says what to do if a newer release has migrated the database; empty if none has.

    Raises:
        django.db.OperationalError: the database is away.
    """
    loader = MigrationLoader(connection)
    apps = {app for app, _ in loader.disk_migrations}
    # Migrations that a squashed one replaces may have been applied, and their files deleted since.
    replaced = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    unknown = sorted(
        f"{app}.{name}"
        for app, name in set(loader.applied_migrations) - set(loader.disk_migrations) - replaced
        if app in apps
    )
    if not unknown:
        return ""
    return (
        f"This code is older than its database, which has {unknown[-1]}: install the release that has migrated it, or"
        " restore the backup that was taken before."
    )
