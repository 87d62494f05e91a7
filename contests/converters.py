"""The part of a url that names a contest."""

from __future__ import annotations

from contests.models import Contest


class ContestConverter:
    """Matches ``games/<name of the game>`` for an open contest, and ``contests/<slug>`` for any other."""

    regex = r"(?:games|contests)/[-\w]+"

    def to_python(self, value: str) -> str:
        """Return the part of the url unchanged; ``contest_or_404`` finds the contest that it names."""
        return value

    def to_url(self, value: Contest | str) -> str:
        """Return the part of urls that names a contest (``contest_place``); a text is such a part already."""
        return value.place if isinstance(value, Contest) else value
