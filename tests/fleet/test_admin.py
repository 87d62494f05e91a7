"""The Django admin: what its lists find, how many queries they make, and that each action calls its service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import admin_parts
from accounts.models import AuditEntry, User
from contests.models import Contest
from contests.services.contests import contest_transition
from core.message import said, stored
from fleet.broker import BrokerRefused
from fleet.models import Host
from jobs.models import Worker
from ladder.models import Announcement, Bot, BotVersion, Rating
from ladder.services.announcements import announcement_save
from matches.models import Attempt, Match, Trial
from tests.fleet.makers import make_worker
from tests.ladder.makers import an_upload, make_bot, make_rating, make_user
from tests.ladder.makers import make_version as make_version_of
from tests.matches.makers import finish_match, make_match, make_records, make_version
from tests.visitors import signed_in
from tests.words import english

pytestmark = pytest.mark.django_db

OURS: list[type[Model]] = [
    *(User, Bot, BotVersion, Rating, Contest, Announcement, AuditEntry),
    *(Worker, Host, Match, Attempt, Trial),
]
WRITTEN_HERE = {User, Announcement}


def address(model: type[Model], rest: str = "") -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/{rest}"


@pytest.fixture
def admins(client: Client) -> Client:
    client.force_login(make_user("chief", is_staff=True, is_superuser=True))
    return client


def fill(*places: int) -> None:
    """Make rows of every kind, a set for each place."""
    records = make_records("x", "y")
    for place in places:
        first, second = make_version(f"a{place}"), make_version(f"b{place}")
        make_rating(first)
        finish_match(make_match(first, second), records)
        older = make_version_of(first.bot, state="retired", parent=first)
        Trial.objects.create(
            owner=first.bot.owner, candidate=first, reference=older, game="kakomimasu", games_max=10, state="stopped"
        )
        make_worker(f"play@{place}")
        Host.objects.create(name=f"north{place}", expires_at=timezone.now(), token_digest=str(place))
        AuditEntry.objects.create(actor=first.bot.owner, actor_name="a", act="worker_drain", target="play@x")
        announcement_save(announcement=Announcement(text="The finals begin."), actor=None)


def queries_of(client: Client, path: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        page = client.get(path)
    assert page.status_code == 200, path
    return [query["sql"] for query in captured.captured_queries]


@pytest.mark.parametrize("model", OURS)
def test_a_list_costs_the_same_however_long_and_counts_no_more_than_it_must(admins: Client, model: type[Model]) -> None:
    fill(1)
    few = queries_of(admins, address(model))
    fill(2, 3, 4, 5)
    many = queries_of(admins, address(model))
    assert len(many) == len(few)
    assert "_facets" not in admins.get(address(model)).text
    assert model._default_manager.count() >= (4 if model is not Contest else 1)
    for sql in many:
        if sql.startswith("SELECT COUNT("):
            assert f"LIMIT {admin_parts.ROWS_COUNTED_MAX}" in sql
        assert "DISTINCT" not in sql


@pytest.mark.parametrize("model", OURS)
def test_what_services_write_is_read_only_and_no_page_offers_all_rows_of_another(
    admins: Client, model: type[Model]
) -> None:
    fill(1, 2)
    row = model._default_manager.order_by("pk").last()
    assert row is not None
    page = admins.get(address(model, f"{row.pk}/change/"))
    assert page.status_code == 200
    assert page.context["has_change_permission"] is (model in WRITTEN_HERE)
    names = [*User.objects.values_list("username", flat=True), *Bot.objects.values_list("name", flat=True)]
    options = re.findall(r"<option[^>]*>([^<]*)</option>", page.text)
    assert not {name for name in names if name in options}
    if model not in WRITTEN_HERE:
        assert admins.get(address(model, "add/")).status_code == 403
        assert admins.post(address(model, f"{row.pk}/delete/"), {"post": "yes"}).status_code == 403


def test_secrets_are_not_shown(admins: Client) -> None:
    match = finish_match(make_match(make_version("a"), make_version("b")))
    version = make_version("c", lease_token="secret-of-a-build")
    token = match.attempts.get().lease_token
    assert token not in admins.get(address(Match, f"{match.pk}/change/")).text
    assert token not in admins.get(address(Attempt, f"{match.attempts.get().pk}/change/")).text
    assert "secret-of-a-build" not in admins.get(address(BotVersion, f"{version.pk}/change/")).text
    host = Host.objects.create(name="n", expires_at=timezone.now(), token_digest="t" * 60, password_digest="p" * 60)
    page = admins.get(address(Host, f"{host.pk}/change/")).text
    assert "t" * 60 not in page
    assert "p" * 60 not in page


def test_a_page_of_a_match_costs_the_same_with_more_seats(admins: Client) -> None:
    matches = make_match(*map(make_version, "ab")), make_match(*map(make_version, "cdef"))
    two, four = (queries_of(admins, address(Match, f"{match.pk}/change/")) for match in matches)
    assert len(two) == len(four)


def test_the_evidence_of_a_fault_is_told_in_its_own_lines(admins: Client) -> None:
    match = make_match(make_version("first"), make_version("second"))
    evidence = {"why": stored(said("It ended.")), "exit_code": 1, "last_input": "......\n.<b>..", "stderr": "\x1b[2J"}
    match.seats.filter(index=1).update(evidence=evidence)
    page = admins.get(address(Match, f"{match.pk}/change/")).content.decode()
    for told in ("sentence: It ended.", "exit_code: 1", "last_input: ......<br>.&lt;b&gt;..", r"stderr: \x1b[2J"):
        assert told in page


# --- Finding --------------------------------------------------------------------------------------------------------


def found(client: Client, model: type[Model], **query: Any) -> list[Any]:
    return [row.pk for row in client.get(address(model), query).context["cl"].result_list]


def test_matches_are_found_by_number_bot_owner_game_state_and_kind(admins: Client) -> None:
    ring, moat, third = make_version("Ring", "alice"), make_version("Moat", "bob"), make_version("Third", "eve")
    one, other = make_match(ring, moat), make_match(moat, third, game="puyo")
    finish_match(one)
    assert found(admins, Match) == [other.pk, one.pk]
    assert found(admins, Match, q=str(one.pk)) == [one.pk]
    assert found(admins, Match, q="ring") == [one.pk]
    assert found(admins, Match, q="EVE") == [other.pk]
    assert found(admins, Match, q="nobody") == []
    assert found(admins, Match, q="9" * 30) == []
    assert found(admins, Match, game="puyo") == [other.pk]
    assert found(admins, Match, state__exact="finished") == [one.pk]
    assert found(admins, Match, kind__exact="trial") == []
    assert found(admins, Attempt, q="worker-1") == [one.attempts.get().pk]
    assert found(admins, Attempt, q=str(one.pk)) == [one.attempts.get().pk]
    assert found(admins, Attempt, ending__exact="lost") == []


def test_bots_versions_and_ratings_are_found(admins: Client) -> None:
    ring = make_version("Ring", "alice")
    make_rating(ring)
    make_version("Moat", "bob")
    assert found(admins, Bot, q="alice") == [ring.bot_id]
    assert found(admins, Bot, game="puyo") == []
    assert found(admins, BotVersion, q="ring", game="kakomimasu", state__exact="active") == [ring.pk]
    assert found(admins, Rating, q="ring") == [ring.rating.pk]
    assert found(admins, User, q="bob") == [User.objects.get(username="bob").pk]


# --- Acts -----------------------------------------------------------------------------------------------------------


def act(client: Client, name: str, *rows: Model, reason: str = "", **more: str) -> str:
    """Run an action on chosen rows, and return the page that follows."""
    chosen: Mapping[str, Any] = {"action": name, "_selected_action": [row.pk for row in rows], "reason": reason, **more}
    return client.post(address(type(rows[0])), chosen, follow=True).text


def acts() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("act", "reason"))


def test_uploads_of_an_account_are_stopped_and_allowed_again(admins: Client) -> None:
    alice = make_user("alice")
    assert "Give a reason" in act(admins, "uploads_stop", alice)
    act(admins, "uploads_stop", alice, reason="It uploads the bots of others.")
    client = signed_in(alice)
    page = client.post("/upload/", {"contest": "kakomimasu", "name": "Moat", "upload": an_upload()})
    assert (page.status_code, BotVersion.objects.count()) == (422, 0)
    assert "It uploads the bots of others." in page.text
    act(admins, "uploads_allow", alice)
    assert "may upload already" in act(admins, "uploads_allow", alice)
    page = client.post("/upload/", {"contest": "kakomimasu", "name": "Moat", "upload": an_upload()})
    assert (page.status_code, BotVersion.objects.count()) == (302, 1)
    assert [name for name, _ in acts()] == ["account_uploads_stop", "account_uploads_allow"]


def test_a_bot_is_withdrawn_with_all_that_plays_or_soon_will(admins: Client) -> None:
    old = make_version_of(state="retired")
    for state in ("active", "building"):
        make_version_of(old.bot, state=state)
    act(admins, "withdraw", old.bot, reason="It cheats.")
    assert set(BotVersion.objects.values_list("state", flat=True)) == {"retired"}
    assert acts() == [("version_disqualify", "It cheats.")] * 2


def test_what_we_failed_to_build_is_built_again(admins: Client) -> None:
    failed, rejected = make_version_of(state="failed"), make_version_of(make_bot("b"), state="rejected")
    page = act(admins, "rebuild", failed, rejected)
    failed.refresh_from_db()
    assert failed.state == "uploaded"
    assert "can be built again" in page
    assert acts() == [("version_retry", "")]
    other = make_version_of(make_bot("c"), state="failed")
    contest_transition(contest="kakomimasu", to=Contest.State.FROZEN, actor=None)
    # What came before the freeze is built until the final board is being signed.
    Contest.objects.filter(pk="kakomimasu").update(final_stage=Contest.FinalStage.FITTING)
    assert "This contest is over" in act(admins, "rebuild", other)


def test_matches_are_void_replaced_and_played_once_more(admins: Client) -> None:
    match, replaced, again = (finish_match(make_match(make_version(f"a{n}"), make_version(f"b{n}"))) for n in range(3))
    act(admins, "void", match, reason="Its worker was sick.")
    act(admins, "replace", replaced)
    for row in (match, replaced):
        row.refresh_from_db()
    assert (match.state, english(match.void_reason)) == ("void", "Its worker was sick.")
    assert "no result to take out" in act(admins, "void", match)
    assert (replaced.state, replaced.replaced_by.state, replaced.replaced_by.kind) == ("void", "queued", "ladder")
    assert "Only a match with a result" in act(admins, "rerun", again, replaced.replaced_by)
    assert again.reruns.get().kind == "rerun"
    assert acts() == [("match_void", "Its worker was sick."), ("match_replace", ""), ("match_rerun", "")]


def test_games_are_paused_frozen_and_opened(admins: Client) -> None:
    row = Contest.objects.get(slug="puyo")
    for name, state in (("pause", "paused"), ("freeze", "frozen"), ("open", "open")):
        act(admins, name, row, reason="Because.")
        row.refresh_from_db()
        assert row.state == state
    assert "already" in act(admins, "open", row)
    assert acts() == [("contest_transition", "Because.")] * 3


def test_workers_are_drained_resumed_and_quarantined(admins: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Mock(side_effect=BrokerRefused("The broker cannot be reached."))
    monkeypatch.setattr("fleet.services.quarantine.host_let_in", lambda **_: None)
    monkeypatch.setattr("fleet.services.quarantine.host_shut_out", refused)
    worker = make_worker("one/play@one", broker_user="host-one")
    for name, state in (("drain", "draining"), ("resume", "active"), ("quarantine", "quarantined")):
        page = act(admins, name, worker, reason="Its memory is broken.")
        worker.refresh_from_db()
        assert worker.state == state
    assert "cannot be reached" in page, "all the rest of the quarantine is done"
    assert [name for name, _ in acts()] == ["worker_drain", "worker_resume", "worker_quarantine"]


def test_announcements_are_made_changed_and_taken_down(admins: Client) -> None:
    form = {"text": "The finals begin.", "level": "news", "shown_from_0": "2026-01-01", "shown_from_1": "12:00"}
    admins.post(address(Announcement, "add/"), form)
    row = Announcement.objects.get()
    assert "The finals begin." in Client().get("/games/").text
    wrong = form | {"shown_until_0": "2025-01-01", "shown_until_1": "12:00"}
    assert "later than the beginning" in admins.post(address(Announcement, f"{row.pk}/change/"), wrong).text
    admins.post(address(Announcement, f"{row.pk}/change/"), form | {"text": "They are over."})
    assert "They are over." in Client().get("/games/").text
    admins.post(address(Announcement, f"{row.pk}/delete/"), {"post": "yes"})
    assert "They are over." not in Client().get("/games/").text
    assert [name for name, _ in acts()] == ["announcement_save", "announcement_save", "announcement_delete"]


def test_nobody_acts_on_thousands_by_one_click(admins: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_parts, "ROWS_ACTED_ON_MAX", 1)
    first, second = make_version("a"), make_version("b")
    matches = [make_match(first, second), make_match(first, second)]
    assert "Nothing was done" in act(admins, "void", *matches, select_across="1")
    assert not Match.objects.filter(state="void").exists()


def test_others_have_no_business_there(client: Client) -> None:
    client.force_login(make_user("alice"))
    for model in OURS:
        assert client.get(address(model)).status_code == 302
