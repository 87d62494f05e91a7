"""Artifacts and replays in a bucket of an object store (S3 and what speaks like it), for sites on several machines."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage

_MEMORY_BYTES = 1024 * 1024
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=10,
    retries={"mode": "standard", "max_attempts": 2},
    # Others than Amazon's refuse the checksums that boto3 adds of itself since 1.36 (boto/boto3#4392, #4398).
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class BucketStorage(S3Storage):  # type: ignore[misc]  # the library has no types
    """A folder of a bucket, which fails as a folder of a disk does: by ``OSError``, with the reason and no secret.

    Keys, endpoint and region are those of boto3's environment: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``,
    ``AWS_ENDPOINT_URL``, ``AWS_DEFAULT_REGION``. An object appears whole or not at all; one of the same name has the
    same content.
    """

    def __init__(self, **settings: Any) -> None:
        transfer = TransferConfig(use_threads=False)  # files are small
        super().__init__(client_config=_CONFIG, transfer_config=transfer, max_memory_size=_MEMORY_BYTES, **settings)

    @cached_property
    def connection(self) -> Any:
        """One for all threads: its clients may be shared, and to make one takes longer than most pages."""
        return super().connection

    def exists(self, name: str) -> bool:
        """Tell whether there is such an object."""
        with _failing_as_a_disk():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        """Remove an object, if there is one."""
        with _failing_as_a_disk():
            super().delete(name)

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        with _failing_as_a_disk():
            return super()._open(name, mode).open()  # type: ignore[no-any-return]  # fetched here: nothing fails later

    def _save(self, name: str, content: File[Any]) -> str:
        with _failing_as_a_disk():
            return str(super()._save(name, content))


@contextmanager
def _failing_as_a_disk() -> Iterator[None]:
    """Name what the store refuses, or that it does not answer, as the rest of the site expects it."""
    try:
        yield
    except ClientError as error:
        raise OSError(errno.EREMOTEIO, f"the bucket answers {error.response['Error']['Code']}") from error
    except BotoCoreError as error:
        raise OSError(errno.EREMOTEIO, f"the bucket cannot be used: {type(error).__name__}") from error
