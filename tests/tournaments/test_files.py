"""Results as files and the feed of a contest: what is in them, and what they keep to themselves."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from contests.models import Member
from ladder.models import Bot
from tests.contests.makers import make_contest
from tests.formats.trf_reading import trf_read
from tests.ladder.makers import make_user
from tests.tournaments.makers import decide_table, make_round, make_tournament
from tests.visitors import signed_in
from tournaments.models import Table
from tournaments.views.files import COLUMNS

pytestmark = pytest.mark.django_db

HERE = "/games/kakomimasu/tournaments/final/"
SWISS = [{"format": "swiss", "rounds": 3}]
GROUPS = [{"format": "round_robin", "groups": 2, "goes_on": 1}, {"format": "single_elimination"}]


@pytest.fixture
def staff() -> User:
    return make_user("root", is_staff=True)


def rows(client: Client) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(client.get(f"{HERE}results.json").content)
    return found


# --- Results ---------------------------------------------------------------------------------------------------------


def test_each_entrant_of_each_decided_table_has_a_row(client: Client) -> None:
    make_tournament("released")
    found = rows(client)
    assert [(row["round"], row["table"], row["seed"], row["points"]) for row in found] == [
        (1, 1, 1, 1.0),
        (1, 1, 4, 0.0),
        (1, 2, 2, 1.0),
        (1, 2, 3, 0.0),
        (2, 1, 1, 1.0),
        (2, 1, 2, 0.0),
    ]
    assert found[0]["name"] == "Moat"
    assert found[0]["participant"] == "moat-owner"
    assert [row["goes_on"] for row in found] == [True, False] * 3
    assert {row["outcome"] for row in found} == {"played"}
    assert {row["stage"] for row in found} == {1}


def test_both_kinds_have_the_same_columns(client: Client) -> None:
    make_tournament("released")
    sheet = list(csv.reader(io.StringIO(client.get(f"{HERE}results.csv").content.decode("utf-8-sig"))))
    assert tuple(sheet[0]) == COLUMNS == tuple(rows(client)[0])
    assert len(sheet) - 1 == len(rows(client))


def test_a_file_has_a_name_and_is_asked_for_again_by_its_tag(client: Client) -> None:
    make_tournament("released")
    for kind, content_type in (("csv", "text/csv; charset=utf-8"), ("json", "application/json")):
        answer = client.get(f"{HERE}results.{kind}")
        assert answer["Content-Disposition"] == f'attachment; filename="kakomimasu-final.{kind}"'
        assert answer["Content-Type"] == content_type
        again = client.get(f"{HERE}results.{kind}", headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_a_formula_as_a_name_is_a_text_in_a_spreadsheet(client: Client) -> None:
    """The attack: somebody gives a bot a formula as its name, and the spreadsheet of each reader runs it."""
    make_tournament("released")
    Bot.objects.filter(name="Moat").update(name="=1+1")
    assert "'=1+1" in client.get(f"{HERE}results.csv").content.decode()


def test_byes_and_tables_decided_by_hand_are_named(client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS, entrants=3)
    row = make_round(tournament, (1, 2), (3,), points=[None, (1,)])
    decide_table(row.tables.get(number=1), (0.5, 0.5), outcome=Table.Outcome.BY_HAND)
    found = rows(client)
    assert [(each["seed"], each["outcome"], each["points"], each["match_points"]) for each in found] == [
        (1, "by_hand", 0.5, None),
        (2, "by_hand", 0.5, None),
        (3, "bye", 1.0, None),
    ]


@pytest.mark.parametrize(("results", "state", "count"), [("at_end", "finished", 0), ("by_round", "running", 0)])
def test_hidden_results_are_in_the_organisers_file_alone(
    results: str, state: str, count: int, client: Client, staff: User
) -> None:
    make_tournament(state, results=results)
    assert len(rows(client)) == count
    assert len(rows(signed_in(staff))) >= 4
    assert "public" in client.get(f"{HERE}results.json")["Cache-Control"]
    assert "private" in signed_in(staff).get(f"{HERE}results.json")["Cache-Control"]


@pytest.mark.parametrize("kind", ["xlsx", "trf", "CSV"])
def test_other_kinds_are_not_there(kind: str, client: Client) -> None:
    make_tournament("released")
    answer = client.get(f"{HERE}results.{kind}")
    assert answer.status_code == 404
    assert client.post(f"{HERE}results.csv").status_code == 405


# --- For pairing programs --------------------------------------------------------------------------------------------


def test_a_swiss_is_read_by_pairing_programs(client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (0.5, 0.5)])
    make_round(tournament, (1, 2), (3, 4))
    answer = client.get(f"{HERE}stage-1.trf")
    assert answer["Content-Disposition"] == 'attachment; filename="kakomimasu-final-1.trf"'
    assert answer["Content-Type"] == "text/plain; charset=us-ascii"
    entrants, decided = trf_read(answer.text)
    assert len(entrants) == 4
    assert [dict(zip(each.pairing.entrants, each.points, strict=True)) for each in decided] == [
        {1: 1.0, 3: 0.0},
        {2: 0.5, 4: 0.5},
    ]


def test_each_group_has_a_file_of_its_own(client: Client) -> None:
    tournament = make_tournament("running", stages=GROUPS)
    make_round(tournament, (1, 4), (2, 3), points=[(1, 0), (1, 0)])
    for table, group in zip(Table.objects.order_by("number"), "AB", strict=True):
        Table.objects.filter(pk=table.pk).update(group=group)
    for group in "AB":
        answer = client.get(f"{HERE}stage-1.trf?group={group}")
        assert f'filename="kakomimasu-final-1{group}.trf"' in answer["Content-Disposition"]
        assert len(trf_read(answer.text)[0]) == 2
    for wrong in ("", "?group=C", "?group=%00"):
        assert client.get(f"{HERE}stage-1.trf{wrong}").status_code == 404


@pytest.mark.parametrize("stage", [0, 2, 99])
def test_a_stage_that_is_not_drawn_has_no_file(stage: int, client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4))
    assert client.get(f"{HERE}stage-{stage}.trf").status_code == 404


def test_a_knockout_has_no_file_and_no_link_to_one(client: Client) -> None:
    make_tournament("released")
    assert client.get(f"{HERE}stage-1.trf").status_code == 404
    assert ".trf" not in client.get(f"{HERE}standings/").text


def test_the_api_serves_the_same_file(client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    page, api = (client.get(url) for url in (f"{HERE}stage-1.trf", f"/api/v1/contests/kakomimasu/{HERE[18:]}trf/"))
    assert page.content == api.content
    assert api["Content-Disposition"] == 'attachment; filename="final-1.trf"'
    assert "private" in api["Cache-Control"]


# --- The feed --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "told", "untold"),
    [
        ("draft", [], ["Spring final"]),
        ("open", ["is announced."], ["has begun.", "is over"]),
        ("running", ["is announced.", "has begun."], ["is over"]),
        ("released", ["is announced.", "has begun.", "is over: all its results are public."], []),
    ],
)
def test_the_feed_of_a_contest_tells_how_far_its_tournaments_are(
    state: str, told: list[str], untold: list[str], client: Client
) -> None:
    make_tournament(state)
    feed = client.get("/games/kakomimasu/feed.atom").text
    assert all(words in feed for words in told)
    assert not any(words in feed for words in untold)


def test_a_feed_is_the_same_for_organisers_and_guests(client: Client, settings: Settings) -> None:
    """It reads no session, so that caches may keep it; a draft is in nobody's feed."""
    contest = make_contest("spring", visibility="public")
    oda = make_user("oda")
    Member.objects.create(contest=contest, user=oda, role=Member.Role.ORGANISER)
    make_tournament("draft", contest="spring")
    feeds = [each.get("/contests/spring/feed.atom").text for each in (client, signed_in(oda))]
    same = [re.sub(r"<updated>.*?</updated>", "", feed) for feed in feeds]
    assert same[0] == same[1]
    assert "Spring final" not in feeds[0]


def test_a_private_contest_has_no_feed(client: Client, staff: User) -> None:
    make_contest("spring")
    for reader in (client, signed_in(staff)):
        assert reader.get("/contests/spring/feed.atom").status_code == 404
