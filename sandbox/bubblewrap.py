"""The bubblewrap backend: namespaces without an engine, for one machine.

bwrap is started unprivileged, under a user number of its own, by a shell that has joined the program's control group,
and stops itself when all walls stand (``--block-fd``) until we know its processes. So nothing of ours runs between fork
and exec, which threads of the worker could upset, and no instruction of the program runs outside its limits.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import secrets
import shutil
import signal
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import IO

from sandbox import cgroups, seccomp
from sandbox.api import BotFault, Limits, NoSandbox, PlatformFault, Program, RunResult
from sandbox.descriptors import readable_within
from sandbox.environment import CORE_BYTES, ENVIRONMENT
from sandbox.folders import readable
from sandbox.leftovers import sweep_folders
from sandbox.process import BoxedProcess
from sandbox.process_tree import ProcessTree
from sandbox.steps import run_step

UIDS = range(1_900_000_000, 2_000_000_000)
"""User numbers nobody has (above the ranges of containers, below 2^31): each program gets one of them by chance."""
HELPERS = 2
"""Processes of bwrap beside the program: one outside, one as the first process inside."""
INSIDE = 65_534
START_SECONDS = 20
EXEC = '{limits} && exec "$@"'
"""The program is started by a shell. If it is missing, that is the bot's fault (exit code 127), and not one of bwrap.

The shell first sets the limits of its own process, which all that it starts inherits. To set them from outside would
take another program before bwrap, or a system call for which a worker in a container lacks the capability. Only for
POSIX message queues there is no limit; the system call filter refuses them.
"""
ADDRESS_SPACE_MIB = 4_096
"""Where no control group holds the memory: how much more of it a process may reserve than all may use. The JVM and V8
reserve gigabytes that they never touch, however little they are given."""
RUNTIME_CONFIGURATION = ("alternatives", "java-*-openjdk")
"""What of /etc programs see: Debian's /usr/bin/java and numpy's libraries are links through the one, and the JVM does
not start without the other. Nothing in them is secret or this machine's own."""
CLEAN_ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
"""bwrap's own environment can be read inside as /proc/1/environ: none of the worker's secrets may be in it."""
CORE_PATTERN = Path("/proc/sys/kernel/core_pattern")
"""Where the kernel tells what becomes of a crash; with a bar in front, the handler that it starts."""
CORES_HANDLED = (
    "This machine starts a handler for each program that crashes, as root and outside of all limits, and the limit of "
    "core dumps, 0, does not keep it from that. Give us a limit of 1 or more (LimitCORE=1 in a unit of systemd, "
    "--ulimit core=1 for a container, the word core in /etc/security/limits.conf), or turn the handler off: "
    "sysctl kernel.core_pattern=core"
)
NO_GROUPS = (
    "Control groups cannot be written ({problem}): limits of memory are held by looking at the process table, twenty "
    "times a second, and not by the kernel. {remedy}, or use Docker."
)
AS_ROOT = "Let a worker that strangers send bots to run as root"
BY_ROOT = (
    "Let root write to /sys/fs/cgroup (in a container: --cgroupns=host and that folder mounted writable), with the "
    "controllers of memory and pids on (on a Raspberry Pi: cgroup_enable=memory on the kernel's command line)"
)
BY_APPARMOR = (
    "This machine forbids namespaces to programs without rights. On Ubuntu, write an AppArmor profile for "
    "/usr/bin/bwrap that allows userns, or type: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
)
REMEDIES = {
    "uid map": BY_APPARMOR,
    "RTM_NEWADDR": BY_APPARMOR,
    "new namespace": "Let programs without rights make namespaces: sysctl user.max_user_namespaces=10000, and on Debian"
    " kernel.unprivileged_userns_clone=1",
    "Unknown option": "It is too old: bubblewrap 0.8 or newer is needed",
}
"""What to do about words of bwrap's."""

log = logging.getLogger(__name__)


class Bubblewrap:
    """The backend. Making one checks that all walls can be built here.

    Raises:
        NoSandbox: they cannot.
    """

    name = "bubblewrap"

    def __init__(self) -> None:
        if shutil.which("bwrap") is None:
            raise NoSandbox("bubblewrap is missing. Install it: apt-get install bubblewrap")
        problem = cgroups.problem()
        self._groups = not problem
        if self._groups:
            cgroups.sweep()
        else:
            log.warning(NO_GROUPS.format(problem=problem, remedy=AS_ROOT if os.geteuid() else BY_ROOT))
        sweep_folders()
        _sweep_half_made()
        _dump_no_cores()
        self._try_out()

    def _try_out(self) -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                result = self.run(Program(Path(folder), ("/usr/bin/true",)), Limits(), cpu_ms=1_000)
        except (BotFault, PlatformFault) as fault:
            raise NoSandbox(_refusal(str(fault))) from fault
        if result.exit_code:
            raise NoSandbox(_refusal(result.output.strip()))

    def start(self, program: Program, limits: Limits) -> BoxedProcess:
        """Start a program inside the walls; see ``sandbox.api.Sandbox``."""
        return self._start(program, limits, out=False, plays=True).started()

    def run(self, program: Program, limits: Limits, cpu_ms: int, out: Path | None = None) -> RunResult:
        """Run a program to its end; see ``sandbox.api.Sandbox``."""
        return run_step(self._start, program, limits, cpu_ms, out)

    def close(self) -> None:
        """Nothing is started ahead; see ``sandbox.api.Sandbox``."""

    def _start(self, program: Program, limits: Limits, out: bool, *, plays: bool = False) -> BoxedProcess:
        with ExitStack() as undo:  # undoes a half-made start; handed to the box when all is well
            try:
                box = self._box(program, limits, self._group(limits, undo, plays=plays), out, undo)
            except (OSError, subprocess.SubprocessError) as error:
                raise PlatformFault(f"bubblewrap could not be started: {error}") from error
            box.undo = undo.pop_all()
        return BoxedProcess(box, limits)

    def _box(
        self, program: Program, limits: Limits, group: cgroups.KernelGroup | None, out: bool, undo: ExitStack
    ) -> _Box:
        root = readable(program.root, undo) if os.geteuid() == 0 else program.root
        with ExitStack() as passed:
            status, status_end = _pipe(undo, passed)
            block_end, unblock = _pipe(passed, undo)
            profile = passed.enter_context(os.fdopen(os.memfd_create("seccomp"), "w+b", 0))
            profile.write(seccomp.program(memory_files=self._groups))
            profile.seek(0)
            fds = {"--seccomp": profile, "--json-status-fd": status_end, "--block-fd": block_end}
            options = [word for option, file in fds.items() for word in (option, str(file.fileno()))]
            script = EXEC.format(limits=_rlimits(limits, grouped=self._groups))
            command = ["bwrap", *options, *_command(root, program.argv, limits, out, script)]
            popen = _popen([*_joining(group), *_as_nobody(), *command], [file.fileno() for file in fds.values()])
            undo.callback(_end, popen)
        child = _child_pid(status, popen)
        undo.callback(_end_inside, os.pidfd_open(child), popen)
        # a machine short of memory ends a bot, not the worker
        Path(f"/proc/{child}/oom_score_adj").write_text("500")
        unblock.write(b"go")
        counted = group or ProcessTree(popen.pid, limits.memory_mib)
        return _Box(popen, status, counted, undo, frozenset((popen.pid, child)))

    def _group(self, limits: Limits, undo: ExitStack, *, plays: bool) -> cgroups.KernelGroup | None:
        if not self._groups:
            return None
        group = cgroups.make(limits, HELPERS, plays=plays)
        undo.callback(cgroups.remove, group)
        return group


class _Box:
    """One started bwrap; see ``sandbox.process.Box``."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        status: IO[bytes],
        group: cgroups.Group,
        undo: ExitStack,
        helpers: frozenset[int],
    ) -> None:
        self._popen, self._status, self.group, self.undo = popen, status, group, undo
        self.helpers = helpers
        self.stdin, self.stdout, self.stderr = (stream.fileno() for stream in _streams(popen))
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.ended = os.pidfd_open(popen.pid)
        undo.callback(os.close, self.ended)

    def exit_code(self) -> int:
        """Wait for the end and return the exit code; bwrap reports none if the program was never reached."""
        self._popen.wait()
        for line in self._status.read().splitlines():
            if "exit-code" in (report := json.loads(line)):
                return int(report["exit-code"])
        if self._popen.returncode == -signal.SIGKILL:  # the memory limit may choose bwrap itself
            return 128 + signal.SIGKILL
        raise PlatformFault("bubblewrap failed before the program was reached.")

    def destroy(self) -> None:
        """End all its processes, close the streams, remove every trace."""
        self.undo.close()


def _command(root: Path, argv: tuple[str, ...], limits: Limits, out: bool, script: str) -> list[str]:
    """Return bwrap's command.

    The attacks, against which /proc and /dev/pts are read-only: a program that writes to /proc/self/autogroup gives way
    to all others, so that the machine looks too busy for it; and one that opens a terminal is sent SIGCONT by the
    kernel when that is hung up, long after it was stopped.
    """
    tmp, folder = str(limits.tmp_mib * cgroups.MIB), ["--ro-bind", str(root), "/bot"]
    if out:
        folder += ["--size", str(limits.out_mib * cgroups.MIB), "--tmpfs", "/out"]
    for path in _runtime_configuration():
        folder += ["--ro-bind", path, path]
    environment = [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
        *("--symlink", "usr/bin", "/bin", "--proc", "/proc", "--remount-ro", "/proc"),
        *("--dev", "/dev", "--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts", "--remount-ro", "/dev"),
        *("--size", "65536", "--tmpfs", "/dev/shm", "--size", tmp, "--tmpfs", "/tmp"),  # noqa: S108
        *(*folder, "--remount-ro", "/", "--chdir", "/bot", "--hostname", "bot"),
        *("--uid", str(INSIDE), "--gid", str(INSIDE), "--cap-drop", "ALL", "--clearenv", *environment),
        *("--", "/bin/sh", "-c", script, "sh", *argv),
    ]


@cache
def _runtime_configuration() -> tuple[str, ...]:
    return tuple(str(path) for pattern in RUNTIME_CONFIGURATION for path in sorted(Path("/etc").glob(pattern)))


def _popen(command: list[str], fds: list[int]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - a list, no shell
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        pass_fds=fds,
        env=CLEAN_ENVIRONMENT,
        cwd="/",
        start_new_session=True,  # Ctrl-C at the worker's terminal is not the program's end
    )


def _joining(group: cgroups.KernelGroup | None) -> list[str]:
    """Return the command that joins a control group, then becomes the command behind it."""
    if group is None:
        return []
    joins = "".join(f"echo 0 >{entrance} && " for entrance in group.entrances)
    return ["/bin/sh", "-c", f'{joins}exec "$@"', "sh"]


def _as_nobody() -> list[str]:
    """Return the command by which root takes a user number of chance.

    Not by Popen's ``user``: with it Python copies the whole worker (fork) instead of borrowing it (vfork), which costs
    as much as all the rest of a start.
    """
    if os.geteuid():
        return []
    uid = UIDS[secrets.randbelow(len(UIDS))]
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]


def _end(popen: subprocess.Popen[bytes]) -> None:
    popen.kill()
    popen.wait()
    for stream in _streams(popen):
        stream.close()


def _dump_no_cores() -> None:
    """Set the limit that all we start inherits; no shell can, for theirs counts in blocks.

    Raises:
        NoSandbox: it is 0 for good, and this machine has a handler of core dumps.
    """
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (CORE_BYTES, CORE_BYTES))
    except ValueError as error:  # it is 0, and this is not root
        if CORE_PATTERN.read_text().startswith("|"):
            raise NoSandbox(CORES_HANDLED) from error


def _sweep_half_made() -> None:
    """End first processes inside whose bwrap was killed while it made them: they wait for it for ever.

    bwrap passes --die-with-parent on to them only later, and they may be in no group, where none can be written. They
    are told by a uid of ours, a process namespace of their own, and a parent that has gone.
    """
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # it has ended meanwhile
            # The first line is the program's name, and so its choice: any bytes but that of a new line.
            lines = status.read_text(errors="replace").split("\n")[1:-1]
            fields = dict(line.split(":\t", 1) for line in lines)
            orphaned = fields["PPid"] == "1" and len(fields["NSpid"].split()) > 1
            if orphaned and int(fields["Uid"].split()[0]) in UIDS:
                os.kill(int(status.parent.name), signal.SIGKILL)


def _streams(popen: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    return [stream for stream in (popen.stdin, popen.stdout, popen.stderr) if stream]


def _end_inside(pidfd: int, popen: subprocess.Popen[bytes]) -> None:
    """End the first process inside, and with it all the others; bwrap, outside, takes note of it and goes too.

    Were bwrap ended first, the first process would be left to this machine's init as a zombie.
    """
    with suppress(ProcessLookupError):  # it has ended by itself
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    os.close(pidfd)
    with suppress(subprocess.TimeoutExpired):  # then it is ended the hard way, below
        popen.wait(START_SECONDS)


def _refusal(words: str) -> str:
    """Return that no sandbox can be built here, with what is to be done about it where that is known."""
    remedy = next((f". {remedy}" for known, remedy in REMEDIES.items() if known in words), "")
    return f"bubblewrap cannot build a sandbox on this machine: {words}{remedy}"


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    """Return both ends of a new pipe, each closed by its own stack."""
    read, write = os.pipe()
    return reader.enter_context(os.fdopen(read, "rb", 0)), writer.enter_context(os.fdopen(write, "wb", 0))


def _child_pid(status: IO[bytes], popen: subprocess.Popen[bytes]) -> int:
    """Read from bwrap's first report which process will become the program."""
    if not readable_within(status.fileno(), START_SECONDS):
        raise PlatformFault(f"bubblewrap did not start within {START_SECONDS} s.")
    report = status.readline()
    if not report:
        _, errors = popen.communicate()
        raise PlatformFault(f"bubblewrap could not build the sandbox: {errors.decode(errors='replace').strip()}")
    return int(json.loads(report)["child-pid"])


def _rlimits(limits: Limits, grouped: bool) -> str:
    """Return the shell's commands that set the limits a process has by itself, in the shell's units."""
    wanted = [
        ("n", resource.RLIMIT_NOFILE, limits.open_files_max, 1),
        ("f", resource.RLIMIT_FSIZE, limits.file_mib * cgroups.MIB, 512),
        ("l", resource.RLIMIT_MEMLOCK, 65_536, 1_024),
    ]
    if not grouped:
        memory = (ADDRESS_SPACE_MIB + limits.memory_mib) * cgroups.MIB
        wanted += [("v", resource.RLIMIT_AS, memory, 1_024)]
    commands = [f"ulimit -{flag} {_at_most(what, value) // unit}" for flag, what, value, unit in wanted]
    if not grouped:  # processes are counted a user and user namespace; dash says -p and bash -u, whose -p is of pipes
        processes = _at_most(resource.RLIMIT_NPROC, limits.pids_max + HELPERS)
        commands.append(f"{{ ulimit -p {processes} 2>/dev/null || ulimit -u {processes}; }}")
    return " && ".join(commands)


def _at_most(what: int, value: int) -> int:
    """Return the value, or the worker's own limit where that is lower: nobody may raise it."""
    hard = resource.getrlimit(what)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
