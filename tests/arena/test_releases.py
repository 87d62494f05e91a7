"""Code that is older than its database, newer, or of another history."""

from __future__ import annotations

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from arena.celery import log_other_code
from arena.releases import difference_from_database
from deploy.prepare import release_check

pytestmark = [pytest.mark.database, pytest.mark.django_db]

OLDER = (
    "This code is older than its database, which has workshop.9999_of_a_later_release: install the release that has"
    " migrated it, or restore the backup that was taken before."
)
NEWER = (
    "This code is newer than its database, which lacks workshop.0001_release_2_0_0: take a backup and type"
    " `manage.py migrate`."
)


def applied(app: str, name: str) -> None:
    MigrationRecorder.Migration.objects.create(app=app, name=name)


def unapplied(app: str, *names: str) -> None:
    found = MigrationRecorder.Migration.objects.filter(app=app, name__in=names)
    assert found.delete()[0] == len(names)


def first(app: str) -> tuple[str, list[str]]:
    """Return the first migration of release 2.0.0 and the migrations of its development that it replaces."""
    migration = MigrationLoader(connection, replace_migrations=False).disk_migrations[app, "0001_release_2_0_0"]
    return migration.name, [name for _app, name in migration.replaces]


def refusals(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what a start, a typed ``migrate`` and a manager's log say."""
    with pytest.raises(SystemExit) as start:
        release_check()
    with pytest.raises(SystemCheckError) as typed:
        call_command("migrate", skip_checks=False)
    log_other_code()
    return [str(start.value.code), str(typed.value), caplog.text]


def test_code_of_the_databases_release_does_not_differ(caplog: pytest.LogCaptureFixture) -> None:
    assert difference_from_database() is None
    release_check()
    log_other_code()
    assert run_checks(databases=["default"]) == run_checks()
    assert "code_" not in caplog.text


def test_a_database_of_the_development_of_2_0_0_goes_on() -> None:
    """It has had all migrations that the first one of each app replaces, under their own names."""
    name, replaced = first("ladder")
    unapplied("ladder", name)
    assert len(replaced) == 9
    assert difference_from_database() is None


def test_older_code_starts_no_arena_and_logs_an_error(caplog: pytest.LogCaptureFixture) -> None:
    """Otherwise it starts, and fails at the first column that it does not know."""
    applied("workshop", "9999_of_a_later_release")
    assert all(OLDER in said for said in refusals(caplog))


def test_newer_code_migrates_its_database(caplog: pytest.LogCaptureFixture) -> None:
    name, replaced = first("workshop")
    unapplied("workshop", name, *replaced)
    release_check()
    log_other_code()
    assert NEWER in caplog.text
    assert run_checks(databases=["default"]) == run_checks()


@pytest.mark.parametrize(
    ("lost", "theirs"),
    [("0003_try_stored_bytes", "workshop.0002_draft_revision"), (None, "workshop.9999_of_another_history")],
)
def test_another_history_is_left_alone(lost: str | None, theirs: str, caplog: pytest.LogCaptureFixture) -> None:
    """It has had a part of the development of 2.0.0, or a branch that this code does not know."""
    name, replaced = first("workshop")
    unapplied("workshop", name, *([lost] if lost else replaced))
    if not lost:
        applied("workshop", "9999_of_another_history")
    sentence = (
        f"different histories: only the code has workshop.0001_release_2_0_0, only the database has {theirs}. Install"
        " the release that has migrated the database, or begin with an empty one."
    )
    assert all(sentence in said for said in refusals(caplog))
