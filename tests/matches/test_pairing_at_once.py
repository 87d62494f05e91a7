"""Two managers pair a game at the same time, on PostgreSQL, which locks rows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker, Settings

from matches.models import BoardLock
from matches.services.board_locks import board_lock
from matches.services.pairing import matches_pair
from tests.matches.test_pairing import GAME, make_house

PATIENCE_SECONDS = 60


@pytest.mark.django_db(transaction=True)
def test_who_finds_a_game_being_paired_does_not_wait(settings: Settings, django_db_blocker: DjangoDbBlocker) -> None:
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    settings.MATCHES_IN_FLIGHT, settings.PROCESSES_ASSUMED = 4, 0
    make_house("a", "b", "c", "d")
    BoardLock.objects.create(contest_id=GAME)
    holds, may_end = Event(), Event()

    def other_manager() -> None:
        with django_db_blocker.unblock():
            try:
                with transaction.atomic():
                    board_lock(contest=GAME)
                    holds.set()
                    assert may_end.wait(PATIENCE_SECONDS)
            finally:
                connection.close()

    with ThreadPoolExecutor(1) as manager:
        other = manager.submit(other_manager)
        assert holds.wait(PATIENCE_SECONDS)
        assert matches_pair(contest=GAME) == 0
        may_end.set()
        other.result(PATIENCE_SECONDS)
    assert matches_pair(contest=GAME) == 4
