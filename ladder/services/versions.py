"""The life of a version: the one function that moves it from state to state."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypedDict, Unpack

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Notification, User
from accounts.services.audit import audit_write
from common.errors import IllegalTransition, InputError
from jobs.services.dispatching import queue_announce
from ladder.models import Bot, BotVersion, GameSetting
from ladder.selectors.games import game_state
from ladder.selectors.uploads import DISQUALIFIED
from ladder.services.notifications import notification_create

Kind = Notification.Kind
State = BotVersion.State
log = structlog.get_logger(__name__)

_NEXT_STATES: dict[str, frozenset[str]] = {
    # A report may overtake the news that building began, hence all endings are open from UPLOADED too.
    State.UPLOADED: frozenset({State.BUILDING, State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED}),
    State.BUILDING: frozenset({State.UPLOADED, State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED}),
    State.ACTIVE: frozenset({State.PROBATION, State.RETIRED}),
    State.PROBATION: frozenset({State.ACTIVE, State.RETIRED}),
    State.FAILED: frozenset({State.UPLOADED, State.RETIRED}),
    State.REJECTED: frozenset(),
    State.RETIRED: frozenset(),
}


class VersionChanges(TypedDict, total=False):
    """Fields of a version that may change together with its state."""

    step: str
    verdict: str
    sentence: str
    log: str
    worker: str
    artifact_digest: str
    language: str
    entry: str
    check_replay_digest: str
    check_log_digest: str
    looked_at: datetime


def bots_lock(*, pks: Iterable[int] | QuerySet[Any, Any]) -> None:
    """Lock bots until the transaction ends, for whoever goes on to change more than one (1 query at most).

    In the order of their numbers, so that two who lock some of the same do not wait for each other.

    Args:
        pks: their keys, in whatever order.
    """
    list(Bot.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk"))


def version_transition(*, version: BotVersion, to: State, **changes: Unpack[VersionChanges]) -> BotVersion:
    """Move a version to another state; the only code that writes ``state``.

    An activation retires the version that was active and inherits from it. A version that becomes ready after a newer
    one is already active, or while its game is frozen, goes straight to RETIRED. A version that leaves the builders'
    hands loses its lease.

    Returns:
        The version as it is now in the database; the one passed in is not changed.

    Raises:
        IllegalTransition: the state machine has no such step.
    """
    with transaction.atomic():
        # The bot's row first: two versions of one bot never change at the same time.
        Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
        current = BotVersion.objects.select_for_update(no_key=True).select_related("bot").get(pk=version.pk)
        before = current.state
        if to not in _NEXT_STATES[before]:
            raise IllegalTransition(f"{current} cannot go from {before} to {to}.")
        for field, value in changes.items():
            setattr(current, field, value)
        current.state = to
        if to != State.BUILDING:
            current.lease_drop()
            queue_announce()
        if to == State.ACTIVE and before != State.PROBATION:
            _activate(current)
        current.save()
        if before != State.PROBATION:
            _tell(current, to)
    log.info("version_moved", version=current.pk, state=current.state, verdict=current.verdict)
    return current


def version_retire(*, version: BotVersion) -> BotVersion:
    """Withdraw a version on its owner's wish: it plays no new match, its matches stay.

    Raises:
        InputError: it has been rejected or withdrawn before, or its game is frozen.
    """
    # Whoever leaves moves others up: the places of a contest that is over would not be those that it ended with.
    if game_state(game=version.bot.game) == GameSetting.State.FROZEN:
        raise InputError(
            _(
                "This game is frozen: its contest is over, and the board stays as it is. You can withdraw this version"
                " once the game is open again."
            )
        )
    return _retire(version)


def version_disqualify(*, version: BotVersion, reason: str) -> BotVersion:
    """Withdraw a version on an administrator's wish; its owner reads so, and the reason if there is one.

    Also while its game is frozen: whoever has cheated loses the place, and those behind close up.

    Raises:
        InputError: it has been rejected or withdrawn before.
    """
    with transaction.atomic():
        withdrawn = _retire(version, sentence=f"{DISQUALIFIED} Why: {reason}" if reason else DISQUALIFIED)
        _notify(withdrawn, Kind.WITHDRAWN)
    return withdrawn


def _retire(version: BotVersion, **changes: Unpack[VersionChanges]) -> BotVersion:
    try:
        return version_transition(version=version, to=State.RETIRED, **changes)
    except IllegalTransition as error:
        raise InputError(_("This version does not play any more, so it cannot be withdrawn.")) from error


def version_resume(*, version: BotVersion, actor: User) -> BotVersion:
    """End a probation: somebody has looked at the faults. Those until now are forgiven.

    Args:
        version: whose.
        actor: its owner, or an administrator.

    Raises:
        InputError: it is not on probation.
    """
    with transaction.atomic():
        Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
        if not BotVersion.objects.filter(pk=version.pk, state=State.PROBATION).exists():
            raise InputError(_("This version is not on probation, so there is nothing to end."))
        audit_write(actor=actor, act="version_resume", target=str(version))
        return version_transition(version=version, to=State.ACTIVE, looked_at=timezone.now())


_KINDS = {
    State.ACTIVE: Kind.BUILT,
    State.REJECTED: Kind.REJECTED,
    State.FAILED: Kind.NOT_BUILT,
    State.PROBATION: Kind.PROBATION,
}
"""What people are told when a version has gone there."""


def _tell(version: BotVersion, to: State) -> None:
    """Notify whom it concerns.

    Args:
        version: as it is now, and locked, so that it goes there once.
        to: where it was to go.
    """
    if to in _KINDS:
        _notify(version, _KINDS[to], "plays" if version.state == State.ACTIVE else "")


def _notify(version: BotVersion, kind: Kind, outcome: str = "") -> None:
    """Notify each time: one version may fail to be built twice, and be on probation twice."""
    notification_create(
        kind=kind,
        bot=version.bot,
        occasion=f"version {version.pk} {timezone.now().isoformat()}",
        version=version.pk,
        number=version.number,
        outcome=outcome,
    )


def _activate(version: BotVersion) -> None:
    siblings = version.bot.versions.exclude(pk=version.pk)
    version.activated_at = timezone.now()
    # Not always the newest: one that was ready too late has never played. And what plays again is as good as it was.
    known = siblings.filter(activated_at__isnull=False, number__lt=version.number).order_by("-number")
    same = known.filter(bundle_digest=version.bundle_digest, rating__games__gt=0)
    version.parent = same.first() or known.filter(state__in=BotVersion.ON_BOARD).first() or known.first()
    if siblings.filter(state__in=BotVersion.ON_BOARD, number__gt=version.number).exists():
        version.state = State.RETIRED
        version.sentence = gettext_noop("A newer version was ready first, so this one does not play.")
        return
    # House bots are no contestants: one that is lost to a freeze would not be built again.
    if not version.bot.is_house and game_state(game=version.bot.game) == GameSetting.State.FROZEN:
        version.state = State.RETIRED
        version.sentence = gettext_noop("The game was frozen before this version was ready, so it does not play.")
        return
    for older in siblings.filter(state__in=BotVersion.ON_BOARD):
        version_transition(version=older, to=State.RETIRED)
