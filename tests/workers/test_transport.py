"""What the site asks the broker itself."""

from __future__ import annotations

import redis

from workers.transport import application, listening


def test_a_pause_in_listening_is_noticed(broker_url: str) -> None:
    app = application("site", broker_url)
    assert not listening(app, "matches", pause_seconds=60), "it begins with a pause"
    assert listening(app, "matches", pause_seconds=60)
    assert not listening(app, "builds", pause_seconds=60), "each listener for itself"
    with redis.Redis.from_url(broker_url) as client:
        assert 0 < client.pttl("listening.matches") <= 60_000
        client.delete("listening.matches")  # what time does, too
    assert not listening(app, "matches", pause_seconds=60)
