"""Each verdict comes with what its author needs to find the fault."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from sandbox.api import BotFault, Limits, Process, Sandbox, TurnLimits, Verdict
from sandbox.clock import Clock
from tests.sandbox.programs import python
from tests.words import english

TURN = TurnLimits(cpu_ms=200)
WAITING = TurnLimits(cpu_ms=50)
"""The limit of turns that end by the wall clock: little CPU time, so that the wall time limit is short, too."""


@dataclass(frozen=True)
class Case:
    """A way in which a turn fails, and the evidence that the fault must have."""

    name: str
    deed: str
    verdict: Verdict
    words: str
    exit_code: int | None = None
    signal: int | None = None
    last_output: str = "half an answer"
    cpu_ms_min: float = 0.0
    wall_ms_min: float = 0.0
    memory_mib_min: float = 2.0
    turn: TurnLimits = TURN
    start_ms: int = 100
    """CPU time that the program takes before its first turn; what the deed takes must stay below."""


CASES = (
    Case("exit", "sys.exit(3)", Verdict.CRASHED, "exit code 3. The last line of its answer does not", exit_code=3),
    Case("abort", "os.abort()", Verdict.CRASHED, "6 (SIGABRT)", exit_code=134, signal=6),
    Case("time", "while True: pass", Verdict.TIME, "limit for this turn is 200 ms", cpu_ms_min=200, wall_ms_min=200),
    Case("sleep", "time.sleep(99)", Verdict.TIME, "does not end with a line break", wall_ms_min=1_250, turn=WAITING),
    Case(  # a busy kernel takes up to 200 ms to find no page left
        "memory",
        "x = bytearray(200 << 20)",
        Verdict.MEMORY,
        "limit of 64 MiB",
        memory_mib_min=60,
        turn=TurnLimits(cpu_ms=1_000),
        start_ms=500,
    ),
    Case("closed", "os.close(1); time.sleep(99)", Verdict.OUTPUT, "closed its", wall_ms_min=1_250, turn=WAITING),
    Case("garbage", r"os.write(1, b'\xff\n')", Verdict.OUTPUT, "not text", last_output="half an answer\ufffd\n"),
    Case("NUL", "os.write(1, b'\\0\\n')", Verdict.OUTPUT, "a NUL character", last_output="half an answer\ufffd\n"),
    Case("flood", "os.write(1, b'x' * 60_000 + b'y' * 9_000)", Verdict.OUTPUT, "65,536 bytes", last_output="y" * 4_096),
    Case("filter", "ctypes.CDLL(None).unshare(0)", Verdict.SECURITY, "forbidden", exit_code=159, signal=31),
)
PROGRAM = """
import ctypes, os, sys, time
spent = time.process_time() + {start_ms} / 1_000
while time.process_time() < spent: pass
sys.stderr.write("from the start\\n")
print(input())
input()
sys.stderr.write("head\\n" + "middle\\n" * 2_000 + "tail\\n")
sys.stderr.flush()
os.write(1, b"half an answer")
{deed}
time.sleep(99)
"""


def fault_of(process: Process, question: list[str], turn: TurnLimits = TURN) -> BotFault:
    """Ask a question that the program does not answer, and return the fault."""
    with pytest.raises(BotFault) as caught:
        process.ask(question, turn)
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_fault_comes_with_its_evidence(backend: Sandbox, tmp_path: Path, case: Case) -> None:
    program = python(tmp_path, PROGRAM.format(deed=case.deed, start_ms=case.start_ms))
    with backend.start(program, Limits(memory_mib=64)) as process:
        assert process.ask(["first"], TURN).stderr == "from the start\n"
        fault = fault_of(process, ["second", "and more"], case.turn)
    evidence = fault.evidence
    assert fault.verdict == case.verdict
    if case.verdict != Verdict.MEMORY:  # whether the end or the kill is seen first depends on chance
        assert (evidence.exit_code, evidence.signal) == (case.exit_code, case.signal)
    assert case.words in english(fault.why)
    assert evidence.last_input == ("second", "and more")
    assert evidence.last_output == case.last_output
    assert evidence.stderr.startswith("from the start\nhead\n")
    assert evidence.turn_stderr.startswith("head\n")
    assert "bytes left out" in evidence.turn_stderr
    for kept in (evidence.stderr, evidence.turn_stderr):
        assert kept.endswith("tail\n")
    assert case.cpu_ms_min <= evidence.cpu_ms < case.cpu_ms_min + 0.95 * case.start_ms, "of the turn, not of the start"
    assert max(case.wall_ms_min, evidence.cpu_ms / 2) <= evidence.wall_ms
    assert evidence.memory_peak_mib > case.memory_mib_min


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        ("input()", "It ended with exit code 7 before it had answered."),
        ("input(); print('a')", "It ended with exit code 7. Its answer has fewer lines than were asked for."),
        ("print('a')", "It ended with exit code 7. It wrote to its standard output before it was asked."),
    ],
)
def test_an_incomplete_answer_before_the_end_is_mentioned(
    backend: Sandbox, tmp_path: Path, deed: str, sentence: str
) -> None:
    program = python(tmp_path, f"import os\n{deed}\nos._exit(7)")
    with backend.start(program, Limits()) as process:
        fault = fault_of(process, ["first"], TurnLimits(cpu_ms=2_000, answer_lines=2))
    assert english(fault.why) == sentence


@pytest.mark.parametrize("dying", ["", "os.close(1); time.sleep(0.02)", "os.close(2); time.sleep(0.02)"])
def test_the_exit_status_wins_over_the_clock(
    backend: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dying: str
) -> None:
    """The program was far over its limit when it crashed, and the worker sees both at once."""
    turn = TurnLimits(cpu_ms=100)
    monkeypatch.setattr(Clock, "patience_ms", lambda clock: 60_000)
    source = f"""
import os, time
input()
end = time.process_time() + 0.25
while time.process_time() < end: pass
{dying}
os._exit(3)
"""
    with backend.start(python(tmp_path, source), Limits()) as process:
        fault = fault_of(process, ["go"], turn)
    assert (fault.verdict, fault.evidence.exit_code) == (Verdict.CRASHED, 3)
    assert fault.evidence.cpu_ms > 2 * turn.cpu_ms
