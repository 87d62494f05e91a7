"""The site signs each job with its private key, and workers do only what is signed.

Redis tells nobody who has put a message into a list. The attack: a host that an administrator has invited may add to
the queues of jobs, since its workers give jobs back. It alters one or makes one up: other hosts' workers then play
another match than the site has handed out, and the loss is rated; or they fetch any address of their own network, and
tell what it answers on a public page.

The public key stands in the broker (``SITE_KEY``), where only the site's user may write. So every worker that reaches
the broker has it, and learns by itself of a new one.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from redis import Redis, RedisError

from wire.jobs import SITE_KEY, Key, Message
from wire.transport import JOB_EXPIRES_SECONDS, Refused


class JobSignature(Message, frozen=True):
    """What shows that a job is of the site, and until when."""

    until: Key
    """In seconds since 1970. A host may keep a job and put it into the queue again, as often as it likes: it is played
    in vain, since its lease token counts once, and not at all when this time is over."""
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]
    """Ed25519, of task, time and the JSON of the job as it is sent, with line feeds between."""


def job_signature(key: Ed25519PrivateKey, task: str, body: bytes) -> JobSignature:
    """Sign a job, for as long as its message is good."""
    until = int(time.time()) + JOB_EXPIRES_SECONDS
    return JobSignature(until, key.sign(_signed(task, body, until)).hex())


class SiteKey:
    """The public key of the site."""

    def __init__(self, broker: Redis) -> None:
        """Read no key yet.

        Args:
            broker: has the key; with time-outs.
        """
        self._broker = broker
        self._key: Ed25519PublicKey | None = None

    def check(self, task: str, body: bytes, signature: JobSignature | None) -> None:
        """Make sure that the site has signed a job, and not too long ago.

        Args:
            task: of the job.
            body: the job as it came.
            signature: that came with it.

        Raises:
            Refused: it has not; or the key cannot be had, and the site sends the job again.
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
