"""What a playing worker may touch at the broker: the rules of its user, in the words of Redis' access lists.

The attack they stop: a worker taken over by a bot that escaped its sandbox forges orders to the site, reads what others
play, empties the broker, or gives orders to the other workers.
"""

from __future__ import annotations

from wire.jobs import BUILD_QUEUE, ECHO_PREFIX, PLAY_QUEUE, REPORT_QUEUE, SITE_KEY
from wire.live import live_prefix
from wire.signing import host_of

CONTROL_EXCHANGE = "workers"
BINDINGS_PREFIX = "_kombu.binding"
"""Of the keys under which kombu notes which queues hear what."""
CONTROL_CHANNEL = f"/0.{CONTROL_EXCHANGE}.pidbox"
"""Where kombu publishes Celery's remote control in database 0."""


def acl_rules(user: str) -> tuple[str, ...]:
    """Return the rules of a playing worker's user; its password and ``on`` come before them.

    Every command that it needs is named, with the keys it needs it for: the selectors in brackets. Whole categories
    would bring more with them:

    - scripts: one that never ends stops the broker for everybody, and once it has written, nobody can end it;
    - ``CLIENT TRACKING``, ``SCAN``: tell the names of keys, and so what others play;
    - commands for other types: where a set stands in the place of a queue, no job is given to anybody, not even after
      this user has been shut out.

    ``CLIENT SETINFO``, by which our library tells its name, is not among them: Redis 7.0, as in Debian 12, does not
    know it and would not start. The library goes on where it is refused.

    Reports can be added and not be read, changed or deleted; orders can be heard and not be given (no right to
    publish). Jobs can be added, too, since a worker that ends gives its job back; but no worker plays one that the site
    has not signed (``wire.job_signing``). Echoes and live streams have the user's name in theirs: nobody can make
    another's worker take itself for deaf, or write into the match that it plays.
    """
    return (
        "resetchannels",
        f"&{CONTROL_CHANNEL}",
        *("+ping", "+hello", "+auth", "+select", "+quit", "+client|setname", "+time"),
        *("+multi", "+exec", "+discard", "+psubscribe", "+punsubscribe"),
        f"(~{PLAY_QUEUE} ~{BUILD_QUEUE} ~{ECHO_PREFIX}{user}.* +lpush +rpush +rpop +brpop +llen +del)",
        f"(~{SITE_KEY} +get)",
        # Kombu notes who hears orders, which nobody reads; a sweep ends what hosts note (``matches.services.streams``).
        *(f"(~{BINDINGS_PREFIX}{kind}.{CONTROL_EXCHANGE}.pidbox +sadd +srem)" for kind in ("", "_permanent")),
        f"(~{REPORT_QUEUE} +lpush +llen)",
        f"(~{live_prefix(host_of(user))}* +xadd +expire)",
        # Kombu looks for the list in which it would keep the orders, were they no broadcast, and deletes it at the end.
        f"(~*.{CONTROL_EXCHANGE}.pidbox* +llen +del)",
    )
