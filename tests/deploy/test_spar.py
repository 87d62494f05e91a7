"""Programs at home play at tables of a real arena: by ``banzuke spar``, and by the program in docs/api.md alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from arena.http_visitor import Visitor
from core.replay import decode
from deploy.broker import free_port
from deploy.settings import ROOT
from tests.deploy.arena import OPEN, arena_running
from tests.waiting import wait_until

pytestmark = [pytest.mark.arena, pytest.mark.timeout(600)]

NAME, PASSWORD = "rin", "a long secret of rin"
GUIDE = ROOT / "docs" / "api.md"
IDLE = """
import sys

def lines(count):
    return [input() for _ in range(count)]

seat, players, width, height, agents, turns = map(int, input().split())
lines(height)
for turn in range(int(sys.argv[1]) if len(sys.argv) > 1 else turns):
    lines(1 + players + height + players * agents + 1)
    print("\\n".join("NONE" for _ in range(agents)), flush=True)
"""
"""Does nothing; with an argument it ends after so many turns."""


def test_programs_at_home_play_at_tables(tmp_path: Path, bubblewrap: str) -> None:
    with arena_running(tmp_path / "data", free_port()) as arena:
        arena.wait_for(OPEN, seconds=300)
        visitor = Visitor(arena.url)
        form = visitor.page("/accounts/signup/").form_with("username")
        visitor.submit(form, {"username": NAME, "password1": PASSWORD, "password2": PASSWORD})
        api = f"{arena.url}/api/v1/"

        def bots() -> dict[str, int]:
            rows = requests.get(f"{api}games/kakomimasu/board/", timeout=30).json()["rows"]
            return {row["name"]: row["bot"] for row in rows}

        wait_until(lambda: "greedy" in bots(), lambda: arena.output, 240)
        env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        folder = tmp_path / "home"
        folder.mkdir()
        (folder / "idle.py").write_text(IDLE)

        def banzuke(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
            command = [sys.executable, "-m", "banzuke", *arguments]
            return subprocess.run(
                command, cwd=folder, env=env | {"PYTHONPATH": str(ROOT)}, input=typed, capture_output=True, text=True
            )

        assert banzuke("login", arena.url, "--name", NAME, typed=f"{PASSWORD}\n").returncode == 0

        spar = ("spar", "kakomimasu", "--against", "greedy", "--seat", "0", "--")
        done = banzuke(*spar, sys.executable, "idle.py")
        assert done.returncode == 0, done.stdout + done.stderr
        match = re.search(r"Match (\d+): 1\. (?:rin|greedy) \S+, [12]\. (?:rin|greedy) ", done.stdout)
        assert match, done.stdout
        records = decode((folder / f"match-{match[1]}.jsonl.zst").read_bytes())
        assert [seat["name"] for seat in records[0]["seats"]] == ["rin", "greedy"]

        failed = banzuke(*spar, sys.executable, "idle.py", "2")  # it ends in the third turn: its table is left at once
        assert failed.returncode == 2
        assert "Your program failed in turn 3 (crashed)" in failed.stderr

        (program,) = re.findall(r"```python\n(import json, os.*?)```", GUIDE.read_text(), re.DOTALL)
        token = requests.post(f"{api}login/", json={"username": NAME, "password": PASSWORD}, timeout=30).json()["token"]
        told = {"SITE": arena.url, "TOKEN": token, "BOT": str(bots()["greedy"])}
        shown = subprocess.run([sys.executable, "-c", program], env=env | told, capture_output=True, text=True)
        assert re.search(r"^place [12], -?[\d.e+]+ points", shown.stdout, re.MULTILINE), shown.stdout + shown.stderr
