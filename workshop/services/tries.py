"""The life of a try: it is begun, sent to a worker, followed, and ended once. Reports need its lease token."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import msgspec
import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from contests.models import Contest
from contests.selectors.contests import (
    bot_limits,
    check_size,
    contest_rules,
    contest_seen,
    contest_state,
    contest_unknown,
    play_problem,
)
from core.message import Message, stored
from exhibitions.selectors.played import answers_before
from jobs.celery_app import app
from jobs.files.storage import ARTIFACTS, REPLAYS
from jobs.files.transfers import download_url, upload_url
from jobs.leases import ATTEMPTS_MAX
from jobs.selectors.workers import language_elsewhere, worker_is_quarantined
from jobs.sending import jobs_send
from jobs.services.dispatching import queue_announce
from jobs.services.sweeping import leased_sweep
from ladder.models import BotVersion
from ladder.services.builds import seat_program
from ladder.services.uploads import bundle_store
from matches.selectors.matches import ReplayUnreadable
from matches.verdicts import VERDICTS
from wire.jobs import TRY_QUEUE, TRY_TASK, SeatProgram, TryJob, TryProgress, TryReport
from workshop.models import Try
from workshop.selectors.origins import Origin
from workshop.services.drafts import files_bundle

State = Try.State
log = structlog.get_logger(__name__)

SEEDS = 2**31
_TRANSITIONS: Mapping[State, tuple[State, ...]] = {
    State.WAITING: (State.RUNNING, State.FINISHED, State.REJECTED, State.FAILED),
    State.RUNNING: (State.WAITING, State.FINISHED, State.REJECTED, State.FAILED),
}


class TryOpen(InputError):  # noqa: N818 - says what is so
    """The user has a try that has not ended."""


class IllegalTransition(Exception):  # noqa: N818 - says what it is
    """A try cannot go from its state to the wanted one."""


# --- Beginning ------------------------------------------------------------------------------------------------------


def try_begin(
    *,
    owner: User,
    contest: str,
    language: str,
    files: Mapping[str, str],
    opponent: int | None,
    seat: int,
    seed: int | None = None,
    origin: Origin | None = None,
) -> Try:
    """Store files as a program to be tried, and put it into the queue.

    Args:
        owner: its author.
        contest: key of the contest by whose rules it plays.
        language: name of the language; empty to let the builder decide by the file names.
        files: texts by path.
        opponent: key of the version on all other seats; None: copies of the program.
        seat: the program's.
        seed: of the match; None: any.
        origin: the match that it goes on from, with that match's seed and options.

    Raises:
        InputError: an upload of these files would be refused, the contest makes no matches, or there is no such
            opponent, seat or turn.
        TryOpen: the user has a try that has not ended.
        StoreAway: the disk is full, or the bucket does not answer.
    """
    bundle = files_bundle(files=files)
    found = _contest(owner, contest)
    version = _opponent(found, opponent)
    rules, options = contest_rules(contest=found)
    players = check_size(contest=found)
    played: list[dict[int, list[str]]] = []
    if origin is not None:
        options, players, seed = origin.options, origin.players, origin.seed
        played = _played(origin, rules.rules_version)
    if not 0 <= seat < players:
        raise InputError(_("This match has %(seats)d seats, numbered from 0. Please choose one.") % {"seats": players})
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if Try.objects.filter(owner=owner, state__in=Try.OPEN).exists():
            raise TryOpen(_("Your last try has not ended. Please wait for its result."))
        begun = Try(
            owner=owner,
            contest=found,
            opponent=version,
            seat=seat,
            players=players,
            seed=secrets.randbelow(SEEDS) if seed is None else seed,
            rules_version=rules.rules_version,
            options=options,
            played=played,
            language=language,
            bundle_digest=bundle.digest,
        )
        begun.lease_begin()
        begun.save()
        bundle_store(bundle=bundle)
        queue_announce()
    log.info("try_begun", **{"try": begun.pk}, owner=owner.pk, contest=contest)
    return begun


def _contest(owner: User, slug: str) -> Contest:
    if owner.uploads_stopped:
        raise InputError(
            _("The uploads of your account are stopped. Please write to the administrators. Their reason: %(reason)s")
            % {"reason": owner.uploads_stopped}
        )
    found = contest_seen(slug=slug, reader=owner)
    if found is None:
        raise InputError(contest_unknown())
    if problem := play_problem(contest_state(contest=found.pk)):
        raise InputError(problem)
    return found


def _opponent(contest: Contest, pk: int | None) -> BotVersion | None:
    if pk is None:
        return None
    version = BotVersion.objects.filter(pk=pk, bot__contest=contest, state=BotVersion.State.ACTIVE).first()
    if version is None:
        raise InputError(_("This bot does not play just now: it has no active version. Please choose another one."))
    return version


def _played(origin: Origin, rules_version: str) -> list[dict[int, list[str]]]:
    if origin.rules_version != rules_version:
        raise InputError(_("The rules of the game have changed since this match. Please choose a newer one."))
    if not 1 <= origin.turn <= origin.turns:
        raise InputError(_("This match has %(turns)d turns. Please choose one of them.") % {"turns": origin.turns})
    try:
        return answers_before(digest=origin.replay_digest, turn=origin.turn)
    except ReplayUnreadable as error:
        raise InputError(str(error)) from error


# --- Handing out ----------------------------------------------------------------------------------------------------


@transaction.atomic
def try_notify(*, pk: int) -> None:
    """Send the message of a waiting try to the workers when the transaction is committed, also a second time.

    If the broker cannot be reached, this is logged and not raised: the sweeper sends the message again later.
    """
    waiting = _locked(pk)
    if waiting.state != State.WAITING:
        return
    waiting.notified_at = timezone.now()
    waiting.save(update_fields=["notified_at"])
    job = _job(waiting)
    transaction.on_commit(lambda: jobs_send(app, TRY_TASK, [job]), robust=True)


def _job(waiting: Try) -> TryJob:
    contest = waiting.contest
    return TryJob(
        try_id=waiting.pk,
        attempt=waiting.attempt,
        lease_token=waiting.lease_token,
        name=waiting.owner.username,
        game=contest.game,
        rules_version=waiting.rules_version,
        bundle_url=download_url(store=ARTIFACTS, digest=waiting.bundle_digest),
        bundle_digest=waiting.bundle_digest,
        language=waiting.language or None,
        languages=contest.languages,
        opponent=_program(waiting.opponent) if waiting.opponent else None,
        seat=waiting.seat,
        players=waiting.players,
        options=waiting.options,
        seed=waiting.seed,
        # JSON knows no whole numbers as keys.
        played=msgspec.convert(waiting.played, list[dict[int, list[str]]], strict=False),
        replay_url=upload_url(store=REPLAYS),
        limits=bot_limits(contest=contest),
    )


def _program(version: BotVersion) -> SeatProgram:
    return seat_program(
        name=version.bot.name,
        number=version.number,
        artifact_digest=version.artifact_digest,
        language=version.language,
        entry=version.entry,
    )


# --- What workers report --------------------------------------------------------------------------------------------


@transaction.atomic
def try_progress(*, report: TryProgress) -> None:
    """Record the step that a try has reached, and renew its lease. A report with an old lease token is ignored."""
    running = _leased(report.try_id, report.lease_token)
    if running is None:
        return
    if worker_is_quarantined(name=report.worker):
        _requeue(running)
        return
    if running.state == State.WAITING:
        try_transition(tried=running, to=State.RUNNING)
    running.worker, running.step = report.worker, report.step
    running.lease_renew()
    running.save()


@transaction.atomic
def try_record_result(*, report: TryReport) -> None:
    """Record the result of a try. A report with an old lease token is ignored, so a try ends once."""
    tried = _leased(report.try_id, report.lease_token)
    if tried is None:
        return
    tried.worker = report.worker
    if (report.lacks and language_elsewhere(name=report.lacks, worker=report.worker)) or worker_is_quarantined(
        name=report.worker
    ):
        _requeue(tried)
    elif fault := report.platform_fault or _report_problem(tried, report):
        _attempt_failed(tried, fault)
    elif report.failed_step is not None:
        tried.step, tried.verdict, tried.reason = report.failed_step, report.verdict, stored(report.why)
        _end(tried, State.REJECTED, report)
    else:
        tried.turns, tried.seats = report.turns, msgspec.to_builtins(report.seats)
        tried.replay_digest, tried.log_digest = report.replay_digest or "", report.log_digest or ""
        _end(tried, State.FINISHED, report)


def tries_sweep() -> None:
    """Requeue tries whose lease has expired, and send lost messages again (``leased_sweep``)."""
    leased_sweep(
        queue=TRY_QUEUE,
        running=Try.objects.filter(state=State.RUNNING),
        queued=Try.objects.filter(state=State.WAITING),
        attempt_end=_lease_expired,
        notify=lambda pks: [try_notify(pk=pk) for pk in pks],
    )


def try_transition(*, tried: Try, to: State) -> None:
    """Move a locked try to a state, in memory; the caller saves.

    Raises:
        IllegalTransition: it cannot go there from its state.
    """
    if to not in _TRANSITIONS.get(State(tried.state), ()):
        raise IllegalTransition(f"{tried} cannot go from {tried.state} to {to}.")
    tried.state = to
    if to not in Try.OPEN:
        tried.ended_at = timezone.now()
        tried.lease_drop()


def _end(tried: Try, to: State, report: TryReport) -> None:
    tried.log = report.log
    tried.language = report.language or tried.language
    try_transition(tried=tried, to=to)
    tried.save()
    log.info("try_ended", **{"try": tried.pk}, state=to)
    queue_announce()  # a worker has become free


@transaction.atomic
def _lease_expired(pk: int) -> None:
    tried = _locked(pk)
    if tried.state == State.RUNNING and tried.lease_expired():
        _attempt_failed(tried, Message("worker-silent"))


def _attempt_failed(tried: Try, fault: Message) -> None:
    """Requeue a try that the platform failed to make; after ``ATTEMPTS_MAX`` attempts it is FAILED."""
    log.warning("try_attempt_failed", **{"try": tried.pk}, attempt=tried.attempt, reason=str(fault))
    if tried.attempt < ATTEMPTS_MAX:
        _requeue(tried)
        return
    tried.reason = stored(Message("version-platform-failed", {"times": ATTEMPTS_MAX, "why": stored(fault)}))
    try_transition(tried=tried, to=State.FAILED)
    tried.save()


def _requeue(tried: Try) -> None:
    if tried.state == State.RUNNING:
        try_transition(tried=tried, to=State.WAITING)
    tried.lease_begin()
    tried.step = ""
    tried.save()
    queue_announce()


def _report_problem(tried: Try, report: TryReport) -> Message | None:
    """Return why a report of a match cannot be true; None if it can."""
    if report.failed_step is not None:
        return None
    if len(report.seats) != tried.players:
        return Message("report-seats")
    if any(seat.fault and seat.fault.verdict not in VERDICTS for seat in report.seats):
        return Message("report-verdict")
    for digest in (report.replay_digest, report.log_digest):
        if digest is None or not storages[REPLAYS].exists(digest):
            return Message("report-no-replay")
    return None


def _leased(pk: int, token: str) -> Try | None:
    """Lock and return a try, or return None (and log it) if the lease token is not its current one."""
    tried = Try.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if tried is None or not tried.lease_holds(token):
        log.info("try_report_late", **{"try": pk})
        return None
    return tried


def _locked(pk: int) -> Try:
    return Try.objects.select_for_update(no_key=True).get(pk=pk)
