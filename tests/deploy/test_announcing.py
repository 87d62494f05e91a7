"""The URL of an arena is printed when its first page answers, on a slow machine too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from queue import Queue

import pytest

from deploy import arena
from deploy.broker import free_port
from deploy.settings import Settings
from tests.serving import serving

PATIENCE_SECONDS = 60


def test_a_slow_site_is_announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: Queue[str] = Queue()
    monkeypatch.setattr(arena, "say", said.put)
    monkeypatch.setattr(arena, "ANSWER_SECONDS_MAX", 0)
    monkeypatch.chdir(tmp_path)
    settings = Settings(tmp_path, free_port(), "auto")
    with ThreadPoolExecutor(1) as other:
        announcing = other.submit(arena.announce, settings)
        assert "has not answered for 0 seconds" in said.get(timeout=PATIENCE_SECONDS)
        with serving(HTTPServer(("127.0.0.1", settings.port), SimpleHTTPRequestHandler)):
            announcing.result(PATIENCE_SECONDS)
    assert f"The arena is open: {settings.url}" in said.get_nowait()
    assert said.empty()
