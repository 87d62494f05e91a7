"""A playing worker whose broker user lacks a right, such as an old worker at the broker of a newer site."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from deploy.broker import Broker
from tests.waiting import wait_until
from tests.workers.processes import playing_worker
from wire.redis_acl import acl_rules
from workers.consumer import TOO_OLD

pytestmark = pytest.mark.waits


@pytest.mark.test_all
def test_a_worker_that_is_refused_says_so_and_waits(broker: Broker, broker_url: str, tmp_path: Path) -> None:
    port = broker.site_url.rpartition(":")[2]
    with redis.Redis.from_url(broker_url) as site:
        site.execute_command("ACL", "SETUSER", "old", "reset", "on", ">secret", *acl_rules("old"), "-psubscribe")
        before = site.info("stats")["total_connections_received"]
        with playing_worker(f"redis://old:secret@127.0.0.1:{port}", tmp_path) as worker:
            wait_until(lambda: TOO_OLD in worker.log.read_text(), worker.log.read_text)
            site.execute_command("ACL", "SETUSER", "old", "reset", "on", ">secret", *acl_rules("old"))
            wait_until(lambda: "languages_announced" in worker.log.read_text(), worker.log.read_text)
            assert worker.log.read_text().count("worker_too_old") <= 2
        assert site.info("stats")["total_connections_received"] - before < 40
        site.execute_command("ACL", "DELUSER", "old")
