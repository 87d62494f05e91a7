"""Bots' drawings at home: the example of the page draws, and its log is shown in the browser and in the terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from banzuke.replays import replay_read
from banzuke.turnlog import LoggedTurn, log_path, log_read
from banzuke.viewer import viewer_server
from core.replay import decode
from deploy.settings import ROOT
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.makers import bot
from tests.serving import serving
from wire import turnlog

PAGE = (ROOT / "docs" / "play" / "drawings.md").read_text()


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the replay of a match of the page's bot, with its log beside it."""
    from banzuke.commands import main

    folder = tmp_path_factory.mktemp("drawer")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (folder / "drawer.py").write_text(code)
    path = folder / "match.replay"
    main(["play", "kakomimasu", str(folder / "drawer.py"), "house:greedy", "--seed", "3", "--replay", str(path)])
    return path


def test_the_bot_of_the_page_plays_and_all_that_it_draws_can_be_read(
    replay: Path, banzuke: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not any(decode(replay.read_bytes())[-1]["faults"])
    turns = [turn for turn in log_read(replay) if turn.seat == 0]
    assert {line.split()[0] for turn in turns for line in turn.stderr.splitlines()} == {
        "@cell",
        "@line",
        "@text",
        "@value",
    }
    assert max(len(turn.stderr) for turn in turns) < 2_048
    assert banzuke("tui", replay, "--text") == 0
    (answer,) = re.findall(r"^turn 1\nseat 0: .*", capsys.readouterr().out, re.MULTILINE)
    assert re.search(r" ms\)  hoped \d+$", answer)


@pytest.mark.browser
def test_it_draws_at_home_without_other_requests(replay: Path, browser: Browser) -> None:
    errors: list[str] = []
    server = viewer_server(replay.read_bytes(), replay_read(replay), log=log_read(replay))
    with serving(server) as url, browser.new_context() as context:
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(f"{url}#t=12")
        drawings = page.locator("[data-viewer=drawings]")
        expect(drawings).to_contain_text("hoped")
        expect(page.locator(".viewer-drawn-note")).to_have_text("")
        image = "document.querySelector('[data-viewer=board]').toDataURL()"
        drawn = page.evaluate(image)
        page.get_by_role("checkbox", name="Drawings").uncheck()
        assert page.evaluate(image) != drawn
        page.locator("[data-viewer=own] summary").click()
        expect(page.locator("[data-viewer=own] pre").first).to_contain_text("@cell yellow")
    assert errors == []


@pytest.mark.browser
def test_without_a_log_the_viewer_has_no_place_for_one(replay: Path, browser: Browser) -> None:
    server = viewer_server(replay.read_bytes(), replay_read(replay))
    with serving(server) as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
        for name in ("own", "drawings"):
            expect(page.locator(f"[data-viewer={name}]")).to_be_hidden()


def test_a_live_match_in_the_terminal_has_the_values(
    banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = "print('@value depth 3\\n@value \\x1b[2J 4', file=sys.stderr)"
    path = bot(tmp_path / "bots", "drawer", begin=begin)
    argv = ["kakomimasu", path, "house:ring", "--seed", 1, "--option", "turns=2", "--text"]
    assert banzuke("tui", *argv) == 0
    out = capsys.readouterr().out
    assert re.search(r"\nturn 1\nseat 0: NONE.* ms\)  depth 3  \\x1b\[2J 4\n", out)
    assert out.count("depth 3") == 1, "what was written in the first turn belongs to no other"


@pytest.mark.parametrize("options", [(), ("--sandbox", "bubblewrap")])
def test_of_a_turn_as_much_is_kept_as_in_the_arena(banzuke: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    path = bot(tmp_path / "bots", "shouter", begin="print('@value depth 3\\n' * 5000, file=sys.stderr)")
    replay = tmp_path / "match.jsonl.zst"
    argv = ["kakomimasu", path, "house:ring", "--seed", 1, "--option", "turns=2", "--replay", replay, *options]
    assert banzuke("play", *argv) == 0
    assert log_path(replay) == tmp_path / "match-log.json"
    written = msgspec.json.decode(log_path(replay).read_bytes(), type=list[turnlog.LoggedTurn])
    first, later = (turn.stderr for turn in written if turn.seat == 0)
    assert 2_000 < len(first) < turnlog.STDERR_CHARS_MAX
    assert re.search(r"\n\[\.\.\. \d+ bytes left out \.\.\.\]\n", first)
    assert later == ""


def test_a_log_that_somebody_else_made_is_refused_or_made_printable(replay: Path, refusal: Refusal) -> None:
    turn = LoggedTurn(seat=0, turn=1, asked="", answered="", stderr="\x1b[2J\u202e@value depth 1")
    other = replay.with_name("other.replay")
    other.write_bytes(replay.read_bytes())
    log_path(other).write_bytes(msgspec.json.encode([turn]))
    assert log_read(other)[0].stderr == "\\x1b[2J\\u202e@value depth 1"
    for text in ('{"seat": 0}', "[1]", json.dumps([msgspec.to_builtins(turn) | {"stderr": "x" * 20_000}]), "no json"):
        log_path(other).write_text(text)
        for command in (("watch", other), ("tui", other, "--text")):
            assert "is no log of turns: move it away." in refusal(*command)
