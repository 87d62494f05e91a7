"""The log of acts that somebody may be asked about: of administrators, and of owners who end a probation."""

from __future__ import annotations

import structlog

from accounts.models import AuditEntry, User

log = structlog.get_logger(__name__)

COMMAND_LINE = "command line"
REASON_CHARS_MAX = 1_000


def audit_write(*, actor: User | None, act: str, target: str, reason: str = "") -> AuditEntry:
    """Note an act. In the transaction of the act itself: one is never without the other.

    Args:
        actor: who did it; None: somebody at the command line.
        act: name of the service, such as ``worker_drain``.
        target: what it was done to, as a person would name it.
        reason: as the actor gave it.
    """
    name = actor.get_username() if actor else COMMAND_LINE
    log.info("act_audited", actor=name, act=act, target=target, reason=reason)
    return AuditEntry.objects.create(
        actor=actor, actor_name=name, act=act, target=target[:200], reason=reason[:REASON_CHARS_MAX]
    )
