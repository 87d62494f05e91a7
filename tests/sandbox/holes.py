"""For each promise of the self-test and each backend: a change that breaks the promise, as a faulty machine would."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import docker
import pytest

from sandbox import bubblewrap, cgroups, seccomp
from sandbox.api import Limits
from sandbox.clock import Clock
from sandbox.streams import Streams

ALLOW_EVERYTHING = struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)
"""A system call filter of one instruction: return SECCOMP_RET_ALLOW."""
ROOT = str(Path(__file__).parents[2])

Hole = Callable[[pytest.MonkeyPatch], None]


def _words(change: Callable[[list[str]], list[str]]) -> Hole:
    """Return a hole that changes the command line of bwrap."""

    def dig(patch: pytest.MonkeyPatch) -> None:
        start = bubblewrap._popen
        patch.setattr(bubblewrap, "_popen", lambda command, fds: start(change(command), fds))

    return dig


def _without(*unwanted: str) -> Hole:
    """Return a hole that leaves out these consecutive arguments of bwrap."""

    def change(command: list[str]) -> list[str]:
        at = next(n for n in range(len(command)) if tuple(command[n : n + len(unwanted)]) == unwanted)
        return command[:at] + command[at + len(unwanted) :]

    return _words(change)


def _instead(word: str, *others: str) -> Hole:
    """Return a hole that replaces an argument of bwrap by others."""
    return _words(lambda command: [other for own in command for other in (others if own == word else (own,))])


def _all(*holes: Hole) -> Hole:
    def dig(patch: pytest.MonkeyPatch) -> None:
        for hole in holes:
            hole(patch)

    return dig


def _limits(**wide: int) -> Hole:
    """Return a hole that creates control groups with other limits."""

    def dig(patch: pytest.MonkeyPatch) -> None:
        make = cgroups.make
        patch.setattr(cgroups, "make", lambda limits, extra, **whose: make(replace(limits, **wide), extra, **whose))

    return dig


def _set(where: object, name: str, value: object) -> Hole:
    return lambda patch: patch.setattr(where, name, value)


def _container(**settings: Any) -> Hole:
    """Return a hole that creates containers with other settings."""

    def dig(patch: pytest.MonkeyPatch) -> None:
        create = docker.APIClient.create_container_from_config

        def changed(api: docker.APIClient, config: dict[str, Any], *more: Any, **named: Any) -> Any:
            for name, value in settings.items():
                part = config if name in config else config["HostConfig"]
                part[name] = value(part.get(name)) if callable(value) else value
            return create(api, config, *more, **named)

        patch.setattr(docker.APIClient, "create_container_from_config", changed)

    return dig


def _unfiltered(options: list[str]) -> list[str]:
    return [option for option in options if not option.startswith("seccomp")] + ["seccomp=unconfined"]


def _writable(binds: list[str]) -> list[str]:
    return [bind.removesuffix(":ro") + ":rw" for bind in binds]


ALONE = ("--unshare-user", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup")
NO_CLOCK = _all(
    _set(cgroups.GroupV1, "cpu_ms", lambda group: 0.0),
    _set(cgroups.GroupV2, "cpu_ms", lambda group: 0.0),
    _set(Clock, "starved", lambda clock: False),  # a program without a clock seems to get no core
)
NO_CAP = _set(Streams, "refuse_excess", lambda streams, size, limit: streams.output.clear())
NO_FILTER = {
    "bubblewrap": _set(seccomp, "program", lambda **_: ALLOW_EVERYTHING),
    "docker": _container(SecurityOpt=_unfiltered),
}

HOLES: dict[str, dict[str, Hole]] = {
    "a bot cannot use more CPU time than its turn has": {"bubblewrap": NO_CLOCK, "docker": NO_CLOCK},
    "a bot cannot use more memory than its limit": {
        "bubblewrap": _limits(memory_mib=2_048),
        "docker": _container(Memory=2 << 30, MemorySwap=2 << 30),
    },
    "a forbidden system call ends a bot": NO_FILTER,
    "a bot cannot flood its output": {"bubblewrap": NO_CAP, "docker": NO_CAP},
    "a bot cannot start processes without limit": {
        "bubblewrap": _limits(pids_max=1_000),
        "docker": _container(PidsLimit=1_000),
    },
    "a bot cannot open a socket to a network": NO_FILTER,
    "a bot is in a network of its own": {
        "bubblewrap": _instead("--unshare-all", *ALONE, "--unshare-pid"),
        "docker": _container(NetworkMode="host", NetworkDisabled=False),
    },
    "a bot sees no process but its own": {
        "bubblewrap": _instead("--unshare-all", *ALONE, "--unshare-net"),
        "docker": _container(PidMode="host"),
    },
    "a bot cannot change the process that keeps it (with Docker, build the image of bots again)": {
        "bubblewrap": _without("--remount-ro", "/proc"),
        "docker": _container(Cmd=lambda old: ["/bin/bash", *old[1:]]),  # a shell whose file all users may read
    },
    "a bot can write nowhere but in /tmp": {
        "bubblewrap": _without("--remount-ro", "/"),
        "docker": _container(ReadonlyRootfs=False, Binds=_writable),
    },
    "a bot finds nothing mounted that it can write but /tmp and /dev/shm": {
        "bubblewrap": _instead("--remount-ro", "--perms", "1777", "--tmpfs", "/more", "--remount-ro"),
        "docker": _container(Tmpfs=lambda old: {**old, "/var/tmp": "rw"}),  # noqa: S108 - all users may write there
    },
    "a bot can fill only a small /tmp": {
        "bubblewrap": _without("--size", str(Limits().tmp_mib * cgroups.MIB)),
        "docker": _container(Tmpfs=lambda old: {**old, "/tmp": "rw,mode=1777"}),  # noqa: S108 - the container's
    },
    "a bot can write only small files and open only few": {
        "bubblewrap": _set(bubblewrap, "_rlimits", lambda limits, grouped: "true"),
        "docker": _container(Ulimits=[]),
    },
    "a bot has no rights and gets none": {
        "bubblewrap": _words(lambda command: ["0" if word == str(bubblewrap.INSIDE) else word for word in command]),
        "docker": _container(CapDrop=[], User="0:0"),
    },
    "a bot cannot read the worker's environment": {
        "bubblewrap": _set(bubblewrap, "CLEAN_ENVIRONMENT", os.environ),
        "docker": _container(Env=lambda old: [*old, *(f"{name}={value}" for name, value in os.environ.items())]),
    },
    "a bot cannot read the worker's files": {
        "bubblewrap": _instead("--remount-ro", "--ro-bind", ROOT, ROOT, "--remount-ro"),
        "docker": _container(Binds=lambda old: [*old, f"{ROOT}:{ROOT}:ro"]),
    },
}
