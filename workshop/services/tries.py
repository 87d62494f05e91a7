"""The life of a try: it is begun, sent to a worker, followed, and ended once. Reports need its lease token."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec.structs import replace

from accounts.models import User
from common.errors import IllegalTransition, InputError
from contests.models import Contest
from contests.selectors.contests import (
    bot_limits,
    check_size,
    contest_named,
    contest_rules,
    contest_state,
    contest_unknown,
    contests_on_own_hosts,
    entry_check,
    own_hosts_only,
    play_problem,
)
from core.message import Message, stored
from exhibitions.selectors.played import answers_taken
from jobs.fairness import TRY, Job
from jobs.files.storage import ARTIFACTS, REPLAYS
from jobs.files.transfers import download_url, upload_url
from jobs.services.dispatching import queue_announce
from jobs.services.life import JobLife
from ladder.models import BotVersion
from ladder.selectors.quotas import quota_of
from ladder.selectors.uploads import stopped_problem
from ladder.services.builds import version_program
from ladder.services.examining import bundle_store
from matches.encounters import SEEDS
from matches.verdicts import VERDICTS
from wire.jobs import TRY_TASK, TryJob, TryProgress, TryReport, WireMessage
from workshop.models import Try
from workshop.selectors.origins import Origin
from workshop.services.drafts import files_bundle, language_check

State = Try.State
log = structlog.get_logger(__name__)

_TRANSITIONS: Mapping[State, tuple[State, ...]] = {
    State.WAITING: (State.RUNNING, State.FINISHED, State.REJECTED, State.FAILED),
    State.RUNNING: (State.WAITING, State.FINISHED, State.REJECTED, State.FAILED),
}


class TryOpen(InputError):  # noqa: N818 - says what is so
    """The user has a try that has not ended."""


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
    """Store files as a program to be tried by the rules of a contest, and put it into the queue.

    ``files`` are texts by path. If ``language`` is empty, the builder decides by the file names. The program has the
    seat ``seat``; ``opponent``, the key of a version, has all others (None: copies of the program). A ``seed`` of None
    means a random one. With ``origin`` the try goes on from that match, with its seed and options.

    Raises:
        InputError: an upload of these files would be refused, the contest makes no matches or does not take the
            language, there is no such opponent, seat, seed or turn, or the owner's quota is used up.
        TryOpen: the user has a try that has not ended.
        StoreAway: the disk is full, or the bucket does not answer.
    """
    bundle = files_bundle(files=files)
    found = _contest(owner, contest)
    language_check(contest=found, language=language)
    begun = Try(
        owner=owner,
        contest=found,
        opponent=_opponent(found, opponent),
        seat=seat,
        language=language,
        bundle_digest=bundle.digest,
        stored_bytes=len(bundle.data),
        **(_match_new(found, seed) if origin is None else _match_of(found, origin)),
    )
    if not 0 <= seat < begun.players:
        raise InputError(
            _("This match has %(seats)d seats, numbered from 0. Please choose one.") % {"seats": begun.players}
        )
    with transaction.atomic():
        # Read anew: the account may have been closed meanwhile.
        if problem := stopped_problem(owner=User.objects.select_for_update(no_key=True).get(pk=owner.pk)):
            raise InputError(problem)
        if Try.objects.filter(owner=owner, state__in=Try.OPEN).exists():
            raise TryOpen(_("Your last try has not ended. Please wait for its result."))
        _check_quota(begun)
        begun.lease_begin()
        begun.save()
        bundle_store(bundle=bundle)
        queue_announce()
    log.info("try_begun", **{"try": begun.pk}, owner=owner.pk, contest=contest)
    return begun


def _contest(owner: User, slug: str) -> Contest:
    entry_check(contest=slug, reader=owner)
    found = contest_named(slug=slug)
    if found is None:
        raise InputError(contest_unknown())
    if problem := play_problem(contest_state(contest=found.pk)):
        raise InputError(problem)
    return found


def _check_quota(begun: Try) -> None:
    """Refuse a try of a user whose uploads and tries fill the quota of bytes.

    The attack: somebody fills the disk with the replays and logs of tries, which are kept for days.
    """
    kept = Try.objects.filter(owner=begun.owner).aggregate(bytes=Sum("stored_bytes", default=0))["bytes"]
    quota = quota_of(owner=begun.owner)
    if quota.bytes + kept + begun.stored_bytes > quota.bytes_max:
        sentence = _(
            "Your uploads and the tries of the last days fill the %(max)d MiB that one user may use. Please try"
            " again tomorrow, or let your program write less to standard error."
        )
        raise InputError(sentence % {"max": quota.bytes_max // 1024**2})


def _opponent(contest: Contest, pk: int | None) -> BotVersion | None:
    if pk is None:
        return None
    version = BotVersion.objects.filter(pk=pk, bot__contest=contest, state=BotVersion.State.ACTIVE).first()
    if version is None:
        raise InputError(_("This bot does not play just now: it has no active version. Please choose another one."))
    return version


def _match_new(contest: Contest, seed: int | None) -> dict[str, Any]:
    """Return the fields of a try that begins at the first turn, by the rules of its contest."""
    rules, options = contest_rules(contest=contest)
    if seed is not None and not 0 <= seed < SEEDS:
        raise InputError(_("Please choose a seed from 0 to %(max)d.") % {"max": SEEDS - 1})
    return {
        "rules_version": rules.rules_version,
        "options": options,
        "players": check_size(contest=contest),
        "seed": secrets.randbelow(SEEDS) if seed is None else seed,
    }


def _match_of(contest: Contest, origin: Origin) -> dict[str, Any]:
    """Return the fields of a try that goes on from another match, by its rules and seed."""
    played = answers_taken(
        game=contest.game,
        rules_version=origin.rules_version,
        digest=origin.replay_digest,
        turns=origin.turns,
        turn=origin.turn,
    )
    return {
        "rules_version": origin.rules_version,
        "options": origin.options,
        "players": origin.players,
        "seed": origin.seed,
        "played": played,
    }


# --- The life of a try ----------------------------------------------------------------------------------------------


def try_transition(*, tried: Try, to: State) -> None:
    """Move a try, whose row the caller's transaction has locked, to a state in memory; the caller saves it.

    Raises:
        IllegalTransition: it cannot go there from its state.
    """
    if to not in _TRANSITIONS.get(State(tried.state), ()):
        raise IllegalTransition(f"{tried} cannot go from {tried.state} to {to}.")
    tried.state = to
    if to not in Try.OPEN:
        tried.ended_at = timezone.now()
        tried.lease_drop()


class _Tries(JobLife[Try, TryProgress, TryReport]):
    """The tries of programs."""

    name, row, task, given_up = "try", "try", TRY_TASK, "version-platform-failed"
    classes = frozenset({TRY})
    rows = Try.objects.all()
    queued = Try.objects.filter(state=State.WAITING)
    running = Try.objects.filter(state=State.RUNNING)
    related = ("contest", "opponent__bot", "owner")
    own = own_hosts_only(at="contest")

    def in_flight(self) -> Iterator[tuple[Job, bool]]:
        """Yield waiting and running tries, each with whether its message has been sent (1 query)."""
        tries = Try.objects.filter(state__in=Try.OPEN).order_by()
        kept = contests_on_own_hosts()
        for pk, owner, contest, notified_at in tries.values_list("pk", "owner", "contest", "notified_at"):
            holders = frozenset({f"builds of {owner}"})
            yield Job(TRY, pk, holders, is_own=contest in kept), notified_at is not None

    def messages(self, rows: Sequence[Try]) -> dict[int, WireMessage]:
        """Return the messages to workers about waiting tries, by primary key of the try."""
        return {
            tried.pk: TryJob(
                try_id=tried.pk,
                attempt=tried.attempt,
                lease_token=tried.lease_token,
                name=tried.owner.username,
                game=tried.contest.game,
                rules_version=tried.rules_version,
                bundle_url=download_url(store=ARTIFACTS, digest=tried.bundle_digest),
                bundle_digest=tried.bundle_digest,
                language=tried.language or None,
                languages=tried.contest.languages,
                opponent=version_program(version=tried.opponent) if tried.opponent else None,
                seat=tried.seat,
                players=tried.players,
                options=tried.options,
                seed=tried.seed,
                # JSON knows no whole numbers as keys.
                played=msgspec.convert(tried.played, list[dict[int, list[str]]], strict=False),
                replay_url=upload_url(store=REPLAYS),
                limits=bot_limits(contest=tried.contest),
            )
            for tried in rows
        }

    def progressed(self, tried: Try, report: TryProgress) -> None:
        """Store the step that a try has reached, and renew its lease; a WAITING try becomes RUNNING."""
        if tried.state == State.WAITING:
            try_transition(tried=tried, to=State.RUNNING)
        tried.worker, tried.step = report.worker, report.step
        tried.lease_renew()
        tried.save(update_fields=["state", "worker", "step", "lease_ends_at"])

    def problem(self, tried: Try, report: TryReport) -> Message | None:
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

    def end(self, tried: Try, report: TryReport) -> None:
        """Store what a try has reported, and end it as FINISHED or REJECTED."""
        to = State.FINISHED if report.failed_step is None else State.REJECTED
        if report.failed_step is not None:
            tried.step, tried.verdict, tried.reason = report.failed_step, report.verdict, stored(report.why)
        else:
            # What other bots wrote before their faults is for their owners alone.
            seats = [
                each if index == tried.seat else replace(each, fault=None) for index, each in enumerate(report.seats)
            ]
            tried.turns, tried.seats = report.turns, msgspec.to_builtins(seats)
            tried.replay_digest, tried.log_digest = report.replay_digest or "", report.log_digest or ""
            files = (tried.replay_digest, tried.log_digest)
            tried.stored_bytes += sum(storages[REPLAYS].size(digest) for digest in files)
        tried.worker, tried.log = report.worker, report.log
        tried.stored_bytes += len(report.log.encode(errors="replace"))
        tried.language = report.language or tried.language
        try_transition(tried=tried, to=to)
        tried.save()
        log.info("try_ended", **{"try": tried.pk}, state=to)
        queue_announce()  # a worker has become free

    def requeue(self, tried: Try, *, held: bool = False) -> None:
        """Begin a new attempt of a try, which is never held back."""
        if tried.state == State.RUNNING:
            try_transition(tried=tried, to=State.WAITING)
        tried.lease_begin()
        tried.step = ""
        tried.save()
        queue_announce()

    def give_up(self, tried: Try, reason: Message) -> None:
        """Move a try to FAILED."""
        tried.reason = stored(reason)
        try_transition(tried=tried, to=State.FAILED)
        tried.save()


TRIES = _Tries()
