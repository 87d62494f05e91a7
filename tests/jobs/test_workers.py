"""Workers: their beats, the orders that are repeated until they are carried out, and the audit log of orders."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import AuditEntry, User
from accounts.services.audit import audit_write
from common.errors import IllegalTransition, InputError
from jobs.models import Worker
from jobs.selectors.workers import PROCESSES_MAX, processes_count, worker_is_quarantined, worker_named
from jobs.services import workers
from jobs.services.workers import (
    FORGET_SECONDS,
    SILENT_SECONDS,
    worker_beat,
    worker_distrust,
    worker_drain,
    worker_resume,
    worker_scale,
    worker_transition,
    workers_sweep,
)
from ladder.tasks import worker_beat_task
from tests.ladder.makers import make_user
from wire.transport import Refused
from wire.worker_reports import WorkerBeat

pytestmark = [pytest.mark.database, pytest.mark.django_db]

State = Worker.State
NAME = "play@here"

Orders = list[tuple[str, dict[str, Any]]]


def a_beat(**changes: Any) -> WorkerBeat:
    fields: dict[str, Any] = {
        "worker": NAME,
        "host": "here",
        "broker_user": "player",
        "version": "1.0.0",
        "backend": "docker",
        "languages": ["python"],
        "cores": 4,
        "processes": 2,
        "busy": 0,
        "takes_work": True,
        "uptime_seconds": 60.0,
        "jobs_taken": 0,
        "jobs_done": 0,
    }
    return msgspec.convert({**fields, **changes}, WorkerBeat)


def ordered(processes: int | None, takes_work: bool) -> tuple[str, dict[str, Any]]:
    return NAME, {"processes": processes, "takes_work": takes_work, "user": "player"}


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> Orders:
    """The orders that were sent to workers."""
    sent: Orders = []

    def broadcast(command: str, *, arguments: dict[str, Any], destination: list[str]) -> None:
        assert command == "adjust"
        sent.append((destination[0], arguments))

    monkeypatch.setattr(workers.app.control, "broadcast", broadcast)
    return sent


@pytest.fixture
def said(orders: Orders, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks):
    """Handle a beat; return the worker's row, and the orders that were sent to it."""

    def say(**changes: Any) -> tuple[Worker, Orders]:
        orders.clear()
        with django_capture_on_commit_callbacks(execute=True):
            worker_beat(beat=a_beat(**changes))
        return Worker.objects.get(name=changes.get("worker", NAME)), list(orders)

    return say


@pytest.fixture
def chief() -> User:
    return make_user("chief", is_staff=True)


# --- Beats of workers -----------------------------------------------------------------------------------------------


def test_the_first_beat_makes_the_row(said) -> None:
    worker, sent = said(canary_ms=5.5, cpu_percent=12.0, load=0.5)
    assert (worker.state, worker.host, worker.processes, worker.languages) == (State.ACTIVE, "here", 2, ["python"])
    assert (worker.canary_ms, worker.cpu_percent, worker.load) == (5.5, 12.0, 0.5)
    assert worker.started_at < timezone.now() - timedelta(seconds=59)
    assert sent == []
    assert Worker.objects.count() == 1


def test_one_host_cannot_take_all_places_of_workers(said, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: by beats under a million names a host makes the list of workers unreadable."""
    monkeypatch.setattr(workers, "WORKERS_MAX", 3)
    for name in ("honest", "one", "two"):
        said(worker=name)
    with pytest.raises(Refused, match="three"):
        worker_beat(beat=a_beat(worker="three"))
    worker_beat_task(msgspec.json.encode(a_beat(worker="four")))
    assert set(Worker.objects.values_list("name", flat=True)) == {"honest", "one", "two"}
    assert said(worker="honest", busy=1)[0].busy == 1
    # Once the host is removed its workers are gone, and new ones replace them: the one gone for longest is deleted.
    for age, name in enumerate(("two", "one")):
        seen = timezone.now() - timedelta(seconds=SILENT_SECONDS + 10 - age)
        Worker.objects.filter(name=name).update(last_seen_at=seen)
    workers_sweep()
    said(worker="late")
    assert set(Worker.objects.values_list("name", flat=True)) == {"honest", "one", "late"}


def test_the_number_of_processes_is_limited_whatever_workers_report(said) -> None:
    """Otherwise millions of matches would be paired and handed out."""
    said(worker="honest", processes=4)
    assert processes_count() == 4
    for number in range(5):
        said(worker=f"liar {number}", cores=1_024, processes=1_024)
    assert processes_count() == PROCESSES_MAX


def test_jobs_are_handed_out_as_soon_as_a_worker_can_take_more(said, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[None] = []
    monkeypatch.setattr(workers, "queue_announce", lambda: calls.append(None))

    def announces(**beat: Any) -> bool:
        calls.clear()
        said(**beat)
        return bool(calls)

    assert announces(), "the worker is new"
    assert not announces(), "nothing has changed"
    assert announces(processes=3)
    assert not announces(processes=0)
    assert announces(processes=1)
    silent(SILENT_SECONDS + 1)
    workers_sweep()
    assert announces(processes=1), "the worker was gone"
    assert not announces(worker="play@other", processes=0), "the worker does not start"


def test_the_times_of_the_last_job_taken_and_ended_are_stored(said) -> None:
    worker, _ = said()
    assert (worker.last_taken_at, worker.last_ended_at) == (None, None)
    worker, _ = said(busy=1, jobs_taken=1)
    assert worker.last_taken_at
    assert worker.last_ended_at is None
    taken = worker.last_taken_at
    worker, _ = said(busy=0, jobs_taken=1, jobs_done=1)
    assert worker.last_taken_at == taken
    assert worker.last_ended_at
    ended = worker.last_ended_at
    worker, _ = said(uptime_seconds=1.0)
    assert (worker.last_taken_at, worker.last_ended_at) == (taken, ended), "it counts from 0 since it has restarted"


def test_a_restarted_worker_gets_its_orders_again(said, chief: User) -> None:
    said()
    worker_scale(name=NAME, processes=4, actor=chief)
    assert said(processes=2)[1] == [ordered(4, True)]
    assert said(processes=4)[1] == []
    assert said(processes=2, uptime_seconds=1.0)[1] == [ordered(4, True)]


@pytest.mark.parametrize("act", [worker_drain, worker_distrust])
def test_a_worker_that_disobeys_gets_its_orders_again(said, chief: User, act) -> None:
    said()
    act(name=NAME, actor=chief, reason="maintenance")
    assert said(takes_work=True)[1] == [ordered(None, False)]
    assert said(takes_work=False)[1] == []
    worker_resume(name=NAME, actor=chief)
    assert said(takes_work=False)[1] == [ordered(None, True)]


def test_orders_to_a_host_name_its_own_worker_name_and_its_user(said, chief: User) -> None:
    theirs = {"worker": "north/play@pi", "broker_user": "host-north"}
    said(**theirs)
    worker_drain(name="north/play@pi", actor=chief)
    order = {"processes": None, "takes_work": False, "user": "host-north"}
    assert said(takes_work=True, **theirs)[1] == [("play@pi", order)]


@pytest.mark.parametrize("act", [worker_drain, worker_distrust])
def test_orders_are_sent_at_once(
    said, orders: Orders, chief: User, act, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    said()
    with django_capture_on_commit_callbacks(execute=True):
        act(name=NAME, actor=chief, reason="maintenance")
        worker_resume(name=NAME, actor=chief)
        worker_scale(name=NAME, processes=1, actor=chief)
    wanted = [(None, False), (None, True), (1, True)]
    assert orders == [ordered(processes, takes) for processes, takes in wanted]


def test_a_broker_that_is_away_loses_no_order(
    said,
    chief: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    said()
    broadcast = workers.app.control.broadcast

    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(workers.app.control, "broadcast", away)
    with django_capture_on_commit_callbacks(execute=True):
        worker_drain(name=NAME, actor=chief)
    monkeypatch.setattr(workers.app.control, "broadcast", broadcast)
    assert said(takes_work=True)[1] == [ordered(None, False)]


def test_a_worker_that_does_not_start_reports_why(said) -> None:
    worker, sent = said(processes=0, takes_work=False, self_test="This wall is missing: a bot has no network.")
    assert "no network" in worker.self_test
    assert sent == []


@pytest.mark.parametrize(
    "change",
    [
        *({"worker": "x" * 101}, {"processes": 10**6}, {"busy": -1}, {"uptime_seconds": float("nan")}),
        *({"canary_ms": float("inf")}, {"jobs_done": 2**31}, {"self_test": "a\x00b"}, {"languages": ["python"] * 51}),
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_hostile_beat_is_refused(change: dict[str, Any]) -> None:
    """A value that fits no column would fail again and again; a huge number of processes would attract all matches."""
    with pytest.raises(msgspec.ValidationError):
        a_beat(**change)


# --- Silence --------------------------------------------------------------------------------------------------------


def silent(seconds: float) -> None:
    Worker.objects.update(last_seen_at=timezone.now() - timedelta(seconds=seconds))


def test_a_silent_worker_is_gone_until_its_next_beat_and_deleted_at_last(said) -> None:
    said()
    workers_sweep()
    assert worker_named(name=NAME).state == State.ACTIVE
    silent(SILENT_SECONDS + 1)
    said(worker="a@alive")
    workers_sweep()
    assert [(worker.name, worker.state) for worker in Worker.objects.all()] == [
        ("a@alive", State.ACTIVE),
        (NAME, State.GONE),
    ]
    assert said()[0].state == State.ACTIVE
    workers_sweep()
    assert worker_named(name=NAME).state == State.ACTIVE
    worker_distrust(name="a@alive", actor=None, reason="lies")
    silent(FORGET_SECONDS + 1)
    workers_sweep()
    assert [worker.name for worker in Worker.objects.all()] == ["a@alive"], "only quarantined ones are not deleted"


@pytest.mark.parametrize("act", [worker_drain, worker_distrust])
def test_orders_of_administrators_outlast_silence(said, chief: User, act) -> None:
    said()
    act(name=NAME, actor=chief, reason="maintenance")
    state = worker_named(name=NAME).state
    silent(SILENT_SECONDS + 1)
    workers_sweep()
    assert said()[0].state == state


# --- Orders of administrators ---------------------------------------------------------------------------------------


def test_orders_are_in_the_audit_log(said, chief: User, orders: Orders) -> None:
    said()
    worker_scale(name=NAME, processes=3, actor=chief, reason="contest")
    worker_drain(name=NAME, actor=None, reason="new disk")
    worker_resume(name=NAME, actor=chief)
    entries = AuditEntry.objects.order_by("pk").values_list("actor_name", "act", "target", "reason")
    assert list(entries) == [
        ("chief", "worker_scale", f"{NAME} to 3", "contest"),
        ("command line", "worker_drain", NAME, "new disk"),
        ("chief", "worker_resume", NAME, ""),
    ]
    assert AuditEntry.objects.filter(actor=chief).count() == 2


def test_an_audit_entry_outlasts_its_actor(chief: User) -> None:
    audit_write(actor=chief, act="worker_drain", target=NAME, reason="x" * 5_000)
    chief.delete()
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.actor_name, len(entry.reason)) == (None, "chief", 1_000)
    assert str(entry) == f"chief: worker_drain {NAME}"


def test_an_unknown_worker_is_refused_with_the_known_names(said) -> None:
    with pytest.raises(InputError, match="No worker has given a sign of life"):
        worker_drain(name="play@nowhere", actor=None)
    said()
    with pytest.raises(InputError, match=f"no worker play@nowhere. Known are: {NAME}"):
        worker_drain(name="play@nowhere", actor=None)


def test_orders_that_make_no_sense_are_refused(said) -> None:
    said()
    for processes in (0, 5):
        with pytest.raises(InputError, match="from 1 to 4 processes"):
            worker_scale(name=NAME, processes=processes, actor=None)
    with pytest.raises(InputError, match="neither drained nor quarantined"):
        worker_resume(name=NAME, actor=None)
    with pytest.raises(InputError, match="give the reason"):
        worker_distrust(name=NAME, actor=None, reason=" ")
    assert AuditEntry.objects.count() == 0
    worker_distrust(name=NAME, actor=None, reason="lies")
    assert worker_is_quarantined(name=NAME)
    with pytest.raises(InputError, match="takes no work already"):
        worker_drain(name=NAME, actor=None)


def test_only_administrators_end_a_quarantine(said) -> None:
    worker, _ = said()
    worker_transition(worker=worker, state=State.QUARANTINED, reason="lies")
    for state in (State.DRAINING, State.GONE):
        with pytest.raises(IllegalTransition):
            worker_transition(worker=worker, state=state)
