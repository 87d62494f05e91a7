"""Who asks."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from ladder.models import User

Reader = User | AnonymousUser
"""Whoever looks at a page."""


def signed_in(request: HttpRequest) -> User:
    """Return who asks, in views that let nobody in who is not signed in; behind their guard, so it only tells types."""
    assert isinstance(request.user, User)  # noqa: S101 - the guard has seen to it
    return request.user
