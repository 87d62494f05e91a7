"""Pages of a version on probation: who sees what, and who may end it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from ladder.models import Bot, BotVersion
from ladder.services.versions import version_transition
from matches.models import Match
from tests.ladder.makers import make_rating, make_standings, make_user
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = pytest.mark.django_db

State = BotVersion.State
BUTTON = "I have looked, play again"


@pytest.fixture
def faulty() -> Match:
    """A match in which ant has failed."""
    bee, ant = make_version("bee", "bob"), make_version("ant", "alice")
    return finish_match(make_match(bee, ant), make_records("bee", "ant", fault_turn=3))


@pytest.fixture
def version(faulty: Match) -> BotVersion:
    """The version of ant, on probation."""
    ant = faulty.seats.get(index=1).version
    make_rating(ant, 1_500.0)
    make_standings()
    version_transition(version=ant, to=State.PROBATION)
    ant.refresh_from_db()
    return ant


def as_user(name: str, *, enforce_csrf_checks: bool = False) -> Client:
    client = Client(enforce_csrf_checks=enforce_csrf_checks)
    client.force_login(User.objects.filter(username=name).first() or make_user(name, is_staff=name == "admin"))
    return client


def page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def test_the_owner_sees_faults_advice_and_the_button(version: BotVersion, faulty: Match) -> None:
    alices = as_user("alice")
    for url in (reverse("ladder:version", args=[version.pk]), reverse("ladder:bot", args=[version.bot_id])):
        seen = page(alices, url)
        assert reverse("matches:match", args=[faulty.pk]) in seen
        assert "Your program ended by itself" in seen
        assert "Upload a corrected version" in seen
        assert BUTTON in seen
    assert "Withdraw this version" in page(alices, reverse("ladder:version", args=[version.pk]))
    assert "on probation" in page(alices, "/mine/")
    progress = page(alices, reverse("ladder:version_progress", args=[version.pk]))
    assert (BUTTON in progress, "hx-get" in progress) == (True, False), "only the button ends it: nothing to poll"


@pytest.mark.parametrize("name", ["", "bob"])
def test_others_see_only_that_it_is_on_probation(version: BotVersion, faulty: Match, name: str) -> None:
    client = as_user(name) if name else Client()
    seen = page(client, reverse("ladder:bot", args=[version.bot_id]))
    assert "This bot is on probation" in seen
    assert BUTTON not in seen
    assert "Your program ended by itself" not in seen
    assert "on probation" in page(client, reverse("ladder:board", args=["games/kakomimasu"]))


@pytest.mark.parametrize("name", ["alice", "admin"])
def test_owner_and_administrators_end_it(version: BotVersion, name: str) -> None:
    client = as_user(name)
    assert BUTTON in page(client, reverse("ladder:bot", args=[version.bot_id]))
    url = reverse("ladder:version_act", args=[version.pk, "resume"])
    answer = client.post(url)
    assert answer["Location"] == reverse("ladder:bot", args=[version.bot_id])
    version.refresh_from_db()
    assert version.state == State.ACTIVE
    assert (AuditEntry.objects.get().act, AuditEntry.objects.get().actor_name) == ("version_resume", name)
    assert BUTTON not in page(client, reverse("ladder:bot", args=[version.bot_id]))
    assert "not on probation" in client.post(url, follow=True).content.decode()
    assert AuditEntry.objects.count() == 1


def test_nobody_else_ends_it(version: BotVersion) -> None:
    url = reverse("ladder:version_act", args=[version.pk, "resume"])
    assert as_user("bob").post(url).status_code == 404
    assert Client().post(url)["Location"].startswith("/accounts/login/")
    assert as_user("alice").get(url).status_code == 405
    assert as_user("alice", enforce_csrf_checks=True).post(url).status_code == 403
    version.refresh_from_db()
    assert version.state == State.PROBATION


def test_of_a_house_bot_administrators_are_led_to_the_button(version: BotVersion, faulty: Match) -> None:
    Bot.objects.filter(pk=version.bot_id).update(is_house=True, declared_rating=1_000.0)
    admins = as_user("admin")
    BotVersion.objects.filter(pk=version.pk).update(state=State.ACTIVE)
    version_transition(version=version, to=State.PROBATION)
    notification = User.objects.get(username="admin").notifications.get()
    seen = admins.get(reverse("accounts:notification", args=[notification.pk]), follow=True).content.decode()
    assert BUTTON in seen
    # The evidence on the page of the match is its owner's; administrators have theirs.
    assert reverse("admin:matches_match_change", args=[faulty.pk]) in seen
