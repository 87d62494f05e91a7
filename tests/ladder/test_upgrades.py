"""An older site goes on while the database is already that of a newer one: with containers, and on several machines.

What it reads has to be there still, and what it writes must not lack a column that it has never heard of. Django fills
columns by default itself and leaves nothing in the database, unless a field has ``db_default``:
https://docs.djangoproject.com/en/5.2/ref/models/fields/#db-default
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.apps.registry import Apps
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader

pytestmark = [pytest.mark.database, pytest.mark.django_db]

OWN = ("fleet", "ladder", "matches")
# They came before the first release, when a site was stopped for it. No more of them: the next gets a ``db_default``.
NEEDED_BEFORE_RELEASES = {
    "ladder_bot.league",
    "ladder_bot.name_key",
    "ladder_bot.name_look",
    "ladder_rating.game",
    "ladder_rating.listed",
    "ladder_user.uploads_stopped",
    "matches_match.kind",
    "matches_match.queue_class",
    "matches_match.tallied",
    "matches_result.log_digest",
}


def test_older_sites_read_what_is_there_and_write_all_that_is_needed() -> None:
    lost: set[str] = set()
    needed: set[str] = set()
    for apps in older_apps():
        for model in own_models(apps):
            known = {field.column for field in model._meta.local_concrete_fields}
            lost |= named(model, known - columns(model).keys())
            needed |= named(model, {name for name, must in columns(model).items() if must} - known)
    assert lost == set()
    assert needed == NEEDED_BEFORE_RELEASES


def test_a_column_with_a_default_of_the_database_need_not_be_known() -> None:
    assert table_columns("ladder_user")["sessions_ended"] is False
    assert table_columns("ladder_user")["username"] is True


def older_apps() -> Iterator[Apps]:
    """Yield the models as they were after each migration of ours."""
    loader = MigrationLoader(connection)
    for node in loader.graph.nodes:
        if node[0] in OWN:
            yield loader.project_state(node).apps


def own_models(apps: Apps) -> Iterator[type[models.Model]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label in OWN:
            yield model


def named(model: type[models.Model], names: set[str]) -> set[str]:
    return {f"{model._meta.db_table}.{name}" for name in names}


def columns(model: type[models.Model]) -> dict[str, bool]:
    return table_columns(model._meta.db_table)


def table_columns(table: str) -> dict[str, bool]:
    """Return each column's name, and whether a new row must give it a value; nothing for a table that is not there."""
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return {}
        described = connection.introspection.get_table_description(cursor, table)
    return {column.name: not column.null_ok and column.default is None for column in described}
