"""Files of the workshop: how many, how large, what they hold, and as which upload they are submitted."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from common.errors import InputError
from common.queries.cached import cached_clear
from contests.models import Contest, Member
from jobs.models import WorkingLanguage
from ladder.files.bundles import bundle_check
from ladder.models import BotVersion, SentFile
from ladder.services.examining import upload_examine
from tests.contests.makers import make_contest
from workshop.models import Draft
from workshop.services.drafts import (
    FILES_MAX,
    PATH_CHARS_MAX,
    TEXT_BYTES_MAX,
    draft_save,
    files_bundle,
    files_check,
    files_packed,
    files_submit,
    language_check,
)

MANY = {f"{number}.py": "" for number in range(FILES_MAX)}
LONG = "a" * PATH_CHARS_MAX
FULL = {"main.py": "x" * (TEXT_BYTES_MAX - 6), "b.py": "é" * 3}


@pytest.mark.parametrize("files", [{"main.py": ""}, MANY, {LONG: "text"}, FULL], ids=["one", "many", "long", "full"])
def test_what_an_editor_can_hold_is_taken(files: dict[str, str]) -> None:
    files_check(files=files)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "There is no file. Please add one"),
        (MANY | {"one more.py": ""}, "at most 30 files here, or upload an archive"),
        ({LONG + "b": ""}, "a name that is too long, or holds a NUL character"),
        ({"a\0.py": ""}, "holds a NUL character"),
        ({"main.py": "one\0two"}, "holds a NUL character"),
        ({"main.py": "\udc80"}, "A file holds half of a character"),
        (FULL | {"c.py": "x"}, "larger than 512 KiB together. Please upload an archive"),
        ({"main.py": "日" * (TEXT_BYTES_MAX // 3 + 1)}, "larger than 512 KiB"),
    ],
    ids=["none", "31", "a long path", "NUL in a path", "NUL in a text", "half", "one byte more", "bytes, not letters"],
)
def test_what_it_cannot_hold_is_refused(files: dict[str, str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        files_check(files=files)
    with pytest.raises(InputError, match=why):
        files_packed(files=files)


def test_packed_files_are_an_upload_that_holds_them() -> None:
    files = {"main.py": "print('日本')\n", "lib/a.py": "", "notes": "\ttab\r\n"}
    name, data = files_packed(files=files)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {path: archive.read(path).decode() for path in archive.namelist()} == files
    assert files_packed(files=files) == (name, data), "the same files make the same upload"
    bundle = files_bundle(files=files)
    assert bundle == bundle_check(name=name, data=data)
    assert bundle.files == ("lib/a.py", "main.py", "notes")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"../main.py": ""}, "leads out of the archive"),
        ({"/main.py": ""}, "leads out of the archive"),
        ({"a//b.py": ""}, "leads out of the archive"),
        ({"a\\b.py": ""}, "a backslash or a colon"),
        ({"main.py": "", "MAIN.py": ""}, "twice, perhaps with other capitals"),
        ({"main": "", "main/a.py": ""}, "both a file and a folder"),
        ({"ma\nin.py": ""}, "control characters"),
    ],
)
def test_a_bundle_is_refused_as_the_upload_would_be(files: dict[str, str], why: str) -> None:
    files_check(files=files)
    with pytest.raises(InputError, match=why):
        files_bundle(files=files)


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "is_taken"), [("", True), ("python", True), ("go", False), ("x" * 9_999, False)])
def test_a_language_is_one_that_the_contest_takes(language: str, is_taken: bool) -> None:
    for position, name in enumerate(("python", "cpp", "go")):
        row = {"title": name.title(), "version": "1", "entries": [f"main.{name}"], "suffixes": []}
        WorkingLanguage.objects.create(name=name, position=position, **row)
    cached_clear()
    contest = make_contest(languages=["cpp", "python"])
    if is_taken:
        language_check(contest=contest, language=language)
        return
    with pytest.raises(InputError) as error:
        language_check(contest=contest, language=language)
    assert str(error.value) == "This contest takes bots in: Python, Cpp."


@pytest.mark.django_db
def test_a_draft_needs_a_language_and_a_contest_that_its_owner_sees(alice: User) -> None:
    spring = make_contest()
    files = {"main.py": "pass"}
    with pytest.raises(InputError, match="There is no such contest here"):
        draft_save(owner=alice, contest=spring, language="python", files=files)
    Member.objects.create(contest=spring, user=alice)
    with pytest.raises(InputError, match="Please choose a language"):
        draft_save(owner=alice, contest=spring, language="", files=files)
    assert draft_save(owner=alice, contest=spring, language="python", files=files) == 1
    assert not Draft.objects.exclude(contest=spring).exists()


@pytest.mark.django_db
def test_equal_files_are_saved_once(alice: User) -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    first = draft_save(owner=alice, contest=contest, language="python", files={"main.py": "one"})
    changed_at = Draft.objects.get().changed_at
    again = draft_save(owner=alice, contest=contest, language="python", files={"main.py": "one"}, revision=first)
    assert (again, Draft.objects.get().changed_at) == (first, changed_at)


@pytest.mark.django_db
def test_files_are_submitted_as_an_upload_is(alice: User, enqueued: list[int]) -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    files = {"main.py": "print(1)\n", "a/b.txt": "b"}
    at = timezone.now() - timedelta(seconds=3)
    row = {"owner": alice, "contest": contest, "language": "python", "name": "Hana"}
    version = files_submit(files=files, received_at=at, **row)
    assert (version.state, version.language, version.received_at) == (BotVersion.State.RECEIVED, "python", at)
    assert bytes(SentFile.objects.get().data) == files_packed(files=files)[1]
    assert upload_examine(version_id=version.pk)
    version.refresh_from_db()
    assert (version.state, version.bundle_digest) == (BotVersion.State.UPLOADED, files_bundle(files=files).digest)
    assert enqueued == [version.pk]
    second = files_submit(files=files | {"main.py": "print(2)\n"}, received_at=at, **row)
    assert (second.bot, second.number) == (version.bot, 2)
    for wrong, why in (({"language": "klingon"}, "takes bots in"), ({"name": " "}, "name"), ({"files": {}}, "no file")):
        with pytest.raises(InputError, match=why):
            files_submit(**{"files": files, "received_at": at, **row, **wrong})
    assert BotVersion.objects.count() == 2


@pytest.mark.django_db
def test_what_comes_after_the_deadline_is_refused_with_the_time_at_which_it_came(alice: User) -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    contest.entries_until = timezone.now() - timedelta(hours=1)
    contest.save()
    row = {"owner": alice, "contest": contest, "language": "python", "name": "Hana", "files": {"main.py": "pass"}}
    with pytest.raises(InputError, match=r"No bots are taken for this contest any more.*Your upload reached us at"):
        files_submit(received_at=timezone.now(), **row)
    assert files_submit(received_at=timezone.now() - timedelta(hours=2), **row).number == 1
