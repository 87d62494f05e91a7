"""Older versions that play again, and what owners get back of their uploads."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.storage import FileSystemStorage, storages
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.models import User
from common.errors import InputError, StoreAway
from ladder.models import Bot, BotVersion, GameSetting
from ladder.selectors.bots import quota_of
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
    """A version that plays."""
    version = version_create(owner=owner, game="kakomimasu", name=name, upload=an_upload(content))
    return version_transition(version=version, to=State.ACTIVE, artifact_digest=version.bundle_digest)


@pytest.fixture
def older(owner: User) -> BotVersion:
    """A version that another has overtaken."""
    first = uploaded(owner, SOURCE)
    uploaded(owner, OTHER)
    first.refresh_from_db()
    assert first.state == State.RETIRED
    return first


def test_it_is_the_next_version_of_its_bot_from_the_same_upload(older: BotVersion, enqueued: list[int]) -> None:
    again = version_play_again(version=older)
    assert (again.bot, again.number, again.state) == (older.bot, 3, State.UPLOADED)
    assert (again.bundle_digest, again.upload_name) == (older.bundle_digest, older.upload_name)
    assert enqueued[-1] == again.pk
    older.refresh_from_db()
    assert older.state == State.RETIRED


def test_it_inherits_the_rating_that_it_had_and_not_that_of_what_it_replaces(older: BotVersion) -> None:
    make_rating(older)
    again = version_play_again(version=older)
    active = version_transition(version=again, to=State.ACTIVE, artifact_digest=older.bundle_digest)
    assert active.parent == older
    newest = uploaded(older.bot.owner, b"print('third')\n")
    assert newest.parent == active


def test_a_second_click_makes_no_other(older: BotVersion) -> None:
    version_play_again(version=older)
    with pytest.raises(InputError, match=r"^Version 3 is the same program already\.$"):
        version_play_again(version=older)
    assert older.bot.versions.count() == 3


@pytest.mark.parametrize("state", [State.ACTIVE, State.REJECTED, State.UPLOADED])
def test_only_what_does_not_play_can_play_again(older: BotVersion, state: State) -> None:
    BotVersion.objects.filter(bot=older.bot).update(state=State.RETIRED)
    older.state = state
    with pytest.raises(InputError, match=r"^Only a version that played"):
        version_play_again(version=older)


def test_what_was_withdrawn_before_it_was_built_never_played(owner: User) -> None:
    version = version_create(owner=owner, game="kakomimasu", name="Moat", upload=an_upload(SOURCE))
    retired = version_retire(version=version)
    with pytest.raises(InputError, match=r"^Only a version that played"):
        version_play_again(version=retired)
    page = signed_in(owner).get(reverse("ladder:version", args=[version.pk])).content.decode()
    assert "Let it play again" not in page


@pytest.mark.parametrize("reason", ["", "It cheats."])
def test_what_an_administrator_has_withdrawn_does_not(owner: User, older: BotVersion, reason: str) -> None:
    again = version_play_again(version=older)
    active = version_transition(version=again, to=State.ACTIVE, artifact_digest=older.bundle_digest)
    gone = version_disqualify(version=active, reason=reason)
    for version in (gone, older):  # which are one program
        with pytest.raises(InputError, match=r"^An administrator has withdrawn this program"):
            version_play_again(version=version)
        page = signed_in(owner).get(reverse("ladder:version", args=[version.pk])).content.decode()
        assert "Let it play again" not in page


def test_it_counts_as_an_upload(owner: User, older: BotVersion) -> None:
    """Or builders would be kept busy by whoever withdraws it and lets it play again."""
    before = quota_of(owner=owner)
    version_play_again(version=older)
    after = quota_of(owner=owner)
    assert (after.versions_hour, after.bytes) == (before.versions_hour + 1, before.bytes + older.bundle_bytes)


def test_so_does_one_that_we_have_built_again(older: BotVersion) -> None:
    uploaded_bytes = older.bundle_bytes
    rebuilt = make_version(
        older.bot,
        state=State.RETIRED,
        bundle_digest=older.bundle_digest,
        bundle_bytes=0,
        activated_at=older.activated_at,
    )
    assert version_play_again(version=rebuilt).bundle_bytes == uploaded_bytes > 0


def test_what_stands_against_an_upload_does_against_this_one(older: BotVersion, settings: Settings) -> None:
    settings.USER_VERSIONS_PER_HOUR = 2
    with pytest.raises(InputError, match="You have uploaded 2 versions within an hour"):
        version_play_again(version=older)
    User.objects.update(uploads_stopped="You flood us.")
    with pytest.raises(InputError, match="You flood us"):
        version_play_again(version=older)
    User.objects.update(uploads_stopped="")
    GameSetting.objects.update_or_create(game="kakomimasu", defaults={"state": GameSetting.State.FROZEN})
    with pytest.raises(InputError, match="frozen"):
        version_play_again(version=older)


def test_one_program_plays_as_one_bot(owner: User, older: BotVersion) -> None:
    uploaded(owner, SOURCE, name="Other")
    with pytest.raises(InputError, match=r"^Your bot Other plays this game with the same program"):
        version_play_again(version=older)


def test_an_upload_that_is_gone_is_asked_for(older: BotVersion) -> None:
    storages["artifacts"].delete(older.bundle_digest)
    with pytest.raises(InputError, match="upload your own copy"):
        version_play_again(version=older)


def test_a_store_that_is_away_has_lost_nothing(older: BotVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> bool:
        raise ConnectionError

    monkeypatch.setattr(FileSystemStorage, "exists", away)
    with pytest.raises(StoreAway):
        version_play_again(version=older)
    assert Bot.objects.get().versions.count() == 2


# --- The pages ------------------------------------------------------------------------------------------------------


def test_owners_let_it_play_again_from_its_page(owner: User, older: BotVersion) -> None:
    client = signed_in(owner)
    address = reverse("ladder:version", args=[older.pk])
    assert "Let it play again" in client.get(address).content.decode()
    answer = client.post(f"{address}again/", follow=True)
    newest = older.bot.versions.latest("number")
    assert (newest.number, answer.redirect_chain[-1][0]) == (3, reverse("ladder:version", args=[newest.pk]))
    answer = client.post(f"{address}again/", follow=True)
    assert "Version 3 is the same program already." in answer.content.decode()
    assert "Let it play again" not in client.get(reverse("ladder:version", args=[newest.pk])).content.decode()


def test_where_no_bots_are_taken_the_button_is_not_there(owner: User, older: BotVersion) -> None:
    GameSetting.objects.update_or_create(game="kakomimasu", defaults={"state": GameSetting.State.FROZEN})
    page = signed_in(owner).get(reverse("ladder:version", args=[older.pk])).content.decode()
    assert "Let it play again" not in page


def test_owners_get_back_what_they_uploaded(owner: User, older: BotVersion) -> None:
    client = signed_in(owner)
    page = client.get(reverse("ladder:version", args=[older.pk])).content.decode()
    address = reverse("ladder:version_download", args=[older.pk])
    assert f'href="{address}"' in page
    for answer in (client.get(address), client.get(f"/api/v1/versions/{older.pk}/upload/")):
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == f'attachment; filename="version-{older.pk}.zip"'
        assert answer["Content-Security-Policy"].endswith("sandbox")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == {"main.py": SOURCE}


def test_programs_can_ask_for_it_too(owner: User, older: BotVersion) -> None:
    client, address = signed_in(owner), f"/api/v1/versions/{older.pk}/again/"
    answer = client.post(address)
    assert (answer.status_code, answer.json()["number"], answer.json()["state"]) == (201, 3, "uploaded")
    assert answer["Location"] == f"/api/v1/versions/{answer.json()['id']}/"
    again = client.post(address)
    assert (again.status_code, again.json()["detail"]) == (422, "Version 3 is the same program already.")


def test_nobody_else_does(older: BotVersion) -> None:
    for client in (Client(), signed_in(make_user("eve")), signed_in(make_user("staff", is_staff=True))):
        for page in ("ladder:version_download", "ladder:version_again"):
            address = reverse(page, args=[older.pk])
            answer = client.post(address) if page.endswith("again") else client.get(address)
            assert answer.status_code == (404 if client.cookies else 302)


def test_an_upload_that_the_store_has_lost_or_changed_is_told_in_a_sentence(owner: User, older: BotVersion) -> None:
    client, address = signed_in(owner), reverse("ladder:version_download", args=[older.pk])
    path = storages["artifacts"].path(older.bundle_digest)
    with open(path, "wb") as file:
        file.write(b"something else")
    for _ in range(2):
        assert "is not stored here any more" in client.get(address, follow=True).content.decode()
        storages["artifacts"].delete(older.bundle_digest)
    assert client.get(f"/api/v1/versions/{older.pk}/upload/").status_code == 422


def test_a_store_that_is_away_is_told_in_a_sentence(
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
    addresses = reverse("ladder:version_download", args=[older.pk]), f"/api/v1/versions/{older.pk}/upload/"
    assert [client.head(address).status_code for address in addresses] == [200, 429]
    assert [client.get(address).status_code for address in addresses] == [429, 429]
