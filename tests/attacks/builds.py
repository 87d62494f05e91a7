"""Attacks at build time: Makefiles that run hostile commands, each with the result that it must get."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
CPU_MS = 60_000
"""The CPU limit of a build step in attacks that end by themselves: on a busy machine it must not end them first."""
ENDLESS_MS = 300
"""The CPU limit in attacks that would never end."""
SPINNING_MS = 100
"""A smaller CPU limit for attacks that use it up, which must happen before the wall time limit (twice and a second)."""


@dataclass(frozen=True, slots=True)
class BuildAttack:
    """A Makefile that runs a shell command or a program of ``programs/`` instead of making ``bot``, and its result."""

    name: str
    recipe: str
    verdict: str
    words: str
    """Words that the sentence or the log for the author must hold."""
    question: str = "go"
    """The question for a program of ``programs/``."""
    cpu_ms: int = CPU_MS

    @property
    def files(self) -> dict[str, str]:
        """The files of the upload, from path to text."""
        program = PROGRAMS / f"{self.recipe}.py"
        files = {"main.c": "int main(void) {}\n", "question": f"{self.question}\n"}
        if not program.exists():
            return {**files, "Makefile": f"bot:\n\t{self.recipe}\n"}
        recipe = "@/usr/bin/python3 attack.py < question"
        return {**files, "attack.py": program.read_text(encoding="utf-8"), "Makefile": f"bot:\n\t{recipe}\n"}


def build_attacks(secrets: str) -> tuple[BuildAttack, ...]:
    """Return all attacks.

    Args:
        secrets: paths of files on the worker's machine, followed by a secret in the worker's environment.
    """
    return (
        BuildAttack("never_ends", "while :; do :; done", "time", "CPU time", cpu_ms=SPINNING_MS),
        BuildAttack("sleeps_for_ever", "sleep 1000000", "time", "waited", cpu_ms=ENDLESS_MS),
        BuildAttack("floods_its_log", "yes", "time", "left out", cpu_ms=ENDLESS_MS),
        BuildAttack("eats_memory", "memory_hog", "memory", "128 MiB"),
        BuildAttack("forks", "fork_bomb", "time", "CPU time", cpu_ms=SPINNING_MS),
        BuildAttack("leaves_a_daemon", "daemon", "compile error", "has not made a program"),
        BuildAttack("makes_a_giant", "head -c 1000000000 /dev/zero > bot", "compile error", "No space left"),
        BuildAttack(
            "makes_many_giants",
            "for n in 1 2 3 4 5; do head -c 15000000 /dev/zero > $$n; done",
            "compile error",
            "No space left",
        ),
        BuildAttack(
            "makes_hollow_giants", "truncate -s 24M 1 2 3; cp /bin/true bot", "output", "The tar holds more than 64 MiB"
        ),
        BuildAttack("makes_many_files", "seq 2100 | xargs touch; touch bot; chmod +x bot", "output", "2,000 files"),
        BuildAttack(
            "leaves_a_deep_folder", "mkdir -p $$(seq -s / 900); cp /bin/true bot", "output", "longer than 255 bytes"
        ),
        BuildAttack("leaves_a_link", "ln -s /etc/shadow bot.key; cp /bin/true bot", "output", "bot.key"),
        BuildAttack("leaves_a_linked_folder", "ln -s / everything; cp /bin/true bot", "output", "everything"),
        BuildAttack("leaves_a_link_as_program", "ln -s /bin/true bot", "output", "bot"),
        BuildAttack("leaves_a_fifo", "mkfifo pipe; cp /bin/true bot", "output", "pipe"),
        BuildAttack("leaves_a_device", "mknod zero c 1 5", "compile error", "not permitted"),
        BuildAttack("leads_outside", "touch ../above /usr/bin/mine", "compile error", "Read-only file system"),
        BuildAttack("reads_secrets", "read_the_host", "compile error", "nothing", question=secrets),
        BuildAttack("tries_the_network", "network", "compile error", "nothing"),
        BuildAttack("wants_more_rights", "new_namespaces", "compile error", "nothing"),
        BuildAttack("calls_what_is_forbidden", "forbidden_call", "compile error", "Bad system call", question="272"),
    )
