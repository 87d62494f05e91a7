"""Playing an older version again, and downloads of own uploads."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.storage import FileSystemStorage, storages
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import User
from common.errors import InputError, StoreAway
from common.queries.sql import database_now
from contests.models import Contest
from contests.services.contests import contest_deadline_set
from ladder.models import Bot, BotVersion
from ladder.selectors.quotas import quota_of
from ladder.services.uploads import version_create, version_play_again
from ladder.services.versions import version_disqualify, version_retire, version_transition
from tests.ladder.makers import SOURCE, an_upload, make_rating, make_user, make_version
from tests.visitors import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("enqueued")]

State = BotVersion.State
OTHER = b"print('other')\n"


@pytest.fixture
def owner() -> User:
    return make_user()


def uploaded(owner: User, content: bytes, name: str = "Moat") -> BotVersion:
    """Return an uploaded version that is active."""
    version = version_create(owner=owner, contest="kakomimasu", name=name, upload=an_upload(content))
    return version_transition(version=version, to=State.ACTIVE, artifact_digest=version.bundle_digest)


@pytest.fixture
def older(owner: User) -> BotVersion:
    """A version that a newer one has replaced."""
    first = uploaded(owner, SOURCE)
    uploaded(owner, OTHER)
    first.refresh_from_db()
    assert first.state == State.RETIRED
    return first


def test_playing_again_creates_the_next_version_from_the_same_upload(older: BotVersion, enqueued: list[int]) -> None:
    again = version_play_again(version=older)
    assert (again.bot, again.number, again.state) == (older.bot, 3, State.UPLOADED)
    assert (again.bundle_digest, again.upload_name) == (older.bundle_digest, older.upload_name)
    assert enqueued[-1] == again.pk
    older.refresh_from_db()
    assert older.state == State.RETIRED


def test_a_version_that_plays_again_inherits_its_own_earlier_rating(older: BotVersion) -> None:
    make_rating(older)
    again = version_play_again(version=older)
    active = version_transition(version=again, to=State.ACTIVE, artifact_digest=older.bundle_digest)
    assert active.parent == older
    newest = uploaded(older.bot.owner, b"print('third')\n")
    assert newest.parent == active


def test_a_request_that_came_before_the_deadline_is_in_time(older: BotVersion) -> None:
    """The site has come to it only after the deadline."""
    before = database_now()
    contest_deadline_set(contest="kakomimasu", until=before + timedelta(microseconds=1), actor=None)
    with pytest.raises(InputError, match="No bots are taken"):
        version_play_again(version=older)
    assert version_play_again(version=older, received_at=before).received_at == before


@pytest.mark.parametrize("state", [State.ACTIVE, State.REJECTED, State.UPLOADED])
def test_only_a_version_that_does_not_play_can_play_again(older: BotVersion, state: State) -> None:
    BotVersion.objects.filter(bot=older.bot).update(state=State.RETIRED)
    older.state = state
    with pytest.raises(InputError, match=r"^Only a version that played"):
        version_play_again(version=older)


def test_a_version_withdrawn_before_its_build_cannot_play_again(owner: User) -> None:
    version = version_create(owner=owner, contest="kakomimasu", name="Moat", upload=an_upload(SOURCE))
    retired = version_retire(version=version)
    with pytest.raises(InputError, match=r"^Only a version that played"):
        version_play_again(version=retired)
    page = signed_in(owner).get(reverse("ladder:version", args=[version.pk])).content.decode()
    assert "Let it play again" not in page


@pytest.mark.parametrize("reason", ["", "It cheats."])
def test_a_version_withdrawn_by_an_administrator_cannot_play_again(owner: User, older: BotVersion, reason: str) -> None:
    again = version_play_again(version=older)
    active = version_transition(version=again, to=State.ACTIVE, artifact_digest=older.bundle_digest)
    gone = version_disqualify(version=active, reason=reason)
    for version in (gone, older):  # both have the same program
        with pytest.raises(InputError, match=r"^An administrator has withdrawn this program"):
            version_play_again(version=version)
        page = signed_in(owner).get(reverse("ladder:version", args=[version.pk])).content.decode()
        assert "Let it play again" not in page


def test_playing_again_counts_as_an_upload(owner: User, older: BotVersion) -> None:
    """The attack: somebody keeps all builders busy by withdrawing a version and playing it again in turns."""
    before = quota_of(owner=owner)
    version_play_again(version=older)
    after = quota_of(owner=owner)
    assert (after.versions_hour, after.bytes) == (before.versions_hour + 1, before.bytes + older.bundle_bytes)


def test_playing_a_rebuilt_version_again_counts_as_an_upload(older: BotVersion) -> None:
    fields = {"bundle_digest": older.bundle_digest, "bundle_bytes": 0, "activated_at": older.activated_at}
    rebuilt = make_version(older.bot, state=State.RETIRED, **fields)
    assert version_play_again(version=rebuilt).bundle_bytes == older.bundle_bytes > 0


def test_checks_of_uploads_also_refuse_playing_again(older: BotVersion, settings: Settings) -> None:
    settings.USER_VERSIONS_PER_HOUR = 2
    with pytest.raises(InputError, match="You have uploaded 2 versions within an hour"):
        version_play_again(version=older)
    User.objects.update(uploads_stopped="You flood us.")
    with pytest.raises(InputError, match="You flood us"):
        version_play_again(version=older)
    User.objects.update(uploads_stopped="")
    Contest.objects.update_or_create(
        slug="kakomimasu", defaults={"state": Contest.State.FROZEN, "frozen_at": timezone.now()}
    )
    with pytest.raises(InputError, match="is over"):
        version_play_again(version=older)
    page = signed_in(older.bot.owner).get(reverse("ladder:version", args=[older.pk])).text
    assert "Let it play again" not in page


def test_one_program_plays_as_one_bot(owner: User, older: BotVersion) -> None:
    uploaded(owner, SOURCE, name="Other")
    with pytest.raises(InputError, match=r"^Your bot Other plays in this contest with the same program"):
        version_play_again(version=older)


def test_an_upload_that_is_gone_is_asked_for(older: BotVersion) -> None:
    storages["artifacts"].delete(older.bundle_digest)
    with pytest.raises(InputError, match="upload your own copy"):
        version_play_again(version=older)


def test_a_store_that_does_not_answer_creates_no_version(older: BotVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> bool:
        raise ConnectionError

    monkeypatch.setattr(FileSystemStorage, "exists", away)
    with pytest.raises(StoreAway):
        version_play_again(version=older)
    assert Bot.objects.get().versions.count() == 2


# --- The pages ------------------------------------------------------------------------------------------------------


def test_owners_play_a_version_again_from_its_page(owner: User, older: BotVersion) -> None:
    client = signed_in(owner)
    url = reverse("ladder:version", args=[older.pk])
    assert "Let it play again" in client.get(url).content.decode()
    answer = client.post(f"{url}again/", follow=True)
    newest = older.bot.versions.latest("number")
    assert (newest.number, answer.redirect_chain[-1][0]) == (3, reverse("ladder:version", args=[newest.pk]))
    answer = client.post(f"{url}again/", follow=True)
    assert "Version 3 is the same program already." in answer.content.decode()
    assert "Let it play again" not in client.get(reverse("ladder:version", args=[newest.pk])).content.decode()


def test_owners_download_their_uploads(owner: User, older: BotVersion) -> None:
    client = signed_in(owner)
    page = client.get(reverse("ladder:version", args=[older.pk])).content.decode()
    url = reverse("ladder:version_download", args=[older.pk])
    assert f'href="{url}"' in page
    for answer in (client.get(url), client.get(f"/api/v1/versions/{older.pk}/upload/")):
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == f'attachment; filename="version-{older.pk}.zip"'
        assert answer["Content-Security-Policy"].endswith("sandbox")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == {"main.py": SOURCE}


def test_the_api_serves_the_upload(owner: User, older: BotVersion) -> None:
    client, url = signed_in(owner), f"/api/v1/versions/{older.pk}/again/"
    answer = client.post(url)
    assert (answer.status_code, answer.json()["number"], answer.json()["state"]) == (201, 3, "uploaded")
    assert answer["Location"] == f"/api/v1/versions/{answer.json()['id']}/"
    again = client.post(url)
    assert (again.status_code, again.json()["detail"]) == (422, "Version 3 is the same program already.")


def test_only_the_owner_gets_the_upload(older: BotVersion) -> None:
    for client in (Client(), signed_in(make_user("eve")), signed_in(make_user("staff", is_staff=True))):
        for page in ("ladder:version_download", "ladder:version_again"):
            url = reverse(page, args=[older.pk])
            answer = client.post(url) if page.endswith("again") else client.get(url)
            assert answer.status_code == (404 if client.cookies else 302)


def test_a_lost_or_damaged_upload_is_reported_in_a_sentence(owner: User, older: BotVersion) -> None:
    client, url = signed_in(owner), reverse("ladder:version_download", args=[older.pk])
    path = storages["artifacts"].path(older.bundle_digest)
    with open(path, "wb") as file:
        file.write(b"something else")
    for _ in range(2):
        assert "is not stored here any more" in client.get(url, follow=True).content.decode()
        storages["artifacts"].delete(older.bundle_digest)
    assert client.get(f"/api/v1/versions/{older.pk}/upload/").status_code == 422


def test_a_store_that_does_not_answer_is_reported_in_a_sentence(
    owner: User, older: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(FileSystemStorage, "open", away)
    answer = signed_in(owner).get(reverse("ladder:version_download", args=[older.pk]))
    assert (answer.status_code, "cannot be stored or read just now" in answer.content.decode()) == (503, True)


def test_downloads_have_a_limit_on_both_ways(owner: User, older: BotVersion, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"download": "1/h/user"}
    client = signed_in(owner)
    urls = reverse("ladder:version_download", args=[older.pk]), f"/api/v1/versions/{older.pk}/upload/"
    assert [client.head(url).status_code for url in urls] == [200, 429]
    assert [client.get(url).status_code for url in urls] == [429, 429]
