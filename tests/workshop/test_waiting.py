"""When a waiting try begins: the estimate that its author is told, from what was measured."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from jobs.fairness import BUILD, HOUSE_BUILD, SHARES, TRY
from jobs.models import Worker
from ladder.models import BotVersion
from tests.fleet.makers import make_worker
from tests.ladder import makers
from tests.matches.makers import make_match, make_version
from tests.workshop.makers import make_try, reached, report_of
from workshop.models import Try
from workshop.selectors.tries import try_told
from workshop.selectors.waiting import seconds_to_wait, tries_before
from workshop.services.tries import TRIES

pytestmark = pytest.mark.django_db


def measured(owner: User, seconds: float) -> None:
    """Make a try that took so long from its message to its end."""
    tried = make_try(owner)
    TRIES.record(report=report_of(tried))
    now = timezone.now()
    Try.objects.filter(pk=tried.pk).update(notified_at=now - timedelta(seconds=seconds), ended_at=now)


def test_without_a_worker_nobody_knows(alice: User) -> None:
    make_worker(state=Worker.State.GONE)
    assert seconds_to_wait(before=0, own=False) is None


def test_before_the_first_try_has_ended_ten_seconds_are_assumed(alice: User) -> None:
    make_worker(processes=1)
    assert [seconds_to_wait(before=before, own=False) for before in range(3)] == [0, 10, 20]


def test_the_mean_of_the_newest_fifty_is_taken(alice: User) -> None:
    make_worker(processes=1)
    measured(alice, 10_000)
    tried = Try.objects.get()
    for _ in range(50):
        tried.pk = None
        tried.ended_at = tried.notified_at = timezone.now()
        tried.ended_at += timedelta(seconds=4)
        tried._state.adding = True
        tried.save()
    assert seconds_to_wait(before=5, own=False) == 20


def test_those_that_run_are_waited_for_too(alice: User) -> None:
    make_worker(processes=1)
    for name in ("bob", "carol"):
        reached(make_try(makers.make_user(name)), "check")
    tried = make_try(alice)
    assert tries_before(tried=tried) == 0
    assert seconds_to_wait(before=0, own=False) == 20


def test_other_work_takes_its_turns_by_its_shares(alice: User) -> None:
    make_worker(processes=1)
    waits = make_version("Waits", state=BotVersion.State.UPLOADED)
    assert seconds_to_wait(before=4, own=False) == 4 * 10 * (SHARES[BUILD] + SHARES[TRY]) / SHARES[TRY]
    waits.bot.is_house = True
    waits.bot.save()
    assert seconds_to_wait(before=8, own=False) == 8 * 10 * (SHARES[HOUSE_BUILD] + SHARES[TRY]) / SHARES[TRY]
    waits.delete()
    make_match(make_version("Alpha"), make_version("Beta"), queue_class="ladder")
    assert seconds_to_wait(before=4, own=False) == 4 * 10 * (SHARES["ladder"] + SHARES[TRY]) / SHARES[TRY]


def test_hosts_of_others_do_not_count_for_a_private_contest(alice: User) -> None:
    make_worker("play@far", broker_user="guest-far", processes=3)
    assert (seconds_to_wait(before=3, own=False), seconds_to_wait(before=3, own=True)) == (4, None)
    make_worker("play@own", processes=1)
    assert (seconds_to_wait(before=3, own=False), seconds_to_wait(before=3, own=True)) == (0, 30)


def test_an_author_is_told_place_and_time_only_while_the_try_waits(alice: User) -> None:
    make_worker(processes=1)
    make_try(makers.make_user("bob"))
    tried = make_try(alice)
    told = try_told(tried=tried)
    assert (told["place"], told["seconds"], told["state"]) == (1, 10, "waiting")
    reached(tried, "compile")
    tried.refresh_from_db()
    told = try_told(tried=tried)
    assert (told["place"], told["seconds"], told["step"]) == (None, None, "compile")
