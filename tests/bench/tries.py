"""Benchmark of the workshop: ``python -m tests.bench.tries [--tries 10]`` on an arena with nobody else in it.

Prints how long it takes from the request of a try to its first frame and to its end, for the starter kit in Python.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import requests

from arena.http_visitor import Visitor
from deploy.broker import free_port
from deploy.settings import ROOT
from games.kits import kit_files

PASSWORD = "a long secret of hana"  # of an arena that ends with this program
QUICK = {"GAMES": "kakomimasu", "LANGUAGES": "python", "SANDBOX": "bubblewrap"}
OPEN_SECONDS_MAX = 300
WORKSHOP = "/workshop/games/kakomimasu/"


def main() -> None:
    """Start an arena, make tries one after another, and print what they took."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tries")
    parser.add_argument("--tries", type=int, default=10, help="how many (default: %(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        url = f"http://localhost:{(port := free_port())}"
        env = {**os.environ, **QUICK, "DATA": name, "PORT": str(port)}
        command = [sys.executable, "-m", "deploy.arena"]
        with subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as arena:
            try:
                measured = figures(url, arguments.tries)
            finally:
                arena.terminate()
    for title, seconds in measured.items():
        low, high = min(seconds), max(seconds)
        sys.stdout.write(f"{title}: median {statistics.median(seconds):.2f} s, from {low:.2f} to {high:.2f}\n")


def figures(url: str, count: int) -> dict[str, list[float]]:
    """Return the seconds of each try until its first frame, and until its end.

    Args:
        url: of the arena, which is just starting.
        count: how many tries are made.
    """
    board = f"{url}/api/v1/games/kakomimasu/board/"
    wait(lambda: any(row["name"] == "greedy" for row in asked(board).get("rows", [])), OPEN_SECONDS_MAX)
    session = signed_up(url)
    bot = next(row["bot"] for row in asked(board)["rows"] if row["name"] == "greedy")
    versions = asked(f"{url}/api/v1/bots/{bot}/versions/")["results"]
    version = next(row["id"] for row in versions if row["state"] == "active")
    first, whole = [], []
    files = {name: data.decode() for name, data in kit_files("kakomimasu", "python").items() if name.endswith(".py")}
    for number in range(count):
        body = {"language": "python", "files": files, "opponent": version, "seat": number % 2}
        headers = {"X-CSRFToken": session.cookies["csrftoken"], "Referer": url}
        begun = time.monotonic()
        answer = session.post(f"{url}{WORKSHOP}tries/", json=body, headers=headers, timeout=60)
        assert answer.status_code == 201, answer.text
        told = f"{url}/workshop/tries/{answer.json()['id']}/"
        wait(lambda told=told: asked(told, session)["step"] == "check", 60)  # type: ignore[misc]
        if asked(told, session)["state"] == "running":
            with session.get(f"{told}live/", stream=True, timeout=60) as events:
                next(line for line in events.iter_lines() if line in (b"event: lines", b"event: over"))
        first.append(time.monotonic() - begun)
        wait(lambda told=told: asked(told, session)["state"] == "finished", 60)  # type: ignore[misc]
        whole.append(time.monotonic() - begun)
    return {"first frame": first, "end of the match": whole}


def signed_up(url: str) -> requests.Session:
    """Return the session of a new user."""
    visitor = Visitor(url)
    form = visitor.page("/accounts/signup/").form_with("username")
    visitor.submit(form, {"username": "hana", "password1": PASSWORD, "password2": PASSWORD})
    visitor.get(WORKSHOP)
    return visitor.session


def asked(url: str, session: requests.Session | None = None) -> dict[str, Any]:
    """Return what a url tells as JSON; nothing while the arena does not answer."""
    try:
        answer = (session or requests).get(url, timeout=30)
    except requests.ConnectionError:
        return {}
    return answer.json() if answer.ok else {}


def wait(is_so: Any, seconds: float) -> None:
    """Ask again and again until something is so."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "the arena did not come so far"
        time.sleep(0.05)


if __name__ == "__main__":
    main()
