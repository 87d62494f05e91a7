"""Who says what is in a report: Redis tells nobody which of its users has put a message into a list.

The attack: a host that an administrator has invited signs what it reports as another's worker, which is then the one
that fails matches, lacks languages, and is put into quarantine.

The key of a user is the SHA-256 of its password: the user has the password, and the broker keeps just that of it, which
the site may ask for (``jobs.report_auth``). So there is no further secret to be given to anybody.
"""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import unquote, urlsplit

from wire.jobs import Message, Name, Sha256

HOST_PREFIX = "host-"
"""Of the names of the broker's users that belong to one invited host each."""


class Signature(Message, frozen=True):
    """Which of the broker's users a message is of, and what shows it."""

    user: Name
    mac: Sha256
    """HMAC-SHA256 of the task, a line feed and the JSON of the message as it is sent."""


def password_key(password: str) -> str:
    """Return what the broker keeps of a password, 64 hexadecimal digits: the key of whoever has it."""
    return hashlib.sha256(password.encode()).hexdigest()


def host_of(user: str) -> str:
    """Return the invited host to which a user of the broker belongs; empty for users that several machines share."""
    return user.removeprefix(HOST_PREFIX) if user.startswith(HOST_PREFIX) else ""


def broker_user(broker_url: str) -> str:
    """Return the user in the address of a broker; empty without one."""
    return unquote(urlsplit(broker_url).username or "")


def signature_of(broker_url: str, task: str, body: bytes) -> Signature | None:
    """Sign a message as the user in the address of the broker; None if there is none, and so nobody to tell apart."""
    user, password = broker_user(broker_url), unquote(urlsplit(broker_url).password or "")
    if not user:
        return None
    return Signature(user, _mac(password_key(password), task, body))


def is_signed(signature: Signature, key: str, task: str, body: bytes) -> bool:
    """Tell whether a message was signed with this key."""
    return hmac.compare_digest(signature.mac, _mac(key, task, body))


def _mac(key: str, task: str, body: bytes) -> str:
    return hmac.new(key.encode(), f"{task}\n".encode() + body, hashlib.sha256).hexdigest()
