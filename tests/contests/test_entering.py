"""Uploads to contests, and entering a bot in another contest without a new build."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from common.errors import InputError
from common.queries.cached import cached_clear
from contests.models import Contest, Member
from jobs.files.storage import ARTIFACTS
from jobs.models import WorkingLanguage
from ladder.models import Bot, BotVersion
from ladder.services.uploads import version_create, version_enter
from ladder.services.versions import version_disqualify
from tests.api.conftest import client_of
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import an_upload, make_bot, make_user, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Contest:
    return Contest.objects.create(slug="spring", title="Spring cup", game="kakomimasu", state="open")


@pytest.fixture
def version(spring: Contest) -> BotVersion:
    """An accepted version of alice's bot in the open contest, with its files."""
    files = {
        name: storages[ARTIFACTS].save(f"{digit}e" * 32, ContentFile(b"x")) for name, digit in (("a", "a"), ("b", "b"))
    }
    return make_version(bundle_digest=files["a"], artifact_digest=files["b"], entry="main.py")


def refused(version: BotVersion, contest: str = "spring", name: str = "Moat") -> str:
    """Return why a version cannot be entered; no row may be made."""
    count = BotVersion.objects.count()
    with pytest.raises(InputError) as error:
        version_enter(version=version, contest=contest, name=name, actor=version.bot.owner)
    assert BotVersion.objects.count() == count
    return str(error.value)


def test_a_version_plays_in_another_contest_without_a_build(version: BotVersion) -> None:
    entered = version_enter(version=version, contest="spring", name="Moat", actor=version.bot.owner)
    assert (entered.bot.contest_id, entered.state, entered.number) == ("spring", "active", 1)
    assert (entered.artifact_digest, entered.entry, entered.language) == ("be" * 32, "main.py", "python")
    assert entered.lease_token == ""
    assert Member.objects.get(contest="spring").user == version.bot.owner
    version.refresh_from_db()
    assert version.state == "active"
    assert "is the same program already" in refused(version)
    assert "with the same program already" in refused(version, name="Ditch")
    again = make_version(version.bot, bundle_digest="ae" * 32, artifact_digest="be" * 32, state="retired")
    entered.bundle_digest = "ce" * 32
    entered.save()
    newer = version_enter(version=again, contest="spring", name="Moat", actor=version.bot.owner)
    assert (newer.bot, newer.number, newer.parent) == (entered.bot, 2, entered)


def test_rules_of_the_other_contest_hold(version: BotVersion, spring: Contest) -> None:
    def becomes(**fields: Any) -> None:
        Contest.objects.filter(slug="spring").update(**fields)
        cached_clear()

    WorkingLanguage.objects.create(name="rust", title="Rust", version="1", entries=[], suffixes=[], position=0)
    becomes(languages=["rust"])
    assert refused(version) == "This contest takes bots in: Rust."
    becomes(languages=[], entries_until=timezone.now() - timedelta(days=1))
    assert "No bots are taken" in refused(version)
    becomes(entries_until=None, state="frozen", frozen_at=timezone.now() - timedelta(days=1))
    assert "over" in refused(version)
    becomes(state="open", visibility="private")
    assert refused(version) == refused(version, "nowhere"), "a private contest is like none"
    Member.objects.create(contest=spring, user=version.bot.owner)
    becomes(bots_max=1)
    make_version(bot_in(spring, version.bot.owner))
    assert "may have 1 bot" in refused(version)
    assert "same game only" in refused(version, "puyo")
    assert "same game only" in refused(version, "kakomimasu")


@pytest.mark.parametrize(("seconds", "status"), [(-1, 302), (1, 422)])
def test_the_form_takes_what_came_before_the_deadline(
    client: Client, version: BotVersion, monkeypatch: pytest.MonkeyPatch, seconds: int, status: int
) -> None:
    """The site has come to the request only after the deadline, when it offers the contest no more."""
    until = timezone.now() - timedelta(minutes=1)
    Contest.objects.filter(slug="spring").update(entries_until=until)
    cached_clear()
    monkeypatch.setattr("ladder.views.bots.arrived_at", lambda _request: until + timedelta(seconds=seconds))
    client.force_login(version.bot.owner)
    sent = {"version": version.pk, "contest": "spring", "name": "Moat"}
    answer = client.post(f"/bots/{version.bot_id}/enter/", sent)
    assert answer.status_code == status
    assert BotVersion.objects.filter(bot__contest="spring").exists() == (status == 302)
    assert ("No bots are taken" in answer.text) == (status == 422)


def bot_in(contest: Contest, owner: User) -> Bot:
    bot = make_bot("Other", owner)
    bot.contest = contest
    bot.save()
    return bot


def test_what_was_rejected_disqualified_or_lost_cannot_be_entered(version: BotVersion) -> None:
    rejected = make_version(version.bot, state="rejected", artifact_digest="")
    assert "passed its check match" in refused(rejected)
    storages[ARTIFACTS].delete("be" * 32)
    assert refused(version)
    storages[ARTIFACTS].save("be" * 32, ContentFile(b"x"))
    version_disqualify(version=version, reason="It cheats.")
    assert "was disqualified" in refused(version)


def test_a_language_chosen_at_upload_must_be_allowed(spring: Contest) -> None:
    spring.languages = ["rust"]
    spring.save()
    with pytest.raises(InputError, match="takes bots in: rust"):
        version_create(owner=make_user(), contest="spring", name="Moat", upload=an_upload(), language="python")
    assert not BotVersion.objects.exists()


def test_the_upload_form_offers_contests_that_take_bots(client: Client, spring: Contest) -> None:
    row = {"game": "kakomimasu", "state": "open"}
    Contest.objects.create(slug="hidden", title="Hidden cup", visibility="private", **row)
    Contest.objects.create(slug="quiet", title="Quiet cup", visibility="unlisted", **row)
    Contest.objects.create(slug="past", title="Past cup", entries_until=timezone.now() - timedelta(days=1), **row)
    user = make_user()
    client.force_login(user)
    page = client.get("/upload/").text
    assert "Spring cup" in page
    assert not any(title in page for title in ("Hidden cup", "Quiet cup", "Past cup"))
    assert "Quiet cup" in client.get("/upload/?contest=quiet").text
    assert "Hidden cup" not in client.get("/upload/?contest=hidden").text
    answer = client.post("/upload/", {"contest": "hidden", "name": "Moat", "upload": an_upload()})
    assert answer.status_code == 422
    assert "Hidden cup" not in answer.text
    Member.objects.create(contest_id="hidden", user=user)
    assert "Hidden cup" in client.get("/upload/").text


def test_by_the_api(version: BotVersion) -> None:
    alice, eve = client_of(version.bot.owner), client_of(make_user("eve"))
    path, body = f"/api/v1/versions/{version.pk}/enter/", {"contest": "spring", "name": "Moat"}
    assert eve.post(path, body, content_type="application/json").status_code == 404
    answer = alice.post(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["state"]) == (201, "active")
    assert alice.post(path, body, content_type="application/json").status_code == 422


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_bot_is_entered_in_the_browser(page: Page) -> None:
    from contests.services.contests import open_contests_ensure

    open_contests_ensure()
    Contest.objects.create(slug="spring", title="Spring cup", game="kakomimasu", state="open")
    for digit in "ab":
        storages[ARTIFACTS].save(f"{digit}e" * 32, ContentFile(b"x"))
    make_user()
    sign_in(page)
    version = make_version(bundle_digest="ae" * 32, artifact_digest="be" * 32)
    page.goto(f"/bots/{version.bot_id}/")
    page.get_by_role("link", name="Enter it in another contest").click()
    expect_fits_and_is_accessible(page)
    page.get_by_role("button", name="Enter it").click()
    expect(page.get_by_text("Moat plays in this contest now.")).to_be_visible()
    expect(page.get_by_role("link", name="Spring cup").first).to_be_visible()
