"""A machine that has joined plays, by the command line of its systemd unit, until its host is revoked."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from deploy.settings import ROOT
from fleet.services.hosts import host_invite, host_revoke
from jobs.models import Worker
from matches.models import Match
from tests.chaos.mortal import mortal_broker
from tests.deploy.test_systemd import FOLDER, argv_of
from tests.managing import managing_worker
from tests.matches.test_faults import Arena
from tests.workers.conftest import GOOD_BOT
from wire.health import main as health
from workers.join import main as join

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bubblewrap"),
    pytest.mark.waits,
    pytest.mark.test_all,
]

ENDING_SECONDS_MAX = 60


@pytest.fixture
def arena(site_url: str, tmp_path: Path, settings: Settings) -> Iterator[Arena]:
    """A site, its managing worker and a broker, without playing workers."""
    settings.GAMES = []
    with mortal_broker(tmp_path / "broker") as broker:
        settings.REDIS_URL = broker.site_url
        with managing_worker(broker.site_url):
            yield Arena(broker)


@pytest.fixture
def host(arena: Arena, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker of a joined host, with only the environment variables that joining has written."""
    file = tmp_path / "worker.env"
    assert join([host_invite(name="north", actor=None), "--file", str(file)]) == 0
    told = dict(line.split("=", 1) for line in shlex.split(file.read_text()))
    places = {"HOME": str(tmp_path), "WORKER_CACHE": str(tmp_path / "cache"), "HEALTH_FILE": str(tmp_path / "health")}
    env = {"PATH": os.environ["PATH"], **told, **places, "LANGUAGES": "python"}
    with (tmp_path / "worker.log").open("wb") as log:
        argv = [*argv_of(FOLDER / "banzuke-worker@.service"), "-c", "1"]
        process = subprocess.Popen(argv, cwd=ROOT, env=env, stdout=log, stderr=log, start_new_session=True)
    yield process
    if process.poll() is None:
        process.terminate()
        process.wait(ENDING_SECONDS_MAX)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # nothing of it is left


def test_it_plays_is_healthy_and_is_out_once_turned_away(
    arena: Arena, host: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    match = arena.match(GOOD_BOT, GOOD_BOT)
    arena.wait_for(match, Match.State.FINISHED)
    worker = Worker.objects.get()
    assert worker.broker_user == "host-north"
    assert worker.name.startswith("north/play1@")
    assert match.attempts.get().worker == worker.name
    arena.wait_until(lambda: health([str(tmp_path / "health")]) == 0)

    host_revoke(name="north", actor=None)
    later = arena.match(GOOD_BOT, GOOD_BOT)
    arena.wait_until(lambda: "invalid username-password" in (tmp_path / "worker.log").read_text())
    later.refresh_from_db()
    assert later.state == Match.State.QUEUED
