"""The setting STORAGES: files are in the DATA folder, or bots, replays, final boards and downloads in a bucket."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.settings.environment import BucketFolder


def stores(data: Path, bucket: BucketFolder | None = None) -> dict[str, Any]:
    """Return the setting ``STORAGES``.

    Args:
        data: the DATA folder.
        bucket: where artifacts, replays, final boards and downloads are stored; None: in the DATA folder, too.
    """
    return {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": data / "files"}},
        "artifacts": _content_store(data, bucket, "artifacts"),
        "replays": _content_store(data, bucket, "replays"),
        "boards": _content_store(data, bucket, "boards"),
        "downloads": _content_store(data, bucket, "downloads"),
        "staticfiles": {"BACKEND": "arena.serving.static_files.StaticStorage"},
    }


def _content_store(data: Path, bucket: BucketFolder | None, name: str) -> Mapping[str, Any]:
    if bucket is None:
        return {"BACKEND": "jobs.files.storage.ContentStorage", "OPTIONS": {"location": data / name}}
    options = {"bucket_name": bucket.name, "location": f"{bucket.folder}/{name}".lstrip("/")}
    return {"BACKEND": "jobs.files.bucket.BucketStorage", "OPTIONS": options}
