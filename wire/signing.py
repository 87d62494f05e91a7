"""Signatures of reports, by which the site knows which broker user has sent one: Redis does not say it.

The attack: an invited host sends reports in the name of another host's worker, which then seems to fail matches or to
lack languages, and is quarantined.

The key of a user is the SHA-256 of the user's password. The user has the password, and the broker stores its SHA-256,
which the site can read (``jobs.report_auth``). So no further secret has to be distributed.
"""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import unquote, urlsplit

from wire.jobs import Name, Sha256, WireMessage
from wire.own_queues import GUEST_PREFIX

HOST_PREFIX = "host-"
"""Prefix of the names of broker users that belong to one invited host each; those of others have ``GUEST_PREFIX``."""


class Signature(WireMessage, frozen=True):
    """The broker user that has sent a message, with the proof."""

    user: Name
    mac: Sha256
    """HMAC-SHA256 of the task, a line feed and the message's JSON as it is sent, in hexadecimal digits."""


def password_key(password: str) -> str:
    """Return the SHA-256 of a password, 64 hexadecimal digits: the user's signing key, which the broker stores."""
    return hashlib.sha256(password.encode()).hexdigest()


def host_of(user: str) -> str:
    """Return the invited host to which a user of the broker belongs; empty for users that several machines share."""
    prefix = next((prefix for prefix in (HOST_PREFIX, GUEST_PREFIX) if user.startswith(prefix)), None)
    return user.removeprefix(prefix) if prefix else ""


def broker_user(broker_url: str) -> str:
    """Return the user name in a broker's URL; empty if there is none."""
    return unquote(urlsplit(broker_url).username or "")


def signature_of(broker_url: str, task: str, body: bytes) -> Signature | None:
    """Return the signature of a message by the user in ``broker_url``; None if the URL names no user.

    ``task`` and the JSON ``body`` are signed as they are sent.
    """
    user, password = broker_user(broker_url), unquote(urlsplit(broker_url).password or "")
    if not user:
        return None
    return Signature(user, _mac(password_key(password), task, body))


def is_signed(signature: Signature, key: str, task: str, body: bytes) -> bool:
    """Return True if a message was signed with ``key``, the ``password_key`` of its sender."""
    return hmac.compare_digest(signature.mac, _mac(key, task, body))


def _mac(key: str, task: str, body: bytes) -> str:
    return hmac.new(key.encode(), f"{task}\n".encode() + body, hashlib.sha256).hexdigest()
