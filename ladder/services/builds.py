"""The builds of versions: handed out, followed, ended exactly once. As with matches, the lease token decides."""

from __future__ import annotations

import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.utils import timezone

from common.queries.sql import content_lock
from jobs.celery_app import app
from jobs.files.storage import ARTIFACTS, REPLAYS
from jobs.files.transfers import download_url, upload_url
from jobs.leases import ATTEMPTS_MAX
from jobs.selectors.workers import language_elsewhere, worker_is_quarantined
from jobs.sending import jobs_send
from jobs.services.dispatching import queue_announce
from jobs.services.sweeping import leased_sweep
from ladder.models import Bot, BotVersion
from ladder.selectors.games import bot_limits
from ladder.selectors.housebots import last_error
from ladder.services.versions import VersionChanges, version_transition
from wire.jobs import BUILD_QUEUE, BUILD_TASK, BuildJob, BuildProgress, BuildReport, SeatProgram

log = structlog.get_logger(__name__)

State = BotVersion.State


def seat_program(*, name: str, number: int, artifact_digest: str, language: str, entry: str) -> SeatProgram:
    """Return what a worker needs to run a version that has been built.

    Args:
        name: of its bot.
        number: of the version, and so the others.
        artifact_digest: SHA-256 of what was built.
        language: its name.
        entry: path in the artifact.
    """
    return SeatProgram(
        name=name,
        version=str(number),
        artifact_url=download_url(store=ARTIFACTS, digest=artifact_digest),
        artifact_digest=artifact_digest,
        language=language,
        entry=entry,
    )


# --- Handing out ----------------------------------------------------------------------------------------------------


def build_enqueue(*, version: BotVersion, held: bool = False) -> None:
    """Put an uploaded version into the queue of what is to be built: a new attempt with a new token.

    Args:
        version: has not been built.
        held: whether it is handed out only after ``LAST_ATTEMPT_DELAY_SECONDS``.
    """
    with transaction.atomic():
        locked = _version_locked(version.pk)
        locked.lease_begin(held=held)
        locked.save()
        queue_announce()


@transaction.atomic
def build_notify(*, version_id: int) -> None:
    """Send the message of a version that waits for a builder (again) when the transaction is committed.

    A broker that cannot be reached is logged, not raised: the sweeper rings again.
    """
    version = _version_locked(version_id)
    if version.state != State.UPLOADED:  # it has been withdrawn, or a builder has it after all
        return
    version.notified_at = timezone.now()
    version.save()
    job = _build_job(version)
    transaction.on_commit(lambda: jobs_send(app, BUILD_TASK, [job]), robust=True)


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
        seed=version.pk,
        artifact_url=upload_url(store=ARTIFACTS),
        replay_url=upload_url(store=REPLAYS),
        limits=bot_limits(game=version.bot.game),
    )


def _opponent(version: BotVersion) -> SeatProgram | None:
    """Return the opponent of the check match: the weakest house bot that is not the version's own."""
    house = BotVersion.objects.filter(state=State.ACTIVE, bot__is_house=True, bot__game=version.bot.game)
    weakest = house.exclude(bot=version.bot_id).select_related("bot").order_by("bot__declared_rating").first()
    if weakest is None:
        return None
    return seat_program(
        name=weakest.bot.name,
        number=weakest.number,
        artifact_digest=weakest.artifact_digest,
        language=weakest.language,
        entry=weakest.entry,
    )


# --- What builders report -------------------------------------------------------------------------------------------


@transaction.atomic
def build_progress(*, report: BuildProgress) -> None:
    """Note the step that a build has reached, and renew its lease. Without effect when it counts no more."""
    version = _version_leased(report.version_id, report.lease_token)
    if version is None:
        return
    if worker_is_quarantined(name=report.worker):
        _build_take_back(version, report.worker)
        return
    if version.state == State.UPLOADED:
        version = version_transition(version=version, to=State.BUILDING, worker=report.worker)
    version.step = report.step
    version.lease_renew()
    version.save(update_fields=["step", "lease_ends_at"])


@transaction.atomic
def build_record_result(*, report: BuildReport) -> None:
    """Take the report of how a build ended. Whatever comes, and however often: a build ends once."""
    version = _version_leased(report.version_id, report.lease_token)
    if version is None:
        return
    lacks = report.lacks and language_elsewhere(name=report.lacks, worker=report.worker)
    if lacks or worker_is_quarantined(name=report.worker):
        _build_take_back(version, report.worker)
    elif fault := report.platform_fault or _report_problem(report):
        _build_again(version, fault)
    elif report.failed_step is not None:
        why: VersionChanges = {"step": report.failed_step, "verdict": report.verdict, "sentence": report.sentence}
        _version_end(version, State.REJECTED, report, why)
    else:
        _version_end(version, State.ACTIVE, report, {"artifact_digest": report.artifact_digest or ""})


def builds_sweep() -> None:
    """Take back builds whose worker is gone, and ring again for those whose message is; see ``leased_sweep``."""
    leased_sweep(
        queue=BUILD_QUEUE,
        running=BotVersion.objects.filter(state=State.BUILDING),
        queued=BotVersion.objects.filter(state=State.UPLOADED),
        attempt_end=_build_lost,
        notify=lambda pks: [build_notify(version_id=pk) for pk in pks],
    )


def builds_withdraw(*, worker: str) -> int:
    """Take all builds back from a worker that is not trusted any more; return how many."""
    running = BotVersion.objects.filter(state=State.BUILDING, worker=worker)
    return sum(_build_withdraw(pk, worker) for pk in running.values_list("pk", flat=True))


@transaction.atomic
def _build_withdraw(pk: int, worker: str) -> bool:
    version = _version_locked(pk)
    if version.state != State.BUILDING or version.worker != worker:
        return False
    _build_take_back(version, worker)
    return True


@transaction.atomic
def _build_lost(pk: int) -> None:
    version = _version_locked(pk)
    if version.state == State.BUILDING and version.lease_expired():
        _build_again(version, "The worker gave no sign of life any more.")


def _build_again(version: BotVersion, reason: str) -> None:
    """Hand the build out once more, or give it up after so many attempts; the owner may ask for more."""
    log.warning("build_attempt_failed", version=version.pk, attempt=version.attempt, reason=reason)
    if version.attempt >= ATTEMPTS_MAX:
        sentence = f"Our platform failed {ATTEMPTS_MAX} times; it is not your bot's fault. The last time: {reason}"
        _tell_of_housebot(version_transition(version=version, to=State.FAILED, sentence=sentence))
    else:
        _build_hand_out_again(version, held=version.attempt == ATTEMPTS_MAX - 1)


def _build_take_back(version: BotVersion, worker: str) -> None:
    """Take a build back from a worker in quarantine or without its language; none of its attempts is used up.

    The attack it stops: a worker in quarantine takes builds all the same, and has every upload fail.
    """
    log.warning("build_attempt_withdrawn", version=version.pk, attempt=version.attempt, worker=worker)
    version.attempt -= 1
    version.save(update_fields=["attempt"])
    _build_hand_out_again(version)


def _build_hand_out_again(version: BotVersion, *, held: bool = False) -> None:
    if version.state == State.BUILDING:
        version = version_transition(version=version, to=State.UPLOADED)
    build_enqueue(version=version, held=held)


def _version_end(version: BotVersion, to: State, report: BuildReport, changes: VersionChanges) -> None:
    """End a build: the version keeps what every report tells, and these changes."""
    reported: VersionChanges = {
        "log": report.log,
        "worker": report.worker,
        "language": report.language,
        "entry": report.entry,
        "check_replay_digest": report.replay_digest or "",
        "check_log_digest": report.log_digest or "",
    }
    _tell_of_housebot(version_transition(version=version, to=to, **(reported | changes)))


def _tell_of_housebot(version: BotVersion) -> None:
    """Log that a house bot could not be built: nobody else waits for it."""
    if version.bot.is_house and version.state in (State.REJECTED, State.FAILED):
        reason = f"{version.sentence} {last_error(log=version.log)}".rstrip()
        log.error("housebot_not_built", game=version.bot.game, bot=version.bot.name, reason=reason)


def _report_problem(report: BuildReport) -> str | None:
    """Say in one sentence why a report cannot be a build's ending; None if it can."""
    if report.failed_step is not None:
        return None
    if report.artifact_digest is not None:
        content_lock(digest=report.artifact_digest, shared=True)  # somebody may just delete a bot of the same files
    if report.artifact_digest is None or not storages[ARTIFACTS].exists(report.artifact_digest):
        return "What the build made is missing from the store."
    if report.replay_digest is None or not storages[REPLAYS].exists(report.replay_digest):
        return "The replay of the check match is missing from the store."
    return None


def _version_leased(version_id: int, token: str) -> BotVersion | None:
    """Lock and return the version if the token still counts."""
    if not BotVersion.objects.filter(pk=version_id).exists():
        log.error("build_report_unknown", version=version_id)
        return None
    version = _version_locked(version_id)
    if not version.lease_holds(token):
        log.info("build_report_late", version=version_id)
        return None
    return version


def _version_locked(pk: int) -> BotVersion:
    """Lock a version, its bot first: all services lock them in this order, so that there is no deadlock."""
    bots = BotVersion.objects.filter(pk=pk).values("bot")
    Bot.objects.select_for_update(no_key=True).get(pk__in=bots)
    return BotVersion.objects.select_for_update(no_key=True).select_related("bot").get(pk=pk)
