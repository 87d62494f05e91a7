"""Administrators' actions through the API are done, and are in the audit log under their name."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import AuditEntry
from fleet.models import Host
from jobs.models import Worker
from matches.models import Match
from matches.selectors.collusion import CollusionReport, Suspicion
from tests.api.conftest import Arena
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(arena: Arena, broker_url: str, settings: Settings) -> Client:
    """An administrator's client, with a running broker."""
    settings.REDIS_URL = broker_url
    return arena.client("staff")


def act(staff: Client, arena: Arena, name: str, **sent: Any) -> dict[str, Any]:
    answer = staff.post(arena.path(f"fleet/workers/{{worker}}/{name}/"), sent, content_type="application/json")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def audited(arena: Arena) -> list[tuple[str, str]]:
    entries = AuditEntry.objects.exclude(act="host_invite").filter(actor=arena.staff).order_by("pk")
    return [(entry.act, entry.reason) for entry in entries]


def test_scaled(staff: Client, arena: Arena) -> None:
    assert act(staff, arena, "scale", processes=1, reason="Hot.")["processes_wanted"] == 1
    assert audited(arena) == [("worker_scale", "Hot.")]


@pytest.mark.parametrize(("processes", "status"), [(0, 400), (-1, 400), ("two", 400), (3, 422), (10**30, 422)])
def test_a_number_of_processes_that_cannot_be(staff: Client, arena: Arena, processes: object, status: int) -> None:
    path = arena.path("fleet/workers/{worker}/scale/")
    answer = staff.post(path, {"processes": processes}, content_type="application/json")
    assert answer.status_code == status
    assert audited(arena) == []


def test_drained_and_resumed(staff: Client, arena: Arena) -> None:
    drained = act(staff, arena, "drain", reason="Its host is stopped.")
    assert (drained["state"], drained["reason"]) == ("draining", "Its host is stopped.")
    assert act(staff, arena, "resume")["state"] == "active"
    assert audited(arena) == [("worker_drain", "Its host is stopped."), ("worker_resume", "")]


def test_quarantined_and_released(staff: Client, arena: Arena) -> None:
    match = finish_match(make_match(make_version("c"), make_version("d")))
    match.attempts.update(worker=arena.worker.name)
    Worker.objects.update(broker_user="host-north")
    done = act(staff, arena, "quarantine", reason="It says that it won everything.")
    assert done == {"withdrawn": 0, "replaced": 1, "rebuilt": 0, "shut_out": True}
    match.refresh_from_db()
    assert match.state == Match.State.VOID
    assert match.replaced_by.state == Match.State.QUEUED
    assert act(staff, arena, "resume")["state"] == Worker.State.ACTIVE
    assert [name for name, _ in audited(arena)] == ["worker_quarantine", "worker_resume"]


def test_results_before_the_time_given_are_believed(staff: Client, arena: Arena) -> None:
    match = finish_match(make_match(make_version("c"), make_version("d")))
    match.attempts.update(worker=arena.worker.name)
    assert act(staff, arena, "quarantine", reason="Odd.", hours=0)["replaced"] == 0


def test_a_host_is_invited_and_turned_away(staff: Client, arena: Arena) -> None:
    answer = staff.post("/api/v1/fleet/hosts/", {"name": "south"}, content_type="application/json")
    assert answer.status_code == 201
    token = answer.json()["token"]
    assert token in answer.json()["command"]
    hosts = staff.get("/api/v1/fleet/hosts/").text
    assert "south" in hosts
    assert token.partition("#")[2] not in hosts
    turned = staff.post(arena.path("fleet/hosts/{host}/revoke/"), {"reason": "Sold."}, content_type="application/json")
    assert turned.json()["state"] == Host.State.REVOKED
    assert ("host_revoke", "Sold.") in audited(arena)


def test_the_queue_and_the_workers_are_shown(staff: Client, arena: Arena) -> None:
    fleet = staff.get("/api/v1/fleet/").json()
    assert [row["worker"]["name"] for row in fleet["workers"]] == [arena.worker.name]
    assert fleet["totals"] == {"processes": 2, "busy": 1, "cores": 2, "cores_busy": 1.0}
    assert [(row["game"], row["length"]) for row in fleet["queue"]] == [("kakomimasu", 1)]


def test_pairs_that_may_collude_are_listed(staff: Client, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    found = [Suspicion(arena.bot, arena.other, games=10, score=10.0, expected=2.0, p_value=0.001, q_value=0.01)]

    def report(*, game: str, since: datetime | None) -> CollusionReport:
        asked.append((game, since and round((timezone.now() - since) / timedelta(days=1), 3)))
        return CollusionReport(game, 3, found)

    monkeypatch.setattr("api.views.fleet.collusion_report", report)
    answer = staff.get("/api/v1/fleet/collusion/kakomimasu/?days=7").json()
    assert asked == [("kakomimasu", 7)]
    assert (answer["pairs"], answer["suspicions"][0]["one_name"], answer["suspicions"][0]["games"]) == (3, "Moat", 10)


def test_programs_of_several_owners_are_listed(staff: Client, arena: Arena) -> None:
    digest = "b" * 64
    one, other = (make_version(name, bundle_digest=digest, artifact_digest="c" * 64) for name in ("One", "Other"))
    (program,) = [row for row in staff.get("/api/v1/fleet/programs/kakomimasu/").json() if row["digest"] == digest]
    assert [(row["id"], row["name"], row["owner"]) for row in program["versions"]] == [
        (one.pk, "One", "One owner"),
        (other.pk, "Other", "Other owner"),
    ]
    assert staff.get("/api/v1/fleet/programs/puyo/").json() == []
    assert staff.get("/api/v1/fleet/programs/chess/").status_code == 404


def test_the_audit_log_is_read_newest_first(staff: Client, arena: Arena) -> None:
    act(staff, arena, "drain")
    rows = staff.get("/api/v1/fleet/audit/").json()["results"]
    assert [(row["actor_name"], row["act"]) for row in rows] == [
        ("root admin", "worker_drain"),
        ("root admin", "host_invite"),
    ]
