"""Compiles the system call filter (``seccomp.json``) for bubblewrap; Docker reads the file unchanged.

The file sorts system calls into three kinds. Calls that the supported language runtimes need are allowed. Calls that
only an attack needs kill the program (verdict ``security``). All others fail with an error that runtimes can handle:
ENOSYS, as on an older kernel, or EAFNOSUPPORT for a network socket.
"""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import resources
from typing import Any

from sandbox.api import NoSandbox


def profile() -> str:
    """Return the filter as text, in the format of Docker."""
    return resources.files(__package__).joinpath("seccomp.json").read_text(encoding="utf-8")


@cache
def program(*, memory_files: bool = True) -> bytes:
    """Return the filter as a BPF program for this machine.

    Args:
        memory_files: whether files in memory (memfd_create) are allowed. The attack: without control groups a program
            hides memory in such files, since the process table does not show it.

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
            continue  # an older libseccomp does not know the newest calls: the default of the filter denies them
        if number >= 0:  # negative: the call exists on another architecture only
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
