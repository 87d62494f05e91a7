"""The pages of boards, bots and uploads: what they show to whom, and the number of queries."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from accounts.models import User
from common.times import clocked
from core.message import said, stored
from ladder.models import Bot, BotVersion, RatingPoint
from ladder.services import examining
from ladder.services.versions import version_retire, version_transition
from tests.ladder.makers import (
    an_upload,
    make_bot,
    make_ranked,
    make_rating,
    make_standings,
    make_user,
    make_version,
    zip_of,
)
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db

State = BotVersion.State
HOSTILE = '<script>alert("x")</script>'


@pytest.fixture
def bobs() -> Client:
    """The client of another user."""
    return signed_in(make_user("bob"))


@pytest.fixture(autouse=True)
def _no_messages(enqueued: list[int]) -> None:
    """No build is sent to the broker."""


def text(client: Client, url: str, status: int = 200) -> str:
    response = client.get(url)
    assert response.status_code == status
    return response.content.decode()


def board() -> str:
    return reverse("ladder:board", args=["games/kakomimasu"])


# --- Open pages -----------------------------------------------------------------------------------------------------


def test_each_version_has_a_graph_of_its_own(client: Client) -> None:
    bot = make_bot()
    for number, state in ((1, State.RETIRED), (2, State.ACTIVE)):
        version = make_version(bot, number=number, state=state)
        make_rating(version, rank=None)
        for games in (10, 20):
            RatingPoint.objects.create(version=version, games=games, rating=1_500, standard_error=30, at=timezone.now())
    url = reverse("ladder:bot", args=[bot.pk])
    whole = text(client, url)
    assert (whole.count('class="graph-dot"'), whole.count(f'href="{url}?version=1#graph"')) == (2, 1)
    one = text(client, f"{url}?version=1")
    assert "Rating of version 1" in one
    assert one.count('class="graph-dot"') == 1
    assert f'href="{url}#graph"' in one
    for senseless in ("3", "9" * 18, "x", "9" * 30, "-1", ""):
        assert text(client, f"{url}?version={senseless}").count('class="graph-dot"') == 2


@pytest.mark.parametrize("url", ["/", "/games/", "/games/kakomimasu/", "/games/kakomimasu/guide/"])
def test_an_empty_arena_has_pages(client: Client, url: str) -> None:
    assert "Kakomimasu" in text(client, url)


def test_the_board_shows_all_of_a_bot(client: Client) -> None:
    version = make_ranked("Moat builder", 1_534.6, standard_error=20, games=57)
    make_standings()
    words = re.sub(r"<[^>]*>|\s+", " ", text(client, board()))
    assert re.search(r"1\s+1–1\s+Moat builder\s+1535\s+39\s+57\s+alice\s+v1\s+python", words)
    assert reverse("ladder:bot", args=[version.bot_id]) in text(client, board())


def test_a_withdrawn_bot_keeps_its_numbers_and_says_that_it_is_withdrawn(client: Client) -> None:
    version = make_version(number=7)
    make_rating(version, 1_534.6, games=250)
    assert "withdrawn: it plays" not in text(client, f"/bots/{version.bot_id}/")
    version_retire(version=version)
    make_version(version.bot, number=8, state=State.RETIRED, activated_at=None)
    page = re.sub(r"<[^>]*>", " ", text(client, f"/bots/{version.bot_id}/"))
    assert "This bot is withdrawn: it plays no more matches." in page
    facts = " ".join(page.split())
    assert "Rank withdrawn Rating 1535 ±39 League – Rated matches 250 Version v7" in facts


@pytest.mark.parametrize(
    ("fields", "step"),
    [
        ({"state": State.REJECTED}, "v2 was rejected: see why"),
        ({"state": State.FAILED}, "We could not build v2: try again"),
        ({"state": State.UPLOADED}, "v2 is being checked: look on"),
        ({"state": State.BUILDING}, "v2 is being checked: look on"),
        ({"state": State.PROBATION}, "It is on probation: look at its faults"),
        ({"state": State.ACTIVE}, "Its first matches are being paired"),
    ],
)
def test_the_front_page_shows_members_the_next_step(alices: Client, client: Client, fields: Any, step: str) -> None:
    make_version(make_version(state=State.RETIRED).bot, **fields)
    page = text(alices, "/")
    assert step in page
    assert "Moat" in page
    assert "Write a bot. Watch it climb." not in page
    assert step not in text(client, "/")


def test_the_front_page_shows_members_how_to_begin_and_to_go_on(alices: Client) -> None:
    page = text(alices, "/")
    assert "Welcome, alice" in page
    assert "How to write a bot for Kakomimasu" in page
    version = make_ranked("Moat", 1_500)
    page = text(alices, "/")
    assert f'href="/matches/?bot_id={version.bot_id}">Watch its matches' in page
    assert f'href="/upload/?bot={version.bot_id}">upload the next version' in page


def test_the_footer_links_to_help_and_to_configured_pages(client: Client, settings: Settings) -> None:
    page = text(client, "/help/")
    assert 'href="/help/#glossary"' in page
    assert "Source</a>" not in page
    assert "Contact</a>" not in page
    settings.SOURCE_URL, settings.CONTACT = "https://git.example/arena", "chief@arena.example"
    page = text(client, "/")
    assert 'href="https://git.example/arena">Source</a>' in page
    assert 'href="mailto:chief@arena.example">Contact</a>' in page
    settings.CONTACT = "https://arena.example/contact"
    assert 'href="https://arena.example/contact">Contact</a>' in text(client, "/")


def test_only_the_owner_sees_faults(alices: Client, bobs: Client) -> None:
    make_version()
    version = make_version(
        Bot.objects.get(), state=State.REJECTED, reason=stored(said("It crashed on turn 3.")), log="Traceback"
    )
    url = reverse("ladder:bot", args=[version.bot_id])
    assert "It crashed on turn 3." in text(alices, url)
    assert "It crashed on turn 3." not in text(bobs, url)


@pytest.mark.parametrize("url", ["/bots/999/", f"/bots/{10**40}/", "/games/chess/", "/games/chess/guide/", "/nowhere/"])
def test_unknown_pages_are_404_with_a_page(client: Client, url: str) -> None:
    assert "There is nothing here" in text(client, url, 404)


# --- What it costs --------------------------------------------------------------------------------------------------


def _crowd(bots: int) -> Bot:
    for index in range(bots):
        version = make_ranked(f"bot {index}", 1_500 - index, games=50 if index % 2 else 5)
        RatingPoint.objects.create(version=version, games=5, rating=1_500, standard_error=30, at=timezone.now())
        make_version(version.bot, state=State.RETIRED)
    make_standings()
    return version.bot


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("bots", [1, 12])
def test_queries_do_not_grow_with_the_arena(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, settings: Settings, bots: int
) -> None:
    settings.GAMES = ["kakomimasu"]  # the front page asks for each game's best
    bot = _crowd(bots)
    with django_assert_num_queries(6):  # board, matches, the four of ``selectors.front``
        text(client, "/")
    with django_assert_num_queries(3):  # page, the last month of its bots, matches
        text(client, board())
    with django_assert_num_queries(4):  # bot with its versions, points, opponents, matches
        text(client, reverse("ladder:bot", args=[bot.pk]))
    with django_assert_num_queries(1):  # matches
        text(client, reverse("matches:list"))


@pytest.mark.usefixtures("kept")
def test_who_is_signed_in_costs_two_queries_more(
    alices: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    bot = _crowd(12)
    own = 2  # the reader's bots, and their rows on the board
    for url, queries in ((board(), 3 + own), (reverse("ladder:bot", args=[bot.pk]), 4), (reverse("matches:list"), 2)):
        with django_assert_num_queries(2 + queries):  # session, user
            text(alices, url)


@pytest.mark.usefixtures("kept")
def test_polling_costs_three_queries(alices: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    version = make_version(state=State.BUILDING, step="compile")
    with django_assert_num_queries(3):  # session, user, version
        text(alices, reverse("ladder:version_progress", args=[version.pk]))


def test_pages_of_a_rush_of_uploads_poll_less_often(alices: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.views.uploads.UPLOADS_A_SECOND", 2)
    states = [State.RECEIVED, State.RECEIVED, State.UPLOADED, State.UPLOADED, State.BUILDING]
    every = {"received": 3, "uploaded": 3, "building": 1}
    for number, state in enumerate(states):
        make_version(make_bot(f"bot {number}"), state=state)
    for version in BotVersion.objects.all():
        page = text(alices, reverse("ladder:version_progress", args=[version.pk]))
        assert f"every {every[version.state]}s" in page


# --- Whose it is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ladder:version", "ladder:version_progress", "ladder:version_status"])
def test_only_its_owner_sees_a_version(alices: Client, bobs: Client, name: str) -> None:
    url = reverse(name, args=[make_version(state=State.REJECTED, log="secret log").pk])
    assert alices.get(url).status_code == 200
    assert "secret log" not in text(bobs, url, 404)
    assert Client().get(url).headers["Location"] == f"/accounts/login/?next={url}"


def test_owners_find_every_check_match_at_their_bot(alices: Client, bobs: Client) -> None:
    bot = make_bot()
    rejected, active = make_version(bot, state=State.REJECTED), make_version(bot)
    BotVersion.objects.update(check_replay_digest="c" * 64)
    for version in (rejected, active):
        link = f'href="/versions/{version.pk}/check/"'
        assert [link in text(reader, f"/bots/{bot.pk}/") for reader in (alices, bobs, Client())] == [True, False, False]


@pytest.mark.parametrize("action", ["retire", "retry"])
def test_nobody_acts_on_other_peoples_versions(bobs: Client, action: str, alice: User) -> None:
    version = make_version(state=State.FAILED)
    assert bobs.post(reverse("ladder:version_act", args=[version.pk, action])).status_code == 404
    version.refresh_from_db()
    assert version.state == State.FAILED


def test_pages_of_a_user_need_a_login_and_are_not_cached(alices: Client) -> None:
    for url in ("/upload/", "/mine/", reverse("ladder:version", args=[make_version().pk])):
        assert "no-store" in alices.get(url).headers["Cache-Control"]
        assert Client().get(url).headers["Location"].startswith("/accounts/login/")
    assert "Cookie" in alices.get("/").headers["Vary"]


# --- Upload ---------------------------------------------------------------------------------------------------------


def send(client: Client, name: str = "Moat", content: bytes = b"print()\n", file: str = "main.py") -> str:
    """Upload through the form, and return the refusal, or the page after the redirect and the examination."""
    form = {"contest": "kakomimasu", "name": name, "upload": an_upload(content, file)}
    answer = client.post("/upload/", form)
    examining.uploads_examine(for_seconds=10)
    return text(client, answer["Location"]) if answer.status_code == 302 else answer.text


def test_a_page_asks_seldom_while_many_wait_for_builders(alices: Client) -> None:
    page, version = send(alices), BotVersion.objects.get()
    assert f'hx-get="/versions/{version.pk}/progress/?seen=uploaded-"' in page
    assert "Your bot is in the queue" in page
    assert 'hx-trigger="every 1s"' in page
    others = make_bot("other", make_user("bob"))
    for number in range(1, 61):
        make_version(others, number=number, state=State.UPLOADED, artifact_digest="")
    progress = f"/versions/{version.pk}/progress/?seen="
    assert 'hx-trigger="every 5s"' in alices.get(progress).content.decode()
    BotVersion.objects.filter(bot=others, number__gt=20).delete()
    assert 'hx-trigger="every 3s"' in alices.get(progress).content.decode()
    version_transition(version=version, to=State.BUILDING)
    assert 'hx-trigger="every 1s"' in alices.get(progress).content.decode(), "soon there is news each second"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("<b>Moat</b>", "Please use only letters"),
        ("Mo\x07at", "Please use only letters"),
        ("x" * 1_000, "at most 40 characters"),
        ("", "This field is required."),
    ],
)
def test_an_invalid_name_is_an_error_in_the_form(alices: Client, name: str, words: str) -> None:
    page = send(alices, name)
    assert words in page
    assert "<b>Moat</b>" not in page
    assert not Bot.objects.exists()


def test_hostile_file_names_are_shown_escaped(alices: Client) -> None:
    page = send(alices, content=zip_of({f"{HOSTILE}/../x": b""}), file="bot.zip")
    assert "leads out of the archive" in page
    assert HOSTILE not in page


def test_the_form_is_filled_in_for_own_bots_only(alices: Client, bobs: Client, alice: User) -> None:
    bot = make_bot("Moat", alice)
    assert 'value="Moat"' in text(alices, f"/upload/?bot={bot.pk}")
    assert 'value="Moat"' not in text(bobs, f"/upload/?bot={bot.pk}")
    text(alices, "/upload/?bot=nonsense")


def test_the_form_needs_its_token(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post("/upload/", {"name": "Moat"}).status_code == 403


# --- Progress -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "steps"),
    [
        ({"state": State.RECEIVED, "bundle_digest": ""}, "busy waiting waiting waiting"),
        ({"state": State.REJECTED, "bundle_digest": ""}, "bad waiting waiting waiting"),
        ({"state": State.UPLOADED}, "done waiting waiting waiting"),
        ({"state": State.BUILDING, "step": "compile"}, "done busy waiting waiting"),
        ({"state": State.BUILDING, "step": "check"}, "done done busy waiting"),
        ({"state": State.REJECTED, "step": "compile", "verdict": "compile error"}, "done bad waiting waiting"),
        ({"state": State.REJECTED, "step": "check", "verdict": "time"}, "done done bad waiting"),
        ({"state": State.FAILED, "step": "fetch"}, "done bad waiting waiting"),
        ({"state": State.ACTIVE, "step": "check"}, "done done done done"),
    ],
)
def test_the_steps_of_an_upload(alices: Client, fields: dict[str, str], steps: str) -> None:
    version = make_version(**fields)
    page = text(alices, reverse("ladder:version", args=[version.pk]))
    assert re.findall(r'<li class="progress-(\w+)"', page) == steps.split()
    polls = 'id="progress" hx-get' in page
    assert polls is (fields["state"] in (State.RECEIVED, State.UPLOADED, State.BUILDING)), "polls until it is final"


@pytest.mark.parametrize(("seconds", "waits"), [(60, True), (-1, False), (3_600, False)], ids=["", "over", "set back"])
def test_an_upload_that_waits_for_our_last_attempt_says_until_when(alices: Client, seconds: int, waits: bool) -> None:
    until = timezone.now() + timedelta(seconds=seconds)
    page = text(alices, reverse("ladder:version", args=[make_version(state=State.UPLOADED, held_until=until).pk]))
    assert (f"It tries again at {clocked(until)}" in page) is waits
    assert ("Your bot is in the queue" in page) is not waits


def test_nothing_is_sent_while_nothing_has_changed(alices: Client) -> None:
    version = make_version(state=State.BUILDING, step="compile")
    url = reverse("ladder:version_progress", args=[version.pk])
    assert alices.get(url, {"seen": "building-compile"}).status_code == 204
    assert alices.get(url, {"seen": "building-fetch"}).status_code == 200


def test_a_rejection_shows_cause_and_advice(alices: Client) -> None:
    version = make_version(
        state=State.REJECTED,
        step="check",
        verdict="crashed",
        reason=stored(said(f"It died. {HOSTILE}")),
        log=f"\x1b[31m{HOSTILE}",
    )
    page = text(alices, reverse("ladder:version", args=[version.pk]))
    assert "It died." in page
    assert "Bots have the standard library" in page
    assert r"\x1b[31m&lt;script&gt;" in page
    assert HOSTILE not in page
    assert "\x1b" not in page


def test_an_owner_withdraws_a_version(alices: Client) -> None:
    act = reverse("ladder:version_act", args=[make_version().pk, "retire"])
    assert alices.get(act).status_code == 405
    for told in ("does not play any more", "cannot be withdrawn"):
        assert told in alices.post(act, follow=True).content.decode()


def test_own_bots_are_listed_with_the_used_quota(alices: Client) -> None:
    version = make_version(created_at=timezone.now())
    BotVersion.objects.filter(pk=version.pk).update(created_at=timezone.now() - timedelta(hours=3))
    page = text(alices, "/mine/")
    assert "1 of 10" in page
    assert "0 of 20" in page
    assert reverse("ladder:version", args=[version.pk]) in page


@pytest.mark.parametrize("url", ["/mine/", "/users/alice/"])
def test_withdrawn_bots_stand_apart_from_those_that_play(alices: Client, alice: User, url: str) -> None:
    make_version(make_bot("Gone", alice), state=State.RETIRED)
    only = text(alices, url)
    assert "o bot yet." not in only
    assert "<details open>" in only
    make_version(make_bot("Moat", alice))
    playing, _, apart = text(alices, url).partition("<details>")
    assert ("Moat" in playing, "Gone" in playing) == (True, False)
    assert ("Gone" in apart, "Withdrawn bots" in apart) == (True, True)


def test_who_has_played_is_not_promised_first_matches(alices: Client, alice: User) -> None:
    version = make_version(make_bot("Moat", alice))
    page = reverse("ladder:version", args=[version.pk])
    assert "Your bot is active. Its first matches are paired" in text(alices, page)
    make_rating(version)
    assert "Your bot is active." in text(alices, page)
    assert "Its first matches are paired" not in text(alices, page)


# --- The browser's rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["/", "/games/kakomimasu/", "/accounts/login/", "/nowhere/", "/healthz"])
def test_every_answer_carries_the_rules(client: Client, url: str) -> None:
    headers = client.get(url).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("url", ["/", "/games/kakomimasu/", "/games/kakomimasu/guide/", "/upload/", "/accounts/login/"])
def test_no_page_needs_anything_that_the_content_policy_forbids(alices: Client, client: Client, url: str) -> None:
    page = text(client if "accounts" in url else alices, url)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", page)
