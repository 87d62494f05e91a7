"""Sends jobs to workers, signed with the private key of the site (``wire.job_signing``).

The key is derived from ``SECRET_KEY``, which all machines of a site share, no worker knows and backups contain. So
administrators have no further secret to store.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from celery import Celery
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils.crypto import salted_hmac

from jobs.coordination import site_key_publish
from wire.job_signing import job_signature
from wire.jobs import WireMessage
from wire.transport import BROKER_SCHEMES, is_url, send


def jobs_send(app: Celery, task: str, jobs: Sequence[WireMessage], *, own: bool = False) -> None:
    """Publish the site's public key, and send jobs to the queue of their task.

    The key is published each time, since the broker may have lost all its data a moment ago.

    Args:
        app: the site's Celery application.
        task: one of those whose queues are ``JOB_QUEUES``.
        jobs: the messages, in the order in which workers shall take them.
        own: whether only the site's own hosts may take them (``wire.own_queues.OWN_QUEUES``).

    Raises:
        kombu.exceptions.OperationalError: the broker could not be reached, not even after retries.
        redis.exceptions.RedisError: the public key could not be stored in the broker.
    """
    key = _private_key(settings.SECRET_KEY)
    if is_url(app.conf.broker_url, *BROKER_SCHEMES):
        site_key_publish(app, key.public_key().public_bytes_raw())
    for job in jobs:
        send(app, task, job, signature=job_signature(key, task, msgspec.json.encode(job)), own=own)


@lru_cache(maxsize=1)
def _private_key(secret: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(
        salted_hmac("jobs.sending", b"", secret=secret, algorithm="sha256").digest()
    )
