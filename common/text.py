"""Checks and cleaning of the text that visitors send."""

from __future__ import annotations

import re

ROW_NUMBER_MAX = 2**53 - 1
"""Highest primary key that is accepted: JavaScript and spreadsheets can hold it exactly."""

# The characters of Unicode's Default_Ignorable_Code_Point and of the category Cf. Left out are joiners and variation
# selectors, which `_SHAPERS` has, and the signs of Cf that are drawn, such as those around Arabic numbers.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    "\U000e01f0-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"
_SHAPERS = re.compile(f"[{_JOINERS}\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
"""Characters that choose how their neighbours are drawn: in Persian and Hindi, in kanji of names, in emoji."""
_BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\u2800"
"""All that ``str.strip`` takes away, and the pattern of Braille without dots."""
_KEYCAP = "\u20e3"


def is_row_number(text: str) -> bool:
    """Return whether a text can be a primary key: only digits, and no more of them than a database accepts."""
    return text.isascii() and text.isdecimal() and len(text) < 19


def typed(text: str) -> str:
    """Return a text that somebody typed or pasted, without characters that nobody sees, nor blanks around it.

    Pages, chats and spreadsheets add such characters unseen: byte order marks, soft hyphens, spaces without a width,
    marks of direction. With them a name is another one than it looks like, and a title may be empty to the eye.
    Joiners and variation selectors stay where they change how a visible character is drawn.
    """
    return _SHAPERS.sub(_shaper, _INVISIBLE.sub("", text)).strip(_BLANKS)


def _shaper(found: re.Match[str]) -> str:
    """Return what a run of shapers needs: a variation selector of the character before, then a joiner to the next."""
    text, run = found.string, found[0]
    before, after = text[max(found.start() - 1, 0) : found.start()], text[found.end() : found.end() + 1]
    if not before.strip(_BLANKS):
        return ""
    selector = "" if run[0] in _JOINERS or (before.isascii() and after != _KEYCAP) else run[0]
    joiner = next((each for each in run if each in _JOINERS), "")
    if not after.strip(_BLANKS) or (before + after).isascii():
        joiner = ""
    return selector + joiner
