"""Who is signed in: sessions in the database, read without the query compiler, since each of their pages reads one."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from common.queries.compiled import Compiled

_of_key = Compiled(lambda key: Session.objects.filter(session_key=key))


class SessionStore(db.SessionStore):
    """Django's, but for how it reads."""

    def load(self) -> dict[str, Any]:
        """Return what a session holds (1 query); nothing if it is over or there is none of its key."""
        key = self.session_key or ""
        # PostgreSQL refuses a NUL, which a cookie may hold in quotes: anybody could fill the log with errors.
        for session in _of_key.rows(key) if "\x00" not in key else ():
            if session.expire_date > timezone.now():
                return self.decode(session.session_data)
        # As Django does: a key that is unknown is not taken over from a browser, where others may have put it.
        self._session_key = None
        return {}
