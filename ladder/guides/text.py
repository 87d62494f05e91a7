"""Turns the page of a guide into Markdown, for programs that read it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_SKIPPED = ("nav", "svg", "script", "style", "button")
_FENCE = "```"
_LINES = {
    **{f"h{level}": f"\n\n{'#' * level} " for level in range(1, 5)},
    **dict.fromkeys(("p", "dl", "ul", "ol", "div", "figure", "figcaption"), "\n\n"),
    **dict.fromkeys(("li", "dt"), "\n- "),
    "dd": ": ",
    "pre": f"\n\n{_FENCE}\n",
}
"""What stands before the text of an element."""
_ENDS = {"pre": f"\n{_FENCE}\n\n", **dict.fromkeys(("h1", "h2", "h3", "h4", "p"), "\n\n")}


def guide_text(html: str) -> str:
    """Return the main part of a guide's page as Markdown; drawings are replaced by the words that describe them."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    # Between two fences lies code, which stays as it is.
    parts = "".join(reader.parts).split(_FENCE)
    parts[::2] = [re.sub(r" *\n\s*\n\s*", "\n\n", part) for part in parts[::2]]
    return _FENCE.join(parts).strip() + "\n"


class _Reader(HTMLParser):
    """Collects the parts of the text of ``<main>``."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._open: list[str] = []
        """The elements around the present place that matter: ``main``, ``pre``, and those that are skipped."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (*_SKIPPED, "main", "pre"):
            self._open.append(tag)
        if self._is_read():
            self.parts.append(_LINES.get(tag, ""))
            self._mark_code(tag)
            if dict(attrs).get("role") == "img":
                self.parts.append(f"[Drawing: {dict(attrs).get('aria-label')}]")

    def handle_endtag(self, tag: str) -> None:
        if self._is_read():
            self._mark_code(tag)
            self.parts.append(_ENDS.get(tag, ""))
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._is_read():
            self.parts.append(data if "pre" in self._open else self._collapsed(data))

    def _is_read(self) -> bool:
        return "main" in self._open and not any(tag in self._open for tag in _SKIPPED)

    def _mark_code(self, tag: str) -> None:
        if tag == "code" and "pre" not in self._open:
            self.parts.append("`")

    def _collapsed(self, data: str) -> str:
        """Return text with runs of white space as one space; none at the beginning of a line."""
        text = re.sub(r"\s+", " ", data)
        before = next((part for part in reversed(self.parts) if part), "\n")
        return text.lstrip() if before[-1] in "\n " else text
