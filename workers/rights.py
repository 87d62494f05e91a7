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

    The selectors in brackets give a key for these commands only: reports can be added and not be read, changed or
    deleted; orders can be heard and not be given (no right to publish).
    """
    keys = (f"{PLAY_QUEUE}*", f"{BUILD_QUEUE}*", "_kombu.binding*", *kept_keys(user).values())
    return (
        *(f"~{key}" for key in keys),
        "resetchannels",
        f"&{CONTROL_CHANNEL}",
        "+@read",
        "+@write",
        "+@connection",
        "+@transaction",
        "+@scripting",
        "-@dangerous",
        "-@admin",
        "+psubscribe",
        "+punsubscribe",
        "+time",
        # Names of keys stay secret: a live stream is its worker's own because nobody else can name it.
        "-scan",
        "-randomkey",
        f"(~{REPORT_QUEUE}* +lpush +llen)",
        f"(~{LIVE_PREFIX}* +xadd +expire)",
        # Kombu looks for the list in which it would keep the orders, were they no broadcast, and deletes it at the end.
        f"(~*.{CONTROL_EXCHANGE}.pidbox* +llen +del)",
    )
