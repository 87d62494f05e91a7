"""What is read of the kernel, saved up in the bank and made of a limit, without any program."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from core.message import Message
from sandbox import bubblewrap, cgroups, machine, verdicts
from sandbox.api import BotFault, Evidence, Limits, PlatformFault, TurnLimits, Verdict
from sandbox.clock import BANK_SHARE, REST_MS, Bank
from sandbox.languages import ALL, language
from sandbox.languages.language import MACHINE_MIB, heap_mib
from sandbox.procfs import field_of, open_files, stat_fields, thread_states
from sandbox.waits import threads_of
from tests.words import english


def test_overruns_are_paid_from_what_the_turns_before_have_saved() -> None:
    bank = Bank()
    for _ in range(5):
        bank.turn_begins(100)
        bank.turn_ends(100, used_ms=40.0, rested_ms=0.0)
    assert bank.left_ms == pytest.approx(5 * 100 * BANK_SHARE)
    bank.turn_begins(100)
    bank.turn_ends(100, used_ms=165.0, rested_ms=0.0)
    assert bank.left_ms == pytest.approx(-5.0)


def test_rest_is_limited_over_all_turns_together() -> None:
    """The attack: bots sleep until just before the limit of every turn, so that a match takes as long as a hundred."""
    bank = Bank()
    assert bank.rest_ms == bank.rest_limit_ms == REST_MS
    turns = 0
    while bank.rest_ms >= 0:
        bank.turn_begins(100)
        bank.turn_ends(100, used_ms=0.0, rested_ms=1_400.0)
        turns += 1
    assert turns == 4
    bank.turn_ends(100, used_ms=0.0, rested_ms=-1_000.0)
    assert bank.rest_ms < 0, "no measurement gives rest back"


def test_a_wall_time_limit_is_far_beyond_the_cpu_limit() -> None:
    assert TurnLimits(cpu_ms=100).wall_ms == 1_500
    assert TurnLimits(cpu_ms=1).wall_ms > 1_000


def test_busy_cores_are_read_by_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stat = tmp_path / "stat"
    stat.write_text("cpu  9 9 9 9 9 9 9 9\ncpu0 1 2 3 90 90 90 90 4 9 9\ncpu3 10 0 0 0 0 0 0 0 0 0\nintr 5\n")
    monkeypatch.setattr(machine, "STAT", stat)
    before = machine.busy_ms()
    assert before == {0: pytest.approx(10 * machine.TICK_MS), 3: pytest.approx(10 * machine.TICK_MS)}
    stat.write_text("cpu0 3 2 3 90 90 90 90 4 9 9\ncpu3 14 0 0 0 0 0 0 0 0 0\ncpu5 7 0 0 0 0 0 0 0 0 0\n")
    assert machine.busy_since_ms(before, {0, 3}) == pytest.approx(3 * machine.TICK_MS)
    assert machine.busy_since_ms(before, {3, 5}) == pytest.approx(4 * machine.TICK_MS), "core 5 has come meanwhile"
    assert machine.busy_since_ms(before, {7}) == 0.0


def test_a_kernel_that_does_not_count_waits_counts_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "schedstat").write_text("5000000 7000000 3\n")
    monkeypatch.setattr(machine, "OWN_SCHEDULE", tmp_path / "schedstat")
    assert machine.referee_waited_ms() == 7.0
    monkeypatch.setattr(machine, "OWN_SCHEDULE", tmp_path / "none")
    assert machine.referee_waited_ms() == 0.0


def test_a_thread_that_has_ended_may_have_run_on_any_core() -> None:
    assert machine.cores_of(4_194_305) == machine.cores_of(0) == os.sched_getaffinity(0)


@pytest.mark.parametrize(("name", "number"), [("oom", 3), ("oom_kill", 2), ("low", 0), ("none", 0), ("Pss:", 12)])
def test_fields_of_files_of_the_kernel_are_whole_words(name: str, number: int) -> None:
    assert field_of("low 0\noom 3\noom_kill 2\nPss: 12 kB\n", name) == number


def test_the_name_of_a_process_may_hold_parentheses_and_no_text(tmp_path: Path) -> None:
    (tmp_path / "stat").write_bytes(b"12 (a) R (\xff) S 1 2 3\n")
    assert stat_fields(str(tmp_path / "stat")) == ["S", "1", "2", "3"]


def test_a_process_that_has_ended_has_no_threads_and_no_files() -> None:
    assert (thread_states(4_194_305), open_files(4_194_305), threads_of([4_194_305])) == ([], set(), {})
    own = Path(__file__).stat()
    with Path(__file__).open():
        assert (own.st_dev, own.st_ino) in open_files(os.getpid())
    assert "R" in thread_states(os.getpid())


def test_a_group_of_version_1_is_made_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    for controller in ("memory", "pids", "cpuacct", "cpu"):
        (tmp_path / controller).mkdir()
    made = Path.mkdir

    def mkdir(folder: Path, *args: object, **options: object) -> None:
        made(folder, *args, **options)  # type: ignore[arg-type]
        kernel = {
            "memory": {"memory.oom_control": "oom_kill 1\n", "memory.max_usage_in_bytes": str((100 << 20) - 5)},
            "pids": {"pids.current": "2\n", "cgroup.procs": "7\n8\n"},
            "cpuacct": {"cpuacct.usage": "2500000\n"},
        }
        for name, text in kernel.get(folder.relative_to(tmp_path).parts[0], {}).items():
            (folder / name).write_text(text)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    group = cgroups.make(Limits(memory_mib=100, pids_max=10), 2)
    assert isinstance(group, cgroups.GroupV1)
    memory, pids, *_ = group.folders
    assert (memory / "memory.limit_in_bytes").read_text() == str(100 << 20)
    assert (pids / "pids.max").read_text() == "12"
    assert (tmp_path / "cpu" / cgroups.PARENT / "cpu.shares").read_text() == str(cgroups.CPU_SHARES)
    assert [entrance.name for entrance in group.entrances] == ["tasks"] * 4
    assert (group.cpu_ms(), group.memory_kills(), group.threads(), group.pids()) == (2.5, 1, 2, [7, 8])
    assert (group.stood_at_memory_limit(), group.run_delay_ms(), group.thrashes()) == (True, 0.0, False)
    (memory / "memory.stat").write_text("active_file 4096\ninactive_file 0\n")
    (memory / "memory.usage_in_bytes").write_text(str((100 << 20) - 4_096))
    assert group.thrashes()
    group.close()


@pytest.mark.parametrize(
    ("begun", "again", "half", "lacks"),
    [
        (b"", True, None, "all"),
        (b"1 2", True, "bot-half-line", "line-break"),
        (b"1\n", False, "bot-few-lines", "lines"),
    ],
)
def test_what_an_answer_lacks_is_told(begun: bytes, again: bool, half: str | None, lacks: str) -> None:
    told = verdicts.half_answer(begun)
    assert (told and told.kind, verdicts.lacks(begun)) == (half, lacks)
    assert verdicts.unasked(again=again).kind == ("bot-late-output" if again else "bot-early-output")
    assert verdicts.out_of_wall(1.6, 500, "turn", begun).args == {
        "used": 2,
        "limit": 500,
        "what": "turn",
        "lacks": lacks,
    }


@pytest.mark.parametrize(
    ("code", "signal"), [(0, None), (1, None), (128, None), (137, 9), (192, 64), (193, None), (255, None)]
)
def test_an_exit_code_may_stand_for_a_signal(code: int, signal: int | None) -> None:
    assert verdicts.signal_of(code) == signal


def test_the_bank_is_named_only_where_there_was_some() -> None:
    assert verdicts.out_of_cpu(120.4, 100, 0.0, "start") == Message(
        "bot-cpu", {"used": 120, "limit": 100, "what": "start"}
    )
    assert verdicts.out_of_cpu(120.4, 100, 9.6, "turn").args == {"used": 120, "limit": 100, "what": "turn", "bank": 10}
    half = verdicts.of_exit(3, Limits(), 0, Message("bot-half-line"))
    assert half[0] == Verdict.CRASHED
    assert "3" in english(half[1])


def test_faults_carry_what_their_readers_need() -> None:
    fault = BotFault(Verdict.TIME, Message("bot-slow", {"used": 1}))
    assert (fault.evidence, str(fault)) == (Evidence(), "bot-slow used=1")
    assert PlatformFault("The disk is full.").why == Message("text", {"text": "The disk is full."})
    assert str(PlatformFault(Message("machine-overloaded", {"used": 3}))) == "machine-overloaded used=3"


# --- Commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("memory_mib", "heap"), [(256, 160), (128, 80), (1_024, 1_024 - MACHINE_MIB)])
def test_a_virtual_machine_leaves_memory_for_itself(memory_mib: int, heap: int) -> None:
    limits = Limits(memory_mib=memory_mib)
    assert heap_mib(limits) == heap
    assert f"-Xmx{heap}m" in language("java").command("Main.java", limits)
    assert f"--max-old-space-size={heap}" in language("javascript").command("main.js", limits)
    assert f"soft-heap-limit={heap}m" in " ".join(language("csharp").command("Main.cs", limits))


@pytest.mark.parametrize("known", ALL, ids=lambda known: known.name)
def test_every_language_says_what_is_needed_to_install_and_run_it(known: object) -> None:
    assert known.packages  # type: ignore[attr-defined]
    entry = known.entries[0]  # type: ignore[attr-defined]
    assert all(isinstance(word, str) and word for word in known.build(entry) + known.command(entry, Limits()))  # type: ignore[attr-defined]
    assert entry.endswith(known.suffixes)  # type: ignore[attr-defined]
    assert "/" not in known.tool  # type: ignore[attr-defined]


def test_limits_of_a_process_are_set_in_the_units_of_the_shell() -> None:
    words = bubblewrap._rlimits(Limits(open_files_max=16, file_mib=3), grouped=True)
    assert words.split(" && ") == ["ulimit -n 16", f"ulimit -f {3 * 2048}", "ulimit -l 64"]
    alone = bubblewrap._rlimits(Limits(memory_mib=100, pids_max=9), grouped=False)
    assert "ulimit -p 11 2>/dev/null || ulimit -u 11" in alone
    assert f"ulimit -v {(bubblewrap.ADDRESS_SPACE_MIB + 100) * 1024}" in alone


def test_no_limit_exceeds_that_of_the_worker() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))\n"
        "from sandbox.bubblewrap import _at_most\n"
        "print(_at_most(resource.RLIMIT_NOFILE, 128), _at_most(resource.RLIMIT_NOFILE, 20))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["50", "20"]
    assert bubblewrap._at_most(resource.RLIMIT_NOFILE, 1) == 1


@pytest.mark.parametrize(
    ("problem", "remedy"),
    [
        ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns=0"),
        ("bwrap: Creating new namespace failed", "kernel.unprivileged_userns_clone=1"),
        ("bwrap: Unknown option --disable-userns", "bubblewrap 0.8 or newer"),
        ("bwrap: something else", "on this machine: bwrap: something else"),
    ],
)
def test_a_refusal_names_what_an_administrator_can_do(problem: str, remedy: str) -> None:
    assert remedy in bubblewrap._refusal(problem)
