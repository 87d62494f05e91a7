"""How users sign in, and what is read of them with each request."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from accounts.selectors.notifications import user_with_unread


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth brings no types
    """By name and password. The head of every page shows how much is unread: it comes with the user, in one query."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session with ``unread``, or None when he may not come in any more."""
        user = user_with_unread(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
