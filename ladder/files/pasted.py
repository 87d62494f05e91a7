"""Turns a program that was pasted as text into a source file."""

from __future__ import annotations

import re

from django.core.files.base import ContentFile
from django.utils.translation import gettext as _

from common.errors import InputError
from jobs.selectors.languages import languages_all

LANGUAGE_PATTERNS = {
    "php": re.compile(r"^<\?php\b", re.MULTILINE),
    "kotlin": re.compile(r"\bfun[ \t]+main[ \t]*\(", re.MULTILINE),
    "rust": re.compile(r"\bfn[ \t]+main[ \t]*\(", re.MULTILINE),
    "go": re.compile(r"^package[ \t]+main\b", re.MULTILINE),
    "csharp": re.compile(r"^[ \t]*using[ \t]+System\b|\bConsole\.(Read|Write)", re.MULTILINE),
    "java": re.compile(r"\bstatic[ \t]+void[ \t]+main\b|^import[ \t]+java[.x]", re.MULTILINE),
    "cpp": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(\w+|bits/stdc\+\+\.h)>|\bstd::", re.MULTILINE),
    "c": re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE),
    "typescript": re.compile(
        r"[\w)\]?][ \t]*:[ \t]*(string|number|boolean|any|void)\b"
        r"|^[ \t]*(export[ \t]+)?(interface|enum)[ \t]",
        re.MULTILINE,
    ),
    "javascript": re.compile(
        r"\bconsole\.|(?<![.\w])readline\(\)|^[ \t]*(const|let|var)\b|\brequire\(|\bprocess\.stdin\b", re.MULTILINE
    ),
    "python": re.compile(
        r"^[ \t]*(def|while|for|if)[ \t].*:[ \t]*(#.*)?$"
        r"|^(import[ \t][\w., ]+|from[ \t][\w.]+[ \t]import\b.*)$|\bprint\(",
        re.MULTILINE,
    ),
    "ruby": re.compile(r"\b(gets|puts)\b|\$std(in|out)\b|\bSTDIN\b", re.MULTILINE),
}
"""Patterns that recognise the language of a program, by the names of languages; the first match decides.

The attack: a form full of empty lines. A pattern that matches over several lines would take time in the square of their
number, so each pattern stays within one line."""
_PYTHON = "main.py"
"""The file name for Python, which every arena takes, also before the first worker has announced its languages."""


def pasted_file(*, program: str, language: str) -> ContentFile[bytes]:
    """Return a pasted program as a file, named as builders expect the main file of its language.

    Args:
        program: the text of the program.
        language: name of its language; empty to recognise it by ``LANGUAGE_PATTERNS``.

    Raises:
        InputError: no language was chosen, and none of this arena was recognised.
    """
    text = program.replace("\r\n", "\n")  # browsers end the lines of a form by CR LF
    known = {row.name: row for row in languages_all()}
    found = (name for name, pattern in LANGUAGE_PATTERNS.items() if pattern.search(text))
    name = language or next(found, "")
    if name not in known and (name != "python" or known):
        raise InputError(_("We do not recognise the language of the pasted program. Please choose it from the list."))
    return ContentFile(text.encode(), name=str(known[name].entries[0]) if name in known else _PYTHON)
