"""Writes the conversations in ``docs/play/first_bots/<game>.md`` as plain text; pages of the site show the same ones.

``python -m tests.banzuke.transcripts`` updates the pages.
"""

from __future__ import annotations

import re
from pathlib import Path

from ladder.guides import guide_conversation
from tests.own import OWN

FOLDER = Path(__file__).parents[2] / "docs" / "play" / "first_bots"
BLOCK = re.compile(r"(?<=```text\n).*?(?=```)", re.DOTALL)
"""Matches the conversation in a page, its only block of text."""
LISTED = "actions"
"""The part of a question that is a long list and is shortened to a few lines."""
SHOWN = 2


def transcript(game: str) -> str:
    """Return the lines that the first seat reads (>) and writes (<) at the beginning of a match."""
    lines: list[str] = []
    for exchange in guide_conversation(game):
        if exchange.number > 1:
            lines.append(f"(question {exchange.number})")
        for name, part in exchange.asked:
            lines += [f"> {line}" for line in (part[:SHOWN] if name == LISTED else part)]
            if name == LISTED:
                lines.append(f"> (and {len(part) - SHOWN} more)")
        lines += [f"< {line}" for line in exchange.answer]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the conversations into the pages."""
    for game in OWN:
        page = FOLDER / f"{game}.md"
        page.write_text(BLOCK.sub(lambda found, game=game: transcript(game), page.read_text(), count=1))


if __name__ == "__main__":
    main()
