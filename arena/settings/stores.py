"""The setting STORAGES: files are in the DATA folder, or bots, replays, final boards and downloads in a bucket."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.settings.environment import BucketFolder


def stores(data: Path, bucket: BucketFolder | None = None) -> dict[str, Any]:
    """Return the setting ``STORAGES``: all files are in the folder ``data``, or artifacts and replays in ``bucket``.

    Boards and downloads are where the replays are.
    """
    named = ("artifacts", "replays", "boards", "downloads")
    return {name: _content_store(data, bucket, name) for name in named} | {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": data / "files"}},
        "staticfiles": {"BACKEND": "arena.serving.static_files.StaticStorage"},
    }


def _content_store(data: Path, bucket: BucketFolder | None, name: str) -> Mapping[str, Any]:
    if bucket is None:
        return {"BACKEND": "jobs.files.storage.ContentStorage", "OPTIONS": {"location": data / name}}
    options = {"bucket_name": bucket.name, "location": f"{bucket.folder}/{name}".lstrip("/")}
    return {"BACKEND": "jobs.files.bucket.BucketStorage", "OPTIONS": options}
