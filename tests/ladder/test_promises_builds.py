"""Requests and reports about uploads in any order: each upload ends once, and one version plays for a bot.

Compared with a model that knows nothing of leases: see ``tests.fleet.test_promises``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import settings as machine_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from pytest_django import Settings

from accounts.models import Notification
from common.queries.cached import cached_clear
from contests.models import Contest
from contests.services.contests import contest_transition
from core.message import said
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.files.storage import ARTIFACTS, file_store
from jobs.leases import ATTEMPTS_MAX
from jobs.models import Worker
from ladder.models import BotVersion
from ladder.services.builds import BUILDS
from ladder.services.uploads import version_create, version_retry
from ladder.services.versions import version_retire
from tests.fleet.makers import make_worker
from tests.fleet.test_promises import ONE_OF_MANY, WORKER, WORKERS, one_of, refused
from tests.ladder.makers import an_upload, make_user
from tests.ladder.sweeps import Sweep, sweeper
from tests.matches.makers import store_replay
from wire.jobs import BuildProgress, BuildReport

pytestmark = pytest.mark.test_all

GAME = "kakomimasu"
State = BotVersion.State
WAITS = "waits"
GOOD, EVIL = WORKERS
ONE_OF_THE_LAST = st.integers(0, 5)
IN_FLIGHT = (State.UPLOADED, State.BUILDING)


@dataclass
class Upload:
    """What the test expects of an upload."""

    bot: str
    number: int
    state: str = WAITS
    failures: int = 0
    """Of our platform, since it was asked for last."""
    worker: str = ""
    """Who built it."""


class Uploads(RuleBasedStateMachine):
    """Two bots of one owner, two workers, and an administrator who freezes the game."""

    sweep: Sweep
    """Set by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        cached_clear()
        self.replay = store_replay(b"replay")
        self.artifact = file_store(store=ARTIFACTS, chunks=[b"artifact"], max_bytes=100).digest
        self.owner = make_user()
        for worker in WORKERS:
            make_worker(worker)
        self.uploads: dict[int, Upload] = {}
        self.jobs: list[tuple[int, str]] = []
        """Version and lease token of the messages that workers have, the newest first."""
        self.frozen = False
        self.told: Counter[str] = Counter()

    # --- What is asked for ------------------------------------------------------------------------------------------

    @rule(bot=st.sampled_from(["Moat", "Ring"]))
    def upload(self, bot: str) -> None:
        with refused(self.frozen):
            source = f"print({len(self.uploads)})".encode()
            version = version_create(owner=self.owner, contest=GAME, name=bot, upload=an_upload(source))
            assert version.number == 1 + sum(known.bot == bot for known in self.uploads.values())
            self.uploads[version.pk] = Upload(bot, version.number)

    @precondition(lambda self: self.uploads)
    @rule(number=ONE_OF_MANY)
    def withdraw(self, number: int) -> None:
        pk = one_of(self.uploads, number)
        with refused(self.frozen or self.uploads[pk].state in (State.RETIRED, State.REJECTED)):
            version_retire(version=BotVersion.objects.get(pk=pk))
            self.uploads[pk].state = State.RETIRED

    @precondition(lambda self: self.uploads)
    @rule(number=ONE_OF_MANY)
    def build_again(self, number: int) -> None:
        pk = one_of(self.uploads, number)
        with refused(self.frozen or self.uploads[pk].state != State.FAILED):
            version_retry(version=BotVersion.objects.select_related("bot").get(pk=pk))
            self.uploads[pk].state, self.uploads[pk].failures = WAITS, 0

    @rule()
    def freeze_or_open(self) -> None:
        self.frozen = not self.frozen
        to = Contest.State.FROZEN if self.frozen else Contest.State.OPEN
        contest_transition(contest=GAME, to=to, actor=None)

    @rule()
    def distrust_or_trust(self) -> None:
        if Worker.objects.filter(name=EVIL, state=Worker.State.ACTIVE).exists():
            worker_quarantine(name=EVIL, actor=None, reason="It lies.")
            assert not BotVersion.objects.filter(state=State.BUILDING, worker=EVIL).exists()
            self._are_built_again()
        else:
            worker_release(name=EVIL, actor=None)

    def _are_built_again(self) -> None:
        """Expect a next version of each bot for which what it built stands, unless a newer upload is on its way."""
        for stands in [upload for upload in self.uploads.values() if upload.state == State.ACTIVE]:
            its = [upload for upload in self.uploads.values() if upload.bot == stands.bot]
            newer = [upload for upload in its if upload.number > stands.number and upload.state == WAITS]
            if stands.worker == EVIL and not newer:
                again = BotVersion.objects.get(bot__name=stands.bot, number=len(its) + 1)
                self.uploads[again.pk] = Upload(stands.bot, again.number)

    # --- What workers say -------------------------------------------------------------------------------------------

    @invariant()
    def hand_out(self) -> None:
        waiting = BotVersion.objects.filter(state__in=IN_FLIGHT).order_by("pk").values_list("pk", "lease_token")
        self.jobs = [*(job for job in waiting if job not in self.jobs), *self.jobs]

    @precondition(lambda self: self.jobs)
    @rule(number=ONE_OF_THE_LAST, worker=WORKER)
    def tell_progress(self, number: int, worker: str) -> None:
        version, token = one_of(self.jobs, number)
        BUILDS.heartbeat(report=BuildProgress(version, token, "compile", worker))

    @precondition(lambda self: self.jobs)
    @rule(number=ONE_OF_THE_LAST, worker=WORKER, ending=st.sampled_from([State.ACTIVE, State.REJECTED, State.FAILED]))
    def report(self, number: int, worker: str, ending: State) -> None:
        version, token = one_of(self.jobs, number)
        endings = {
            State.ACTIVE: {"artifact_digest": self.artifact, "replay_digest": self.replay, "language": "python"},
            State.REJECTED: {"failed_step": "compile", "verdict": "compile error"},
            State.FAILED: {"platform_fault": said("The disk is full.")},
        }
        is_trusted = Worker.objects.filter(name=worker, state=Worker.State.ACTIVE).exists()
        if is_trusted and BotVersion.objects.filter(pk=version, lease_token=token).exists():
            self._ends(version, ending)
            self.uploads[version].worker = worker
        BUILDS.record(report=BuildReport(version, token, worker, **endings[ending]))

    def _ends(self, pk: int, ending: State) -> None:
        upload = self.uploads[pk]
        if ending == State.FAILED:
            upload.failures += 1
            if upload.failures < ATTEMPTS_MAX:
                return
        self.told[{State.ACTIVE: "built", State.REJECTED: "rejected", State.FAILED: "not_built"}[ending]] += 1
        upload.state = ending
        if ending == State.ACTIVE:
            others = [other for other in self.uploads.values() if other.bot == upload.bot and other is not upload]
            playing = [other for other in others if other.state == State.ACTIVE]
            # What came before a freeze plays, until its final board is being signed.
            if any(other.number > upload.number for other in playing):
                upload.state = State.RETIRED
            else:
                for other in playing:
                    other.state = State.RETIRED

    @rule()
    def fall_silent(self) -> None:
        building = BotVersion.objects.filter(state=State.BUILDING)
        for pk in list(building.values_list("pk", flat=True)):
            self._ends(pk, State.FAILED)
        building.update(lease_ends_at=timezone.now() - timedelta(seconds=1))
        self.sweep()

    # --- What was promised ------------------------------------------------------------------------------------------

    @invariant()
    def each_upload_is_where_it_should_be(self) -> None:
        states = {
            pk: WAITS if state in IN_FLIGHT else state for pk, state in BotVersion.objects.values_list("pk", "state")
        }
        assert states == {pk: upload.state for pk, upload in self.uploads.items()}
        waiting = BotVersion.objects.filter(state__in=IN_FLIGHT)
        assert not waiting.filter(lease_token="").exists()
        assert not BotVersion.objects.exclude(state__in=IN_FLIGHT).exclude(lease_token="").exists()

    @invariant()
    def its_owner_is_told_of_each_end_once(self) -> None:
        assert Counter(Notification.objects.values_list("kind", flat=True)) == self.told

    def teardown(self) -> None:
        """Let a trusted worker build all uploads that are left."""
        try:
            Worker.objects.update(state=Worker.State.ACTIVE)
            self.jobs = []
            self.hand_out()
            for number in range(len(self.jobs)):
                self.report(number=number, worker=GOOD, ending=State.ACTIVE)
            self.each_upload_is_where_it_should_be()
            self.its_owner_is_told_of_each_end_once()
            assert all(upload.state != WAITS for upload in self.uploads.values())
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)


@pytest.mark.django_db
def test_promises_of_builds(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.USER_VERSIONS_PER_HOUR = 1_000
    Uploads.sweep = staticmethod(sweeper(monkeypatch, BUILDS.sweep))
    run_state_machine_as_test(Uploads, settings=machine_settings(max_examples=12, stateful_step_count=50))
