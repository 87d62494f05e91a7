"""Tournaments in the API: from a draft to the release, what hidden results are, and refusals by the field."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import client_of
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import finish_by_strength, make_tournament, make_versions
from tournaments.models import Tournament
from tournaments.services.stepping import tournament_step

pytestmark = pytest.mark.django_db

HOME = "/api/v1/contests/kakomimasu/tournaments/"
ONE = f"{HOME}final/"


def test_a_program_runs_a_whole_tournament() -> None:
    chief, versions = client_of(make_user("chief", is_staff=True)), make_versions(4)
    owner, guest = client_of(versions[0].bot.owner), client_of(None)
    typed = {"slug": "final", "title": "Final", "results": "at_end", "stages": [{"format": "swiss", "rounds": 1}]}
    made = chief.post(HOME, typed, content_type="application/json")
    assert (made.status_code, made["Location"]) == (201, ONE)
    assert made.json()["stages"][0]["best_of"] == 1
    assert guest.get(ONE).status_code == 404, "it is a draft"
    assert [row["slug"] for row in chief.get(HOME).json()] == ["final"]
    assert guest.get(HOME).json() == []

    def act(name: str, **more: str) -> dict[str, Any]:
        answer = chief.post(f"{ONE}act/", {"act": name, **more}, content_type="application/json")
        assert answer.status_code == 200, answer.json()
        return dict(answer.json())

    assert act("open")["state"] == "open"
    for version in versions[1:]:
        entered = chief.post(f"{ONE}entrants/", {"bot": version.bot_id}, content_type="application/json")
        assert entered.status_code == 201
    foreign = owner.post(f"{ONE}entrants/", {"bot": versions[1].bot_id}, content_type="application/json")
    assert (foreign.status_code, foreign.json()["detail"]) == (422, "You can enter your own bots alone.")
    own = owner.post(f"{ONE}entrants/", {"bot": versions[0].bot_id}, content_type="application/json").json()
    assert owner.delete(f"{ONE}entrants/{own['id']}/").status_code == 204
    own = owner.post(f"{ONE}entrants/", {"bot": versions[0].bot_id}, content_type="application/json").json()
    assert act("draw")["entrants"][0]["name"] == "Moat"
    assert owner.delete(f"{ONE}entrants/{own['id']}/").status_code == 422
    act("take_back")
    act("draw")
    act("start")
    assert act("pause", reason="Lunch.")["reason"] == "Lunch."
    act("resume")
    tournament = Tournament.objects.get()
    tournament_step(tournament=tournament.pk)
    rounds = chief.get(f"{ONE}rounds/").json()
    assert (rounds[0]["stage"], rounds[0]["number"], len(rounds[0]["tables"])) == (1, 1, 2)
    first, second = rounds[0]["tables"]
    assert first["why"].endswith(".")
    assert len(first["matches"]) == 2
    points = {"points": [1, 0], "reason": "The cable was pulled."}
    for sender, status in ((owner, 404), (chief, 200)):
        answer = sender.post(f"{ONE}tables/{first['id']}/decide/", points, content_type="application/json")
        assert answer.status_code == status
    strength = {version.pk: -number for number, version in enumerate(versions)}
    for table in tournament.rounds.get().tables.filter(number=second["number"]):
        for link in table.matches.select_related("match"):
            finish_by_strength(link.match, strength)
    tournament_step(tournament=tournament.pk)
    assert chief.get(ONE).json()["state"] == "finished"
    told = {row["outcome"] for row in chief.get(f"{ONE}rounds/").json()[0]["tables"]}
    assert told == {"by_hand", "played"}
    hidden = owner.get(f"{ONE}rounds/").json()[0]
    assert (hidden["is_told"], {row["outcome"] for row in hidden["tables"]}) == (False, {""})
    assert [row["matches"] for row in hidden["tables"]] == [[], []]
    assert {row["place"] for row in owner.get(ONE).json()["entrants"]} == {None}
    assert {row["points"] for row in owner.get(f"{ONE}standings/").json()["rows"]} == {0.0}
    act("release")
    assert {row["points"] for row in guest.get(f"{ONE}standings/?stage=1").json()["rows"]} == {0.0, 1.0}
    assert [row["place"] for row in guest.get(f"{ONE}places/").json()] == [1, 2, 3, 4]
    trf = guest.get(f"{ONE}trf/")
    assert trf["Content-Type"].startswith("text/plain")
    assert trf["Content-Disposition"] == 'attachment; filename="final-1.trf"'
    assert trf.text.startswith("012 Final\n062 4\n")
    assert guest.get(f"{ONE}trf/?group=B").status_code == 404
    assert guest.get(f"{ONE}standings/?stage=2").status_code == 404


def test_an_entrant_leaves() -> None:
    tournament = make_tournament("drawn")
    entrant = tournament.entrants.get(number=1)
    url = f"{ONE}entrants/{entrant.pk}/leave/"
    owner, chief = client_of(entrant.bot.owner), client_of(make_user("chief", is_staff=True))
    refused = owner.post(url, {"left": "disqualified"}, content_type="application/json")
    assert (refused.status_code, refused.json()["detail"][:21]) == (422, "Only an organiser can")
    assert chief.post(url, {"left": "withdrawn"}, content_type="application/json").status_code == 422  # no reason
    left = owner.post(url, {"left": "withdrawn"}, content_type="application/json").json()["entrants"][0]
    assert left["left"] == "withdrawn"


@pytest.mark.parametrize(
    ("typed", "status", "field"),
    [
        ({"slug": "new"}, 422, "slug"),
        ({"stages": [{"format": "swiss", "rounds": 0}]}, 422, "stages"),
        ({"stages": [{"format": "swiss", "rounds": "x"}]}, 400, "stages.rounds"),
        ({"entry": "board"}, 422, "entrants_max"),
        ({"starts_at": "2020-01-01T10:00Z"}, 422, "starts_at"),
    ],
)
def test_each_fault_names_its_field(typed: dict[str, Any], status: int, field: str) -> None:
    chief = client_of(make_user("chief", is_staff=True))
    answer = chief.post(HOME, {"slug": "final", "title": "Final", **typed}, content_type="application/json")
    assert answer.status_code == status
    (error,) = answer.json()["errors"]
    assert error["detail"].endswith(".")
    assert error["field"].replace(".0", "") == field
    assert not Tournament.objects.exists()


def test_no_contest_that_is_sent_takes_the_place_of_that_in_the_url() -> None:
    make_contest("spring")
    chief = client_of(make_user("chief", is_staff=True))
    typed = {"slug": "final", "title": "Final", "contest": "spring", "stages": [{"format": "swiss", "rounds": 1}]}
    made = chief.post(HOME, typed, content_type="application/json")
    assert (made.status_code, made["Location"]) == (201, ONE)
    assert Tournament.objects.get().contest_id == "kakomimasu"


def test_changes_and_private_contests() -> None:
    make_contest("spring")
    make_tournament("open", contest="spring")
    chief, stranger = client_of(make_user("chief", is_staff=True)), client_of(make_user("eve"))
    url = "/api/v1/contests/spring/tournaments/final/"
    assert stranger.get(url).status_code == 404
    assert stranger.patch(url, {"title": "Mine"}, content_type="application/json").status_code == 404
    assert chief.patch(url, {"title": "Autumn"}, content_type="application/json").json()["title"] == "Autumn"
    assert chief.delete(url).status_code == 204
    assert chief.get(url).status_code == 404


def test_a_round_is_released_once_however_often_it_is_asked_for() -> None:
    """A program whose answer got lost asks again; nobody can undo a release."""
    tournament = make_tournament("finished", results="by_round")
    chief = client_of(make_user("chief", is_staff=True))
    sent = {"act": "release_round", "stage": 1, "round": 1}
    answers = [chief.post(f"{ONE}act/", sent, content_type="application/json") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 422]
    assert tournament.rounds.filter(released_at=None).count() == 1
    assert chief.post(f"{ONE}act/", {"act": "release_round"}, content_type="application/json").status_code == 404


def test_nothing_tells_when_a_hidden_round_ended_or_since_when_a_bot_is_gone() -> None:
    tournament = make_tournament("finished", results="at_end")
    last = tournament.rounds.last()
    assert last is not None
    left = {"left": "withdrawn", "left_stage": last.stage, "left_round": last.number}
    tournament.entrants.filter(number=4).update(**left)
    told = client_of(None).get(f"{ONE}rounds/").json()
    assert [(row["is_told"], row["finished_at"]) for row in told] == [(False, None)]
    rows = client_of(None).get(f"{ONE}standings/").json()["rows"]
    assert [row["has_left"] for row in rows] == [False] * 4
