"""The languages of the arena, as workers report them and the upload page offers them."""

from __future__ import annotations

import msgspec
import pytest
from django.core.files.base import ContentFile
from django.test import Client

from jobs.models import Worker
from jobs.selectors.languages import languages_all
from jobs.services.workers import worker_beat
from ladder.models import BotVersion
from ladder.services.builds import BUILDS
from ladder.services.languages import languages_announce
from tests.fleet.makers import make_worker
from tests.jobs.test_workers import a_beat
from tests.ladder.makers import SOURCE, make_user
from wire.worker_reports import LanguagesReport, WorkingLanguage

pytestmark = pytest.mark.django_db

PYTHON = WorkingLanguage("python", "Python 3", "3.11.2", ["main.py", "bot.py"], [".py"])
JAVA = WorkingLanguage("java", "Java", "17.0.15", ["Main.java"], [".java"])


def announced(*languages: WorkingLanguage) -> list[str]:
    languages_announce(report=LanguagesReport("host", list(languages)))
    return [str(language) for language in languages_all()]


def report_libraries(worker: str, libraries: str) -> None:
    languages_announce(report=LanguagesReport(worker, [msgspec.structs.replace(PYTHON, libraries=libraries)]))


def test_the_last_report_of_languages_counts() -> None:
    assert announced(JAVA, PYTHON) == ["Java 17.0.15", "Python 3 3.11.2"]
    assert announced(PYTHON) == ["Python 3 3.11.2"]


def test_languages_of_a_quarantined_worker_are_ignored() -> None:
    """The attack: it reports no language, or one that it does not have, and uploads are refused or fail."""
    announced(PYTHON)
    make_worker("play@evil", state=Worker.State.QUARANTINED)
    languages_announce(report=LanguagesReport("play@evil", [JAVA]))
    assert {language.name for language in languages_all()} == {"python"}


def test_a_language_that_only_a_gone_worker_had_is_removed() -> None:
    make_worker("play@gone", languages=["java"], state=Worker.State.GONE)
    announced(JAVA, PYTHON)
    assert announced(PYTHON) == ["Python 3 3.11.2"]


def test_a_beat_older_than_the_report_of_languages_undoes_nothing() -> None:
    worker_beat(beat=a_beat(worker="play@one", languages=[]))
    languages_announce(report=LanguagesReport("play@one", [JAVA, PYTHON]))
    worker_beat(beat=a_beat(worker="play@one", languages=[]))
    languages_announce(report=LanguagesReport("play@two", [PYTHON]))
    assert {language.name for language in languages_all()} == {"java", "python"}


def test_the_upload_page_shows_languages_and_versions(client: Client) -> None:
    client.force_login(make_user())
    assert "No worker has told yet" in client.get("/upload/").content.decode()
    announced(JAVA, PYTHON)
    page = client.get("/upload/").content.decode()
    assert "Java 17.0.15" in page
    assert "Main.java" in page
    assert '<option value="java">' in page


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
def test_only_libraries_that_a_worker_has_are_shown(client: Client, language: str) -> None:
    client.force_login(make_user())
    client.cookies["django_language"] = language
    for libraries in ("numpy 1.24.2", ""):
        announced(msgspec.structs.replace(PYTHON, libraries=libraries))
        for url in ("/upload/", "/games/kakomimasu/guide/"):
            text = client.get(url).content.decode()
            assert ("numpy" in text) == bool(libraries), url
            assert libraries in text
            assert "Ruby" not in text


@pytest.mark.parametrize(
    ("one", "other", "promised"),
    [
        ("numpy 1.24.2", "numpy 1.24.2", "numpy 1.24.2"),
        ("numpy 1.24.2", "numpy 2.2.4", "numpy"),
        ("numpy 1.24.2", "", ""),
        ("numpy 1.24.2, scipy 1.10.1", "pandas 1.5.3, scipy 1.10.1", "scipy 1.10.1"),
    ],
)
def test_only_libraries_that_all_workers_have_are_shown(one: str, other: str, promised: str) -> None:
    """A match goes to any worker: a bot that may use numpy must not meet a worker without it."""
    workers = {"play@one": one, "play@other": other}
    for name in workers:
        make_worker(name, languages=["python"])
    for name in ("play@one", "play@other", "play@one"):
        report_libraries(name, workers[name])
    assert [language.libraries for language in languages_all()] == [promised]


def test_workers_that_do_not_play_or_lack_the_language_remove_no_library() -> None:
    for name, state in (("play@gone", Worker.State.GONE), ("play@java", Worker.State.ACTIVE)):
        make_worker(name, state=state)
    report_libraries("play@gone", "")
    languages_announce(report=LanguagesReport("play@java", [JAVA]))
    report_libraries("play@one", "numpy 1.24.2")
    assert {language.name: language.libraries for language in languages_all()} == {"java": "", "python": "numpy 1.24.2"}


def test_libraries_without_spaces_between_them_fit_into_their_column() -> None:
    report_libraries("play@one", ",".join(str(number) for number in range(10, 43)))
    assert len(languages_all()[0].libraries) == 100


@pytest.mark.parametrize(("chosen", "asked"), [("", None), ("java", "java")])
def test_a_chosen_language_reaches_the_builder(client: Client, chosen: str, asked: str | None) -> None:
    announced(JAVA, PYTHON)
    client.force_login(make_user())
    fields = {
        "contest": "kakomimasu",
        "name": "Moat",
        "language": chosen,
        "upload": ContentFile(SOURCE, name="main.py"),
    }
    assert client.post("/upload/", fields).status_code == 302
    version = BotVersion.objects.get()
    assert BUILDS.messages([version])[version.pk].language == asked


def test_an_unknown_language_cannot_be_chosen(client: Client) -> None:
    announced(PYTHON)
    client.force_login(make_user())
    fields = {
        "contest": "kakomimasu",
        "name": "Moat",
        "language": "java",
        "upload": ContentFile(SOURCE, name="main.py"),
    }
    assert client.post("/upload/", fields).status_code == 422
