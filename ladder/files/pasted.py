"""Programs that are pasted as text: what single source file each becomes."""

from __future__ import annotations

import re

from django.core.files.base import ContentFile
from django.utils.translation import gettext as _

from ladder.errors import InputError
from ladder.models import WorkingLanguage
from ladder.selectors.languages import languages_all

SIGNS = {
    "rust": r"\bfn\s+main\s*\(",
    "go": r"^package\s+main\b",
    "java": r"\bstatic\s+void\s+main\b|^import\s+java[.x]",
    "cpp": r"^\s*#\s*include\s*<(\w+|bits/stdc\+\+\.h)>|\bstd::",
    "c": r"^\s*#\s*include\b",
    "javascript": r"\bconsole\.|(?<![.\w])readline\(\)|^\s*(const|let|var)\b|\brequire\(|\bprocess\.stdin\b",
    "python": r"^\s*(def|while|for|if)\s.*:\s*(#.*)?$|^(import\s[\w., ]+|from\s[\w.]+\simport\b.*)$|\bprint\(",
    "ruby": r"\b(gets|puts)\b|\$std(in|out)\b|\bSTDIN\b",
}
"""By the names of languages, what stands in their programs alone; the first that is found decides."""
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
    known = {row.name: row for row in languages_all()}
    name = language or next((name for name, signs in SIGNS.items() if re.search(signs, program, re.MULTILINE)), "")
    if name not in known and (name != "python" or known):
        raise InputError(_("We do not recognise the language of the pasted program. Please choose it from the list."))
    text = program.replace("\r\n", "\n")  # as browsers send the lines of a form
    return ContentFile(text.encode(), name=_file_name(known.get(name)))


def _file_name(language: WorkingLanguage | None) -> str:
    return str(language.entries[0]) if language else _PYTHON
