"""The viewer at home serves the site's page and scripts, and loads nothing from other sites."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, expect

from banzuke.frames import played_records
from banzuke.replays import replay_read
from banzuke.text import UserError
from banzuke.viewer import HERE, viewer_server
from core.message import said
from core.referee import Reply, SeatInfo, play
from core.replay import decode, encode
from games.registry import game_named
from tests.banzuke.conftest import Refusal
from tests.own import OWN
from tests.serving import serving


def replay_of(game: str) -> bytes:
    """Return the replay of a short match, in which all bots give up at once."""
    rules = game_named(game)
    seats = [SeatInfo(f"bot {seat}") for seat in range(rules.players[0])]
    match = play(rules, seed=1, seats=seats)
    mute = Reply((), fault="crashed", why=said("The bot ended."))
    return encode(list(played_records(match, lambda turn: {ask.seat: mute for ask in turn.asks})))


@pytest.fixture
def viewer_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the URL of a viewer with a replay of the game that the test names, by default Kakomimasu."""
    data = replay_of(getattr(request, "param", "kakomimasu"))
    with serving(viewer_server(data, decode(data))) as url:
        yield url


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/replay.json", "application/json"),
        ("/match.replay", "application/octet-stream"),
        ("/static/matches/viewer/main.js", "text/javascript"),
        ("/static/ladder/site.css", "text/css"),
    ],
)
def test_it_serves_the_page_the_replay_and_the_sites_files(viewer_url: str, path: str, kind: str) -> None:
    answer = requests.get(viewer_url + path, timeout=10)
    assert (answer.status_code, answer.headers["Content-Type"]) == (HTTPStatus.OK, kind)
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/static/", "/static/ladder/../../../pyproject.toml", "/static/ladder//etc/passwd", "/static/x"],
)
def test_it_serves_nothing_else(viewer_url: str, path: str) -> None:
    request = requests.Request("GET", viewer_url).prepare()
    request.url = viewer_url + path.replace("..", "%2e%2e")
    assert requests.Session().send(request, timeout=10).status_code == HTTPStatus.NOT_FOUND


def test_dns_rebinding_cannot_read_the_replay(viewer_url: str) -> None:
    answer = requests.get(viewer_url + "/replay.json", headers={"Host": "evil.example"}, timeout=10)
    assert answer.status_code == HTTPStatus.FORBIDDEN


def test_a_browser_that_disconnects_is_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    data = replay_of("kakomimasu")
    browser, connection = socket.socketpair()
    with browser:
        browser.send(b"GET /replay.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with viewer_server(data, decode(data)) as server:
        server.process_request_thread(connection, ("127.0.0.1", 1))
    assert capsys.readouterr().err == ""


@pytest.mark.browser
@pytest.mark.parametrize("viewer_url", OWN, indirect=True)
def test_the_viewer_shows_every_game_without_other_requests(viewer_url: str, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(viewer_url)
    expect(page.locator("[data-viewer='root']")).to_have_attribute("data-state", "ready")
    page.keyboard.press("End")
    expect(page.locator("[data-viewer='seats']")).to_contain_text("bot 0")
    context.close()
    assert errors == []
    assert {url.removeprefix(viewer_url)[0] for url in asked} == {"/"}


def parts(page: str) -> set[str]:
    """Return the parts of a page that the viewer's scripts need: elements, words and files."""
    (config,) = re.findall(r'id="viewer-page" type="application/json">(.*?)</script>', page)
    places = re.findall(r'data-viewer="\w+"', page)
    return {*places, *json.loads(config), *json.loads(config)["words"], *re.findall(r'"/static/[^"]+"', page)}


def test_the_page_has_the_same_parts_as_the_site() -> None:
    from matches.management.commands.home_viewer import page

    viewer = (HERE / "viewer.html").read_text(encoding="utf-8")
    assert parts(viewer) == parts(page()), "The viewer has changed. Run: .venv/bin/python manage.py home_viewer"


def test_a_browser_whose_start_blocks_finds_the_page(tmp_path: Path) -> None:
    """Opening a browser in a terminal, or one that BROWSER names, may return only when it is closed."""
    replay, browser, seen = tmp_path / "match.replay", tmp_path / "browser", tmp_path / "seen"
    replay.write_bytes(replay_of("kakomimasu"))
    browser.write_text(
        f"#!{sys.executable}\nimport sys, urllib.request\nurllib.request.urlretrieve(sys.argv[1], {str(seen)!r})"
    )
    browser.chmod(0o755)
    os.mkfifo(seen)
    argv = [sys.executable, "-m", "banzuke", "watch", str(replay)]
    environment = {**os.environ, "BROWSER": f"{browser} %s"}
    with subprocess.Popen(argv, env=environment, stdout=subprocess.DEVNULL) as watch:
        assert "<!doctype html>" in seen.read_text().lower()
        watch.terminate()


@pytest.mark.parametrize("command", ["watch", "tui"])
def test_a_broken_replay_is_a_sentence(command: str, refusal: Refusal, tmp_path: Path) -> None:
    broken = tmp_path / "match.replay"
    broken.write_bytes(replay_of("kakomimasu")[:-9])
    assert str(broken) in refusal(command, broken)
    assert "No such file" in refusal(command, tmp_path / "none")


@pytest.mark.parametrize("words", [("watch", "match.replay", "--port", "x"), ("play", "puyo", "--talk", "x")])
def test_an_invalid_port_is_refused_in_words(words: tuple[str, ...], refusal: Refusal) -> None:
    assert "'x' is no whole number" in refusal(*words)


@pytest.mark.parametrize(
    ("line", "change", "sentence"),
    [(0, {"game": "../chess"}, "a game that is not known here, '../chess'")]
    + [(-1, {name: []}, "does not tell how each of its seats ended") for name in ("ranks", "scores", "faults")],
)
def test_a_replay_that_cannot_be_shown_is_a_sentence(
    line: int, change: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    records = decode(replay_of("kakomimasu"))
    records[line].update(change)
    path = tmp_path / "match.replay"
    path.write_bytes(encode(records))
    with pytest.raises(UserError, match=sentence):
        replay_read(path)
