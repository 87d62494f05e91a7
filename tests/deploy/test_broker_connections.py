"""The firewall rules that keep one IP address from taking all connections to broker or site, in two networks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from deploy.settings import ROOT

pytestmark = pytest.mark.waits

LIMIT, TRIED = 500, 520

BROKER = """
import socket
places = [(("", port), socket.AF_INET) for port in (443, 6379, 7000)]
places += [((place, port), socket.AF_INET6) for place in ("::1", "fd00::1") for port in (443, 6379)]
brokers = [socket.create_server(place, family=family, backlog=4096) for place, family in places]
print("listens", flush=True)
input()
"""
HOST = """
import socket, sys
held = []
try:
    while len(held) < int(sys.argv[4]):
        place = sys.argv[2], int(sys.argv[3])
        held.append(socket.create_connection(place, timeout=3, source_address=(sys.argv[1], 0)))
except TimeoutError:
    pass
print(len(held))
"""
"""A program that opens connections until one is refused, and prints how many it got."""


@contextmanager
def a_machine() -> Iterator[list[str]]:
    """Create a network namespace; yield the prefix of commands that run in it."""
    with subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"there\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"there\n"  # printed by a process inside the namespace
        yield ["nsenter", f"--net=/proc/{process.pid}/ns/net"]


def typed(machine: list[str], line: str) -> None:
    subprocess.run([*machine, *line.split()], check=True, timeout=60)


@pytest.fixture
def joined() -> Iterator[tuple[list[str], list[str]]]:
    """Yield the command prefixes of the broker's machine, with its firewall, and of a connected machine of hosts."""
    if os.geteuid() or not all(shutil.which(tool) for tool in ("nft", "ip")):
        pytest.skip("needs root and nft: apt-get install nftables iproute2")
    with ExitStack() as stack:
        ours, theirs = stack.enter_context(a_machine()), stack.enter_context(a_machine())
        typed(ours, f"ip link add cable type veth peer name cable netns {theirs[1].split('/')[2]}")
        addresses = {"10.0.0.1/24": ours, "10.0.0.2/24": theirs, "10.0.0.3/24": theirs}
        for address, machine in addresses.items():
            typed(machine, f"ip address add {address} dev cable")
        for number, machine in enumerate((ours, theirs), start=1):
            typed(machine, f"ip address add fd00::{number}/64 dev cable nodad")
            typed(machine, "ip link set cable up")
            typed(machine, "ip link set lo up")
        for _ in range(2):  # twice, as an administrator does who changes a number
            for name in ("broker.nft", "site.nft"):
                typed(ours, f"nft -f {ROOT / 'deploy' / name}")
        broker = stack.enter_context(
            subprocess.Popen([*ours, sys.executable, "-c", BROKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        )
        stack.callback(broker.terminate)
        assert broker.stdout
        assert broker.stdout.readline() == b"listens\n"
        yield ours, theirs


def let_in(machine: list[str], source: str, target: str, port: int = 6379) -> int:
    argv = [*machine, sys.executable, "-c", HOST, source, target, str(port), str(TRIED)]
    return int(subprocess.run(argv, check=True, capture_output=True, timeout=60).stdout)


@pytest.mark.parametrize("port", [6379, 443])
def test_one_address_cannot_take_all_connections(joined: tuple[list[str], list[str]], port: int) -> None:
    ours, theirs = joined
    assert let_in(theirs, "10.0.0.2", "10.0.0.1", port) == LIMIT
    assert let_in(theirs, "10.0.0.3", "10.0.0.1", port) == LIMIT, "the other address has a count of its own"
    assert let_in(theirs, "fd00::2", "fd00::1", port) == LIMIT
    assert let_in(ours, "127.0.0.1", "127.0.0.1", port) == TRIED, "the site itself is never kept out"
    assert let_in(ours, "::1", "::1", port) == TRIED


def test_one_address_cannot_take_all_connections_of_a_forwarded_port(joined: tuple[list[str], list[str]]) -> None:
    """Docker publishes ports in this way."""
    ours, theirs = joined
    typed(ours, "nft add table ip docker")
    typed(ours, "nft add chain ip docker published { type nat hook prerouting priority dstnat ; }")
    typed(ours, "nft add rule ip docker published tcp dport 6379 redirect to :7000")
    assert let_in(theirs, "10.0.0.2", "10.0.0.1") == LIMIT
