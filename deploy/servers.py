"""Context managers for the servers of tests: each runs on a free port, in a new folder, until its block ends."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.broker import free_port
from deploy.settings import ROOT

START_SECONDS_MAX = 60

# No bridge, no iptables, no forwarding: the engine leaves the machine's network alone, which bots do not use. Tests of
# SANDBOX_RUNTIME use the two additional runtimes.
DOCKERD = [
    "--bridge=none",
    "--iptables=false",
    "--ip6tables=false",
    "--ip-forward=false",
    "--ip-masq=false",
    "--userland-proxy=false",
    "--storage-driver=overlay2",
    "--exec-opt=native.cgroupdriver=cgroupfs",
    "--log-driver=none",
    "--no-new-privileges",
    "--add-runtime=by-another-name=runc",
    "--add-runtime=broken=/bin/false",
]

# Fast and unsafe settings: a crash of the machine may lose the data, which are deleted anyway.
POSTGRES = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c listen_addresses=127.0.0.1"


class ServerFailed(Exception):  # noqa: N818 - the name says what happened
    """A server of the tests did not start; its log says why."""


@contextmanager
def postgres_running(folder: Path, options: str = "") -> Iterator[str]:
    """Run a PostgreSQL server; if this process is root, under the user ``postgres``, since it refuses to run as root.

    Args:
        folder: a folder to create for the server.
        options: additional options of the server.

    Yields:
        The DATABASE_URL of the server.

    Raises:
        ServerFailed: the server did not start.
    """
    binaries = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    account = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    folder.mkdir(mode=0o700)
    password, log, port = secrets.token_hex(16), folder / "log", free_port()
    (folder / "password").write_text(password)
    for path in (folder, folder / "password"):
        os.chown(path, account.pw_uid, account.pw_gid)

    def command(*argv: str) -> None:
        with (folder.parent / "postgres.log").open("ab") as output:
            result = subprocess.run(  # noqa: S603 - PostgreSQL's own programs
                [binaries / argv[0], *argv[1:]],
                cwd=folder,
                user=account.pw_uid,
                group=account.pw_gid,
                extra_groups=[] if os.geteuid() == 0 else None,
                stdout=output,
                stderr=output,
                check=False,
            )
        if result.returncode:
            raise ServerFailed(f"PostgreSQL: {argv[0]} ended with exit code {result.returncode}.")

    cluster = str(folder / "cluster")
    # Set explicitly, since the locale of this machine may have another encoding.
    letters = ("--encoding=UTF8", "--locale=C.UTF-8")
    command(
        "initdb", "-D", cluster, "-U", "tests", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}", "-N", *letters
    )
    command("pg_ctl", "start", "-w", "-D", cluster, "-l", str(log), "-o", f"{POSTGRES} {options} -p {port} -k {folder}")
    try:
        yield f"postgresql://tests:{password}@127.0.0.1:{port}/postgres"
    finally:
        command("pg_ctl", "stop", "-w", "-D", cluster, "-m", "immediate")


@contextmanager
def engine_running(folder: Path) -> Iterator[str]:
    """Run a Docker engine without any image.

    Args:
        folder: a folder to create for the engine, with a short path, since that of a socket has at most 107 bytes.

    Yields:
        The DOCKER_HOST of the engine.

    Raises:
        ServerFailed: the engine did not start.
    """
    folder.mkdir(mode=0o700)
    docker_host = f"unix://{folder}/docker.sock"
    with (folder.parent / "dockerd.log").open("wb") as output:
        places = [
            f"--data-root={folder}/root",
            f"--exec-root={folder}/exec",
            f"--pidfile={folder}/pid",
            f"-H={docker_host}",
        ]
        process = subprocess.Popen(["dockerd", *places, *DOCKERD], stdout=output, stderr=output)  # noqa: S603, S607
        try:
            await_server("dockerd", process, (folder / "docker.sock").exists)
            yield docker_host
        finally:
            process.terminate()
            process.wait()
            unmount_below(folder)


def unmount_below(folder: Path) -> None:
    """Unmount everything below a folder, so that it can be removed.

    An engine leaves mounts of its empty network, and the files of containers that still run.
    """
    mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for place in reversed([place for place in mounted if place.startswith(f"{folder}/")]):
        subprocess.run(["umount", "--lazy", place], check=False)  # noqa: S603, S607 - it may be gone


@contextmanager
def image_building(docker_host: str, log: Path) -> Iterator[Callable[[], None]]:
    """Build the image of bots in the background, by the script that administrators use.

    Yields:
        A function that waits for the image, and raises ServerFailed if it could not be built.
    """
    script = ROOT / "deploy" / "images" / "build.sh"
    env = {**os.environ, "DOCKER_HOST": docker_host}
    with log.open("wb") as output:
        process = subprocess.Popen([script], env=env, stdout=output, stderr=output, start_new_session=True)  # noqa: S603

    def wait() -> None:
        if process.wait():
            raise ServerFailed("The image that bots run in could not be built.")

    try:
        yield wait
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def await_server(name: str, process: subprocess.Popen[bytes], ready: Callable[[], bool]) -> None:
    """Wait until a server is ready.

    Raises:
        ServerFailed: the server ended, or is not ready in time.
    """
    deadline = time.monotonic() + START_SECONDS_MAX
    while process.poll() is None and time.monotonic() < deadline:
        if ready():
            return
        time.sleep(0.05)
    raise ServerFailed(f"{name} did not start.")


def engine_possible() -> bool:
    """Return whether a Docker engine can be started on this machine."""
    return os.geteuid() == 0 and shutil.which("dockerd") is not None


def postgres_possible() -> bool:
    """Return whether a PostgreSQL server can be started on this machine."""
    return any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
