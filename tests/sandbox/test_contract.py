"""What every backend promises, on each backend that works here."""

from __future__ import annotations

import os
import resource
import time
from contextlib import closing
from pathlib import Path

import pytest

import sandbox
from sandbox import cgroups
from sandbox.api import BotFault, Limits, PlatformFault, Program, Sandbox, TurnLimits, Verdict
from tests.sandbox.programs import ECHO, TURN, answer_of, fault_of, python, traces
from tests.words import english

pytestmark = pytest.mark.both_backends

SPIN = """
import sys, time
def spin(ms):
    end = time.process_time() + ms / 1000
    while time.process_time() < end:
        pass
"""


@pytest.fixture(autouse=True)
def nothing_left(backend: Sandbox) -> object:
    """Check after each test that nothing of its sandboxes is left."""
    yield
    assert traces(backend.name) == set()


def test_answers_turn_after_turn(backend: Sandbox, tmp_path: Path) -> None:
    with backend.start(python(tmp_path, ECHO), Limits()) as process:
        assert [process.ask([str(n)], TURN).lines for n in range(50)] == [(str(n),) for n in range(50)]


def test_takes_an_answer_of_several_lines_with_any_line_end(backend: Sandbox, tmp_path: Path) -> None:
    program = python(tmp_path, r"""input(); import sys; sys.stdout.write("a\r\n\nc é\n")""")
    with backend.start(program, Limits()) as process:
        assert process.ask(["go"], TurnLimits(500, answer_lines=3)).lines == ("a", "", "c é")


def test_a_question_larger_than_a_pipe_arrives_whole(backend: Sandbox, tmp_path: Path) -> None:
    with backend.start(python(tmp_path, "n = int(input())\nprint(sum(len(input()) for _ in range(n)))"), Limits()) as p:
        assert p.ask(["30000", *["x" * 99] * 30_000], TurnLimits(cpu_ms=5_000)).lines == ("2970000",)


def test_starting_up_is_not_charged(backend: Sandbox, tmp_path: Path) -> None:
    with backend.start(python(tmp_path, SPIN + "spin(400)\n" + ECHO), Limits()) as process:
        assert process.ask(["go"], TurnLimits(cpu_ms=150)).cpu_ms < 100
        assert process.usage().cpu_ms > 400


def test_a_start_has_a_limit_of_its_own(backend: Sandbox, tmp_path: Path) -> None:
    fault = fault_of(backend, python(tmp_path, "while True: pass"), limits=Limits(start_cpu_ms=200))
    assert fault.verdict == Verdict.TIME
    assert "its start" in english(fault.why)
    assert 200 <= fault.evidence.cpu_ms < 300


def test_a_turn_is_charged_its_cpu_time_and_not_its_sleep(backend: Sandbox, tmp_path: Path) -> None:
    source = SPIN + "for line in sys.stdin:\n    spin(100); time.sleep(0.2); print(line)\n"
    with backend.start(python(tmp_path, source), Limits()) as process:
        answer = process.ask(["go"], TURN)
    assert 95 < answer.cpu_ms < 150
    assert answer.wall_ms > 290


def test_children_are_charged_too(backend: Sandbox, tmp_path: Path) -> None:
    source = SPIN + "import os\ninput()\nif os.fork() == 0: spin(200); os._exit(0)\nos.wait(); print('done')"
    with backend.start(python(tmp_path, source), Limits()) as process:
        assert process.ask(["go"], TURN).cpu_ms > 195


def test_a_last_answer_counts_though_the_program_ends_with_it(backend: Sandbox, tmp_path: Path) -> None:
    with backend.start(python(tmp_path, "print(input())"), Limits()) as process:
        assert process.ask(["last"], TURN).lines == ("last",)
        with pytest.raises(BotFault) as caught:
            process.ask(["more"], TURN)
    assert (caught.value.verdict, caught.value.evidence.exit_code) == (Verdict.CRASHED, 0)


def test_a_program_that_reads_nothing_may_answer(backend: Sandbox, tmp_path: Path) -> None:
    source = "import os, sys, time\nsys.stdin.close(); time.sleep(0.3); print('here')"
    with backend.start(python(tmp_path, source), Limits()) as process:
        assert process.ask(["x" * 200_000], TURN).lines == ("here",)


def test_output_before_the_question_is_refused(backend: Sandbox, tmp_path: Path) -> None:
    fault = fault_of(backend, python(tmp_path, "print('hello')\nprint(input())"))
    assert fault.verdict == Verdict.OUTPUT
    assert "before it was asked" in english(fault.why)
    assert (fault.evidence.last_input, fault.evidence.last_output) == ((), "hello\n")


def test_more_lines_than_asked_are_refused_at_the_next_question(backend: Sandbox, tmp_path: Path) -> None:
    writes_at_once = "import os\nwhile True: os.write(1, (input() + '\\nextra\\n').encode())"
    with backend.start(python(tmp_path, writes_at_once), Limits()) as process:
        process.ask(["1"], TURN)
        with pytest.raises(BotFault, match="bot-late-output") as caught:
            process.ask(["2"], TURN)
    assert caught.value.evidence.last_input == ("1",), "the other it has never seen"
    assert caught.value.evidence.last_output == "extra\n"


def test_standard_error_keeps_its_head_and_its_tail(backend: Sandbox, tmp_path: Path) -> None:
    source = "import sys\ninput()\nfor n in range(99_999): sys.stderr.write(f'{n}\\n')\nprint('done'); input()"
    with backend.start(python(tmp_path, source), Limits(stderr_kib=2)) as process:
        assert process.ask(["go"], TurnLimits(cpu_ms=5_000)).lines == ("done",)
        text = process.stderr()
    assert text.startswith("0\n1\n2\n")
    assert text.endswith("99997\n99998\n")
    assert "bytes left out" in text
    assert len(text) < 2_200


def test_memory_is_limited_for_all_its_processes_together(backend: Sandbox, tmp_path: Path) -> None:
    alone = fault_of(backend, python(tmp_path, "input(); x = bytearray(200 << 20)"), limits=Limits(memory_mib=100))
    source = """
        import os, time
        input()
        for _ in range(8):
            if os.fork() == 0:
                x = bytearray(30 << 20); time.sleep(60)
        time.sleep(60)
    """
    together = fault_of(backend, python(tmp_path, source), limits=Limits(memory_mib=100))
    assert (alone.verdict, together.verdict) == (Verdict.MEMORY, Verdict.MEMORY)
    assert alone.evidence.memory_peak_mib > 90


def test_a_program_that_thrashes_is_out_of_memory(
    backend: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Larger than usual, since it depends on chance how near a program comes to its limit.
    monkeypatch.setattr(cgroups, "FILE_CACHE_MIN", 50 << 20)

    def verdict_of(own_mib: int) -> Verdict:
        program = python(tmp_path, f"x = bytearray({own_mib} << 20); input()\nwhile True: pass")
        return fault_of(backend, program, TurnLimits(cpu_ms=100), limits=Limits(memory_mib=100)).verdict

    assert (verdict_of(60), verdict_of(20)) == (Verdict.MEMORY, Verdict.TIME)


def test_a_machine_short_of_memory_ends_programs_first(backend: Sandbox, tmp_path: Path) -> None:
    """If the kernel killed the worker instead, all its matches would end."""
    with backend.start(python(tmp_path, ECHO), Limits()) as process:
        process.ask(["go"], TURN)
        programs = set(process._group.pids()) - process._box.helpers
        assert programs
        assert {Path(f"/proc/{pid}/oom_score_adj").read_text() for pid in programs} == {"500\n"}


def test_a_program_is_frozen_before_it_is_asked_first(backend: Sandbox, tmp_path: Path) -> None:
    """Otherwise its child processes could take the core from the bot that is asked first."""
    source = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
    with backend.start(python(tmp_path, source), Limits(start_cpu_ms=100)) as process:
        before = process.usage().cpu_ms
        time.sleep(0.2)  # no event to wait for: the test checks that nothing happens
        assert process.usage().cpu_ms - before < 20
        with pytest.raises(BotFault, match="what=start") as caught:
            process.ask(["go"], TURN)
    assert caught.value.evidence.last_input == (), "it has never been asked"


REPLACES_ITS_CHILD = """
import os, signal, threading

def child():
    pid = os.fork()
    if not pid: spin(60_000)
    return pid

input()
pid = child()
print("one"); input()
os.kill(pid, signal.SIGKILL); os.waitpid(pid, 0)
child()
print("another"); input()
ended = threading.Event()
thread = threading.Thread(target=ended.wait); thread.start()
print("and a thread"); input()
ended.set(); thread.join()
child()
print("a child for the thread"); input()
"""


def test_a_process_that_replaces_a_frozen_child_is_frozen_too(backend: Sandbox, tmp_path: Path) -> None:
    """The number of processes and threads stays the same, and one of them is new."""
    with backend.start(python(tmp_path, SPIN + REPLACES_ITS_CHILD), Limits()) as process:
        for answer in ("one", "another", "and a thread", "a child for the thread"):
            assert process.ask(["go"], TURN).lines == (answer,)
            before = process.usage().cpu_ms
            time.sleep(0.2)  # no event to wait for: the test checks that nothing happens
            assert process.usage().cpu_ms - before < 20


def test_a_program_sees_its_folder_read_only_and_is_nobody(backend: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "w.txt").write_text("42")
    source = (
        "import os\ninput()\nprint(os.getcwd(), open('weights/w.txt').read(), os.getuid() > 0, os.access('.', os.W_OK))"
    )
    assert answer_of(backend, python(tmp_path, source)) == "/bot 42 True False"


def test_a_program_may_keep_a_database(backend: Sandbox, tmp_path: Path) -> None:
    source = """
        import sqlite3
        input()
        for statement in ("create table book (move)", "insert into book values (42)"):
            with sqlite3.connect("/tmp/book") as book:
                book.execute(statement)
        print(*sqlite3.connect("/tmp/book").execute("select move from book").fetchone())
    """
    assert answer_of(backend, python(tmp_path, source)) == "42"


def test_a_run_returns_exit_code_and_output(backend: Sandbox, tmp_path: Path) -> None:
    source = """
        import sys, time
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            pass
        print("out"); sys.stderr.write("err\\n"); sys.exit(4)
    """
    result = backend.run(python(tmp_path, source), Limits(), cpu_ms=2_000)
    assert (result.exit_code, result.output) == (4, "out\nerr\n")
    assert result.usage.cpu_ms > 1


def test_a_run_delivers_what_it_left_in_out(backend: Sandbox, tmp_path: Path) -> None:
    source = """
        import os
        os.mkdir("/out/lib")
        open("/out/lib/a.bin", "wb").write(bytes(1000))
        open("/out/run", "w").write("x"); os.chmod("/out/run", 0o4755)
        os.link("/out/run", "/out/again")
    """
    (tmp_path / "source").mkdir()
    (tmp_path / "out").mkdir()
    result = backend.run(python(tmp_path / "source", source), Limits(), cpu_ms=2_000, out=tmp_path / "out")
    assert result.exit_code == 0
    files = {str(p.relative_to(tmp_path / "out")): p.stat() for p in (tmp_path / "out").rglob("*") if p.is_file()}
    assert {name: stat.st_size for name, stat in files.items()} == {"lib/a.bin": 1000, "run": 1, "again": 1}
    assert files["run"].st_mode & 0o7777 == 0o755
    assert files["run"].st_nlink == 1


@pytest.mark.parametrize(
    "deed", ["os.symlink('/etc/passwd', '/out/x')", "os.mkfifo('/out/x')", "os.symlink('/', '/out/dir')"]
)
def test_a_run_may_leave_regular_files_only(backend: Sandbox, tmp_path: Path, deed: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "source").mkdir()
    with pytest.raises(BotFault, match="tar-link"):
        backend.run(python(tmp_path / "source", f"import os\n{deed}"), Limits(), cpu_ms=2_000, out=tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_run_has_no_writable_place_but_tmp(backend: Sandbox, tmp_path: Path) -> None:
    result = backend.run(python(tmp_path, "open('/out/x', 'w')"), Limits(), cpu_ms=2_000)
    assert result.exit_code == 1


def test_a_program_that_does_not_exist_crashes_at_once(backend: Sandbox, tmp_path: Path) -> None:
    fault = fault_of(backend, Program(tmp_path, ("/bot/nothing",)))
    assert fault.verdict == Verdict.CRASHED


def test_a_folder_that_does_not_exist_is_ours_to_explain(backend: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(PlatformFault):
        backend.start(Program(tmp_path / "none", ("/bin/true",)), Limits())


def test_killing_twice_and_asking_the_killed(backend: Sandbox, tmp_path: Path) -> None:
    process = backend.start(python(tmp_path, ECHO), Limits())
    process.ask(["1"], TURN)
    process.kill()
    process.kill()
    assert process.usage().cpu_ms > 1
    with pytest.raises(PlatformFault):
        process.ask(["2"], TURN)


def test_many_processes_leave_the_worker_descriptors(backend: Sandbox, tmp_path: Path) -> None:
    """The attack: a bot that is about to lose starts so many processes that the worker runs out of descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    source = """
        import os, time
        input()
        for _ in range(40):
            if os.fork() == 0: time.sleep(99)
        print("all"); input(); print("again")
    """
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 50, hard))
    try:
        with (
            closing(sandbox.backend(backend.name)) as roomy,
            roomy.start(python(tmp_path, source), Limits()) as process,
        ):
            assert [process.ask(["go"], TURN).lines for _ in range(2)] == [("all",), ("again",)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_descriptors_do_not_leak(backend: Sandbox, tmp_path: Path) -> None:
    program = python(tmp_path, ECHO)
    with backend.start(program, Limits()) as process:
        process.ask(["1"], TURN)
    backend.close()  # also ends containers started in advance, whose number depends on chance
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with backend.start(program, Limits()) as process:
            process.ask(["1"], TURN)
    backend.close()
    assert len(os.listdir("/proc/self/fd")) == len(before)
