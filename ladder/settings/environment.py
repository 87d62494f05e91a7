"""Settings from the environment."""

from __future__ import annotations

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """Names the variable that cannot be read, where the library tells only what is wrong with its value."""

    def get_value(self, var: str, *args: Any, **options: Any) -> Any:
        """Return the value of a variable.

        Raises:
            ImproperlyConfigured: it is missing, or not of its type.
        """
        try:
            return super().get_value(var, *args, **options)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} cannot be read: {error}") from error
