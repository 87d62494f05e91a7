"""Hostile build scripts get the right verdict in time, and nothing dangerous of their output is taken over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from sandbox import languages, process
from sandbox.api import Sandbox
from tests.attacks.builds import ENDLESS_MS, BuildAttack, build_attacks
from tests.sandbox.programs import traces
from tests.words import english
from tests.workers.conftest import FileSite, build_job
from wire.jobs import BuildReport
from workers.build import version_build
from workers.play import Tools

MEMORY_MIB = 128
SECRET = "open-sesame"
GRACE_S = 2
"""How long a build may take beyond its limit, including the removal of its processes."""
ATTACKS = [
    pytest.param(attack.name, marks=[pytest.mark.quiet] if attack.verdict == "time" else [])
    for attack in build_attacks("")
]
"""How long those take that never end is asked of a quiet machine."""


@pytest.fixture(autouse=True)
def hasty(backend: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give builds less time and memory than usual, and check that they leave nothing behind."""
    monkeypatch.setattr(languages, "BUILD_CPU_MS", ENDLESS_MS)
    monkeypatch.setattr(languages, "BUILD_LIMITS", replace(languages.BUILD_LIMITS, memory_mib=MEMORY_MIB))
    monkeypatch.setenv("WORKER_PASSWORD", SECRET)
    before = traces(backend.name)
    yield
    assert traces(backend.name) == before


@pytest.fixture
def c_tools(tools: Tools) -> Tools:
    c = languages.language("c")
    if not tools.has(c):
        pytest.skip(f"needs C ({tools.sandbox.name}): apt-get install {' '.join(c.packages)}")
    return tools


def built(site: FileSite, tools: Tools, files: dict[str, str]) -> BuildReport:
    """Build files and return the report; the build must end in time, and JSON must be able to carry the report."""
    job = build_job(site, files)
    begun = time.monotonic()
    report = version_build(job, tools, lambda step: None)
    assert time.monotonic() - begun < (2 * languages.BUILD_CPU_MS + 1_000) / 1e3 + GRACE_S
    return msgspec.convert(msgspec.json.decode(msgspec.json.encode(report)), BuildReport)


def attack_named(name: str, tmp_path: Path) -> BuildAttack:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o644)
    return next(attack for attack in build_attacks(f"{secret} {__file__} {SECRET}") if attack.name == name)


@pytest.mark.parametrize("name", ATTACKS)
def test_build_attack(
    site: FileSite, c_tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    attack = attack_named(name, tmp_path)
    monkeypatch.setattr(languages, "BUILD_CPU_MS", attack.cpu_ms)
    report = built(site, c_tools, attack.files)
    assert report.platform_fault is None
    assert (report.failed_step, report.verdict) == ("compile", attack.verdict), report
    assert attack.words in english(report.why) + report.log
    assert SECRET not in report.log
    assert report.artifact_digest is None


def test_a_build_that_sleeps_ends_long_before_its_wall_time_limit(
    site: FileSite, c_tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: programs that sleep while they are built hold all processes, and use no CPU time."""
    monkeypatch.setattr(languages, "BUILD_CPU_MS", 60_000)
    monkeypatch.setattr(process, "STEP_REST_MS", 500)
    begun = time.monotonic()
    report = built(site, c_tools, {"main.c": "int main(void) {}\n", "Makefile": "bot:\n\tsleep 300 & sleep 300\n"})
    assert time.monotonic() - begun < 60
    assert report.verdict == "time"
    assert "without computing" in english(report.why)


def test_source_that_crashes_the_syntax_check_is_rejected(site: FileSite, tools: Tools) -> None:
    report = built(site, tools, {"main.py": "(" * 100_000})
    assert (report.platform_fault, report.failed_step) == (None, "compile")
