"""Exhibitions on their way through the queue of tables: handed out, lost, and deleted after a month."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.utils import timezone

from common.errors import InputError
from contests.models import Member
from core.message import Message
from exhibitions.models import Exhibition
from exhibitions.services.dispatching import TABLES, tables_dispatch
from exhibitions.services.keeping import KEPT_DAYS, exhibitions_forget
from exhibitions.services.opening import table_open
from jobs.files.storage import REPLAYS
from jobs.models import Worker
from jobs.services import life
from jobs.services.workers import worker_transition
from matches.models import Attempt, Match, Result
from matches.services.lifecycle import match_void
from tests.contests.makers import make_contest
from tests.exhibitions.makers import finish, make_player, make_table, make_worker, table_begin
from tests.ladder.makers import make_user
from tests.ladder.sweeps import Sweep, sweeper
from tests.matches.makers import finish_match, make_match, make_version
from wire.jobs import TABLE_TASK, RealTime, RemoteProgram, TableJob

pytestmark = pytest.mark.django_db(transaction=True)
State = Match.State


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[TableJob]:
    """The jobs that have been sent to workers of tables."""
    jobs: list[TableJob] = []

    def send(_app: object, task: str, more: Sequence[TableJob], *, own: bool) -> None:
        assert task == TABLE_TASK
        jobs.extend(more)

    monkeypatch.setattr(life, "jobs_send", send)
    return jobs


@pytest.fixture
def sweep(monkeypatch: pytest.MonkeyPatch) -> Sweep:
    """The sweeper, given the length of the queue that it would have asked the broker for."""
    return sweeper(monkeypatch, TABLES.sweep)


def open_tables(count: int) -> list[Match]:
    """Open tables of one guest each, from different networks, against the same bot."""
    bot = make_version("Beta")
    return [make_table(make_player(visitor=f"192.0.{place}.1"), bot=bot).match for place in range(count)]


def test_a_private_table_waits_for_a_host_of_the_sites_own(sent: list[TableJob]) -> None:
    make_worker(tables=1, broker_user="guest-far")
    private, public, behind = open_tables(3)
    Match.objects.update(notified_at=None)
    Match.objects.filter(pk=private.pk).update(contest=make_contest())
    sent.clear()
    tables_dispatch()
    assert [job.match_id for job in sent] == [public.pk], "those behind it do not wait"
    make_worker(name="table@own", tables=1)
    tables_dispatch()
    assert [job.match_id for job in sent] == [public.pk, private.pk]
    Worker.objects.filter(name="table@own").delete()
    Worker.objects.update(tables=2)
    tables_dispatch()
    assert sent[-1].match_id == behind.pk, "the private table waits for its host, and takes no place of the other"


def test_a_private_table_is_not_opened_where_only_hosts_of_others_have_tables() -> None:
    contest, users = make_contest(), [make_user("alice"), make_user("bob")]
    Member.objects.bulk_create(Member(contest=contest, user=user) for user in users)
    make_worker(broker_user="guest-far")
    players = dict(enumerate(make_player(user) for user in users))
    with pytest.raises(InputError, match="No table is ready"):
        table_open(contest=contest, seats=players)
    make_worker(name="table@own")
    assert table_open(contest=contest, seats=players)


def test_no_more_are_handed_out_than_there_are_tables(sent: list[TableJob]) -> None:
    make_worker(tables=2)
    matches = open_tables(4)
    assert [job.match_id for job in sent] == [matches[0].pk, matches[1].pk]
    assert tables_dispatch() == 0


def test_the_oldest_gets_the_table_that_becomes_free(sent: list[TableJob]) -> None:
    make_worker(tables=1)
    first, second, _third = open_tables(3)
    table_begin(first)
    finish(first)
    tables_dispatch()
    assert [job.match_id for job in sent] == [first.pk, second.pk]


def test_a_void_exhibition_frees_its_table(sent: list[TableJob]) -> None:
    make_worker(tables=1)
    first, second = open_tables(2)
    match_void(match=first, reason=Message("match-voided"))
    tables_dispatch()
    assert [job.match_id for job in sent] == [first.pk, second.pk]


@pytest.mark.parametrize("state", [Worker.State.DRAINING, Worker.State.QUARANTINED])
def test_a_worker_that_takes_no_work_gets_no_tables(sent: list[TableJob], state: Worker.State) -> None:
    make_worker(tables=1)
    _first, second = open_tables(2)
    other = make_worker(name="south/table@south", host="south", tables=1)
    worker_transition(worker=other, state=state, reason="Its disk is full.")
    assert tables_dispatch() == 0
    worker_transition(worker=other, state=Worker.State.ACTIVE)
    tables_dispatch()
    assert [job.match_id for job in sent][1:] == [second.pk]


def test_a_job_has_all_that_its_worker_needs(sent: list[TableJob]) -> None:
    original = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
    pace = RealTime(1, 2, 1, "STAY")
    opened = make_table(make_player(clock_seconds=0, tries=1), taken_over=(original, 3), real_time=pace)
    (job,) = sent
    match = opened.match
    match.refresh_from_db()
    assert (job.match_id, job.attempt, job.lease_token) == (match.pk, 1, match.lease_token)
    assert (job.game, job.seed, job.options) == ("kakomimasu", original.seed, original.options)
    assert job.remotes == {0: RemoteProgram("Ada", 0, 1)}
    assert {index: bot.name for index, bot in job.bots.items()} == {1: "Beta"}
    assert job.real_time == pace
    assert len(job.played) == 2


@pytest.mark.usefixtures("streams")
def test_the_table_of_a_lost_worker_is_void(sent: list[TableJob], sweep: Sweep) -> None:
    make_worker(tables=1)
    first, second = open_tables(2)
    table_begin(first)
    Match.objects.filter(pk=first.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))
    sweep()
    first.refresh_from_db()
    assert (first.state, first.void_reason["kind"]) == (State.VOID, "table-lost")
    tables_dispatch()
    assert [job.match_id for job in sent] == [first.pk, second.pk]


def test_a_lost_message_is_sent_again(sent: list[TableJob], sweep: Sweep) -> None:
    make_worker(tables=1)
    first, _waits = open_tables(2)
    Match.objects.filter(pk=first.pk).update(notified_at=timezone.now() - timedelta(minutes=5))
    sweep(waiting=0)
    sweep(waiting=0)
    assert [job.match_id for job in sent] == [first.pk, first.pk]


def _grow_old(*matches: Match, days: int = KEPT_DAYS + 1) -> None:
    pks = [match.pk for match in matches]
    Match.objects.filter(pk__in=pks).update(finished_at=timezone.now() - timedelta(days=days))


def test_exhibitions_are_deleted_after_a_month(sent: list[TableJob]) -> None:
    old, void, young = open_tables(3)
    for match in (old, young):
        table_begin(match)
        finish(match)
    match_void(match=void, reason=Message("match-voided"))
    again = make_table(make_player(visitor="192.0.9.1"), bot=make_version("Zeta"), taken_over=(old, 1)).match
    ladder = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
    Result.objects.filter(match=old).update(log_digest="")
    digest = Result.objects.get(match=old).replay_digest
    _grow_old(old, void, ladder)
    _grow_old(young, days=KEPT_DAYS - 1)
    assert storages[REPLAYS].exists(digest)
    assert exhibitions_forget() == 2
    assert set(Match.objects.values_list("pk", flat=True)) == {young.pk, again.pk, ladder.pk}
    assert not Attempt.objects.filter(match__in=[old.pk, void.pk]).exists()
    assert not storages[REPLAYS].exists(digest)
    # Players of the table that went on from the deleted one still have theirs.
    assert Exhibition.objects.get(match=again).original is None
    assert exhibitions_forget() == 0


def test_a_replay_that_another_match_has_stays(sent: list[TableJob]) -> None:
    """The attack: a host reports the replay of a ladder's match as that of a table, so that both are deleted."""
    (old,) = open_tables(1)
    table_begin(old)
    finish(old)
    ladder = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
    shared = Result.objects.get(match=ladder).replay_digest
    Result.objects.filter(match=old).update(replay_digest=shared)
    _grow_old(old)
    assert exhibitions_forget() == 1
    assert storages[REPLAYS].exists(shared)
