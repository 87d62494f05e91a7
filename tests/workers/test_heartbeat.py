"""Heartbeats while a job is done: keys that are overwritten, and the site's answer that the lease has ended."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec
import pytest
import redis
from celery import Celery

from deploy.broker import Broker
from tests.waiting import wait_until
from wire.heartbeats import HEARTBEAT_KEPT_SECONDS, HEARTBEAT_PREFIX, heartbeats_take, over_write
from wire.jobs import MATCH_HEARTBEAT_TASK, REPORT_QUEUE, Heartbeat
from wire.redis_acl import acl_rules
from wire.signing import Signature
from wire.transport import application
from workers import heartbeat
from workers.heartbeat import sending_heartbeats
from workers.sending import heartbeat_send, send_best_effort

TOKEN = "a" * 32
BEAT = Heartbeat(1, TOKEN, "w")


@pytest.fixture
def site(broker_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def player(broker: Broker) -> Iterator[Celery]:
    """A worker's application, with the rights of a worker."""
    with application("test", broker.player_url) as app:
        yield app


def beating() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "heartbeat"]


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "FIRST_HEARTBEAT_SECONDS", 0.01)
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.01)


@pytest.mark.parametrize("send", [send_best_effort, heartbeat_send])
def test_a_broker_that_is_away_is_no_reason_to_stop(send) -> None:
    assert not send(application("away", "redis://127.0.0.1:1/0"), MATCH_HEARTBEAT_TASK, BEAT)


def test_heartbeats_overwrite_each_other_and_no_result_waits_behind_them(site: redis.Redis, player: Celery) -> None:
    for seconds in range(850):
        heartbeat_send(player, MATCH_HEARTBEAT_TASK, msgspec.structs.replace(BEAT, seconds=float(seconds)))
    assert site.llen(REPORT_QUEUE) == 0
    (key,) = site.keys(f"{HEARTBEAT_PREFIX}*")
    assert 0 < site.ttl(key) <= HEARTBEAT_KEPT_SECONDS
    _cursor, (taken,) = heartbeats_take(site, 0, count=1_000)
    assert taken.task == MATCH_HEARTBEAT_TASK
    assert msgspec.json.decode(taken.body, type=Heartbeat).seconds == 849
    assert msgspec.json.decode(taken.signature, type=Signature).user == "player"
    assert heartbeats_take(site, 0, count=1_000) == (0, []), "each is taken once"


def test_a_broker_with_the_rights_of_an_earlier_release_takes_messages(site: redis.Redis, broker: Broker) -> None:
    rules = [rule for rule in acl_rules("old") if "+set)" not in rule and "+exists)" not in rule]
    site.execute_command("ACL", "SETUSER", "old", "reset", "on", ">secret", *rules)
    with application("test", broker.player_url.replace("player:player-secret", "old:secret")) as app:
        assert not heartbeat_send(app, MATCH_HEARTBEAT_TASK, BEAT)
    assert (site.llen(REPORT_QUEUE), site.keys(f"{HEARTBEAT_PREFIX}*")) == (1, [])
    site.execute_command("ACL", "DELUSER", "old")


@pytest.mark.usefixtures("often")
def test_it_beats_until_the_work_is_done(monkeypatch: pytest.MonkeyPatch, player: Celery) -> None:
    beats: list[Heartbeat] = []
    three = threading.Event()

    def send(app: object, task: str, message: Heartbeat) -> bool:
        beats.append(message)
        if len(beats) >= 3:
            three.set()
        return False

    monkeypatch.setattr(heartbeat, "heartbeat_send", send)
    with sending_heartbeats(player, MATCH_HEARTBEAT_TASK, lambda: BEAT) as over:
        assert three.wait(10)
        assert not over.is_set()
    assert not beating()


@pytest.mark.usefixtures("often")
def test_it_stops_when_the_site_answers_that_the_lease_has_ended(site: redis.Redis, player: Celery) -> None:
    with sending_heartbeats(player, MATCH_HEARTBEAT_TASK, lambda: BEAT) as over:
        wait_until(lambda: site.keys(f"{HEARTBEAT_PREFIX}*"), lambda: "no heartbeat")
        over_write(site, [TOKEN])
        assert over.wait(10)
        wait_until(lambda: not beating(), lambda: "it goes on")
