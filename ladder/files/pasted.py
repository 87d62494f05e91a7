"""Turns a program that was pasted as text into a source file."""

from __future__ import annotations

from django.core.files.base import ContentFile
from django.utils.translation import gettext as _

from common.errors import InputError
from core.languages import language_of
from jobs.selectors.languages import languages_all

_PYTHON = "main.py"
"""The file name for Python, which every arena takes, also before the first worker has announced its languages."""


def pasted_file(*, program: str, language: str) -> ContentFile[bytes]:
    """Return a pasted program as a file, named as builders expect the main file of its language.

    If ``language``, a language's name, is empty, ``core.languages`` recognises it.

    Raises:
        InputError: no language was chosen, and none of this arena was recognised.
    """
    text = program.replace("\r\n", "\n")  # browsers end the lines of a form by CR LF
    known = {row.name: row for row in languages_all()}
    name = language or language_of(text)
    if name not in known and (name != "python" or known):
        raise InputError(_("We do not recognise the language of the pasted program. Please choose it from the list."))
    return ContentFile(text.encode(), name=str(known[name].entries[0]) if name in known else _PYTHON)
