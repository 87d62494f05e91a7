"""Bots as plain child processes."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from banzuke import local
from banzuke.local import ProcessBot, local_process
from core.referee import Ask, Reply
from games.words import ENGLISH, words_of
from sandbox.streams import EVIDENCE_BYTES
from tests.waiting import ends

QUESTION = Ask(0, ("one", "two"), answer_lines=2, cpu_ms=200)


def sentence_of(reply: Reply) -> str:
    assert reply.why is not None
    return words_of("", ENGLISH).sentence(reply.why)


def ask(script: str, question: Ask = QUESTION) -> Reply:
    """Ask a shell script once."""
    with shell(script) as bot:
        return bot.ask(question)


@contextmanager
def started(command: str) -> Iterator[ProcessBot]:
    with local_process(command) as process:
        yield ProcessBot(process)


@contextmanager
def shell(script: str) -> Iterator[ProcessBot]:
    with started(f"sh -c '{script}'") as bot:
        yield bot


def test_a_bot_is_asked_and_answers() -> None:
    with shell("while read x; do echo $x!; done") as bot:
        for _ in range(2):
            reply = bot.ask(QUESTION)
            assert reply.lines == ("one!", "two!")
            assert reply.fault is None
            assert reply.cpu_ms >= 0.0
            assert reply.wall_ms > 0.0


def test_text_goes_both_ways_as_utf_8_and_line_ends_are_taken_off() -> None:
    reply = ask('read x; echo "$x"; printf "last\\r\\n"', Ask(0, ("番付",), 2, 200))
    assert reply.lines == ("番付", "last")


@pytest.mark.parametrize(
    ("script", "verdict", "sentence"),
    [
        ("exit 3", "crashed", "It ended with exit code 3 before it had answered."),
        ("read x; exit 0", "crashed", "It ended with exit code 0 before it had answered."),
        (
            "read x; printf half; exit 4",
            "crashed",
            "It ended with exit code 4. The last line of its answer does not end with a line break.",
        ),
        (
            "read x; echo one; exit 4",
            "crashed",
            "It ended with exit code 4. Its answer has fewer lines than were asked for.",
        ),
        ("kill -9 $$", "crashed", "It was killed by signal 9 (SIGKILL)."),
        ("kill -40 $$", "crashed", "It was killed by signal 40."),
        ("exec 1>&-; while read x; do :; done", "output", "It closed its standard output and lived on."),
        (r'read x; printf "\377\n2\n"; sleep 60', "output", "Its answer is not text in UTF-8."),
        (r'read x; printf "a\0b\n2\n"; sleep 60', "output", "Its answer is not text: it holds a NUL character."),
        (
            r'read x; printf "%040000d\n%040000d\n" 1 2; sleep 60',
            "output",
            "It wrote more than 65,536 bytes without completing its answer.",
        ),
    ],
)
def test_faults(script: str, verdict: str, sentence: str) -> None:
    reply = ask(script)
    assert (reply.fault, sentence_of(reply)) == (verdict, sentence)


@pytest.mark.parametrize("answers", [True, False], ids=["and answers", "and never answers"])
def test_a_flood_of_standard_error_fills_no_memory(answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "START_MS", 200)
    flood = "while true; do head -c 60000 /dev/zero >&2; echo last >&2; sleep 0.01; done"
    talks = "while read x; do head -c 60000 /dev/zero >&2; echo last >&2; echo $x; done"
    with local_process(f"sh -c '{talks if answers else flood}'") as process:
        bot = ProcessBot(process)
        for _ in range(30 if answers else 1):
            assert bot.ask(Ask(0, ("1",), answer_lines=1, cpu_ms=100)).fault == (None if answers else "time")
        process.kill()
        assert not answers or bot.stderr_tail().endswith("last\n")
        assert 60_000 < len(process.stderr()) < 70_000


def test_the_start_of_an_interpreter_is_given_once() -> None:
    spins = (
        "import sys, time",
        "for line in sys.stdin:",
        "    end = time.process_time() + float(line)",
        "    while time.process_time() < end: pass",
        "    print(0, flush=True)",
    )
    question = Ask(0, ("0.4",), answer_lines=1, cpu_ms=100)
    with started(shlex.join([sys.executable, "-c", "\n".join(spins)])) as bot:
        assert bot.ask(question).fault is None
        assert bot.ask(question).fault == "time"


@pytest.mark.parametrize(
    ("script", "lines", "sentence"),
    [
        ("read x; echo one; sleep 60", ["one"], "No whole answer came in time."),
        (
            "read x; echo one; printf two; sleep 60",
            ["one", "two"],
            "No whole answer came in time: its last line does not end with a line break.",
        ),
    ],
)
def test_a_bot_that_never_answers_is_killed(
    script: str, lines: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "START_MS", 0)
    reply = ask(script, Ask(0, ("go",), 2, 1))
    assert (reply.lines, reply.fault, sentence_of(reply)) == (lines, "time", sentence)


STARVING = """
import os, time
input()
core = min(os.sched_getaffinity(0))
os.sched_setaffinity(0, [core])
print(core, flush=True)
input()
os.nice(19)
end = time.process_time() + 0.03
while time.process_time() < end:
    pass
print("done", flush=True)
"""
BUSY = "import os, sys; os.sched_setaffinity(0, [int(sys.argv[1])]); print(flush=True)\nwhile True: pass"


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs a kernel that tells who waits for a core")
def test_a_bot_that_waits_for_a_core_is_waited_for(tmp_path: Path) -> None:
    """Beside another program the bot gets a seventieth of its core, so that 30 ms of CPU time last 2 s."""
    program = tmp_path / "bot.py"
    program.write_text(STARVING)
    with started(f"{sys.executable} {program}") as bot:
        core = bot.ask(Ask(0, ("go",), 1, 50)).lines[0]
        with subprocess.Popen([sys.executable, "-c", BUSY, core], stdout=subprocess.PIPE) as busy:
            busy.stdout.readline()  # type: ignore[union-attr]  # a PIPE
            reply = bot.ask(Ask(0, ("go",), 1, 50))
            busy.kill()
    assert (reply.lines, reply.fault) == (("done",), None)
    assert reply.wall_ms > 5 * 50 + 1_000


def test_a_bot_that_does_not_read_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "START_MS", 0)
    reply = ask("sleep 60", Ask(0, ("x" * 1_000_000,), 1, 1))
    assert (reply.fault, sentence_of(reply)) == ("time", "No whole answer came in time.")


def test_a_long_question_arrives_whole() -> None:
    assert ask("head --bytes=1000001 | wc --bytes; read x", Ask(0, ("x" * 1_000_000,), 1, 1)).lines == ("1000001",)


@pytest.mark.skipif(sys.platform != "linux", reason="the CPU clock of a process is Linux")
def test_one_answer_may_take_a_little_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Overruns may reach a tenth of the sum of the limits so far, at home as in the arena."""
    monkeypatch.setattr(local, "START_MS", 0)
    burn = "import time\nwhile n := int(input()):\n t = time.process_time() + n / 1e3\n"
    burn += " while time.process_time() < t: pass\n print(1, flush=True)"
    with started(f'{sys.executable} -c "{burn}"') as bot:
        replies = [bot.ask(Ask(0, (spent,), 1, 200)) for spent in ("1", "1", "1", "1", "1", "250", "400")]
    assert [reply.fault for reply in replies] == [None] * 6 + ["time"]
    assert re.search(r" ms; 200 are allowed, and its bank of overrun held \d+\.$", sentence_of(replies[-1]))


EXTRA = "It had written more than its answer when it was asked again."


def test_output_before_the_question_is_refused() -> None:
    with shell(r'read x; read x; printf "1\n2\nearly\n"; read x') as bot:
        assert bot.ask(QUESTION).fault is None
        reply = bot.ask(QUESTION)
    assert (reply.fault, sentence_of(reply)) == ("output", EXTRA)


@pytest.mark.parametrize("pause", ["", "sleep 0.1; "])
@pytest.mark.parametrize("lives", [True, False])
def test_the_verdict_on_extra_output_is_the_sandboxs(monkeypatch: pytest.MonkeyPatch, lives: bool, pause: str) -> None:
    """It does not depend on whether a bot that ends has ended when it is asked."""
    monkeypatch.setattr(local, "_DYING_SECONDS", 0.1 if lives else 60)
    with shell(f'read x; read x; printf "1\\n2\\nextra\\n"; {pause}{"read x" if lives else "exit 3"}') as bot:
        assert bot.ask(QUESTION).fault is None
        reply = bot.ask(QUESTION)
    told = ("output", EXTRA) if lives else ("crashed", f"It ended with exit code 3. {EXTRA}")
    assert (reply.fault, sentence_of(reply)) == told


def test_a_flood_of_output_does_no_harm() -> None:
    assert ask("read x; yes rock").lines == ("rock", "rock")


def test_an_endless_line_is_refused() -> None:
    reply = ask("read x; while :; do printf xxxxxxxx; done")
    assert (reply.lines, reply.fault) == (["x" * EVIDENCE_BYTES], "output")


def test_the_end_of_standard_error_is_kept() -> None:
    with shell("read x; yes error | head -1000 >&2; echo last >&2; echo 1; echo 2; read x") as bot:
        bot.ask(QUESTION)
        tail = bot.stderr_tail()
    assert tail.endswith("error\nlast\n")
    assert len(tail) == local.STDERR_CHARS


def test_a_long_message_behind_a_closed_output_keeps_no_bot_from_ending() -> None:
    reply = ask("read x; exec 1>&-; head -c 300000 /dev/zero >&2; exit 5")
    assert sentence_of(reply) == "It ended with exit code 5 before it had answered."


def test_the_first_line_of_a_long_stack_trace_is_shown() -> None:
    trace = 'echo debug >&2; echo java.lang.StackOverflowError >&2; yes "\tat A.f(A.java:1)" | head -1024 >&2'
    with shell(f"read x; {trace}; echo 1; echo 2; read x") as bot:
        bot.ask(QUESTION)
        assert bot.stderr_tail().startswith("java.lang.StackOverflowError\n[...]\n")


def test_leaving_ends_the_bot_and_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with local_process(f"sh -c 'read x; sleep 60 & echo $! > {pids}; echo 1; echo 2; wait'") as process:
        ProcessBot(process).ask(QUESTION)
        child = os.pidfd_open(int(pids.read_text()))
    assert ends(child)
    with pytest.raises(ProcessLookupError):
        os.kill(process._popen.pid, 0)


@pytest.mark.parametrize("command", ["/no/such/program", "", "sh -c 'open"])
def test_a_command_that_cannot_be_started(command: str) -> None:
    with pytest.raises((OSError, ValueError)), local_process(command):
        pass
