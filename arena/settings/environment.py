"""Reads settings from environment variables; an error names the variable."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

_BUCKET = re.compile(r"s3://(?P<name>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(?P<folder>[\w./-]*?))?/?")
"""The URL of a bucket, with a name by the rules of Amazon S3 ("General purpose bucket naming rules")."""
_STORE = re.compile(r"https?://[^\s/?#]+(?:/[^\s?#]*)?")
_STORE_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
_STORE_VARIABLES = (*_STORE_KEYS, "AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION")
"""Variables that boto3 reads itself."""


class BucketFolder(NamedTuple):
    """A folder of a bucket in an object store."""

    name: str
    """Name of the bucket."""
    folder: str
    """Path of the folder in the bucket; empty: the whole bucket."""


def host_of(url: str) -> str:
    """Return the host of a URL as requests name it, an IPv6 address in brackets; ``localhost`` if there is none.

    An invalid URL is reported later, by the system checks (``arena.checks``).
    """
    try:
        host = urlsplit(url).hostname or "localhost"
    except ValueError:  # a bracket that is not closed
        return "localhost"
    return f"[{host}]" if ":" in host else host


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """django-environ's reader, with errors that name the variable and not only what is wrong with its value."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """Return the value of a variable. An empty one counts as not set, since compose sets variables left out to it.

        Overrides the library's method, which takes a value that begins with a dollar for the name of another variable,
        and would print a secret in its error.

        Raises:
            ImproperlyConfigured: the variable is not set and has no default, or its value is not of its type.
        """
        text = self.ENVIRON.get(var)
        if text:
            return self._parsed(var, text, cast)
        if default is self.NOTSET:
            raise ImproperlyConfigured(f"{var} is not set; docs/run/settings.md says what it is for.")
        return self._parsed(var, default, cast) if parse_default else default

    def switch(self, var: str) -> bool:
        """Return the value of a variable that is ``true`` or ``false``; not set is false.

        Any other text raises ImproperlyConfigured: the library would take every typing mistake for false.
        """
        text = self.str(var, default="false").lower()
        if text not in ("true", "false"):
            raise ImproperlyConfigured(f"{var} is neither true nor false.")
        return bool(text == "true")

    def postgresql(self, var: str) -> dict[str, Any]:
        """Return Django's settings of the database whose URL a variable holds.

        Raises:
            ImproperlyConfigured: the variable is not set, or is no URL of a PostgreSQL database.
        """
        wanted = "a database; write it as postgresql://user:password@host/name"
        return self._settings_of(var, self.str(var), self._postgresql_config, wanted)

    def mail(self, var: str) -> dict[str, Any]:
        """Return Django's settings of the mail server whose URL a variable holds; if not set, mails go into the log.

        Raises:
            ImproperlyConfigured: the value is no URL of a mail server.
        """
        wanted = "a mail server; write it as smtp+tls://user:password@mail.example:587"
        return self._settings_of(var, self.str(var, default="consolemail://"), self.email_url_config, wanted)

    def bucket(self, var: str) -> BucketFolder | None:
        """Return the folder of a bucket whose URL a variable holds, or None if it is not set.

        Raises:
            ImproperlyConfigured: the value is no URL of a bucket, or boto3 could not use its own variables.
        """
        url = self.str(var, default="")
        if not url:
            return None
        found = _BUCKET.fullmatch(url)
        if found is None:
            raise ImproperlyConfigured(f"{var} is no URL of a bucket; write it as s3://name or s3://name/folder.")
        self._store_check()
        return BucketFolder(found["name"], found["folder"] or "")

    def _store_check(self) -> None:
        """Check the variables that boto3 reads, and delete empty ones, which boto3 would not take as not set.

        Raises:
            ImproperlyConfigured: the endpoint is no URL, or one of the two keys is missing.
        """
        for name in _STORE_VARIABLES:
            if not self.ENVIRON.get(name):
                self.ENVIRON.pop(name, None)
        endpoint = self.ENVIRON.get("AWS_ENDPOINT_URL")
        if endpoint and not _STORE.fullmatch(endpoint):
            raise ImproperlyConfigured(
                "AWS_ENDPOINT_URL is no URL of an object store; write it as https://objects.example."
            )
        if len({name in self.ENVIRON for name in _STORE_KEYS}) > 1:
            raise ImproperlyConfigured(
                f"{' and '.join(_STORE_KEYS)} belong together: give both, or neither if the machine has a role."
            )

    def _postgresql_config(self, url: str) -> dict[str, Any]:
        if not url.startswith(("postgresql://", "postgres://")):
            raise ValueError("another database, or no URL")
        return dict(self.db_url_config(url))

    def _settings_of(self, var: str, url: str, read: Callable[[str], Mapping[str, Any]], wanted: str) -> dict[str, Any]:
        """Return what ``read`` makes of a URL; an error says what kind of URL is wanted, without the URL itself."""
        try:
            return dict(read(url))
        except (ValueError, ImproperlyConfigured):  # their messages contain the URL, which holds a password
            raise ImproperlyConfigured(f"{var} is no URL of {wanted}.") from None

    def _parsed(self, var: str, text: Any, cast: Any) -> Any:
        try:
            return self.parse_value(text, cast)
        except ValueError as error:
            problem = "is no whole number." if cast is int else f"cannot be read: {error}"
            raise ImproperlyConfigured(f"{var} {problem}") from error
