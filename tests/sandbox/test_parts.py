"""Parts of the sandbox package that run no program in a sandbox, and the refusals of the backends."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sandbox
from sandbox import bubblewrap as bubblewrap_backend
from sandbox import cgroups, folders, surroundings, verdicts
from sandbox.api import Limits, NoSandbox, PlatformFault, Verdict
from sandbox.capture import HeadAndTail
from tests.sandbox.programs import answer_of, python, traces
from tests.words import english


@given(st.lists(st.binary(max_size=50), max_size=30), st.integers(1, 40))
def test_head_and_tail_keep_both_ends(parts: list[bytes], half: int) -> None:
    kept, whole = HeadAndTail(2 * half), b"".join(parts)
    for part in parts:
        kept.add(part)
    head, tail = bytes(kept._head), b"".join(kept._tail)
    assert head == whole[:half]
    assert tail == whole[half:][-half:]
    assert len(head) + kept._dropped + len(tail) == len(whole)


def test_bytes_that_are_not_text_are_replaced() -> None:
    kept = HeadAndTail(100)
    kept.add(b"a\xff\0b")
    assert kept.text() == "a\ufffd\ufffdb"


@pytest.mark.parametrize(
    ("code", "kills", "verdict", "words"),
    [
        (159, 0, Verdict.SECURITY, "forbidden"),
        (137, 1, Verdict.MEMORY, "64 MiB"),
        (192, 0, Verdict.CRASHED, "signal 64"),
        (255, 0, Verdict.CRASHED, "exit code 255"),
    ],
)
def test_exit_codes_give_verdicts(code: int, kills: int, verdict: Verdict, words: str) -> None:
    got, why = verdicts.of_exit(code, Limits(memory_mib=64), kills)
    assert got == verdict
    assert words in english(why)


def test_an_unknown_backend_is_refused_with_the_known_names() -> None:
    with pytest.raises(NoSandbox, match="docker, bubblewrap"):
        sandbox.backend("chroot")


def test_without_an_engine_and_without_bubblewrap_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap") as caught:
        sandbox.backend("auto")
    assert "No Docker engine answers" in str(caught.value)


BARRED = """
import os, pathlib, resource, sys
from sandbox import bubblewrap
bubblewrap.CORE_PATTERN = pathlib.Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
if os.geteuid() == 0:
    os.setuid(65534)
bubblewrap._dump_no_cores()
"""
"""A process that is not root, with a limit of core dumps of 0, which it cannot raise."""


@pytest.mark.parametrize(("pattern", "starts"), [("|/usr/share/apport/apport %p", False), ("core", True)])
def test_bubblewrap_refuses_to_run_where_core_dumps_start_a_handler(pattern: str, starts: bool) -> None:
    with tempfile.NamedTemporaryFile("w") as file:
        Path(file.name).chmod(0o644)
        file.write(f"{pattern}\n")
        file.flush()
        ended = subprocess.run([sys.executable, "-c", BARRED, file.name], capture_output=True, text=True)
    assert (ended.returncode == 0) == starts, ended.stderr
    assert ("NoSandbox: This machine starts a handler" in ended.stderr) != starts


def test_auto_takes_bubblewrap_where_no_engine_answers(bubblewrap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    assert sandbox.backend("auto").name == "bubblewrap"


@pytest.mark.parametrize(
    ("bwrap", "words"),
    [
        (
            "echo No permissions to create new namespace >&2; exit 1",
            "could not build the sandbox: No permissions to create new namespace. Let programs .*max_user_namespaces",
        ),
        ("echo bwrap: setting up uid map: Permission denied >&2; exit 1", "denied. This machine .* AppArmor profile"),
        ("exec sleep 1000", "did not start within"),
    ],
)
def test_a_failing_bwrap_is_reported_and_leaves_nothing(
    bubblewrap: str, monkeypatch: pytest.MonkeyPatch, bwrap: str, words: str
) -> None:
    before = set(psutil.Process().children())
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        program = Path(folder, "bwrap")
        program.write_text(f"#!/bin/sh\n{bwrap}\n")
        program.chmod(0o755)
        monkeypatch.setattr("sandbox.bubblewrap.CLEAN_ENVIRONMENT", {"PATH": f"{folder}:/usr/bin:/bin"})
        monkeypatch.setattr("sandbox.bubblewrap.START_SECONDS", 0.2)
        with pytest.raises(NoSandbox, match=f"cannot build a sandbox on this machine: .*{words}"):
            sandbox.backend("bubblewrap")
    assert traces("bubblewrap") == set()
    assert set(psutil.Process().children()) <= before


@pytest.mark.parametrize("shell", [("dash",), ("bash", "--posix")], ids=["dash", "bash"])
def test_the_process_limit_works_with_dash_and_bash(shell: tuple[str, ...]) -> None:
    """The two shells name the limit differently, and dash's option sets the pipe size in bash."""
    script = bubblewrap_backend._rlimits(Limits(pids_max=64), grouped=False) + " && grep processes /proc/self/limits"
    reported = subprocess.run([*shell, "-c", script], capture_output=True, text=True, check=True)
    assert reported.stdout.split()[2:4] == ["66", "66"]
    assert reported.stderr == ""


@pytest.mark.parametrize(
    ("geteuid", "words"), [(0, "/sys/fs/cgroup"), (60_000, "run as root")], ids=["root", "somebody else"]
)
def test_missing_control_groups_are_logged_with_the_remedy(
    bubblewrap: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, geteuid: int, words: str
) -> None:
    monkeypatch.setattr("sandbox.cgroups.make", Mock(side_effect=OSError(30, "Read-only file system")))
    monkeypatch.setattr("sandbox.bubblewrap.Bubblewrap._run_trial", lambda self: None)
    monkeypatch.setattr("os.geteuid", lambda: geteuid)
    bubblewrap_backend.Bubblewrap()
    assert "Read-only file system" in caplog.text
    assert words in caplog.text


def test_files_in_memory_are_forbidden_without_control_groups(
    bubblewrap: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = python(tmp_path, "import os\ninput()\ntry: os.memfd_create('x')\nexcept OSError as e: print(e.errno)\n")
    monkeypatch.setattr("sandbox.cgroups.make", Mock(side_effect=OSError(30, "Read-only file system")))
    assert answer_of(sandbox.backend("bubblewrap"), program) == str(errno.EPERM)


@pytest.mark.parametrize(
    ("begin", "words"),
    [("echo no limits here >&2; false", "no limits here"), ("kill -s SYS $$", "bot-forbidden-call")],
)
def test_a_program_that_cannot_begin_is_reported(
    bubblewrap: str, monkeypatch: pytest.MonkeyPatch, begin: str, words: str
) -> None:
    monkeypatch.setattr("sandbox.bubblewrap._rlimits", lambda limits, grouped: begin)
    with pytest.raises(NoSandbox, match=f"cannot build a sandbox on this machine: {words}"):
        sandbox.backend("bubblewrap")


@pytest.mark.engine
def test_auto_prefers_docker(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", engine)
    assert sandbox.backend("auto").name == "docker"


@pytest.mark.engine
def test_a_missing_image_is_named_with_its_remedy(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", engine)
    monkeypatch.setattr("sandbox.docker.backend.IMAGE", "banzuke-none")
    with pytest.raises(NoSandbox, match=r"deploy/images/build\.sh"):
        sandbox.backend("docker")


def test_a_folder_closed_to_others_is_copied() -> None:
    with tempfile.TemporaryDirectory() as name, ExitStack() as undo:
        closed = Path(name)
        (closed / "main.py").write_text("x")
        copy = folders.readable(closed, undo)
        assert copy != closed
        assert (copy / "main.py").read_text() == "x"
        assert copy.stat().st_mode & 0o777 == 0o755
        closed.chmod(0o755)
        assert folders.readable(closed, ExitStack()) == closed
    assert not copy.exists()


@pytest.mark.parametrize("error", [None, errno.EXDEV], ids=["linked", "on another file system"])
def test_a_program_is_linked_or_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int | None) -> None:
    root, box = tmp_path / "root", tmp_path / "box"
    (root / "deep").mkdir(parents=True, mode=0o700)
    (root / "deep" / "main").write_text("x")
    (root / "deep" / "main").chmod(0o755)
    (root / "link").symlink_to("/etc/passwd")
    box.mkdir()
    if error:
        monkeypatch.setattr(os, "link", Mock(side_effect=OSError(error, os.strerror(error))))
    folders.fill(box, root)
    assert (box / "deep" / "main").read_text() == "x"
    assert (box / "deep" / "main").samefile(root / "deep" / "main") == (error is None)
    assert (box / "link").readlink() == Path("/etc/passwd")
    assert {path.stat().st_mode & 0o777 for path in (box, box / "deep" / "main")} == {0o755}


def test_a_group_of_version_2_is_read(tmp_path: Path) -> None:
    for name, text in {
        "cpu.stat": "usage_usec 12345\nuser_usec 1\n",
        "memory.events": "low 0\noom 3\noom_kill 2\n",
        "pids.current": "3\n",
        "memory.peak": str(5 << 20),
        "cgroup.procs": "11\n12\n",
    }.items():
        (tmp_path / name).write_text(text)
    group = cgroups.GroupV2(tmp_path)
    assert (group.cpu_ms(), group.memory_kills(), group.memory_peak_mib()) == (12.345, 2, 5)
    assert group.pids() == [11, 12]
    assert group.stood_at_memory_limit()
    (tmp_path / "memory.events").write_text("low 0\noom 0\noom_kill 2\n")
    assert not group.stood_at_memory_limit(), "the kernel killed it for another group's sake"
    group.close()


def test_a_group_of_version_2_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first group on a machine, and later ones."""
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids")
    monkeypatch.setattr(os, "open", lambda *_: os.dup(0))  # the kernel would have made cpu.stat with the folder
    for plays in (True, True, False):
        group = cgroups.make(Limits(memory_mib=100, pids_max=10), 2, plays=plays)
        assert (group.folders[0] / "memory.max").read_text() == str(100 << 20)
        assert (group.folders[0] / "pids.max").read_text() == "12"
        group.close()
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+cpu", "written last; the kernel adds it to the others"
    bots, steps = (tmp_path / name for name in (cgroups.PARENT, cgroups.PARENT + cgroups.STEPS))
    assert {(parent / "cgroup.subtree_control").read_text() for parent in (bots, steps)} == {"+memory +pids"}
    assert (bots / "cpu.weight").read_text() == str(cgroups.CPU_WEIGHT)
    assert not (steps / "cpu.weight").exists()


@pytest.mark.parametrize(
    ("own", "file", "content", "is_quota"),
    [
        ("0::/a/b", "a/cpu.max", "50000 100000", True),
        ("0::/a/b", "a/b/cpu.max", "max 100000", False),
        ("0::/", "cpu.max", "50000 100000", True),  # as seen in a container
        ("3:cpu,cpuacct:/docker/a\n2:pids:/", "cpu/cpu.cfs_quota_us", "50000", True),  # also as seen in a container
        ("3:cpu,cpuacct:/a\n2:pids:/", "cpu/a/cpu.cfs_quota_us", "-1", False),
    ],
)
def test_a_cpu_quota_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, file: str, content: str, is_quota: bool
) -> None:
    if own.startswith("0::"):
        (tmp_path / "cgroup.controllers").touch()
    (tmp_path / "own").write_text(f"{own}\n")
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(f"{content}\n")
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    monkeypatch.setattr(cgroups, "OWN_GROUPS", tmp_path / "own")
    assert surroundings.quota_file() == (tmp_path / file if is_quota else None)


@pytest.mark.parametrize(
    ("own", "files", "total", "free"),
    [
        ("0::/", {}, 4_000, 3_000),
        ("0::/a/b", {"a/memory.max": 600 << 20, "a/memory.current": 500 << 20, "a/b/memory.max": "max"}, 600, 110),
        ("0::/", {"memory.max": 6_000 << 20, "memory.current": 4_000 << 20}, 4_000, 2_010),
        (
            "4:memory:/docker/a",  # as seen in a container
            {"memory/memory.limit_in_bytes": 600 << 20, "memory/memory.usage_in_bytes": 500 << 20},
            600,
            110,
        ),
    ],
)
def test_the_memory_of_the_machine_or_of_a_group_around_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, files: dict[str, object], total: int, free: int
) -> None:
    if own.startswith("0::"):
        (tmp_path / "cgroup.controllers").touch()
    (tmp_path / "own").write_text(f"{own}\n")
    (tmp_path / "meminfo").write_text("MemTotal: 4096000 kB\nMemFree: 1 kB\nMemAvailable: 3072000 kB\n")
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{content}\n")
        stat = "".join(f"{kind}_file {5 << 20}\ntotal_{kind}_file {5 << 20}\n" for kind in ("active", "inactive"))
        (tmp_path / name).with_name("memory.stat").write_text(stat)
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    monkeypatch.setattr(cgroups, "OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(surroundings, "MEMINFO", tmp_path / "meminfo")
    assert surroundings.memory() == surroundings.Memory(total, free)


def test_an_unreadable_control_group_is_a_platform_fault() -> None:
    with pytest.raises(PlatformFault, match="worker's own machine"):
        cgroups.of_process(4_194_305)
