"""The health endpoint against real servers, present and absent."""

from __future__ import annotations

import pytest
from django.db import DatabaseError
from django.test import Client
from pytest_django.fixtures import Settings

from deploy.broker import free_port

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_all_is_well(client: Client, settings: Settings, broker_url: str) -> None:
    settings.REDIS_URL = broker_url
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("address", ["", "redis://127.0.0.1:{port}"])
def test_a_missing_broker_is_told_without_its_address(client: Client, settings: Settings, address: str) -> None:
    settings.REDIS_URL = address.format(port=free_port())
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.content.startswith(b"broker: ")
    assert b"127.0.0.1" not in response.content


def test_a_missing_database_is_told(
    client: Client, settings: Settings, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise DatabaseError

    settings.REDIS_URL = broker_url
    monkeypatch.setattr("ladder.health.connection.cursor", gone)
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (503, b"database: DatabaseError")
