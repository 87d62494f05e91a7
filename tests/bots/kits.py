"""The modules of a starter kit, imported by their own names as a bot does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def starter_importable(folder: Path) -> Iterator[None]:
    """Let the modules of a kit be imported; afterwards their names are free for another one's."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for module in folder.glob("*.py"):
            sys.modules.pop(module.stem, None)
