"""The pages of matches and the endpoints of replays, without a browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from common.times import clocked
from core.message import Message, said, stored
from matches.models import Attempt, Match, Result, Seat
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_records, make_version, store_replay
from wire.turnlog import LoggedTurn, pack

pytestmark = pytest.mark.django_db


@pytest.fixture
def faulty() -> Match:
    records = make_records("Alpha", "Beta", fault_turn=3)
    return finish_match(make_match(make_version("Alpha"), make_version("Beta")), records)


def page(client: Client, name: str, *args: int, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == HTTPStatus.OK, response
    return response.content.decode()


# --- The page of a match --------------------------------------------------------------------------------------------


def test_a_link_to_a_match_names_its_bots_and_its_result_wherever_it_is_sent(client: Client) -> None:
    waiting = make_match(make_version("Alpha"), make_version('"><b>'))
    title = f"Alpha against &quot;&gt;&lt;b&gt; · Kakomimasu · Match {waiting.pk}"

    def preview() -> str:
        text = page(client, "matches:match", waiting.pk)
        assert f"<title>{title} · Banzuke</title>" in text
        assert f'property="og:title" content="{title}"' in text
        return text.partition('property="og:description" content="')[2].partition('">')[0]

    assert preview() == "waiting for a worker"
    finish_match(waiting)
    Seat.objects.filter(match=waiting, index=0).update(rank=2, score=3.5)
    Seat.objects.filter(match=waiting, index=1).update(rank=1, score=7)
    assert preview() == "1. &quot;&gt;&lt;b&gt; 7, 2. Alpha 3.5"
    assert f"<title>{title} · Banzuke</title>" in page(client, "matches:embed", waiting.pk)


@pytest.mark.parametrize(
    ("language", "title"), [("en", "a against b against c"), ("ja", "a 対 b 対 c"), ("ru", "a против b против c")]
)
def test_the_bots_of_a_match_are_told_by_one_sentence_in_every_language(
    client: Client, language: str, title: str
) -> None:
    match = make_match(*map(make_version, "abc"))
    text = client.get(reverse("matches:match", args=[match.pk]), headers={"Accept-Language": language}).text
    assert f"<title>{title} · " in text
    heading = text.partition("<h1>")[2].partition("</h1>")[0]
    assert heading.count("<bdi>") == 3
    assert re.sub("<[^>]*>", "", heading) == title


def test_times_have_their_zone(client: Client, finished: Match) -> None:
    """Without a zone, for readers in other zones, a match seems to be hours old, or in the future."""
    moment = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
    Match.objects.filter(pk=finished.pk).update(created_at=moment, finished_at=moment)
    finished.attempts.update(queued_at=moment)

    text = page(client, "matches:match", finished.pk)
    assert text.count(">2026-03-01 23:59 UTC</time>") == 2
    assert ">23:59:00 UTC</time></td>" in text
    assert 'title="2026-03-01 23:59 UTC"' in page(client, "matches:list")
    japanese = client.get(f"/matches/{finished.pk}/", headers={"Accept-Language": "ja"}).content.decode()
    assert ">2026/03/01 23:59 UTC</time>" in japanese


@pytest.mark.usefixtures("kept")
def test_match_page_shows_seats_and_attempts_by_a_fixed_number_of_queries(
    client: Client, finished: Match, kept: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(5):
        text = page(client, "matches:match", finished.pk)
    assert [word for word in ("Alpha", "Beta owner", "worker-1", 'data-viewer="root"') if word not in text] == []


def test_everybody_sees_the_verdict_and_only_the_owner_the_evidence(client: Client, faulty: Match) -> None:
    owners = {seat.version.bot.name: seat.version.bot.owner for seat in faulty.seats.all()}

    stranger = page(client, "matches:match", faulty.pk)
    client.force_login(owners["Alpha"])
    opponent = page(client, "matches:match", faulty.pk)
    client.force_login(owners["Beta"])
    owner = page(client, "matches:match", faulty.pk)

    for text in (stranger, opponent, owner):
        assert "crashed" in text
    for text in (stranger, opponent):
        assert "Traceback" not in text
        assert "seen by you alone" not in text
    assert "Traceback &lt;b&gt;" in owner
    assert "2.5 ms" in owner
    assert "Your program ended by itself." in owner
    assert "Exit code" in owner
    assert "no-store" in client.get(f"/matches/{faulty.pk}/").headers["Cache-Control"]
    russian = client.get(f"/matches/{faulty.pk}/", headers={"Accept-Language": "ru"}).content.decode()
    assert ">2,5 мс</dd>" in russian
    assert " МиБ</dd>" in russian


def test_the_turns_are_seen_by_their_owner_alone(client: Client, finished: Match) -> None:
    turns = [LoggedTurn(seat, 1, "go", "NONE", f"thought of <b> {seat}", 1.0, 2.0) for seat in (0, 1)]
    Result.objects.filter(match=finished).update(log_digest=store_replay(pack(turns)))
    owner = finished.seats.all()[1].version.bot.owner
    url, download = (reverse(f"matches:{name}", args=[finished.pk]) for name in ("match_log", "match_log_json"))
    assert client.get(url).status_code == HTTPStatus.FOUND

    client.force_login(make_user("stranger"))
    assert [client.get(each).status_code for each in (url, download)] == [HTTPStatus.NOT_FOUND] * 2
    text = page(client, "matches:match", finished.pk)
    assert (url in text, 'data-viewer="own"' in text) == (False, False)
    client.force_login(owner)
    text = page(client, "matches:match", finished.pk)
    assert (url in text, 'data-viewer="own"' in text) == (True, True)
    log = client.get(url).content.decode()
    assert "thought of &lt;b&gt; 1" in log
    assert "thought of &lt;b&gt; 0" not in log
    assert f'<a href="{download}" download="match-{finished.pk}-log.json">' in log
    answer = client.get(download)
    assert {turn["seat"] for turn in answer.json()} == {1}
    assert "no-store" in answer.headers["Cache-Control"]
    Result.objects.filter(match=finished).update(log_digest="e" * 64)
    assert client.get(url).status_code == HTTPStatus.NOT_FOUND, "a log that is lost"


def test_the_head_of_a_long_standard_error_is_there_too(client: Client, faulty: Match) -> None:
    """In a Java stack overflow the name of the error stands before a thousand lines of stack trace."""
    seat = faulty.seats.exclude(verdict="").get()
    client.force_login(seat.version.bot.owner)
    assert "All that was kept" not in page(client, "matches:match", faulty.pk)
    seat.evidence |= {"stderr": "\n".join(["java.lang.StackOverflowError <b>", *(f"at line {n}" for n in range(100))])}
    seat.save()
    text = page(client, "matches:match", faulty.pk)
    assert text.count("java.lang.StackOverflowError &lt;b&gt;") == 1
    assert text.index("at line 99") < text.index("All that was kept") < text.index("StackOverflowError")


def test_what_a_bot_wrote_steers_no_terminal_and_reverses_no_text(client: Client, faulty: Match) -> None:
    """The attack: escape sequences in standard error run in the terminal of an owner who pastes it there."""
    evil, shown = "\x1b[2J\u202eread", r"\x1b[2J\u202eread"
    seat = faulty.seats.exclude(verdict="").get()
    seat.evidence |= {"stderr": evil, "last_input": evil, "last_output": evil, "why": stored(said(evil))}
    seat.save()
    turn = LoggedTurn(seat.index, 1, evil, evil, evil, 1.0, 2.0)
    Result.objects.filter(match=faulty).update(log_digest=store_replay(pack([turn])))
    client.force_login(seat.version.bot.owner)
    for name, times in (("match", 4), ("match_log", 3)):
        text = page(client, f"matches:{name}", faulty.pk)
        assert (evil in text, text.count(shown)) == (False, times + (name == "match_log"))
    (turn,) = client.get(reverse("matches:match_log_json", args=[faulty.pk])).json()
    assert {turn["asked"], turn["answered"], turn["stderr"]} == {shown}


def test_the_page_of_a_match_that_waits_asks_for_its_state_until_it_may_be_reloaded(client: Client) -> None:
    match = make_match(make_version("a"), make_version("b"))
    Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(seconds=20))
    url = reverse("matches:match_state", args=[match.pk]) + "?seen=queued"
    text = page(client, "matches:match", match.pk)
    assert f'hx-get="{url}"' in text
    assert re.search(r"It was paired <time[^>]+>2\d\sseconds ago</time>\.", text), (
        "of so short a wait minutes would say nothing"
    )
    assert "Reload this page to see how far it is." in text.partition("<noscript>")[2]
    assert 'data-viewer="root"' not in text
    assert "HX-Refresh" not in client.get(url).headers
    Match.objects.filter(pk=match.pk).update(state=Match.State.RUNNING, lease_ends_at=match.created_at)
    assert client.get(url).headers["HX-Refresh"] == "true"
    finish_match(match)
    assert client.get(url.partition("?")[0]).headers["HX-Refresh"] == "true"


def test_an_attempt_is_under_way_once_a_worker_has_taken_it(client: Client) -> None:
    match = make_match(make_version("a"), make_version("b"))
    Attempt.objects.create(match=match, number=1, lease_token="1" * 32)
    assert re.search(r"<td>\s*waiting", page(client, "matches:match", match.pk))
    match.attempts.update(started_at=timezone.now())
    assert "<td>under way" in page(client, "matches:match", match.pk)


@pytest.mark.parametrize(("seconds", "waits"), [(60, True), (-1, False), (3_600, False)], ids=["", "over", "set back"])
def test_a_match_that_waits_for_our_last_attempt_says_until_when(client: Client, seconds: int, waits: bool) -> None:
    until = timezone.now() + timedelta(seconds=seconds)
    match = make_match(make_version("a"), make_version("b"), attempt=3, held_until=until)
    assert (f"It waits until {clocked(until)}" in page(client, "matches:match", match.pk)) is waits


def test_void_match_says_platform_fault_in_plain_words(client: Client) -> None:
    reason = "Our platform failed 3 times."
    match = make_match(make_version("a"), make_version("b"), state=Match.State.VOID, void_reason=stored(said(reason)))
    assert "Platform fault" not in page(client, "matches:match", match.pk), "an administrator took it out"
    lost = {"match": match, "ending": "lost", "reason": stored(Message("worker-silent"))}
    Attempt.objects.bulk_create([Attempt(number=n, lease_token=f"{n:032x}", **lost) for n in (1, 2, 3)])
    text = page(client, "matches:match", match.pk)
    assert "Platform fault: this match has no result." in text
    assert reason in text
    assert text.count("The worker gave no sign of life any more.") == 3
    assert "hx-get" not in text
    answer = client.get(reverse("api:match", args=[match.pk])).json()
    assert [attempt["reason"] for attempt in answer["attempts"]] == ["The worker gave no sign of life any more."] * 3
    match.attempts.filter(number=3).update(ending=Attempt.Ending.WITHDRAWN)
    assert "Platform fault" not in page(client, "matches:match", match.pk), "an attempt taken back is no failure"


def test_match_taken_out_by_an_administrator_keeps_its_replay(client: Client, finished: Match) -> None:
    Match.objects.update(state=Match.State.VOID, void_reason=stored(Message("match-voided")))

    text = page(client, "matches:match", finished.pk)

    assert "This match does not count." in text
    assert "It was played, and then taken out" in text
    assert "paired again" not in text
    assert "Platform fault" not in text
    assert 'data-viewer="root"' in text


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [("ladder", "the bots are paired again by themselves"), ("challenge", "It is not played again by itself")],
)
def test_void_match_says_whether_it_is_played_again(client: Client, kind: str, sentence: str) -> None:
    match = make_match(make_version("a"), make_version("b"), kind=kind, state=Match.State.VOID)
    assert sentence in page(client, "matches:match", match.pk)


def test_void_match_leads_to_the_one_that_is_played_instead_and_back(client: Client) -> None:
    taken_out = make_match(make_version("a"), make_version("b"), kind="challenge", state=Match.State.VOID)
    instead = make_match(make_version("c"), make_version("d"), kind="challenge", replaces=taken_out)
    urls = [reverse("matches:match", args=[match.pk]) for match in (taken_out, instead)]

    assert f'The same bots play it again: <a href="{urls[1]}">' in page(client, "matches:match", taken_out.pk)
    assert f'It is played instead of <a href="{urls[0]}">' in page(client, "matches:match", instead.pk)
    links = [client.get(reverse("api:match", args=[pk])).json() for pk in (taken_out.pk, instead.pk)]
    assert [(link["replaces"], link["replaced_by"]) for link in links] == [
        (None, instead.pk),
        (taken_out.pk, None),
    ]


def test_hostile_names_are_escaped(client: Client) -> None:
    name = "<script>alert(1)</script>"
    match = finish_match(make_match(make_version(name), make_version("b")))

    assert "<script>alert" not in page(client, "matches:match", match.pk)
    assert "<script>alert" not in page(client, "matches:list")


def test_a_hostile_name_is_no_markup_in_the_line_for_other_pages(client: Client) -> None:
    match = finish_match(make_match(make_version('"><script>alert(1)</script>'), make_version('" onload="alert(1)')))
    shown = re.search(r"<pre[^>]*>\n?(.*?)</pre>", page(client, "matches:match", match.pk))
    assert shown

    found: list[tuple[str, dict[str, str | None]]] = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attrs: found.append((tag, dict(attrs)))  # type: ignore[method-assign]
    reader.feed(unescape(shown[1]))  # what is copied from the page
    ((tag, attributes),) = found
    assert (tag, sorted(attributes)) == ("iframe", ["height", "src", "title", "width"])
    assert str(attributes["title"]).startswith('"><script>alert(1)</script> against " onload="alert(1) · ')


def test_an_unknown_match_is_not_found_and_pages_only_read(client: Client, finished: Match) -> None:
    for name in ("match", "match_state", "replay", "replay_json"):
        assert client.get(reverse(f"matches:{name}", args=[999])).status_code == HTTPStatus.NOT_FOUND
        url = reverse(f"matches:{name}", args=[finished.pk])
        assert client.post(url).status_code == HTTPStatus.METHOD_NOT_ALLOWED


# --- The list -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("kept")
def test_list_has_a_fixed_number_of_queries(
    client: Client, kept: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a, b = make_version("a"), make_version("b")
    for _ in range(5):
        finish_match(make_match(a, b))

    with django_assert_num_queries(1):
        page(client, "matches:list")


def test_a_list_of_several_games_names_them(client: Client) -> None:
    finish_match(make_match(make_version("Alpha"), make_version("Beta")))
    rows = client.get(reverse("matches:list")).content.decode().partition("<tbody>")[2]
    of_one = client.get(reverse("matches:list"), {"contest": "kakomimasu"}).content.decode().partition("<tbody>")[2]

    assert "Kakomimasu" in rows
    assert "Kakomimasu" not in of_one
    assert "Alpha" in of_one


# --- Administration -------------------------------------------------------------------------------------------------


def test_administrator_reads_matches_and_takes_one_out(admin_client: Client, finished: Match) -> None:
    url = reverse("admin:matches_match_changelist")
    act = {"action": "void", "_selected_action": finished.pk}

    shown = admin_client.get(reverse("admin:matches_match_change", args=[finished.pk]))
    first = admin_client.post(url, act, follow=True)
    second = admin_client.post(url, act, follow=True)

    finished.refresh_from_db()
    assert shown.status_code == HTTPStatus.OK
    assert first.status_code == HTTPStatus.OK
    assert finished.state == Match.State.VOID
    assert "is void already" in second.content.decode()
