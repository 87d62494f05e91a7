"""Invites hosts with a token, lets them join with a broker user of their own, and revokes them.

The database decides which hosts may play; the broker's list of users is a copy, which ``hosts_restore`` writes again.
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
from fleet.broker import broker_url_for, user_allow, user_deny
from fleet.models import Host
from jobs.models import Worker
from wire.admission import Admission
from wire.jobs import LEASE_SECONDS
from wire.own_queues import is_guest
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
    """Set the state of a host that the caller's transaction has locked, with the time of the change, and save it.

    Raises:
        IllegalTransition: a host in its present state cannot get the new one.
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
def host_invite(*, name: str, actor: User | None, is_guest: bool = False) -> str:
    """Invite a machine to play. A host that has never joined can be invited again, if its token was lost or expired.

    Args:
        name: name of the host: small letters, digits and dashes.
        actor: the administrator; None: the command line.
        is_guest: whether it belongs to somebody else (``Host.is_guest``).

    Returns:
        The token, which the machine's operator needs to join: the site's URL, ``#`` and a secret. It is valid for one
        use within a day, and cannot be read again later.

    Raises:
        InputError: the name has other characters, or belongs to a host that has joined.
    """
    if not _NAME.fullmatch(name):
        raise InputError(_("Please name the host with small letters, digits and dashes only, 40 at most."))
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    expires_at = timezone.now() + timedelta(seconds=INVITATION_SECONDS)
    try:
        with transaction.atomic():
            Host.objects.filter(name=name, joined_at__isnull=True).delete()  # an earlier invitation, with its token
            Host.objects.create(name=name, token_digest=_digest(secret), expires_at=expires_at, is_guest=is_guest)
    except IntegrityError as error:
        raise InputError(_("A host of this name has been invited already; please choose another name.")) from error
    audit_write(actor=actor, act="host_invite", target=f"{name}: of somebody else" if is_guest else name)
    return f"{settings.BANZUKE_URL.rstrip('/')}#{secret}"


def join_command(*, token: str) -> str:
    """Return the shell command to type on an invited machine, in a copy of the repository."""
    return f"deploy/join.sh '{token}'"


@transaction.atomic
def host_join(*, secret: str) -> Admission:
    """Exchange the secret of a token for a new broker user of the host, once.

    Returns:
        The broker's URL with the user's password, which the site does not store.

    Raises:
        InputError: the secret is unknown, used, revoked or expired.
        BrokerRefused: the user could not be created; the token remains valid.
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
        redis_url=broker_url_for(user=host.broker_user, password=password),
        lease_seconds=LEASE_SECONDS,
        host=host.name,
    )


@transaction.atomic
def host_revoke(*, name: str, actor: User | None, reason: str = "") -> None:
    """Revoke a host for good: its broker user is deleted, which disconnects its workers at once.

    ``actor`` is the administrator, None for the command line; ``reason`` is for the audit log.

    Raises:
        InputError: there is no such host, or it has been revoked already.
        BrokerRefused: its broker user could not be deleted; nothing has changed.
    """
    host = Host.objects.select_for_update().filter(name=name).exclude(state=State.REVOKED).first()
    if host is None:
        raise InputError(_("There is no host of this name that could be turned away."))
    host_transition(host=host, state=State.REVOKED)
    user_deny(user=host.broker_user)
    audit_write(actor=actor, act="host_revoke", target=name, reason=reason)


@transaction.atomic
def host_shut_out(*, broker_user: str) -> None:
    """Delete a host's broker user while one of its workers is in quarantine; ``host_let_in`` creates it again.

    Broker users that several machines share are left alone.

    Raises:
        BrokerRefused: the broker could not be reached, or denied a command.
    """
    if _joined(broker_user):
        user_deny(user=broker_user)


@transaction.atomic
def host_let_in(*, broker_user: str) -> None:
    """Create a host's broker user again, with its old password, so that its workers can sign in.

    Raises:
        BrokerRefused: the broker could not be reached, or denied a command.
    """
    if host := _joined(broker_user):
        user_allow(user=broker_user, digest=host.password_digest)


def hosts_restore() -> list[Host]:
    """Create again the broker users of all hosts that may play, with the rights of this release.

    This is needed after the broker has lost its users, and after an upgrade that changed the rights of workers. Returns
    the hosts that have joined and have no worker in quarantine.

    Raises:
        BrokerRefused: the broker could not be reached, or denied a command.
    """
    return [host for host in Host.objects.filter(state=State.JOINED) if _restored(host.broker_user)]


@transaction.atomic
def _restored(broker_user: str) -> bool:
    """Create a host's broker user again and return True; return False if one of its workers is in quarantine."""
    host = _joined(broker_user)
    if host is None or Worker.objects.filter(broker_user=broker_user, state=Worker.State.QUARANTINED).exists():
        return False
    user_allow(user=broker_user, digest=host.password_digest)
    return True


def _joined(broker_user: str) -> Host | None:
    """Lock and return the joined host with this broker user; None if there is none, as for a user that machines share.

    The lock lasts until the broker has been changed; otherwise a process that has read the host as joined could create
    the user again just after another process has revoked it.
    """
    joined = Host.objects.select_for_update().filter(state=State.JOINED, is_guest=is_guest(broker_user))
    return joined.filter(name=host_of(broker_user)).first()


def _digest(secret: str) -> str:
    """Return the SHA-256 of a secret; a fast hash suffices, since nobody can guess 32 random bytes."""
    return hashlib.sha256(secret.encode()).hexdigest()
