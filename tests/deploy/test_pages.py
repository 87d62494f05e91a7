"""Errors of the demonstration and of its visitor; ``test_arena.py`` runs the demonstration itself."""

from __future__ import annotations

from http.server import HTTPServer

import pytest

from arena.demo import DemoFailed, demo
from arena.http_visitor import PageFailed, Visitor
from deploy.broker import free_port
from tests.serving import QuietHandler, serving


class Site(QuietHandler):
    """A server with one page, which has no form."""

    def respond(self) -> None:
        if self.path == "/":
            self.answer(b"<b>No form</b>")
        else:
            self.answer(b"<b>No such page</b>", status=404, kind="text/html")


def test_an_error_quotes_the_page_and_a_missing_form_is_one() -> None:
    with serving(HTTPServer(("127.0.0.1", 0), Site)) as url:
        with pytest.raises(PageFailed, match=r"/none answers 404: No such page"):
            Visitor(url).get("/none")
        with pytest.raises(PageFailed, match="no form with a field “password1”; it says: No form"):
            Visitor(url).page("/").form_with("password1")


def test_demo_without_an_arena_names_its_first_step() -> None:
    with pytest.raises(DemoFailed, match=r"The step “sign up” failed: .* does the arena run there\?"):
        demo(f"http://127.0.0.1:{free_port()}", lambda line: None)
