"""Code that is older than its database."""

from __future__ import annotations

import pytest
from django.db.migrations.recorder import MigrationRecorder

from arena.celery import log_older_code
from arena.releases import code_is_older
from deploy.prepare import release_check

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_code_of_the_databases_release_is_not_older() -> None:
    assert code_is_older() == ""


def test_older_code_logs_an_error_at_its_start(caplog: pytest.LogCaptureFixture) -> None:
    """Otherwise it starts, and fails at the first column that it does not know."""
    MigrationRecorder.Migration.objects.create(app="ladder", name="9999_of_a_newer_release")
    with pytest.raises(SystemExit, match=r"which has ladder\.9999_of_a_newer_release"):
        release_check()
    log_older_code()
    assert "older than its database" in caplog.text
