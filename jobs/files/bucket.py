"""Artifacts and replays in a bucket of an object store (S3 and what speaks like it), for sites on several machines."""

from __future__ import annotations

import errno
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from http import HTTPStatus
from typing import Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage

_MEMORY_BYTES = 1024 * 1024
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=5,
    # One retry, since the store may have closed a pooled connection. Callers retry by themselves if they need more.
    retries={"mode": "standard", "total_max_attempts": 2},
    # Stores other than Amazon's refuse the checksums that boto3 adds by default since 1.36 (boto/boto3#4392, #4398).
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
FRESH_SECONDS = 5
"""How long the last answer of a bucket, or its failure, is taken as its state without asking again."""


class BucketStorage(S3Storage):  # type: ignore[misc]  # the library has no types
    """A storage in a folder of a bucket. Every failure is an ``OSError`` with the reason and no secret, as of a disk.

    boto3 reads keys, endpoint and region from the environment: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``,
    ``AWS_ENDPOINT_URL``, ``AWS_DEFAULT_REGION``. An object appears whole or not at all; objects of one name have the
    same content.
    """

    def __init__(self, **settings: Any) -> None:
        transfer = TransferConfig(use_threads=False)  # files are small
        super().__init__(client_config=_CONFIG, transfer_config=transfer, max_memory_size=_MEMORY_BYTES, **settings)
        self._availability = _Availability()

    @cached_property
    def connection(self) -> Any:
        """The connection, shared by all threads: its clients allow it, and to make one takes longer than most pages."""
        return super().connection

    def exists(self, name: str) -> bool:
        """Return whether there is an object of this name."""
        with self._availability.guarded():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        """Delete the object of this name, if there is one."""
        with self._availability.guarded():
            super().delete(name)

    def check_usable(self) -> None:
        """Ask the bucket whether it can be used, unless a request has succeeded within ``FRESH_SECONDS``.

        Raises:
            OSError: the bucket cannot be used.
        """
        if not self._availability.is_fresh():
            with self._availability.guarded():
                self.connection.meta.client.head_bucket(Bucket=self.bucket_name)

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        """Fetch an object by one request; the library's own method would first ask for its size."""
        with self._availability.guarded():
            key = f"{self.location}/{name}".lstrip("/")
            try:
                body = self.bucket.Object(key).get()["Body"]
            except ClientError as error:
                if error.response["Error"]["Code"] == "NoSuchKey":  # NoSuchBucket is a failure of the whole store
                    raise FileNotFoundError(errno.ENOENT, "There is no such object", key) from error
                raise
            file = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 - its reader closes it
            shutil.copyfileobj(body, file)
        file.seek(0)
        return File(file, name)

    def _save(self, name: str, content: File[Any]) -> str:
        """Store an object, even if there is one of this name.

        To ask first would cost one more request for every object, to spare a few uploads. Some stores also cache for a
        while that an object was absent, so the site would not find what it has just stored. Storing again replaces an
        object that was damaged.
        """
        with self._availability.guarded():
            return str(super()._save(name, content))


class _Availability:
    """A circuit breaker: while a bucket fails, one request at a time asks it, and all others fail at once.

    A process has one thread for all reports, or a few for all pages. A store that accepts connections and never answers
    would soon hold all these threads, and heartbeats or pages would wait behind it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem = ""
        """Why the bucket cannot be used; empty while it answers."""
        self._asked_at = self._worked_at = float("-inf")

    def is_fresh(self) -> bool:
        """Return whether a request to the bucket has succeeded within ``FRESH_SECONDS``."""
        return not self._problem and time.monotonic() < self._worked_at + FRESH_SECONDS

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Run a block of requests to the store, and record whether the store answers.

        Raises:
            OSError: a request failed in the block, or in another block within the last ``FRESH_SECONDS``.
        """
        with self._lock:
            now = time.monotonic()
            if self._problem and now < self._asked_at + FRESH_SECONDS:
                raise OSError(errno.EREMOTEIO, self._problem)
            self._asked_at = now
        try:
            yield
        except FileNotFoundError:
            self._record("")
            raise
        except ClientError as error:
            reason = f"the bucket answers {error.response['Error']['Code']}"
            is_away = error.response["ResponseMetadata"]["HTTPStatusCode"] >= HTTPStatus.INTERNAL_SERVER_ERROR
            self._record(reason if is_away else "")
            raise OSError(errno.EREMOTEIO, reason) from error
        except BotoCoreError as error:
            reason = f"the bucket cannot be used: {type(error).__name__}"
            self._record(reason)
            raise OSError(errno.EREMOTEIO, reason) from error
        self._record("")
        self._worked_at = time.monotonic()

    def _record(self, problem: str) -> None:
        with self._lock:
            self._problem, self._asked_at = problem, time.monotonic()
