"""Settings from the environment."""

from __future__ import annotations

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


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
            raise ImproperlyConfigured(f"{var} is not set; docs/administrators.md tells what it is for.")
        return self._parsed(var, default, cast) if parse_default else default

    def _parsed(self, var: str, text: Any, cast: Any) -> Any:
        try:
            return self.parse_value(text, cast)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} cannot be read: {error}") from error
