"""Replays of older rules play as they were recorded, and pages say that their rules are old."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from banzuke.commands import main
from banzuke.viewer import viewer_server
from core.game import JsonObject
from core.replay import ReplayMismatch, decode, encode
from games.replays import verify
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_records, make_version
from tests.matches.viewing import LAST, board_image, expect_turn, part
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "Played by version 0 of the rules; here they are at version 1."


@pytest.fixture
def records() -> list[JsonObject]:
    """Records of a match under older rules, in which walls counted threefold and matches ended five turns earlier."""
    records = make_records("Alpha", "Beta")
    footer = records[-1]
    records = [*records[: LAST - 5 + 1], footer]
    records[0]["rules"] = "0"
    for record in records[:-1]:
        record["frame"]["points"] = [[3 * walls, areas] for walls, areas in record["frame"]["points"]]
    footer |= {"turns": LAST - 5, "scores": [300.0, 200.0], "ranks": [1, 2]}
    return records


@pytest.fixture
def match(records: list[JsonObject]) -> Match:
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), records)
    Match.objects.filter(pk=match.pk).update(rules_version="0")
    return match


@pytest.mark.browser
def test_it_plays_as_it_was_recorded_and_says_that_it_is_old(
    watch: Callable[..., Page], match: Match, records: list[JsonObject]
) -> None:
    page = watch(match, f"#t={LAST - 5}")
    expect_turn(page, LAST - 5, LAST - 5)
    expect(part(page, "rules")).to_contain_text(SENTENCE)
    scores = [sum(points) for points in records[-2]["frame"]["points"]]
    for score in scores:
        expect(part(page, "seats")).to_contain_text(str(score))
    last = board_image(page)
    part(page, "first").click()
    expect_turn(page, 0, LAST - 5)
    assert board_image(page) != last


def test_the_command_line_says_that_it_can_be_watched_but_not_judged(
    records: list[JsonObject], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = encode(records)
    with pytest.raises(ReplayMismatch, match="It can still be watched"):
        verify(data)
    (tmp_path / "old.replay").write_bytes(data)
    assert main(["verify", str(tmp_path / "old.replay")]) == 1
    output = capsys.readouterr()
    assert "only version 1 can be played here. It can still be watched." in output.out + output.err


@pytest.fixture
def url(records: list[JsonObject]) -> Iterator[str]:
    """The url of the viewer at home with the old replay."""
    data = encode(records)
    with serving(viewer_server(data, decode(data))) as url:
        yield url


@pytest.mark.browser
def test_the_viewer_at_home_says_it_too(page: Page, url: str) -> None:
    page.goto(f"{url}/#t=0")
    expect(part(page, "rules")).to_contain_text(SENTENCE)
    expect_turn(page, 0, LAST - 5)
    viewer_page = page.evaluate("document.getElementById('viewer-page').textContent")
    assert json.loads(viewer_page)["rules"] == "1"
