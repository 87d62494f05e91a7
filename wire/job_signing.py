"""Signatures of jobs: the site signs each job with its private key, and workers do only signed jobs.

Redis does not say who has put a message into a list. The attack: an invited host may add to the job queues, since its
workers return unfinished jobs. It puts in a forged job, and other hosts' workers play another match than the site has
handed out, whose result is rated; or they fetch any URL of their own network and publish the answer.

The broker stores the public key under ``SITE_KEY``, where only the site's user may write. Every worker reads the key
there, and reads it again when a signature does not match, since the site may have a new one.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from redis import Redis, RedisError

from wire.jobs import SITE_KEY, Key, WireMessage
from wire.transport import JOB_EXPIRES_SECONDS, Refused


class JobSignature(WireMessage, frozen=True):
    """Proof that the site has made a job, and how long the job may be done."""

    until: Key
    """When the job expires, in seconds since 1970. The attack: a host stores a signed job and puts it into the queue
    again and again. The results do not count, since a lease token counts once, and it ends at this time."""
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]
    """Ed25519 signature, in hexadecimal digits, of task, ``until`` and the job's JSON as it is sent, joined by line
    feeds."""


def job_signature(key: Ed25519PrivateKey, task: str, body: bytes) -> JobSignature:
    """Return the signature of a job by ``key``, the site's private key.

    ``task`` and the JSON ``body`` are signed as they are sent. The signature expires with the job's message
    (``JOB_EXPIRES_SECONDS``).
    """
    until = int(time.time()) + JOB_EXPIRES_SECONDS
    return JobSignature(until, key.sign(_signed(task, body, until)).hex())


class SiteKey:
    """The public key of the site. It is read when it is first needed, by ``broker``, a connection with timeouts."""

    def __init__(self, broker: Redis) -> None:
        self._broker = broker
        self._key: Ed25519PublicKey | None = None

    def check(self, task: str, body: bytes, signature: JobSignature | None) -> None:
        """Check that the site has signed a job; ``signature`` is None if the job has none.

        ``task`` and the JSON ``body`` are those that were received.

        Raises:
            Refused: the signature is missing, wrong or expired; or the key cannot be read. In the last case the site
                sends the job again later.
        """
        if signature is None:
            raise Refused("The site has not signed this job.")
        if signature.until < time.time():
            raise Refused("This job is too old: the site has sent it again since.")
        if not self._has_signed(task, body, signature):
            self._key = self._read()  # the site may have a new one
            if not self._has_signed(task, body, signature):
                raise Refused("The site has signed another job than this one.")

    def _has_signed(self, task: str, body: bytes, signature: JobSignature) -> bool:
        if self._key is None:
            return False
        try:
            self._key.verify(bytes.fromhex(signature.signature), _signed(task, body, signature.until))
        except InvalidSignature:
            return False
        return True

    def _read(self) -> Ed25519PublicKey:
        try:
            key: Any = self._broker.get(SITE_KEY)
        except RedisError as error:
            raise Refused(f"The broker cannot be asked for the key of the site: {error}") from error
        if key is None:
            raise Refused("The broker has no key of the site: upgrade the site.")
        return Ed25519PublicKey.from_public_bytes(key)


def _signed(task: str, body: bytes, until: int) -> bytes:
    return f"{task}\n{until}\n".encode() + body
