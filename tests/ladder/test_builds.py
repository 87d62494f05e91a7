"""The life of a build, message by message."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from core.message import Message, said
from jobs import sending
from jobs.files.storage import ARTIFACTS, REPLAYS, file_store
from jobs.leases import ATTEMPTS_MAX
from jobs.services import life
from ladder.models import Bot, BotVersion
from ladder.services.builds import BUILDS, build_enqueue
from ladder.services.uploads import version_retry
from ladder.services.versions import version_retire
from tests.ladder.makers import make_bot, make_user, make_version
from tests.ladder.sweeps import Sweep, sweeper
from tests.words import english
from wire.jobs import BuildJob, BuildProgress, BuildReport, WireMessage

pytestmark = pytest.mark.django_db

State = BotVersion.State


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[BuildJob]:
    """The jobs that were sent to the broker."""
    jobs: list[BuildJob] = []

    def send(app: object, task: str, message: WireMessage, **_: object) -> None:
        assert task == "workers.build_version"
        jobs.append(msgspec.convert(msgspec.to_builtins(message), BuildJob))

    monkeypatch.setattr(sending, "send", send)
    return jobs


@pytest.fixture
def commit(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> DjangoCaptureOnCommitCallbacks:
    return django_capture_on_commit_callbacks


@pytest.fixture
def sweep(monkeypatch: pytest.MonkeyPatch) -> Sweep:
    """The sweep of builds with given answers of the broker."""
    return sweeper(monkeypatch, BUILDS.sweep)


@pytest.fixture
def version(sent: list[BuildJob], commit: DjangoCaptureOnCommitCallbacks) -> BotVersion:
    """An uploaded version whose build message was sent."""
    version = make_version(make_bot("newcomer"), state=State.UPLOADED, artifact_digest="", language="")
    with commit(execute=True):
        build_enqueue(version=version)
    version.refresh_from_db()
    return version


def built(version: BotVersion, **changes: object) -> BuildReport:
    """Return the report of a worker that has built the current attempt."""
    report = BuildReport(
        version.pk,
        version.lease_token,
        "worker-1",
        artifact_digest=stored(ARTIFACTS, b"artifact"),
        artifact_bytes=8,
        language="python",
        entry="main.py",
        log="all well",
        replay_digest=stored(REPLAYS, b"replay"),
    )
    return msgspec.structs.replace(report, **changes)


def stored(store: str, data: bytes) -> str:
    return file_store(store=store, chunks=[data], max_bytes=100).digest


def failed(version: BotVersion) -> BuildReport:
    return BuildReport(version.pk, version.lease_token, "worker-1", platform_fault=said("The disk is full."))


def progress(version: BotVersion, step: str) -> None:
    BUILDS.heartbeat(report=BuildProgress(version.pk, version.lease_token, step, "worker-1"))


def silence(version: BotVersion) -> None:
    """Set the end of the lease to the past."""
    BotVersion.objects.filter(pk=version.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))


def test_the_job_says_what_to_build(version: BotVersion, sent: list[BuildJob]) -> None:
    job = sent[0]
    assert (job.version_id, job.attempt, job.lease_token) == (version.pk, 1, version.lease_token)
    assert (job.name, job.version, job.game) == ("newcomer", "1", "kakomimasu")
    assert job.bundle_digest == version.bundle_digest
    assert job.opponent is None, "the first bot of an arena plays against itself"


def test_the_opponent_is_the_weakest_house_bot(sent: list[BuildJob], commit: DjangoCaptureOnCommitCallbacks) -> None:
    house = make_user("house")
    for name, rating in (("strong", 1800.0), ("weak", 1000.0), ("of another game", 900.0)):
        make_version(make_bot(name, house, is_house=True, declared_rating=rating))
    Bot.objects.filter(name="of another game").update(contest="puyo", game="puyo")
    gone = make_bot("gone", house, is_house=True, declared_rating=800.0)
    make_version(gone, state=State.RETIRED)
    make_version(make_bot("somebody's", make_user("bob")))
    with commit(execute=True):
        build_enqueue(version=make_version(make_bot("newcomer"), state=State.UPLOADED, artifact_digest=""))
    assert sent[0].opponent.name == "weak"


def test_a_house_bot_does_not_check_itself(sent: list[BuildJob], commit: DjangoCaptureOnCommitCallbacks) -> None:
    bot = make_bot("weak", make_user("house"), is_house=True, declared_rating=1000.0)
    make_version(bot)
    with commit(execute=True):
        build_enqueue(version=make_version(bot, state=State.UPLOADED, artifact_digest=""))
    assert sent[0].opponent is None


def test_progress_is_shown_and_renews_the_lease(
    version: BotVersion, sent: list[BuildJob], commit: DjangoCaptureOnCommitCallbacks
) -> None:
    for step in ("fetch", "compile"):
        progress(version, step)
        silence(version)
        progress(version, step)
        version.refresh_from_db()
        assert (version.state, version.step, version.worker) == (State.BUILDING, step, "worker-1")
        assert version.lease_ends_at > timezone.now()
    with commit(execute=True):
        BUILDS.notify([version.pk])
    assert len(sent) == 1, "a running build is not sent again"


@pytest.mark.parametrize("begun", [True, False], ids=["after progress", "before progress"])
def test_a_build_becomes_active(version: BotVersion, begun: bool) -> None:
    if begun:
        progress(version, "fetch")
    BUILDS.record(report=built(version, log_digest="e" * 64))
    version.refresh_from_db()
    assert version.state == State.ACTIVE
    assert (version.language, version.entry, version.log) == ("python", "main.py", "all well")
    assert version.artifact_digest == stored(ARTIFACTS, b"artifact")
    assert (version.check_replay_digest, version.check_log_digest) == (stored(REPLAYS, b"replay"), "e" * 64)
    assert version.lease_token == ""


@pytest.mark.parametrize("is_recorded", [True, False])
def test_a_withdrawn_version_stays_so_whatever_is_reported(version: BotVersion, is_recorded: bool) -> None:
    report = built(version)
    if is_recorded:
        BUILDS.record(report=report)
    version_retire(version=version)
    BUILDS.record(report=report)
    BUILDS.heartbeat(report=BuildProgress(version.pk, report.lease_token, "fetch", "worker-1"))
    version.refresh_from_db()
    assert version.state == State.RETIRED


def test_a_rejection_keeps_what_the_author_needs(version: BotVersion) -> None:
    BUILDS.record(
        report=built(
            version,
            artifact_digest=None,
            failed_step="check",
            verdict="crashed",
            why=Message("bot-exited", {"code": 1}),
            log="Traceback",
            log_digest="e" * 64,
        )
    )
    version.refresh_from_db()
    assert version.state == State.REJECTED
    assert (version.step, version.verdict, version.log) == ("check", "crashed", "Traceback")
    assert version.reason == {"kind": "bot-exited", "args": {"code": 1}}
    assert (version.check_replay_digest, version.check_log_digest) == (stored(REPLAYS, b"replay"), "e" * 64)


def test_the_log_names_a_house_bot_that_could_not_be_built(
    version: BotVersion, caplog: pytest.LogCaptureFixture
) -> None:
    Bot.objects.update(is_house=True, declared_rating=1500.0)
    why = {"failed_step": "check", "verdict": "crashed", "why": said("It ended with exit code 1.")}
    BUILDS.record(report=built(version, artifact_digest=None, log="ModuleNotFoundError: numpy\n", **why))
    (told,) = [record.msg for record in caplog.records if record.levelname == "ERROR"]
    assert (told["event"], told["bot"]) == ("housebot_not_built", version.bot.name)
    assert told["reason"] == "It ended with exit code 1. ModuleNotFoundError: numpy"


def test_a_rejection_before_the_check_match_has_no_replay(version: BotVersion) -> None:
    report = built(version, artifact_digest=None, replay_digest=None, failed_step="compile", verdict="compile error")
    BUILDS.record(report=report)
    version.refresh_from_db()
    assert (version.state, version.step) == (State.REJECTED, "compile")
    assert version.check_replay_digest == version.check_log_digest == ""


def test_a_version_fails_after_three_platform_faults_and_may_be_retried(
    version: BotVersion, sent: list[BuildJob], commit: DjangoCaptureOnCommitCallbacks
) -> None:
    progress(version, "fetch")
    with commit(execute=True):
        BUILDS.record(report=failed(version))
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.UPLOADED, 2)
    assert sent[1].lease_token == version.lease_token != sent[0].lease_token
    for _ in range(ATTEMPTS_MAX - 1):
        BUILDS.record(report=failed(version))
        version.refresh_from_db()
    assert version.state == State.FAILED
    assert "not your bot's fault" in english(version.reason)
    assert "The disk is full." in english(version.reason)
    with commit(execute=True):
        version_retry(version=version)
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.UPLOADED, 1)
    assert sent[-1].lease_token == version.lease_token


def test_a_lost_build_is_built_again(version: BotVersion, sweep: Sweep) -> None:
    progress(version, "compile")
    sweep()
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.BUILDING, 1), "its worker is alive"
    late = built(version)
    silence(version)
    sweep(listened=False)
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.BUILDING, 1), "it could not be heard"
    silence(version)
    sweep()
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.UPLOADED, 2)
    BUILDS.record(report=late)
    version.refresh_from_db()
    assert version.state == State.UPLOADED, "the late report counts no more"


def test_a_sign_of_life_that_overtakes_the_sweeper_saves_the_build(
    version: BotVersion, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress(version, "compile")
    monkeypatch.setattr(life, "leases_expired", lambda running: [version.pk])
    sweep()
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.BUILDING, 1)


def test_a_lost_message_is_sent_again(
    version: BotVersion, sent: list[BuildJob], sweep: Sweep, commit: DjangoCaptureOnCommitCallbacks
) -> None:
    BotVersion.objects.update(notified_at=timezone.now() - timedelta(seconds=300))
    for messages in (1, 2):  # a worker may just have taken it
        with commit(execute=True):
            sweep()
        assert [job.lease_token for job in sent] == [version.lease_token] * messages


@pytest.mark.parametrize("lie", [{"artifact_digest": None}, {"artifact_digest": "e" * 64}, {"replay_digest": "e" * 64}])
def test_a_report_of_success_without_stored_files_is_a_platform_fault(
    version: BotVersion, lie: dict[str, object]
) -> None:
    BUILDS.record(report=built(version, **lie))
    version.refresh_from_db()
    assert (version.state, version.attempt) == (State.UPLOADED, 2)


def test_a_report_of_something_unknown_is_dropped(version: BotVersion) -> None:
    BUILDS.record(report=built(version, version_id=10**6))
    progress(BotVersion(pk=10**6, lease_token="a" * 32), "fetch")
    version.refresh_from_db()
    assert version.state == State.UPLOADED


def test_an_empty_lease_token_does_not_match_an_ended_build(version: BotVersion) -> None:
    """The attack: a worker reports failures of builds that it does not have, so that they are built again and again."""
    BUILDS.record(report=built(version))
    version.refresh_from_db()
    assert version.lease_token == ""
    BUILDS.record(report=failed(version))
    version.refresh_from_db()
    assert (version.state, version.attempt, version.lease_token) == (State.ACTIVE, 1, "")
