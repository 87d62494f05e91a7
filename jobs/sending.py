"""Sends jobs to workers, signed with the key of the site (``wire.job_signing``).

The key is made from ``SECRET_KEY``: that is made at the first start, is on the site's side alone, and is kept with the
backups. So there is no further secret to be kept, or to be given to several machines of one site.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from celery import Celery
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils.crypto import salted_hmac

from jobs.coordination import site_key_tell
from wire.job_signing import job_signature
from wire.jobs import Message
from wire.transport import BROKER_SCHEMES, is_url, send


def jobs_send(app: Celery, task: str, jobs: Sequence[Message]) -> None:
    """Send jobs to the queue of their task.

    With the public key before them, each time: a broker may have lost all its data a moment ago.

    Args:
        app: the site's Celery application.
        task: ``PLAY_TASK`` or ``BUILD_TASK``.
        jobs: the first one is taken first.

    Raises:
        kombu.exceptions.OperationalError: the broker could not be reached, not even after retries.
        redis.exceptions.RedisError: the broker did not take the key.
    """
    key = _private_key(settings.SECRET_KEY)
    if is_url(app.conf.broker_url, *BROKER_SCHEMES):
        site_key_tell(app, key.public_key().public_bytes_raw())
    for job in jobs:
        send(app, task, job, signature=job_signature(key, task, msgspec.json.encode(job)))


@lru_cache(maxsize=1)
def _private_key(secret: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(
        salted_hmac("jobs.sending", b"", secret=secret, algorithm="sha256").digest()
    )
