"""What each page of a tournament says in each state, to guests and to others, and how pages lead to each other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts.models import User
from contests.models import Member
from ladder.models import Bot
from matches.models import Match
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import decide_table, make_round, make_tournament, queue_matches
from tests.visitors import signed_in, words
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.tournaments import tournament_seen, tournaments_seen
from tournaments.templatetags.tournaments_tags import match_table

pytestmark = pytest.mark.django_db

HOME = "/games/kakomimasu/tournaments/"
HERE = f"{HOME}final/"
SWISS = [{"format": "swiss", "rounds": 3}]
ROBIN = [{"format": "round_robin"}]
TWO = [{"format": "swiss", "rounds": 1, "goes_on": 2}, {"format": "single_elimination"}]
PAGES = ("", "now/", "standings/", "cross/", "bracket/", "rounds/1/1/", "results.csv", "show/")


@pytest.fixture
def staff() -> User:
    return make_user("root", is_staff=True)


def play(match: Match) -> None:
    """Have a worker play a match that waits."""
    Match.objects.filter(pk=match.pk).update(state="running", lease_ends_at=timezone.now() + timedelta(minutes=1))


# --- Who sees it -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_a_draft_is_there_for_organisers_alone(page: str, client: Client, staff: User) -> None:
    make_tournament("draft")
    assert client.get(f"{HERE}{page}").status_code == 404
    expected = 404 if page in ("rounds/1/1/", "show/") else 200
    assert signed_in(staff).get(f"{HERE}{page}").status_code == expected


def test_drafts_are_listed_to_organisers_with_a_way_to_the_desk(client: Client, staff: User) -> None:
    make_tournament("draft")
    guest, organiser = client.get(HOME).text, signed_in(staff).get(HOME).text
    assert "Spring final" not in guest
    assert "There is no tournament yet." in guest
    assert f'href="{HERE}desk/"' in organiser
    assert f'href="{HOME}new/"' in organiser


def test_tournaments_are_found_by_their_contest_and_key() -> None:
    contest = make_contest("spring", visibility="public")
    tournament = make_tournament("open", contest="spring")
    guest = AnonymousUser()
    assert tournament_seen(contest=contest, slug="final", reader=guest) == tournament
    for slug in ("Final", "other", "", "a\0b", "x" * 1_000):
        assert tournament_seen(contest=contest, slug=slug, reader=guest) is None
    other = make_contest("autumn", visibility="public")
    assert tournament_seen(contest=other, slug="final", reader=guest) is None
    draft = make_tournament("draft", contest="spring", slug="next", entrants=0)
    assert list(tournaments_seen(contest=contest, reader=guest)) == [tournament]
    oda = make_user("oda")
    Member.objects.create(contest=contest, user=oda, role=Member.Role.ORGANISER)
    assert list(tournaments_seen(contest=contest, reader=oda)) == [draft, tournament]


@pytest.mark.parametrize("page", PAGES)
def test_a_private_contest_hides_its_tournaments(page: str, client: Client) -> None:
    make_contest("spring")
    make_tournament("released", contest="spring")
    answers = [client.get(f"/contests/{contest}/tournaments/final/{page}") for contest in ("spring", "nothing")]
    assert [answer.status_code for answer in answers] == [404, 404]


# --- The page of a tournament ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "shown", "hidden"),
    [
        ("open", ["open for entries", "Entrants", "How it is played"], ["Seed", "Standings", "CSV"]),
        ("drawn", ["drawn", "Seed", "Semi-finals", "Bracket"], ["Final places"]),
        ("running", ["being played", "tables decided", "Standings"], ["Final places"]),
        ("paused", ["The tournament is paused.", "The hall has no electricity."], ["Final places"]),
        ("finished", ["finished", "Final places"], ["The tournament is paused."]),
        ("released", ["over", "Final places", "CSV", "JSON"], ["tables decided"]),
    ],
)
def test_each_state_has_its_page(state: str, shown: list[str], hidden: list[str], client: Client) -> None:
    make_tournament(state)
    text = words(client, HERE)
    for word in shown:
        assert word in text, word
    for word in hidden:
        assert word not in text, word


def test_what_is_played_live_is_fetched_again_until_it_ends(client: Client) -> None:
    tournament = make_tournament("running")
    part = client.get(f"{HERE}now/").text
    assert 'hx-trigger="every 4s"' in part
    Tournament.objects.update(results="at_end")
    tournament.rounds.update(released_at=None)
    assert 'hx-trigger="every 20s"' in client.get(f"{HERE}now/").text, "what is hidden changes seldom"
    Tournament.objects.update(state="finished")
    part = client.get(f"{HERE}now/", headers={"HX-Request": "true"}).text
    assert "hx-trigger" not in part
    assert "Reload the page" in part


def test_matches_that_are_being_played_are_led_to(client: Client) -> None:
    make_tournament("running")
    match = Match.objects.filter(state="queued")[0]
    url = f"/matches/{match.pk}/"
    assert url not in client.get(f"{HERE}now/").text
    play(match)
    assert url in client.get(f"{HERE}now/").text


def test_markdown_of_the_description_runs_no_script(client: Client) -> None:
    """The attack: an organiser's text has a script for every reader."""
    make_tournament("open", description="**Bold** <script>alert(1)</script>", prizes="<b>Gold</b>")
    page = client.get(HERE).text
    assert "<strong>Bold</strong>" in page
    assert "<script>alert(1)" not in page
    assert "&lt;b&gt;Gold" in page


def test_stages_are_told_with_their_rounds(client: Client) -> None:
    tournament = make_tournament("running", stages=TWO)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), None])
    text = words(client, HERE)
    assert "Stages and rounds" in text
    assert "Swiss, 1 round" in text
    assert "The first 2 go on to the next stage." in text
    assert "1/2" in text


def test_who_left_is_marked_with_the_reason(client: Client) -> None:
    tournament = make_tournament("running")
    tournament.entrants.filter(number=1).update(
        left="disqualified", left_stage=0, left_round=2, left_reason="It was <copied>."
    )
    page = client.get(HERE).text
    assert "disqualified" in page
    assert "It was &lt;copied&gt;." in page
    bot = Bot.objects.get(name="Moat")
    assert "disqualified: It was &lt;copied&gt;." in client.get(f"{HERE}bots/{bot.pk}/").text


# --- Its other pages -------------------------------------------------------------------------------------------------


def test_rounds_lead_to_each_other(client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS)
    for _ in range(2):
        make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    make_round(tournament, (1, 2), (3, 4))
    pages = [client.get(f"{HERE}rounds/1/{number}/").text for number in (1, 2, 3)]
    assert [('rel="prev"' in page, 'rel="next"' in page) for page in pages] == [
        (False, True),
        (True, True),
        (True, False),
    ]
    for wrong in ("1/4", "2/1", "0/1", "1/0"):
        assert client.get(f"{HERE}rounds/{wrong}/").status_code == 404


def test_a_round_shows_each_match_and_how_a_table_was_decided(client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS, entrants=3)
    row = make_round(tournament, (1, 2), (3,), points=[None, (1,)])
    table = row.tables.get(number=1)
    matches = queue_matches(table)
    text = client.get(f"{HERE}rounds/1/1/").text
    assert all(f"/matches/{match.pk}/" in text for match in matches)
    assert "has no opponent and goes on with the points of a win: a bye." in text
    play(matches[0])
    assert "live" in words(client, f"{HERE}rounds/1/1/")
    decide_table(table, (0.5, 0.5), outcome=Table.Outcome.BY_HAND)
    Table.objects.filter(pk=table.pk).update(reason="A power cut.")
    assert "A power cut." in words(client, f"{HERE}rounds/1/1/")


def test_standings_say_what_their_columns_count(client: Client) -> None:
    tournament = make_tournament("running", stages=TWO)
    assert "There are no standings before the draw." in words(client, f"{HERE}standings/")
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (0.5, 0.5)])
    text = words(client, f"{HERE}standings/")
    assert "After 1 round." in text
    assert "Bots above the double line go on, as it stands." in text
    assert "BH · Buchholz" in text
    assert "Sum of the points of all opponents." in text
    assert 'title="Buchholz: Sum of the points of all opponents."' in client.get(f"{HERE}standings/").text
    assert f'href="{HERE}stage-1.trf"' in client.get(f"{HERE}standings/").text


def test_a_cross_table_leads_to_the_tables(client: Client) -> None:
    tournament = make_tournament("running", stages=ROBIN)
    assert "There is no cross table" in words(client, f"{HERE}cross/")
    make_round(tournament, (1, 4), (2, 3), points=[(1, 0), (0.5, 0.5)])
    page = client.get(f"{HERE}cross/").text
    assert f'href="{HERE}rounds/1/1/#table-1"' in page
    assert f'href="{HERE}rounds/1/1/#table-2"' in page
    assert "Each cell: the points of the bot of the row against the bot" in words(client, f"{HERE}cross/")


def test_the_way_of_a_bot_is_told_round_by_round(client: Client) -> None:
    make_tournament("released")
    bot = Bot.objects.get(name="Keep")
    text = words(client, f"{HERE}bots/{bot.pk}/")
    assert "Semi-finals" in text
    assert "Final" in text
    assert "seed 2" in text
    for wrong in (bot.pk + 1_000, 0):
        assert client.get(f"{HERE}bots/{wrong}/").status_code == 404


def test_a_bot_that_is_entered_only_has_no_way_yet(client: Client) -> None:
    tournament = make_tournament("open")
    bot = tournament.entrants.all()[0].bot
    assert client.get(f"{HERE}bots/{bot.pk}/").status_code == 404
    page = client.get(f"/bots/{bot.pk}/").text
    assert f'href="{HERE}"' in page


@pytest.mark.parametrize(
    ("stages", "tabs", "missing"),
    [
        (SWISS, ["standings/", "cross/"], ["bracket/"]),
        ([{"format": "single_elimination"}], ["standings/", "bracket/"], ["cross/"]),
        (TWO, ["standings/", "cross/", "bracket/"], []),
    ],
)
def test_tabs_lead_to_what_the_formats_have(
    stages: list[dict[str, object]], tabs: list[str], missing: list[str], client: Client
) -> None:
    tournament = make_tournament("running", stages=stages)
    if not tournament.rounds.exists():
        make_round(tournament, (1, 3), (2, 4))
    page = client.get(HERE).text
    for tab in tabs:
        assert f'href="{HERE}{tab}"' in page
    for tab in missing:
        assert f'href="{HERE}{tab}"' not in page
    assert "/desk/" not in page


def test_no_proxy_keeps_what_an_organiser_sees(client: Client, staff: User) -> None:
    make_tournament("finished", results="at_end")
    for page in ("", "standings/", "rounds/1/1/", "bracket/"):
        assert "private" in signed_in(staff).get(f"{HERE}{page}")["Cache-Control"]


# --- Pages of others -------------------------------------------------------------------------------------------------


def test_a_match_says_at_which_table_it_was_played(client: Client) -> None:
    tournament = make_tournament("released", title="<Spring> final")
    final = Table.objects.get(round__number=2)
    match = final.matches.all()[0].match
    said = f'At table 1 of round 2 of <a href="{HERE}"><bdi>&lt;Spring&gt; final</bdi></a>.'
    assert match_table(match) == said
    assert "At table 1 of round 2 of" in words(client, f"/matches/{match.pk}/")
    Tournament.objects.filter(pk=tournament.pk).update(stages=TWO)
    assert "round 2 in stage 1 of" in match_table(match)
    match.kind = Match.Kind.LADDER
    assert match_table(match) == ""


def test_the_list_of_a_contest_tells_when_the_next_one_begins(client: Client) -> None:
    make_tournament("open", entrants=0, starts_at=timezone.now() + timedelta(days=2))
    make_tournament("released", slug="past", title="Autumn final")
    page = client.get(HOME).text
    assert "<time" in page
    text = words(client, HOME)
    assert "Past tournaments" in page
    assert text.index("Spring final") < text.index("Autumn final")
    winner = Entrant.objects.get(place=1)
    assert f"/bots/{winner.bot_id}/" in page
