"""The database behind a test that commits: emptied as Django does it, in a small part of the time."""

from __future__ import annotations

from functools import cache

from django.db import connection, transaction

from ladder.services.games import game_settings_ensure

KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""What follows from the models alone: no test writes to it."""


def database_empty(_: object = None) -> None:
    """Leave what a migrated database has.

    Django truncates all tables, for which PostgreSQL makes hundreds of files, and writes anew what is ``KEPT``.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # As truncating does, it waits for requests that nobody waits for: the next test would find what they write.
            cursor.execute(f"LOCK TABLE {', '.join(_tables())}")
        for table in _tables():
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own tables
        game_settings_ensure()


@cache
def _tables() -> list[str]:
    names = set(connection.introspection.django_table_names()) - KEPT
    return [connection.ops.quote_name(name) for name in sorted(names)]
