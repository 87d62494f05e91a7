"""A worker that could not acknowledge is free for the next job."""

from __future__ import annotations

import pytest
import redis

from workers.transport import application


def test_a_failed_acknowledgement_leaves_nobody_deaf(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = application("test", broker_url)
    with app.connection_for_read() as connection, connection.SimpleQueue("play") as queue:
        queue.put("first")
        queue.put("second")
        queue.consumer.qos(prefetch_count=1)
        message = queue.get(timeout=10)
        qos = queue.channel.qos
        assert not qos.can_consume()

        def broken(*_: object) -> None:
            raise redis.ConnectionError

        with monkeypatch.context() as patch:
            patch.setattr(qos, "_remove_from_indices", broken)
            with pytest.raises(redis.ConnectionError):
                message.ack()
        assert qos.can_consume()
        assert queue.get(timeout=10).payload == "second"
