"""Commands to a playing worker over a real broker: who may send them, what it does, and its pings to itself."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import redis
from celery import Celery

from deploy.broker import Broker
from jobs.coordination import queue_length
from jobs.sending import jobs_send
from tests.workers.conftest import GOOD_BOT, FileSite, play_job
from tests.workers.processes import LEASE_SECONDS, PlayingWorker, playing_worker
from tests.workers.test_worker_process import next_message, reports_until
from wire.jobs import ADJUST_COMMAND, BUILD_QUEUE, PLAY_QUEUE, PLAY_TASK, WORKER_BEAT_TASK
from wire.redis_acl import CONTROL_CHANNEL
from wire.transport import application
from workers.beats import self_ping_queue
from workers.self_ping import INTERVALS_MAX

pytestmark = pytest.mark.waits

SLOW_BOT = GOOD_BOT.replace("    print(", "    import time; time.sleep(0.3)\n    print(")


def beat_until(app: Celery, condition: Callable[[dict], bool], seconds: float = 60) -> dict:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        task, body = next_message(app)
        if task == WORKER_BEAT_TASK and condition(body):
            return body
    raise AssertionError("no beat has shown it")


def order(app: Celery, worker: str, **wanted: object) -> None:
    app.control.broadcast(ADJUST_COMMAND, arguments=wanted, destination=[worker])


def cores_of(worker: PlayingWorker) -> list[list[int]]:
    return sorted(process.cpu_affinity() for process in worker.pool())


@pytest.mark.test_all
def test_more_and_fewer_processes(tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str) -> None:
    """Each process has its own core. Scaling down loses no match, and succeeds while more matches wait."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("needs two cores")
    job = play_job(site, SLOW_BOT, GOOD_BOT, options={"board": "A-1", "turns": 4})
    with playing_worker(broker.player_url, tmp_path) as worker:
        name = beat_until(app, lambda beat: beat["languages"] == ["python"])["worker"]
        for _ in range(2):  # sent twice, done once
            order(app, name, processes=2, takes_work=True)
        beat_until(app, lambda beat: beat["processes"] == 2)
        assert cores_of(worker) == [[cores[0]], [cores[1]]]
        for _ in range(7):
            jobs_send(app, PLAY_TASK, [job])
        beat_until(app, lambda beat: beat["busy"] == 2)
        deadline = time.monotonic() + 60
        while beat_until(app, lambda beat: True)["processes"] != 1:
            assert time.monotonic() < deadline, worker.log.read_text()
            order(app, name, processes=1, takes_work=True)
        assert queue_length(app, PLAY_QUEUE) > 0
        done = beat_until(app, lambda beat: beat["jobs_done"] == 7)
        assert (done["busy"], done["jobs_taken"]) == (0, 7)
        order(app, name, processes=2, takes_work=True)
        last = beat_until(app, lambda beat: beat["processes"] == 2)
        assert cores_of(worker) == [[cores[0]], [cores[1]]]
        assert last["uptime_seconds"] > INTERVALS_MAX * LEASE_SECONDS / 2, (
            "it received its pings, or it would have ended"
        )
    assert "platform_fault" not in worker.log.read_text()


@pytest.mark.test_all
def test_two_scale_commands_in_a_row_end_two_processes(
    tmp_path: Path, broker: Broker, app: Celery, bubblewrap: str
) -> None:
    """The process that the first command ends takes its time; the second command must not end the same one again."""
    with playing_worker(broker.player_url, tmp_path) as worker:
        name = beat_until(app, lambda beat: beat["languages"] == ["python"])["worker"]
        order(app, name, processes=3, takes_work=True)
        beat_until(app, lambda beat: beat["processes"] == 3 and len(worker.pool()) == 3)
        slow = worker.pool()[0]
        slow.suspend()
        for processes in (2, 1):
            order(app, name, processes=processes, takes_work=True)
        beat_until(app, lambda beat: worker.log.read_text().count("processes_changed") == 3)
        slow.resume()
        while beat_until(app, lambda beat: len(worker.pool()) == beat["processes"])["processes"] != 1:
            order(app, name, processes=1, takes_work=True)


def test_a_drained_worker_ends_its_match_and_takes_no_other(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    job = play_job(site, SLOW_BOT, GOOD_BOT, options={"board": "A-1", "turns": 6})
    with playing_worker(broker.player_url, tmp_path):
        first = beat_until(app, lambda beat: True)
        assert (first["busy"], first["jobs_taken"], first["takes_work"]) == (0, 0, True)
        assert (first["broker_user"], first["backend"]) == ("player", "bubblewrap")
        assert first["canary_ms"] > 0
        jobs_send(app, PLAY_TASK, [job])
        beat_until(app, lambda beat: (beat["busy"], beat["jobs_taken"], beat["jobs_done"]) == (1, 1, 0))
        order(app, "play@elsewhere", processes=2, takes_work=True)
        order(app, first["worker"], processes=2, takes_work=True, user="host-elsewhere")
        order(app, first["worker"], processes=None, takes_work=True, user="player")
        order(app, first["worker"], processes=None, takes_work=False)
        jobs_send(app, PLAY_TASK, [job])
        assert reports_until(app, "matches.match_result")[-1][1]["platform_fault"] is None
        drained = beat_until(app, lambda beat: beat["busy"] == 0)
        assert (drained["takes_work"], drained["jobs_taken"], drained["processes"]) == (False, 1, 1)
        assert queue_length(app, PLAY_QUEUE) == 1
        order(app, first["worker"], processes=None, takes_work=True)
        beat_until(app, lambda beat: beat["jobs_done"] == 2)


def test_a_worker_that_receives_nothing_ends_to_be_started_again(
    tmp_path: Path, broker: Broker, app: Celery, bubblewrap: str
) -> None:
    """The test cancels its consumers: it is connected and sends beats, but would never take a job again."""
    # It beats twice as often as in other tests, so that it soon has missed enough pings.
    with playing_worker(broker.player_url, tmp_path, LEASE_SECONDS="1") as worker:
        name = beat_until(app, lambda beat: True)["worker"]
        echo = self_ping_queue(application("its", broker.player_url), name).name
        children = psutil.Process(worker.process.pid).children(recursive=True)
        deadline = time.monotonic() + 60
        while worker.process.poll() is None:
            assert time.monotonic() < deadline, worker.log.read_text()
            # Repeated, since a command is lost if the worker does not listen yet.
            for queue in (PLAY_QUEUE, BUILD_QUEUE, echo):
                app.control.broadcast("cancel_consumer", arguments={"queue": queue}, destination=[name])
            with suppress(subprocess.TimeoutExpired):
                worker.process.wait(0.5)
        assert worker.process.returncode == os.EX_TEMPFAIL
        assert psutil.wait_procs(children, timeout=10)[1] == []
    assert "gets no messages any more" in worker.log.read_text()


def test_a_worker_receives_commands_and_cannot_publish_any(broker: Broker, broker_url: str) -> None:
    """The attack: a worker that was taken over publishes a command that stops all workers of the arena."""
    refused = pytest.raises(redis.exceptions.NoPermissionError)
    with redis.Redis.from_url(broker.player_url) as player:
        heard = player.pubsub()
        heard.psubscribe(CONTROL_CHANNEL)
        assert heard.get_message(timeout=5)["type"] == "psubscribe"
        with refused:
            player.publish(CONTROL_CHANNEL, "{}")
        with refused:
            player.spublish(CONTROL_CHANNEL, "{}")
        other = player.pubsub()
        with refused:
            other.psubscribe("*")
            other.get_message(timeout=5)
        with redis.Redis.from_url(broker_url) as site:
            assert site.publish(CONTROL_CHANNEL, "{}") == 1
        assert heard.get_message(timeout=5)["data"] == b"{}"
