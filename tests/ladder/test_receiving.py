"""Uploads are stored before they are examined: in time by their arrival, with a receipt, and refused afterwards."""

from __future__ import annotations

import hashlib
import zipfile
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone

from accounts.models import Notification, User
from common.errors import InputError, StoreAway
from common.queries.sql import database_now
from contests.models import Contest, Member
from contests.services.contests import contest_deadline_set, contest_transition
from ladder.models import BotVersion, SentFile
from ladder.news import REJECTED
from ladder.selectors.quotas import quota_of
from ladder.selectors.uploads import upload_zip
from ladder.services import examining
from ladder.services.bots import bot_delete
from ladder.services.examining import upload_examine, uploads_examine
from ladder.services.uploads import upload_receive
from ladder.services.versions import version_retire
from ladder.tasks import EXAMINE_SECONDS
from tests.contests.playing import make_contest
from tests.ladder.makers import SOURCE, an_upload, make_user, zip_of

pytestmark = pytest.mark.django_db

State = BotVersion.State
GAME = "kakomimasu"


@pytest.fixture
def alice() -> User:
    return make_user("alice")


def receive(owner: User, data: bytes = SOURCE, file: str = "main.py", name: str = "Moat") -> BotVersion:
    upload = an_upload(data, file)
    return upload_receive(owner=owner, contest=GAME, name=name, upload=upload, received_at=database_now())


def examined(version: BotVersion) -> BotVersion:
    upload_examine(version_id=version.pk)
    return BotVersion.objects.get(pk=version.pk)


def test_an_upload_is_stored_as_sent_and_then_examined(alice: User, enqueued: list[int]) -> None:
    data = zip_of({"bot/main.py": SOURCE})
    version = receive(alice, data, "bot.zip")
    assert (version.state, version.bundle_digest, enqueued) == (State.RECEIVED, "", [])
    assert version.sent_digest == hashlib.sha256(data).hexdigest()
    assert bytes(version.sent_file.data) == data
    received = upload_zip(version=version)
    uploads_examine(for_seconds=EXAMINE_SECONDS)
    version.refresh_from_db()
    assert (version.state, enqueued) == (State.UPLOADED, [version.pk])
    assert storages["artifacts"].exists(version.bundle_digest)
    assert not SentFile.objects.exists(), "what was sent is not stored twice"
    assert upload_zip(version=version) == received, "its owner can download it before and after"


def test_an_upload_counts_from_its_arrival(alice: User) -> None:
    """Not from the moment when a busy site has come to it."""
    until = timezone.now() - timedelta(minutes=5)
    contest_deadline_set(contest=GAME, until=until, actor=None)

    def sent(seconds: float) -> BotVersion:
        return upload_receive(
            owner=alice,
            contest=GAME,
            name=f"Moat {abs(seconds)}",
            upload=an_upload(f"print({seconds})\n".encode()),
            received_at=until + timedelta(seconds=seconds),
        )

    assert sent(-0.001).received_at == until - timedelta(milliseconds=1)
    late = until.strftime("%Y-%m-%d %H:%M:%S")
    with pytest.raises(InputError, match=f"they were until .* Your upload reached us at {late}"):
        sent(0.0)


def test_a_newcomer_whose_upload_came_before_the_freeze_takes_part(alice: User) -> None:
    """It was his first one: he becomes a participant of a contest that is over by now."""
    make_contest()
    before = database_now()
    contest_transition(contest="spring", to=Contest.State.FROZEN, actor=None)

    def sent(owner: User, at: datetime) -> BotVersion:
        return upload_receive(owner=owner, contest="spring", name="Moat", upload=an_upload(), received_at=at)

    assert sent(alice, before).state == State.RECEIVED
    assert Member.objects.filter(contest="spring", user=alice).exists()
    with pytest.raises(InputError, match="over"):
        sent(make_user("bob"), database_now())


def test_the_arrival_is_told_by_page_and_api(alice: User, client: Client) -> None:
    client.force_login(alice)
    answer = client.post("/api/v1/versions/", {"contest": GAME, "name": "Moat", "upload": an_upload()})
    assert answer.status_code == 201
    told = answer.json()
    assert told["sent_digest"] == hashlib.sha256(SOURCE).hexdigest()
    assert told["state"] == "received"
    version = BotVersion.objects.get(pk=told["id"])
    assert abs(version.received_at - version.created_at) < timedelta(seconds=20)
    assert client.get(f"/api/v1/versions/{version.pk}/").json()["received_at"] == told["received_at"], "found again"
    page = client.get(f"/versions/{version.pk}/").text
    assert told["sent_digest"] in page
    assert f"{version.received_at:%Y-%m-%d %H:%M:%S}." in page
    assert "Your upload is stored." in page


def test_forms_and_the_workshop_take_uploads_in_the_same_way(alice: User, client: Client) -> None:
    client.force_login(alice)
    page = client.post("/upload/", {"contest": GAME, "name": "Form", "upload": an_upload()})
    assert page.status_code == 302
    body = {"name": "Shop", "language": "python", "files": {"main.py": "print(2)\n"}}
    made = client.post(f"/workshop/games/{GAME}/submit/", body, content_type="application/json")
    assert made.status_code == 201
    assert set(BotVersion.objects.values_list("bot__name", "state")) == {("Form", "received"), ("Shop", "received")}


REFUSED = {
    "a broken zip": (b"PK\x03\x04 no zip", "bot.zip"),
    "a way out": (zip_of({"../main.py": SOURCE}), "bot.zip"),
    "no file": (zip_of({"folder/": b""}), "bot.zip"),
}


@pytest.mark.parametrize(("data", "file"), REFUSED.values(), ids=REFUSED)
def test_what_the_examination_refuses_is_told_its_author(
    alice: User, client: Client, enqueued: list[int], data: bytes, file: str
) -> None:
    version = examined(receive(alice, data, file))
    assert (version.state, version.bundle_digest, enqueued) == (State.REJECTED, "", [])
    client.force_login(alice)
    told = client.get(f"/api/v1/versions/{version.pk}/").json()
    assert told["sentence"].endswith(".")
    assert [step["state"] for step in told["steps"]] == ["bad", "waiting", "waiting", "waiting"]
    page = client.get(f"/versions/{version.pk}/").text
    assert "Rejected." in page
    assert version.sent_digest in page, "the receipt stays"
    assert "upload.zip" not in page, "nothing is stored that could be downloaded"
    assert client.get(f"/api/v1/versions/{version.pk}/upload/").status_code == 422
    assert Notification.objects.get(reader=alice).kind == REJECTED.name
    assert quota_of(owner=alice).bytes == 0
    assert quota_of(owner=alice).versions_hour == 1


@pytest.mark.database
def test_a_refusal_that_names_control_characters_is_stored(alice: User) -> None:
    """The attack: the examination of such an upload fails in PostgreSQL each time, and holds up all others."""
    data = zip_of({"ab.py": SOURCE}).replace(b"ab.py", b"\0\xff.py")
    told = examined(receive(alice, data, "bot.zip")).reason["args"]["text"]
    assert "\0" not in told
    assert r"\x00" in told


def test_an_upload_that_cannot_even_be_rejected_does_not_hold_up_others(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(version: BotVersion, _sentence: str) -> None:
        raise ValueError(version)

    monkeypatch.setattr(examining, "_reject", fails)
    bad = receive(alice, b"PK\x03\x04 no zip", "bot.zip", name="Bad")
    good = receive(alice, name="Good")
    assert uploads_examine(for_seconds=10) == 1
    bad.refresh_from_db()
    assert (bad.state, enqueued) == (State.RECEIVED, [good.pk])


def test_a_refusal_is_written_in_the_language_of_its_sender(alice: User, client: Client) -> None:
    client.force_login(alice)
    data = {"contest": GAME, "name": "Moat", "upload": an_upload(zip_of({"../main.py": SOURCE}), "bot.zip")}
    client.post("/upload/", data, headers={"accept-language": "ru"})
    assert SentFile.objects.get().language_code == "ru"
    uploads_examine(for_seconds=EXAMINE_SECONDS)
    assert "архив" in BotVersion.objects.get().reason["args"]["text"]


@pytest.mark.parametrize("file", ["bot.rar", "notes.txt", "bot.zip", "MAIN.PY"])
def test_what_is_certain_is_refused_at_once(alice: User, file: str) -> None:
    with pytest.raises(InputError):
        receive(alice, b"nothing", file)
    with pytest.raises(InputError, match="empty"):
        receive(alice, b"\n", "main.py")
    assert not BotVersion.objects.exists()


def test_a_double_click_is_refused_at_once(alice: User) -> None:
    receive(alice)
    with pytest.raises(InputError, match="arrived as version 1"):
        receive(alice)


def test_a_program_that_plays_already_is_refused_by_the_examination(alice: User, enqueued: list[int]) -> None:
    """Packed in another way, it is another file, but the same program."""
    first = examined(receive(alice, zip_of({"main.py": SOURCE}), "bot.zip"))
    again = examined(receive(alice, zip_of({"bot/main.py": SOURCE}), "bot.zip"))
    other = examined(receive(alice, SOURCE, name="Ditch"))
    assert [version.state for version in (first, again, other)] == [State.UPLOADED, State.REJECTED, State.REJECTED]
    assert "arrived as version 1" in again.reason["args"]["text"]
    assert "Moat plays in this contest with the same program" in other.reason["args"]["text"]
    assert enqueued == [first.pk]


def test_an_upload_that_unpacks_to_more_than_the_quota_is_refused(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "USER_BYTES_MAX", 1024**2)
    book = b"".join(hashlib.sha256(b"%d" % line).digest() for line in range(2_000)) + b"0" * 1024**2
    large = zip_of({"main.py": SOURCE, "book.txt": book}, zipfile.ZIP_DEFLATED)
    version = examined(receive(alice, large, "bot.zip"))
    assert version.state == State.REJECTED
    assert "Your uploads fill" in version.reason["args"]["text"]


def test_uploads_wait_while_the_store_is_away(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: object) -> None:
        raise StoreAway("It does not answer.")

    version = receive(alice)
    with monkeypatch.context() as patched:
        patched.setattr(examining, "bundle_store", away)
        assert uploads_examine(for_seconds=10) == 0
    version.refresh_from_db()
    assert (version.state, enqueued) == (State.RECEIVED, [])
    assert uploads_examine(for_seconds=10) == 1
    assert enqueued == [version.pk]


def test_an_upload_that_breaks_the_examination_does_not_hold_up_others(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = examining.bundle_check

    def broken(*, name: str, data: bytes) -> object:
        if data == b"print(1)\n":
            raise IndexError
        return whole(name=name, data=data)

    monkeypatch.setattr(examining, "bundle_check", broken)
    bad, good = receive(alice, b"print(1)\n", name="Bad"), receive(alice, b"print(2)\n", name="Good")
    assert uploads_examine(for_seconds=10) == 2
    bad.refresh_from_db()
    assert (bad.state, enqueued) == (State.REJECTED, [good.pk])


def test_the_first_to_arrive_is_examined_first_and_the_rest_later(alice: User, enqueued: list[int]) -> None:
    second, first = receive(alice, b"print(2)\n", name="Two"), receive(alice, b"print(1)\n", name="One")
    BotVersion.objects.filter(pk=first.pk).update(received_at=database_now() - timedelta(minutes=1))
    assert uploads_examine(for_seconds=0) == 1
    assert enqueued == [first.pk]
    assert uploads_examine(for_seconds=0) == 1
    assert enqueued == [first.pk, second.pk]
    assert uploads_examine(for_seconds=0) == 0


def test_a_withdrawn_upload_is_not_examined(alice: User, enqueued: list[int]) -> None:
    version = receive(alice)
    version_retire(version=version)
    assert not SentFile.objects.exists()
    assert examined(version).state == State.RETIRED
    assert enqueued == []


def test_the_hash_of_a_rejected_upload_goes_with_its_bot(alice: User) -> None:
    version = examined(receive(alice, b"PK\x03\x04 no zip", "bot.zip"))
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=2))
    bot_delete(bot=version.bot)
    assert not BotVersion.objects.exists()
