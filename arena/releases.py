"""Compares the migrations of this code with those that its database has had."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from django.core.checks import Error, Tags, register
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _


class Differs(StrEnum):
    """How code differs from the code that has migrated its database; the values stand in logs."""

    OLDER = "code_is_older"
    NEWER = "code_is_newer"
    OTHER = "code_has_other_history"
    """Code and database each have migrations that the other one lacks."""


class Difference(NamedTuple):
    """How this code differs from its database, and what to do."""

    differs: Differs
    sentence: str


def difference_from_database() -> Difference | None:
    """Return how this code differs from its database; None: it does not.

    Raises:
        django.db.OperationalError: the database is away.
    """
    loader = MigrationLoader(connection, replace_migrations=False)
    applied, lacking = set(loader.applied_migrations), []
    known = set(loader.disk_migrations)
    for key, migration in loader.disk_migrations.items():
        # The first migrations of release 2.0.0 replace those of its development, whose files are deleted.
        replaced = set(migration.replaces)
        if key in applied or (replaced and replaced <= applied):
            known |= replaced
        else:
            lacking.append(key)
    apps = {app for app, _name in loader.disk_migrations}
    unknown = [key for key in applied - known if key[0] in apps]
    names = {of: ".".join(max(keys, default=())) for of, keys in (("ours", lacking), ("theirs", unknown))}
    if lacking and unknown:
        sentence = _(
            "This code and its database have different histories: only the code has %(ours)s, only the database has"
            " %(theirs)s. Install the release that has migrated the database, or begin with an empty one."
        )
        return Difference(Differs.OTHER, sentence % names)
    if unknown:
        sentence = _(
            "This code is older than its database, which has %(theirs)s: install the release that has migrated it, or"
            " restore the backup that was taken before."
        )
        return Difference(Differs.OLDER, sentence % names)
    sentence = _(
        "This code is newer than its database, which lacks %(ours)s: take a backup and type `manage.py migrate`."
    )
    return Difference(Differs.NEWER, sentence % names) if lacking else None


@register(Tags.database)
def database_can_be_migrated(**options: Any) -> list[Error]:
    """Keep ``manage.py migrate`` from a database that a later release or another history has migrated."""
    found = difference_from_database() if options["databases"] else None
    if found is None or found.differs == Differs.NEWER:
        return []
    return [Error(found.sentence, id="arena.E013")]
