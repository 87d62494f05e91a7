"""What a worker measures about its machine, and the release it reports."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import core
from tests.workers.processes import ROOT
from workers import host


def test_cpu_percent_is_the_share_since_the_last_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stat = tmp_path / "stat"
    monkeypatch.setattr(host, "STAT", stat)
    stat.write_text("cpu  100 0 100 800 0 0 0 0 0 0\n")
    meter = host.CpuMeter()
    assert meter.percent() is None
    stat.write_text("cpu  120 5 120 1030 25 0 0 0 0 0\n")
    assert meter.percent() == 15.0


def test_the_version_is_the_projects() -> None:
    assert core.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
