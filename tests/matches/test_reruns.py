"""Re-runs: the same match once more, for anybody who asks, never rated; private tests are seen by their owner alone."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from common.errors import InputError
from games.registry import game_named
from matches.models import Match
from matches.selectors import matches as selectors
from matches.selectors.tables import matches_recent
from matches.services.match_jobs import MATCHES
from matches.services.reruns import match_rerun
from tests.installing import games_installed
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()
Kind = Match.Kind


@pytest.fixture
def original() -> Match:
    match = make_match(make_version("Alpha"), make_version("Beta"), options={"board": "A-1", "agents": 2})
    Match.objects.filter(pk=match.pk).update(rules_version=game_named("kakomimasu").rules_version)
    return finish_match(match)


@pytest.fixture
def trial() -> Match:
    return finish_match(make_match(make_version("Alpha"), make_version("Beta"), kind=Kind.TRIAL))


@pytest.fixture
def user(client: Client) -> User:
    made = make_user("carol")
    client.force_login(made)
    return made


def finish(match: Match, **faults: int) -> Match:
    """End a match that has been put into the queue."""
    match.attempts.all().delete()
    return finish_match(match, make_records("Alpha", "Beta", **faults))


def ask(client: Client, match: Match) -> str:
    """Request a re-run by the button's request; return the text of the page that follows."""
    response = client.post(reverse("matches:match_again", args=[match.pk]), follow=True)
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def test_a_rerun_is_the_same_match_of_another_kind(original: Match) -> None:
    again = match_rerun(match=original)
    again.refresh_from_db()
    for field in ("game", "rules_version", "options", "seed"):
        assert getattr(again, field) == getattr(original, field)
    assert [seat.version for seat in again.seats.all()] == [seat.version for seat in original.seats.all()]
    assert (again.kind, again.queue_class) == (Kind.RERUN, Match.QueueClass.REQUESTED)
    assert (again.original, again.state) == (original, Match.State.QUEUED)
    assert again.encounter not in ("", original.encounter)


def test_asking_twice_gives_one_rerun_and_a_rerun_reruns_its_original(original: Match) -> None:
    first = match_rerun(match=original)
    assert match_rerun(match=original) == first
    finish(first)
    first.refresh_from_db()
    second = match_rerun(match=first)
    assert second != first
    assert second.original == original


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"state": Match.State.QUEUED}, "Only a match with a result"),
        ({"state": Match.State.VOID}, "This match does not count, so it cannot be re-run"),
        ({"kind": Kind.TRIAL}, "A private test cannot be re-run"),
        ({"rules_version": "0"}, "by version 0 of the rules of Kakomimasu; workers play version"),
        ({"game": "puyo"}, "does not play this game any more"),
    ],
)
def test_what_cannot_be_rerun_is_refused_in_a_sentence(
    original: Match, change: dict[str, str], sentence: str, settings: Settings
) -> None:
    settings.GAMES = ["kakomimasu"]
    Match.objects.filter(pk=original.pk).update(**change)
    with pytest.raises(InputError, match=sentence):
        match_rerun(match=original)
    assert not Match.objects.filter(kind=Kind.RERUN).exists()


def test_a_match_by_earlier_rules_is_rerun_by_these_while_they_are_installed(original: Match, tmp_path: Path) -> None:
    Match.objects.filter(pk=original.pk).update(rules_version="0")
    (tmp_path / "old").mkdir()
    rules = "from games.kakomimasu import Kakomimasu\nclass Old(Kakomimasu):\n    rules_version = '0'\n"
    (tmp_path / "old/__init__.py").write_text(rules)
    with games_installed(tmp_path, {"kakomimasu.0": "old:Old"}):
        again = match_rerun(match=original)
        assert again.rules_version == "0"
        assert selectors.matches_of_older_rules() == []
        MATCHES.requeue_by_new_rules(again.pk)
        again.refresh_from_db()
        assert again.state == Match.State.QUEUED
    assert selectors.matches_of_older_rules() == [again.pk]
    MATCHES.requeue_by_new_rules(again.pk)
    again.refresh_from_db()
    assert again.state == Match.State.VOID, "its rules are not installed any more"


def test_a_page_offers_the_rerun_and_shows_how_it_came_out(client: Client, user: User, original: Match) -> None:
    assert "Re-run this match" in client.get(reverse("matches:match", args=[original.pk])).content.decode()
    text = ask(client, original)
    again = Match.objects.get(kind=Kind.RERUN)
    assert f'This is a re-run of <a href="{reverse("matches:match", args=[original.pk])}">' in text
    finish(again)
    text = client.get(reverse("matches:match", args=[again.pk])).content.decode()
    assert "It came out the same, answer by answer." in text
    assert (
        reverse("matches:match", args=[again.pk])
        in client.get(reverse("matches:match", args=[original.pk])).content.decode()
    )


def test_a_rerun_that_differs_says_why_that_may_be(client: Client, original: Match) -> None:
    again = finish(match_rerun(match=original), fault_turn=3)
    text = client.get(reverse("matches:match", args=[again.pk])).content.decode()
    assert "It came out differently." in text
    assert "looks at the clock" in text


def test_a_visitor_who_is_not_signed_in_is_asked_to_sign_in(client: Client, original: Match) -> None:
    assert "Sign in to re-run it" in client.get(reverse("matches:match", args=[original.pk])).text
    again = reverse("matches:match_again", args=[original.pk])
    assert client.post(again).status_code == HTTPStatus.FOUND
    client.force_login(make_user("carol"))
    assert client.get(again).status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert not Match.objects.filter(kind=Kind.RERUN).exists()


def test_asking_too_often_is_refused(client: Client, user: User, original: Match, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"rerun": "1/h/user"}
    ask(client, original)
    response = client.post(reverse("matches:match_again", args=[original.pk]))
    assert response.status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_other_rules_are_named_where_the_button_would_be(client: Client, user: User, original: Match) -> None:
    Match.objects.filter(pk=original.pk).update(rules_version="0")
    text = client.get(reverse("matches:match", args=[original.pk])).content.decode()
    assert "version 0 of the rules" in text
    assert "Re-run this match" not in text
    assert "version 0 of the rules" in ask(client, original)


def test_lists_show_ladder_matches_alone(client: Client, original: Match) -> None:
    match_rerun(match=original)
    finish_match(make_match(make_version("c"), make_version("d"), kind=Kind.TRIAL))
    assert list(selectors.matches_list()) == [original]
    assert [row.pk for row in matches_recent()] == [original.pk]


@pytest.mark.parametrize("name", ["match", "match_state", "replay", "replay_json", "match_log"])
def test_a_private_test_is_not_there_for_others(client: Client, user: User, trial: Match, name: str) -> None:
    assert client.get(reverse(f"matches:{name}", args=[trial.pk])).status_code == HTTPStatus.NOT_FOUND
    assert client.post(reverse("matches:match_again", args=[trial.pk])).status_code == HTTPStatus.NOT_FOUND


def test_a_private_test_is_there_for_its_owner(client: Client, trial: Match) -> None:
    client.force_login(trial.seats.get(index=0).version.bot.owner)
    text = client.get(reverse("matches:match", args=[trial.pk])).content.decode()
    assert "nobody else sees it" in text
    assert "Re-run this match" not in text
    replay = client.get(reverse("matches:replay", args=[trial.pk]))
    assert replay["Cache-Control"].startswith("private")
    assert selectors.match_page(pk=trial.pk, reader=NOBODY) is None
