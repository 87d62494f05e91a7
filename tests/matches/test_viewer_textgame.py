"""How a game without a viewer module is shown: a text board, on the site and at home, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from banzuke.viewer import viewer_server
from contests.models import Contest
from core.game import JsonObject
from core.replay import encode
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version, random_records
from tests.matches.viewing import box, expect_in_first_screen, expect_turn, expect_well_drawn, part, run_module
from tests.serving import serving

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("rps"),
]

LAST = 3
ROWS = (("A.b", "..."), ("A.b", "C.a"), ("AAb", "C.a"), ("AAB", "<&>"))
"""The rows of each turn's frame."""


def records_with(**rows: object) -> list[JsonObject]:
    """Return the records of a match of three seats, its frames with scores and further entries by turn."""
    records = random_records("rps")
    for turn, record in enumerate(records[:-1]):
        record["frame"]["scores"] = record["frame"]["points"]
        record["frame"] |= {name: values[turn] for name, values in rows.items()}  # type: ignore[index]
    return records


def finished(records: list[JsonObject]) -> Match:
    Contest.objects.get_or_create(slug="rps", game="rps", state=Contest.State.OPEN)
    versions = [make_version(name) for name in ("Alpha", "Beta", "Gamma")]
    return finish_match(make_match(*versions, game="rps"), records)


def test_rows_are_a_board_with_scores_words_and_pictures(watch: Callable[..., Page]) -> None:
    records = records_with(rows=ROWS)
    page = watch(finished(records), "#t=2")
    scores = [str(score) for score in records[2]["frame"]["points"]]
    expect(part(page, "seats").locator(".viewer-score")).to_have_text(scores)
    expect(part(page, "seats").locator(".viewer-parts")).to_have_text([""] * 3)
    page.get_by_text("The board in words").click()
    cells = part(page, "text").locator("td")
    expect(cells).to_have_text(["", "A", "A", "b", "C", ".", "a"])
    board = part(page, "board")
    size = box(board)
    board.hover(position={"x": size["width"] * (0.8 + 2.5) / 3.8, "y": size["height"] * (0.8 + 0.5) / 2.8})
    expect(part(page, "cell")).to_have_text("(2, 0): b")
    page.keyboard.press("ArrowRight")
    expect(part(page, "cell")).to_have_text("(2, 0): B")
    expect(cells).to_have_text(["", "A", "A", "B", "<", "&", ">"])
    for name, ending in (("Picture", "png"), ("Animation", "gif")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert download.value.suggested_filename.endswith(ending)
        assert Path(download.value.path()).stat().st_size > 1_000


def test_steps_theme_and_accessibility(watch: Callable[..., Page]) -> None:
    expect_well_drawn(watch(finished(records_with(rows=ROWS)), "#t=2"), 2, LAST)


def test_a_frame_without_rows_is_shown_as_it_is_on_the_site_and_at_home(page: Page) -> None:
    records = records_with()
    match = finished(records)
    with serving(viewer_server(encode(records), records)) as home:
        for url in (f"/matches/{match.pk}/#t=1", f"{home}/#t=1"):
            page.goto(url)
            expect_turn(page, 1, LAST)
            expect_in_first_screen(page)
            page.get_by_text("The board in words").click()
            points = re.escape(str(records[1]["frame"]["points"]).replace(" ", ""))
            expect(part(page, "text")).to_contain_text(re.compile(f"turn: 1.*points: {points}", re.DOTALL))
            page.keyboard.press("End")
            expect(part(page, "events").locator("li").last).to_have_class(re.compile("viewer-event-(won|drawn)"))


def test_what_is_no_board_is_text_and_what_is_too_large_is_cut_off(page: Page) -> None:
    page.goto("/games/")
    frames = "[{rows: ['ab', 'c']}, {rows: ['ab', 'cd']}, {rows: [['x']]}, {rows: Array(999).fill('x'.repeat(999))}]"
    call = f"{frames}.map(m.readFrame).map(({{rows, isBoard}}) => [rows.length, rows[0].length, isBoard])"
    assert run_module(page, "textgame.js", call) == [
        [2, 2, False],
        [2, 2, True],
        [1, len('rows: [["x"]]'), False],
        [200, 200, True],
    ]
    kinds = "['chain', 'won', 'constructor', 'x'].map((kind) => m.symbolOf({kind}, {symbols: {chain: '≫', won: '!'}}))"
    assert run_module(page, "commentary.js", kinds) == ["≫", "!", "•", "•"]
