"""The rights of a playing worker's broker user, as rules of Redis' access control lists (ACL).

The attack: a worker that was taken over by a bot which escaped its sandbox sends forged messages to the site, reads
what others play, empties the broker, or sends commands to other workers.
"""

from __future__ import annotations

from wire.heartbeats import OVER_PREFIX, heartbeat_prefix
from wire.jobs import JOB_QUEUES, REPORT_QUEUE, SELF_PING_PREFIX, SITE_KEY
from wire.live import live_prefix
from wire.own_queues import OWN_QUEUES, is_guest
from wire.signing import host_of
from wire.tables import answers_prefix, seat_prefix

CONTROL_EXCHANGE = "workers"
BINDINGS_PREFIX = "_kombu.binding"
"""Prefix of the keys in which kombu stores which queues are bound to an exchange."""
CONTROL_CHANNEL = f"/0.{CONTROL_EXCHANGE}.pidbox"
"""Where kombu publishes Celery's remote control in database 0."""


def acl_rules(user: str) -> tuple[str, ...]:
    """Return the ACL rules of a playing worker's user; the caller puts ``on`` and the password before them.

    The rules name every command that a worker needs, with the keys it needs it for (the selectors in brackets). Whole
    command categories would also allow:

    - scripts: one that never ends blocks the broker for everybody, and cannot be killed once it has written;
    - ``CLIENT TRACKING`` and ``SCAN``: they show the names of keys, and so what others play;
    - commands for other data types: with a set under the name of a queue, nobody gets jobs any more, not even after
      this user has been deleted.

    ``CLIENT SETINFO``, which our library sends, is not allowed: Redis 7.0, as in Debian 12, does not know it and would
    refuse to start with such a rule. The library ignores the refusal.

    A worker can add reports, but not read, change or delete them. It receives commands, but cannot publish any. It can
    add jobs, since a worker that ends returns its job; but no worker plays a job that the site has not signed
    (``wire.job_signing``). The names of self-ping queues and live streams contain the name of the user or the
    host, so that no host can take away another's pings, write into the match that another plays, or read the answers at
    its tables. A host of others has no right to the queues with the jobs of private contests.

    Args:
        user: name of the broker user.
    """
    queues = " ".join(f"~{queue}" for queue in (JOB_QUEUES if is_guest(user) else (*JOB_QUEUES, *OWN_QUEUES)))
    return (
        "resetchannels",
        f"&{CONTROL_CHANNEL}",
        *("+ping", "+hello", "+auth", "+select", "+quit", "+client|setname", "+time"),
        *("+multi", "+exec", "+discard", "+psubscribe", "+punsubscribe"),
        f"({queues} ~{SELF_PING_PREFIX}{user}.* +lpush +rpush +rpop +brpop +llen +del)",
        f"(~{SITE_KEY} +get)",
        # Kombu stores which workers listen to commands. Nobody reads it; ``matches.services.streams`` lets it expire.
        *(f"(~{BINDINGS_PREFIX}{kind}.{CONTROL_EXCHANGE}.pidbox +sadd +srem)" for kind in ("", "_permanent")),
        f"(~{REPORT_QUEUE} +lpush +llen)",
        f"(~{heartbeat_prefix(host_of(user))}* +set)",
        f"(~{OVER_PREFIX}* +exists)",
        f"(~{live_prefix(host_of(user))}* ~{seat_prefix(host_of(user))}* +xadd +expire)",
        f"(~{answers_prefix(host_of(user))}* +blpop +lpop +expire)",
        # Kombu checks for, and at the end deletes, the list that would hold commands if they were not broadcast.
        f"(~*.{CONTROL_EXCHANGE}.pidbox* +llen +del)",
    )
