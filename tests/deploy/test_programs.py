"""Programs at home use a real arena: ``banzuke spar``, the program in docs/play/api.md, the workflow in examples/ci."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
import requests
import yaml
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from arena.http_visitor import Visitor
from core.replay import decode
from deploy.broker import free_port
from deploy.settings import ROOT
from tests.deploy.arena import OPEN, Arena, arena_running
from tests.waiting import wait_until

pytestmark = [pytest.mark.arena, pytest.mark.usefixtures("bubblewrap"), pytest.mark.timeout(600), pytest.mark.test_all]

NAME, PASSWORD = "rin", "a long secret of rin"
GUIDE = ROOT / "docs" / "play" / "api.md"
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


class Home:
    """A folder of a user who has signed in to an arena, and the command ``banzuke`` there."""

    def __init__(self, folder: Path, arena: Arena) -> None:
        self.folder, self.arena = folder, arena
        self.env = os.environ | {"XDG_CONFIG_HOME": f"{folder}/config", "XDG_CACHE_HOME": f"{folder}/cache"}
        self.env["PYTHONPATH"] = str(ROOT)
        self.token = self.ask("login/", json={"username": NAME, "password": PASSWORD})["token"]
        assert self.banzuke("login", arena.url, "--token", typed=self.token).returncode == 0

    def banzuke(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "banzuke", *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.env, input=typed, capture_output=True, text=True)

    def ask(self, path: str, **sent: Any) -> Any:
        answer = requests.request("POST" if sent else "GET", f"{self.arena.url}/api/v1/{path}", timeout=30, **sent)
        return answer.json()

    def bots(self) -> dict[str, int]:
        """Return the numbers of the bots on the board by their names."""
        return {row["name"]: row["bot"] for row in self.ask("games/kakomimasu/board/")["rows"]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with arena_running(tmp_path_factory.mktemp("arena") / "data", free_port()) as arena:
        arena.wait_for(OPEN, seconds=300)
        visitor = Visitor(arena.url)
        form = visitor.page("/accounts/signup/").form_with("username")
        visitor.submit(form, {"username": NAME, "password1": PASSWORD, "password2": PASSWORD})
        home = Home(tmp_path_factory.mktemp("home"), arena)
        (home.folder / "idle.py").write_text(IDLE)
        wait_until(lambda: "greedy" in home.bots(), lambda: arena.output, 240)
        yield home


def test_programs_at_home_play_at_tables(home: Home) -> None:
    spar = ("spar", "kakomimasu", "--against", "greedy", "--seat", "0", "--")
    done = home.banzuke(*spar, sys.executable, "idle.py")
    assert done.returncode == 0, done.stdout + done.stderr
    match = re.search(r"Match (\d+): 1\. (?:rin|greedy) \S+, [12]\. (?:rin|greedy) ", done.stdout)
    assert match, done.stdout
    records = decode((home.folder / f"match-{match[1]}.jsonl.zst").read_bytes())
    assert [seat["name"] for seat in records[0]["seats"]] == ["rin", "greedy"]

    failed = home.banzuke(*spar, sys.executable, "idle.py", "2")  # it ends in the third turn: its table is left at once
    assert failed.returncode == 2
    assert "Your program failed in turn 3 (crashed)" in failed.stderr

    (program,) = re.findall(r"```python\n(import json, os.*?)```", GUIDE.read_text(), re.DOTALL)
    told = {"SITE": home.arena.url, "TOKEN": home.token, "BOT": str(home.bots()["greedy"])}
    shown = subprocess.run([sys.executable, "-c", program], env=home.env | told, capture_output=True, text=True)
    assert re.search(r"^place [12], -?[\d.e+]+ points", shown.stdout, re.MULTILINE), shown.stdout + shown.stderr


def test_a_client_that_offers_http_2_signs_in(home: Home) -> None:
    """Java's client makes the same offer in each request."""
    body = json.dumps({"username": NAME, "password": PASSWORD})
    command = ["curl", "-sS", "-m", "60", "--http2", "--json", body, f"{home.arena.url}/api/v1/login/"]
    assert json.loads(subprocess.check_output(command))["token"]


def test_the_example_workflow_uploads_a_bot(home: Home) -> None:
    workflow = yaml.safe_load((ROOT / "examples" / "ci" / "bot.yml").read_text())
    assert workflow[True]["push"]["paths"] == [f"{workflow['env']['FOLDER']}/**"]  # YAML reads `on` as a truth value
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    *prepare, upload = [step["run"] for step in steps if "run" in step and not step["run"].startswith("pip install ")]
    (home.folder / "bin").mkdir()
    command = home.folder / "bin" / "banzuke"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m banzuke "$@"\n')
    command.chmod(0o755)
    given = {"ARENA": home.arena.url, "BANZUKE_TOKEN": home.token, "PATH": f"{command.parent}:{os.environ['PATH']}"}
    env = {**home.env, **workflow["env"], **given}

    def run(line: str) -> tuple[int, str]:
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line]
        done = subprocess.run(shell, cwd=home.folder, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    assert home.banzuke("new", "kakomimasu", "python", env["FOLDER"]).returncode == 0
    for line in prepare:
        status, told = run(line)
        assert status == 0, told
    status, told = run(upload)
    assert (status, "✓ Active" in told) == (0, True), told

    (home.folder / env["FOLDER"] / "main.py").write_text("print('hello')\n")
    status, told = run(upload)
    assert (status, "✗ Check match played" in told) == (1, True), told
    assert "banzuke play" in told or "answer" in told


def test_files_are_tried_without_an_upload(home: Home) -> None:
    (home.folder / "talker.py").write_text(f"import sys\nprint('ready', file=sys.stderr)\n{IDLE}")
    tried = ("try", "talker.py", "--game", "kakomimasu", "--against")
    played = home.banzuke(*tried, "greedy", "--seat", "1")
    assert played.returncode == 0, played.stdout + played.stderr
    # Who does nothing has 0 points, which may be more than the other's.
    rows = rf"^greedy +-?\d+ +[12] .*\n{NAME} \(you\) +0 +[12] "
    assert re.search(rows, played.stdout, re.MULTILINE), played.stdout
    assert "\nturn 1| ready\n" in played.stdout
    replay = re.search(r"^banzuke watch (try-(\d+)\.jsonl\.zst)$", played.stdout, re.MULTILINE)
    assert replay, played.stdout
    first = decode((home.folder / replay[1]).read_bytes())
    assert [seat["name"] for seat in first[0]["seats"]] == ["greedy", NAME]
    assert "ready" in (home.folder / f"try-{replay[2]}-log.json").read_text()

    played_on = home.banzuke(*tried, "greedy", "--seat", "0", "--from-try", replay[2], "--from-turn", "4")
    replay = re.search(r"^banzuke watch (try-(\d+)\.jsonl\.zst)$", played_on.stdout, re.MULTILINE)
    assert replay, played_on.stdout + played_on.stderr
    again = decode((home.folder / replay[1]).read_bytes())
    answers = [[[seat["answer"] for seat in turn["seats"]] for turn in match[1:5]] for match in (first, again)]
    assert (again[0]["seed"], answers[1][:3]) == (first[0]["seed"], answers[0][:3])
    assert answers[1][3][0] == ["NONE"] * len(answers[1][3][0])

    (home.folder / "talker.py").write_text("import sys\n1 / 0\n")
    failed = home.banzuke(*tried, "greedy")
    assert failed.returncode == 1
    assert "Your program failed" in failed.stdout
    assert "talker.py:2: ZeroDivisionError: division by zero" in failed.stdout

    (home.folder / "talker.py").write_bytes(b"\xff")
    assert "is no text in UTF-8" in home.banzuke(*tried, "greedy").stderr
    assert "No bot of kakomimasu is called nobody." in home.banzuke("try", "idle.py", *tried[2:], "nobody").stderr


def test_a_coding_agent_writes_tries_and_submits_a_bot(home: Home) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "banzuke", "mcp"], env=home.env, cwd=home.folder)

    async def work() -> None:
        async with Client(server) as client:

            async def ask(tool: str, *, refused: bool = False, **arguments: Any) -> str:
                told = await client.call_tool(tool, arguments)
                text = "\n".join(part.text for part in told.content if isinstance(part, TextContent))
                assert told.is_error == refused, text
                return text

            assert "kakomimasu" in await ask("list_contests")
            assert "## Protocol" in await ask("read_rules", contest="kakomimasu")
            assert '"name":"greedy"' in await ask("show_board", contest="kakomimasu")
            kit = json.loads(await ask("show_starter_kit", contest="kakomimasu"))
            for path, text in kit.items():
                (home.folder / "agent" / path).parent.mkdir(parents=True, exist_ok=True)
                (home.folder / "agent" / path).write_text(text)
            # One program plays as one bot only, and another test has uploaded the kit.
            (home.folder / "agent" / "main.py").write_text(f"{kit['main.py']}# by an agent\n")
            chosen = {"path": "agent", "contest": "kakomimasu"}
            played = await ask("try_bot", **chosen, against="greedy")
            number = re.match(r"Try (\d+): finished\.\nThe match ended after ", played)
            assert number, played
            turns = json.loads(await ask("show_turns", number=int(number[1]), first=2, last=3))
            assert [turn["turn"] for turn in turns] == [2, 3]
            played_on = await ask("try_bot", **chosen, against="greedy", from_try=int(number[1]), from_turn=2)
            assert ": finished.\nThe match ended after " in played_on
            submitted = await ask("submit_bot", **chosen, name="Agent")
            assert re.match(r"Agent, version 1 \(number \d+\): active\.", submitted), submitted
            assert "Agent" in await ask("list_own_bots")
            assert "does not lie below" in await ask("try_bot", refused=True, path="/etc", contest="kakomimasu")
            assert "There is no contest nothing" in await ask("try_bot", refused=True, path="agent", contest="nothing")

    anyio.run(work)
