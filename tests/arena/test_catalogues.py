"""The catalogues are complete, compiled, and have the placeholders and tags of their sources."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from babel.messages.catalog import Catalog, Message
from django.utils.translation import ngettext, override
from pytest_django.fixtures import Settings

from arena import catalogues

LANGUAGES = ("ja", "ru")
TO_DO = """
What to do: run `make catalogues`, fill in what is empty in locale/*/LC_MESSAGES/django.po, run it once more and commit
these files. Who does not speak a language asks in the pull request; docs/contributors/changes.md tells more."""
_PLACES = re.compile(r"%\(\w+\)(?:\.\d)?[sdf]|\{\w+\}|%%")
_TAGS = re.compile(r"</?\w+[^>]*>|`[^`]*`")
SAME = {"API", "Elo", "OK", "%(number)s MiB", "%(number)s ms"}
"""Texts that may be the same in other languages."""

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return catalogues.collected()


def keys(catalogue: Catalog) -> set[tuple[str | None, str]]:
    """The texts of a catalogue, each with its context; the singular of those with plural forms."""
    return {(message.context, forms(message.id)[0]) for message in catalogue if message.id}


def forms(text: str | list[str] | tuple[str, ...]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def test_there_is_a_catalogue_for_every_language_of_the_site() -> None:
    assert tuple(catalogues.languages()) == LANGUAGES


@pytest.mark.parametrize(("language", "folder"), [("ja", "ja"), ("pt-br", "pt_BR"), ("zh-hans", "zh_Hans")])
def test_a_new_language_begins_with_an_empty_catalogue_where_django_looks_for_it(
    tmp_path: Path, settings: Settings, language: str, folder: str
) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    catalogues.write(catalogues.updated(language), language)
    assert (tmp_path / folder / "LC_MESSAGES" / "django.mo").is_file()
    assert len(catalogues.untranslated(catalogues.read(language))) > 500


def test_texts_of_all_kinds_of_sources_are_collected(sources: Catalog) -> None:
    found = {name for message in sources for name, _ in message.locations}
    for name in (
        "ladder/models/bots.py",
        "arena/templates/base.html",
        "matches/templates/matches/_table.html",
        "matches/viewer.py",
    ):
        assert name in found
    assert sources.get("Games", context="played") is not None
    assert sources.get("Done for %(count)d row.") is not None
    assert not any(name.startswith("ladder/migrations") for name in found)


def test_a_new_app_of_the_repository_is_found_and_libraries_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("site/base.py", "Of the site"), ("old/a.py", "Shared"), ("fresh/b.py", "Of the new app")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(f'_("{text}")\n_("Shared")\n')
    (tmp_path / "fresh" / "templates").mkdir()
    (tmp_path / "fresh" / "templates" / "page.html").write_text('{% load i18n %}{% translate "On the page" %}')
    (tmp_path / "unused").mkdir()
    (tmp_path / "unused" / "c.py").write_text('_("Of no app")')
    apps = ["django.contrib.auth", "site", "old", "fresh", "allauth"]
    monkeypatch.setattr(catalogues, "settings", SimpleNamespace(BASE_DIR=tmp_path, INSTALLED_APPS=apps))
    found = [message.id for message in catalogues.collected() if message.id]
    assert found == ["Of the site", "Shared", "Of the new app", "On the page"], "from the top layer down"


@every_language
def test_everything_is_translated(sources: Catalog, language: str) -> None:
    catalogue = catalogues.read(language)
    assert keys(catalogue) == keys(sources), f"The catalogue of {language} is not that of the sources.{TO_DO}"
    empty = [forms(message.id)[0] for message in catalogues.untranslated(catalogue)]
    assert not empty, f"Not translated into {language}, or fuzzy: {empty}.{TO_DO}"


@every_language
def test_the_compiled_catalogue_is_up_to_date(language: str) -> None:
    path = catalogues.path_of(language)
    compiled = catalogues.compiled(catalogues.read(language))
    assert path.with_suffix(".mo").read_bytes() == compiled, f"{path} has changed since it was compiled.{TO_DO}"


def wrong(message: Message) -> bool:
    """Whether a translation has other placeholders or tags than its source; plurals are compared with the plural."""
    source = forms(message.id)[-1]
    return any(
        Counter(pattern.findall(source)) != Counter(pattern.findall(form))
        for pattern in (_PLACES, _TAGS)
        for form in forms(message.string)
    )


@every_language
def test_placeholders_and_tags_are_those_of_the_source(language: str) -> None:
    catalogue = catalogues.read(language)
    empty = catalogues.untranslated(catalogue)  # reported by another test
    found = [message.string for message in catalogue if message.id and message not in empty and wrong(message)]
    assert not found, "These would show a hole, or markup that is not the page's."


@every_language
def test_nothing_is_left_in_english(language: str) -> None:
    catalogue = catalogues.read(language)
    same = {text for message in catalogue if (text := forms(message.id)[0]) and text in forms(message.string)}
    assert same <= SAME, "Translate it, or add it to SAME if that language has the same word."


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("ru", 1, "Сделано для 1 строки."),
        ("ru", 11, "Сделано для 11 строк."),
        ("ru", 21, "Сделано для 21 строки."),
        ("ja", 1, "1 件を処理しました。"),
        ("en", 1, "Done for 1 row."),
        ("en", 2, "Done for 2 rows."),
    ],
)
def test_plurals(language: str, count: int, text: str) -> None:
    with override(language):
        assert ngettext("Done for %(count)d row.", "Done for %(count)d rows.", count) % {"count": count} == text
