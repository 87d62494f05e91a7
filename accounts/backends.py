"""The authentication backend: how users sign in, and what each request reads of its user."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from accounts.selectors.users import user_with_unread


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth brings no types
    """allauth's backend, which reads the number of unread notifications with the user: every page's head shows it."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session, with ``unread`` (1 query); None if the account is gone or disabled."""
        user = user_with_unread(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
