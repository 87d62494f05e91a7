"""Checks of what people type."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_FORBIDDEN_CATEGORIES = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
_FORBIDDEN_CHARACTERS = set("<>&\"'`\\/")
# What nobody sees: what is left of Default_Ignorable_Code_Point of Unicode, the Braille letter without dots, and signs
# that no font draws. But not U+FE0F, which keyboards of phones put behind many an emoji.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0e\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
_MARKS_MAX = 3
"""On one letter, as some of Hebrew and Thai have them."""
# Not of dots alone: browsers would take ".." in the address of a profile for the folder above.
_USERNAME = re.compile(r"[._-]*[A-Za-z0-9][A-Za-z0-9._-]*")
_USERNAME_MAX = 30


def validate_bot_name(name: str) -> None:
    """Refuse names that could be mistaken for another or break a page.

    Control and format characters include the right-to-left marks that reorder the text around a name; markup is
    escaped on every page as well, this only keeps names readable.

    Raises:
        ValidationError: with a sentence that says what to change.
    """
    if name != name.strip() or not name or "  " in name:  # of which pages show one
        raise ValidationError(
            _("A bot's name must not be empty, begin or end with a space, nor have two spaces side by side.")
        )
    if "\ufffd" in name:  # what decoders put for bytes that are no UTF-8, such as those of a Japanese Windows console
        raise ValidationError(_("The name did not arrive as UTF-8. Please send it in this encoding."))
    if unicodedata.normalize("NFKC", name) != name:
        raise ValidationError(_("Please use the plain form of the letters in the name."))
    if any(unicodedata.category(c) in _FORBIDDEN_CATEGORIES or c in _FORBIDDEN_CHARACTERS for c in name):
        raise ValidationError(_("Please use only letters, digits, spaces and simple punctuation in the name."))
    if _UNSEEN.search(name) or _has_loose_marks(name):
        raise ValidationError(_("Please leave out invisible letters, and accents that stand alone or in heaps."))


def _has_loose_marks(name: str) -> bool:
    """Tell whether accents stand before all letters, where they would join what is written before the name, or pile up.

    The attack: a letter with thirty of them covers the rows above and below it.
    """
    kinds = "".join("'" if unicodedata.category(sign) in ("Mn", "Me") else "x" for sign in name)
    return kinds.startswith("'") or "'" * (_MARKS_MAX + 1) in kinds


def username_rule() -> str:
    """Return the sentence that tells what a user name may be."""
    return _("Please choose a user name of up to %(max)d letters a-z, digits, and the signs . - _") % {
        "max": _USERNAME_MAX
    }


def validate_username(name: str) -> None:
    """Refuse user names longer than a table can show, and those that could be mistaken for another.

    Raises:
        ValidationError: with a sentence that says what to change.
    """
    if len(name) > _USERNAME_MAX or not _USERNAME.fullmatch(name):
        raise ValidationError(username_rule())


username_validators = [validate_username]
"""What allauth checks on sign-up."""
