"""docs/play/api.md is right: its examples run, its table has all problems, and its limits are the real ones."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.cache import cache
from knox.models import AuthToken

from accounts.models import AuditEntry
from api.problems import PROBLEMS
from arena.settings import base
from banzuke.commands import main as banzuke
from deploy.settings import ROOT
from ladder.models import Bot
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_user

GUIDE = (ROOT / "docs" / "play" / "api.md").read_text()


@pytest.mark.django_db(transaction=True)
def test_the_examples_run(site_url: str, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl: apt-get install curl")
    cache.clear()
    make_user("alice")
    staff, worker = make_user("root admin", is_staff=True), make_worker()
    _, token = AuthToken.objects.create(user=staff)
    script = "set -euo pipefail\n" + "".join(re.findall(r"^```sh\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))
    env = os.environ | {"SITE": site_url, "ADMINISTRATOR": token, "WORKER": str(worker.pk)}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert Bot.objects.get().versions.get().state == "retired"
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == [
        "worker_scale",
        "worker_drain",
        "worker_resume",
    ]


def test_the_bot_of_the_upload_example_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If it were rejected, the examples of ``first-games/`` and ``retire/`` would fail."""
    written = re.search(r"^cat > main\.py <<'END'\n(.*?)^END$", GUIDE, re.DOTALL | re.MULTILINE)
    assert written
    (tmp_path / "main.py").write_text(written[1])
    bot = shlex.join([sys.executable, str(tmp_path / "main.py")])
    for players in (2, 4):
        assert banzuke(["play", "kakomimasu", *[bot] * players, "--seed", "1"]) == 0
        assert "turn" not in capsys.readouterr().out.partition("score  rank")[2], "somebody is at fault"


def test_the_table_has_all_problems() -> None:
    table = GUIDE.partition("| status |")[2]
    assert set(re.findall(r"^\| \d+ \| `([\w-]+)`", table, re.MULTILINE)) == set(PROBLEMS)


def test_the_limits_are_those_of_the_settings() -> None:

    assert base.API_RATES == {"anon": "120/min", "user": "600/min"}
    assert "120 times a minute, a user 600 times" in GUIDE
    assert base.REST_KNOX["TOKEN_TTL"].days == 365
    words = " ".join(GUIDE.split())
    for action, limit, told in (
        ("upload", "30/m/user", "30 uploads a minute"),
        ("rerun", "20/h/user", "20 re-runs and"),
        ("trial", "20/h/user", "20 private tests an hour"),
        ("try", "240/h/user", "240 tries an hour"),
        ("challenge", "20/h/user", "20 challenges,"),
        ("login", "30/m/ip", "30 logins a minute"),
        ("log", "30/m/visitor", "downloaded 30 times a minute"),
        ("download", "60/h/user", "uploads 60 times an hour"),
    ):
        assert base.ACCOUNT_RATE_LIMITS[action] == limit
        assert told in words
