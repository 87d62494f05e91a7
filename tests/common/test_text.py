"""What people type or paste is stored without characters that nobody sees."""

from __future__ import annotations

import unicodedata
from itertools import product

import pytest

from common.text import typed

SEEN = set(range(0x600, 0x606)) | {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Characters of the category Cf that fonts draw: signs before or around numbers."""


def test_characters_that_nobody_sees_are_no_text() -> None:
    hidden = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf" and code not in SEEN]
    assert len(hidden) > 140
    for character in [*hidden, "\u3164", "\u115f", "\uffa0", "\u2800", "\ufe0f", "\u3000", "\u00a0"]:
        assert typed(character) == typed(f" {character}\n{character} ") == "", hex(ord(character))
        assert typed(f"{character}Fi{character}nal") in ("Final", f"Fi{character}nal")
        assert typed(f"Final{character}") == typed(f"\ufeff{character}Final") == "Final", hex(ord(character))
    for run in product("\u200c\u200d\ufe0e\ufe0f\u180b", repeat=3):
        assert typed("".join(run)) == typed(f" {''.join(run)}\n") == ""
        assert typed(f"Fi{''.join(run)}nal") == "Final"
        assert typed(once := typed(f"か{''.join(run)}の{''.join(run)}")) == once
        assert len(once) <= 5
    assert typed("\ufeffFi\u00adn\u200bal\u2060") == typed("Fi\u200dnal\u200c") == typed("Fi\ufe0fnal") == "Final"


@pytest.mark.parametrize(
    "text",
    ["می‌خواهم", "क्‍ष", "👩‍💻", "❤️‍🔥", "1️⃣", "葛󠄀城", "PDF‌ها", "a  b\n\n    code  \nend", "٣؅", "⠓⠊⠀⠓⠕"],
)
def test_what_changes_how_a_text_looks_stays(text: str) -> None:
    assert typed(f"\u200b{text}\u200d ") == text
