"""Messages that are sent whatever happens to a channel, and what the site asks the broker itself."""

from __future__ import annotations

import pytest
import redis
from kombu.transport.redis import Channel

from workers.jobs import MATCH_HEARTBEAT_TASK, Heartbeat
from workers.transport import application, listening, missing_still, send


def test_a_pause_in_listening_is_noticed(broker_url: str) -> None:
    app = application("site", broker_url)
    assert not listening(app, "matches", pause_seconds=60), "it begins with a pause"
    assert listening(app, "matches", pause_seconds=60)
    assert not listening(app, "builds", pause_seconds=60), "each listener for itself"
    with redis.Redis.from_url(broker_url) as client:
        assert 0 < client.pttl("listening.matches") <= 60_000
        client.delete("listening.matches")  # what time does, too
    assert not listening(app, "matches", pause_seconds=60)


def test_what_is_missing_twice_in_a_row_is_named(broker_url: str) -> None:
    app = application("site", broker_url)
    assert missing_still(app, "play", {1, 2}, within_seconds=60) == set()
    assert missing_still(app, "build", {1, 2}, within_seconds=60) == set(), "each queue for itself"
    assert missing_still(app, "play", {2, 3}, within_seconds=60) == {2}
    assert missing_still(app, "play", set(), within_seconds=60) == set()
    assert missing_still(app, "play", {2}, within_seconds=60) == set(), "it was not missing in between"
    with redis.Redis.from_url(broker_url) as client:
        assert 0 < client.pttl("missing.play") <= 60_000


def test_a_channel_that_lost_its_connection_is_no_end(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next channel sends."""
    publish = Channel.basic_publish

    def publish_when_closed(channel: Channel, *args: object, **options: object) -> object:
        monkeypatch.undo()
        channel.close()
        channel._disconnect_pools()  # as it does when the broker has died
        return publish(channel, *args, **options)

    monkeypatch.setattr(Channel, "basic_publish", publish_when_closed)
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        send(app, MATCH_HEARTBEAT_TASK, Heartbeat(1, "0" * 32, "worker"))
        assert client.llen("report") == 1
