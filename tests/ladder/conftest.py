"""Whom tests of pages ask as."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from ladder.services import uploads
from tests.ladder.makers import make_user
from tests.visitors import signed_in


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def alices(alice: User) -> Client:
    """Alice's browser."""
    return signed_in(alice)


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The versions whose build has been asked for; no message leaves."""
    asked: list[int] = []
    monkeypatch.setattr(uploads, "build_enqueue", lambda *, version: asked.append(version.pk))
    return asked
