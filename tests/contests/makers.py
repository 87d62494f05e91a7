"""Functions that create contests for tests."""

from __future__ import annotations

from typing import Any

from contests.models import Contest


def make_contest(slug: str = "spring", **fields: Any) -> Contest:
    """Create an open contest of Kakomimasu; private unless ``visibility`` is given."""
    row = {"title": "Spring cup", "game": "kakomimasu", "state": Contest.State.OPEN, "visibility": "private"}
    return Contest.objects.create(slug=slug, **row | fields)
