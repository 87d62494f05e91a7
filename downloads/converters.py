"""The part of a url that names a day."""

from __future__ import annotations

from datetime import date


class DayConverter:
    """Matches a day such as ``2026-11-28``."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        """Return the day that a part of a url names.

        Raises:
            ValueError: there is no such day, and so no such url.
        """
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        """Return the part of a url that names a day."""
        return str(value)
