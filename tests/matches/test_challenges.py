"""Challenges: an owner's bot plays another one from both seats, publicly and unrated."""

from __future__ import annotations

import re
from http import HTTPStatus

import pytest
from django.test import Client
from pytest_django import Settings

from common.errors import InputError
from contests.models import Contest
from contests.services.contests import contest_transition
from core.message import said
from games.registry import game_named
from ladder.models import Bot, BotVersion
from ladder.services.versions import version_retire
from matches.models import HeadToHead, Match
from matches.selectors import matches as selectors
from matches.selectors.challenges import challenge_swapped
from matches.services.challenges import challenge_start
from matches.services.match_jobs import MATCHES
from matches.services.quarantine import match_void_and_requeue
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches.makers import finish_match, make_match, make_records
from wire.jobs import Heartbeat

pytestmark = pytest.mark.django_db

CHALLENGE = Match.Kind.CHALLENGE


@pytest.fixture
def mine() -> BotVersion:
    return make_version(make_bot("Moat", make_user("alice")), artifact_digest="1" * 64)


@pytest.fixture
def theirs() -> BotVersion:
    return make_version(make_bot("Wall", make_user("bob")), artifact_digest="2" * 64)


@pytest.fixture
def alice(client: Client, mine: BotVersion) -> Client:
    client.force_login(mine.bot.owner)
    return client


def start(mine: BotVersion, theirs: BotVersion) -> list[Match]:
    return challenge_start(owner=mine.bot.owner, bot=mine.bot, opponent=theirs.bot)


def seating(match: Match) -> list[int]:
    return list(match.seats.order_by("index").values_list("version", flat=True))


def end(match: Match, *names: str) -> Match:
    match.attempts.all().delete()
    return finish_match(match, make_records(*names))


def begin(client: Client, mine: BotVersion, theirs: BotVersion) -> str:
    """Challenge by the form's request; return the text of the page that follows."""
    answer = client.post(f"/bots/{theirs.bot_id}/challenge/begin/", {"bot": mine.bot_id}, follow=True)
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def test_both_seatings_are_played_on_one_seed_by_the_rules_of_now(mine: BotVersion, theirs: BotVersion) -> None:
    first, second = start(mine, theirs)
    assert [seating(first), seating(second)] == [[mine.pk, theirs.pk], [theirs.pk, mine.pk]]
    assert (first.seed, first.encounter, first.options) == (second.seed, second.encounter, second.options)
    assert first.rules_version == game_named("kakomimasu").rules_version
    for match in (first, second):
        assert (match.kind, match.queue_class) == (CHALLENGE, Match.QueueClass.REQUESTED)
        assert match.state == Match.State.QUEUED


def test_challenging_twice_gives_the_challenge_that_is_under_way(mine: BotVersion, theirs: BotVersion) -> None:
    first, second = start(mine, theirs)
    assert start(mine, theirs) == [first, second]
    end(first, "Moat", "Wall")
    assert start(mine, theirs) == [second]
    second.refresh_from_db()
    MATCHES.heartbeat(report=Heartbeat(second.pk, second.lease_token, "worker"))
    second.refresh_from_db()
    assert second.state == Match.State.RUNNING
    assert start(mine, theirs) == [second]
    end(second, "Wall", "Moat")
    assert {match.pk for match in start(mine, theirs)}.isdisjoint({first.pk, second.pk})


def test_other_matches_of_either_are_not_the_challenge_that_is_under_way(mine: BotVersion, theirs: BotVersion) -> None:
    other = make_version(make_bot("Keep", make_user("carol")), artifact_digest="3" * 64)
    before = {match.pk for pair in ((mine, other), (other, theirs)) for match in start(*pair)}
    rated = make_match(mine, theirs)
    assert {match.pk for match in start(mine, theirs)}.isdisjoint({*before, rated.pk})


def test_nothing_of_it_counts(mine: BotVersion, theirs: BotVersion) -> None:
    for match in start(mine, theirs):
        end(match, "Moat", "Wall")
    assert not Match.objects.rated().exists()
    assert not HeadToHead.objects.exists()
    assert not selectors.matches_list().exists()


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("another's", "Choose one of your own bots"),
        ("itself", "cannot challenge itself"),
        ("another game", "are in different contests"),
        ("withdrawn", "Wall does not play just now"),
        ("on probation", "Wall does not play just now"),
        ("mine withdrawn", "Moat does not play just now"),
        ("the same program", "the same program"),
        ("paused", "This contest is paused"),
        ("not here", "does not play this game with two players"),
    ],
)
def test_what_cannot_meet_is_refused_in_a_sentence(
    mine: BotVersion, theirs: BotVersion, case: str, sentence: str, settings: Settings
) -> None:
    owner, bot, opponent = mine.bot.owner, mine.bot, theirs.bot
    match case:
        case "another's":
            bot = make_version(make_bot("Keep", make_user("carol")), artifact_digest="3" * 64).bot
        case "itself":
            opponent = bot
        case "another game":
            Bot.objects.filter(pk=opponent.pk).update(contest="puyo", game="puyo")
            opponent.refresh_from_db()
        case "withdrawn":
            version_retire(version=theirs)
        case "on probation":
            BotVersion.objects.filter(pk=theirs.pk).update(state=BotVersion.State.PROBATION)
        case "mine withdrawn":
            version_retire(version=mine)
        case "the same program":
            BotVersion.objects.filter(pk=mine.pk).update(artifact_digest=theirs.artifact_digest)
        case "paused":
            contest_transition(contest="kakomimasu", to=Contest.State.PAUSED, actor=None)
        case "not here":
            settings.GAMES = ["puyo"]
    with pytest.raises(InputError, match=sentence):
        challenge_start(owner=owner, bot=bot, opponent=opponent)
    assert not Match.objects.exists()


def test_a_page_leads_to_it_and_shows_both_matches(alice: Client, mine: BotVersion, theirs: BotVersion) -> None:
    assert f"/bots/{theirs.bot_id}/challenge/" in alice.get(f"/bots/{theirs.bot_id}/").content.decode()
    assert f"/bots/{mine.bot_id}/challenge/" not in alice.get(f"/bots/{mine.bot_id}/").content.decode()
    assert f'<option value="{mine.bot_id}">Moat' in alice.get(f"/bots/{theirs.bot_id}/challenge/").content.decode()

    text = begin(alice, mine, theirs)
    first, second = Match.objects.order_by("pk")
    assert f"/matches/{first.pk}/state/" in text
    assert f'swapped is <a href="/matches/{second.pk}/">' in text
    text = Client().get(f"/matches/{second.pk}/").content.decode()
    assert f'swapped is <a href="/matches/{first.pk}/">' in text
    assert "It is not rated." in text
    assert f"/matches/{first.pk}/" in Client().get("/matches/?kind=challenge&bot=wall").content.decode()


def test_the_own_active_bots_of_the_game_are_there_to_choose_from(
    alice: Client, mine: BotVersion, theirs: BotVersion
) -> None:
    second = make_version(make_bot("Tower", mine.bot.owner)).bot
    elsewhere = make_version(make_bot("Elsewhere", mine.bot.owner)).bot
    Bot.objects.filter(pk=elsewhere.pk).update(contest="puyo", game="puyo")
    make_version(make_bot("Withdrawn", mine.bot.owner), state=BotVersion.State.RETIRED)

    def offered(opponent: Bot) -> list[str]:
        return re.findall(r'<option value="(\d+)">', alice.get(f"/bots/{opponent.pk}/challenge/").content.decode())

    assert offered(theirs.bot) == [str(mine.bot_id), str(second.pk)]
    assert offered(second) == [str(mine.bot_id)]


def test_each_challenge_of_two_bots_has_matches_of_its_own(mine: BotVersion, theirs: BotVersion) -> None:
    first, second = start(mine, theirs)
    for match in (first, second):
        match.attempts.all().delete()
        finish_match(match)
    start(mine, theirs)
    assert challenge_swapped(match=first) == second


def test_a_match_that_is_played_instead_is_the_one_that_is_named(mine: BotVersion, theirs: BotVersion) -> None:
    first, second = start(mine, theirs)
    new = match_void_and_requeue(pk=second.pk, reason=said("Its worker was wrong."))
    assert new is not None
    assert (new.kind, seating(new)) == (CHALLENGE, seating(second))
    assert f'swapped is <a href="/matches/{new.pk}/">' in Client().get(f"/matches/{first.pk}/").content.decode()
    for match in (second, new):
        text = Client().get(f"/matches/{match.pk}/").content.decode()
        assert f'swapped is <a href="/matches/{first.pk}/">' in text


def test_an_owner_without_such_a_bot_reads_what_to_do(client: Client, theirs: BotVersion) -> None:
    client.force_login(make_user("carol"))
    text = client.get(f"/bots/{theirs.bot_id}/challenge/").content.decode()
    assert "You have no active bot that plays this game." in text
    assert "/upload/?contest=kakomimasu" in text
    assert "Choose one of your bots from the list." in begin(client, theirs, theirs)
    assert not Match.objects.exists()


def test_a_paused_game_has_a_notice_in_place_of_the_form(alice: Client, mine: BotVersion, theirs: BotVersion) -> None:
    contest_transition(contest="kakomimasu", to=Contest.State.PAUSED, actor=None)
    text = alice.get(f"/bots/{theirs.bot_id}/challenge/").content.decode()
    assert "This contest is paused" in text
    assert "<button" not in text.split("<main", 1)[1].split("</main>", 1)[0]
    assert "This contest is paused" in begin(alice, mine, theirs)


def test_a_visitor_who_is_not_signed_in_is_asked_to_sign_in(client: Client, theirs: BotVersion) -> None:
    for answer in (
        client.get(f"/bots/{theirs.bot_id}/challenge/"),
        client.post(f"/bots/{theirs.bot_id}/challenge/begin/", {"bot": theirs.bot_id}),
    ):
        assert answer.status_code == HTTPStatus.FOUND
        assert "/login/" in answer["Location"]


def test_asking_too_often_is_refused(alice: Client, mine: BotVersion, theirs: BotVersion, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"challenge": "1/h/user"}
    begin(alice, mine, theirs)
    answer = alice.post(f"/bots/{theirs.bot_id}/challenge/begin/", {"bot": mine.bot_id})
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_the_api_challenges_too(alice: Client, mine: BotVersion, theirs: BotVersion) -> None:
    path = f"/api/v1/bots/{theirs.bot_id}/challenge/"
    answer = alice.post(path, {"bot": mine.bot_id}, content_type="application/json")
    assert answer.status_code == HTTPStatus.CREATED
    assert [[seat["bot"] for seat in match["seats"]] for match in answer.json()] == [
        [mine.bot_id, theirs.bot_id],
        [theirs.bot_id, mine.bot_id],
    ]
    refused = alice.post(path, {"bot": theirs.bot_id}, content_type="application/json")
    assert (refused.status_code, refused.json()["detail"]) == (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Choose one of your own bots to play against it.",
    )
    assert alice.post(path, {"bot": 999}, content_type="application/json").status_code == HTTPStatus.NOT_FOUND
