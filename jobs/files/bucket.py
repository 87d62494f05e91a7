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
    # Once more, since a connection that was kept may be closed by now. Whoever needs it asks again by himself.
    retries={"mode": "standard", "total_max_attempts": 2},
    # Others than Amazon's refuse the checksums that boto3 adds of itself since 1.36 (boto/boto3#4392, #4398).
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
FRESH_SECONDS = 5
"""For so long it is taken as known whether a bucket can be used."""


class BucketStorage(S3Storage):  # type: ignore[misc]  # the library has no types
    """A folder of a bucket, which fails as a folder of a disk does: by ``OSError``, with the reason and no secret.

    Keys, endpoint and region are those of boto3's environment: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``,
    ``AWS_ENDPOINT_URL``, ``AWS_DEFAULT_REGION``. An object appears whole or not at all; one of the same name has the
    same content.
    """

    def __init__(self, **settings: Any) -> None:
        transfer = TransferConfig(use_threads=False)  # files are small
        super().__init__(client_config=_CONFIG, transfer_config=transfer, max_memory_size=_MEMORY_BYTES, **settings)
        self._line = _Line()

    @cached_property
    def connection(self) -> Any:
        """One for all threads: its clients may be shared, and to make one takes longer than most pages."""
        return super().connection

    def exists(self, name: str) -> bool:
        """Tell whether there is such an object."""
        with self._line.used():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        """Remove an object, if there is one."""
        with self._line.used():
            super().delete(name)

    def answers(self) -> None:
        """Make sure that the bucket can be used: asks only if nothing has worked within ``FRESH_SECONDS``.

        Raises:
            OSError: it cannot.
        """
        if not self._line.is_fresh():
            with self._line.used():
                self.connection.meta.client.head_bucket(Bucket=self.bucket_name)

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        """Fetch an object by one request; the library's own file asks first how large it is."""
        with self._line.used():
            body = self._body(self._normalize_name(name))
            file = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 - its reader closes it
            shutil.copyfileobj(body, file)
        file.seek(0)
        return File(file, name)

    def _body(self, key: str) -> Any:
        try:
            return self.bucket.Object(key).get()["Body"]
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":  # and not NoSuchBucket: then nothing is there
                raise FileNotFoundError(errno.ENOENT, "There is no such object", key) from error
            raise

    def _save(self, name: str, content: File[Any]) -> str:
        """Store an object, whether there is one or not.

        To ask first costs a request for each of many to spare a few, and some stores remember for a while that it was
        not there: the site would not find what it has just stored. One that was damaged is whole again.
        """
        with self._line.used():
            return str(super()._save(name, content))


class _Line:
    """How a bucket has answered this process of late, so that not everybody waits for one that does not.

    A process has one thread for all reports, or a few for all pages. A store that takes connections and never answers
    would soon hold all of them, and signs of life or pages would wait behind.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem = ""
        """Why it is away; empty while it answers."""
        self._asked_at = self._worked_at = float("-inf")

    def is_fresh(self) -> bool:
        """Tell whether the bucket has just done what somebody asked for."""
        return not self._problem and time.monotonic() < self._worked_at + FRESH_SECONDS

    @contextmanager
    def used(self) -> Iterator[None]:
        """Name what the store refuses, or that it does not answer, as the rest of the site expects it.

        Raises:
            OSError: the store failed, or has just failed somebody else.
        """
        self._enter()
        try:
            yield
        except FileNotFoundError:
            self._note("")
            raise
        except ClientError as error:
            reason = f"the bucket answers {error.response['Error']['Code']}"
            is_away = error.response["ResponseMetadata"]["HTTPStatusCode"] >= HTTPStatus.INTERNAL_SERVER_ERROR
            self._note(reason if is_away else "")
            raise OSError(errno.EREMOTEIO, reason) from error
        except BotoCoreError as error:
            reason = f"the bucket cannot be used: {type(error).__name__}"
            self._note(reason)
            raise OSError(errno.EREMOTEIO, reason) from error
        self._note("")
        self._worked_at = time.monotonic()

    def _enter(self) -> None:
        """Let one ask at a time while the store fails."""
        with self._lock:
            now = time.monotonic()
            if self._problem and now < self._asked_at + FRESH_SECONDS:
                raise OSError(errno.EREMOTEIO, self._problem)
            self._asked_at = now

    def _note(self, problem: str) -> None:
        with self._lock:
            self._problem, self._asked_at = problem, time.monotonic()
