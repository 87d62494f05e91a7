"""The life of a build: it is queued, sent to a worker, followed, and ended once. Reports need its lease token."""

from __future__ import annotations

import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from common.queries.sql import content_lock
from common.words.messages import sentence_of
from contests.selectors.contests import bot_limits, check_size, contest_options, own_hosts_only
from core.message import Message, stored
from jobs.celery_app import app
from jobs.files.storage import ARTIFACTS, REPLAYS
from jobs.files.transfers import download_url, upload_url
from jobs.leases import ATTEMPTS_MAX, ATTEMPTS_MEMORY_MAX
from jobs.selectors.workers import language_elsewhere, worker_is_quarantined
from jobs.sending import jobs_send
from jobs.services.dispatching import queue_announce
from jobs.services.heartbeats import lease_end_announce
from jobs.services.sweeping import leased_sweep
from ladder.models import Bot, BotVersion
from ladder.selectors.builds import last_error
from ladder.services.versions import VersionChanges, version_transition
from wire.jobs import BUILD_QUEUE, BUILD_TASK, MEMORY, BuildJob, BuildProgress, BuildReport, SeatProgram

log = structlog.get_logger(__name__)

State = BotVersion.State


def seat_program(*, name: str, number: int, artifact_digest: str, language: str, entry: str) -> SeatProgram:
    """Return the message part with which a worker fetches and runs a built version.

    Args:
        name: name of the bot.
        number: number of the version.
        artifact_digest: SHA-256 of the built program.
        language: name of its language.
        entry: path of the main file in the artifact.
    """
    return SeatProgram(
        name=name,
        version=str(number),
        artifact_url=download_url(store=ARTIFACTS, digest=artifact_digest),
        artifact_digest=artifact_digest,
        language=language,
        entry=entry,
    )


def version_program(*, version: BotVersion) -> SeatProgram:
    """Return ``seat_program`` of a version that comes with its bot (no query)."""
    return seat_program(
        name=version.bot.name,
        number=version.number,
        artifact_digest=version.artifact_digest,
        language=version.language,
        entry=version.entry,
    )


# --- Handing out ----------------------------------------------------------------------------------------------------


def build_enqueue(*, version: BotVersion, held: bool = False) -> None:
    """Put an uploaded version into the queue of builds, as a new attempt with a new lease token.

    Args:
        version: a version in the state UPLOADED.
        held: whether it is sent only after ``LAST_ATTEMPT_DELAY_SECONDS``.
    """
    with transaction.atomic():
        locked = _version_locked(version.pk)
        locked.lease_begin(held=held)
        locked.save()
        queue_announce()


@transaction.atomic
def build_notify(*, version_id: int) -> None:
    """Send the message of a waiting build to the workers when the transaction is committed, also a second time.

    If the broker cannot be reached, this is logged and not raised: the sweeper sends the message again later.
    """
    version = _version_locked(version_id)
    if version.state != State.UPLOADED:  # withdrawn meanwhile, or a builder has taken it
        return
    version.notified_at = timezone.now()
    version.save()
    job = _build_job(version)
    own = version.bot.contest.keeps_to_own_hosts
    transaction.on_commit(lambda: jobs_send(app, BUILD_TASK, [job], own=own), robust=True)


def _build_job(version: BotVersion) -> BuildJob:
    return BuildJob(
        version_id=version.pk,
        attempt=version.attempt,
        lease_token=version.lease_token,
        name=version.bot.name,
        version=str(version.number),
        game=version.bot.game,
        bundle_url=download_url(store=ARTIFACTS, digest=version.bundle_digest),
        bundle_digest=version.bundle_digest,
        language=version.language or None,
        opponent=_opponent(version),
        options=contest_options(contest=version.bot.contest),
        players=check_size(contest=version.bot.contest),
        languages=version.bot.contest.languages if not version.bot.is_house else [],
        seed=version.pk,
        artifact_url=upload_url(store=ARTIFACTS),
        replay_url=upload_url(store=REPLAYS),
        limits=bot_limits(contest=version.bot.contest),
    )


def _opponent(version: BotVersion) -> SeatProgram | None:
    """Return the opponent of the check match: the weakest active house bot of the contest, but not the bot itself."""
    house = BotVersion.objects.filter(state=State.ACTIVE, bot__is_house=True, bot__contest=version.bot.contest_id)
    weakest_first = F("bot__declared_rating").asc(nulls_last=True)
    weakest = house.exclude(bot=version.bot_id).select_related("bot").order_by(weakest_first).first()
    return version_program(version=weakest) if weakest else None


# --- What builders report -------------------------------------------------------------------------------------------


@transaction.atomic
def build_progress(*, report: BuildProgress) -> None:
    """Record the step that a build has reached, and renew its lease. A report with an old lease token is ignored."""
    version = _version_leased(report.version_id, report.lease_token)
    if version is None:
        return
    if worker_is_quarantined(name=report.worker):
        _build_requeue_uncounted(version, report.worker)
        return
    if version.state == State.UPLOADED:
        version = version_transition(version=version, to=State.BUILDING, worker=report.worker)
    version.step = report.step
    version.lease_renew()
    version.save(update_fields=["step", "lease_ends_at"])


@transaction.atomic
def build_record_result(*, report: BuildReport) -> None:
    """Record the result of a build. A report with an old lease token is ignored, so a build ends once."""
    version = _version_leased(report.version_id, report.lease_token)
    if version is None:
        return
    lacks = report.lacks and language_elsewhere(name=report.lacks, worker=report.worker)
    if lacks or worker_is_quarantined(name=report.worker):
        _build_requeue_uncounted(version, report.worker)
    elif report.lacks == MEMORY and version.attempt < ATTEMPTS_MEMORY_MAX:
        _build_requeue(version, held=version.attempt >= ATTEMPTS_MAX - 1)
    elif fault := report.platform_fault or _report_problem(report):
        _build_attempt_failed(version, fault)
    elif report.failed_step is not None:
        reason = stored(report.why)
        changes: VersionChanges = {"step": report.failed_step, "verdict": report.verdict, "reason": reason}
        _version_end(version, State.REJECTED, report, changes)
    else:
        _version_end(version, State.ACTIVE, report, {"artifact_digest": report.artifact_digest or ""})


def builds_sweep() -> None:
    """Requeue builds whose lease has expired, and send lost messages again (``leased_sweep``)."""
    leased_sweep(
        queue=BUILD_QUEUE,
        running=BotVersion.objects.filter(state=State.BUILDING),
        queued=BotVersion.objects.filter(state=State.UPLOADED),
        own=own_hosts_only(at="bot__contest"),
        attempt_end=_build_lease_expired,
        notify=lambda pks: [build_notify(version_id=pk) for pk in pks],
    )


def builds_requeue(*, worker: str) -> int:
    """Requeue all builds that a distrusted worker has, and return their number."""
    running = BotVersion.objects.filter(state=State.BUILDING, worker=worker)
    return sum(_build_requeue_running(pk, worker) for pk in running.values_list("pk", flat=True))


@transaction.atomic
def _build_requeue_running(pk: int, worker: str) -> bool:
    version = _version_locked(pk)
    if version.state != State.BUILDING or version.worker != worker:
        return False
    _build_requeue_uncounted(version, worker)
    return True


@transaction.atomic
def _build_lease_expired(pk: int) -> None:
    version = _version_locked(pk)
    if version.state == State.BUILDING and version.lease_expired():
        _build_attempt_failed(version, Message("worker-silent"))


def _build_attempt_failed(version: BotVersion, fault: Message) -> None:
    """Requeue a failed build; after ``ATTEMPTS_MAX`` attempts set its version to FAILED, which its owner may retry."""
    log.warning("build_attempt_failed", version=version.pk, attempt=version.attempt, reason=str(fault))
    if version.attempt >= ATTEMPTS_MAX:
        reason = stored(Message("version-platform-failed", {"times": version.attempt, "why": stored(fault)}))
        _housebot_failure_log(version_transition(version=version, to=State.FAILED, reason=reason))
    else:
        _build_requeue(version, held=version.attempt == ATTEMPTS_MAX - 1)


def _build_requeue_uncounted(version: BotVersion, worker: str) -> None:
    """Requeue a build that a worker in quarantine or without its language has; the attempt does not count.

    The attack: a worker in quarantine goes on taking builds, and would make every upload fail.
    """
    log.warning("build_requeued", version=version.pk, attempt=version.attempt, worker=worker)
    version.attempt -= 1
    version.save(update_fields=["attempt"])
    _build_requeue(version)


def _build_requeue(version: BotVersion, *, held: bool = False) -> None:
    if version.state == State.BUILDING:
        version = version_transition(version=version, to=State.UPLOADED)
    build_enqueue(version=version, held=held)


def _version_end(version: BotVersion, to: State, report: BuildReport, changes: VersionChanges) -> None:
    """End a build: store the fields that every report has and these changes, and move the version to a state."""
    reported: VersionChanges = {
        "log": report.log,
        "worker": report.worker,
        "language": report.language,
        "entry": report.entry,
        "check_replay_digest": report.replay_digest or "",
        "check_log_digest": report.log_digest or "",
    }
    _housebot_failure_log(version_transition(version=version, to=to, **(reported | changes)))


def _housebot_failure_log(version: BotVersion) -> None:
    """Log an error if a house bot could not be built, since no user would notice it."""
    if version.bot.is_house and version.state in (State.REJECTED, State.FAILED):
        reason = f"{sentence_of(version.reason, version.bot.game)} {last_error(log=version.log)}".rstrip()
        log.error("housebot_not_built", game=version.bot.game, bot=version.bot.name, reason=reason)


def _report_problem(report: BuildReport) -> Message | None:
    """Return why a report of success cannot be true; None if it can."""
    if report.failed_step is not None:
        return None
    if report.artifact_digest is not None:
        content_lock(digest=report.artifact_digest, shared=True)  # `bot_delete` may be about to delete the same file
    if report.artifact_digest is None or not storages[ARTIFACTS].exists(report.artifact_digest):
        return Message("version-built-missing")
    if report.replay_digest is None or not storages[REPLAYS].exists(report.replay_digest):
        return Message("version-check-missing")
    return None


def _version_leased(version_id: int, token: str) -> BotVersion | None:
    """Lock and return a version, or return None (and log it) if the lease token is not its current one."""
    if not BotVersion.objects.filter(pk=version_id).exists():
        log.error("build_report_unknown", version=version_id)
        return None
    version = _version_locked(version_id)
    if not version.lease_holds(token):
        log.info("build_report_late", version=version_id)
        lease_end_announce(lease_token=token)
        return None
    return version


def _version_locked(pk: int) -> BotVersion:
    """Lock and return a version after locking its bot. All services use this order, which prevents deadlocks."""
    bots = BotVersion.objects.filter(pk=pk).values("bot")
    Bot.objects.select_for_update(no_key=True).get(pk__in=bots)
    return BotVersion.objects.select_for_update(no_key=True).select_related("bot").get(pk=pk)
