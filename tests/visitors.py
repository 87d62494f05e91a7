"""Browsers of visitors, without a browser."""

from __future__ import annotations

from django.test import Client

from accounts.models import User


def signed_in(user: User) -> Client:
    """Return a browser in which somebody is signed in."""
    client = Client()
    client.force_login(user)
    return client


def is_in(client: Client) -> bool:
    """Say whether somebody is signed in there."""
    return client.get("/mine/").status_code == 200
