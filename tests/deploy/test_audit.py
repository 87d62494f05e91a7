"""``make audit`` with a local server instead of the public database of vulnerabilities."""

from __future__ import annotations

import json
import os
import subprocess
from http.server import HTTPServer
from pathlib import Path

from tests.serving import QuietHandler, serving

ROOT = Path(__file__).parents[2]


class Database(HTTPServer):
    """A database with at most one vulnerable package; it records the packages that it was asked for."""

    def __init__(self, vulnerable: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.vulnerable = vulnerable
        self.asked: set[str] = set()


class Answers(QuietHandler):
    """Answers the requests to OSV's interface that we use (https://google.github.io/osv.dev/post-v1-query/)."""

    server: Database

    def respond(self) -> None:
        """Answer with the vulnerabilities of a package."""
        name = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["package"]["name"]
        self.server.asked.add(name)
        affected = [{"package": {"name": name, "ecosystem": "PyPI"}, "ranges": [], "versions": []}]
        known = [{"id": "PYSEC-2026-1", "modified": "2026-01-01T00:00:00Z", "summary": "Bad.", "affected": affected}]
        self.answer(json.dumps({"vulns": known} if name == self.server.vulnerable else {}).encode())


def audit(url: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OSV_URL": f"{url}/v1/query"}
    return subprocess.run(["make", "audit"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_every_pinned_package_is_checked() -> None:
    with serving(database := Database()) as url:
        done = audit(url)
    assert done.returncode == 0, done.stderr
    assert "No known vulnerabilities found" in done.stderr
    text = "".join((ROOT / name).read_text() for name in ("requirements.txt", "requirements-dev.txt"))
    assert database.asked == {line.split("==")[0].split("[")[0] for line in text.splitlines() if "==" in line}


def test_a_vulnerability_is_named_and_fails() -> None:
    with serving(Database("django")) as url:
        done = audit(url)
    assert done.returncode != 0
    assert "PYSEC-2026-1" in done.stdout


def test_an_unreachable_database_fails() -> None:
    assert audit("http://127.0.0.1:1").returncode != 0
