"""Programs for the API of Kakomimasu play whole games on an arena: against `rings`, and against each other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from deploy.broker import free_port
from tests.deploy.arena import OPEN, arena_running
from tests.kakomimasu_api.client import KakomimasuClient
from tests.waiting import wait_until

pytestmark = [pytest.mark.arena, pytest.mark.timeout(600), pytest.mark.test_all]
TURNS = 8


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, bubblewrap: str) -> Iterator[str]:
    """The address of a running arena."""
    with arena_running(tmp_path_factory.mktemp("kakomimasu") / "data", free_port()) as arena:
        arena.wait_for(OPEN)
        wait_until(lambda: rings_plays(arena.url), lambda: arena.output, 120)  # its check may come later
        yield arena.url


def rings_plays(site: str) -> bool:
    """Return whether a game against the bot could be opened."""
    wanted = {"guestName": "Ada", "aiName": "rings", "dryRun": True}
    return requests.post(f"{site}/v1/matches/ai/players", json=wanted, timeout=15).ok


def test_a_client_plays_a_whole_game_against_rings(site: str) -> None:
    client = KakomimasuClient(site, guestName="ゲスト", aiName="rings", boardName="A-1", totalTurn=TURNS, nAgent=3)
    client.join("ai")
    client.play()
    assert client.turns == list(range(1, TURNS + 1)), "no turn is missed, and none is told twice"
    assert client.sent == [(turn, 200) for turn in client.turns]
    game = client.game
    assert (game["status"], game["turn"], len(game["log"])) == ("ended", TURNS, TURNS)
    assert [player["id"] for player in game["players"]] == ["ゲスト", "rings"]
    first = [turn["players"][0]["actions"] for turn in game["log"]]
    assert [len(actions) for actions in first] == [3] * TURNS, "all its actions have arrived"
    assert game["players"][1]["point"]["wallPoint"] > 0, "rings has played, too"


def test_two_clients_play_a_free_game(site: str) -> None:
    clients = [KakomimasuClient(site, guestName=name) for name in ("Ada", "Bob")]
    for client in clients:
        client.join("free")
    assert [client.place["index"] for client in clients] == [0, 1]
    with ThreadPoolExecutor() as pool:
        playing = [pool.submit(client.play, turns=3) for client in clients]
        for each in playing:
            each.result(timeout=60)
    for client in clients:
        assert client.sent == [(1, 200), (2, 200), (3, 200)]
        assert [player["id"] for player in client.game["players"]] == ["Ada", "Bob"]
        assert [len(player["agents"]) for player in client.game["players"]] == [client.game["nAgent"]] * 2
