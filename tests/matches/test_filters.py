"""The filters of the list of matches: on the page and by the API, each alone and together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.models import BotVersion
from matches.models import Match
from matches.selectors import filters
from matches.selectors.filters import ANY_FAULT, MatchFilter
from matches.selectors.matches import matches_list
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(params=[200, 1])
def arena(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A match of each sort; found in either way that the database may take."""
    monkeypatch.setattr(filters, "VERSIONS_NAMED_MAX", request.param)
    monkeypatch.setattr(filters, "FEW_SEATS", request.param)
    ring = make_version("Ring walker", "Alice", language="python", activated_at=timezone.now())
    newer = make_version_of(ring)
    moat = make_version("Moat", "Bob", language="cpp")
    plain = finish_match(make_match(ring, moat))
    # Moat, of seat 1, crashes.
    crash = finish_match(make_match(ring, moat), make_records("Ring walker", "Moat", fault_turn=2))
    puyo = make_match(ring, moat, game="puyo")
    rerun = make_match(ring, moat, kind=Match.Kind.RERUN, original=plain)
    trial = make_match(ring, newer, kind=Match.Kind.TRIAL)
    return SimpleNamespace(
        plain=plain, crash=crash, puyo=puyo, rerun=rerun, trial=trial, alice=ring.bot.owner, bob=moat.bot.owner
    )


def make_version_of(version: BotVersion) -> BotVersion:
    from tests.ladder.makers import make_version as make

    version.state = BotVersion.State.RETIRED
    version.save()
    return make(version.bot, language="rust", artifact_digest="e" * 64)


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing chosen": ({}, ["puyo", "crash", "plain"]),
    "game": ({"game": "puyo"}, ["puyo"]),
    "bot": ({"bot": "ring"}, ["puyo", "crash", "plain"]),
    "bot, in wide letters": ({"bot": "\uff52ing"}, ["puyo", "crash", "plain"]),
    "no such bot": ({"bot": "castle"}, []),
    "owner": ({"owner": "bob"}, ["puyo", "crash", "plain"]),
    "no such owner": ({"owner": "bo"}, []),
    "language": ({"language": "cpp"}, ["puyo", "crash", "plain"]),
    "no such language": ({"language": "rust"}, []),
    "any fault": ({"fault": ANY_FAULT}, ["crash"]),
    "a fault": ({"fault": "crashed"}, ["crash"]),
    "another fault": ({"fault": "time"}, []),
    "the owner's fault": ({"owner": "bob", "fault": "crashed"}, ["crash"]),
    "the opponent's fault": ({"owner": "alice", "fault": "crashed"}, []),
    "state": ({"state": "finished"}, ["crash", "plain"]),
    "state and game": ({"state": "queued", "game": "puyo"}, ["puyo"]),
    "re-runs": ({"kind": "rerun"}, ["rerun"]),
    "private tests, of nobody": ({"kind": "trial"}, []),
    "one bot and another's language": ({"bot": "moat", "language": "python"}, []),
}


@pytest.fixture
def names(arena: SimpleNamespace) -> Callable[[list[int]], list[str]]:
    by_number = {match.pk: name for name, match in vars(arena).items() if isinstance(match, Match)}
    return lambda numbers: [by_number[number] for number in numbers]


@pytest.mark.parametrize("case", CASES)
def test_a_filter_leaves(case: str, names: Callable[[list[int]], list[str]]) -> None:
    chosen, left = CASES[case]
    assert names([match.pk for match in matches_list(chosen=MatchFilter(**chosen))]) == [*left]


@pytest.mark.parametrize("case", CASES)
def test_the_page_and_the_api_leave_the_same(
    case: str, client: Client, names: Callable[[list[int]], list[str]]
) -> None:
    chosen, left = CASES[case]
    if chosen.get("language"):  # a form offers what the arena has
        _announce_languages()
    page = client.get("/matches/", chosen)
    assert page.status_code == 200
    assert names([match.pk for match in page.context["matches"]]) == left
    answer = client.get("/api/v1/matches/", chosen)
    assert names([row["id"] for row in answer.json()["results"]]) == left


def _announce_languages() -> None:
    from ladder.models import WorkingLanguage

    for position, name in enumerate(("cpp", "rust", "python")):
        WorkingLanguage.objects.create(name=name, title=name, version="1", entries=[], suffixes=[], position=position)


def test_private_tests_are_their_owners(arena: SimpleNamespace, client: Client) -> None:
    assert list(matches_list(chosen=MatchFilter(kind="trial"), reader=arena.alice)) == [arena.trial]
    assert list(matches_list(chosen=MatchFilter(kind="trial"), reader=arena.bob)) == []
    assert list(matches_list(chosen=MatchFilter(kind="trial", bot="moat"), reader=arena.alice)) == []
    assert "Private tests are shown to their owners alone" in client.get("/matches/?kind=trial").text
    client.force_login(arena.alice)
    assert [match.pk for match in client.get("/matches/?kind=trial").context["matches"]] == [arena.trial.pk]
    client.force_login(arena.bob)
    assert "No match is like this." in client.get("/matches/?kind=trial").text


# --- Days -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def days() -> list[Match]:
    """A match on each of three days."""
    made = [make_match(make_version(f"{day} a"), make_version(f"{day} b")) for day in (1, 2, 3)]
    for day, match in zip((1, 2, 3), made, strict=True):
        Match.objects.filter(pk=match.pk).update(created_at=datetime(2026, 5, day, 23, 59, tzinfo=UTC))
    return made


@pytest.mark.parametrize(
    ("since", "until", "left"),
    [
        ("2026-05-02", "", [3, 2]),
        ("", "2026-05-02", [2, 1]),
        ("2026-05-02", "2026-05-02", [2]),
        ("2026-05-04", "", []),
        ("", "2026-04-30", []),
        ("0001-01-01", "9999-12-31", [3, 2, 1]),
    ],
)
def test_days_are_taken_whole(client: Client, days: list[Match], since: str, until: str, left: list[int]) -> None:
    page = client.get("/matches/", {"since": since, "until": until})
    assert [match.pk for match in page.context["matches"]] == [days[day - 1].pk for day in left]


def test_the_api_takes_moments(client: Client, days: list[Match]) -> None:
    answer = client.get("/api/v1/matches/?since=2026-05-01T23:59:00Z&until=2026-05-02T23:59:00Z")
    assert [row["id"] for row in answer.json()["results"]] == [days[0].pk]


# --- What people type -----------------------------------------------------------------------------------------------


def test_what_makes_no_sense_is_said_at_its_field_and_takes_all(client: Client, days: list[Match]) -> None:
    page = client.get("/matches/?since=yesterday&game=chess&bot=" + "x" * 41)
    assert page.status_code == 200
    assert set(page.context["form"].errors) == {"since", "game", "bot"}
    assert len(page.context["matches"]) == 3
    page = client.get("/matches/?since=2026-05-03&until=2026-05-01")
    assert "The last day is before the first." in page.text


@pytest.mark.parametrize("query", ["?fault=%00", "?owner=%00", "?bot=%00", "?language=%00", "?kind=%00", "?since=%00"])
def test_nul_reaches_no_query(client: Client, query: str) -> None:
    assert client.get(f"/matches/{query}").status_code == 200
    assert client.get(f"/api/v1/matches/{query}").status_code == 400


def test_pages_keep_the_filter_and_an_empty_list_says_what_to_do(client: Client) -> None:
    first, second = make_version("a"), make_version("b")
    for _ in range(31):
        make_match(first, second)
    text = client.get("/matches/?bot=a&kind=ladder&state=").text
    assert "bot=a&amp;kind=ladder" in text
    assert "before=" in text
    assert "Take something out of the filter" in client.get("/matches/?bot=castle").text
    assert "Take something out" not in client.get("/matches/").text


def test_what_is_hidden_is_open_when_something_is_chosen_there(client: Client) -> None:
    assert "<details open>" not in client.get("/matches/?game=puyo").text
    assert "<details open>" in client.get("/matches/?owner=alice").text
    assert "<details open>" in client.get("/matches/?since=yesterday").text
