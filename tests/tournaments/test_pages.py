"""The public pages of tournaments: what they say, what they keep to themselves, and how many queries they take."""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from common.queries.cached import cached_clear
from contests.models import Contest, Member
from matches.models import Match
from tests.contests.makers import make_contest
from tests.formats.trf_reading import trf_read
from tests.ladder.makers import make_bot, make_user, make_version
from tests.tournaments.played import (
    decide_round,
    draw_round,
    make_drawn,
    make_field,
    make_matches,
    play_rounds,
    release,
)
from tournaments.models import Tournament
from tournaments.selectors.brackets import Bracket, brackets_of
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.standings import way_of

pytestmark = pytest.mark.django_db
HERE = "/contests/spring/tournaments/final"
NAMES = [f"Bot {number}" for number in range(1, 129)]
QUERIES_MAX = 15
SINGLE = {"format": "single_elimination"}
DOUBLE = {"format": "double_elimination"}
SWISS = {"format": "swiss", "rounds": 3}


@pytest.fixture
def contest() -> Contest:
    return make_contest(visibility="public")


def _drawn(contest: Contest, entrants: int, *stages: dict[str, object], **fields: object) -> Tournament:
    return make_drawn(make_field(contest.slug, contest.game, NAMES[:entrants]), stages, **fields)


def _bracket(tournament: Tournament) -> Bracket:
    [bracket] = brackets_of(told=tournament_told(tournament=tournament, reader=AnonymousUser()))
    return bracket


def _shape(bracket: Bracket) -> list[list[int]]:
    """Return how many tables each column of each part has."""
    return [[column.tables for column in part.columns] for part in bracket.parts]


def test_a_bracket_shows_the_tables_to_come(contest: Contest) -> None:
    tournament = _drawn(contest, 5, {**SINGLE, "third_place": True})
    play_rounds(tournament, 1)
    row = draw_round(tournament)
    assert row is not None
    decide_round(tournament, row, leave_open=1)
    bracket = _bracket(tournament)
    assert _shape(bracket) == [[4, 2, 1], [1]]
    final = bracket.parts[0].columns[-1].cells[0].table
    assert final is not None
    assert not final.is_drawn
    assert final.seats[0].entrant is not None, "the winner of the first semi-final is known"
    assert final.seats[1].name == "Winner of Semi-final 2"
    assert [cell.joint for cell in bracket.parts[0].columns[0].cells] == ["first", "last"] * 2


@pytest.mark.parametrize(("entrants", "shape"), [(16, [[8, 4, 2, 1, 1], [4, 4, 2, 2, 1, 1]]), (3, [[2, 1, 1], [1, 1]])])
def test_a_double_elimination_has_two_sides(contest: Contest, entrants: int, shape: list[list[int]]) -> None:
    tournament = _drawn(contest, entrants, DOUBLE)
    draw_round(tournament)
    assert _shape(_bracket(tournament)) == shape


def test_a_bracket_is_the_same_before_and_after(contest: Contest) -> None:
    """What was supposed to come is what came; the second final is played only if it is needed."""
    tournament = _drawn(contest, 11, DOUBLE)
    draw_round(tournament)
    before = _shape(_bracket(tournament))
    row = tournament.rounds.get()
    decide_round(tournament, row)
    while not play_rounds(tournament, 1):
        after = _shape(_bracket(tournament))
        assert after in (before, [[*before[0], 1], before[1]])


def test_hidden_results_are_in_no_page(contest: Contest, client: Client) -> None:
    tournament = _drawn(contest, 4, SWISS, SINGLE, results="by_round")
    play_rounds(tournament, 1)
    play_rounds(tournament, 1, told=False, with_matches=True)
    draw_round(tournament, told=False)
    matches = [f"/matches/{match.pk}/" for match in Match.objects.all()]
    organiser = make_user("organiser")
    Member.objects.create(contest=contest, user=organiser, role="organiser")
    own = tournament.entrants.get(number=1)
    client.force_login(own.bot.owner)
    organisers = Client()
    organisers.force_login(organiser)
    for page in ("", "now/", "rounds/1/1/", "rounds/1/2/", "standings/", "cross/", f"bots/{own.bot_id}/"):
        text = client.get(f"{HERE}/{page}").text
        assert "rounds/1/3/" not in text
        assert [url for url in matches if url in text] == []
        if page != "now/":
            assert "The results of round 2 of stage 1 are hidden until the organisers release them." in text
    assert client.get(f"{HERE}/rounds/1/3/").status_code == HTTPStatus.NOT_FOUND
    assert {row["round"] for row in json.loads(client.get(f"{HERE}/results.json").content)} == {1}
    _, decided = trf_read(client.get(f"{HERE}/stage-1.trf").text)
    assert {each.pairing.round for each in decided} == {1}
    told = organisers.get(f"{HERE}/rounds/1/2/")
    assert all(url in told.text for url in matches)
    assert "private" in told["Cache-Control"]
    assert "private" in organisers.get(f"{HERE}/results.csv")["Cache-Control"]
    steps = way_of(told=tournament_told(tournament=tournament, reader=own.bot.owner), entrant=own)
    assert [(step.round.row.number, step.place is None) for step in steps] == [(1, False), (2, True)]


def test_rounds_say_how_tables_were_decided(contest: Contest, client: Client) -> None:
    tournament = _drawn(contest, 5, SINGLE)
    play_rounds(tournament, 1, with_matches=True)
    first = tournament.rounds.get()
    played = first.tables.get(outcome="played")
    played.outcome, played.reason = "by_hand", "The hall lost power."
    played.save()
    text = " ".join(client.get(f"{HERE}/rounds/1/1/").text.split())
    assert text.count("has no opponent") == 3
    assert "Decided by the organisers: The hall lost power." in text
    row = draw_round(tournament)
    assert row is not None
    table = row.tables.get(number=1)
    running = {"state": "running", "lease_token": "t" * 31, "lease_ends_at": timezone.now(), "finished_at": None}
    [match, _other] = make_matches(table, list(table.seats.all()), 0, [], **running)
    assert f'href="/matches/{match.pk}/">Watch match 1a' in client.get(f"{HERE}/").text.replace("\n", "")


def test_the_end_has_a_podium_and_a_place_on_the_board_of_honour(contest: Contest, client: Client) -> None:
    tournament = _drawn(contest, 4, {**SINGLE, "third_place": True})
    play_rounds(tournament, 9)
    release(tournament)
    winner = tournament.entrants.select_related("bot__owner").get(place=1)
    page = client.get(f"{HERE}/").text
    assert "podium-1" in page
    assert "Final places" in page
    for url in ("/contests/spring/", "/contests/spring/tournaments/"):
        assert winner.bot.name in client.get(url).text
    profile = client.get(f"/users/{winner.bot.owner.username}/").text
    assert "Honours" in profile
    assert "place 1" in client.get(f"/bots/{winner.bot_id}/").text.lower()
    Contest.objects.filter(pk=contest.pk).update(visibility="private")
    cached_clear()
    assert "Honours" not in Client().get(f"/users/{winner.bot.owner.username}/").text


def test_owners_enter_and_take_back_and_withdraw(contest: Contest, client: Client) -> None:
    alice = make_user("alice")
    bot = make_bot("Moat", alice)
    bot.contest = contest
    bot.save()
    make_version(bot)
    Member.objects.create(contest=contest, user=alice, role="participant")
    other = make_field(contest.slug, contest.game, ["Rival"])[0]
    tournament = Tournament.objects.create(
        contest=contest, slug="final", title="Final", state="open", entry="sign_up", stages=[SINGLE]
    )
    client.force_login(alice)
    assert "Rival" not in client.get(f"{HERE}/").text
    client.post(f"{HERE}/enter/", {"bot": other.bot_id})
    assert not tournament.entrants.exists(), "nobody enters the bot of another"
    client.post(f"{HERE}/enter/", {"bot": bot.pk})
    entrant = tournament.entrants.get(bot=bot)
    client.post(f"{HERE}/entries/remove/", {"entrant": entrant.pk})
    assert not tournament.entrants.exists()
    tournament.delete()

    drawn = make_drawn([bot.versions.get(), other], [SINGLE])
    draw_round(drawn)
    rival = drawn.entrants.get(bot=other.bot)
    client.post(f"{HERE}/withdraw/", {"entrant": rival.pk})
    client.post(f"{HERE}/withdraw/", {"entrant": drawn.entrants.get(bot=bot).pk, "reason": "It crashes."})
    assert drawn.entrants.get(bot=bot).left == "withdrawn"
    assert drawn.entrants.get(bot=other.bot).left == ""
    assert "It crashes." in client.get(f"{HERE}/").text


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("stage", [DOUBLE, {"format": "swiss", "rounds": 3, "best_of": 3}])
def test_large_tournaments_take_few_queries(
    contest: Contest, client: Client, stage: dict[str, object], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = _drawn(contest, 128, stage)
    play_rounds(tournament, 2)
    draw_round(tournament)
    client.force_login(tournament.entrants.get(number=2).bot.owner)
    pages = [
        "",
        "now/",
        "rounds/1/2/",
        "standings/",
        "results.csv",
        f"bots/{tournament.entrants.get(number=1).bot_id}/",
    ]
    for page in [*pages, "bracket/" if stage is DOUBLE else "cross/"]:
        with django_assert_max_num_queries(QUERIES_MAX):
            assert client.get(f"{HERE}/{page}").status_code == HTTPStatus.OK
