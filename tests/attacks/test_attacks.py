"""Hostile programs: each gets the result in the table in time, leaves nothing behind and harms no other bot."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.api import BotFault, Limits, Process, Program, Sandbox, TurnLimits, Verdict
from tests.attacks.table import ABSENT_CALLS, ATTACKS, CPU_MS, FORBIDDEN_CALLS, WAITING_MS, Attack
from tests.sandbox.programs import ECHO, compiled, one_core, python, traces
from tests.sandbox.test_fair_time import go_first

PROGRAMS = Path(__file__).parent / "programs"
GRACE_S = 2
"""How long an attack may take beyond its limit, including the removal of its processes."""

only_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are those of x86-64")


@pytest.fixture(scope="module")
def victim(backend: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """Yield an honest bot, which runs while other programs attack."""
    with backend.start(python(tmp_path_factory.mktemp("victim"), ECHO), Limits()) as process:
        process.ask(["hello"], TurnLimits(cpu_ms=1_000))
        yield process


@pytest.fixture(autouse=True)
def unharmed(backend: Sandbox, victim: Process) -> Iterator[None]:
    """Check after each attack that the victim still answers, and that the attacker has left nothing."""
    before = traces(backend.name)
    yield
    assert victim.ask(["still here"], TurnLimits(cpu_ms=100)).lines == ("still here",)
    assert traces(backend.name) == before


def hostile(folder: Path, name: str) -> Program:
    """Return a hostile Python program of ``programs/`` as a bot."""
    shutil.copy(PROGRAMS / f"{name}.py", folder / "main.py")
    return Program(folder, ("/usr/bin/python3", "-u", "main.py"))


def in_c(folder: Path, name: str) -> Program:
    """Return a hostile C program of ``programs/`` as a bot."""
    if shutil.which("gcc") is None:
        pytest.skip("needs a C compiler: apt-get install gcc libc6-dev")
    return compiled(folder, PROGRAMS / f"{name}.c")


def outcome(backend: Sandbox, program: Program, question: str, cpu_ms: int) -> Verdict | str:
    """Ask a program once and return its verdict or its answer, which must come in time."""
    turn = TurnLimits(cpu_ms=cpu_ms)
    with backend.start(program, Limits()) as process:
        begun = time.monotonic()
        try:
            result: Verdict | str = process.ask([question], turn).lines[0]
        except BotFault as fault:
            result = fault.verdict
    assert time.monotonic() - begun < turn.wall_ms / 1e3 + GRACE_S
    return result


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(backend: Sandbox, tmp_path: Path, attack: Attack) -> None:
    expected = attack.expected if isinstance(attack.expected, tuple) else (attack.expected,)
    assert outcome(backend, hostile(tmp_path, attack.name), "go", attack.cpu_ms) in expected


@only_x86_64
def test_a_forbidden_call_kills_the_program(backend: Sandbox, tmp_path: Path) -> None:
    number = str(FORBIDDEN_CALLS["ptrace"])
    assert outcome(backend, hostile(tmp_path, "forbidden_call"), number, CPU_MS) == Verdict.SECURITY


@only_x86_64
@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("forbidden_calls", json.dumps(FORBIDDEN_CALLS)),
        ("absent_calls", json.dumps(ABSENT_CALLS)),
        ("filters_in_the_kernel", "go"),
        ("dump_core", "go"),
    ],
    ids=lambda word: word.partition("{")[0],
)
def test_attack_by_system_calls(backend: Sandbox, tmp_path: Path, name: str, question: str) -> None:
    assert outcome(backend, hostile(tmp_path, name), question, CPU_MS) == "nothing"


@only_x86_64
@pytest.mark.parametrize("name", ["old_system_calls", "x32_system_calls"])
def test_other_system_call_interfaces_are_closed(backend: Sandbox, tmp_path: Path, name: str) -> None:
    assert outcome(backend, in_c(tmp_path, name), "go", CPU_MS) in (Verdict.SECURITY, "lived -1")


def test_network(backend: Sandbox, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0banzuke-attack")
        listener.listen()
        assert outcome(backend, hostile(tmp_path, "network"), "banzuke-attack", CPU_MS) == "nothing"


def test_sockets_of_the_host(backend: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen()
        assert outcome(backend, hostile(tmp_path / "bot", "sockets_of_the_host"), str(path), CPU_MS) == "nothing"


def test_read_the_host(backend: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKER_PASSWORD", "open-sesame")
    (tmp_path / "bot").mkdir()
    (tmp_path / "secret").write_text("open-sesame")
    (tmp_path / "secret").chmod(0o644)
    question = f"{tmp_path / 'secret'} {__file__} open-sesame"
    assert outcome(backend, hostile(tmp_path / "bot", "read_the_host"), question, CPU_MS) == "nothing"


def test_read_another_bot(
    backend: Sandbox, tmp_path: Path, victim: Process, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sources = " ".join(str(path / "main.py") for path in tmp_path_factory.getbasetemp().glob("victim*"))
    assert sources
    assert outcome(backend, hostile(tmp_path, "read_the_host"), f"{sources} open-sesame", CPU_MS) == "nothing"


def test_two_bots_do_not_meet(backend: Sandbox, tmp_path: Path) -> None:
    program = hostile(tmp_path, "meet_a_friend")
    with backend.start(program, Limits()) as listener:
        assert "friend" in listener.ask(["listen"], TurnLimits(cpu_ms=CPU_MS)).lines[0]
        assert outcome(backend, program, "call", CPU_MS) == "nothing"


ASKED_MIN = 200
"""The least number of turns, since a busy machine plays few in a given time."""


def run_on_ms(process: Process, victim: Process) -> float:
    """Let the victim answer many times; return the CPU time that ``process``, which is not asked, uses meanwhile."""
    before = process.usage().cpu_ms
    asked, end = 0, time.monotonic() + 0.05
    while asked < ASKED_MIN or time.monotonic() < end:
        asked += 1
        victim.ask(["my turn"], TurnLimits(cpu_ms=100))
        os.scandir("/usr/bin").close()
        socket.socket(socket.AF_UNIX).close()
    return process.usage().cpu_ms - before


@pytest.mark.quiet
@pytest.mark.parametrize("name", ["think_in_their_time", "wake_by_timer", "wake_by_file", "wake_by_terminal"])
def test_a_bot_that_is_not_asked_stays_frozen(backend: Sandbox, tmp_path: Path, victim: Process, name: str) -> None:
    with backend.start(hostile(tmp_path, name), Limits()) as process:
        process.ask(["go"], TurnLimits(cpu_ms=CPU_MS))
        assert run_on_ms(process, victim) < 20


@pytest.mark.quiet
@pytest.mark.parametrize("name", ["born_too_late", "always_another", "wake_each_other"])
def test_no_process_escapes_the_freeze(backend: Sandbox, tmp_path: Path, victim: Process, name: str) -> None:
    """It depends on microseconds, so the test tries it often."""
    with backend.start(in_c(tmp_path, name), Limits()) as process:
        for _ in range(20):
            process.ask(["go"], TurnLimits(cpu_ms=CPU_MS))
            # To copy memory, which a stop does not interrupt, takes long on a busy machine; who has escaped runs on.
            assert run_on_ms(process, victim) < 20 or run_on_ms(process, victim) < 20


WORK = """
import os
while line := input():
    for _ in range(500_000):
        pass
    for _ in range(20):
        os.close(os.open("/usr/bin/env", os.O_RDONLY))
    print(line, flush=True)
"""


@pytest.mark.quiet
@pytest.mark.parametrize("how", ["timerfd", "signalfd", "inotify", "stderr"])
def test_a_frozen_bot_costs_others_no_cpu_time(backend: Sandbox, tmp_path: Path, how: str) -> None:
    """The attack: timers and file watches of a bot cost its opponent up to ten times the CPU time of a turn."""
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    with (
        one_core(),
        backend.start(python(mine, WORK), Limits()) as honest,
        backend.start(in_c(theirs, "wake_in_their_time"), Limits()) as attacker,
    ):
        attacker.ask([how], TurnLimits(cpu_ms=10_000))
        alone, attacked = 0.0, 0.0
        for _ in range(8):  # alternately, since the speed of a busy machine varies
            alone += honest.ask(["work"], TurnLimits(cpu_ms=1_000)).cpu_ms
            attacker.ask(["go"], TurnLimits(cpu_ms=1_000))
            attacked += honest.ask(["work"], TurnLimits(cpu_ms=1_000)).cpu_ms
    assert attacked < 1.3 * alone + 10


@pytest.mark.quiet
@pytest.mark.parametrize("how", ["timerfd", "signalfd", "stderr"])
def test_work_of_the_kernel_for_a_bot_does_not_void_its_match(backend: Sandbox, tmp_path: Path, how: str) -> None:
    """The attack: the kernel handles the bot's many watches on its core, so that the bot seems to wait for others."""
    with one_core() as core, backend.start(in_c(tmp_path, "wake_in_their_time"), Limits()) as process:
        process.ask([how], TurnLimits(cpu_ms=10_000))
        for pid in process._group.pids():
            go_first(pid, core)  # so that no other program takes its core
        with pytest.raises(BotFault) as caught:
            process.ask(["starve"], TurnLimits(cpu_ms=WAITING_MS))
    assert caught.value.verdict == Verdict.TIME


def test_a_parent_that_waits_for_vfork_counts_as_stopped(backend: Sandbox, tmp_path: Path) -> None:
    """The attack: the worker checks again and again whether the parent has stopped, on the core of another bot."""
    if "User Mode Linux" in Path("/proc/cpuinfo").read_text():
        pytest.skip("needs a kernel that tells where its threads wait (/proc/PID/wchan)")
    with backend.start(in_c(tmp_path, "lends_its_memory"), Limits()) as process:
        for _ in range(2):
            assert process.ask(["go"], TurnLimits(cpu_ms=CPU_MS)).lines == ("lived",)
            assert process._freezer._stopped()


def test_leave_something_for_the_next_match(backend: Sandbox, tmp_path: Path) -> None:
    assert outcome(backend, hostile(tmp_path, "leave_something"), "go", CPU_MS) == "lived"
    assert outcome(backend, hostile(tmp_path, "find_something"), "go", CPU_MS) == "nothing"


@pytest.mark.parametrize("report", ["0", "no number", "9999999999999"])
def test_forge_the_end(backend: Sandbox, tmp_path: Path, report: str) -> None:
    """A program that forges its exit code is ended at once; with bubblewrap it crashes, since it has no such stream."""
    assert outcome(backend, hostile(tmp_path, "forge_the_end"), report, CPU_MS) == Verdict.CRASHED


@pytest.mark.parametrize(
    ("name", "expected"), [("memory_out_of_sight", Verdict.MEMORY), ("memory_of_locks", "nothing")]
)
def test_memory_that_belongs_to_no_process_is_limited(
    backend: Sandbox, tmp_path: Path, name: str, expected: Verdict | str
) -> None:
    """The kernel kills the largest process, which may be one of the sandbox; no limit counts memory of locks."""
    assert outcome(backend, in_c(tmp_path, name), "go", 2_000) == expected
