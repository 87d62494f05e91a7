"""The playing worker as a process: what it needs, what it must not have, and how it treats malformed messages."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import time
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
import redis
from celery import Celery

from deploy.broker import Broker
from jobs.coordination import queue_length
from jobs.sending import jobs_send
from tests.releases import newest_release
from tests.workers.conftest import GOOD_BOT, FileSite, build_job, play_job, try_job
from tests.workers.processes import LEASE_SECONDS, ROOT, playing_worker, worker_environment
from wire.heartbeats import HEARTBEAT_PREFIX
from wire.job_signing import JobSignature
from wire.jobs import (
    BUILD_TASK,
    LANGUAGES_TASK,
    PLAY_TASK,
    REPORT_QUEUE,
    TRY_TASK,
    WORKER_BEAT_TASK,
    BuildReport,
    MatchReport,
    TryReport,
)
from wire.message_filter import SERIALIZER
from wire.redis_acl import acl_rules
from wire.transport import application, send

pytestmark = pytest.mark.waits


def next_report(app: Celery) -> tuple[str, dict]:
    """Wait for the next message or heartbeat to the site about a job; return its task and body."""
    while (report := next_message(app))[0] in (LANGUAGES_TASK, WORKER_BEAT_TASK):
        pass
    return report


def next_message(app: Celery, *, seconds: float = 180) -> tuple[str, dict]:
    """Wait for the next message or heartbeat to the site; return its task and body."""
    with redis.Redis.from_url(app.conf.broker_url, socket_timeout=90) as client:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for key in client.scan_iter(f"{HEARTBEAT_PREFIX}*"):
                if value := client.getdel(key):
                    return value.split(b"\n")[0].decode(), json.loads(value.split(b"\n")[1])
            if received := client.brpop([REPORT_QUEUE], timeout=0.1):
                message = json.loads(received[1])
                return message["headers"]["task"], json.loads(base64.b64decode(message["body"]).partition(b"\n")[0])
    raise AssertionError("no report came")


def languages_report(app: Celery) -> dict:
    """Wait until a worker has tested its languages and reports them; from then on all its child processes play."""
    while (message := next_message(app))[0] != LANGUAGES_TASK:
        pass
    return message[1]


def reports_until(app: Celery, task: str) -> list[tuple[str, dict]]:
    reports = [next_report(app)]
    while reports[-1][0] != task:
        reports.append(next_report(app))
    return reports


def test_the_playing_side_loads_no_database() -> None:
    """It imports no package of ours above ``workers``, no model and no driver. Kombu imports django.utils if it can."""
    program = (
        "import sys, workers.tasks\n"
        "wrong = {'django.db', 'django.conf', 'sqlite3', 'psycopg', 'ladder', 'matches'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {wrong}' if wrong else 0)"
    )
    env = worker_environment("redis://localhost:1/0", Path("/nonexistent"))
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, check=True)


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"SANDBOX": "none"}, "This worker does not start."),
        ({"REDIS_URL": ""}, "REDIS_URL is not set"),
        ({"SANDBOX_AHEAD": "two"}, "SANDBOX_AHEAD is no number"),
        ({"LANGUAGES": "python,c"}, "The language 'python,c' is not known here."),
        ({"REDIS_URL": "127.0.0.1"}, "REDIS_URL is no URL of a broker"),
        ({"WORKER_CACHE": "/proc/nothing"}, "WORKER_CACHE cannot be written"),
        ({"LOG_FORMAT": "yaml"}, "LOG_FORMAT cannot be read: yaml is none of json, columns."),
        ({"LEASE_SECONDS": "ten"}, "LEASE_SECONDS is no number from 1 to 120"),
    ],
    ids=["sandbox", "no broker", "number of containers", "language", "address", "folder", "format", "lease"],
)
def test_it_refuses_to_start_in_one_sentence(tmp_path: Path, broker: Broker, env: dict[str, str], words: str) -> None:
    with playing_worker(broker.player_url, tmp_path, **env) as worker:
        assert worker.process.wait(90) == 1
    assert words in worker.log.read_text()
    assert "Traceback" not in worker.log.read_text()


@pytest.mark.usefixtures("strict_umask")
def test_it_plays_builds_and_tries_with_the_rights_of_a_worker_and_sends_heartbeats(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    """It has no database and no secret of the site, a worker's broker user, and a umask that shuts others out.

    Without heartbeats each long job would count as lost after its lease, and be done by one worker after another.
    """
    slow = GOOD_BOT.replace("    print(", "    import time; time.sleep(0.3)\n    print(")
    with playing_worker(broker.player_url, tmp_path):
        jobs_send(app, BUILD_TASK, [build_job(site, {"main.py": "import time; time.sleep(1)\n" + GOOD_BOT})])
        *told, (_, built) = reports_until(app, "ladder.build_result")
        jobs_send(app, PLAY_TASK, [play_job(site, slow, GOOD_BOT, options={"board": "A-1", "turns": 6})])
        reports = reports_until(app, "matches.match_result")
        private = try_job(site, slow, options={"board": "A-1", "turns": 4})
        jobs_send(app, TRY_TASK, [private], own=True)
        *heard, (_, tried) = reports_until(app, "workshop.try_result")
    # Each step overwrites the one before, so that short ones may not be seen, and the last may follow the result.
    for messages, progress in ((told, "ladder.build_progress"), (heard, "workshop.try_progress")):
        steps = [body["step"] for task, body in messages if task == progress]
        assert steps == sorted(steps, key=["fetch", "unpack", "compile", "check"].index)
        assert steps[-1] == "check"
    assert built["artifact_digest"] in site.files
    assert {tried["replay_digest"], tried["log_digest"]} <= site.files.keys()
    played = [(task, body) for task, body in reports if task.startswith("matches.")]
    tasks, seconds = [task for task, _ in played], [body["seconds"] for _, body in played]
    assert set(tasks) == {"matches.match_heartbeat", "matches.match_result"}
    assert seconds == sorted(set(seconds)), "so long it has been played"
    assert seconds[-1] > 6 * 0.3
    assert reports[-1][1]["platform_fault"] is None
    assert reports[-1][1]["replay_digest"] in site.files


@pytest.mark.test_all
def test_a_worker_of_the_newest_release_serves_todays_site(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    release = newest_release(tmp_path / "release")
    with playing_worker(broker.player_url, tmp_path, code=release):
        jobs_send(app, BUILD_TASK, [build_job(site, {"main.py": GOOD_BOT})])
        built = msgspec.convert(reports_until(app, "ladder.build_result")[-1][1], BuildReport)
        jobs_send(app, PLAY_TASK, [play_job(site, GOOD_BOT, GOOD_BOT, options={"board": "A-1", "turns": 6})])
        played = msgspec.convert(reports_until(app, "matches.match_result")[-1][1], MatchReport)
        jobs_send(app, TRY_TASK, [try_job(site, GOOD_BOT)])
        tried = msgspec.convert(reports_until(app, "workshop.try_result")[-1][1], TryReport)
    assert {built.artifact_digest, played.replay_digest, tried.replay_digest} <= site.files.keys()


def test_a_job_forged_by_an_invited_host_is_not_played(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    """The attack: it alters the job of another's match, whose result is rated, or has workers fetch URLs at home."""
    with redis.Redis.from_url(broker.site_url) as client:
        client.execute_command("ACL", "SETUSER", "host-evil", "reset", "on", ">secret", *acl_rules("host-evil"))
    evil = application("evil", broker.site_url.replace(broker.site_url.split("@")[0], "redis://host-evil:secret"))
    inner = f"{site.url}/inner"
    honest = play_job(site, GOOD_BOT, GOOD_BOT)
    jobs_send(app, PLAY_TASK, [honest])
    with redis.Redis.from_url(evil.conf.broker_url) as client:
        taken = json.loads(client.rpop("play"))
    signature = msgspec.json.decode(base64.b64decode(taken["body"]).partition(b"\n")[2], type=JobSignature)
    stolen = msgspec.structs.replace(honest, replay_url=inner, seats=honest.seats[::-1])
    asked = msgspec.structs.replace(build_job(site, {"main.py": GOOD_BOT}), bundle_url=inner)
    with playing_worker(broker.player_url, tmp_path) as worker:
        send(evil, PLAY_TASK, stolen, signature=signature)
        send(evil, BUILD_TASK, asked)
        send(evil, BUILD_TASK, asked, signature=signature)
        # A job that the site has signed may be put back by the worker that took it.
        send(evil, PLAY_TASK, honest, signature=signature)
        reports = reports_until(app, "matches.match_result")
    assert {task for task, _ in reports} <= {"matches.match_heartbeat", "matches.match_result"}
    assert reports[-1][1]["replay_digest"] in site.files
    assert not [line for line in site.requests if "inner" in line]
    assert "The site has signed another job than this one." in worker.log.read_text()


FAILING = 'selftest.PROBES = (selftest.Probe("a bot has no network", "print(\'network\')", "held"),)'
UNTESTED = "def failures(walls): raise OSError(16, 'Device or resource busy')\nselftest.failures = failures"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (FAILING, "This check fails: a bot has no network"),
        (UNTESTED, "Its sandbox could not be tested (OSError(16, 'Device or resource busy')); its log says where."),
    ],
    ids=["fails", "untested"],
)
def test_it_does_not_start_unless_its_sandbox_passes_the_self_test(
    tmp_path: Path, broker: Broker, app: Celery, bubblewrap: str, change: str, told: str
) -> None:
    """Celery itself would go on after any error."""
    program = f"import sys\nfrom sandbox import selftest\n{change}\nfrom celery.__main__ import main\nsys.exit(main())"
    argv = [sys.executable, "-c", program, "-A", "workers.app", "worker", "-Q", "play,try,build", "-c", "1"]
    env = worker_environment(broker.player_url, tmp_path)
    worker = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert worker.returncode == 1
    assert f"This worker does not start. {told}" in worker.stderr
    task, beat = next_message(app)
    assert (task, beat["self_test"].startswith(told)) == (WORKER_BEAT_TASK, True)


class Bomb:
    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.trace}",)


def test_nonsense_is_dropped_and_a_pickle_never_opened(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    """The attack: somebody who may write to the broker runs programs on every worker."""
    with playing_worker(broker.player_url, tmp_path) as worker, app.connection_for_write() as connection:
        for nonsense in (b"{}", b'{"match_id": "seven"}', b'{"match_id": 7, "surprise": 1}'):
            app.send_task(PLAY_TASK, args=[nonsense], serializer=SERIALIZER)
        body = [[Bomb(tmp_path / "exploded")], {}, {}]
        headers = {"task": PLAY_TASK, "id": "1", "lang": "py"}
        connection.Producer().publish(body, serializer="pickle", routing_key="play", headers=headers)
        jobs_send(app, PLAY_TASK, [play_job(site, GOOD_BOT, GOOD_BOT)])
        reports_until(app, "matches.match_result")
        assert queue_length(app, "play") == 0
    assert not (tmp_path / "exploded").exists()
    assert "Invalid enum value 'binary'" in worker.log.read_text(), "the envelope is refused"
    assert app.conf.accept_content == [SERIALIZER, "json"], "Celery would refuse it, too"


def test_a_worker_rests_after_a_fault_of_ours(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str
) -> None:
    """Otherwise a broken machine would be the fastest of all, and use up the attempts of every match."""
    wrong, lost = play_job(site, rules_version="0"), build_job(site, {})
    site.files.clear()
    with playing_worker(broker.player_url, tmp_path, LOG_FORMAT="json") as worker:
        for task, job, answer in (
            (BUILD_TASK, lost, "ladder.build_result"),
            (PLAY_TASK, wrong, "matches.match_result"),
            (PLAY_TASK, wrong, "matches.match_result"),
        ):
            jobs_send(app, task, [job])
            reports_until(app, answer)
    lines = [json.loads(line) for line in worker.log.read_text().splitlines() if '"platform_fault"' in line]
    times = [datetime.fromisoformat(line["timestamp"]) for line in lines]
    assert len(times) == 3
    assert all(later - one > timedelta(seconds=LEASE_SECONDS / 2) for one, later in pairwise(times))


@pytest.mark.parametrize(("task", "answer"), [(PLAY_TASK, "matches.match_result"), (BUILD_TASK, "ladder.build_result")])
def test_a_process_without_a_sandbox_reports_its_jobs(
    tmp_path: Path, broker: Broker, app: Celery, site: FileSite, bubblewrap: str, task: str, answer: str
) -> None:
    """Otherwise it would take job after job without reporting any."""
    with playing_worker(broker.player_url, tmp_path) as worker:
        languages_report(app)
        (tmp_path / "cache").rename(tmp_path / "lost")
        (tmp_path / "cache").touch()
        job = play_job(site, GOOD_BOT, GOOD_BOT) if task == PLAY_TASK else build_job(site, {"main.py": GOOD_BOT})
        jobs_send(app, task, [job])
        report = reports_until(app, answer)[-1][1]
    assert report["lease_token"] == job.lease_token
    assert report["platform_fault"] == {"kind": "worker-failed", "args": {"error": "FileExistsError"}}
    assert "platform_fault" in worker.log.read_text()
