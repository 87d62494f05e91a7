"""The audit log: acts of administrators, organisers, users on their own accounts and bots, and the site itself."""

from __future__ import annotations

import structlog

from accounts.models import AuditEntry, User

log = structlog.get_logger(__name__)

COMMAND_LINE = "command line"
REASON_CHARS_MAX = 1_000


def audit_write(*, actor: User | None, act: str, target: str, reason: str = "") -> AuditEntry:
    """Write an act to the audit log and return the entry. Call it in the transaction of the act itself.

    ``act`` is the name of the service function, ``target`` what it changes, as a person would name it. ``actor`` is
    None for an act on the command line or of the site itself.
    """
    name = actor.get_username() if actor else COMMAND_LINE
    log.info("act_audited", actor=name, act=act, target=target, reason=reason)
    return AuditEntry.objects.create(
        actor=actor, actor_name=name, act=act, target=target[:200], reason=reason[:REASON_CHARS_MAX]
    )
