"""Which page shows a row, for templates of apps that lie below the app of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import reverse

PAGES_OF_ROWS: dict[str, Callable[[Any], str]] = {
    "accounts.user": lambda user: reverse("ladder:profile", args=[user.username]),
    "contests.contest": lambda contest: reverse("ladder:board", args=[contest]),
    "contests.team": lambda team: reverse("contests:team", args=[team.contest, team.pk]),
}
"""The url of a row's page by the label of its model (the setting ``ABSOLUTE_URL_OVERRIDES``)."""
