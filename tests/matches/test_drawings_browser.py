"""What bots draw by lines on standard error, in a real Chromium: for their owner, within bounds, never as markup."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from banzuke.drawings import values_of
from core.text import printable
from matches.models import Match, Result
from tests.browsing import expect_accessible_in_both_schemes
from tests.matches.makers import random_records, store_replay
from tests.matches.viewing import LAST, board_image, enter, expect_turn, part, run_module
from tests.own import OWN
from wire.turnlog import LoggedTurn, pack

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]

DRAWN = "@cell #123456 3,4\n@line blue 3,4 5,6 5,8\n@text red 5,8 12 points\n@value depth 7\nno drawing\n"
FRAME_COLOUR = """async (pk) => {
  const [{ setting }] = await (await fetch(`/matches/${pk}/replay.json`)).json();
  const cells = await import("/static/matches/viewer/cells.js");
  const board = document.querySelector("[data-viewer=board]");
  const cell = board.width / cells.shape(setting).columns;
  const [column, row] = cells.placeOf(setting, [3, 4]);
  return [...board.getContext("2d").getImageData((column + 0.07) * cell, (row + 0.5) * cell, 1, 1).data];
}"""
"""The colour of the frame round the cell that ``DRAWN`` tints."""
HOSTILE = (
    "@text red 3,4 <img src=x onerror=\"document.title='owned'\">\n"
    "@value <script>alert(1)</script> 5\n@value __proto__ 1",
    "@value constructor 2\n@value score -3\n@value cpu 1e999\n"
    "@value huge 999999999999\n@value tiny 1e-99\n@value x NaN",
    "@cell url(https://evil.example/) 1,1\n@cell red;1 1,1\n@cell #12345g 1,1\n@cell __proto__ 1,1\n@cell red",
    "@text red 1,1 \u202egnirts\x1b[2J\0\n@text red 1,1 " + "\u0651" * 900,
    "@cell red " + "0,0 " * 600,
    "@cell red 0,0\n" * 170,
    "@line red 99999999999999999999,1 -1,-1\n@line red 1,1\n@text red 1,1\n"
    "@cell red 1,1,1,1,1\n@value\n@cell\n@\n@@cell",
    "@cell red 1,1 [... 9 by\n[... 9 bytes left out ...]\n1 2,2\n@value depth 8",
)
READ = (
    "@value depth 7",
    "@value  depth\t-0.25 \r\nother\n@value depth 1.5E+03\r\n",
    "@value depth 1\\r\n@value nodes 1e-10",
    "@value\u00a0depth 1\n@value de\u00a0pth 1\n@value depth\u2028 1",
    "@valued depth 1\n @value depth 1\n@Value depth 1\n@value depth\n@value depth 1 2\n@value 1",
    "@value a 1.\n@value b .5\n@value c 0x10\n@value d Infinity\n@value e 1e13\n@value f 1e12\n@value g 1e100",
    f"@value {'n' * 30} 1\n@value {'n' * 19} 2\n@value {'n' * 20} 3",
    "@value __proto__ 1\n@value constructor 2",
)
"""Standard error that the viewer and the terminal read alike."""


def with_log(match: Match, errors: Sequence[str], seats: Sequence[int] = (0, 1)) -> Match:
    """Store a turn log with a standard error for each turn from 1 on, by the given seats."""
    turns = [(seat, turn, text) for turn, text in enumerate(errors, 1) for seat in seats]
    log = pack(LoggedTurn(seat, turn, "asked", "answered", text, 1.0, 2.0) for seat, turn, text in turns)
    Result.objects.filter(match=match).update(log_digest=store_replay(log))
    return match


def owner_enters(page: Page, live_server: LiveServer, match: Match) -> None:
    enter(page, match.seats.all()[0].version.bot.owner, live_server)


def expect_drawings(page: Page) -> None:
    expect(part(page, "drawings")).to_be_visible()


def test_owners_see_and_graph_what_their_bots_draw_and_nobody_else_does(
    page: Page, live_server: LiveServer, watch: Callable[..., Page], finished: Match
) -> None:
    with_log(finished, [DRAWN.replace("7", str(depth)) for depth in range(1, LAST)])
    watch(finished, "#t=3")
    plain = board_image(page)
    assert part(page, "drawings").count() == 0
    owner_enters(page, live_server, finished)
    with page.expect_response("**/log.json") as response:
        page.reload()
    assert response.value.header_value("content-encoding") == "gzip", "each view of an owner loads it"
    expect_drawings(page)
    expect(part(page, "drawings")).to_have_text("DrawingsAdepth 3")
    assert board_image(page) != plain
    assert page.evaluate(FRAME_COLOUR, finished.pk) == [0x12, 0x34, 0x56, 255]

    page.get_by_role("checkbox", name="Drawings").uncheck()
    assert board_image(page) == plain
    page.get_by_role("checkbox", name="Drawings").check()
    assert board_image(page) != plain
    page.keyboard.press("Escape")
    part(page, "forward").click()
    expect_turn(page, 4)
    expect(part(page, "drawings")).to_contain_text("depth 4")
    part(page, "last").click()
    expect(part(page, "drawings")).to_have_text("DrawingsA")

    graph = part(page, "graph").locator("canvas")
    scores = graph.evaluate("canvas => canvas.toDataURL()")
    page.get_by_text("depth", exact=True).click()
    assert graph.evaluate("canvas => canvas.toDataURL()") != scores
    expect_accessible_in_both_schemes(page)


def test_hostile_lines_are_text_and_end_soon(
    page: Page, live_server: LiveServer, watch: Callable[..., Page], finished: Match
) -> None:
    """The attack: a bot writes what would be markup, a url, a prototype, or more than a page can draw."""
    with_log(finished, HOSTILE)
    owner_enters(page, live_server, finished)
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    watch(finished, "#t=1")
    expect_drawings(page)
    title = page.title()
    names = ["<script>alert(1)</s…", "__proto__", "constructor", "score", "huge", "tiny"]
    expect(page.locator(".viewer-series span")).to_have_text(["Score", "CPU ms a turn", *names])
    for button in page.locator(".viewer-series label").all():
        button.click()
    notes = {
        1: "",
        2: "Not drawn: @value cpu 1e999",
        3: "Not drawn: @cell url(https://evil.example/) 1,1",
        4: "",
        5: "",
        6: "",
        7: "Not drawn: @line red 99999999999999999999,1 -1,-1",
        8: "More was written in this turn than is kept: some drawings may be missing.",
    }
    for turn, note in notes.items():
        expect_turn(page, turn)
        expect(page.locator(".viewer-drawn-note")).to_have_text(note)
        part(page, "forward").click()
    assert page.title() == title
    assert page.locator(".viewer img, .viewer script:not([type])").count() == 0
    assert errors == []
    assert all(url.startswith((live_server.url, "data:", "blob:")) for url in asked)
    expect_accessible_in_both_schemes(page)


def test_two_bots_of_one_owner_have_a_switch_each(
    page: Page, live_server: LiveServer, watch: Callable[..., Page], finished: Match
) -> None:
    beta = finished.seats.all()[1].version.bot
    beta.owner = finished.seats.all()[0].version.bot.owner
    beta.save()
    with_log(finished, [DRAWN])
    owner_enters(page, live_server, finished)
    watch(finished, "#t=1")
    expect_drawings(page)
    switches = page.get_by_role("checkbox", name="Drawings")
    assert [switch.is_checked() for switch in switches.all()] == [True, False]
    expect(part(page, "drawings")).to_contain_text("A: depth 7  B: depth 7")


@pytest.mark.parametrize("game", OWN)
def test_a_cell_that_a_bot_names_is_where_the_board_has_it(page: Page, live_server: LiveServer, game: str) -> None:
    page.goto(live_server.url)
    header = random_records(game)[0]
    found = run_module(
        page,
        f"games/{game}/viewer.js",
        f"""(({{ setting, frame }}) => {{
          const {{ columns, rows }} = m.grid(setting, frame);
          const named = [];
          for (let a = -2; a <= columns * rows; a++) for (let b = -2; b <= rows; b++) {{
            const cell = {json.dumps(game)} === "attack25" ? [a] : [a, b];
            const place = m.placeOf(setting, cell, 0, frame);
            if (place) named.push([cell, m.cellAt(setting, place[0] + 0.5, place[1] + 0.5, frame)]);
          }}
          return [columns * rows, named];
        }})({json.dumps({"setting": header["setting"], "frame": header["frame"]})})""",
    )
    count, named = found
    places = {tuple(cell): (place["x"], place["y"]) for cell, place in named}
    assert len(places) == len(set(places.values())) == count
    if game == "attack25":
        assert (places[(1,)], places[(8,)], places[(25,)]) == ((0, 0), (2, 1), (4, 4))
    else:
        assert all(cell == place for cell, place in places.items())


def test_the_second_seat_of_puyo_puyo_names_its_own_field_first(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url)
    named = "[[0, 12], [5, 0], [6, 3]].map((cell) => m.placeOf({columns: 6, rows: 13}, cell, 1))"
    cells = f"{named}.map(([x, y]) => m.cellAt({{columns: 6, rows: 13}}, x + 0.5, y + 0.5))"
    found = run_module(page, "games/puyo/viewer.js", cells)
    assert [(cell["x"], cell["y"]) for cell in found] == [(6, 12), (11, 0), (0, 3)]


def test_the_viewer_and_the_terminal_read_the_same_values(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url)
    expression = "{}.map((stderr) => Object.fromEntries(m.readDrawings(stderr).values))"
    # An object's entry __proto__ would vanish on its way here, so that name is looked at in the hostile match.
    texts = [text.replace("__proto__", "proto") for text in READ]
    seen = run_module(page, "drawings.js", expression.format(json.dumps(texts)))
    assert seen == [values_of(text) for text in texts]


def test_what_is_read_of_a_turn_is_bounded(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url)
    lines = ["@cell red 1,1\n", "@cell red " + "1,1 " * 900 + "\n", "@text red 1,1 " + "x" * 200_000, "\n", "@", " "]
    expression = f"""{json.dumps(lines)}.map((line) => m.readDrawings(line.repeat(2e6 / line.length)))
      .map(({{ drawings, values, cut }}) => [drawings.length, drawings.flatMap(({{ cells }}) => cells).length,
        drawings[0]?.text.length ?? 0, values.size, cut])"""
    assert run_module(page, "drawings.js", expression) == [
        [200, 200, 0, 0, True],
        [1, 900, 0, 0, True],
        [1, 1, 40, 0, True],
        *[[0, 0, 0, 0, True]] * 3,
    ]
    assert "\x1b" not in printable(HOSTILE[3])
    drawn = run_module(page, "drawings.js", "m.readDrawings('@text red 1,1 a\\u202eb\\u0007').drawings[0].text")
    assert drawn == "a\ufffdb\ufffd"
