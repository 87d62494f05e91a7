"""Moves versions from state to state: activation, withdrawal, probation and its end."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict, Unpack

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.news_kinds import NewsKind
from accounts.services.audit import audit_write
from common.errors import IllegalTransition, InputError
from contests.models import Contest
from contests.selectors.contests import archive_problem, contest_is_over
from contests.services.contests import contest_hold
from core.message import Message, said, stored
from jobs.services.dispatching import queue_announce
from ladder.models import Bot, BotVersion, SentFile
from ladder.news import BUILT, NOT_BUILT, PROBATION, REJECTED, VERSION, WITHDRAWN
from ladder.selectors.bots import LIVE_STATES
from ladder.selectors.versions import DISQUALIFIED, DISQUALIFIED_BY_ORGANISER, DISQUALIFIED_WHY
from ladder.services.events import event_new, events_create
from ladder.services.notifications import notification_create

State = BotVersion.State
log = structlog.get_logger(__name__)

_NEXT_STATES: dict[str, frozenset[str]] = {
    State.RECEIVED: frozenset({State.UPLOADED, State.REJECTED, State.RETIRED}),
    # A result may arrive before the report that the build began, so UPLOADED leads to all endings as well.
    State.UPLOADED: frozenset({State.BUILDING, State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED}),
    State.BUILDING: frozenset({State.UPLOADED, State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED}),
    State.ACTIVE: frozenset({State.PROBATION, State.RETIRED}),
    State.PROBATION: frozenset({State.ACTIVE, State.RETIRED}),
    State.FAILED: frozenset({State.UPLOADED, State.RETIRED}),
    State.REJECTED: frozenset(),
    State.RETIRED: frozenset(),
}


class VersionChanges(TypedDict, total=False):
    """Fields of a version that ``version_transition`` may set together with its state."""

    step: str
    verdict: str
    reason: dict[str, Any]
    log: str
    worker: str
    artifact_digest: str
    language: str
    entry: str
    check_replay_digest: str
    check_log_digest: str
    looked_at: datetime


def version_transition(*, version: BotVersion, to: State, **changes: Unpack[VersionChanges]) -> BotVersion:
    """Move a version to another state, and set ``changes``; only this function changes the state of a stored version.

    An activated version retires the version on the board and inherits its rating. A version that is built after a newer
    one became active, or when the final board of its contest is being signed, becomes RETIRED instead of ACTIVE. A
    version that is not being built has no lease.

    Returns:
        The version as the database now has it; the argument is not changed.

    Raises:
        IllegalTransition: ``_NEXT_STATES`` does not allow the transition.
    """
    with transaction.atomic():
        # Locking the bot first keeps other transactions from changing any version of it.
        Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
        current = BotVersion.objects.select_for_update(no_key=True).select_related("bot").get(pk=version.pk)
        before = current.state
        if to not in _NEXT_STATES[before]:
            raise IllegalTransition(f"{current} cannot go from {before} to {to}.")
        for field, value in changes.items():
            setattr(current, field, value)
        current.state = to
        if before == State.RECEIVED:
            SentFile.objects.filter(version=current).delete()
        if to != State.BUILDING:
            current.lease_drop()
            queue_announce()
        if to == State.ACTIVE and before != State.PROBATION:
            _activate(current)
        current.save()
        if current.state == State.ACTIVE and before != State.PROBATION:
            number = current.number
            events_create([event_new(bot=current.bot, kind=VERSION, occasion=f"v{number}", number=number)])
        if before != State.PROBATION and to in _KINDS:
            _notify(current, _KINDS[to], "plays" if current.state == State.ACTIVE else "")
    log.info("version_moved", version=current.pk, state=current.state, verdict=current.verdict)
    return current


def version_retire(*, version: BotVersion) -> BotVersion:
    """Withdraw a version for its owner: it plays no new matches, and its matches stay.

    Raises:
        InputError: the version is already rejected or withdrawn, or its contest is over (frozen or archived).
    """
    # A withdrawal moves the bots below up, and would change the final ranks of a contest that is over.
    if contest_is_over(contest=version.bot.contest_id):
        raise InputError(
            _(
                "This contest is over, and its board stays as it is. You can withdraw this version once the contest is"
                " open again."
            )
        )
    return _retire(version)


def version_disqualify(*, version: BotVersion, reason: str, by_organiser: bool = False) -> BotVersion:
    """Withdraw a version for an administrator or organiser, and notify its owner with the reason, if there is one.

    This is allowed while its contest is frozen: a cheater loses the rank, the bots below move up, and a new final board
    is signed, which names the one that it replaces.

    Raises:
        InputError: the version is already rejected or withdrawn, or its contest is archived.
    """
    if problem := archive_problem(contest=version.bot.contest_id):
        raise InputError(problem)
    with transaction.atomic():
        kind = DISQUALIFIED_BY_ORGANISER if by_organiser else DISQUALIFIED_WHY
        why = Message(kind, {"why": stored(said(reason))}) if reason else Message(DISQUALIFIED)
        withdrawn = _retire(version, reason=stored(why))
        _notify(withdrawn, WITHDRAWN, "organiser" if by_organiser else "")
    return withdrawn


def _retire(version: BotVersion, **changes: Unpack[VersionChanges]) -> BotVersion:
    try:
        return version_transition(version=version, to=State.RETIRED, **changes)
    except IllegalTransition as error:
        raise InputError(_("This version does not play any more, so it cannot be withdrawn.")) from error


def versions_withdraw(versions: QuerySet[BotVersion]) -> None:
    """Withdraw those versions that play or wait, whatever their contest's state; the caller has locked their bots."""
    for version in versions.filter(state__in=LIVE_STATES):
        version_transition(version=version, to=State.RETIRED)


def version_resume(*, version: BotVersion, actor: User) -> BotVersion:
    """End a probation, as owner or administrator: the version is paired again, and its faults until now do not count.

    Raises:
        InputError: the version is not on probation.
    """
    with transaction.atomic():
        Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
        if not BotVersion.objects.filter(pk=version.pk, state=State.PROBATION).exists():
            raise InputError(_("This version is not on probation, so there is nothing to end."))
        audit_write(actor=actor, act="version_resume", target=str(version))
        return version_transition(version=version, to=State.ACTIVE, looked_at=timezone.now())


_KINDS = {State.ACTIVE: BUILT, State.REJECTED: REJECTED, State.FAILED: NOT_BUILT, State.PROBATION: PROBATION}
"""The kind of notification for each state that a version was to enter."""


def _notify(version: BotVersion, kind: NewsKind, outcome: str = "") -> None:
    """Create a notification about a version; its occasion holds the time, since a version may fail repeatedly."""
    notification_create(
        kind=kind,
        bot=version.bot,
        occasion=f"version {version.pk} {timezone.now().isoformat()}",
        version=version.pk,
        number=version.number,
        outcome=outcome,
    )


def _activate(version: BotVersion) -> None:
    """Set when a version was activated and its parent; retire it or the versions before it (``version_transition``)."""
    siblings = version.bot.versions.exclude(pk=version.pk)
    contest_hold(contest=version.bot.contest_id)  # its final board is not signed before this version is on it
    # House bots are exempt: they do not compete, and one retired by a freeze would never be built again.
    contest = Contest.objects.get(pk=version.bot.contest_id)
    if not version.bot.is_house and not contest.plays_if_received(version.received_at):
        # Without ``activated_at``, which would change the match log and so the board, after it was signed.
        version.state = State.RETIRED
        version.reason = stored(Message("version-game-frozen"))
        return
    version.activated_at = timezone.now()
    # The parent is a version of the same upload with matches, else the one on the board, else the last accepted one.
    # The newest one would be wrong: it may have been built too late and never have played.
    known = siblings.filter(activated_at__isnull=False, number__lt=version.number).order_by("-number")
    same = known.filter(bundle_digest=version.bundle_digest, rating__games__gt=0)
    version.parent = same.first() or known.filter(state__in=BotVersion.ON_BOARD).first() or known.first()
    if siblings.filter(state__in=BotVersion.ON_BOARD, number__gt=version.number).exists():
        version.state = State.RETIRED
        version.reason = stored(Message("version-newer-first"))
        return
    for older in siblings.filter(state__in=BotVersion.ON_BOARD):
        version_transition(version=older, to=State.RETIRED)
