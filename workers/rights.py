"""What a playing worker may touch at the broker: the rules of its user, in the words of Redis' access lists.

The attack they stop: a worker taken over by a bot that escaped its sandbox forges orders to the site, reads what others
play, empties the broker, or gives orders to the other workers.
"""

from __future__ import annotations

from workers.jobs import BUILD_QUEUE, PLAY_QUEUE, REPORT_QUEUE
from workers.live import LIVE_PREFIX

CONTROL_EXCHANGE = "workers"
CONTROL_CHANNEL = f"/0.{CONTROL_EXCHANGE}.pidbox"
"""Where kombu publishes Celery's remote control in database 0."""


def kept_keys(user: str) -> dict[str, str]:
    """Return where kombu keeps what somebody has taken and not yet acknowledged, as options of its transport.

    Args:
        user: of the broker; everybody has keys of their own, since the jobs in there hold tokens and signed addresses.
    """
    return {f"{key}_key": f"{key}.{user}" for key in ("unacked", "unacked_index", "unacked_mutex")}


def broker_rights(user: str) -> tuple[str, ...]:
    """Return the rules of a playing worker's user; its password and ``on`` come before them.

    Every command that it needs is named, with the keys it needs it for: the selectors in brackets. Whole categories
    would bring more with them:

    - scripts: one that never ends stops the broker for everybody, and once it has written, nobody can end it;
    - ``CLIENT TRACKING``, ``SCAN``: tell the names of keys. A live stream is its worker's own because nobody else can
      name it;
    - commands for other types: where a set stands in the place of a queue, no job is given to anybody, not even after
      this user has been shut out.

    ``CLIENT SETINFO``, by which our library tells its name, is not among them: Redis 7.0, as in Debian 12, does not
    know it and would not start. The library goes on where it is refused.

    Reports can be added and not be read, changed or deleted; orders can be heard and not be given (no right to
    publish).
    """
    taken, index, mutex = kept_keys(user).values()
    return (
        "resetchannels",
        f"&{CONTROL_CHANNEL}",
        *("+ping", "+hello", "+auth", "+select", "+quit", "+client|setname", "+time"),
        *("+multi", "+exec", "+discard", "+unwatch", "+psubscribe", "+punsubscribe"),
        f"(~{PLAY_QUEUE}* ~{BUILD_QUEUE}* +lpush +rpush +rpop +brpop +llen +del)",
        f"(~{taken} +hset +hget +hdel +watch)",
        f"(~{index} +zadd +zrem +zrange)",
        f"(~{mutex} +set +get +del)",
        # At its end kombu takes out what it never put there (``workers.envelopes``).
        "(~_kombu.binding* +srem)",
        *(f"(~{REPORT_QUEUE} +lpush)", f"(~{REPORT_QUEUE}* +llen)"),
        f"(~{LIVE_PREFIX}* +xadd +expire)",
        # Kombu looks for the list in which it would keep the orders, were they no broadcast, and deletes it at the end.
        f"(~*.{CONTROL_EXCHANGE}.pidbox* +llen +del)",
    )
