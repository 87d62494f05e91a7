"""The Docker backend: a container a program, made by an engine on this machine.

The program's streams are FIFOs in a folder mounted at /io, not the engine's attached stream: they cost a tenth of the
time, have no frames to take apart, and a program that floods them cannot hang ``docker kill``. The first process of
the container is a shell that waits until it is let go, starts the program, reports its exit code, and stays: so the
container's control group, and what it has counted, outlives the program until we have read it.
"""

from __future__ import annotations

import os
import secrets
import select
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import docker
from docker.errors import DockerException, ImageNotFound, NotFound
from docker.types import LogConfig, Ulimit

from sandbox import cgroups, seccomp
from sandbox.api import Limits, NoSandbox, PlatformFault, Program, RunResult
from sandbox.cgroups import MIB
from sandbox.environment import ENVIRONMENT
from sandbox.folders import readable
from sandbox.leftovers import owner, owner_lives, sweep_folders, temporary_folder
from sandbox.process import BoxedProcess
from sandbox.steps import run_step

IMAGE = "banzuke-runtime"
LABEL = "banzuke.owner"
HELPERS = 1
"""Processes beside the program: the shell."""
UIDS = range(20_000, 60_000)
"""User numbers inside, one by chance a program; below 65,536, so that they exist under userns-remap too."""

SHELL = """
exec 3>/io/end
(exec "$@" </io/in >/io/out 2>/io/err 3>&-)
echo $? >&3
read _ </io/hold
"""
"""Opening /io/in blocks until the worker opens the other end: no instruction of the program runs before that. The
parentheses keep the shell itself from holding the streams open. Nobody ever writes to /io/hold."""


class Docker:
    """The backend. Making one checks that an engine answers, holds the image, and runs a program inside the walls.

    Raises:
        NoSandbox: it does not.
    """

    name = "docker"

    def __init__(self) -> None:
        try:
            self._engine = docker.from_env()
            self._engine.ping()
            self._engine.images.get(IMAGE)
            self._sweep()
        except ImageNotFound as error:
            raise NoSandbox(f"The image {IMAGE} is missing. Build it: deploy/images/build.sh") from error
        except (OSError, DockerException) as error:
            raise NoSandbox(f"No Docker engine answers. Start one, or set DOCKER_HOST. ({error})") from error
        sweep_folders()
        self._try_out()

    def _sweep(self) -> None:
        """Remove the containers of workers that were killed."""
        for container in self._engine.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
            if not owner_lives(container.labels[LABEL]):
                _remove(self._engine.api, str(container.id))

    def _try_out(self) -> None:
        with ExitStack() as undo:
            result = self.run(Program(temporary_folder(undo), ("/bin/true",)), Limits(), cpu_ms=1_000)
        if result.exit_code:
            raise NoSandbox(f"The image {IMAGE} cannot run a program: {result.output.strip()}")

    def start(self, program: Program, limits: Limits) -> BoxedProcess:
        """Start a program inside the walls; see ``sandbox.api.Sandbox``."""
        return self._start(program, limits, out=False)

    def run(self, program: Program, limits: Limits, cpu_ms: int, out: Path | None = None) -> RunResult:
        """Run a program to its end; see ``sandbox.api.Sandbox``."""
        return run_step(self._start, program, limits, cpu_ms, out)

    def _start(self, program: Program, limits: Limits, out: bool) -> BoxedProcess:
        with ExitStack() as undo, _engine_faults():
            box = _Box(self._engine.api, program, limits, out, undo)
            box.undo = undo.pop_all()
        return BoxedProcess(box, limits)


class _Box:
    """One container; see ``sandbox.process.Box``. ``undo`` collects how every trace is removed."""

    undo: ExitStack

    def __init__(self, api: docker.APIClient, program: Program, limits: Limits, out: bool, undo: ExitStack) -> None:
        io = _fifos(undo)
        self.stdout, self.stderr, self.ended = (_open(io / name, os.O_RDONLY, undo) for name in ("out", "err", "end"))
        self._start_only = undo.enter_context(ExitStack())
        for name in ("out", "err"):  # so that "not opened yet" is not taken for "closed"
            _open(io / name, os.O_WRONLY, self._start_only)
        mounts = {readable(program.root, undo, parents=False): "/bot", io: "/io"}
        container = _create(api, program.argv, limits, mounts, out)
        undo.callback(_remove, api, container)
        api.start(container)
        shell = int(api.inspect_container(container)["State"]["Pid"])
        self.helpers = frozenset((shell,))
        self.group: cgroups.Group = cgroups.of_process(shell)
        undo.callback(self.group.close)
        _open(io / "in", os.O_RDWR, self._start_only)  # both ends at once: opening one alone would wait for the other
        self.stdin = _open(io / "in", os.O_WRONLY, undo)

    def settled(self) -> None:
        """Close our copies of the program's own ends, so that we see it when it closes them."""
        self._start_only.close()

    def exit_code(self) -> int:
        """Read the exit code the shell reports; nothing comes if the whole container was killed."""
        select.select([self.ended], [], [])
        report = os.read(self.ended, 16).split()
        if not report or not report[0].isdigit():
            raise PlatformFault("The container was ended from outside.")
        return int(report[0])

    def destroy(self) -> None:
        """End all its processes, close the streams, remove every trace."""
        with _engine_faults():
            self.undo.close()


def _fifos(undo: ExitStack) -> Path:
    """Make the FIFOs. Others on this machine cannot reach them: the folder above is closed, the mount is below it."""
    above = temporary_folder(undo)
    folder = above / "io"
    folder.mkdir()
    folder.chmod(0o711)
    above.chmod(0o700)
    for name in ("in", "out", "err", "end", "hold"):
        os.mkfifo(folder / name)
        (folder / name).chmod(0o666)
    return folder


def _open(path: Path, flags: int, undo: ExitStack) -> int:
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    undo.callback(os.close, fd)
    return fd


def _create(api: docker.APIClient, argv: tuple[str, ...], limits: Limits, mounts: dict[Path, str], out: bool) -> str:
    uid = UIDS[secrets.randbelow(len(UIDS))]
    container = api.create_container(
        IMAGE,
        ["/bin/sh", "-c", SHELL, "sh", *argv],
        user=f"{uid}:{uid}",
        working_dir="/bot",
        hostname="bot",
        environment=ENVIRONMENT,
        labels={LABEL: owner()},
        host_config=_host_config(api, limits, mounts, out),
    )
    return str(container["Id"])


def _host_config(api: docker.APIClient, limits: Limits, mounts: dict[Path, str], out: bool) -> Any:
    tmp = f"rw,noexec,nosuid,nodev,size={limits.tmp_mib}m,mode=1777,nr_inodes={limits.tmp_inodes_max}"
    folders = {"/tmp": tmp}  # noqa: S108 - the container's own
    if out:
        folders["/out"] = f"rw,exec,nosuid,nodev,size={limits.out_mib}m,mode=1777"
    ulimits = {
        "nofile": limits.open_files_max,
        "fsize": limits.file_mib * MIB,
        "core": 0,
        "memlock": 65_536,
        "msgqueue": 0,
    }
    return api.create_host_config(
        binds={str(path): {"bind": inside, "mode": "ro"} for path, inside in mounts.items()},
        tmpfs=folders,
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges", f"seccomp={seccomp.profile()}"],
        ipc_mode="private",
        shm_size=65_536,
        mem_limit=f"{limits.memory_mib}m",
        memswap_limit=f"{limits.memory_mib}m",  # memory and swap together: no swap
        pids_limit=limits.pids_max + HELPERS,
        cpuset_cpus=",".join(map(str, sorted(os.sched_getaffinity(0)))),  # the worker's own cores; a quota would stall
        ulimits=[Ulimit(name=name, soft=value, hard=value) for name, value in ulimits.items()],
        oom_score_adj=500,
        log_config=LogConfig(type="none"),
    )


def _remove(api: docker.APIClient, container: str) -> None:
    with suppress(NotFound):  # somebody was faster
        api.remove_container(container, force=True, v=True)


@contextmanager
def _engine_faults() -> Iterator[None]:
    try:
        yield
    except (OSError, DockerException) as error:  # requests' exceptions are OSErrors
        raise PlatformFault(f"The Docker engine failed: {error}") from error
