"""The filters of the list of matches: on the page and by the API, each alone and together."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.models import Bot, BotVersion
from matches.models import HeadToHead, Match, Trial, TrialPair
from matches.selectors import filters
from matches.selectors.filters import ANY_FAULT, MatchFilter
from matches.selectors.matches import matches_list
from tests.ladder.makers import make_rating
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.database, pytest.mark.slow_on_sqlite, pytest.mark.django_db]


@pytest.fixture(params=[200, 1])
def arena(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A match of each kind that filters tell apart. Tests run with both forms of the query, for few and many seats."""
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
    matches = SimpleNamespace(plain=plain, crash=crash, puyo=puyo, rerun=rerun, trial=trial)
    versions = SimpleNamespace(ring=ring, newer=newer, moat=moat)
    return SimpleNamespace(**vars(matches), **vars(versions), alice=ring.bot.owner, bob=moat.bot.owner)


def make_version_of(version: BotVersion) -> BotVersion:
    from tests.ladder.makers import make_version as make

    version.state = BotVersion.State.RETIRED
    version.save()
    return make(version.bot, language="rust", artifact_digest="e" * 64)


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing chosen": ({}, ["puyo", "crash", "plain"]),
    "contest": ({"contest": "puyo"}, ["puyo"]),
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
    "state and game": ({"state": "queued", "contest": "puyo"}, ["puyo"]),
    "re-runs": ({"kind": "rerun"}, ["rerun"]),
    "private tests, of nobody": ({"kind": "trial"}, []),
    "one bot and another's language": ({"bot": "moat", "language": "python"}, []),
}


@pytest.fixture
def names(arena: SimpleNamespace) -> Callable[[list[int]], list[str]]:
    by_number = {match.pk: name for name, match in vars(arena).items() if isinstance(match, Match)}
    return lambda numbers: [by_number[number] for number in numbers]


def test_the_page_and_the_api_leave_the_same(client: Client, names: Callable[[list[int]], list[str]]) -> None:
    _announce_languages()  # a form offers what the arena has
    for case, (chosen, left) in CASES.items():
        page = client.get("/matches/", {"state": "", **chosen})  # the page alone opens with what can be watched
        assert page.status_code == 200, case
        assert names([match.pk for match in page.context["matches"]]) == left, case
        answer = client.get("/api/v1/matches/", chosen)
        assert names([row["id"] for row in answer.json()["results"]]) == left, case


def _announce_languages() -> None:
    from jobs.models import WorkingLanguage

    for position, name in enumerate(("cpp", "rust", "python")):
        WorkingLanguage.objects.create(name=name, title=name, version="1", entries=[], suffixes=[], position=position)


def test_a_list_of_private_tests_says_whose_they_are(arena: SimpleNamespace, client: Client) -> None:
    assert "Private tests are shown to their owners alone" in client.get("/matches/?kind=trial").text
    client.force_login(arena.alice)
    assert list(client.get("/matches/?kind=trial&bot=moat").context["matches"]) == []
    client.force_login(arena.bob)
    assert "No match is like this." in client.get("/matches/?kind=trial").text


# --- Bots, versions and tests by their keys -------------------------------------------------------------------------


@pytest.fixture
def keys(arena: SimpleNamespace) -> dict[str, int]:
    """Keys of the bots and versions, with a third bot that has met one of the others and whose name begins like its."""
    third = make_version("Ring walker II", "Carol")
    arena.third = make_match(third, arena.moat)
    bots = {"ring": arena.ring.bot_id, "moat": arena.moat.bot_id, "third": third.bot_id, "nobody": 10**9}
    return {**bots, "ring v1": arena.ring.pk, "ring v2": arena.newer.pk, "moat v1": arena.moat.pk}


BY_KEY: list[tuple[dict[str, str], list[str]]] = [
    ({"bot_id": "ring"}, ["puyo", "crash", "plain"]),
    ({"bot_id": "third"}, ["third"]),
    ({"bot_id": "nobody"}, []),
    ({"version": "ring v1"}, ["puyo", "crash", "plain"]),
    ({"version": "ring v2"}, []),
    ({"version": "moat v1"}, ["third", "puyo", "crash", "plain"]),
    ({"bot_id": "ring", "version": "moat v1"}, []),
    ({"against": "ring"}, ["puyo", "crash", "plain"]),
    ({"bot_id": "ring", "against": "moat"}, ["puyo", "crash", "plain"]),
    ({"bot_id": "moat", "against": "third"}, ["third"]),
    ({"bot_id": "ring", "against": "third"}, []),
    ({"bot_id": "ring", "against": "ring"}, []),
    ({"version": "moat v1", "against": "ring"}, ["puyo", "crash", "plain"]),
    ({"bot_id": "moat", "against": "ring", "contest": "puyo"}, ["puyo"]),
    ({"against": "ring", "fault": "any"}, ["crash"]),
    ({"against": "moat", "fault": "any"}, []),
    ({"bot_id": "moat", "against": "ring", "fault": "crashed"}, ["crash"]),
    ({"bot_id": "moat", "against": "third", "fault": "crashed"}, []),
]


def test_keys_leave_one_bot_or_version_or_two_that_met(
    client: Client, arena: SimpleNamespace, keys: dict[str, int]
) -> None:
    for chosen, left in BY_KEY:
        # The fixture's bots are of one game, and their matches of two.
        game = chosen.get("contest", "kakomimasu")
        Bot.objects.filter(pk=arena.moat.bot_id).update(game=game, contest=game)
        query = {field: keys.get(value, value) for field, value in chosen.items()}
        wanted = [getattr(arena, name).pk for name in left]
        page = client.get("/matches/", query)
        assert [match.pk for match in page.context["matches"]] == wanted, chosen
        assert [row["id"] for row in client.get("/api/v1/matches/", query).json()["results"]] == wanted, chosen


def test_a_private_test_is_found_by_its_owner_alone(arena: SimpleNamespace, client: Client) -> None:
    second = make_match(arena.newer, arena.ring, kind=Match.Kind.TRIAL)
    other = make_match(arena.newer, arena.ring, kind=Match.Kind.TRIAL)
    trial = Trial.objects.create(
        owner=arena.alice, candidate=arena.newer, reference=arena.ring, game="kakomimasu", games_max=100
    )
    TrialPair.objects.create(trial=trial, number=0, first=arena.trial, second=second)
    for query, wanted in (
        ({}, [other, second, arena.trial]),
        ({"trial": trial.pk}, [second, arena.trial]),
        ({"version": arena.newer.pk}, [other, second, arena.trial]),
        ({"bot_id": arena.ring.bot_id, "against": arena.ring.bot_id}, [other, second, arena.trial]),
    ):
        for reader in (None, arena.bob, arena.alice):
            if reader:
                client.force_login(reader)
            left = [match.pk for match in wanted] if reader == arena.alice else []
            page = client.get("/matches/", {**query, "kind": "trial"})
            assert [match.pk for match in page.context["matches"]] == left
            answer = client.get("/api/v1/matches/", {**query, "kind": "trial"})
            assert [row["id"] for row in answer.json()["results"]] == left
            assert not {match.pk for match in client.get("/matches/", query).context["matches"]} & {
                match.pk for match in wanted
            }
        client.logout()


def test_matches_of_a_bot_that_plays_no_more_are_not_looked_for_among_newer_ones(
    arena: SimpleNamespace, keys: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filters, "FEW_SEATS", 1)
    found = matches_list(chosen=MatchFilter(version=arena.ring.pk))
    assert list(found) == [arena.puyo, arena.crash, arena.plain]
    assert f'"matches_match"."id" <= {arena.trial.pk}' in str(found.query)


def test_fields_filled_in_by_a_link_are_shown_and_stay_until_unchecked(
    client: Client, arena: SimpleNamespace, keys: dict[str, int]
) -> None:
    text = client.get("/matches/", {"bot_id": keys["moat"], "against": keys["ring"], "version": arena.moat.pk}).text
    for field, key, words in (
        ("bot_id", keys["moat"], "Only of the bot Moat"),
        ("against", keys["ring"], "Only against the bot Ring walker"),
        ("version", arena.moat.pk, "Only of the version Moat v1"),
    ):
        assert re.search(f'type="checkbox" name="{field}" value="{key}"[^>]*checked', text)
        assert words in text
    assert "<details open>" not in text
    assert 'type="checkbox"' not in client.get("/matches/").text
    assert "Only of the bot #999" in client.get("/matches/?bot_id=999").text


@pytest.mark.parametrize("value", ["x", "0", "%00", "9" * 30])
def test_a_key_that_none_can_be_is_said_and_takes_all(client: Client, value: str) -> None:
    make_match(make_version("Alpha"), make_version("Beta"))
    for field in ("bot_id", "version", "against", "trial"):
        page = client.get(f"/matches/?{field}={value}")
        assert set(page.context["form"].errors) == {field}
        assert 'class="errorlist' in page.text
        assert len(page.context["matches"]) == 1
        assert client.get(f"/api/v1/matches/?{field}={value}").status_code == 400


def test_pages_lead_to_the_matches(client: Client, arena: SimpleNamespace) -> None:
    ring, moat = arena.newer.bot_id, arena.moat.bot_id
    make_rating(arena.newer, games=2)
    for bot, opponent in ((ring, moat), (moat, ring)):
        HeadToHead.objects.create(bot_id=bot, opponent_id=opponent, games=2, draws=2)
    both = f"/matches/?bot_id={ring}&amp;against={moat}"
    page = client.get(f"/bots/{ring}/").text
    for link in (f"/matches/?bot_id={ring}", f"/matches/?version={arena.newer.pk}", both):
        assert f'href="{link}"' in page
    assert f'href="/compare/?a={ring}&amp;b={moat}"' in page
    assert f'href="{both}"' in client.get(f"/bots/{ring}/opponents/").text
    assert f'href="{both}"' in client.get(f"/compare/?a={ring}&b={moat}").text
    client.force_login(arena.alice)
    assert f'href="/matches/?version={arena.ring.pk}"' in client.get(f"/versions/{arena.ring.pk}/").text


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
    assert set(page.context["form"].errors) == {"since", "contest", "bot"}
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
