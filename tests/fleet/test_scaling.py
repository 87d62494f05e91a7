"""The guide's script that scales workers from cron, as a shell runs it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_django import Settings

from deploy.settings import ROOT
from tests.fleet.makers import make_worker

PAGE = (ROOT / "docs" / "run" / "hosts.md").read_text()
SCRIPT = re.findall(r"^```sh\n(token=.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def run(folder: Path, site: str) -> tuple[str, str]:
    """Run the script; return the arguments it gives to ``docker``, and its error output."""
    (folder / "docker").write_text(f'#!/bin/sh\necho "$@" >{folder}/asked\n')
    (folder / "docker").chmod(0o755)
    (folder / "arena.env").write_text('BOT_LIMITS={"puyo": {"memory_mib": 512}}\nMETRICS_TOKEN=right\n')
    (script,) = SCRIPT
    script = f"PATH={folder}:$PATH\n{script.replace('https://arena.example', site)}"
    done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
    asked = folder / "asked"
    return asked.read_text().strip() if asked.exists() else "", done.stderr


@pytest.mark.django_db(transaction=True)
def test_cron_asks_compose_for_as_many_workers_as_are_wanted(
    site_url: str, broker_url: str, settings: Settings, tmp_path: Path
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl: apt-get install curl")
    settings.METRICS_TOKEN, settings.REDIS_URL = "another", broker_url
    make_worker()
    asked, said = run(tmp_path, site_url)
    assert (asked, "404" in said) == ("", True), "nobody tells how many are wanted"
    settings.METRICS_TOKEN = "right"
    asked, said = run(tmp_path, site_url)
    assert asked.endswith("--scale worker=1 worker"), said
    # Without it, compose also restarts, each minute, the ended service that writes the running broker's ACL file.
    assert "--no-deps" in asked
