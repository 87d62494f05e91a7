"""One of several processes of the timetable leads, by the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.db.models.functions import Now
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from arena import timetable
from arena.timetable import ASK_SECONDS, Lead, Timetable
from jobs.models import TimetableLead
from jobs.services import leading
from jobs.services.leading import LEAD_SECONDS, timetable_lead, timetable_lead_end
from tests.at_once import while_uncommitted
from wire.transport import application

pytestmark = pytest.mark.django_db


def lead_ends() -> None:
    """Let the time of the leader pass."""
    TimetableLead.objects.update(ends_at=Now() - timedelta(seconds=1))


@pytest.mark.database
def test_one_leads_until_it_ends() -> None:
    assert timetable_lead(name="a")
    assert not timetable_lead(name="b")
    assert timetable_lead(name="a"), "it keeps the lead"
    lead_ends()
    assert timetable_lead(name="b")
    assert not timetable_lead(name="a")
    timetable_lead_end(name="a")
    assert not timetable_lead(name="a"), "who does not lead takes nothing away"
    timetable_lead_end(name="b")
    assert timetable_lead(name="a")
    ends_in = TimetableLead.objects.get().ends_at - timezone.now()
    assert timedelta(0) < ends_in <= timedelta(seconds=LEAD_SECONDS + 1)


@pytest.mark.database
def test_there_is_one_row() -> None:
    with pytest.raises(IntegrityError):
        TimetableLead.objects.create(pk=2, ends_at=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_leads(django_db_blocker: DjangoDbBlocker) -> None:
    timetable_lead(name="before")
    timetable_lead_end(name="before")
    first, second = (partial(timetable_lead, name=name) for name in ("first", "second"))
    assert not while_uncommitted(first, second, django_db_blocker)


class Moments:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> Iterator[Moments]:
    moments = Moments()
    with monkeypatch.context() as patch:
        patch.setattr(timetable, "time", moments)
        yield moments


def test_the_second_timetable_waits_and_takes_over(moments: Moments, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two, each task would be sent twice."""
    touched: list[bool] = []
    monkeypatch.setattr(timetable, "health_touch", lambda: touched.append(True))
    first, second = Lead(), Lead()
    assert (first.has(), second.has()) == (True, False)
    assert len(touched) == 2, "the watchdog must not restart the one that waits"
    lead_ends()  # the first was killed
    assert not second.has(), "the database is not asked at every tick"
    moments.now += ASK_SECONDS
    assert second.has()
    assert not first.has()
    second.end()
    moments.now += ASK_SECONDS
    assert first.has()


def test_a_leader_goes_on_for_a_while_without_the_database(moments: Moments, monkeypatch: pytest.MonkeyPatch) -> None:
    leader, waiting = Lead(), Lead()
    assert (leader.has(), waiting.has()) == (True, False)

    def away(**_: object) -> bool:
        raise OperationalError

    monkeypatch.setattr(leading, "timetable_lead", away)
    monkeypatch.setattr(connection, "close", lambda: None)
    moments.now += ASK_SECONDS
    assert (leader.has(), waiting.has()) == (True, False)
    moments.now += LEAD_SECONDS
    assert (leader.has(), waiting.has()) == (False, False), "another may lead by now"


def test_a_timetable_that_does_not_lead_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timetable_lead(name="another")
    monkeypatch.setattr(Timetable, "producer", None)
    app = application("site", "memory://")
    app.conf.beat_schedule = {"pair": {"task": "pair", "schedule": 0}}
    waits = Timetable(app, schedule_filename=str(tmp_path / "schedule"))
    sent: list[str] = []
    waits.apply_entry = lambda entry, producer=None: sent.append(entry.name)
    assert waits.tick() == ASK_SECONDS
    assert sent == []
    timetable_lead_end(name="another")
    waits.lead = Lead()
    waits.tick()
    assert sent == ["pair"]
    waits.close()
    assert timetable_lead(name="another"), "a timetable that ends gives the lead up"
