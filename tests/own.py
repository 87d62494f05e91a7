"""The games that lie in the source tree; packages that are installed here may bring more."""

from __future__ import annotations

from games.registry import FOLDER

OWN = tuple(sorted(path.parent.name for path in FOLDER.glob("*/rules.py")))
