"""The life of a build, from the queue to its end, and what messages say of built versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import F, QuerySet

from common.queries.sql import content_lock
from common.words.messages import sentence_of
from contests.selectors.contests import bot_limits, check_size, contest_options, contests_on_own_hosts, own_hosts_only
from core.message import Message, stored
from jobs.fairness import BUILD, HOUSE_BUILD, Job
from jobs.files.storage import ARTIFACTS, REPLAYS
from jobs.files.transfers import download_url, upload_url
from jobs.leases import held_times
from jobs.services.dispatching import queue_announce
from jobs.services.life import JobLife
from ladder.models import BotVersion
from ladder.selectors.builds import builds_nobody_awaits, last_error
from ladder.services.bots import bots_lock
from ladder.services.versions import VersionChanges, version_transition
from wire.jobs import BUILD_TASK, BuildJob, BuildProgress, BuildReport, SeatProgram, WireMessage

log = structlog.get_logger(__name__)

State = BotVersion.State


def seat_program(*, name: str, number: int, artifact_digest: str, language: str, entry: str) -> SeatProgram:
    """Return the message part with which a worker fetches and runs a built version.

    ``artifact_digest`` is the SHA-256 of the built program, and ``entry`` the path of the main file in the artifact.
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


def build_enqueue(*, version: BotVersion, held: bool = False) -> None:
    """Put an UPLOADED version into the queue of builds, as a new attempt with a new lease token.

    With ``held``, the job is sent to workers only after ``LAST_ATTEMPT_DELAY_SECONDS``.
    """
    with transaction.atomic():
        (locked,) = BUILDS.lock(BotVersion.objects.filter(pk=version.pk))
        locked.lease_begin(held=held)
        locked.save()
        queue_announce()


class _Builds(JobLife[BotVersion, BuildProgress, BuildReport]):
    """The builds of versions."""

    name, row, task, given_up = "build", "version", BUILD_TASK, "version-platform-failed"
    classes = frozenset({BUILD, HOUSE_BUILD})
    rows = BotVersion.objects.all()
    queued = BotVersion.objects.filter(state=State.UPLOADED)
    running = BotVersion.objects.filter(state=State.BUILDING)
    related = ("bot__contest",)
    own = own_hosts_only(at="bot__contest")

    def in_flight(self) -> Iterator[tuple[Job, bool]]:
        """Yield waiting and running builds except held ones, each with whether its message has been sent (1 query)."""
        after, until = held_times()
        versions = BotVersion.objects.filter(state__in=(State.UPLOADED, State.BUILDING))
        versions = versions.exclude(held_until__gt=after, held_until__lte=until)
        versions = versions.annotate(unawaited=builds_nobody_awaits()).order_by()
        columns = ("pk", "bot__owner", "bot__contest", "unawaited", "notified_at", "attempt", "step")
        kept = contests_on_own_hosts()
        for pk, owner, contest, unawaited, notified_at, attempt, step in versions.values_list(*columns):
            queue_class = HOUSE_BUILD if unawaited else BUILD
            # A build that was requeued without using up an attempt has still reached a step.
            is_retry = attempt > 1 or bool(step)
            holders = frozenset({f"builds of {owner}"})
            yield Job(queue_class, pk, holders, is_retry, is_own=contest in kept), notified_at is not None

    def lock(self, rows: QuerySet[BotVersion]) -> QuerySet[BotVersion]:
        """Lock versions after their bots, and return them. All services use this order, which prevents deadlocks."""
        bots_lock(pks=rows.values("bot"))
        return super().lock(rows)

    def messages(self, rows: Sequence[BotVersion]) -> dict[int, WireMessage]:
        """Return the messages of waiting builds, by key of the version."""
        return {
            version.pk: BuildJob(
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
            for version in rows
        }

    def progressed(self, version: BotVersion, report: BuildProgress) -> None:
        """Store the step that a build has reached, and renew its lease; an UPLOADED version becomes BUILDING."""
        if version.state == State.UPLOADED:
            version = version_transition(version=version, to=State.BUILDING, worker=report.worker)
        version.step = report.step
        version.lease_renew()
        version.save(update_fields=["step", "lease_ends_at"])

    def problem(self, version: BotVersion, report: BuildReport) -> Message | None:
        """Return why a report of success cannot be true; None if it can."""
        if report.failed_step is not None:
            return None
        if report.artifact_digest is not None:
            content_lock(digest=report.artifact_digest, shared=True)  # `bot_delete` may be about to delete the file
        if report.artifact_digest is None or not storages[ARTIFACTS].exists(report.artifact_digest):
            return Message("version-built-missing")
        if report.replay_digest is None or not storages[REPLAYS].exists(report.replay_digest):
            return Message("version-check-missing")
        return None

    def end(self, version: BotVersion, report: BuildReport) -> None:
        """Store what a build has reported, and move its version to ACTIVE or REJECTED."""
        to, changes = State.ACTIVE, VersionChanges(artifact_digest=report.artifact_digest or "")
        if report.failed_step is not None:
            reason = stored(report.why)
            to, changes = State.REJECTED, {"step": report.failed_step, "verdict": report.verdict, "reason": reason}
        reported = VersionChanges(
            log=report.log,
            worker=report.worker,
            language=report.language,
            entry=report.entry,
            check_replay_digest=report.replay_digest or "",
            check_log_digest=report.log_digest or "",
        )
        _housebot_failure_log(version_transition(version=version, to=to, **(reported | changes)))

    def requeue(self, version: BotVersion, *, held: bool = False) -> None:
        """Begin a new attempt of a version's build; ``held`` is as in ``build_enqueue``."""
        if version.state == State.BUILDING:
            version = version_transition(version=version, to=State.UPLOADED)
        build_enqueue(version=version, held=held)

    def give_up(self, version: BotVersion, reason: Message) -> None:
        """Move a version to FAILED; its owner may retry."""
        _housebot_failure_log(version_transition(version=version, to=State.FAILED, reason=stored(reason)))


BUILDS = _Builds()


def _opponent(version: BotVersion) -> SeatProgram | None:
    """Return the opponent of the check match: the contest's weakest other active house bot; None without one."""
    house = BotVersion.objects.filter(state=State.ACTIVE, bot__is_house=True, bot__contest=version.bot.contest_id)
    weakest_first = F("bot__declared_rating").asc(nulls_last=True)
    weakest = house.exclude(bot=version.bot_id).select_related("bot").order_by(weakest_first).first()
    return version_program(version=weakest) if weakest else None


def _housebot_failure_log(version: BotVersion) -> None:
    """Log an error if a house bot could not be built, since no user would notice it."""
    if version.bot.is_house and version.state in (State.REJECTED, State.FAILED):
        reason = f"{sentence_of(version.reason, version.bot.game)} {last_error(log=version.log)}".rstrip()
        log.error("housebot_not_built", game=version.bot.game, bot=version.bot.name, reason=reason)
