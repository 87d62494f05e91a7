"""The visitor of the demonstration with a small real server, and errors of the demonstration."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from arena.demo import BOT, DemoFailed, demo
from arena.http_visitor import PageFailed, Visitor
from deploy.broker import free_port
from deploy.settings import ROOT
from tests.serving import serving

FORM = """<p>Search <form action="/search"><input name="q"></form>
<form action="/take" method="post"><input type="hidden" name="token" value="t1">
<input name="name"><input type="file" name="upload"></form> <a href="/matches/7/">seven</a>"""


class Site(BaseHTTPRequestHandler):
    """A server with a page that holds a form; it records what is sent."""

    taken = b""

    def do_GET(self) -> None:
        self.answer(200 if self.path == "/form" else 404, FORM if self.path == "/form" else "<b>No such page</b>")

    def do_POST(self) -> None:
        type(self).taken = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, f"cookie {self.headers['Cookie']}, from {self.headers['Referer']}")

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Set-Cookie", "session=s1")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def visitor() -> Iterator[Visitor]:
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Site)) as url:
        yield Visitor(url)


def test_form_is_sent_with_its_hidden_fields_cookies_and_file(visitor: Visitor) -> None:
    form = visitor.page("/form").form_with("token")
    page = visitor.submit(form, {"name": "n1"}, {"upload": ("bot.zip", b"zip-bytes")})
    assert all(part in Site.taken for part in (b"t1", b"n1", b'filename="bot.zip"', b"zip-bytes"))
    assert "session=s1," in page.words
    assert page.words[-1] == visitor.url


def test_links_are_absolute_urls(visitor: Visitor) -> None:
    assert visitor.page("/form").links == [f"{visitor.url}/matches/7/"]


def test_an_error_quotes_the_page(visitor: Visitor) -> None:
    with pytest.raises(PageFailed, match=r"/none answers 404: No such page"):
        visitor.get("/none")


def test_a_missing_form_is_an_error(visitor: Visitor) -> None:
    with pytest.raises(PageFailed, match="no form with a field “password1”"):
        visitor.page("/form").form_with("password1")


def test_demo_without_an_arena_names_its_first_step() -> None:
    with pytest.raises(DemoFailed, match=r"The step “sign up” failed: .* does the arena run there\?"):
        demo(f"http://127.0.0.1:{free_port()}", lambda line: None)


def test_the_demonstrations_bot_plays_to_the_end(tmp_path: Path) -> None:
    for path in BOT:
        shutil.copy(path, tmp_path)
    bot = f"{sys.executable} {tmp_path / 'main.py'}"
    argv = [sys.executable, "-m", "core", "play", "kakomimasu", bot, bot, "--seed", "1"]
    shown = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    scores = [int(line.split()[-2]) for line in shown.splitlines() if line.startswith("seat ")]
    assert len(scores) == 2
    assert all(score > 0 for score in scores), shown
