"""Compile the system call profile for bubblewrap; Docker reads the same data file as it stands.

``seccomp.json`` denies by default and has three kinds of rules: what the supported runtimes need is allowed, what only
an attack needs kills the program (verdict ``security``), and the rest fails with an error that runtimes know how to
live with: ENOSYS, as if the kernel were older, or EAFNOSUPPORT for a socket of a network family.
"""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import resources
from typing import Any

from sandbox.api import NoSandbox


def profile() -> str:
    """Return the profile as text, in the format of Docker."""
    return resources.files(__package__).joinpath("seccomp.json").read_text(encoding="utf-8")


@cache
def program(*, memory_files: bool = True) -> bytes:
    """Return the profile compiled to a BPF program for this machine.

    Args:
        memory_files: whether files that are memory (memfd_create) may be made. The attack: where no control group holds
            the memory, who looks at the process table does not see what they hold.

    Raises:
        NoSandbox: libseccomp is not installed.
    """
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise NoSandbox("The library libseccomp is missing. Install it: apt-get install libseccomp2") from error
    rules = json.loads(profile())
    bpf = pyseccomp.SyscallFilter(_action(pyseccomp, rules["defaultAction"], rules["defaultErrnoRet"]))
    for rule in rules["syscalls"]:
        if memory_files or rule["names"] != ["memfd_create"]:
            _add(pyseccomp, bpf, rule)
    with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
        bpf.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(pyseccomp: Any, bpf: Any, rule: dict[str, Any]) -> None:
    action = _action(pyseccomp, rule["action"], rule.get("errnoRet", 0))
    conditions = [_condition(pyseccomp, argument) for argument in rule.get("args", [])]
    for name in rule["names"]:
        try:
            number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), name)
        except ValueError:
            continue  # an older libseccomp does not know the newest calls: the default denies them
        if number >= 0:  # negative: another architecture's call
            bpf.add_rule(action, name, *conditions)


def _action(pyseccomp: Any, name: str, errno: int) -> Any:
    if name == "SCMP_ACT_ERRNO":
        return pyseccomp.ERRNO(errno)
    return {"SCMP_ACT_ALLOW": pyseccomp.ALLOW, "SCMP_ACT_KILL_PROCESS": pyseccomp.KILL_PROCESS}[name]


def _condition(pyseccomp: Any, argument: dict[str, Any]) -> Any:
    index, value = argument["index"], argument["value"]
    if argument["op"] == "SCMP_CMP_MASKED_EQ":
        return pyseccomp.Arg(index, pyseccomp.MASKED_EQ, value, argument["valueTwo"])
    return pyseccomp.Arg(index, {"SCMP_CMP_EQ": pyseccomp.EQ, "SCMP_CMP_NE": pyseccomp.NE}[argument["op"]], value)
