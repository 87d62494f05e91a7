"""Settings from the environment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

_BUCKET = re.compile(r"s3://(?P<name>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(?P<folder>[\w./-]*?))?/?")
"""Names by the rules that all object stores share (Amazon S3, "General purpose bucket naming rules")."""
_STORE = re.compile(r"https?://[^\s/?#]+[^\s?#]*")
_STORE_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
_STORE_VARIABLES = (*_STORE_KEYS, "AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION")
"""What boto3 reads by itself."""


class BucketFolder(NamedTuple):
    """A place in an object store."""

    name: str
    """Of the bucket."""
    folder: str
    """In it; empty: all of it."""


def host_of(address: str) -> str:
    """Return the host of an address as requests name it, one of IPv6 in brackets.

    What is no address is told by the checks (``arena.checks``), which come later.
    """
    try:
        host = urlsplit(address).hostname or "localhost"
    except ValueError:  # a bracket that is not closed
        return "localhost"
    return f"[{host}]" if ":" in host else host


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """Names the variable that cannot be read, where the library tells only what is wrong with its value."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """Return the value of a variable; one that is empty is not set, as compose writes those left out.

        A value stands for itself: the library takes one that begins with a dollar for the name of another variable, and
        would so print a secret.

        Raises:
            ImproperlyConfigured: it is missing, or not of its type.
        """
        text = self.ENVIRON.get(var)
        if text:
            return self._parsed(var, text, cast)
        if default is self.NOTSET:
            raise ImproperlyConfigured(f"{var} is not set; docs/administrators/settings.md says what it is for.")
        return self._parsed(var, default, cast) if parse_default else default

    def switch(self, var: str) -> bool:
        """Return whether something is switched on; what is not set is off.

        Raises:
            ImproperlyConfigured: it is neither true nor false; the library takes any typing mistake for false.
        """
        text = self.str(var, default="false").lower()
        if text not in ("true", "false"):
            raise ImproperlyConfigured(f"{var} is neither true nor false.")
        return bool(text == "true")

    def postgresql(self, var: str) -> dict[str, Any]:
        """Return Django's settings of the database that an address names.

        Raises:
            ImproperlyConfigured: it is missing, or no address of PostgreSQL.
        """
        wanted = "a database; write it as postgresql://user:password@host/name"
        return self._settings_of(var, self.str(var), self._postgresql_config, wanted)

    def mail(self, var: str) -> dict[str, Any]:
        """Return Django's settings of the mail server that an address names; without one mails are printed in the log.

        Raises:
            ImproperlyConfigured: it is no address of a mail server.
        """
        wanted = "a mail server; write it as smtp+tls://user:password@mail.example:587"
        return self._settings_of(var, self.str(var, default="consolemail://"), self.email_url_config, wanted)

    def bucket(self, var: str) -> BucketFolder | None:
        """Return the place in an object store that an address names, None if it is not set.

        Raises:
            ImproperlyConfigured: it is no address of a bucket, or boto3 could not use what it reads by itself.
        """
        address = self.str(var, default="")
        if not address:
            return None
        found = _BUCKET.fullmatch(address)
        if found is None:
            raise ImproperlyConfigured(f"{var} is no address of a bucket; write it as s3://name or s3://name/folder.")
        self._store_check()
        return BucketFolder(found["name"], found["folder"] or "")

    def _store_check(self) -> None:
        """See that boto3 can use its variables; one that is empty, as compose writes those left out, is none to it."""
        for name in _STORE_VARIABLES:
            if not self.ENVIRON.get(name):
                self.ENVIRON.pop(name, None)
        endpoint = self.ENVIRON.get("AWS_ENDPOINT_URL")
        if endpoint and not _STORE.fullmatch(endpoint):
            raise ImproperlyConfigured(
                "AWS_ENDPOINT_URL is no address of an object store; write it as https://objects.example."
            )
        if len({name in self.ENVIRON for name in _STORE_KEYS}) > 1:
            raise ImproperlyConfigured(
                f"{' and '.join(_STORE_KEYS)} belong together: give both, or neither if the machine has a role."
            )

    def _postgresql_config(self, address: str) -> dict[str, Any]:
        if not address.startswith(("postgresql://", "postgres://")):
            raise ValueError("another database, or no address")
        return dict(self.db_url_config(address))

    def _settings_of(
        self, var: str, address: str, read: Callable[[str], Mapping[str, Any]], wanted: str
    ) -> dict[str, Any]:
        try:
            return dict(read(address))
        except (ValueError, ImproperlyConfigured):  # both show the address, which holds a password
            raise ImproperlyConfigured(f"{var} is no address of {wanted}.") from None

    def _parsed(self, var: str, text: Any, cast: Any) -> Any:
        try:
            return self.parse_value(text, cast)
        except ValueError as error:
            problem = "is no whole number." if cast is int else f"cannot be read: {error}"
            raise ImproperlyConfigured(f"{var} {problem}") from error
