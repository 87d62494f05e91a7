"""Catalogues of translations: collects the texts of the sources into them, and compiles them.

The catalogue of a language is ``locale/<language>/LC_MESSAGES/django.po``. The compiled ``django.mo`` beside it, which
Django reads, is in the repository, so that an arena needs no tools to compile it. The texts in the sources are English,
which needs no catalogue. Babel does the work; it is a requirement of developers (``requirements-dev.in``).
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

_KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "ngettext_noop": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
_COMMENTS = ("Translators:",)


def languages() -> list[str]:
    """Return the codes of the languages that have a catalogue: all languages of the site except English."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path_of(language: str) -> Path:
    """Return the path of a language's catalogue, where Django looks for it: that of ``pt-br`` is in ``pt_BR``."""
    return Path(settings.LOCALE_PATHS[0]) / to_locale(language) / "LC_MESSAGES" / "django.po"


def collected() -> Catalog:
    """Return a catalogue of all texts of the sources, without translations."""
    catalogue = Catalog(project="Banzuke", charset="utf-8")
    for path in _sources():
        place = path.relative_to(settings.BASE_DIR).as_posix()
        for line, message, comments, context in _texts(path):
            catalogue.add(message, locations=[(place, line)], auto_comments=comments, context=context)
    return catalogue


def read(language: str) -> Catalog:
    """Return the catalogue of a language, or an empty one if there is none yet."""
    path = path_of(language)
    if not path.exists():
        return Catalog(
            locale=to_locale(language), project="Banzuke", header_comment="# Texts of the site.", fuzzy=False
        )
    with path.open("rb") as file:
        return read_po(file, locale=to_locale(language))


def updated(language: str) -> Catalog:
    """Return the catalogue of a language with the texts of the sources; new ones have an empty translation."""
    catalogue = read(language)
    # No fuzzy matching: Babel's guess by similarity would look like a translation.
    catalogue.update(collected(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def untranslated(catalogue: Catalog) -> list[Message]:
    """Return the texts that have no translation, or lack a plural form."""
    found = []
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and (message.fuzzy or not all(forms)):
            found.append(message)
    return found


def compiled(catalogue: Catalog) -> bytes:
    """Return the content of the compiled catalogue."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def write(catalogue: Catalog, language: str) -> None:
    """Write the catalogue of a language to its file, and the compiled one beside it."""
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        # Without line numbers, which each change of a source would shift.
        write_po(file, catalogue, width=100, include_lineno=False)
    path.with_suffix(".mo").write_bytes(compiled(catalogue))


def _sources() -> Iterator[Path]:
    """Yield the sources with texts: of the apps that lie in this repository, from the top layer down."""
    base = Path(settings.BASE_DIR)
    project, *apps = (app for app in settings.INSTALLED_APPS if (base / app).is_dir())
    for folder in (base / app for app in (project, *reversed(apps))):
        yield from sorted(path for path in folder.rglob("*.py") if "migrations" not in path.parts)
        yield from sorted((folder / "templates").rglob("*.html"))


def _texts(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    """Yield each translatable text of a source as Babel does: line, text or texts, comments, context."""
    source = path.read_text()
    if path.suffix == ".html":
        # `templatize` returns Python with one call for each text; spaces at the start of a line would mean a block.
        source = "\n".join(line.lstrip() for line in templatize(source).split("\n"))
    yield from extract("python", BytesIO(source.encode()), keywords=_KEYWORDS, comment_tags=_COMMENTS)
