"""One container: it is started without a program, waits, is given one, and is thrown away with it.

The program's streams are FIFOs in a folder mounted at /io, not the engine's attached stream: they cost a tenth of the
time, have no frames to take apart, and a program that floods them cannot hang ``docker kill``.

The first process of the container is a shell. It waits until the worker has put the program into /bot and says so,
starts it, and reports its exit code. Then it stays, so that the container's control group, and what it has counted, is
there until we have read it. When the worker dies, the shell reads the end of /io/go and ends, and the container with
it. Should the worker die in the first milliseconds, before the shell has opened its streams, the next worker that
starts removes the container (``leftovers``).
"""

from __future__ import annotations

import os
import secrets
import shlex
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import docker
from docker.errors import APIError, DockerException
from docker.types import HostConfig, LogConfig, Ulimit

from sandbox import cgroups, seccomp
from sandbox.api import Limits, PlatformFault, Program
from sandbox.cgroups import MIB
from sandbox.descriptors import readable_within
from sandbox.environment import CORE_BYTES, ENVIRONMENT
from sandbox.folders import fill
from sandbox.leftovers import owner, temporary_folder

IMAGE = "banzuke-runtime"
LABEL = "banzuke.owner"
HELPERS = 1
"""Processes beside the program: the shell."""
UIDS = range(20_000, 60_000)
"""User numbers inside, drawn for each program; below 65,536, so that they exist under userns-remap too."""
SECONDS_MAX = 20
"""How long the shell may take to go, or a container to end."""
NOT_FOUND, CONFLICT = 404, 409
KILLED, CODE_MAX = 128 + signal.SIGKILL, 255

SHELL = """
exec 3>/io/end 4</io/go
read _ <&4 || exit
(echo >&3; exec 3>&- 4<&-; . /io/run) </io/in >/io/out 2>/io/err
echo $? >&3
read _ <&4
"""
"""The parentheses keep the shell itself from holding the streams open. The first line on /io/end says that the
program's streams are open, the second its exit code. /io/run holds ``exec`` and the command."""
TO_READ, TO_WRITE = ("in", "go"), ("out", "err", "end")
"""The FIFOs, as the shell sees them. What a program could read it cannot write, so that it cannot end the shell."""


class Container:
    """A started container; from ``give`` on it is the box of one program, see ``sandbox.process.Box``.

    Args:
        api: The engine's.
        runtime: Its OCI runtime, None for the engine's own choice.
        limits: What the program will be allowed.
        out: Whether it has an /out.

    Raises:
        PlatformFault: it could not be started.
    """

    def __init__(self, api: docker.APIClient, runtime: str | None, limits: Limits, out: bool) -> None:
        with ExitStack() as undo, _engine_faults():
            self._folder = _folder(undo)
            self.stdin, self.stdout, self.stderr, self.ended = self._open_streams(undo)
            mounts = {self._folder / "bot": "/bot", self._folder / "io": "/io"}
            self._api = api
            self.id = _create(api, runtime, limits, mounts, out)
            shell = self._start(api, undo)
            self.helpers = frozenset((shell,))
            self.group: cgroups.Group = cgroups.of_process(shell)
            undo.callback(self.group.close)
            self._undo = undo.pop_all()

    def _open_streams(self, undo: ExitStack) -> tuple[int, ...]:
        """Open our ends before the container opens its own, so that neither waits for the other."""
        io = self._folder / "io"
        stdout, stderr, ended = (_open(io / name, os.O_RDONLY, undo) for name in TO_WRITE)
        self._start_only = undo.enter_context(ExitStack())
        for name in ("out", "err"):  # so that "not opened yet" is not taken for "closed"
            _open(io / name, os.O_WRONLY, self._start_only)
        self._go = _open(io / "go", os.O_RDWR, undo)  # both ends at once: nobody has opened the other yet
        _open(io / "in", os.O_RDWR, self._start_only)
        return _open(io / "in", os.O_WRONLY, undo), stdout, stderr, ended

    def _start(self, api: docker.APIClient, undo: ExitStack) -> int:
        """Start it and return the number of its first process, the shell."""
        with ExitStack() as unstarted:
            unstarted.callback(remove, api, self.id)
            api.start(self.id)
            shell = int(api.inspect_container(self.id)["State"]["Pid"])
            if not shell:
                raise PlatformFault("The container ended at once: its shell could not open its streams.")
            self._shell = os.pidfd_open(shell)
            unstarted.pop_all()
        undo.callback(_end, api, self.id, self._shell)
        return shell

    def alive(self) -> bool:
        """Tell whether the container still runs."""
        return not readable_within(self._shell, 0)

    def give(self, program: Program) -> None:
        """Let it run this program.

        Raises:
            PlatformFault: the program's files cannot be put in.
        """
        with _engine_faults():
            fill(self._folder / "bot", program.root)
            (self._folder / "io" / "run").write_text(f"exec {shlex.join(program.argv)}\n")
            os.write(self._go, b"go\n")
            if not readable_within(self.ended, SECONDS_MAX) or not os.read(self.ended, 1):
                raise PlatformFault("The container ended, or stood still, before its program was reached.")
            # Now the program holds its own ends, and we notice when it closes them. If we let go of ours earlier, what
            # is written to a stream not opened yet would be lost, and such a stream be taken for closed.
            self._start_only.close()

    def exit_code(self) -> int:
        """Return the exit code the shell reports; that of a killed program if it reports none, or something else.

        The attack: the program runs beside the shell, can write to /io/end as well, and can end the shell (through its
        memory; at the memory limit the kernel may choose the shell, too). That is no fault of ours.
        """
        readable_within(self.ended, None)
        report = os.read(self.ended, 16).split()
        if not report and self._was_ended_from_outside():
            raise PlatformFault("The container was ended from outside.")
        code = int(report[0]) if report and report[0].isdigit() else KILLED
        return code if code <= CODE_MAX else KILLED

    def _was_ended_from_outside(self) -> bool:
        """Tell whether somebody has asked the engine to end the container, which has ended just now."""
        now = int(time.time())
        with _engine_faults():
            for event in self._api.events(
                since=now - SECONDS_MAX, until=now + SECONDS_MAX, filters={"container": self.id}, decode=True
            ):
                if event["Action"] in ("kill", "die"):  # a request to end it is noted before its end
                    return bool(event["Action"] == "kill")
        raise PlatformFault("The container has ended, and the engine does not know of it.")

    def destroy(self) -> None:
        """End all its processes and close the streams. The engine removes what is left of it, behind us."""
        with _engine_faults():
            self._undo.close()


def remove(api: docker.APIClient, container: str) -> None:
    """End and remove a container, unless somebody else already does."""
    try:
        api.remove_container(container, force=True, v=True)
    except APIError as error:
        if error.status_code not in (NOT_FOUND, CONFLICT):  # it has gone, or is just being removed
            raise


def _end(api: docker.APIClient, container: str, shell: int) -> None:
    """End all processes of a container by ending its first one: much faster than by the engine."""
    try:
        with suppress(ProcessLookupError):  # it has ended by itself
            signal.pidfd_send_signal(shell, signal.SIGKILL)
    except PermissionError:  # not root
        remove(api, container)
    ended = readable_within(shell, SECONDS_MAX)
    os.close(shell)
    if not ended:
        raise PlatformFault(f"The processes of the container {container} do not die.")


def _folder(undo: ExitStack) -> Path:
    """Make the folders to mount. Anybody may read these, but the folder above them is closed to others here."""
    above = temporary_folder(undo)
    above.chmod(0o700)
    for name in ("bot", "io"):
        (above / name).mkdir()
        (above / name).chmod(0o755)
    for names, mode in ((TO_READ, 0o644), (TO_WRITE, 0o622)):
        for name in names:
            os.mkfifo(above / "io" / name)
            (above / "io" / name).chmod(mode)
    return above


def _open(path: Path, flags: int, undo: ExitStack) -> int:
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    undo.callback(os.close, fd)
    return fd


def _create(api: docker.APIClient, runtime: str | None, limits: Limits, mounts: dict[Path, str], out: bool) -> str:
    uid = UIDS[secrets.randbelow(len(UIDS))]
    container = api.create_container(
        IMAGE,
        ["/bin/sh", "-c", SHELL],
        user=f"{uid}:{uid}",
        working_dir="/bot",
        hostname="bot",
        environment=ENVIRONMENT,
        labels={LABEL: owner()},
        # With network mode "none" alone, the engine starts two more processes of its own to set up that empty network.
        # This leaves the new network namespace as it is, and halves what a start costs.
        network_disabled=True,
        host_config=_host_config(api, runtime, limits, mounts, out),
    )
    return str(container["Id"])


def _host_config(
    api: docker.APIClient, runtime: str | None, limits: Limits, mounts: dict[Path, str], out: bool
) -> HostConfig:
    tmp = f"rw,noexec,nosuid,nodev,size={limits.tmp_mib}m,mode=1777,nr_inodes={limits.tmp_inodes_max}"
    # No terminals. The attack: a frozen process that has one is sent SIGCONT by the kernel when the terminal hangs up.
    folders = {"/tmp": tmp, "/dev/pts": "ro,noexec,nosuid,size=4k"}  # noqa: S108 - the container's own
    if out:
        folders["/out"] = f"rw,exec,nosuid,nodev,size={limits.out_mib}m,mode=1777"
    ulimits = {
        "nofile": limits.open_files_max,
        "fsize": limits.file_mib * MIB,
        "core": CORE_BYTES,
        "memlock": 65_536,
        "msgqueue": 0,
    }
    return api.create_host_config(
        binds={str(path): {"bind": inside, "mode": "ro"} for path, inside in mounts.items()},
        tmpfs=folders,
        runtime=runtime,
        auto_remove=True,
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges", f"seccomp={seccomp.profile()}"],
        ipc_mode="private",
        shm_size=65_536,
        mem_limit=f"{limits.memory_mib}m",
        memswap_limit=f"{limits.memory_mib}m",  # memory and swap together: no swap
        pids_limit=limits.pids_max + HELPERS,
        cpuset_cpus=",".join(map(str, sorted(os.sched_getaffinity(0)))),  # the worker's; a quota would make it stall
        ulimits=[Ulimit(name=name, soft=value, hard=value) for name, value in ulimits.items()],
        oom_score_adj=500,
        log_config=LogConfig(type="none"),
    )


@contextmanager
def _engine_faults() -> Iterator[None]:
    try:
        yield
    except (OSError, DockerException) as error:  # requests' exceptions are OSErrors
        raise PlatformFault(f"The Docker engine failed: {error}") from error
