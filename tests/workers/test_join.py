"""``workers.join``: what it refuses to send, to accept and to write."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest

from tests.serving import serving
from tests.workers.conftest import FileSite
from wire.admission import Admission
from workers.join import CannotJoin, join, main

GOOD = Admission("north", "redis://host-north:secret@broker:6379/0", 30.0)
Answering = Callable[..., str]


@pytest.fixture
def answering() -> Iterator[Answering]:
    """Start a site that answers every POST with these bytes and status; return its URL."""
    servers = ExitStack()

    def start(answer: bytes, status: int = 200) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.send_response(status)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: object) -> None:
                """Log nothing."""

        return servers.enter_context(serving(HTTPServer(("127.0.0.1", 0), Handler)))

    with servers:
        yield start


NO_TOKENS = ("", "abc", "https://arena.example", "https://#x", "ftp://arena.example#x", "#x")


@pytest.mark.parametrize(
    ("token", "words"),
    [
        *((token, "This is no token") for token in NO_TOKENS),
        ("http://arena.example#secret", "not encrypted"),  # a secret does not travel in the clear
        ("http://127.0.0.1:9#secret", "token is still good"),
    ],
)
def test_a_malformed_token_and_a_site_that_is_away_are_told_apart(token: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(CannotJoin, match=words):
        join(token, file=tmp_path / "worker.env")
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_tried_before_the_token_is_used_up(site: FileSite, tmp_path: Path) -> None:
    with pytest.raises(CannotJoin, match="cannot be written"):
        join(f"{site.url}#secret", file=tmp_path / "no folder" / "worker.env")
    assert site.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>welcome</html>",
        msgspec.json.encode({"host": "x"}),
        # The attack: a site, or somebody in between, writes a variable into the worker's environment file.
        msgspec.json.encode(msgspec.structs.replace(GOOD, redis_url="redis://x\nLD_PRELOAD=/tmp/evil.so")),
        msgspec.json.encode(msgspec.structs.replace(GOOD, redis_url="redis://x';reboot;'")),
    ],
    ids=["a page", "half", "another variable", "a command"],
)
def test_an_answer_that_is_none_is_not_written(answer: bytes, answering: Answering, tmp_path: Path) -> None:
    with pytest.raises(CannotJoin, match="no arena of this version"):
        join(f"{answering(answer)}#secret", file=tmp_path / "worker.env")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("status", [200, 403])
def test_a_sites_answer_cannot_control_the_terminal(
    status: int, answering: Answering, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = msgspec.structs.replace(GOOD, host="north\x1b]0;gone\x07\u202e")
    answer = msgspec.json.encode(named) if status == 200 else named.host.encode()
    assert main([f"{answering(answer, status)}#secret", "--file", str(tmp_path / "worker.env")]) == (status != 200)
    assert r"north\x1b]0;gone\x07\u202e" in "".join(capsys.readouterr())


def test_a_shell_reads_what_is_written(answering: Answering, tmp_path: Path) -> None:
    address = "rediss://host-north:secret@broker:6379/0?ssl_cert_reqs=required&ssl_ca_certs=/etc/ssl/ca.pem"
    admission, file = msgspec.structs.replace(GOOD, redis_url=address), tmp_path / "worker.env"
    file.write_text("REDIS_URL=redis://old\n")
    assert join(f"{answering(msgspec.json.encode(admission))}#secret", file=file) == admission
    script = '. ./worker.env && echo "$REDIS_URL $LEASE_SECONDS"'
    shown = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout == f"{address} 30\n"
