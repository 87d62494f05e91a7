"""Log lines never show the values of local variables."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deploy.settings import ROOT

PROGRAM = """
import logging.config, structlog
from wire.logs import logging_config
logging.config.dictConfig(logging_config(as_json={as_json}))
def fail():
    password = "hunter" + str(2)
    raise ValueError("cause")
try:
    fail()
except ValueError:
    structlog.get_logger("test").exception("failed", match=7)
    logging.getLogger("library").exception("failed too")
"""


@pytest.mark.parametrize("as_json", [True, False])
def test_tracebacks_show_the_cause_but_no_secret(as_json: bool) -> None:
    argv = [sys.executable, "-c", PROGRAM.format(as_json=as_json)]
    shown = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    assert shown.count("cause") >= 2
    assert "hunter2" not in shown
    assert (len(shown.splitlines()) == 2) is as_json
