"""Recovery after failures: how soon matches go on, and that nothing is lost meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from jobs import leases
from jobs.models import Worker
from jobs.services import life
from ladder.models import BotVersion
from matches.models import Attempt, Match
from tests.chaos.mortal import MortalBroker
from tests.chaos.parts import Clock
from tests.chaos.season import hand_out, make_bot
from tests.ladder.makers import an_upload, make_user
from tests.waiting import wait_until
from tests.workers.conftest import GOOD_BOT
from tests.workers.processes import LEASE_SECONDS, playing_worker
from wire import jobs

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("bubblewrap"), pytest.mark.waits]

State, Ending = Match.State, Attempt.Ending

RECOVERY_SECONDS_MAX = 15
FAILED_STATEMENTS = 20
"""How many times faster the timetable runs than an arena's."""
SLOW_BOT = GOOD_BOT.replace("    print(", "    import time; time.sleep(0.5)\n    print(")
"""A bot that sleeps half a second in each turn."""


def told() -> object:
    return list(Match.objects.values_list("state", "attempt", "void_reason")), list(Attempt.objects.values())


def a_long_match(turns: int) -> Match:
    options = {"board": "A-1", "agents": 1, "turns": turns}
    return hand_out(make_bot("slow", SLOW_BOT), make_bot("good", GOOD_BOT), options=options)


def is_played(match: Match, attempt: int = 1) -> bool:
    return Match.objects.filter(pk=match.pk, state=State.RUNNING, attempt=attempt).exists()


def test_a_killed_workers_match_starts_again_within_15_seconds(site: MortalBroker, tmp_path: Path) -> None:
    """With the default settings and timetable."""
    with ExitStack() as stack:
        stack.enter_context(Clock())
        env = {"LEASE_SECONDS": str(jobs.LEASE_SECONDS)}
        workers = {
            node: stack.enter_context(playing_worker(site.player_url, tmp_path, node, **env))
            for node in ("play@one", "play@two")
        }
        wait_until(lambda: Worker.objects.filter(processes=1).count() == len(workers), told)
        match = a_long_match(turns=60)
        wait_until(lambda: is_played(match), told)
        workers[match.attempts.get().worker].kill()
        killed_at = time.monotonic()
        wait_until(lambda: is_played(match, attempt=2), told)
        assert time.monotonic() - killed_at <= RECOVERY_SECONDS_MAX


@pytest.mark.test_all
def test_a_broker_that_is_away_for_longer_than_a_lease_costs_no_attempt(
    site: MortalBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker was alive all the time, but no heartbeat could reach the site."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(life, "PAUSE_SECONDS", LEASE_SECONDS / 2)
    match = a_long_match(turns=16)
    with Clock(faster=8), playing_worker(site.player_url, tmp_path):
        wait_until(lambda: is_played(match), told)
        site.kill()
        wait_until(lambda: Match.objects.filter(pk=match.pk, lease_ends_at__lt=timezone.now()).exists(), told)
        site.revive()
        wait_until(lambda: Match.objects.get(pk=match.pk).state == State.FINISHED, told)
    assert list(match.attempts.values_list("ending", flat=True)) == [Ending.RESULT]


@contextmanager
def database_away_for_the_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let every SQL statement fail but those of the test itself; yield the failed ones."""
    execute, test = CursorWrapper.execute, threading.current_thread()
    failed: list[str] = []

    def execute_or_fail(cursor: CursorWrapper, *statement: Any) -> Any:
        if threading.current_thread() is not test:
            failed.append(statement[0])
            raise OperationalError("the database system is starting up")
        return execute(cursor, *statement)

    with monkeypatch.context() as away:
        away.setattr(CursorWrapper, "execute", execute_or_fail)
        yield failed


@pytest.mark.test_all
def test_a_database_that_is_away_for_longer_than_a_lease_costs_no_attempt(
    site: MortalBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's heartbeats reached the broker, but could not be stored."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(life, "PAUSE_SECONDS", LEASE_SECONDS / 2)
    match = a_long_match(turns=12)
    with Clock(faster=8), playing_worker(site.player_url, tmp_path):
        wait_until(lambda: is_played(match), told)
        with database_away_for_the_site(monkeypatch) as failed:
            wait_until(lambda: Match.objects.filter(pk=match.pk, lease_ends_at__lt=timezone.now()).exists(), told)
            failed.clear()
            wait_until(lambda: len(failed) >= FAILED_STATEMENTS, told)
        wait_until(lambda: Match.objects.get(pk=match.pk).state == State.FINISHED, told)
    assert list(match.attempts.values_list("ending", flat=True)) == [Ending.RESULT]


def test_an_upload_while_the_broker_is_away_is_built_when_it_is_back(
    site: MortalBroker, tmp_path: Path, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.GAMES = ["kakomimasu"]
    monkeypatch.setattr(leases, "NOTIFY_AGAIN_SECONDS", 1)
    client.force_login(make_user())
    site.kill()
    form = {"contest": "kakomimasu", "name": "Moat", "upload": an_upload(GOOD_BOT.encode())}
    assert client.post("/upload/", form).status_code == 302
    version = BotVersion.objects.get()
    assert version.state == BotVersion.State.RECEIVED
    site.revive()
    with Clock(faster=4), playing_worker(site.player_url, tmp_path):
        wait_until(lambda: BotVersion.objects.get().state == BotVersion.State.ACTIVE, lambda: vars(version))
