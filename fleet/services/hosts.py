"""Hosts that join: invited with a token, let in once with a broker user of their own, turned away for good.

The database is the truth about hosts, the broker's list of users its copy: ``hosts_restore`` writes it anew.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import IllegalTransition, InputError
from fleet.broker import address_for, user_allow, user_deny
from fleet.models import Host
from jobs.models import Worker
from wire.admission import Admission
from wire.jobs import LEASE_SECONDS
from wire.signing import host_of, password_key

log = structlog.get_logger(__name__)

INVITATION_SECONDS = 24 * 3600
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_SECRET_BYTES = 32

State = Host.State
_NEXT: dict[str, set[str]] = {
    State.INVITED: {State.JOINED, State.REVOKED},
    State.JOINED: {State.REVOKED},
    State.REVOKED: set(),
}


def host_transition(*, host: Host, state: State) -> None:
    """Move a host to another state, with the time that belongs to it, and save it.

    Args:
        host: locked by the caller's transaction (``select_for_update``).
        state: where to.

    Raises:
        IllegalTransition: there is no such way.
    """
    if state not in _NEXT[host.state]:
        raise IllegalTransition(f"{host} cannot go from {host.state} to {state}.")
    host.state = state
    if state == State.JOINED:
        host.joined_at = timezone.now()
    else:
        host.revoked_at = timezone.now()
    host.save()


@transaction.atomic
def host_invite(*, name: str, actor: User | None) -> str:
    """Invite a machine to play. One that has never joined may be invited again, when its token was lost or is too old.

    Args:
        name: of the host: small letters, digits and dashes.
        actor: the administrator; None: the command line.

    Returns:
        The token, to be given to whoever runs the machine; shown this once, good for one use within a day.

    Raises:
        InputError: the name cannot be taken.
    """
    if not _NAME.fullmatch(name):
        raise InputError(_("Please name the host with small letters, digits and dashes only, 40 at most."))
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    expires_at = timezone.now() + timedelta(seconds=INVITATION_SECONDS)
    try:
        with transaction.atomic():
            Host.objects.filter(name=name, joined_at__isnull=True).delete()  # and with it the token before
            Host.objects.create(name=name, token_digest=_digest(secret), expires_at=expires_at)
    except IntegrityError as error:
        raise InputError(_("A host of this name has been invited already; please choose another name.")) from error
    audit_write(actor=actor, act="host_invite", target=name)
    return f"{settings.BANZUKE_URL.rstrip('/')}#{secret}"


def join_command(*, token: str) -> str:
    """Return what is to be typed on a machine that was invited, in a copy of the repository."""
    return f"deploy/join.sh '{token}'"


@transaction.atomic
def host_join(*, secret: str) -> Admission:
    """Exchange the secret of a token for a user of the broker. It works once; the password is kept nowhere here.

    Raises:
        InputError: the secret is unknown, used, revoked or too old.
        BrokerRefused: the user could not be made; the token is still good.
    """
    host = Host.objects.select_for_update().filter(token_digest=_digest(secret), state=State.INVITED).first()
    if host is None or host.expires_at < timezone.now():
        raise InputError(
            _("This token is not good any more: it works once, for a day. Please ask an administrator for a new one.")
        )
    password = secrets.token_urlsafe(_SECRET_BYTES)
    host.password_digest = password_key(password)
    host_transition(host=host, state=State.JOINED)
    user_allow(user=host.broker_user, digest=host.password_digest)
    log.info("host_joined", host=host.name)
    return Admission(
        redis_url=address_for(user=host.broker_user, password=password), lease_seconds=LEASE_SECONDS, host=host.name
    )


@transaction.atomic
def host_revoke(*, name: str, actor: User | None, reason: str = "") -> None:
    """Turn a host away: its workers lose the broker at once and cannot come back with what they know.

    Raises:
        InputError: there is no such host, or it has been turned away already.
        BrokerRefused: its user could not be deleted; nothing has changed.
    """
    host = Host.objects.select_for_update().filter(name=name).exclude(state=State.REVOKED).first()
    if host is None:
        raise InputError(_("There is no host of this name that could be turned away."))
    host_transition(host=host, state=State.REVOKED)
    user_deny(user=host.broker_user)
    audit_write(actor=actor, act="host_revoke", target=name, reason=reason)


@transaction.atomic
def host_shut_out(*, broker_user: str) -> None:
    """Keep a host's workers from the broker, as while one of them is in quarantine. Others keep theirs.

    Raises:
        BrokerRefused: the broker could not be told.
    """
    if _joined(broker_user):
        user_deny(user=broker_user)


@transaction.atomic
def host_let_in(*, broker_user: str) -> None:
    """Let a host's workers back to the broker, with the password they have.

    Raises:
        BrokerRefused: the broker could not be told.
    """
    if host := _joined(broker_user):
        user_allow(user=broker_user, digest=host.password_digest)


def hosts_restore() -> list[Host]:
    """Write the users of all hosts into the broker anew, with the rights of this version.

    For a broker that has lost its users or never kept them, and after an upgrade that changed what players may do.

    Returns:
        The hosts that may play: none of them has a worker in quarantine.

    Raises:
        BrokerRefused: the broker could not be reached.
    """
    return [host for host in Host.objects.filter(state=State.JOINED) if _restored(host.broker_user)]


@transaction.atomic
def _restored(broker_user: str) -> bool:
    """Let a host in anew unless one of its workers is in quarantine; say whether it was."""
    host = _joined(broker_user)
    if host is None or Worker.objects.filter(broker_user=broker_user, state=Worker.State.QUARANTINED).exists():
        return False
    user_allow(user=broker_user, digest=host.password_digest)
    return True


def _joined(broker_user: str) -> Host | None:
    """Lock and return the host that plays as this user; None for the users that all workers of an installation share.

    Locked while the broker is told: one that is just turned away would be let in again by who has seen it before.
    """
    return Host.objects.select_for_update().filter(name=host_of(broker_user), state=State.JOINED).first()


def _digest(secret: str) -> str:
    """Return the SHA-256: of 32 random bytes it cannot be guessed back, so no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
