"""The life of a version: the one function that moves it from state to state."""

from __future__ import annotations

from typing import TypedDict, Unpack

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ladder.errors import InputError
from ladder.models import Bot, BotVersion
from ladder.signals import queue_announce

State = BotVersion.State
log = structlog.get_logger(__name__)

_NEXT_STATES: dict[str, frozenset[str]] = {
    # A report may overtake the news that building began, hence all endings are open from UPLOADED too.
    State.UPLOADED: frozenset({State.BUILDING, State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED}),
    State.BUILDING: frozenset({State.UPLOADED, State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED}),
    State.ACTIVE: frozenset({State.RETIRED}),
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


class TransitionError(RuntimeError):
    """A version cannot go from the state it is in to the one asked for."""


def version_transition(*, version: BotVersion, to: State, **changes: Unpack[VersionChanges]) -> BotVersion:
    """Move a version to another state; the only code that writes ``state``.

    An activation retires the version that was active and inherits from it. A version that becomes ready after a newer
    one is already active goes straight to RETIRED. A version that leaves the builders' hands loses its lease.

    Returns:
        The version as it is now in the database; the one passed in is not changed.

    Raises:
        TransitionError: the state machine has no such step.
    """
    with transaction.atomic():
        # The bot's row first: two versions of one bot never change at the same time.
        Bot.objects.select_for_update().get(pk=version.bot_id)
        current = BotVersion.objects.select_for_update().select_related("bot").get(pk=version.pk)
        if to not in _NEXT_STATES[current.state]:
            raise TransitionError(f"version {current.pk} cannot go from {current.state} to {to}")
        for field, value in changes.items():
            setattr(current, field, value)
        current.state = to
        if to != State.BUILDING:
            current.lease_drop()
            queue_announce()
        if to == State.ACTIVE:
            _activate(current)
        current.save()
    log.info("version_moved", version=current.pk, state=current.state, verdict=current.verdict)
    return current


def version_retire(*, version: BotVersion) -> BotVersion:
    """Withdraw a version on its owner's wish: it plays no new match, its matches stay.

    Raises:
        InputError: it has been rejected or withdrawn before.
    """
    try:
        return version_transition(version=version, to=State.RETIRED)
    except TransitionError as error:
        raise InputError(_("This version does not play any more, so it cannot be withdrawn.")) from error


def _activate(version: BotVersion) -> None:
    siblings = version.bot.versions.exclude(pk=version.pk)
    version.activated_at = timezone.now()
    if siblings.filter(state=State.ACTIVE, number__gt=version.number).exists():
        version.state = State.RETIRED
        return
    version.parent = siblings.filter(activated_at__isnull=False, number__lt=version.number).order_by("-number").first()
    for older in siblings.filter(state=State.ACTIVE):
        version_transition(version=older, to=State.RETIRED)
