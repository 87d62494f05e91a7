"""Django's test clients as the browsers of users."""

from __future__ import annotations

from django.test import Client

from accounts.models import User


def signed_in(user: User) -> Client:
    """Return a test client in which a user is signed in."""
    client = Client()
    client.force_login(user)
    return client


def is_in(client: Client) -> bool:
    """Return whether a user is signed in, in a test client."""
    return client.get("/mine/").status_code == 200
