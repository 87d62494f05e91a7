"""Signatures of jobs: only those that the site has signed are done."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import redis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.broker import free_port
from wire import job_signing
from wire.job_signing import JobSignature, SiteKey, job_signature
from wire.jobs import BUILD_TASK, PLAY_TASK, SITE_KEY
from wire.transport import JOB_EXPIRES_SECONDS, Refused

KEY = Ed25519PrivateKey.generate()
BODY = b'{"seed":4611686018427387904,"options":{"share":0.1},"seats":["a","b"]}'


@pytest.fixture
def broker(broker_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(broker_url) as client:
        client.set(SITE_KEY, KEY.public_key().public_bytes_raw())
        yield client


@pytest.mark.parametrize(
    ("task", "body"),
    [
        (BUILD_TASK, BODY),
        (PLAY_TASK, BODY.replace(b"4611686018427387904", b"1")),
        (PLAY_TASK, BODY.replace(b'"a","b"', b'"b","a"')),
        (PLAY_TASK, b""),
    ],
    ids=["another task", "another seed", "other seats", "nothing"],
)
def test_it_is_for_one_job(broker: redis.Redis, task: str, body: bytes) -> None:
    with pytest.raises(Refused, match="another job"):
        SiteKey(broker).check(task, body, job_signature(KEY, PLAY_TASK, BODY))


def test_nobody_else_signs(broker: redis.Redis) -> None:
    with pytest.raises(Refused, match="another job"):
        SiteKey(broker).check(PLAY_TASK, BODY, job_signature(Ed25519PrivateKey.generate(), PLAY_TASK, BODY))
    with pytest.raises(Refused, match="not signed"):
        SiteKey(broker).check(PLAY_TASK, BODY, None)


def test_an_old_job_is_refused_whatever_is_said_of_its_time(
    broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a host stores a job, and puts it into the queue again and again."""
    signature, now = job_signature(KEY, PLAY_TASK, BODY), time.time()
    monkeypatch.setattr(job_signing.time, "time", lambda: now + JOB_EXPIRES_SECONDS + 1)
    with pytest.raises(Refused, match="too old"):
        SiteKey(broker).check(PLAY_TASK, BODY, signature)
    later = JobSignature(signature.until + 3_600, signature.signature)
    with pytest.raises(Refused, match="another job"):
        SiteKey(broker).check(PLAY_TASK, BODY, later)


def test_a_new_key_counts_at_once_and_the_old_one_no_more(broker: redis.Redis) -> None:
    site, new = SiteKey(broker), Ed25519PrivateKey.generate()
    site.check(PLAY_TASK, BODY, job_signature(KEY, PLAY_TASK, BODY))
    broker.set(SITE_KEY, new.public_key().public_bytes_raw())
    site.check(PLAY_TASK, BODY, job_signature(new, PLAY_TASK, BODY))
    with pytest.raises(Refused):
        site.check(PLAY_TASK, BODY, job_signature(KEY, PLAY_TASK, BODY))


def test_without_a_key_every_job_is_refused(broker: redis.Redis) -> None:
    broker.delete(SITE_KEY)
    with pytest.raises(Refused, match="upgrade the site"):
        SiteKey(broker).check(PLAY_TASK, BODY, job_signature(KEY, PLAY_TASK, BODY))
    with redis.Redis(port=free_port()) as away, pytest.raises(Refused, match="cannot be asked"):
        SiteKey(away).check(PLAY_TASK, BODY, job_signature(KEY, PLAY_TASK, BODY))
