"""What our accounts have that Django's have not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models.functions import Upper

from common.signals import credentials_changed


class Account(AbstractUser):
    """An account whose name differs from all others in more than capitals, and whose sessions can all be ended."""

    sessions_ended = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """How often all sessions were ended without a new password (``accounts.services.accounts``)."""

    class Meta(AbstractUser.Meta):
        abstract = True
        constraints = [
            # Forms look first and save later: of two sign-ups at once both would find the name free. By the capitals,
            # since that is how names are looked for (``iexact``), which has an index by this.
            models.UniqueConstraint(Upper("username"), name="user_name_unique_whatever_capitals"),
        ]

    _has_new_password = _is_checking = False

    def set_password(self, raw_password: str | None) -> None:
        """Set a password, and note that it is a new one."""
        super().set_password(raw_password)
        self._has_new_password = not self._is_checking

    def check_password(self, raw_password: str | None) -> bool:
        """Tell whether this is the password; Django may hash it anew and save it, which makes no new one of it."""
        self._is_checking = True
        try:
            return super().check_password(raw_password)
        finally:
            self._is_checking = False

    def save(self, *args: Any, **options: Any) -> None:
        """Save the account, and send ``credentials_changed`` if it is an old one with a new password, or with none."""
        is_new = (self._has_new_password or not self.has_usable_password()) and not self._state.adding
        with transaction.atomic():
            super().save(*args, **options)
            if is_new:
                credentials_changed.send(sender=type(self), user=self)

    def get_session_auth_hash(self) -> str:
        """Return what a session has to know, so that it counts."""
        return self._marked(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Return the same under each former SECRET_KEY."""
        yield from map(self._marked, super().get_session_auth_fallback_hash())

    def _marked(self, auth_hash: str) -> str:
        return f"{auth_hash}:{self.sessions_ended}" if self.sessions_ended else auth_hash
