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
    settings.REDIS_URL = broker_url
    return arena.client("staff")


def act(staff: Client, arena: Arena, name: str, **sent: Any) -> dict[str, Any]:
    answer = staff.post(arena.path(f"fleet/workers/{{worker}}/{name}/"), sent, content_type="application/json")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def audited(arena: Arena) -> list[tuple[str, str]]:
    entries = AuditEntry.objects.exclude(act="host_invite").filter(actor=arena.staff).order_by("pk")
    return [(entry.act, entry.reason) for entry in entries]


def test_quarantined_and_released(staff: Client, arena: Arena) -> None:
    match = finish_match(make_match(make_version("c"), make_version("d")))
    match.attempts.update(worker=arena.worker.name)
    assert act(staff, arena, "quarantine", reason="Odd.", hours=0)["replaced"] == 0, "results before are believed"
    assert act(staff, arena, "resume")["state"] == Worker.State.ACTIVE
    Worker.objects.update(broker_user="host-north")
    done = act(staff, arena, "quarantine", reason="It says that it won everything.")
    assert done == {"withdrawn": 0, "replaced": 1, "rebuilt": 0, "shut_out": True}
    match.refresh_from_db()
    assert match.state == Match.State.VOID
    assert match.replaced_by.state == Match.State.QUEUED
    assert act(staff, arena, "resume")["state"] == Worker.State.ACTIVE
    assert [name for name, _ in audited(arena)] == ["worker_quarantine", "worker_resume"] * 2


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
    newest, *_ = rows = staff.get("/api/v1/fleet/audit/").json()["results"]
    assert (newest["actor_name"], [row["act"] for row in rows]) == ("root admin", ["host_revoke", *["host_invite"] * 2])


def test_the_queue_and_the_workers_are_shown(staff: Client, arena: Arena) -> None:
    fleet = staff.get("/api/v1/fleet/").json()
    assert [row["worker"]["name"] for row in fleet["workers"]] == [arena.worker.name]
    assert fleet["totals"] == {"processes": 2, "busy": 1, "cores": 2, "cores_busy": 1.0}
    assert [(row["game"], row["length"]) for row in fleet["queue"]] == [("kakomimasu", 1)]


def test_pairs_that_may_collude_are_listed(staff: Client, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    found = [Suspicion(arena.bot, arena.other, games=10, score=10.0, expected=2.0, p_value=0.001, q_value=0.01)]

    def report(*, contest: str, since: datetime | None) -> CollusionReport:
        asked.append((contest, since and round((timezone.now() - since) / timedelta(days=1), 3)))
        return CollusionReport(contest, 3, found)

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
