"""Context managers for the servers of tests: each runs on a free port, in a new folder, until its block ends.

Each raises ServerFailed if the server does not start, or the image cannot be built.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from deploy.broker import free_port
from deploy.settings import ROOT
from sandbox.docker.container import IMAGE

START_SECONDS_MAX = 60
KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "banzuke-tests"
"""What tests of all checkouts keep for the next run: the image of bots, and what mypy has found."""
IMAGES = ROOT / "deploy" / "images"

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
    """Run a PostgreSQL server in a new folder, and yield its DATABASE_URL.

    ``options`` are further ones of the server. It runs under the user ``postgres`` if this process is root, since it
    refuses to run as root.
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
def engine_with_image(folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Run a Docker engine, and build the image of bots in the background, if no earlier run has kept it.

    The engine keeps its files in ``KEPT``, unless another run is using them: then below ``folder``. Yields the
    DOCKER_HOST of the engine, and a function that waits for the image.
    """
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "engine.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            root = folder / "d" / "root"
        else:
            root = engine_root_kept()
        with engine_running(folder / "d", root) as docker_host:
            docker = ["docker", f"--host={docker_host}"]
            # A run that was killed leaves containers, and tests count those that are left.
            subprocess.run([*docker, "container", "prune", "--force"], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
            found = subprocess.run([*docker, "image", "inspect", IMAGE], check=False, capture_output=True)  # noqa: S603
            is_kept = found.returncode == 0
            with nullcontext(lambda: None) if is_kept else image_building(docker_host, folder / "image.log") as wait:
                yield docker_host, wait


def engine_root_kept() -> Path:
    """Return the folder in ``KEPT`` for an engine with the image of today's files; delete those of earlier files."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(IMAGES.iterdir()))).hexdigest()[:16]
    kept = KEPT / f"engine-{digest}"
    for old in KEPT.glob("engine-*"):
        if old != kept:
            unmount_below(old)
            shutil.rmtree(old)
    return kept


@contextmanager
def engine_running(folder: Path, root: Path) -> Iterator[str]:
    """Run a Docker engine in a new folder, with images and containers in ``root``, and yield its DOCKER_HOST.

    The folder needs a short path, since that of a socket has at most 107 bytes.
    """
    folder.mkdir(mode=0o700)
    docker_host = f"unix://{folder}/docker.sock"
    with (folder.parent / "dockerd.log").open("wb") as output:
        places = [
            f"--data-root={root}",
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
            for place in (folder, root):
                unmount_below(place)


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

    Yields a function that waits until the image is built, and raises ServerFailed if it could not be built.
    """
    argv, env = [str(IMAGES / "build.sh"), IMAGE], {**os.environ, "DOCKER_HOST": docker_host}
    with log.open("wb") as output:
        process = subprocess.Popen(argv, env=env, stdout=output, stderr=output, start_new_session=True)  # noqa: S603

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
    """Wait until a server is ready; raise ServerFailed if it ends, or is too late."""
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
