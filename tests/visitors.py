"""Django's test clients as the browsers of users."""

from __future__ import annotations

import re

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


def words(client: Client, url: str) -> str:
    """Return the text of a page without its markup."""
    response = client.get(url)
    assert response.status_code == 200
    return re.sub(r"<[^>]*>|\s+", " ", response.text)
