"""Requests to the API of Kakomimasu, as its programs send them, and the first part of its worker."""

from __future__ import annotations

import json
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from redis import Redis

from core.referee import SeatInfo, play
from games.registry import game_named
from kakomimasu_api.models import KakomimasuGame
from matches.models import Match
from tests.exhibitions.makers import make_worker, table_begin, tell
from tests.matches.makers import make_version

ADA = {"guestName": "Ada"}


def begin() -> None:
    """Make a bot and a worker of tables."""
    cache.clear()
    make_version("rings")
    make_worker()


def send(client: Client, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
    """Send a request as JSON, or bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body)
    return client.generic(method, f"/v1/matches/{path}", data, "application/json", headers=headers)  # type: ignore[return-value]


def joined(client: Client, at: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = send(client, "POST", f"{at}/players", body, **headers)
    assert answer.status_code == 200, answer.content
    return answer.json()  # type: ignore[no-any-return, attr-defined]


def code_of(answer: HttpResponse, status: int = 400) -> int:
    assert answer.status_code == status, answer.content
    told = answer.json()  # type: ignore[attr-defined]
    assert set(told) == {"errorCode", "message"}
    assert told["message"]
    return int(told["errorCode"])


def began(broker: Redis, place: dict[str, Any]) -> Match:
    """Let a worker begin the table and show its first state."""
    match = KakomimasuGame.objects.get(pk=place["gameId"]).match
    assert match
    table_begin(match)
    rules = game_named("kakomimasu")
    turn = next(play(rules, seed=1, seats=[SeatInfo("Ada"), SeatInfo("rings")], options=match.options))
    tell(broker, match, [{**record, "seed": 0} if "seed" in record else record for record in turn.records])
    return match
