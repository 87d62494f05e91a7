"""ESLint checks our JavaScript; where it is missing, a sentence says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deploy import eslint
from deploy.settings import ROOT


@pytest.mark.parametrize("ci", ["", "true"])
def test_missing_eslint_is_reported_and_fails_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], ci: str
) -> None:
    monkeypatch.setenv("CI", ci)
    assert eslint.main(tmp_path) == bool(ci)
    assert "ESLint is not installed" in "".join(capfd.readouterr())


def test_eslint_checks_our_scripts_only(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if not (eslint.NODE.exists() and (ROOT / eslint.PROGRAM).exists()):
        pytest.skip("needs ESLint: .venv/bin/npm ci")
    shutil.copy(ROOT / "eslint.config.js", tmp_path)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    scripts = {"ladder/static/ladder/a.js": 1, "matches/static/matches/viewer/b.js": 1, "games/puyo/viewer/c.js": 1}
    scripts |= {"games/puyo/bots/d/main.js": 1, "matches/static/matches/vendor/e/e.js": 0}
    for name in scripts:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("if (unknown) throw new Error();\n")
    assert eslint.main(tmp_path) == 1
    reported = capfd.readouterr().out
    assert {name: reported.count(name) for name in scripts} == scripts
