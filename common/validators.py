"""Validators of the names of bots and users."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_FORBIDDEN_CATEGORIES = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
_FORBIDDEN_CHARACTERS = set("<>&\"'`\\/")
# Characters that nobody sees: those of Unicode's Default_Ignorable_Code_Point that have another category, the Braille
# pattern without dots, and characters that no font draws. Except U+FE0F, which phones add to many emoji.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0e\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
_MARKS_MAX = 3
"""Most combining marks on one letter; some letters of Hebrew and Thai have so many."""
# At least one letter or digit: browsers would take ".." in the URL of a profile for the folder above.
_USERNAME = re.compile(r"[._-]*[A-Za-z0-9][A-Za-z0-9._-]*")
_USERNAME_MAX = 30


def validate_bot_name(name: str) -> None:
    """Refuse bot names that could be mistaken for another name or would make a page hard to read.

    The forbidden control and format characters include the right-to-left marks, which reorder the text around a name.
    Markup is forbidden for readability only: every page escapes it.

    Raises:
        ValidationError: with a sentence that says what to change.
    """
    if name != name.strip() or not name or "  " in name:  # browsers show two spaces as one
        raise ValidationError(
            _("A bot's name must not be empty, begin or end with a space, nor have two spaces side by side.")
        )
    if "\ufffd" in name:  # decoders write it for bytes that are not UTF-8, such as those of a Japanese Windows console
        raise ValidationError(_("The name did not arrive as UTF-8. Please send it in this encoding."))
    if unicodedata.normalize("NFKC", name) != name:
        raise ValidationError(_("Please use the plain form of the letters in the name."))
    if any(unicodedata.category(c) in _FORBIDDEN_CATEGORIES or c in _FORBIDDEN_CHARACTERS for c in name):
        raise ValidationError(_("Please use only letters, digits, spaces and simple punctuation in the name."))
    if _UNSEEN.search(name) or _has_loose_marks(name):
        raise ValidationError(_("Please leave out invisible letters, and accents that stand alone or in heaps."))


def _has_loose_marks(name: str) -> bool:
    """Return whether a name starts with a combining mark, or has more than ``_MARKS_MAX`` of them in a row.

    A mark at the start would join the text before the name. The attack: a letter with thirty marks covers the rows
    above and below it.
    """
    kinds = "".join("'" if unicodedata.category(character) in ("Mn", "Me") else "x" for character in name)
    return kinds.startswith("'") or "'" * (_MARKS_MAX + 1) in kinds


def username_rule() -> str:
    """Return the sentence that says which user names are allowed."""
    return _("Please choose a user name of up to %(max)d letters a-z, digits, and the signs . - _") % {
        "max": _USERNAME_MAX
    }


def validate_username(name: str) -> None:
    """Refuse user names that are too long for a table, or that could be mistaken for another name.

    Raises:
        ValidationError: with a sentence that says what to change.
    """
    if len(name) > _USERNAME_MAX or not _USERNAME.fullmatch(name):
        raise ValidationError(username_rule())


username_validators = [validate_username]
"""The validators that allauth applies on sign-up (``ACCOUNT_USERNAME_VALIDATORS``)."""
