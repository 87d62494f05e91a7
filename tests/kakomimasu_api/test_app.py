"""The app of the API: the setting that names it, its table, and what it tells of games that no table plays."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, resolve
from django.utils import timezone
from pytest_django import Settings

from accounts.exports import export_sections
from arena.settings.base import GAME_APIS
from kakomimasu_api import games, services, urls
from kakomimasu_api.bodies import Code, Refused
from kakomimasu_api.models import KakomimasuGame
from matches.models import Match
from matches.selectors.matches import ReplayUnreadable
from tests.kakomimasu_api.makers import code_of, send
from tests.ladder.makers import make_rating, make_user
from tests.matches.makers import finish_random_match, make_version

APP = "kakomimasu_api"
KEY = "0b5c3a86-9d1f-4d5b-8a37-2f6f6a1d9c10"
"""The id of no game."""
PREFLIGHT = {"Origin": "https://pages.example", "Access-Control-Request-Method": "PATCH"}


def make_game(**fields: Any) -> KakomimasuGame:
    """Make a game of the API, by default one in which Ada waits."""
    row = {"board": "A-1", "agents": 2, "turns": 30, "operation_seconds": 1, "transition_seconds": 1}
    row |= {"waiting_name": "Ada", "seen_at": timezone.now(), "specs": ["mine"]}
    return KakomimasuGame.objects.create(**row | fields)


# --- The setting ------------------------------------------------------------------------------------------------------


def test_the_setting_has_the_paths_of_all_urls_of_the_app() -> None:
    assert apps.is_installed(APP)
    paths = GAME_APIS[APP]
    known = [pattern for pattern in urls.urlpatterns if isinstance(pattern, URLPattern)]
    routes = [re.sub(r"<str:key>", KEY, str(pattern.pattern)) for pattern in known[:-1]]
    assert len(routes) == 5
    assert all(paths.match(f"/{route}") for route in [*routes, "v1", "version", "version/"])
    assert not any(paths.match(path) for path in ("/", "/v10/", "/versions/1/", "/api/v1/", "/games/v1/"))


@pytest.mark.django_db
@pytest.mark.parametrize(("chosen", "origin"), [(GAME_APIS, "*"), ({}, None)])
def test_pages_of_other_origins_play_by_the_apis_of_the_setting_alone(
    client: Client, settings: Settings, chosen: dict[str, str], origin: str | None
) -> None:
    resolve("/version")  # the urls are those of the setting that an arena starts with
    settings.GAME_APIS = chosen
    for path in ("/v1/matches/free/players", "/version"):
        assert client.options(path, headers=PREFLIGHT).get("Access-Control-Allow-Origin") == origin
    reading = client.options("/api/v1/games/", headers=PREFLIGHT)
    assert reading["Access-Control-Allow-Methods"] == "GET, HEAD", "what anybody may read stays open"


@pytest.mark.parametrize("path", ["/v1/matches/free/players", "/version"])
def test_a_closed_network_shows_no_page_of_other_origins_its_games(
    client: Client, settings: Settings, path: str
) -> None:
    settings.API_SAME_ORIGIN = True
    assert "Access-Control-Allow-Origin" not in client.options(path, headers=PREFLIGHT)


def test_an_arena_without_the_game_says_so(settings: Settings, db: None) -> None:
    assert games.contest_of_api().game == games.GAME
    settings.GAMES = []
    with pytest.raises(Refused, match="does not play Kakomimasu") as refused:
        games.contest_of_api()
    assert (refused.value.code, refused.value.status) == (Code.NOT_FOUND, 404)


# --- The table --------------------------------------------------------------------------------------------------------


def test_the_model_has_the_table_that_another_app_made() -> None:
    assert KakomimasuGame._meta.label == "kakomimasu_api.KakomimasuGame"
    assert KakomimasuGame._meta.db_table == "exhibitions_kakomimasugame"


@pytest.mark.django_db
def test_the_export_has_the_games_in_which_a_person_waits_without_what_guards_them() -> None:
    alice = make_user("alice")
    own = make_game(waiting_user=alice, waiting_secret_hash="5" * 64)
    make_game(waiting_user=make_user("bob"))
    section = next(each for each in export_sections() if each.models == (KakomimasuGame._meta.label,))
    assert section.rows
    (row,) = section.rows(alice)
    assert (row["id"], row["waiting_name"], row["specs"]) == (own.pk, "Ada", ["mine"])
    assert not {"waiting_secret_hash", "waiting_visitor"} & set(row)


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "is_noted"), [(0, False), (4, False), (6, True), (60, True)])
def test_a_player_who_waits_is_noted_every_few_seconds(seconds: int, is_noted: bool) -> None:
    before = timezone.now() - timedelta(seconds=seconds)
    game = make_game(seen_at=before)
    services.game_seen(game=game)
    game.refresh_from_db()
    assert (game.seen_at > before) is is_noted


# --- Games that no table plays ----------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("bots", "wanted"),
    [(1, ["only"] * 6), (2, ["low"] * 5 + ["high"]), (6, ["b0", "b1", "b2", "b3", "b4", "b5"])],
)
def test_the_samples_are_our_bots_from_the_weakest_to_the_strongest(bots: int, wanted: list[str]) -> None:
    contest = games.contest_of_api()
    names = list(dict.fromkeys(wanted))
    assert len(names) == bots
    for place, name in enumerate(names):
        make_rating(make_version(name), 1_400.0 + 50 * place)
    assert [games.ai_named(contest=contest, name=name).bot.name for name in games.SAMPLE_AIS] == wanted
    own = make_version("a5")
    assert games.ai_named(contest=contest, name="a5") == own, "a bot's own name counts first"


@pytest.mark.django_db
def test_where_no_bot_plays_no_sample_does() -> None:
    for name in (*games.SAMPLE_AIS, "rings"):
        with pytest.raises(Refused) as refused:
            games.ai_named(contest=games.contest_of_api(), name=name)
        assert refused.value.code == Code.NO_AI


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "1", "x" * 36, "\x00", KEY])
def test_an_id_of_no_game_is_refused(key: str) -> None:
    with pytest.raises(Refused) as refused:
        games.game_found(key=key)
    assert refused.value.code == Code.NO_GAME


@pytest.mark.parametrize("name", ["", "A-0", "a-1", "A-1 "])
def test_a_name_of_no_board_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(Refused, match="A-1") as refused:
        games.board_named(name)
    assert refused.value.code == Code.NO_BOARD


@pytest.mark.django_db
def test_a_game_is_free_while_its_player_waits(client: Client) -> None:
    told = send(client, "GET", str(make_game().pk)).json()  # type: ignore[attr-defined]
    assert (told["status"], told["turn"], told["startedAtUnixTime"]) == ("free", 0, None)
    (player,) = told["players"]
    assert (player["id"], player["type"], player["spec"]) == ("Ada", "guest", "mine")


@pytest.mark.django_db
def test_an_ended_game_is_told_from_its_replay(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finish_random_match(games.GAME)
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now())
    key = str(make_game(match=match, waiting_name="").pk)
    told = send(client, "GET", key).json()  # type: ignore[attr-defined]
    assert (told["status"], told["nextTurnUnixTime"]) == ("ended", None)
    assert told["turn"] == len(told["log"]) > 0
    assert [player["id"] for player in told["players"]][:2] == ["Alpha", "Beta"]
    assert told["field"]["tiles"]

    def damaged(**_: Any) -> None:
        raise ReplayUnreadable("It is damaged.")

    monkeypatch.setattr(games, "replay_records", damaged)
    assert code_of(send(client, "GET", key), 500) == Code.SERVER
