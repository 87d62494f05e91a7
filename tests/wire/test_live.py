"""The live stream of a match."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec
import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from deploy.broker import Broker, free_port
from tests.workers.conftest import GOOD_BOT, TOKEN, FileSite, backend, play_job, site, tools
from wire import live
from wire.live import LINES_FIELD, STREAM_SECONDS, live_key, live_stream
from workers.play import Tools, match_play

__all__ = ["backend", "site", "tools"]
KEY = live_key(TOKEN, host="")


@pytest.fixture
def site_client(broker_url: str) -> Iterator[Redis]:
    with Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def player(broker: Broker) -> Iterator[Redis]:
    with Redis.from_url(broker.player_url, socket_timeout=2) as client:
        yield client
        join_live()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "FIRST_SECONDS", 0.0)


def shown(client: Redis) -> list[dict[str, object]]:
    entries = client.xrange(KEY)
    return [msgspec.json.decode(line) for _, fields in entries for line in fields[LINES_FIELD].split(b"\n")]


def join_live() -> None:
    """Wait until everything has been sent."""
    for thread in threading.enumerate():
        if thread.name == "live":
            thread.join()


def test_a_match_shows_its_whole_replay(site: FileSite, tools: Tools, site_client: Redis, player: Redis) -> None:
    job = play_job(site, GOOD_BOT, GOOD_BOT, options={"board": "A-1", "turns": 5})
    seen: list[dict[str, object]] = []
    with live_stream(player, TOKEN, host="") as show:

        def show_and_keep(lines: object) -> None:
            seen.extend(lines)
            show(lines)

        report = match_play(job, tools, show_and_keep)
    join_live()

    assert report.platform_fault is None
    assert shown(site_client) == seen
    assert [next(iter(line)) for line in seen] == ["format", *["turn"] * 5, "ranks"]
    assert 0 < site_client.ttl(KEY) <= STREAM_SECONDS


def test_lines_are_seen_while_the_match_goes_on(site_client: Redis, player: Redis) -> None:
    with live_stream(player, TOKEN, host="") as show:
        last = b"0"
        for turn in range(3):
            show([{"turn": turn}])
            ((_, [(last, fields)]),) = site_client.xread({KEY: last}, block=5_000)
            assert fields[LINES_FIELD] == b'{"turn":%d}' % turn


def test_a_match_over_at_once_sends_nothing(site_client: Redis, player: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with live_stream(player, TOKEN, host="") as show:
        show([{"turn": 1}])
    join_live()
    assert not site_client.exists(KEY)


def test_no_more_is_kept_than_a_match_may_show(
    site_client: Redis, player: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MATCH_BYTES_MAX", 10_000)
    monkeypatch.setattr(live, "BATCH_BYTES_MAX", 2_000)
    with live_stream(player, TOKEN, host="") as show:
        show({"turn": turn, "text": "x" * 500} for turn in range(1_000))
    join_live()

    sizes = [len(fields[LINES_FIELD]) for _, fields in site_client.xrange(KEY)]
    assert max(sizes) < 3_000
    assert 10_000 <= sum(sizes) < 13_000


def test_a_broker_that_is_away_changes_nothing(site: FileSite, tools: Tools) -> None:
    away = Redis(port=free_port(), socket_connect_timeout=1, retry=Retry(NoBackoff(), 0))
    job = play_job(site, GOOD_BOT, GOOD_BOT, options={"board": "A-1", "turns": 3})
    with live_stream(away, TOKEN, host="") as show:
        assert match_play(job, tools, show).turns == 3
    join_live()


def test_the_name_of_a_stream_does_not_reveal_the_token() -> None:
    assert TOKEN not in KEY
    assert live_key("b" * 32, host="") != KEY
