"""Sends jobs to workers, signed with the private key of the site (``wire.job_signing``)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from celery import Celery
from django.conf import settings

from jobs.arena_key import derived_key
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
    key = derived_key("jobs.sending", settings.SECRET_KEY)
    if is_url(app.conf.broker_url, *BROKER_SCHEMES):
        site_key_publish(app, key.public_key().public_bytes_raw())
    for job in jobs:
        send(app, task, job, signature=job_signature(key, task, msgspec.json.encode(job)), own=own)
