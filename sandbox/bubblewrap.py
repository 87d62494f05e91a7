"""The bubblewrap backend: it isolates a program by namespaces and needs no container engine.

A shell joins the program's control group and then becomes ``bwrap``, which runs unprivileged under a random user
number. bwrap isolates itself, then waits (``--block-fd``) until the worker knows its processes. So no Python code runs
between fork and exec, where other threads of the worker could leave locks held, and no instruction of the program runs
outside of its limits.
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
from sandbox.group import Group
from sandbox.leftovers import sweep_folders
from sandbox.process import BoxedProcess
from sandbox.process_tree import ProcessTree
from sandbox.steps import run_step

UIDS = range(1_900_000_000, 2_000_000_000)
"""User numbers that no account has (above the ranges of containers, below 2^31). Each program gets a random one."""
HELPERS = 2
"""Processes of bwrap beside the program: one outside of the namespaces, and the first process inside."""
INSIDE = 65_534
"""User and group number of the program as seen inside its namespaces."""
START_SECONDS = 20
EXEC = '{limits} && exec "$@"'
"""The script by which a shell starts the program. A missing program is a fault of the bot then (exit code 127).

The shell first sets limits of its own process, which the program inherits. Setting them from outside would take another
program before bwrap, or a system call for which a worker in a container lacks the capability. The shell has no limit
for POSIX message queues; the system call filter refuses them.
"""
ADDRESS_SPACE_MIB = 4_096
"""How much address space a process may reserve beyond the memory limit, where no control group holds that limit: the
JVM and V8 reserve gigabytes that they never use."""
RUNTIME_CONFIGURATION = ("alternatives", "java-*-openjdk", "mono")
"""The parts of /etc that programs can read: links to Debian's /usr/bin/java and numpy's libraries go through the first,
the JVM needs the second, and Mono finds its native libraries by the third. None holds secrets or data of this
machine."""
CLEAN_ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
"""The environment of bwrap. The attack: a bot reads it in /proc/1/environ, so no secret of the worker may be in it."""
CORE_PATTERN = Path("/proc/sys/kernel/core_pattern")
"""This file tells where the kernel writes core dumps; if it begins with a bar, which program the kernel starts."""
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
"""By part of an error message of bwrap: what an administrator can do about it."""

log = logging.getLogger(__name__)


class Bubblewrap:
    """The backend. Creating it runs a trial program.

    Raises:
        NoSandbox: this machine cannot isolate programs by bubblewrap.
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
        # Kill first processes of namespaces whose bwrap was killed while it set them up: they wait for it for ever.
        # bwrap gives them --die-with-parent only later, and without control groups ``cgroups.sweep`` does not find
        # them. They are recognised by a user number of ``UIDS``, a process namespace of their own, and a parent that
        # has ended.
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):  # the process has ended meanwhile
                # The first line holds the name, which the program chooses: any bytes except a line break.
                lines = status.read_text(errors="replace").split("\n")[1:-1]
                fields = dict(line.split(":\t", 1) for line in lines)
                orphaned = fields["PPid"] == "1" and len(fields["NSpid"].split()) > 1
                if orphaned and int(fields["Uid"].split()[0]) in UIDS:
                    os.kill(int(status.parent.name), signal.SIGKILL)
        _dump_no_cores()
        self._run_trial()

    def _run_trial(self) -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                result = self.run(Program(Path(folder), ("/usr/bin/true",)), Limits(), cpu_ms=1_000)
        except (BotFault, PlatformFault) as fault:
            raise NoSandbox(_refusal(str(fault))) from fault
        if result.exit_code:
            raise NoSandbox(_refusal(result.output.strip()))

    def start(self, program: Program, limits: Limits) -> BoxedProcess:
        """Start a program; see ``sandbox.api.Sandbox``."""
        return self._start(program, limits, out=False, plays=True).started()

    def run(self, program: Program, limits: Limits, cpu_ms: int, out: Path | None = None) -> RunResult:
        """Run a program to its end; see ``sandbox.api.Sandbox``."""
        return run_step(self._start, program, limits, cpu_ms, out)

    def close(self) -> None:
        """Do nothing: this backend starts no program in advance."""

    def _start(self, program: Program, limits: Limits, out: bool, *, plays: bool = False) -> BoxedProcess:
        with ExitStack() as undo:  # cleans up after a start that fails; after a successful one, ``box`` owns it
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
            prefix = [*join_command(group), *_random_user_command()]
            popen = _popen([*prefix, *command], [file.fileno() for file in fds.values()])
            undo.callback(_end, popen)
        if not readable_within(status.fileno(), START_SECONDS):
            raise PlatformFault(f"bubblewrap did not start within {START_SECONDS} s.")
        report = status.readline()
        if not report:
            _, errors = popen.communicate()
            raise PlatformFault(f"bubblewrap could not build the sandbox: {errors.decode(errors='replace').strip()}")
        child = int(json.loads(report)["child-pid"])
        undo.callback(_end_inside, os.pidfd_open(child), popen)
        # If this machine runs out of memory, its kernel kills a bot rather than the worker.
        Path(f"/proc/{child}/oom_score_adj").write_text("500")
        counted = group or ProcessTree(popen.pid, limits.memory_mib)
        # Looked at before the program may run: on a busy machine it would run for a while before we look.
        helpers_cpu_ms = counted.cpu_ms()
        unblock.write(b"go")
        return _Box(popen, status, counted, undo, frozenset((popen.pid, child)), helpers_cpu_ms)

    def _group(self, limits: Limits, undo: ExitStack, *, plays: bool) -> cgroups.KernelGroup | None:
        if not self._groups:
            return None
        group = cgroups.make(limits, HELPERS, plays=plays)
        undo.callback(cgroups.remove, group)
        return group


class _Box:
    """One started bwrap with its program; see ``sandbox.process.Box``."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        status: IO[bytes],
        group: Group,
        undo: ExitStack,
        helpers: frozenset[int],
        helpers_cpu_ms: float,
    ) -> None:
        self._popen, self._status, self.group, self.undo = popen, status, group, undo
        self.helpers, self.helpers_cpu_ms = helpers, helpers_cpu_ms
        self.stdin, self.stdout, self.stderr = (stream.fileno() for stream in _streams(popen))
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.ended = os.pidfd_open(popen.pid)
        undo.callback(os.close, self.ended)

    def exit_code(self) -> int:
        """Wait for the end and return the program's exit code.

        Raises:
            PlatformFault: bwrap failed before it started the program, and so reports no exit code.
        """
        self._popen.wait()
        for line in self._status.read().splitlines():
            if "exit-code" in (report := json.loads(line)):
                return int(report["exit-code"])
        if self._popen.returncode == -signal.SIGKILL:  # at the memory limit the kernel may choose bwrap itself
            return 128 + signal.SIGKILL
        raise PlatformFault("bubblewrap failed before the program was reached.")

    def destroy(self) -> None:
        """Kill all processes, close the streams, remove the control group and temporary files."""
        self.undo.close()


def _command(root: Path, argv: tuple[str, ...], limits: Limits, out: bool, script: str) -> list[str]:
    """Return the arguments of bwrap that describe what the program sees, and the program's command.

    /proc and /dev/pts are read-only. The attack: a program writes to /proc/self/autogroup to give way to all other
    programs, so that this machine looks too busy for it. Another: a program opens a terminal, and when the terminal
    is closed the kernel sends SIGCONT to the program, which the worker has stopped.
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
        start_new_session=True,  # Ctrl-C in the worker's terminal must not end the program
    )


def join_command(group: cgroups.KernelGroup | None) -> list[str]:
    """Return a command prefix: a shell that joins a control group and then becomes the command that follows."""
    if group is None:
        return []
    joins = "".join(f"echo 0 >{entrance} && " for entrance in group.entrances)
    return ["/bin/sh", "-c", f'{joins}exec "$@"', "sh"]


def _random_user_command() -> list[str]:
    """Return a command prefix by which root becomes a random user of ``UIDS``; empty if this process is not root.

    The option ``user`` of Popen would do the same, but makes Python start the process by fork instead of vfork, which
    takes as long as all the rest of a start.
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
    """Set the limit of core dumps (``CORE_BYTES``), which all programs inherit. A shell cannot: it counts in blocks.

    Raises:
        NoSandbox: the limit is 0, this process may not raise it, and this machine starts a handler for core dumps.
    """
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (CORE_BYTES, CORE_BYTES))
    except ValueError as error:  # the limit is 0, and only root may raise it
        if CORE_PATTERN.read_text().startswith("|"):
            raise NoSandbox(CORES_HANDLED) from error


def _streams(popen: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    return [stream for stream in (popen.stdin, popen.stdout, popen.stderr) if stream]


def _end_inside(pidfd: int, popen: subprocess.Popen[bytes]) -> None:
    """Kill the first process of the namespace, and with it all others there; bwrap outside notices it and ends.

    If bwrap were killed first, the first process would become a zombie that this machine's init must collect.
    """
    with suppress(ProcessLookupError):  # the process has ended by itself
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    os.close(pidfd)
    with suppress(subprocess.TimeoutExpired):  # ``_end`` kills it then
        popen.wait(START_SECONDS)


def _refusal(problem: str) -> str:
    """Return the sentence that bubblewrap does not work here, with a remedy if the problem is a known one."""
    remedy = next((f". {remedy}" for known, remedy in REMEDIES.items() if known in problem), "")
    return f"bubblewrap cannot build a sandbox on this machine: {problem}{remedy}"


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    """Return the two ends of a new pipe; the stack ``reader`` closes the first, ``writer`` the second."""
    read, write = os.pipe()
    return reader.enter_context(os.fdopen(read, "rb", 0)), writer.enter_context(os.fdopen(write, "wb", 0))


def _rlimits(limits: Limits, grouped: bool) -> str:
    """Return shell commands (``ulimit``) that set the limits of single processes, each in the unit of the shell.

    Without a control group (``grouped`` false) they also limit address space and the number of processes.
    """
    wanted = [
        ("n", resource.RLIMIT_NOFILE, limits.open_files_max, 1),
        ("f", resource.RLIMIT_FSIZE, limits.file_mib * cgroups.MIB, 512),
        ("l", resource.RLIMIT_MEMLOCK, 65_536, 1_024),
    ]
    if not grouped:
        memory = (ADDRESS_SPACE_MIB + limits.memory_mib) * cgroups.MIB
        wanted += [("v", resource.RLIMIT_AS, memory, 1_024)]
    commands = [f"ulimit -{flag} {_at_most(what, value) // unit}" for flag, what, value, unit in wanted]
    if not grouped:  # the limit is for each user and user namespace; dash calls it -p, bash -u (its -p sets pipe sizes)
        processes = _at_most(resource.RLIMIT_NPROC, limits.pids_max + HELPERS)
        commands.append(f"{{ ulimit -p {processes} 2>/dev/null || ulimit -u {processes}; }}")
    return " && ".join(commands)


def _at_most(what: int, value: int) -> int:
    """Return ``value``, or the worker's own hard limit of ``what`` (``RLIMIT_..``) if that is lower."""
    hard = resource.getrlimit(what)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
