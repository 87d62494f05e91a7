"""Concurrent transactions that change the same rows, of which neither sees the other's uncommitted changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from accounts.services.closing import account_close
from common.errors import InputError
from contests.models import Contest
from contests.services.contests import contest_transition
from core.message import said
from fleet.models import Host
from fleet.services import hosts
from fleet.services.hosts import host_invite, host_let_in, host_revoke, hosts_restore
from fleet.services.quarantine import worker_quarantine
from games.housebots import housebots_for
from jobs.services.dispatching import queue_dispatch
from ladder.models import Bot, BotVersion
from ladder.services import housebots
from ladder.services.housebots import housebots_load
from ladder.services.rebuilds import versions_rebuild
from ladder.services.standings import leagues_update
from ladder.services.versions import version_retire, version_transition
from matches.models import Match, Seat, Trial
from matches.services.challenges import challenge_start
from matches.services.lifecycle import match_void
from matches.services.match_jobs import MATCHES
from matches.services.reruns import match_rerun
from matches.services.trials import trial_stop
from matches.services.voiding import matches_voidable, rated_matches_void
from tests.at_once import while_uncommitted
from tests.fleet.makers import make_worker
from tests.fleet.test_quarantine import EVIL, GOOD, a_match, a_rerun, a_trial, played, result
from tests.ladder.makers import make_bot, make_rating, make_user, make_version
from tests.matches.makers import queue_match
from tests.words import english

pytestmark = pytest.mark.django_db(transaction=True)  # not `database`: SQLite has one transaction at a time

State = Match.State
T = TypeVar("T")


def test_no_result_slips_through_while_its_worker_is_put_into_quarantine(django_db_blocker: DjangoDbBlocker) -> None:
    make_worker(EVIL)
    match = a_match()
    report = result(match, match.lease_token, EVIL)
    done = while_uncommitted(
        lambda: MATCHES.record(report=report),
        lambda: worker_quarantine(name=EVIL, actor=None, reason="lies"),
        django_db_blocker,
    )
    match.refresh_from_db()
    assert (match.state, done.voided) == (State.VOID, 1)


def test_a_re_run_is_asked_for_while_another_is_voided(django_db_blocker: DjangoDbBlocker) -> None:
    """One re-run in flight is enough for both."""
    make_worker(EVIL)
    make_worker(GOOD)
    original = played(GOOD)
    rerun = a_rerun(original)
    Match.objects.filter(pk=original.pk).update(rules_version="1")
    while_uncommitted(
        lambda: match_rerun(match=original),
        lambda: worker_quarantine(name=EVIL, actor=None, reason="lies"),
        django_db_blocker,
    )
    rerun.refresh_from_db()
    assert rerun.state == State.VOID
    assert Match.objects.filter(original=original, state=State.QUEUED).count() == 1


@pytest.mark.parametrize("is_given_up", [False, True])
def test_what_ends_a_match_while_its_private_test_ends_stays(
    django_db_blocker: DjangoDbBlocker, is_given_up: bool
) -> None:
    make_worker(GOOD)
    trial = a_trial()
    match = trial.pairs.get(number=0).first
    report, reason = result(match, match.lease_token, GOOD), "Our platform failed." if is_given_up else ""

    def end() -> None:
        match_void(match=match, reason=said(reason)) if is_given_up else MATCHES.record(report=report)

    while_uncommitted(end, lambda: trial_stop(trial=trial), django_db_blocker)
    match.refresh_from_db()
    assert (match.state, english(match.void_reason)) == (State.VOID if is_given_up else State.FINISHED, reason)
    assert set(Match.objects.exclude(pk=match.pk).values_list("state", flat=True)) == {State.VOID}
    assert Trial.objects.get().state == Trial.State.STOPPED


def test_two_clicks_at_once_are_one_challenge(django_db_blocker: DjangoDbBlocker) -> None:
    mine, theirs = (make_version(make_bot(name, make_user(name)), artifact_digest=name * 64) for name in "ab")

    def click() -> list[Match]:
        return challenge_start(owner=mine.bot.owner, bot=mine.bot, opponent=theirs.bot)

    assert while_uncommitted(click, click, django_db_blocker) == list(Match.objects.order_by("pk"))


def test_what_its_owner_has_just_withdrawn_is_not_built_again(django_db_blocker: DjangoDbBlocker) -> None:
    version = make_version(worker=EVIL)
    rebuilt = while_uncommitted(
        lambda: version_retire(version=version),
        lambda: versions_rebuild(worker=EVIL, since=timezone.now() - timedelta(hours=1)),
        django_db_blocker,
    )
    assert rebuilt == 0
    assert version.bot.versions.count() == 1


def test_an_account_that_is_closed_while_its_game_is_opened_is_forgotten_by_neither(
    django_db_blocker: DjangoDbBlocker,
) -> None:
    version = make_version()
    owner = version.bot.owner
    contest_transition(contest="kakomimasu", to=Contest.State.FROZEN, actor=None)
    while_uncommitted(
        lambda: contest_transition(contest="kakomimasu", to=Contest.State.OPEN, actor=None),
        lambda: account_close(user=owner, actor=owner),
        django_db_blocker,
    )
    version.refresh_from_db()
    assert version.state == BotVersion.State.RETIRED


@pytest.mark.parametrize("is_quarantine", [False, True])
def test_a_match_that_another_administrator_has_just_voided_is_skipped(
    django_db_blocker: DjangoDbBlocker, is_quarantine: bool
) -> None:
    make_worker(EVIL)
    one, two = played(), played()
    of_worker = matches_voidable(contest="kakomimasu", worker=EVIL)

    def take_out() -> int:
        if is_quarantine:
            return worker_quarantine(name=EVIL, actor=None, reason="It lies.").voided
        return rated_matches_void(matches=of_worker, contest="kakomimasu", reason="It lies.", actor=None)

    assert (
        while_uncommitted(lambda: match_void(match=one, reason=said("Wrong board.")), take_out, django_db_blocker) == 1
    )
    for match, reason in ((one, "Wrong board."), (two, "It lies.")):
        match.refresh_from_db()
        assert (match.state, reason in english(match.void_reason)) == (State.VOID, True)
    assert Match.objects.filter(replaces__isnull=False).count() == is_quarantine


def from_low_to_high(
    low: Bot, high: Bot, act: Callable[[], T], django_db_blocker: DjangoDbBlocker, *, no_key: bool = False
) -> T:
    """Run an act while another transaction holds the lower bot's lock, and takes the higher one's before it ends."""
    locking = Bot.objects.select_for_update(no_key=no_key)
    return while_uncommitted(
        lambda: locking.get(pk=low.pk), act, django_db_blocker, at_last=lambda: locking.get(pk=high.pk)
    )


def test_bots_are_locked_in_one_order(django_db_blocker: DjangoDbBlocker) -> None:
    """Voiding matches and recording a result with two faults must lock in the same order, or they deadlock."""
    make_worker(EVIL)
    low, high = make_bot("low"), make_bot("high")
    for bot in (high, low):
        version = make_version(bot, artifact_digest=f"{bot.pk:064x}")
        Seat.objects.filter(match=played(), index=0).update(version=version, verdict="crashed")
    of_worker = matches_voidable(contest="kakomimasu", worker=EVIL)

    def void() -> int:
        return rated_matches_void(matches=of_worker, contest="kakomimasu", reason="It lies.", actor=None)

    assert from_low_to_high(low, high, void, django_db_blocker) == 2


def test_handing_out_builds_locks_bots_in_that_order(django_db_blocker: DjangoDbBlocker, settings: Settings) -> None:
    """Not in the order of their uploads: a result in which both bots failed may be recorded at the same time."""
    settings.PROCESSES_ASSUMED = 2
    low, high = make_bot("low"), make_bot("high", make_user("bob"))
    for bot in (high, low):
        make_version(bot, state=BotVersion.State.UPLOADED, artifact_digest="")
    assert from_low_to_high(low, high, queue_dispatch, django_db_blocker) == 2


def test_a_fit_that_makes_bosses_locks_bots_in_that_order(
    django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weaker boss guards the lower league gate, and may be the younger bot."""
    monkeypatch.setattr("ladder.services.standings.BOTS_MIN", 2)
    low, high = (make_bot(name, is_house=True, declared_rating=r) for name, r in (("low", 2_000.0), ("high", 1_000.0)))
    for bot in (low, high):
        make_version(bot, artifact_digest=f"{bot.pk:064x}")
    ratings = [make_rating(bot.versions.get(), bot.declared_rating or 0.0) for bot in (low, high)]
    update = transaction.atomic(lambda: leagues_update(contest="kakomimasu", ratings=ratings))
    from_low_to_high(low, high, update, django_db_blocker, no_key=True)
    assert dict(Bot.objects.values_list("pk", "boss_of")) == {low.pk: 2, high.pk: 1}


def test_loading_house_bots_locks_bots_in_that_order(
    django_db_blocker: DjangoDbBlocker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new release may have a house bot that comes before the others in the source tree."""
    settings.GAMES = ["kakomimasu"]
    housebots_load()
    low, *_, high = Bot.objects.order_by("pk")
    monkeypatch.setattr(housebots, "housebots_for", lambda *game, **rules: housebots_for(*game, **rules)[::-1])
    assert from_low_to_high(low, high, housebots_load, django_db_blocker, no_key=True) == []


def test_pairing_does_not_wait_for_locked_bots(django_db_blocker: DjangoDbBlocker) -> None:
    """The database checks a match's references to versions at the commit, in the order of its seats."""
    low, high = (make_version(make_bot(name), artifact_digest=f"{number:064x}") for number, name in enumerate("lh"))
    match = while_uncommitted(
        lambda: version_transition(version=low, to=BotVersion.State.PROBATION),
        lambda: queue_match(high.pk, low.pk),
        django_db_blocker,
        at_last=lambda: version_transition(version=high, to=BotVersion.State.PROBATION),
    )
    assert list(match.seats.values_list("version", flat=True)) == [high.pk, low.pk]


def test_nothing_is_played_again_for_a_private_test_that_just_ends(django_db_blocker: DjangoDbBlocker) -> None:
    make_worker(EVIL)
    trial = a_trial()
    match = trial.pairs.get(number=0).first
    MATCHES.record(report=result(match, match.lease_token, EVIL))
    done = while_uncommitted(
        lambda: trial_stop(trial=trial),
        lambda: worker_quarantine(name=EVIL, actor=None, reason="lies"),
        django_db_blocker,
    )
    assert done.voided == 0
    assert set(Match.objects.values_list("state", flat=True)) == {State.VOID}


@pytest.mark.parametrize("lets_in", [lambda: host_let_in(broker_user="host-north"), hosts_restore])
def test_a_host_that_is_just_turned_away_stays_out(
    lets_in: Callable[[], object], django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(hosts, "user_allow", lambda **user: told.append("allow"))
    monkeypatch.setattr(hosts, "user_deny", lambda **user: told.append("deny"))
    host_invite(name="north", actor=None)
    Host.objects.update(state=Host.State.JOINED, joined_at=timezone.now())
    while_uncommitted(lambda: host_revoke(name="north", actor=None), lets_in, django_db_blocker)
    assert told == ["deny"]


def test_a_second_click_on_an_invitation_is_refused_in_words(django_db_blocker: DjangoDbBlocker) -> None:
    with pytest.raises(InputError, match="invited already"):
        while_uncommitted(
            lambda: host_invite(name="north", actor=None),
            lambda: host_invite(name="north", actor=None),
            django_db_blocker,
        )


def test_house_bots_are_loaded_twice_at_once(django_db_blocker: DjangoDbBlocker, settings: Settings) -> None:
    """Two workers have each reported a new language."""
    settings.GAMES = []
    housebots_load()
    settings.GAMES = ["kakomimasu"]
    again = while_uncommitted(housebots_load, housebots_load, django_db_blocker)
    assert again == []
    assert BotVersion.objects.exists()
