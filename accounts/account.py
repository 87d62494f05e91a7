"""The base class of users: unique names whatever their case, and sessions that can all be ended at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models.functions import Upper

from common.signals import account_disabled, credentials_changed


class Account(AbstractUser):
    """A user whose name is unique regardless of case, and whose sessions can all be ended at once."""

    sessions_ended = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """How often all sessions were ended without a new password; it is part of the hash that sessions must hold."""

    class Meta(AbstractUser.Meta):
        abstract = True
        constraints = [
            # Forms check that a name is free before they save, so two sign-ups at once could both take it. On the upper
            # case, since lookups of names (``iexact``) compare that and use this index.
            models.UniqueConstraint(Upper("username"), name="user_name_unique_whatever_capitals"),
        ]

    _has_new_password = _is_checking = False

    def set_password(self, raw_password: str | None) -> None:
        """Set a new password, so that ``save`` sends ``credentials_changed``."""
        super().set_password(raw_password)
        self._has_new_password = not self._is_checking

    def set_unusable_password(self) -> None:
        """Remove the password, so that ``save`` sends ``credentials_changed``."""
        super().set_unusable_password()
        self._has_new_password = True

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether this is the password.

        Django may hash it again by ``set_password`` and save it; that does not count as a new password.
        """
        self._is_checking = True
        try:
            return super().check_password(raw_password)
        finally:
            self._is_checking = False

    def save(self, *args: Any, **options: Any) -> None:
        """Save the account, and tell apps above what has happened to it.

        ``credentials_changed`` is sent if it is not new and has a new password, or none any more; ``account_disabled``
        is sent if it is not active. An account that never had a password is saved like any other one.
        """
        is_new = self._has_new_password and not self._state.adding
        with transaction.atomic():
            super().save(*args, **options)
            if is_new:
                credentials_changed.send(sender=type(self), user=self)
            if not self.is_active:
                transaction.on_commit(partial(account_disabled.send, sender=type(self), user=self), robust=True)

    def get_session_auth_hash(self) -> str:
        """Return the hash that a session must hold to be valid."""
        return self._with_sessions_ended(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the hash of ``get_session_auth_hash`` under each former SECRET_KEY."""
        yield from map(self._with_sessions_ended, super().get_session_auth_fallback_hash())

    def _with_sessions_ended(self, auth_hash: str) -> str:
        return f"{auth_hash}:{self.sessions_ended}" if self.sessions_ended else auth_hash
