"""Programs counted without a control group."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sandbox.process_tree import ProcessTree

FAMILY = """
import subprocess, threading

def start():
    with subprocess.Popen(["cat"]) as child:
        print(child.pid, flush=True)

threading.Thread(target=start).start()
"""
"""A program with two threads; the second starts a child that lives as long as standard input is open."""


def test_the_children_of_every_thread_are_counted() -> None:
    command = [sys.executable, "-c", FAMILY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        tree = ProcessTree(parent.pid, memory_mib=1_000)
        assert tree.pids() == [parent.pid, child]
        assert tree.threads() == 3


def test_the_memory_peak_is_the_largest_measurement() -> None:
    """Without control groups, this measurement alone holds the memory limit."""
    holds = "x = bytearray(50 << 20); print(flush=True); input(); del x; print(flush=True); input()"
    command = [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {holds!r}])"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        parent.stdout.readline()
        narrow, wide = ProcessTree(parent.pid, 50), ProcessTree(parent.pid, 500)
        assert (narrow.memory_kills(), wide.memory_kills()) == (1, 0)
        most_mib = wide.memory_peak_mib()
        parent.stdin.write(b"\n")
        parent.stdin.flush()
        parent.stdout.readline()
        assert narrow.memory_kills() == 1
        assert 50 < wide.memory_peak_mib() == most_mib < 150
        parent.communicate(b"\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become nobody: root may look at all memory")
def test_a_program_cannot_hide_its_memory() -> None:
    nobody = 65_534
    holds = "import ctypes; ctypes.CDLL(None).prctl(4, 0); x = bytearray(50 << 20); print(flush=True); input()"
    command = ["/usr/bin/python3", "-c", holds]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=nobody) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.seteuid(nobody)
        try:
            assert ProcessTree(process.pid, 50).memory_kills() == 1
        finally:
            os.seteuid(0)
        process.communicate(b"\n")
