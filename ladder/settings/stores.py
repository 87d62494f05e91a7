"""Where an installation keeps its files: everything in the DATA folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def stores(data: Path) -> dict[str, Any]:
    """Return the setting ``STORAGES`` of an installation with this folder."""
    return {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": data / "files"}},
        "artifacts": {
            "BACKEND": "ladder.files.storage.ContentStorage",
            "OPTIONS": {"location": data / "artifacts"},
        },
        "replays": {"BACKEND": "ladder.files.storage.ContentStorage", "OPTIONS": {"location": data / "replays"}},
        "staticfiles": {"BACKEND": "ladder.serving.static_files.StaticStorage"},
    }
