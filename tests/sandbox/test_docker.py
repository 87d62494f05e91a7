"""What only the Docker backend has: an engine that must be suitable, and containers started in advance."""

from __future__ import annotations

import io
import logging
import os
import select
import subprocess
import sys
import tarfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import docker
import psutil
import pytest

import sandbox
from sandbox import cgroups
from sandbox.api import Limits, NoSandbox, PlatformFault
from sandbox.docker import LABEL, Docker
from sandbox.docker.container import Container
from sandbox.docker.engine import refusal
from sandbox.docker.pool import LIMITS_MAX, Pool
from sandbox.leftovers import owner
from tests.sandbox.programs import ECHO, TURN, owners_may_die, python
from tests.waiting import wait_until

FIT = {
    "MemoryLimit": True,
    "PidsLimit": True,
    "SecurityOptions": ["name=seccomp,profile=default"],
    "Runtimes": {"runc": {}, "crun": {}},
}


@pytest.fixture
def ready(engine: str, monkeypatch: pytest.MonkeyPatch) -> docker.DockerClient:
    """Return a client of the engine that the backend uses."""
    monkeypatch.setenv("DOCKER_HOST", engine)
    return docker.from_env()


@pytest.fixture
def docker_ahead(ready: docker.DockerClient) -> Iterator[Docker]:
    """Yield the backend with containers started in advance."""
    backend = Docker(ahead=2)
    yield backend
    backend.close()


@pytest.mark.parametrize(
    ("lack", "runtime", "remedy"),
    [
        ({}, None, "None"),
        ({}, "crun", "None"),
        ({"MemoryLimit": False}, None, "Run it as root"),
        ({"PidsLimit": False}, None, "Run it as root"),
        ({"SecurityOptions": ["name=apparmor"]}, None, "apt-get install docker.io"),
        ({"SecurityOptions": None}, None, "SANDBOX=bubblewrap"),
        ({}, "kata", "'kata', only: crun, runc. Set SANDBOX_RUNTIME"),
    ],
)
def test_an_unsuitable_engine_is_refused_with_the_remedy(
    lack: dict[str, object], runtime: str | None, remedy: str
) -> None:
    assert remedy in str(refusal({**FIT, **lack}, runtime))


@pytest.mark.engine
def test_another_runtime_runs_the_bots(
    ready: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_RUNTIME", "by-another-name")
    with Docker().start(python(tmp_path, ECHO), Limits()) as bot:
        assert bot.ask(["hello"], TURN).lines == ("hello",)
        assert ready.api.inspect_container(bot._box.id)["HostConfig"]["Runtime"] == "by-another-name"


@pytest.mark.engine
@pytest.mark.parametrize(
    ("runtime", "words"), [("none", "daemon.json"), ("broken", "with the runtime broken.*leave SANDBOX_RUNTIME out")]
)
def test_a_broken_runtime_is_found_at_start(
    ready: docker.DockerClient, monkeypatch: pytest.MonkeyPatch, runtime: str, words: str
) -> None:
    monkeypatch.setenv("SANDBOX_RUNTIME", runtime)
    with pytest.raises(NoSandbox, match=words):
        sandbox.backend("docker")
    assert unstarted(ready) == []


@pytest.mark.engine
def test_a_wrong_image_is_found_at_start(ready: docker.DockerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "banzuke-wrong"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("nothing"))
    ready.api.import_image_from_data(archive.getvalue(), repository=name)
    monkeypatch.setattr("sandbox.docker.backend.IMAGE", name)
    monkeypatch.setattr("sandbox.docker.container.IMAGE", name)
    try:
        with pytest.raises(NoSandbox, match=r"/bin/sh.*deploy/images/build\.sh"):
            sandbox.backend("docker")
    finally:
        ready.images.remove(name)
    assert unstarted(ready) == []


@pytest.mark.engine
def test_invisible_control_groups_are_found_at_start(
    ready: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    with pytest.raises(NoSandbox, match="must see the machine's processes and /sys/fs/cgroup"):
        sandbox.backend("docker")
    assert unstarted(ready) == []


@pytest.mark.engine
def test_a_noexec_temporary_folder_is_found_at_start(
    ready: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = os.statvfs(tmp_path)
    monkeypatch.setattr(
        os, "statvfs", lambda path: os.statvfs_result((*found[:8], found.f_flag | os.ST_NOEXEC, *found[9:]))
    )
    with pytest.raises(NoSandbox, match="Set TMPDIR"):
        sandbox.backend("docker")


@pytest.mark.engine
def test_a_container_ended_from_outside_is_no_fault_of_the_bot(
    ready: docker.DockerClient, docker_ahead: Docker, tmp_path: Path
) -> None:
    with docker_ahead.start(python(tmp_path, ECHO), Limits()) as bot:
        bot.ask(["1"], TURN)
        ready.api.kill(bot._box.id)
        with pytest.raises(PlatformFault, match="ended from outside"):
            bot.ask(["2"], TURN)


@pytest.mark.engine
def test_a_container_started_in_advance_is_used_once(docker_ahead: Docker, tmp_path: Path) -> None:
    program = python(tmp_path, ECHO)
    waiting = waiting_container(docker_ahead, Limits())
    with docker_ahead.start(program, Limits()) as first, docker_ahead.start(program, Limits()) as second:
        assert first.ask(["1"], TURN).lines == ("1",)
        assert second.ask(["2"], TURN).lines == ("2",)
        assert first._box is waiting
        assert second._box is not first._box
    assert waiting not in docker_ahead._pool._waiting[Limits()]


@pytest.mark.engine
def test_cpu_time_before_the_program_is_not_charged(docker_ahead: Docker, tmp_path: Path) -> None:
    container = waiting_container(docker_ahead, Limits())
    before_ms = container.group.cpu_ms()
    assert before_ms > 1
    with docker_ahead.start(python(tmp_path, ECHO), Limits()) as bot:
        assert bot._box is container
        bot.ask(["go"], TURN)
        assert bot.usage().cpu_ms <= container.group.cpu_ms() - before_ms


@pytest.mark.engine
def test_a_waiting_container_has_the_limits_of_its_bot(docker_ahead: Docker, ready: docker.DockerClient) -> None:
    limits = Limits(memory_mib=77, pids_max=12, open_files_max=50, file_mib=3, tmp_mib=5, tmp_inodes_max=99)
    container = waiting_container(docker_ahead, limits)
    config = ready.api.inspect_container(container.id)["HostConfig"]
    ulimits = {limit["Name"]: limit["Hard"] for limit in config["Ulimits"]}
    assert (config["Memory"], config["MemorySwap"], config["PidsLimit"]) == (77 << 20, 77 << 20, 13)
    assert (ulimits["nofile"], ulimits["fsize"]) == (50, 3 << 20)
    assert config["LogConfig"]["Type"] == "none", "the engine's usual log grows without a limit"
    assert {"size=5m", "nr_inodes=99"} <= set(config["Tmpfs"]["/tmp"].split(","))  # noqa: S108 - inside


@pytest.mark.engine
def test_a_container_that_died_is_not_used(docker_ahead: Docker, tmp_path: Path) -> None:
    container = waiting_container(docker_ahead, Limits())
    for pid in container.group.pids():
        psutil.Process(pid).kill()
    assert select.select([container._shell], [], [], 10)[0]
    with docker_ahead.start(python(tmp_path, ECHO), Limits()) as bot:
        assert bot._box is not container
        assert bot.ask(["hello"], TURN).lines == ("hello",)


@pytest.mark.engine
def test_containers_started_in_advance_end_with_a_killed_worker(ready: docker.DockerClient) -> None:
    source = (
        "import sys, sandbox\n"
        "from sandbox.api import Limits\n"
        "pool = sandbox.backend('docker', ahead=1)._pool\n"
        "pool._add(Limits(), pool._make(Limits()))\n"
        "print(pool._waiting[Limits()][0].group.pids()[0], flush=True)\n"
        "sys.stdin.read()\n"
    )
    with owners_may_die():
        with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
            assert worker.stdout is not None
            shell = psutil.Process(int(worker.stdout.readline()))
            wait_until(Path(f"/proc/{shell.pid}/fd/4").exists, lambda: "the shell has not opened /io/go")
            worker.kill()
        assert psutil.wait_procs([shell], timeout=10)[1] == []
        Docker().close()  # the next start removes it


@pytest.mark.engine
def test_build_steps_use_no_container_started_in_advance(docker_ahead: Docker, tmp_path: Path) -> None:
    container = waiting_container(docker_ahead, Limits())
    docker_ahead.run(python(tmp_path, ""), Limits(), cpu_ms=5_000)
    assert list(docker_ahead._pool._waiting[Limits()]) == [container]


class Fake:
    """Stands in for a container."""

    def __init__(self, living: bool = True) -> None:
        self.living = living

    def alive(self) -> bool:
        return self.living

    def destroy(self) -> None:
        self.living = False


def pool_of(make: Callable[[Limits], object], size: int = 2) -> Pool:
    """Return a pool of objects that need not be containers."""
    return Pool(cast(Callable[[Limits], Container], make), size)


def settled(pool: Pool) -> dict[Limits, list[Fake]]:
    """Wait until the pool has started what was ordered; return what the pool holds."""
    pool._orders.put(None)
    assert pool._filler is not None
    pool._filler.join()
    pool._filler = None
    return {limits: cast(list[Fake], list(waiting)) for limits, waiting in pool._waiting.items()}


def test_each_take_starts_another_container_up_to_the_size() -> None:
    pool = pool_of(lambda limits: Fake())
    taken = [pool.take(Limits())]
    assert len(settled(pool)[Limits()]) == 1
    taken += [pool.take(Limits()), pool.take(Limits()), pool.take(Limits())]
    waiting = settled(pool)[Limits()]
    assert len(waiting) == 2
    assert len({id(container) for container in (*taken, *waiting)}) == 6


def test_a_pool_of_size_0_starts_nothing_in_advance() -> None:
    pool = pool_of(lambda limits: Fake(), size=0)
    assert pool.take(Limits()).alive()
    assert pool._filler is None


def test_containers_for_unused_limits_are_ended() -> None:
    pool = pool_of(lambda limits: Fake())
    tables = [Limits(memory_mib=64 + number) for number in range(LIMITS_MAX + 1)]
    pool.take(tables[0])
    first = settled(pool)[tables[0]][0]
    for limits in tables[1:]:
        pool.take(limits)
    assert list(settled(pool)) == tables[1:]
    assert not first.alive()


def test_a_pool_that_cannot_start_containers_logs_it_and_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    taker, faults = threading.get_ident(), [PlatformFault("no engine")]

    def make(limits: Limits) -> Fake:
        if faults and threading.get_ident() != taker:  # the pool's own thread, which works beside the taker's
            raise faults.pop()
        return Fake()

    pool = pool_of(make)
    with caplog.at_level(logging.WARNING):
        pool._order(Limits(memory_mib=1))  # no container with these limits was taken, so none is started
        assert settled(pool) == {}
        pool.take(Limits())
        assert settled(pool) == {Limits(): []}
    assert "no engine" in caplog.text
    pool.take(Limits())
    assert len(settled(pool)[Limits()]) == 1


def unstarted(client: docker.DockerClient) -> list[str]:
    """Return our containers that were created but not started."""
    filters = {"label": f"{LABEL}={owner()}", "status": "created"}
    return [str(container["Id"]) for container in client.api.containers(all=True, filters=filters)]


def waiting_container(backend: Docker, limits: Limits) -> Container:
    """Start a container in advance without a program that needs it; return it."""
    backend._pool._add(limits, backend._pool._make(limits))
    (container,) = backend._pool._waiting[limits]
    return container


def test_a_container_that_does_not_die_keeps_no_other_alive() -> None:
    class Undying(Fake):
        def destroy(self) -> None:
            raise PlatformFault("It does not die.")

    made = [Fake(), Fake(), Undying(), Fake()]
    others = made[:2] + made[3:]
    pool = pool_of(lambda limits: made.pop(0))
    pool.take(Limits()).destroy()
    pool.take(Limits()).destroy()
    settled(pool)
    pool._waiting[Limits(memory_mib=1)] = cast("deque[Container]", deque(made))
    with pytest.raises(PlatformFault, match="does not die"):
        pool.close()
    assert not any(other.alive() for other in others)
