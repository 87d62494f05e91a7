"""pre-commit runs the same static checks as ``make test``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from deploy import static_checks
from deploy.settings import ROOT

CONFIG = ROOT / ".pre-commit-config.yaml"
NAMES = [name for name, _, _ in static_checks.STATIC_CHECKS]


def test_pre_commit_runs_each_check_of_the_gate_over_all_files() -> None:
    (repo,) = yaml.safe_load(CONFIG.read_text())["repos"]
    assert repo["repo"] == "local"
    assert repo["hooks"] == [
        {
            "id": name,
            "name": name,
            "entry": f".venv/bin/python -m deploy.static_checks {name}",
            "language": "system",
            "pass_filenames": False,
            "always_run": True,
        }
        for name in NAMES
    ]


def test_pre_commit_takes_the_configuration() -> None:
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", CONFIG], check=True)


def test_named_or_all_checks_run_also_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = tmp_path / "ran"
    checks = tuple(
        (name, ["sh", "-c", f"echo {name} >> {ran}; exit {status}"], {})
        for name, status in (("one", 1), ("two", 0), ("three", 0))
    )
    monkeypatch.setattr(static_checks, "STATIC_CHECKS", checks)
    assert static_checks.main([]) == 1
    assert static_checks.main(["three", "two"]) == 0
    assert ran.read_text().split() == ["one", "two", "three", "two", "three"]


def test_an_unknown_check_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        static_checks.main(["beauty"])
    assert "There is no check beauty." in capsys.readouterr().err
