"""The show for a hall: who may open it, what its steps tell, and what it releases."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from contests.models import Member
from core import replay
from matches.models import Match
from tests.ladder.makers import make_user
from tests.matches.makers import make_records, store_replay
from tests.tournaments.makers import make_round, make_tournament
from tests.visitors import signed_in
from tournaments.models import Entrant, Table, TableSeat, Tournament
from tournaments.selectors.show import Show, StepKind, show_of

pytestmark = pytest.mark.django_db


def make_organiser(tournament: Tournament) -> User:
    user = make_user("organiser")
    Member.objects.create(contest_id=tournament.contest_id, user=user, role=Member.Role.ORGANISER)
    return user


def with_replays(tournament: Tournament) -> None:
    """Give the matches of a tournament replays."""
    for match in Match.objects.filter(table_match__table__round__tournament=tournament, state="finished"):
        names = [seat.version.bot.name for seat in match.seats.order_by("index")]
        match.result.replay_digest = store_replay(replay.encode(make_records(*names)))
        match.result.save()


def url_of(tournament: Tournament, name: str = "show", **parts: object) -> str:
    kwargs = {"place": f"games/{tournament.contest_id}", "tournament": tournament.slug, **parts}
    return reverse(f"tournaments:{name}", kwargs=kwargs)


def shown(tournament: Tournament, client: Client) -> list[str]:
    """Return the parts of all steps."""
    count = len(steps_of(tournament).steps)
    return [client.get(url_of(tournament, "show_step", number=number)).text for number in range(count)]


def steps_of(tournament: Tournament) -> Show:
    tournament.refresh_from_db()
    return show_of(tournament=tournament, reader=User.objects.get(username="organiser"))


def kinds(tournament: Tournament) -> list[str]:
    return [step.kind.value for step in steps_of(tournament).steps if not step.is_extra]


def test_a_knockout_is_shown_table_by_table_up_to_the_podium() -> None:
    tournament = make_tournament("finished", results="by_round")
    make_organiser(tournament)
    table = ["match", "result"]
    assert kinds(tournament) == ["opening", "round", *table, *table, "round", *table, *["podium"] * 3]
    releases = [step.round for step in steps_of(tournament).steps if step.releases]
    assert releases == [1, 2, 0], "each round after its last table, the tournament with its first place"


def test_rounds_that_are_being_played_are_not_shown() -> None:
    tournament = make_tournament("running", results="by_round")
    make_organiser(tournament)
    assert kinds(tournament)[-1] == StepKind.MORE
    assert max(step.round for step in steps_of(tournament).steps) == 1


def test_a_stage_without_a_bracket_shows_its_standings() -> None:
    stages = [{"format": "round_robin"}]
    tournament = make_tournament("finished", stages=stages, entrants=4)
    client = signed_in(make_organiser(tournament))
    make_round(tournament, (1, 4), (2, 3), points=[(1, 0), (0.5, 0.5)])
    make_round(tournament, (4, 3), (1, 2), points=[(1, 0), (1, 0)])
    assert kinds(tournament)[5:8] == ["result", "standings", "round"]
    after = shown(tournament, client)[kinds(tournament).index("standings") + 2]  # two matches are left out
    assert "Standings after round 1" in after


def test_no_step_tells_what_later_ones_show() -> None:
    """The attack: somebody in the hall sees the winner in a bracket before the final is shown."""
    tournament = make_tournament("finished", results="by_round")
    client = signed_in(make_organiser(tournament))
    steps, before = steps_of(tournament).steps, shown(tournament, client)
    final = Table.objects.get(round__tournament=tournament, round__number=2)
    for seat in TableSeat.objects.filter(table=final):
        seat.points, seat.games = 1 - (seat.points or 0), 2 - (seat.games or 0)
        seat.save()
    Table.objects.filter(pk=final.pk).update(winner=2)
    Entrant.objects.filter(tournament=tournament, number__lte=2).update(place=None)
    told = next(at for at, step in enumerate(steps) if step.kind == StepKind.RESULT and step.round == 2)
    after = shown(tournament, client)
    assert after[:told] == before[:told]
    assert after[told] != before[told]


def test_it_is_for_organisers_until_the_release() -> None:
    tournament = make_tournament("finished", results="by_round")
    organiser, guest = signed_in(make_organiser(tournament)), Client()
    with_replays(tournament)
    match = next(step.match for step in steps_of(tournament).steps if step.match)
    urls = [url_of(tournament), url_of(tournament, "show_step", number=0), url_of(tournament, "show_match", pk=match)]
    assert [guest.get(url).status_code for url in urls] == [HTTPStatus.NOT_FOUND] * 3
    pages = [organiser.get(url) for url in urls]
    assert [page.status_code for page in pages] == [HTTPStatus.OK] * 3
    assert all("no-store" in page.headers["Cache-Control"] for page in pages)
    assert pages[2].headers["X-Frame-Options"] == "SAMEORIGIN"
    link = f'href="{urls[0]}"'
    overview = url_of(tournament, "tournament")
    assert link in organiser.get(overview).text
    assert link not in guest.get(overview).text
    Match.objects.update(is_hidden=False)
    Tournament.objects.update(state="released")
    assert [guest.get(url).status_code for url in urls] == [HTTPStatus.OK] * 3
    assert guest.post(url_of(tournament, "show_release"), {"step": 1}).status_code == HTTPStatus.NOT_FOUND


def test_a_match_of_elsewhere_is_not_framed() -> None:
    tournament, other = make_tournament("released"), make_tournament("released", slug="other", entrants=0)
    match = Match.objects.filter(table_match__table__round__tournament=tournament).first()
    assert match is not None
    assert Client().get(url_of(tournament, "show_match", pk=match.pk)).status_code == HTTPStatus.OK
    assert Client().get(url_of(other, "show_match", pk=match.pk)).status_code == HTTPStatus.NOT_FOUND
    assert Client().get(url_of(tournament, "show_match", pk=10**20)).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("results", ["by_round", "at_end"])
def test_what_has_been_shown_is_released(results: str) -> None:
    tournament = make_tournament("finished", results=results)
    client, url = signed_in(make_organiser(tournament)), url_of(tournament, "show_release")
    steps = steps_of(tournament).steps
    first, _second, end = (at for at, step in enumerate(steps) if step.releases)
    assert client.post(url, {"step": first - 1}).json() == {}
    assert tournament.rounds.filter(released_at=None).count() == 2
    assert client.post(url, {"step": first}).json() == {}
    assert client.post(url, {"step": first}).json() == {}, "nothing is left to release"
    assert tournament.rounds.filter(released_at=None).count() == (1 if results == "by_round" else 2)
    assert client.post(url, {"step": end}).json() == {}
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RELEASED
    assert not Match.objects.filter(is_hidden=True).exists()
    for wrong in ("", "x", str(len(steps))):
        answer = client.post(url, {"step": wrong})
        assert (answer.status_code, answer.json()["error"]) == (422, "The show has no such step.")
