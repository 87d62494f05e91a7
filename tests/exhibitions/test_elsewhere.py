"""Exhibitions in the rest of the site: shown with their players by the link alone, and in no list, count or rating."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from contests.models import Contest
from core.message import Message
from fleet.selectors.queue import matches_in_flight, queue_rows
from fleet.services.quarantine import worker_quarantine
from games.registry import game_named
from matches.models import HeadToHead, Match, RemoteSeat
from matches.selectors.desk import desk_queue, desk_running
from matches.selectors.front import front_page, match_to_show
from matches.services.lifecycle import match_record_result
from matches.services.quarantine import match_void_and_requeue
from matches.services.reruns import rerun_problem
from tests.exhibitions.makers import WORKER, finish, make_player, make_table, report_of, table_begin
from tests.ladder.makers import make_user
from tests.matches.makers import make_version
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def running() -> Match:
    """A table of Ada against the bot Beta that is being played."""
    match = make_table(make_player()).match
    table_begin(match)
    match.refresh_from_db()
    return match


def test_its_page_names_the_players(client: Client, running: Match) -> None:
    page = client.get(f"/matches/{running.pk}/")
    assert page.status_code == 200
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert "<bdi>Ada</bdi>" in page.text
    assert "Beta" in page.text
    assert page.context["viewer"]["links"] == ["", f"/bots/{running.seats.get().version.bot_id}/"]
    assert page.context["viewer"]["live"] == f"/matches/{running.pk}/live"
    finish(running)
    for url in (f"/matches/{running.pk}/", f"/matches/{running.pk}/embed/"):
        page = client.get(url)
        assert page.status_code == 200
        assert "Ada" in page.text
    assert page.context["viewer"]["links"] == []
    assert client.get(f"/matches/{running.pk}/replay.json").status_code == 200


def test_the_api_names_the_players(client: Client, running: Match) -> None:
    finish(running)
    shown = client.get(f"/api/v1/matches/{running.pk}/").json()
    assert [seat["name"] for seat in shown["seats"]] == ["Beta"]
    (player,) = shown["players"]
    assert (player["index"], player["name"]) == (0, "Ada")
    assert player["rank"] in (1, 2)
    assert shown["rerun_problem"]


def test_the_seed_is_told_at_the_end(client: Client, running: Match) -> None:
    """The attack: a player reads the seed on another page, and knows what comes."""
    texts = [f"/matches/{running.pk}/", f"/api/v1/matches/{running.pk}/", f"/matches/{running.pk}/embed/"]
    assert [url for url in texts if str(running.seed) in client.get(url).text] == []
    assert client.get(texts[1]).json()["seed"] is None
    finish(running)
    assert str(running.seed) in client.get(texts[0]).text
    assert client.get(texts[1]).json()["seed"] == running.seed


def test_a_table_in_the_fog_is_not_watched_live(client: Client, running: Match) -> None:
    """The attack: a player has the match's page open beside his seat, and sees what the fog hides from him."""
    rules = game_named("wondev_woman").rules_version
    Match.objects.filter(pk=running.pk).update(game="wondev_woman", contest="wondev_woman", rules_version=rules)
    page = client.get(f"/matches/{running.pk}/")
    assert page.context["viewer"] is None
    assert "nobody watches their table before its end" in page.text
    assert client.get(f"/matches/{running.pk}/embed/").context["viewer"] is None
    assert {client.get(f"/matches/{running.pk}/{file}").status_code for file in ("replay", "replay.json")} == {404}


def test_no_list_and_no_count_has_it(client: Client, running: Match) -> None:
    bot, waits = running.seats.get().version, make_table(make_player(visitor="192.0.2.5"), bot=make_version("Gamma"))
    for match in (running, waits.match):
        lists = ["/matches/", "/matches/?kind=exhibition", "/matches/?state=queued", f"/matches/?bot_id={bot.bot_id}"]
        lists += ["/", f"/bots/{bot.bot_id}/", "/games/kakomimasu/", f"/api/v1/bots/{bot.bot_id}/matches/"]
        lists += ["/api/v1/matches/", f"/api/v1/matches/?version={bot.pk}"]
        found = {url: client.get(url, headers={"accept": "*/*"}) for url in lists}
        assert {answer.status_code for answer in found.values()} == {200}
        links = (f"/matches/{match.pk}/", f'"id": {match.pk},', f'"id":{match.pk},')
        assert [url for url, answer in found.items() if any(link in answer.text for link in links)] == []
    assert client.get("/api/v1/matches/?kind=exhibition").status_code == 400
    assert (matches_in_flight().running, queue_rows()) == (0, [])
    assert (desk_running(contest="kakomimasu"), desk_queue(contest="kakomimasu")) == (0, [])
    assert match_to_show(contest="", after=0) is None
    finish(running)
    front = front_page(new_bots=0)
    assert (front.match, front.matches_a_minute) == (None, 0)
    assert match_to_show(contest="", after=0) is None
    assert not HeadToHead.objects.exists()
    assert not Match.objects.rated().exists()


@pytest.mark.parametrize(("visibility", "state"), [("private", "open"), ("public", "draft")])
def test_of_a_hidden_contest_guests_see_none(client: Client, running: Match, visibility: str, state: str) -> None:
    contest = Contest.objects.create(slug="cup", game="kakomimasu", state="open", visibility="public")
    Match.objects.filter(pk=running.pk).update(contest=contest)
    urls = [f"/matches/{running.pk}/", f"/matches/{running.pk}/embed/", f"/api/v1/matches/{running.pk}/"]
    urls += [f"/matches/{running.pk}/live", f"/matches/{running.pk}/state/"]
    Contest.objects.filter(pk="cup").update(visibility=visibility, state=state)
    assert {client.get(url).status_code for url in urls} == {404}


def test_an_untrusted_worker_makes_it_void(running: Match) -> None:
    worker_quarantine(name=WORKER, actor=None, reason="lies")
    running.refresh_from_db()
    assert (running.state, running.void_reason["kind"]) == (Match.State.VOID, "table-lost")
    assert Match.objects.count() == 1


def test_a_table_that_an_untrusted_worker_has_ended_is_not_played_again(running: Match) -> None:
    finish(running)
    assert match_void_and_requeue(pk=running.pk, reason=Message("match-replaced")) is None
    running.refresh_from_db()
    assert running.state == Match.State.VOID
    assert Match.objects.count() == 1


def test_a_platform_fault_makes_it_void(running: Match) -> None:
    match_record_result(report=report_of(running, turns=9, platform_fault=Message("worker-silent")))
    running.refresh_from_db()
    assert (running.state, running.void_reason["kind"]) == (Match.State.VOID, "table-lost")


def test_a_worker_that_lacks_the_rules_gives_it_back(running: Match) -> None:
    fault = Message("worker-no-game", {"game": "kakomimasu"})
    match_record_result(report=report_of(running, lacks="rules", platform_fault=fault))
    running.refresh_from_db()
    assert (running.state, running.attempt) == (Match.State.QUEUED, 2)


def test_it_is_never_run_again(running: Match) -> None:
    finish(running)
    assert "cannot be re-run" in rerun_problem(match=running)


def test_administrators_see_the_players_but_no_hashes(running: Match, settings: Settings) -> None:
    settings.ADMIN_MFA_REQUIRED = False
    admin = signed_in(make_user("root", is_staff=True, is_superuser=True))
    page = admin.get(f"/admin/matches/match/{running.pk}/change/")
    assert page.status_code == 200
    assert "Ada" in page.text
    seat = RemoteSeat.objects.get()
    assert seat.secret_hash not in page.text
    assert seat.visitor not in page.text
