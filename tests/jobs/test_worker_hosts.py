"""What the version in which hosts sign their reports does to the workers that are known by then."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from jobs.models import Worker
from tests.fleet.makers import make_worker

pytestmark = pytest.mark.django_db

migration: Any = import_module("ladder.migrations.0018_worker_hosts")


def test_workers_of_hosts_go_under_their_hosts_and_stay_what_they_are() -> None:
    make_worker("play@pi", broker_user="host-north", state=Worker.State.DRAINING)
    make_worker("play@own", broker_user="player")
    migration.hosts_told(apps, None)
    assert list(Worker.objects.values_list("name", "state")) == [("north/play@pi", "draining"), ("play@own", "active")]
    migration.hosts_left_out(apps, None)
    assert list(Worker.objects.values_list("name", "state")) == [("play@own", "active"), ("play@pi", "draining")]


def test_of_two_machines_with_one_name_the_older_version_knows_one() -> None:
    for host in ("north", "south"):
        make_worker(f"{host}/play@pi", broker_user=f"host-{host}")
    migration.hosts_left_out(apps, None)
    assert sorted(Worker.objects.values_list("name", flat=True)) in (
        ["north/play@pi", "play@pi"],
        ["play@pi", "south/play@pi"],
    )
