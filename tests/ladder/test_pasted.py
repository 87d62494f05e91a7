"""Programs that are pasted as text into the upload form."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.test import Client

from common.errors import InputError
from core.languages import BOT_LANGUAGES, SOURCE_SUFFIXES, language_of
from ladder.files.pasted import pasted_file
from ladder.models import Bot, BotVersion
from ladder.services.examining import uploads_examine
from ladder.services.languages import languages_announce
from sandbox import languages
from tests.ladder.makers import an_upload
from wire.worker_reports import LanguagesReport, WorkingLanguage

pytestmark = pytest.mark.django_db

REPOSITORY = Path(__file__).parents[2]
PROGRAMS = sorted(path for path in REPOSITORY.glob("games/*/bots/**/[Mm]ain.*") if path.suffix in SOURCE_SUFFIXES)
UNKNOWN = "10 PRINT 'NONE'\n20 GOTO 10\n"


@pytest.fixture
def every_language() -> None:
    told = [WorkingLanguage(row.name, row.name, "1", list(row.entries), list(row.suffixes)) for row in languages.ALL]
    languages_announce(report=LanguagesReport("host", told))


def test_the_language_of_each_selftest_is_recognised() -> None:
    told = {each.name: language_of("\n".join(each.selftest.values())) for each in languages.ALL}
    assert told == {name: name for name in BOT_LANGUAGES}


def send(client: Client, **fields: object) -> str:
    answer = client.post("/upload/", {"contest": "kakomimasu", "name": "Moat", **fields})
    uploads_examine(for_seconds=10)
    return client.get(answer["Location"]).text if answer.status_code == 302 else answer.text


def bundle(version: BotVersion) -> bytes:
    with storages["artifacts"].open(version.bundle_digest) as file:
        return bytes(file.read())


@pytest.mark.usefixtures("every_language")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_the_language_of_each_bot_of_ours_is_recognised(path: Path) -> None:
    assert Path(pasted_file(program=path.read_text(), language="").name or "").suffix == path.suffix


@pytest.mark.usefixtures("every_language")
@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("package main\n\nfunc main() {}\n", "main.go"),
        ("loop do\n  line = gets\n  puts 'NONE'\nend\n", "main.rb"),
        ('#include <stdio.h>\nint main(void) { puts("NONE"); }\n', "main.c"),
        ("const lines = [];\nprint('NONE');\n", "main.js"),
        ("while True:\n    print(sys.stdin.readline())\n", "main.py"),
        ("while turns:\r\n    go()\r\n", "main.py"),
    ],
)
def test_languages_without_house_bots_are_recognised(program: str, name: str) -> None:
    assert pasted_file(program=program, language="").name == name


@pytest.mark.parametrize(
    "piece", ["\n", "\r\n", " ", "\t", " \n", "if :", "if :\n", "#\n", "from ", "import\n", "static "]
)
def test_no_text_takes_long_to_recognise(piece: str) -> None:
    program = (piece * 60_000)[:64_000] + "x"
    began = time.process_time()
    with suppress(InputError):
        pasted_file(program=program, language="")
    assert time.process_time() - began < 2, (
        "20 ms on a slow machine; half a minute where it is the square of the length"
    )


@pytest.mark.usefixtures("enqueued")
def test_the_text_becomes_the_upload(alices: Client) -> None:
    assert "Your bot is in the queue" in send(alices, program="  \r\nimport sys\r\nprint('NONE')\r\n")
    version = BotVersion.objects.get()
    assert version.upload_name == "main.py"
    assert b"  \nimport sys\nprint('NONE')\n" in bundle(version)


@pytest.mark.usefixtures("enqueued", "every_language")
def test_a_chosen_language_decides(alices: Client) -> None:
    page = send(alices, program=UNKNOWN)
    assert "We do not recognise the language" in page
    assert "20 GOTO 10" in page, "what was pasted stays in the form"
    assert not Bot.objects.exists()
    send(alices, program=UNKNOWN, language="java")
    version = BotVersion.objects.get()
    assert (version.upload_name, version.language) == ("Main.java", "java")


@pytest.mark.usefixtures("enqueued")
def test_a_language_that_the_arena_lacks_is_not_recognised(alices: Client) -> None:
    assert "We do not recognise the language" in send(alices, program="fn main() {}")


def test_neither_file_nor_program_or_both_is_a_form_error(alices: Client) -> None:
    assert "Please choose the file that holds your bot, or paste the program." in send(alices, program=" \n")
    assert "not both" in send(alices, program="print()", upload=an_upload())
    assert not Bot.objects.exists()
