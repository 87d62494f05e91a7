"""What somebody else has changed since a form was shown is never overwritten unasked."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.accounts import PROFILE_FIELDS, profile_change
from common.edits import EditedError, edit_mark
from contests.models import Contest
from contests.services.contests import contest_change, contest_create
from contests.validation import FIELDS
from tests.ladder.makers import make_user
from tests.tournaments.makers import make_tournament
from tests.visitors import signed_in
from tournaments.services.tournaments import tournament_change
from tournaments.validation import FIELDS as TOURNAMENT_FIELDS

pytestmark = pytest.mark.django_db

SETTINGS = "/contests/spring/desk/settings/"


def read_in(page: str) -> str:
    found = re.search(r'name="read" value="([^"]+)"', page)
    assert found
    return found[1]


def test_rows_are_saved_only_as_they_were_read(alice: User) -> None:
    contest = contest_create(slug="spring", game="kakomimasu", actor=None, title="Spring cup")
    contest.refresh_from_db()
    read = edit_mark(row=contest, names=FIELDS)
    contest_change(contest="spring", actor=None, read=read, limits={"memory_mib": 300}, languages=[])
    with pytest.raises(EditedError) as refused:
        contest_change(contest="spring", actor=None, read=read, title="Mine")
    assert refused.value.names == ["limits"]
    contest_change(contest="spring", actor=None, read=refused.value.mark, entries_until=timezone.now() + timedelta(1))
    contest_change(contest="spring", actor=None, title="By a program, which names what it changes")

    tournament = make_tournament("draft", title="Final")
    read = edit_mark(row=tournament, names=TOURNAMENT_FIELDS)
    tournament_change(tournament=tournament.pk, actor=None, read=read, title="Finale")
    with pytest.raises(EditedError):
        tournament_change(tournament=tournament.pk, actor=None, read=read, prizes="A cup")

    read = edit_mark(row=alice, names=PROFILE_FIELDS)
    profile_change(user=alice, affiliation="", about="From one tab", read=read)
    with pytest.raises(EditedError):
        profile_change(user=alice, affiliation="", about="From the other", read=read)
    alice.refresh_from_db()
    assert alice.about == "From one tab"


def test_the_settings_of_a_contest_say_that_another_organiser_has_changed_them(client: Client) -> None:
    user = make_user("olga")
    contest_create(slug="spring", game="back_to_the_code", title="Spring cup", actor=user)
    client.force_login(user)
    typed = {"visibility": "public", "ruleset": "contest", "table_2": "1", "table_3": "1", "table_4": "2"}
    first, second = ({**typed, "read": read_in(client.get(SETTINGS).text)} for _tab in range(2))
    assert client.post(SETTINGS, {**first, "title": "Autumn cup"}).status_code == 302
    refused = client.post(SETTINGS, {**second, "title": "Winter cup", "description": "Snow"})
    assert refused.status_code == 422
    assert "nothing is overwritten" in refused.text
    assert "Changed: Title" in refused.text
    assert "Snow" in refused.text, "what was typed is still there"
    assert Contest.objects.get(pk="spring").title == "Autumn cup"
    again = {**second, "title": "Winter cup", "read": read_in(refused.text)}
    assert client.post(SETTINGS, again).status_code == 302
    assert Contest.objects.get(pk="spring").title == "Winter cup"


def test_a_profile_of_two_tabs_is_not_overwritten(alice: User) -> None:
    client = signed_in(alice)
    read = read_in(client.get("/accounts/profile/").text)
    for text, status in (("One", 302), ("Two", 422)):
        sent = {"affiliation": "", "about": text, "read": read}
        assert client.post("/accounts/profile/", sent).status_code == status
    assert User.objects.get().about == "One"
