"""A busy machine makes no bot lose: CPU time is charged, and a machine too busy is the platform's fault."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sandbox
from sandbox import cgroups, clock, machine
from sandbox.activity import RunDelays
from sandbox.api import BotFault, Limits, PlatformFault, Program, Sandbox, TurnLimits, Verdict
from sandbox.cgroups import GroupV2
from sandbox.streams import Streams
from sandbox.waits import LOOK_MS, Thread, Waits, threads_of
from tests.sandbox.hostile import PROGRAMS
from tests.sandbox.programs import python
from tests.words import english

pytestmark = [pytest.mark.quiet, pytest.mark.both_backends]

SPIN_MS = 20
BURN = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nprint(flush=True)\nwhile True: pass"
SPINNER = """
import time
while True:
    line = input()  # milliseconds
    end = time.process_time() + int(line) / 1000
    while time.process_time() < end:
        pass
    print(line)
"""


@contextmanager
def burners(cores: list[int], *, apart: bool = False) -> Iterator[None]:
    """Keep cores busy by one program for each entry; with ``apart`` each program is a scheduling session of its own."""
    burning = [
        subprocess.Popen(
            [sys.executable, "-c", BURN, str(core)], stdout=subprocess.PIPE, text=True, start_new_session=apart
        )
        for core in cores
    ]
    try:
        for burner in burning:
            assert burner.stdout is not None
            burner.stdout.readline()
        yield
    finally:
        for burner in burning:
            burner.kill()
            burner.communicate()


def test_a_bot_is_charged_what_it_uses_while_all_cores_burn(backend: Sandbox, tmp_path: Path) -> None:
    cores = sorted(os.sched_getaffinity(0))[:2]
    with backend.start(python(tmp_path, SPINNER), Limits()) as process, burners(2 * cores):
        # The bot uses 60 % of its limit, so it must never be out of time.
        answers = [process.ask([str(SPIN_MS)], TurnLimits(cpu_ms=SPIN_MS * 10 // 6)) for _ in range(20)]
    charged = sorted(answer.cpu_ms for answer in answers)
    assert charged[0] > SPIN_MS - 1
    assert charged[len(charged) // 2] < SPIN_MS + 3
    assert sum(answer.wall_ms for answer in answers) > sum(charged)


def test_a_starved_bot_is_the_platforms_fault(bubblewrap: str, tmp_path: Path) -> None:
    """The bot has the lowest priority beside busy programs on its only core, so it gets a fiftieth of it."""
    core = min(os.sched_getaffinity(0))
    with sandbox.backend("bubblewrap").start(python(tmp_path, SPINNER), Limits()) as process:
        process.ask(["1"], TurnLimits(cpu_ms=1_000))
        for pid in process._group.pids():
            give_way(pid, core)
        with burners([core, core]), pytest.raises(PlatformFault, match=r"machine-overloaded used=\d+ limit=3000"):
            process.ask(["200"], TurnLimits(cpu_ms=400))


def test_a_bot_that_starves_itself_is_out_of_time(bubblewrap: str, tmp_path: Path) -> None:
    """The attack: a bot that is about to lose starves itself, so that the match is played again and again."""
    source = (PROGRAMS / "pretend_a_busy_machine.py").read_text()
    turn = TurnLimits(cpu_ms=300)
    with sandbox.backend("bubblewrap").start(python(tmp_path, source), Limits()) as process:
        for _ in range(60):
            process.ask(["save"], turn)
        for pid in process._group.pids():
            go_first(pid, min(os.sched_getaffinity(0)))  # so that no other program takes its core
        with pytest.raises(BotFault) as caught:
            process.ask(["go"], turn)
    assert caught.value.verdict == Verdict.TIME
    assert "it waited for something" in english(caught.value.why)


def give_way(pid: int, core: int) -> None:
    """Bind a process to one core, with the lowest priority there."""
    os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
    _share(pid, core, nice=19)


def go_first(pid: int, core: int) -> None:
    """Bind a process and its later children to one core, with the highest priority there."""
    _share(pid, core, nice=-20)


def _share(pid: int, core: int, *, nice: int) -> None:
    os.sched_setaffinity(pid, {core})
    if (outside := cgroups.ROOT / "cpu" / "cgroup.procs").exists():  # out of the group in which all bots weigh more
        outside.write_text(str(pid))
    os.setpriority(os.PRIO_PROCESS, pid, nice)
    if (weight := Path(f"/proc/{pid}/autogroup")).exists():  # sessions share a core equally, whatever the nice values
        weight.write_text(str(nice))


def test_a_wait_for_a_core_is_reported(backend: Sandbox, tmp_path: Path) -> None:
    cores = sorted(os.sched_getaffinity(0))
    with backend.start(python(tmp_path, SPINNER), Limits()) as process, burners(2 * cores, apart=True):
        answers = [process.ask(["300"], TurnLimits(cpu_ms=1_000)) for _ in range(3)]
    waited_ms = sum(answer.waited_ms for answer in answers)
    idle_ms = sum(answer.wall_ms - answer.cpu_ms for answer in answers)
    assert idle_ms / 2 < waited_ms <= idle_ms + 1


def test_a_wait_for_own_children_is_not_reported(backend: Sandbox, tmp_path: Path) -> None:
    """The attack: a bot that is about to lose makes itself wait, so that the match is played again."""
    source = "import os, time\ninput()\n" + SPINNER.replace("end = ", "child = os.fork(); end = ").replace(
        "    print(line)", "    if child == 0: os._exit(0)\n    os.wait(); print(line)"
    ).replace("while True:", "print('begun')\nwhile True:", 1)
    with backend.start(python(tmp_path, source), Limits()) as process:
        process.ask(["go"], TurnLimits(cpu_ms=1_000))
        for pid in process._group.pids():
            go_first(pid, min(os.sched_getaffinity(0)))  # so that it waits for no other program
        answer = process.ask(["100"], TurnLimits(cpu_ms=1_000))
    assert answer.cpu_ms > 190
    assert answer.waited_ms < 40


def test_a_bot_that_rests_in_every_turn_is_out_of_time(
    backend: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: bots sleep until each turn's wall time limit, so that a match takes as long as a hundred."""
    monkeypatch.setattr(clock, "REST_MS", 500)
    sleeper = python(tmp_path, "import time\nwhile True:\n    input(); time.sleep(0.15); print('here')")
    with backend.start(sleeper, Limits()) as process:
        for _ in range(3):  # each turn rests 150 ms and adds 50 ms to the 500 ms that are allowed
            process.ask(["go"], TurnLimits(cpu_ms=50))
        with pytest.raises(BotFault, match="bot-rested") as caught:
            all(process.ask(["go"], TurnLimits(cpu_ms=50)) for _ in range(20))
    assert caught.value.verdict == Verdict.TIME


def test_a_standstill_of_the_referee_is_no_rest_of_the_bot(
    backend: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer was there when the referee went on, so that no tick of the clock saw the standstill."""
    monkeypatch.setattr(clock, "REST_MS", 500)
    stood = 0

    def wait(streams: Streams, ms: int) -> None:
        nonlocal stood
        if not stood and ms:  # not in the check for early output
            stood += 1
            time.sleep(1.2)
        waits(streams, ms)

    waits = Streams.wait
    with backend.start(python(tmp_path, SPINNER), Limits()) as process:
        process.ask(["1"], TurnLimits(cpu_ms=50))
        monkeypatch.setattr(Streams, "wait", wait)
        answer = process.ask(["1"], TurnLimits(cpu_ms=50))
        assert stood
        assert answer.wall_ms < 1_000
        assert process._bank.rest_ms > 0


def test_only_bots_that_play_weigh_more_than_other_programs(
    bubblewrap: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build may use all cores, but has no clock to lose by."""
    made: list[cgroups.KernelGroup] = []
    make = cgroups.make

    def noting(*limits: Any, **whose: Any) -> cgroups.KernelGroup:
        made.append(make(*limits, **whose))
        return made[-1]

    backend = sandbox.backend("bubblewrap")
    monkeypatch.setattr(cgroups, "make", noting)
    program = python(tmp_path, SPINNER)
    assert backend.run(Program(tmp_path, ("/usr/bin/true",)), Limits(), cpu_ms=1_000).exit_code == 0
    with backend.start(program, Limits()):
        names = [folder.parent.name for group in made for folder in group.folders]
    step, bot = (len(group.folders) for group in made)
    assert names == step * [cgroups.PARENT + cgroups.STEPS] + bot * [cgroups.PARENT]
    if (weights := cgroups.ROOT / "cpu").exists():
        read = [(weights / name / "cpu.shares").read_text() for name in (names[0], names[-1])]
        assert list(map(int, read)) == [1_024, cgroups.CPU_SHARES]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return values that the kernel would report, for tests to set, and the ``Waits`` that reads them."""
    kernel = SimpleNamespace(threads={1: Thread(0.0, 0.0)}, busy_ms=0.0)
    monkeypatch.setattr("sandbox.waits.threads_of", lambda pids: kernel.threads)
    monkeypatch.setattr(machine, "busy_ms", lambda: dict.fromkeys(os.sched_getaffinity(0), kernel.busy_ms))
    kernel.waits = Waits(SimpleNamespace(cpu_ms=lambda: 0.0, pids=list))  # type: ignore[arg-type]
    return kernel


@pytest.mark.parametrize(("others_ms", "told_ms"), [(50, 0), (800, 900)])
def test_a_wait_counts_only_if_other_programs_ran_in_that_turn(
    waits: SimpleNamespace, others_ms: float, told_ms: float
) -> None:
    """Otherwise load in an earlier turn would excuse a wait that the bot itself caused in this turn."""
    waits.busy_ms = 10_000.0
    waits.waits.turn_begins()
    waits.waits.turn_lasts(LOOK_MS)
    waits.threads = {1: Thread(0.0, 900.0)}
    waits.busy_ms += others_ms
    waited_ms, rested_ms = waits.waits.turn_ends(1_000.0, 0.0)
    assert waited_ms == pytest.approx(told_ms, abs=5)
    assert rested_ms == pytest.approx(100, abs=50)


def test_waits_before_a_thread_was_first_read_do_not_count(waits: SimpleNamespace) -> None:
    waits.waits.turn_begins()
    waits.waits.turn_lasts(LOOK_MS)
    waits.threads = {1: Thread(0.0, 0.0), 2: Thread(0.0, 5_000.0)}
    waits.busy_ms = 1_000.0
    assert waits.waits.turn_ends(1_000.0, 0.0)[0] == 0


def test_the_end_of_a_thread_hides_no_other_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    me = str(os.getpid())
    monkeypatch.setattr(os, "listdir", lambda folder: ["4194305", me])  # the first number is that of no thread
    assert list(threads_of([os.getpid()])) == [os.getpid()]


class Alone:
    """A group of one process, with the only method that the test needs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def pids(self) -> list[int]:
        return [self.pid]


def test_a_wait_that_has_not_ended_counts() -> None:
    """The delay grows by 100 ms while the kernel's own count does not, which grows only when a wait ends."""
    core = min(os.sched_getaffinity(0))
    spinner = [sys.executable, "-c", "while True: pass"]
    with burners([core]), subprocess.Popen(spinner, start_new_session=True) as starved:
        try:
            give_way(starved.pid, core)
            run_delays, seen = RunDelays(Alone(starved.pid)), {}  # type: ignore[arg-type, var-annotated]
            deadline, grown_ms = time.monotonic() + 20, 0.0
            while grown_ms <= 100 and time.monotonic() < deadline:
                counted = Path(f"/proc/{starved.pid}/schedstat").read_text()
                delay_ms = run_delays.read()[starved.pid]
                grown_ms = delay_ms - seen.setdefault(counted, delay_ms)
        finally:
            starved.kill()
    assert grown_ms > 100


@pytest.mark.parametrize(
    ("own_ms", "pressure", "busy", "starved"),
    [(9, True, True, True), (49, True, True, False), (9, False, True, False), (9, True, False, False)],
)
def test_many_short_processes_starve_together(
    own_ms: int, pressure: bool, busy: bool, starved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process of a build lives for long enough to be seen waiting, but the kernel adds up the waits of the group."""
    now = SimpleNamespace(ms=0.0)
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: now.ms / 1e3))
    monkeypatch.setattr(clock, "busy_ms", dict)
    monkeypatch.setattr(clock, "busy_since_ms", lambda before, cores: busy * 50.0)
    for name in ("cgroup.procs", "cpu.stat", "memory.current", "memory.events", "pids.current"):
        (tmp_path / name).touch()
    group = GroupV2(tmp_path)
    turn = clock.Clock(group, cpu_ms=1_000, wall_ms=100, mark_ms=0.0)
    for half, now.ms in enumerate((51.0, 101.0), start=1):
        (tmp_path / "cpu.stat").write_text(f"usage_usec {half * own_ms * 1_000}\n")
        if pressure:  # in the format of psi.rst in the kernel's documentation
            some = f"some avg10=99.00 avg60=9.90 avg300=2.97 total={half * 50_000}"
            (tmp_path / "cpu.pressure").write_text(f"{some}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n")
        assert turn.out_of_wall() == (half == 2)
    assert turn.starved() == starved
    group.close()


def spends(backend: Sandbox, program: Program, turns: list[int]) -> str:
    """Let a bot use ``turns`` milliseconds of CPU in turns with a limit of 50 ms; return how it ended."""
    with backend.start(program, Limits()) as process:
        for number, spent_ms in enumerate(turns):
            try:
                process.ask([str(spent_ms)], TurnLimits(cpu_ms=50))
            except BotFault as fault:
                return f"{fault.verdict} in turn {number}"
    return "ok"


MATCHES = {
    "within its limits": [30] * 8,
    "one overrun that the turns before have saved up for": [10, 10, 10, 10, 10, 60, 10],
    "an overrun in the first turn": [70, 10],
    "overruns that empty the bank": [10, 10, 10, 10, 10, 72, 10, 72],
}
VERDICTS = ["ok", "ok", "time in turn 0", "time in turn 7"]


def test_the_bank_pays_for_overruns_also_on_a_busy_machine(backend: Sandbox, tmp_path: Path) -> None:
    program = python(tmp_path, SPINNER)
    assert [spends(backend, program, turns) for turns in MATCHES.values()] == VERDICTS
    with burners(2 * sorted(os.sched_getaffinity(0))[:2]):
        assert [spends(backend, program, turns) for turns in MATCHES.values()] == VERDICTS


def test_a_standstill_of_the_referee_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may be suspended or a container paused; a program that merely waits is still out of time."""
    now = [0.0]
    monkeypatch.setattr(clock, "RunDelays", lambda group: SimpleNamespace(read=dict))
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: now[0]))
    group = SimpleNamespace(cpu_ms=lambda: 0.0, run_delay_ms=lambda: 0.0)
    turn = clock.Clock(group, cpu_ms=100, wall_ms=1_250, mark_ms=0.0)
    now[0] += 180.0
    assert not turn.out_of_wall()
    assert turn.passed_ms() == 0
    ticks = 0
    while not turn.out_of_wall():
        now[0] += clock.TICK_MS / 1_000
        ticks += 1
    assert ticks * clock.TICK_MS == pytest.approx(1_250, abs=clock.TICK_MS)
