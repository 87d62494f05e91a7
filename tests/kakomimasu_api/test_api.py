"""The API of Kakomimasu: joining, waiting, times, the pic, tokens and names; a worker's part is played by hand."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import Settings
from redis import Redis

from core.message import Message
from exhibitions.selectors.seats import seat_keys, seat_of_secret
from kakomimasu_api.bodies import Code
from kakomimasu_api.games import SAMPLE_AIS
from kakomimasu_api.models import KakomimasuGame
from kakomimasu_api.services import WAITING_SECONDS
from matches.models import Match, RemoteSeat
from matches.services.lifecycle import matches_void
from tests.exhibitions.makers import question, table_begin, tell
from tests.kakomimasu_api.makers import ADA, began, begin, code_of, joined, send
from tests.ladder.makers import make_user
from wire.tables import Answer

pytestmark = pytest.mark.django_db
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(autouse=True)
def _ready(streams: Redis) -> None:
    begin()


# --- Joining ----------------------------------------------------------------------------------------------------------


def test_a_guest_plays_against_a_bot(client: Client) -> None:
    wanted = {"aiName": "rings", "boardName": "A-2", "nAgent": 2, "totalTurn": 7, "operationSec": 3, "spec": "mine"}
    place = joined(client, "ai", ADA | wanted, Authorization="Bearer undefined")
    assert (place["userId"], place["spec"], place["index"]) == ("Ada", "mine", 0)
    game = send(client, "GET", place["gameId"]).json()  # type: ignore[attr-defined]
    facts = ("status", "nAgent", "totalTurn", "operationSec", "transitionSec", "startedAtUnixTime", "field")
    assert [game[fact] for fact in facts] == ["ready", 2, 7, 3, 1, None, None]
    assert [(player["id"], player["type"]) for player in game["players"]] == [("Ada", "guest"), ("rings", "account")]
    match = Match.objects.get()
    assert match.options == {"board": "A-2", "agents": 2, "turns": 7}
    seat = seat_of_secret(match=match.pk, secret=place["pic"])
    assert seat
    assert seat.index == 0


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
def test_a_token_counts_more_than_a_name(client: Client, scheme: str) -> None:
    user = make_user("alice")
    _row, token = AuthToken.objects.create(user=user)
    place = joined(client, "ai", ADA | {"aiName": "rings"}, Authorization=f"{scheme} {token}")
    assert place["userId"] == "alice"
    assert RemoteSeat.objects.get().user == user


def test_cookies_do_not_count(client: Client) -> None:
    client.force_login(make_user("alice"))
    assert code_of(send(client, "POST", "ai/players", {"aiName": "rings"})) == Code.NO_USER


@pytest.mark.parametrize("name", SAMPLE_AIS)
def test_names_of_the_samples_stand_for_our_bots(client: Client, name: str) -> None:
    assert joined(client, "ai", ADA | {"aiName": name})["gameId"]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("ゲスト", "ゲスト"),
        ("MLくん", "MLくん"),
        ("  AI-1 ", "AI-1"),
        ("<b>Ada</b>", "bAdab"),
        ("\u202e\u0301", "Guest"),
        ("x" * 900, "x" * 40),
        ("admin", "admin (guest)"),
        ("rings", "rings (guest)"),
        ("R\u0456ngs", "R\u0456ngs (guest)"),
        ("Alice", "Alice (guest)"),
    ],
)
def test_names_that_programs_have_built_in_are_made_readable(client: Client, sent: str, shown: str) -> None:
    make_user("alice")
    assert joined(client, "ai", {"guestName": sent, "aiName": "rings"})["userId"] == shown
    assert RemoteSeat.objects.get().name == shown


@pytest.mark.parametrize(
    ("at", "body", "code"),
    [
        ("ai", {"aiName": "nobody"}, Code.NO_AI),
        ("ai", {"aiName": "rings", "boardName": "X-9"}, Code.NO_BOARD),
        ("ai", {}, Code.REQUEST),
        ("ai", {"aiName": "a\0"}, Code.REQUEST),
        ("free", {"spec": "a\0"}, Code.REQUEST),
        ("free", b"{", Code.SYNTAX),
        (UNKNOWN, {}, Code.NO_GAME),
        ("nothing", {}, Code.NO_GAME),
    ],
)
def test_who_cannot_join_is_told_why(client: Client, at: str, body: Any, code: Code) -> None:
    body = body if isinstance(body, bytes) else ADA | body
    assert code_of(send(client, "POST", f"{at}/players", body)) == code
    assert not Match.objects.exists()


@pytest.mark.parametrize("more", [{}, {"dryRun": True}])
@pytest.mark.parametrize(
    ("at", "body"), [("ai", {"aiName": "nobody"}), ("ai", {"aiName": "rings", "boardName": "X-9"}), (UNKNOWN, {})]
)
def test_who_gives_no_name_is_told_so_before_all_else(client: Client, at: str, body: Any, more: Any) -> None:
    assert code_of(send(client, "POST", f"{at}/players", body | more)) == Code.NO_USER


def test_a_dry_run_opens_nothing(client: Client) -> None:
    for at, body in (("ai", {"aiName": "rings"}), ("free", {})):
        assert joined(client, at, ADA | body | {"dryRun": True})["index"] == -1
    assert code_of(send(client, "POST", "ai/players", ADA | {"aiName": "x", "dryRun": True})) == Code.NO_AI
    board = {"aiName": "rings", "boardName": "X-9", "dryRun": True}
    assert code_of(send(client, "POST", "ai/players", ADA | board)) == Code.NO_BOARD
    assert code_of(send(client, "POST", "free/players", {"dryRun": True})) == Code.NO_USER
    assert not KakomimasuGame.objects.exists()


def test_a_dry_run_is_no_game_that_counts(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"table": "1/h/ip"}
    for _time in range(3):
        joined(client, "free", ADA | {"dryRun": True})
    joined(client, "free", ADA)
    assert code_of(send(client, "POST", "free/players", ADA), 429) == Code.REQUEST


def test_the_answer_waits_for_the_table_but_not_for_a_second_player(client: Client, streams: Redis) -> None:
    """Some programs expect that the start of the game is known once they have joined."""
    assert not hasattr(send(client, "POST", "free/players", ADA), "held")
    answer = send(client, "POST", "free/players", {"guestName": "Bob"})
    wait = answer.held  # type: ignore[attr-defined]
    assert wait.seconds == 5
    assert not wait.has_come()
    began(streams, answer.json())  # type: ignore[attr-defined]
    assert wait.has_come()


def test_no_answer_waits_for_a_table_that_never_begins(client: Client, settings: Settings) -> None:
    waits = [send(client, "POST", "ai/players", ADA | {"aiName": "rings"}).held for _ in range(2)]  # type: ignore[attr-defined]
    matches_void(matches=[Match.objects.earliest("pk")], reason=Message("table-left"))
    assert [wait.has_come() for wait in waits] == [True, False]
    table_begin(Match.objects.latest("pk"))
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert waits[1].has_come(), "nobody can tell"


def test_the_limits_of_tables_are_those_of_the_site(client: Client, settings: Settings) -> None:
    """The attack: a program opens games by the thousand."""
    for _game in range(settings.USER_LIMITS["tables"]):
        joined(client, "ai", ADA | {"aiName": "rings"})
    assert code_of(send(client, "POST", "ai/players", ADA | {"aiName": "rings"})) == Code.REQUEST
    settings.ACCOUNT_RATE_LIMITS = {"table": "1/h/ip"}
    cache.clear()
    send(client, "POST", "free/players", ADA)
    assert code_of(send(client, "POST", "free/players", ADA), 429) == Code.REQUEST


def test_other_methods_and_types_are_refused(client: Client) -> None:
    asked = [("GET", "free/players", "POST"), ("POST", UNKNOWN, "GET"), ("PUT", "x/actions", "PATCH")]
    for method, at, allowed in asked:
        answer = send(client, method, at, {})
        assert code_of(answer, 405) == Code.NOT_FOUND
        assert answer["Allow"] == allowed
    plain = client.generic("POST", "/v1/matches/free/players", b"guestName=Ada", "application/x-www-form-urlencoded")
    assert code_of(plain) == Code.CONTENT_TYPE  # type: ignore[arg-type]
    assert code_of(send(client, "POST", "free/players", b" " * (1 << 20)), 413) == Code.REQUEST


# --- Free games -------------------------------------------------------------------------------------------------------


def test_two_players_meet_in_a_free_game(client: Client) -> None:
    first = joined(client, "free", ADA)
    game = send(client, "GET", first["gameId"]).json()  # type: ignore[attr-defined]
    assert (game["status"], game["field"], [player["id"] for player in game["players"]]) == ("free", None, ["Ada"])
    second = joined(client, "free", {"guestName": "Bob"})
    assert (second["gameId"], first["index"], second["index"]) == (first["gameId"], 0, 1)
    seats = [seat_of_secret(match=Match.objects.get().pk, secret=place["pic"]) for place in (first, second)]
    assert [(seat.index, seat.name) for seat in seats if seat] == [(0, "Ada"), (1, "Bob")]
    row = KakomimasuGame.objects.get()
    assert (row.waiting_name, row.waiting_visitor, row.waiting_secret_hash) == ("", "", "")
    assert len(set(RemoteSeat.objects.values_list("visitor", flat=True))) == 1, "one network"
    assert code_of(send(client, "POST", f"{first['gameId']}/players", ADA)) == Code.NOT_FREE


def test_a_player_joins_a_free_game_by_its_id(client: Client) -> None:
    first = joined(client, "free", ADA)
    assert joined(client, first["gameId"], {"guestName": "Bob"})["index"] == 1


def test_the_second_of_a_free_game_plays_the_second_seat(client: Client, streams: Redis) -> None:
    first = joined(client, "free", ADA)
    path = f"{first['gameId']}/actions"
    waits = send(client, "PATCH", path, {"actions": []}, Authorization=first["pic"])
    assert code_of(waits) == Code.WRONG_PIC
    _row, token = AuthToken.objects.create(user=make_user("alice"))
    second = joined(client, "free", ADA | {"spec": "mine"}, Authorization=f"Bearer {token}")
    tell(streams, began(streams, second), question(1, answer_lines=2, seconds=30.0), seat=1)
    game = send(client, "GET", first["gameId"]).json()  # type: ignore[attr-defined]
    assert [(player["id"], player["type"]) for player in game["players"]] == [("Ada", "guest"), ("alice", "account")]
    for pic in (second["pic"], first["pic"]):
        assert code_of(send(client, "PATCH", path, {"actions": []}, Authorization=f"{pic} ")) == Code.WRONG_PIC
    assert send(client, "PATCH", path, {"actions": []}, Authorization=second["pic"]).json()["turn"] == 1  # type: ignore[attr-defined]


def test_nobody_joins_a_player_who_has_gone(client: Client) -> None:
    first = joined(client, "free", ADA)
    old = timezone.now() - timedelta(seconds=WAITING_SECONDS + 1)
    KakomimasuGame.objects.update(seen_at=old)
    assert code_of(send(client, "POST", f"{first['gameId']}/players", ADA)) == Code.NOT_FREE
    send(client, "GET", first["gameId"])  # he is there again
    assert KakomimasuGame.objects.get().seen_at > old
    KakomimasuGame.objects.update(seen_at=old)
    second = joined(client, "free", {"guestName": "Bob"})
    assert (second["index"], KakomimasuGame.objects.count()) == (0, 1)


def test_nobody_joins_a_player_who_has_tables_enough(client: Client, settings: Settings) -> None:
    """The attack: somebody who may have no more tables waits all the same, so that nobody can play a free game."""
    joined(
        client,
        "free",
        ADA,
    )
    for _game in range(settings.NETWORK_LIMITS["tables"]):
        joined(client, "ai", ADA | {"aiName": "rings"})
    _row, token = AuthToken.objects.create(user=make_user("alice"))
    assert joined(client, "free", {}, Authorization=f"Bearer {token}")["index"] == 0


def test_guests_of_a_school_meet_in_as_many_free_games_as_it_was_given(client: Client, settings: Settings) -> None:
    """From the third table on nobody had found the guest who waits, whose game was deleted."""
    most = settings.NETWORK_LIMITS["tables"] + 1
    settings.TRUSTED_NETWORKS = {"127.0.0.1": {"tables": most}}
    for _table in range(most):
        places = [joined(client, "free", {"guestName": name}) for name in ("Ada", "Bob")]
        assert [place["index"] for place in places] == [0, 1]
    assert joined(client, "free", ADA)["index"] == 0
    assert joined(client, "free", {"guestName": "Bob"})["index"] == 0, "they have enough"


# --- Turns ------------------------------------------------------------------------------------------------------------


def test_a_turn_takes_actions_and_merges_them(client: Client, streams: Redis) -> None:
    place = joined(client, "ai", ADA | {"aiName": "rings", "boardName": "A-1", "nAgent": 2})
    match = began(streams, place)
    game = send(client, "GET", place["gameId"]).json()  # type: ignore[attr-defined]
    assert (game["status"], game["turn"]) == ("ready", 0)
    assert 3 < game["startedAtUnixTime"] - time.time() <= 5
    assert len(game["field"]["points"]) == 100
    actions = f"{place['gameId']}/actions"
    body = {"actions": [{"agentId": 0, "type": "PUT", "x": 1, "y": 1}]}
    assert code_of(send(client, "PATCH", actions, body, Authorization=place["pic"])) == Code.TRANSITION, "too early"
    tell(streams, match, question(1, answer_lines=2, seconds=30.0))
    game = send(client, "GET", place["gameId"]).json()  # type: ignore[attr-defined]
    assert (game["status"], game["turn"]) == ("gaming", 1)
    for agent, x in ((0, 1), (1, 2), (0, 3)):
        body = {"actions": [{"agentId": agent, "type": "PUT", "x": x, "y": 1}]}
        answer = send(client, "PATCH", actions, body, Authorization=place["pic"])
        assert answer.json()["turn"] == 1, answer.content  # type: ignore[attr-defined]
        assert abs(answer.json()["receptionUnixTime"] - time.time()) < 3  # type: ignore[attr-defined]
    seat = seat_of_secret(match=match.pk, secret=place["pic"])
    keys = seat and seat_keys(seat=seat)
    assert keys
    last = msgspec.json.decode(streams.lrange(keys.answers, -1, -1)[0], type=Answer)
    assert last == Answer(1, ["PUT 3 1", "PUT 2 1"])
    dry = {"actions": [], "dryRun": True}
    assert send(client, "PATCH", actions, dry, Authorization=place["pic"]).status_code == 200
    assert streams.llen(keys.answers) == 3


def test_players_read_what_each_says_of_his_program(client: Client) -> None:
    first = joined(client, "free", ADA | {"spec": "greedy"})
    assert send(client, "GET", first["gameId"]).json()["players"][0]["spec"] == "greedy"  # type: ignore[attr-defined]
    joined(client, "free", {"guestName": "Bob", "spec": "<b>"})
    game = send(client, "GET", first["gameId"]).json()  # type: ignore[attr-defined]
    assert [player["spec"] for player in game["players"]] == ["greedy", "<b>"]
    against = joined(client, "ai", ADA | {"aiName": "rings"})
    game = send(client, "GET", against["gameId"]).json()  # type: ignore[attr-defined]
    assert [player["spec"] for player in game["players"]] == ["", ""]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/users/ada", "/v1/matches", "/v1/matches/x/y/z", "/version", "/version/1"]
)
def test_unknown_urls_answer_as_the_api_does(client: Client, method: str, path: str) -> None:
    answer = client.generic(method, path, b"{}", "application/json", headers={"Origin": "https://pages.example"})
    assert code_of(answer, 404) == Code.NOT_FOUND  # type: ignore[arg-type]
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(("sent", "status"), [(5.0, 200), (5, 200), (5.5, 400), ("5", 400), (True, 400), (1e40, 400)])
def test_whole_numbers_may_have_a_point(client: Client, sent: Any, status: int) -> None:
    wanted = ADA | {"aiName": "rings", "totalTurn": sent, "nAgent": 2.0, "dryRun": True}
    assert send(client, "POST", "ai/players", wanted).status_code == status


@pytest.mark.parametrize("pic", ["", "wrong", "Bearer {pic}", "{pic}x", "\xe9"])
def test_only_the_bare_pic_moves_agents(client: Client, streams: Redis, pic: str) -> None:
    """The attack: somebody moves the agents of another."""
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    match = began(streams, place)
    tell(streams, match, question(1))
    authorization = pic.format(pic=place["pic"])
    answer = send(client, "PATCH", f"{place['gameId']}/actions", {"actions": []}, Authorization=authorization)
    assert code_of(answer) == Code.WRONG_PIC


def test_the_pic_of_one_game_is_none_of_another(client: Client, streams: Redis) -> None:
    first, second = (joined(client, "ai", ADA | {"aiName": "rings"}) for _game in range(2))
    tell(streams, began(streams, second), question(1))
    path = f"{second['gameId']}/actions"
    assert code_of(send(client, "PATCH", path, {"actions": []}, Authorization=first["pic"])) == Code.WRONG_PIC


def test_a_flood_of_actions_is_refused(client: Client, streams: Redis) -> None:
    """The attack: a program sends a thousand actions a second."""
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    tell(streams, began(streams, place), question(1))
    path = f"{place['gameId']}/actions"
    found = [send(client, "PATCH", path, {"actions": []}, Authorization=place["pic"]).status_code for _ in range(30)]
    assert 429 in found


def test_a_game_without_a_result_has_ended(client: Client) -> None:
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    matches_void(matches=[Match.objects.get()], reason=Message("table-left"))
    game = send(client, "GET", place["gameId"]).json()  # type: ignore[attr-defined]
    assert (game["status"], game["field"], game["log"]) == ("ended", None, [])
    answer = send(client, "PATCH", f"{place['gameId']}/actions", {"actions": []}, Authorization=place["pic"])
    assert code_of(answer) == Code.ENDED


def test_without_a_broker_programs_are_told_to_ask_again(client: Client, streams: Redis, settings: Settings) -> None:
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    tell(streams, began(streams, place), question(1))
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert code_of(send(client, "GET", place["gameId"]), 503) == Code.SERVER
    answer = send(client, "PATCH", f"{place['gameId']}/actions", {"actions": []}, Authorization=place["pic"])
    assert code_of(answer, 503) == Code.SERVER


def test_what_a_hostile_worker_adds_is_an_error_of_the_api(client: Client, streams: Redis) -> None:
    """The attack: a worker that was taken over adds anything to a stream."""
    place = joined(client, "ai", ADA | {"aiName": "rings"})
    match = began(streams, place)
    seat = seat_of_secret(match=match.pk, secret=place["pic"])
    keys = seat and seat_keys(seat=seat)
    assert keys
    for field, value in ((b"lines", b"{"), (b"told", b"[]"), (b"lines", b'{"form' * 9)):
        entry = streams.xadd(keys.stream, {field: value})
        assert code_of(send(client, "GET", place["gameId"]), 500) == Code.SERVER
        streams.xdel(keys.stream, entry)


def test_pages_of_other_sites_may_play(client: Client) -> None:
    asks = {"Origin": "https://pages.example", "Access-Control-Request-Method": "PATCH"}
    answer = client.options(f"/v1/matches/{UNKNOWN}/actions", headers=asks)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (204, "*")
    assert answer["Access-Control-Allow-Methods"] == "GET, POST, PATCH"
    assert answer["Access-Control-Allow-Headers"] == "Authorization, Content-Type"
    assert "Access-Control-Allow-Credentials" not in answer
    told = send(client, "POST", "free/players", ADA, Origin="https://pages.example")
    assert told["Access-Control-Allow-Origin"] == "*"
