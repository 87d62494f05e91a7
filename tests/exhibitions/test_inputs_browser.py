"""People play built-in games in a browser, by mouse, touch and keys: a few turns of each against random bots."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from core.game import JsonObject
from tests.exhibitions.table_server import TableServer

WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)
RULER = 0.8
"""Width of the board's rulers in cells, see `cells.js`."""
STEPS = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}


class Seat:
    """A page with a table at which the player's seat is asked."""

    def __init__(self, page: Page, server: TableServer) -> None:
        self.page, self.server = page, server
        self.answers: list[list[str]] = []
        page.on("request", lambda request: request.post_data and self.answers.append(request.post_data_json["lines"]))
        page.goto(f"http://127.0.0.1:{server.server_port}/?seed=5")
        self.wait(1)

    def _events(self, wanted: str) -> list[str]:
        return [data for name, data in self.server.tables[-1].events if name == wanted]

    @property
    def offered(self) -> list[list[str]]:
        """The texts offered with the last question."""
        offered: list[list[str]] = json.loads(self._events("question")[-1])["offered"]
        return offered

    @property
    def frame(self) -> JsonObject:
        """The last frame that the seat was shown."""
        frame: JsonObject = json.loads(self._events("lines")[-1].splitlines()[-1])["frame"]
        return frame

    def wait(self, number: int) -> None:
        """Wait until this question is open, and look whether all that is needed fits into the window."""
        self.page.wait_for_function("document.querySelector('.input')?.dataset.open === 'true'")
        expect(self.page.locator(".table-page")).to_have_attribute("data-turn", "own")
        assert len(self._events("question")) == number
        below = self.page.evaluate("document.querySelector('.input').getBoundingClientRect().bottom - innerHeight")
        aside = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert (below <= 0, aside) == (True, 0)

    def point(self, x: int, y: int, columns: float) -> tuple[float, float]:
        """Return the middle of a cell on the page; `columns`: the cells in the width of the picture."""
        box = self.page.locator("canvas").bounding_box()
        assert box
        cell = box["width"] / columns
        return box["x"] + (RULER + x + 0.5) * cell, box["y"] + (RULER + y + 0.5) * cell

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)


Sit = Callable[..., Seat]


@pytest.fixture
def sit(browser: Browser) -> Iterator[Sit]:
    """Return a function that opens a table of a game. Errors in the browser's console fail the test."""
    ends: list[Callable[[], None]] = []
    errors: list[str] = []

    def open_table(game: str, *, phone: bool = False, players: int = 2) -> Seat:
        server = TableServer(game, players=players, clock=0)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context(
            viewport=PHONE if phone else WIDE, has_touch=phone, is_mobile=phone, reduced_motion="reduce"
        )
        ends.extend([context.close, server.shutdown, server.server_close])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return Seat(page, server)

    yield open_table
    for end in ends:
        end()
    assert errors == []


def test_kakomimasu_by_mouse_and_keys(sit: Sit) -> None:
    seat = sit("kakomimasu")
    page, columns, agents = seat.page, 23 + RULER, len(seat.offered)
    for agent in range(agents):
        page.mouse.click(*seat.point(3 * agent + 1, 4, columns))
    page.get_by_role("button", name="Undo").click()
    page.mouse.click(*seat.point(20, 8, columns))
    page.get_by_role("button", name="Send", exact=True).click()
    seat.wait(2)
    puts = [f"PUT {3 * agent + 1} 4" for agent in range(agents - 1)]
    assert seat.answers == [[*puts, "PUT 20 8"]]
    (x, y), *_ = seat.frame["agents"][0]
    page.mouse.click(*seat.point(x + 1, y + 1, columns))
    seat.press("2", "w", "Space", "Enter")  # the second one moves up, all others stay
    seat.wait(3)
    x2, y2 = x + 3, y
    assert seat.answers[1] == [f"MOVE {x + 1} {y + 1}", f"MOVE {x2} {y2 - 1}", *["NONE"] * (agents - 2)]
    seat.press("1", "r", "q", "Enter")  # the first one removes the wall behind it
    seat.wait(4)
    assert seat.answers[2][0] == f"REMOVE {x} {y}"


def test_kakomimasu_by_touch_alone(sit: Sit) -> None:
    seat = sit("kakomimasu", phone=True)
    page = seat.page
    page.touchscreen.tap(*seat.point(5, 5, 23 + RULER))
    page.get_by_role("button", name="Agent 1 is put on 5 5").tap()
    page.locator(".input-pad button").nth(5).tap()
    page.get_by_role("button", name="Send").tap()
    seat.wait(2)
    assert seat.answers[0][0] == "PUT 6 5"
    wall = next(line for line in seat.offered[0] if line.startswith("REMOVE"))  # another seat has put an agent there
    dx, dy = (int(there) - here for there, here in zip(wall.split()[1:], (6, 5), strict=True))
    page.locator(".input-pad button").nth(4 + dx + 3 * dy).tap()
    page.get_by_role("button", name="Send").tap()
    seat.wait(3)
    assert seat.answers[1][0] == wall


@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "touch"])
def test_wondev_woman_by_three_choices(sit: Sit, phone: bool) -> None:
    seat = sit("wondev_woman", phone=phone)
    page, columns = seat.page, len(seat.frame["rows"]) + RULER
    press = page.touchscreen.tap if phone else page.mouse.click
    line = seat.offered[0][-1]
    kind, unit, first, second = line.split()
    x, y = seat.frame["units"][0][int(unit)]
    press(*seat.point(x, y, columns))
    near = x + STEPS[first][0], y + STEPS[first][1]
    press(*seat.point(*near, columns))
    page.get_by_role("button", name="Undo").click()
    press(*seat.point(*near, columns))
    press(*seat.point(near[0] + STEPS[second][0], near[1] + STEPS[second][1], columns))
    seat.wait(2)
    assert (kind, seat.answers) == ("MOVE&BUILD", [[line]])


def test_wondev_woman_by_keys(sit: Sit) -> None:
    seat = sit("wondev_woman")
    keys = {"N": "w", "NE": "e", "E": "ArrowRight", "SE": "c", "S": "x", "SW": "z", "W": "a", "NW": "q"}
    for number in range(1, 4):
        line = seat.offered[0][0]
        _, unit, first, second = line.split()
        seat.press(str(int(unit) + 1), keys[first], keys[second])
        seat.wait(number + 1)
        assert seat.answers[-1] == [line]


def test_back_to_the_code_steps_walks_and_goes_back(sit: Sit) -> None:
    seat = sit("back_to_the_code")
    x, y, *_ = seat.frame["seats"][0]
    seat.press("ArrowLeft" if x else "ArrowRight")
    seat.wait(2)
    x += -1 if x else 1
    assert seat.answers == [[f"{x} {y}"]]
    goal = (x + 3 if x < 20 else x - 3), (y + 1 if y < 10 else y - 1)
    seat.page.mouse.click(*seat.point(*goal, 35 + RULER + 0.46))
    seat.wait(6)
    assert seat.answers[-1] == [f"{goal[0]} {goal[1]}"], "It walks to the cell by itself"
    seat.press("b", "ArrowLeft", "Enter")
    seat.wait(7)
    assert seat.answers[-1] == ["BACK 4"], "It has played five rounds"
    expect(seat.page.get_by_role("button", name="Back in time")).to_have_attribute("aria-disabled", "true")


def test_attack25_bids_and_picks(sit: Sit) -> None:
    seat = sit("attack25", players=4)
    seat.press("2", "5", "ArrowLeft", "Enter")
    seat.wait(2)
    seat.press("ArrowDown", "Enter")
    seat.wait(3)
    assert seat.answers == [["24"], ["13"]], "The first panel is the one in the centre"
    slider = seat.page.get_by_role("slider", name="Your bid in chips")
    slider.fill("40")
    seat.page.get_by_role("button", name="Bid 40").click()
    seat.wait(4)
    number = int(seat.offered[0][0])
    seat.page.mouse.click(*seat.point((number - 1) % 5, (number - 1) // 5, 5 + RULER))
    seat.wait(5)
    assert seat.answers[2:] == [["40"], [str(number)]]
