"""Programs that are pasted as text: what single source file each becomes."""

from __future__ import annotations

import re

from django.core.files.base import ContentFile
from django.utils.translation import gettext as _

from common.errors import InputError
from jobs.models import WorkingLanguage
from jobs.selectors.languages import languages_all

SIGNS = {
    "rust": r"\bfn[ \t]+main[ \t]*\(",
    "go": r"^package[ \t]+main\b",
    "java": r"\bstatic[ \t]+void[ \t]+main\b|^import[ \t]+java[.x]",
    "cpp": r"^[ \t]*#[ \t]*include[ \t]*<(\w+|bits/stdc\+\+\.h)>|\bstd::",
    "c": r"^[ \t]*#[ \t]*include\b",
    "javascript": r"\bconsole\.|(?<![.\w])readline\(\)|^[ \t]*(const|let|var)\b|\brequire\(|\bprocess\.stdin\b",
    "python": r"^[ \t]*(def|while|for|if)[ \t].*:[ \t]*(#.*)?$"
    r"|^(import[ \t][\w., ]+|from[ \t][\w.]+[ \t]import\b.*)$|\bprint\(",
    "ruby": r"\b(gets|puts)\b|\$std(in|out)\b|\bSTDIN\b",
}
"""By the names of languages, what stands in their programs alone; the first that is found decides.

The attack: a form full of empty lines. Where a sign may begin at any line and go on over those that follow, the search
takes the square of their number, so each sign stays within its line."""
_PYTHON = "main.py"
"""What every arena takes, also before its first worker has told of its languages."""


def pasted_file(*, program: str, language: str) -> ContentFile[bytes]:
    """Return the file that a pasted program becomes: of the name under which builders look for its language.

    Args:
        program: its text.
        language: its name; empty: it is recognised by what stands in the program.

    Raises:
        InputError: no language was chosen, and none that this arena has was recognised.
    """
    text = program.replace("\r\n", "\n")  # as browsers send the lines of a form
    known = {row.name: row for row in languages_all()}
    name = language or next((name for name, signs in SIGNS.items() if re.search(signs, text, re.MULTILINE)), "")
    if name not in known and (name != "python" or known):
        raise InputError(_("We do not recognise the language of the pasted program. Please choose it from the list."))
    return ContentFile(text.encode(), name=_file_name(known.get(name)))


def _file_name(language: WorkingLanguage | None) -> str:
    return str(language.entries[0]) if language else _PYTHON
