"""A worker of tables as a process: it drains, outlives its broker, and leaves no bots behind."""

from __future__ import annotations

import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import psutil
import redis
from celery import Celery

from deploy.broker import Broker, broker_await, broker_command, broker_running
from jobs.coordination import queue_length
from jobs.sending import jobs_send
from tests.workers.conftest import GOOD_BOT, FileSite
from tests.workers.processes import HOLDS_TABLES, playing_worker
from tests.workers.tables import Seat, table_job
from tests.workers.test_control import beat_until, order
from tests.workers.test_worker_process import reports_until
from wire.jobs import MATCH_RESULT_TASK, TABLE_QUEUE, TABLE_TASK
from wire.transport import application

TOKENS = ("a" * 32, "b" * 32)
BOTS_DIE_SECONDS = 10


def test_an_open_table_outlives_a_drain_and_the_broker_but_bots_never_their_worker(
    tmp_path: Path, site: FileSite, bubblewrap: str
) -> None:
    folder = tmp_path / "broker"
    with broker_running(folder, site_password="site-secret", player_password="player-secret") as broker:
        app, client = application("site", broker.site_url), redis.Redis.from_url(broker.site_url)
        with playing_worker(broker.player_url, tmp_path, "table@test", HOLDS_TABLES) as worker:
            jobs_send(app, TABLE_TASK, [table_job(site, GOOD_BOT, token=TOKENS[0])])
            seat = Seat(client, TOKENS[0], 0)
            question = seat.question()
            beat = beat_until(app, lambda beat: beat["busy"] == 1)
            assert (beat["processes"], beat["tables"], beat["jobs_done"]) == (0, 4, 0)

            order(app, "table@test", processes=3, takes_work=False)  # there are no processes to change
            beat_until(app, lambda beat: not beat["takes_work"])

            broker.process.kill()
            broker.process.wait()
            restarted = subprocess.Popen(broker_command(folder))
            try:
                broker_await(replace(broker, process=restarted))
            except BaseException:
                restarted.kill()
                raise
            try:
                seat.answer_idle(question)
                for _ in range(2):
                    seat.answer_idle(seat.question())
                report = reports_until(app, MATCH_RESULT_TASK)[-1][1]
                assert (report["platform_fault"], report["turns"]) == (None, 3)
                jobs_send(app, TABLE_TASK, [table_job(site, GOOD_BOT, token=TOKENS[1])])
                beat = beat_until(app, lambda beat: beat["busy"] == 0)
                assert (beat["jobs_taken"], beat["takes_work"]) == (1, False)
                assert queue_length(app, TABLE_QUEUE) == 1, "a drained worker takes no table"

                # Sent again as the site does: the worker may be reconnecting.
                while not beat_until(app, lambda beat: True)["takes_work"]:
                    order(app, "table@test", processes=None, takes_work=True)
                Seat(client, TOKENS[1], 0).question()
                bots = psutil.Process(worker.process.pid).children(recursive=True)
                assert bots
                worker.signal(signal.SIGKILL)
                worker.process.wait()
                assert not psutil.wait_procs(bots, timeout=BOTS_DIE_SECONDS)[1]
            finally:
                client.close()
                restarted.terminate()
                restarted.wait()


def test_a_broken_connection_does_not_play_an_open_table_twice(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    """Celery puts jobs whose connection breaks back into the queue, and would take this one again."""
    with (
        playing_worker(broker.player_url, tmp_path, "table@test", HOLDS_TABLES),
        redis.Redis.from_url(broker.site_url) as client,
    ):
        jobs_send(app, TABLE_TASK, [table_job(site, GOOD_BOT, token=TOKENS[0])])
        seat = Seat(client, TOKENS[0], 0)
        question = seat.question()
        assert client.execute_command("CLIENT", "KILL", "USER", "player")
        # The worker is back when it takes another table.
        jobs_send(app, TABLE_TASK, [table_job(site, GOOD_BOT, token=TOKENS[1])])
        Seat(client, TOKENS[1], 0).question()
        seat.answer_idle(question)
        for number in (2, 3):
            question = seat.question()
            assert question.number == number
            seat.answer_idle(question)
        seat.until_end()
        assert [line["turn"] for line in seat.lines if "turn" in line] == [1, 2, 3]
        assert queue_length(app, TABLE_QUEUE) == 0
