"""Programs counted without a control group."""

from __future__ import annotations

import subprocess
import sys

from sandbox.process_tree import ProcessTree

FAMILY = """
import subprocess, threading

def start():
    with subprocess.Popen(["cat"]) as child:
        print(child.pid, flush=True)

threading.Thread(target=start).start()
"""
"""Two threads, the second of which has a child that lives as long as standard input is open."""


def test_the_children_of_every_thread_are_counted() -> None:
    command = [sys.executable, "-c", FAMILY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        tree = ProcessTree(parent.pid, memory_mib=1_000)
        assert tree.pids() == [parent.pid, child]
        assert tree.threads() == 3
