"""Signatures of reports: no host can report as a worker of another host."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import redis
from pytest_django import Settings

from deploy.broker import Broker, broker_running
from fleet.broker import user_allow, user_deny
from jobs import report_auth
from jobs.models import Worker
from jobs.report_auth import KEYS_SECONDS, report_signed
from tests.managing import managing_worker, site_sends_to
from tests.waiting import wait_until
from wire.jobs import WORKER_BEAT_TASK
from wire.signing import Signature, password_key, signature_of
from wire.transport import Refused, application, send
from wire.worker_reports import WorkerBeat

PASSWORDS = {"host-north": "north's", "host-south": "south's", "player": "player"}


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    report_auth._keys.clear()


@pytest.fixture
def broker(tmp_path: Path, settings: Settings) -> Iterator[Broker]:
    """A broker of this test with the users of two hosts, which the site knows."""
    with broker_running(tmp_path, site_password="site", player_password="player") as broker:
        settings.REDIS_URL = broker.site_url
        for user in ("host-north", "host-south"):
            let_in(user, PASSWORDS[user])
        with site_sends_to(broker.site_url):
            yield broker


def let_in(user: str, password: str) -> None:
    user_allow(user=user, digest=password_key(password))


def url_of(broker: Broker, user: str) -> str:
    return broker.player_url.replace("player:player@", f"{user}:{PASSWORDS[user]}@")


def beat(user: str, worker: str = "play@pi") -> WorkerBeat:
    counts = {"cores": 1, "processes": 1, "busy": 0, "takes_work": True, "uptime_seconds": 1.0}
    who = {"worker": worker, "host": "pi", "broker_user": user, "version": "0", "backend": "bubblewrap"}
    return WorkerBeat(**who, **counts, languages=["python"], jobs_taken=0, jobs_done=0)


def heard(report: WorkerBeat, url: str, **forged: Any) -> str:
    """Send a report signed by the user in a broker URL; return the worker to which the site assigns it."""
    body = msgspec.json.encode(report)
    signature = signature_of(url, WORKER_BEAT_TASK, body)
    if signature and forged:
        signature = msgspec.structs.replace(signature, **forged)
    checked: WorkerBeat = report_signed(report, WORKER_BEAT_TASK, body, signature)
    return checked.worker


def test_full_names_of_workers_start_with_their_host(broker: Broker) -> None:
    """Machines often have the same name, and are two workers all the same."""
    assert heard(beat("host-north"), url_of(broker, "host-north")) == "north/play@pi"
    assert heard(beat("host-south"), url_of(broker, "host-south")) == "south/play@pi"
    assert heard(beat("player"), url_of(broker, "player")) == "play@pi"
    long = heard(beat("host-north", worker="w" * 100), url_of(broker, "host-north"))
    assert long == f"north/{'w' * 94}", "the name of a host is never cut off"


@pytest.mark.parametrize(
    ("url", "says", "worker", "forged"),
    [
        ("host-south", "host-south", "play@pi", {"user": "host-north"}),
        ("host-south", "host-south", "play@pi", {"user": "player"}),
        ("host-south", "host-south", "play@pi", {"user": "site"}),
        ("host-south", "host-south", "play@pi", {"user": "nobody"}),
        ("host-south", "host-south", "play@pi", {"mac": "0" * 64}),
        ("host-south", "host-north", "play@pi", {}),
        ("player", "player", "north/play@pi", {}),
    ],
    ids=["as another host", "as all others", "as the site", "as nobody", "a guess", "a claim", "a name"],
)
def test_no_host_can_report_as_a_worker_of_another(
    broker: Broker, url: str, says: str, worker: str, forged: dict[str, Any]
) -> None:
    for user in ("host-north", "player"):  # whose keys are cached now
        heard(beat(user), url_of(broker, user))
    with pytest.raises(Refused):
        heard(beat(says, worker), url_of(broker, url), **forged)


def test_the_signature_of_another_host_is_refused(broker: Broker) -> None:
    """A host that has seen a signature, say in a log, cannot use it for a report of its own."""
    report = beat("host-north")
    seen = signature_of(url_of(broker, "host-north"), WORKER_BEAT_TASK, msgspec.json.encode(report))
    other = msgspec.structs.replace(report, jobs_done=1)
    with pytest.raises(Refused):
        report_signed(other, WORKER_BEAT_TASK, msgspec.json.encode(other), seen)


@pytest.mark.parametrize("signature", [None, Signature("", "0" * 64)], ids=["none", "of nobody"])
def test_an_unsigned_report_is_refused(broker: Broker, signature: Signature | None) -> None:
    report = beat("player")
    with pytest.raises(Refused, match="upgrade its workers"):
        report_signed(report, WORKER_BEAT_TASK, msgspec.json.encode(report), signature)


def test_a_new_password_counts_at_once_and_the_old_one_not_for_long(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = url_of(broker, "host-north")
    assert heard(beat("host-north"), url) == "north/play@pi"
    let_in("host-north", "another")
    assert heard(beat("host-north"), url.replace("north's", "another")) == "north/play@pi"
    with pytest.raises(Refused):
        heard(beat("host-north"), url)
    user_deny(user="host-north")
    later = time.monotonic() + KEYS_SECONDS
    monkeypatch.setattr(report_auth, "time", SimpleNamespace(monotonic=lambda: later))
    with pytest.raises(Refused):
        heard(beat("host-north"), url.replace("north's", "another"))


def test_unknown_users_are_not_cached(broker: Broker) -> None:
    """The attack: a host signs as a million users."""
    with pytest.raises(Refused):
        heard(beat("nobody"), url_of(broker, "host-south"), user="nobody")
    assert not report_auth._keys


def test_a_broker_that_cannot_be_asked_is_an_error_and_no_refusal(broker: Broker) -> None:
    report = beat("player")
    signature = signature_of(url_of(broker, "player"), WORKER_BEAT_TASK, msgspec.json.encode(report))
    with site_sends_to("redis://site:site@127.0.0.1:1/0"), pytest.raises(redis.ConnectionError):
        report_signed(report, WORKER_BEAT_TASK, msgspec.json.encode(report), signature)


def test_a_broker_without_users_needs_no_signatures() -> None:
    with site_sends_to("redis://127.0.0.1:1/0"):
        report = beat("")
        assert report_signed(report, WORKER_BEAT_TASK, msgspec.json.encode(report), None) is report


@pytest.mark.django_db(transaction=True)
def test_machines_of_one_name_are_two_workers_and_a_forger_is_none(broker: Broker) -> None:
    with managing_worker(broker.site_url, emptied=False):
        for user, says in [("host-south", "host-north"), ("host-north", "host-north"), ("host-south", "host-south")]:
            send(application("test", url_of(broker, user)), WORKER_BEAT_TASK, beat(says))
        wait_until(lambda: Worker.objects.count() == 2, lambda: list(Worker.objects.values()))
    assert list(Worker.objects.order_by("name").values_list("name", "broker_user")) == [
        ("north/play@pi", "host-north"),
        ("south/play@pi", "host-south"),
    ]
