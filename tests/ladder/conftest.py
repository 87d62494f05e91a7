"""Whom tests of pages ask as."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.models import User
from tests.ladder.makers import make_user
from tests.visitors import signed_in


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def alices(alice: User) -> Client:
    """Alice's browser."""
    return signed_in(alice)
