"""Where an installation keeps its files: in the DATA folder, bots and replays perhaps in a bucket."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.settings.environment import BucketFolder


def stores(data: Path, bucket: BucketFolder | None = None) -> dict[str, Any]:
    """Return the setting ``STORAGES`` of an installation with this folder, and with this bucket if it has one."""
    return {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": data / "files"}},
        "artifacts": _contents(data, bucket, "artifacts"),
        "replays": _contents(data, bucket, "replays"),
        "staticfiles": {"BACKEND": "arena.serving.static_files.StaticStorage"},
    }


def _contents(data: Path, bucket: BucketFolder | None, name: str) -> Mapping[str, Any]:
    if bucket is None:
        return {"BACKEND": "jobs.files.storage.ContentStorage", "OPTIONS": {"location": data / name}}
    options = {"bucket_name": bucket.name, "location": f"{bucket.folder}/{name}".lstrip("/")}
    return {"BACKEND": "jobs.files.bucket.BucketStorage", "OPTIONS": options}
