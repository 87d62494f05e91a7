"""One container: it is started without a program, later runs one program, and is removed with it.

The program's streams are FIFOs in a folder that is mounted at /io, and not the stream that the engine can attach: they
take a tenth of the time, need no parsing of frames, and a program that floods them cannot hang ``docker kill``.

The first process of the container is a shell. It waits until the worker has put the program into /bot and has written
a line to /io/go, starts the program, and reports its exit code. Then it stays, so that the worker can read the control
group of the container. When the worker dies, the shell reads the end of /io/go and ends, and with it the container. If
the worker dies before the shell has opened its streams, the next worker that starts removes the container (``owner``
in ``sandbox.leftovers``).
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
from sandbox.group import Group
from sandbox.leftovers import owner, temporary_folder

IMAGE = "banzuke-runtime"
LABEL = "banzuke.owner"
HELPERS = 1
"""Processes in the container beside the program: the shell."""
UIDS = range(20_000, 60_000)
"""User numbers inside the container: each program gets a random one. userns-remap allows numbers below 65,536 only."""
SECONDS_MAX = 20
"""How long the shell may take to start the program, or a container to end."""
NOT_FOUND, CONFLICT = 404, 409
KILLED, CODE_MAX = 128 + signal.SIGKILL, 255

SHELL = """
exec 3>/io/end 4</io/go
read _ <&4 || exit
(echo >&3; exec 3>&- 4<&-; . /io/run) </io/in >/io/out 2>/io/err
echo $? >&3
read _ <&4
"""
"""The shell's script. The parentheses start a subshell, so that the shell itself does not hold the program's streams
open. The first line on /io/end says that the program's streams are open, the second is its exit code. /io/run holds
``exec`` and the program's command."""
TO_READ, TO_WRITE = ("in", "go"), ("out", "err", "end")
"""The FIFOs that the container reads, and those that it writes. The attack: a program writes to /io/go to end the
shell; it has no permission to."""


class Container:
    """A started container; from ``give`` on it is the ``Box`` of one program, see ``sandbox.process.Box``.

    With ``out`` the program has a writable /out. ``runtime`` is an OCI runtime, None for the engine's default.

    Raises:
        PlatformFault: the container could not be started.
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
            self.group: Group = cgroups.of_process(shell)
            undo.callback(self.group.close)
            self._undo = undo.pop_all()

    def _open_streams(self, undo: ExitStack) -> tuple[int, ...]:
        """Open the worker's ends of the FIFOs, and return those of stdin, stdout, stderr and /io/end.

        They are opened before the container opens its own, so that neither side has to wait.
        """
        io = self._folder / "io"
        stdout, stderr, ended = (_open(io / name, os.O_RDONLY, undo) for name in TO_WRITE)
        self._start_only = undo.enter_context(ExitStack())
        for name in ("out", "err"):  # otherwise a stream that the program has not opened yet would read as closed
            _open(io / name, os.O_WRONLY, self._start_only)
        self._go = _open(io / "go", os.O_RDWR, undo)  # to read, too: opening it to write alone fails without a reader
        _open(io / "in", os.O_RDWR, self._start_only)
        return _open(io / "in", os.O_WRONLY, undo), stdout, stderr, ended

    def _start(self, api: docker.APIClient, undo: ExitStack) -> int:
        """Start the container and return the number of its first process, the shell."""
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
        """Return whether the container still runs."""
        return not readable_within(self._shell, 0)

    @property
    def helpers_cpu_ms(self) -> float:
        """CPU time that the container has used so far; asked before it gets its program (``give``)."""
        return self.group.cpu_ms()

    def give(self, program: Program) -> None:
        """Run this program in the container.

        Raises:
            PlatformFault: the program's files cannot be copied, or the container has ended.
        """
        with _engine_faults():
            fill(self._folder / "bot", program.root)
            (self._folder / "io" / "run").write_text(f"exec {shlex.join(program.argv)}\n")
            os.write(self._go, b"go\n")
            if not readable_within(self.ended, SECONDS_MAX) or not os.read(self.ended, 1):
                raise PlatformFault("The container ended, or stood still, before its program was reached.")
            # Now the program has opened its ends. Closing these descriptors earlier would lose data written to a stream
            # that is not open yet, and such a stream would read as closed.
            self._start_only.close()

    def exit_code(self) -> int:
        """Wait for the end and return the exit code that the shell reports, or ``KILLED`` if the report is invalid.

        The attack: the program can also write to /io/end, and can end the shell, for example through the memory limit,
        at which the kernel may choose the shell. The program is to blame for that, not the platform.

        Raises:
            PlatformFault: somebody asked the engine to end the container.
        """
        readable_within(self.ended, None)
        report = os.read(self.ended, 16).split()
        if not report and self._was_ended_from_outside():
            raise PlatformFault("The container was ended from outside.")
        code = int(report[0]) if report and report[0].isdigit() else KILLED
        return code if code <= CODE_MAX else KILLED

    def _was_ended_from_outside(self) -> bool:
        """Return whether somebody asked the engine to end the container, which has just ended."""
        now = int(time.time())
        with _engine_faults():
            for event in self._api.events(
                since=now - SECONDS_MAX, until=now + SECONDS_MAX, filters={"container": self.id}, decode=True
            ):
                if event["Action"] in ("kill", "die"):  # the engine reports a request to end it before its end
                    return bool(event["Action"] == "kill")
        raise PlatformFault("The container has ended, and the engine does not know of it.")

    def destroy(self) -> None:
        """Kill all processes and close the streams. The engine then removes the container (``auto_remove``)."""
        with _engine_faults():
            self._undo.close()


def remove(api: docker.APIClient, container: str) -> None:
    """End and remove a container, if it still exists."""
    try:
        api.remove_container(container, force=True, v=True)
    except APIError as error:
        if error.status_code not in (NOT_FOUND, CONFLICT):  # it has been removed, or is being removed
            raise


def _end(api: docker.APIClient, container: str, shell: int) -> None:
    """Kill all processes of a container by killing its first one, which is much faster than asking the engine.

    ``shell`` is a descriptor (pidfd) of the first process; it is closed.
    """
    try:
        with suppress(ProcessLookupError):  # the process has ended by itself
            signal.pidfd_send_signal(shell, signal.SIGKILL)
    except PermissionError:  # not root
        remove(api, container)
    ended = readable_within(shell, SECONDS_MAX)
    os.close(shell)
    if not ended:
        raise PlatformFault(f"The processes of the container {container} do not die.")


def _folder(undo: ExitStack) -> Path:
    """Create the folders ``bot`` and ``io`` to mount, with the FIFOs, and return the folder that holds both.

    Every user inside the container may read the two; on this machine only the worker's user can enter their parent.
    """
    parent = temporary_folder(undo)
    parent.chmod(0o700)
    for name in ("bot", "io"):
        (parent / name).mkdir()
        (parent / name).chmod(0o755)
    for names, mode in ((TO_READ, 0o644), (TO_WRITE, 0o622)):
        for name in names:
            os.mkfifo(parent / "io" / name)
            (parent / "io" / name).chmod(mode)
    return parent


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
        # With the network mode "none" alone, the engine starts two helper processes to set up the empty network.
        # Disabling the network leaves the new network namespace as it is, and a start takes half the time.
        network_disabled=True,
        host_config=_host_config(api, runtime, limits, mounts, out),
    )
    return str(container["Id"])


def _host_config(
    api: docker.APIClient, runtime: str | None, limits: Limits, mounts: dict[Path, str], out: bool
) -> HostConfig:
    tmp = f"rw,noexec,nosuid,nodev,size={limits.tmp_mib}m,mode=1777,nr_inodes={limits.tmp_inodes_max}"
    # /dev/pts is read-only, so that no terminal can be opened. The attack: the kernel sends SIGCONT to a frozen process
    # when its terminal is closed.
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
        cpuset_cpus=",".join(map(str, sorted(os.sched_getaffinity(0)))),  # the worker's cores; a quota would stall bots
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
