"""In continuous integration nothing may skip."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.settings import ROOT

SKIPPING = {
    "in a test": "import pytest\ndef test_it(): pytest.skip('needs an engine')",
    "by a mark": "import pytest\n@pytest.mark.skip(reason='needs an engine')\ndef test_it(): pass",
    "in a fixture": "import pytest\n@pytest.fixture\ndef x(): pytest.skip('needs an engine')\ndef test_it(x): pass",
    "a whole file": "import pytest\npytest.skip('needs an engine', allow_module_level=True)",
}


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_skip_fails_when_ci_is_set_and_names_what_is_missing(tmp_path: Path, ci: str) -> None:
    for number, program in enumerate(SKIPPING.values()):
        (tmp_path / f"test_{number}.py").write_text(program)
    argv = [sys.executable, "-m", "pytest", "-c", os.devnull, "-p", "tests.conftest", "-ra", str(tmp_path)]
    argv += ["-p", "no:schemathesis", "--continue-on-collection-errors"]
    result = subprocess.run(argv, cwd=ROOT, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False)
    assert ("1 failed, 3 errors" if ci else "4 skipped") in result.stdout, result.stdout
    assert ("Nothing may skip when CI is set" in result.stdout) == bool(ci)
    assert result.stdout.count("needs an engine") >= len(SKIPPING)
    assert bool(result.returncode) == bool(ci)
