"""Hostile programs: each ends as the table says and in time, leaves nothing behind, and harms no other bot."""

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
from tests.sandbox.programs import ECHO, compiled, python, traces
from tests.sandbox.test_fair_time import go_first

PROGRAMS = Path(__file__).parent / "programs"
GRACE_S = 2
"""How long after its limit an attack may still be there, its removal included."""

only_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are those of x86-64")


@pytest.fixture(scope="module")
def victim(backend: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """An honest bot that plays on while the others attack."""
    with backend.start(python(tmp_path_factory.mktemp("victim"), ECHO), Limits()) as process:
        process.ask(["hello"], TurnLimits(cpu_ms=1_000))
        yield process


@pytest.fixture(autouse=True)
def unharmed(backend: Sandbox, victim: Process) -> Iterator[None]:
    """After each attack the victim still answers, and nothing but the victim is there."""
    before = traces(backend.name)
    yield
    assert victim.ask(["still here"], TurnLimits(cpu_ms=100)).lines == ("still here",)
    assert traces(backend.name) == before


def hostile(folder: Path, name: str) -> Program:
    """Take a program of the collection as a bot."""
    shutil.copy(PROGRAMS / f"{name}.py", folder / "main.py")
    return Program(folder, ("/usr/bin/python3", "-u", "main.py"))


def in_c(folder: Path, name: str) -> Program:
    """Take a program of the collection that is written in C as a bot."""
    if shutil.which("gcc") is None:
        pytest.skip("needs a C compiler: apt-get install gcc libc6-dev")
    return compiled(folder, PROGRAMS / f"{name}.c")


def outcome(backend: Sandbox, program: Program, question: str, cpu_ms: int) -> Verdict | str:
    """Ask the program once; its verdict or its answer. All of it must be over in time."""
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
def test_a_forbidden_call_is_the_end(backend: Sandbox, tmp_path: Path) -> None:
    number = str(FORBIDDEN_CALLS["ptrace"])
    assert outcome(backend, hostile(tmp_path, "forbidden_call"), number, CPU_MS) == Verdict.SECURITY


@only_x86_64
def test_each_forbidden_call_is_the_end(backend: Sandbox, tmp_path: Path) -> None:
    question = json.dumps(FORBIDDEN_CALLS)
    assert outcome(backend, hostile(tmp_path, "forbidden_calls"), question, CPU_MS) == "nothing"


@only_x86_64
def test_absent_calls_fail(backend: Sandbox, tmp_path: Path) -> None:
    question = json.dumps(ABSENT_CALLS)
    assert outcome(backend, hostile(tmp_path, "absent_calls"), question, CPU_MS) == "nothing"


@only_x86_64
def test_machine_code_is_not_taken_from_all_others(backend: Sandbox, tmp_path: Path) -> None:
    assert outcome(backend, hostile(tmp_path, "filters_in_the_kernel"), "go", CPU_MS) == "nothing"


@only_x86_64
def test_a_crash_starts_no_handler_of_the_machine(backend: Sandbox, tmp_path: Path) -> None:
    assert outcome(backend, hostile(tmp_path, "dump_core"), "go", CPU_MS) == "nothing"


@only_x86_64
@pytest.mark.parametrize("name", ["old_system_calls", "x32_system_calls"])
def test_other_doors_to_the_kernel_are_closed(backend: Sandbox, tmp_path: Path, name: str) -> None:
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
"""Also on a busy machine, where the same time would be few turns."""


def run_on_ms(process: Process, victim: Process) -> float:
    """Let the victim answer often, and for a while; return the CPU time of one that is not asked."""
    before = process.usage().cpu_ms
    asked, end = 0, time.monotonic() + 0.05
    while asked < ASKED_MIN or time.monotonic() < end:
        asked += 1
        victim.ask(["my turn"], TurnLimits(cpu_ms=100))
        os.scandir("/usr/bin").close()
        socket.socket(socket.AF_UNIX).close()
    return process.usage().cpu_ms - before


@pytest.mark.parametrize("name", ["think_in_their_time", "wake_by_timer", "wake_by_file", "wake_by_terminal"])
def test_who_is_not_asked_stands_still(backend: Sandbox, tmp_path: Path, victim: Process, name: str) -> None:
    with backend.start(hostile(tmp_path, name), Limits()) as process:
        process.ask(["go"], TurnLimits(cpu_ms=CPU_MS))
        assert run_on_ms(process, victim) < 20


@pytest.mark.parametrize("name", ["born_too_late", "always_another", "wake_each_other"])
def test_nobody_slips_through(backend: Sandbox, tmp_path: Path, victim: Process, name: str) -> None:
    """A matter of microseconds, so it is tried often."""
    with backend.start(in_c(tmp_path, name), Limits()) as process:
        for _ in range(20):
            process.ask(["go"], TurnLimits(cpu_ms=CPU_MS))
            assert run_on_ms(process, victim) < 20


WORK = """
import os
while line := input():
    for _ in range(500_000):
        pass
    for _ in range(20):
        os.close(os.open("/usr/bin/env", os.O_RDONLY))
    print(line, flush=True)
"""


@pytest.mark.parametrize("how", ["timerfd", "signalfd", "inotify", "stderr"])
def test_who_is_not_asked_burns_nobodys_clock(backend: Sandbox, tmp_path: Path, how: str) -> None:
    """A bot that used 18 ms in a turn was charged 80 for timers of its opponent's, and 209 ms for opening files."""
    own_core, (mine, theirs) = os.sched_getaffinity(0), (tmp_path / "mine", tmp_path / "theirs")
    mine.mkdir()
    theirs.mkdir()
    os.sched_setaffinity(0, {min(own_core)})  # as a worker does that plays
    try:
        with (
            backend.start(python(mine, WORK), Limits()) as honest,
            backend.start(in_c(theirs, "wake_in_their_time"), Limits()) as attacker,
        ):
            attacker.ask([how], TurnLimits(cpu_ms=10_000))
            alone, attacked = 0.0, 0.0
            for _ in range(8):  # by turns, since a busy machine is now slower and now faster
                alone += honest.ask(["work"], TurnLimits(cpu_ms=1_000)).cpu_ms
                attacker.ask(["go"], TurnLimits(cpu_ms=1_000))
                attacked += honest.ask(["work"], TurnLimits(cpu_ms=1_000)).cpu_ms
    finally:
        os.sched_setaffinity(0, own_core)
    assert attacked < 1.3 * alone + 10


@pytest.mark.parametrize("how", ["timerfd", "signalfd", "stderr"])
def test_who_lets_the_kernel_work_on_its_core_is_not_starved(backend: Sandbox, tmp_path: Path, how: str) -> None:
    """It is woken, and gets no core while the kernel goes through its watches: so a losing bot voided its matches."""
    own_core = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(own_core)})
    try:
        with backend.start(in_c(tmp_path, "wake_in_their_time"), Limits()) as process:
            process.ask([how], TurnLimits(cpu_ms=10_000))
            for pid in process._group.pids():
                go_first(pid, min(own_core))  # so that nobody else starves it
            with pytest.raises(BotFault) as caught:
                process.ask(["starve"], TurnLimits(cpu_ms=WAITING_MS))
    finally:
        os.sched_setaffinity(0, own_core)
    assert caught.value.verdict == Verdict.TIME


def test_a_folder_cannot_be_watched(backend: Sandbox, tmp_path: Path) -> None:
    assert outcome(backend, hostile(tmp_path, "watch_a_folder"), "go", CPU_MS) == "nothing"


def test_who_waits_for_its_own_child_is_not_waited_for(backend: Sandbox, tmp_path: Path) -> None:
    """Looking for its stop in the turns of others cost these up to twice their CPU time."""
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
    """Who forges an exit is ended at once; where there is nothing to write to, it crashes of it."""
    assert outcome(backend, hostile(tmp_path, "forge_the_end"), report, CPU_MS) == Verdict.CRASHED


def test_memory_that_no_process_is_seen_to_hold(backend: Sandbox, tmp_path: Path) -> None:
    """The kernel looks for a large process to kill, and the sandbox's own may be the largest."""
    assert outcome(backend, in_c(tmp_path, "memory_out_of_sight"), "go", 2_000) == Verdict.MEMORY


def test_memory_that_the_kernel_counts_for_nobody(backend: Sandbox, tmp_path: Path) -> None:
    assert outcome(backend, in_c(tmp_path, "memory_of_locks"), "go", 2_000) == "nothing"
