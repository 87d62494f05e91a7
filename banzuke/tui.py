"""A film in the terminal, stepped through with keys."""

from __future__ import annotations

import curses
import os
import sys
import time
from dataclasses import dataclass
from itertools import accumulate

from banzuke.frames import Film
from banzuke.text import columns

FRAME_MS = 150
"""Between two turns when it plays by itself."""
HURRY_SECONDS = 0.1
"""Between two looks at the keys on the way to the end."""
NEXT = (curses.KEY_RIGHT, ord(" "), ord("l"))
BACK = (curses.KEY_LEFT, ord("h"))
FIRST = (curses.KEY_HOME, ord("g"))
LAST = (curses.KEY_END, ord("G"))
PLAY, QUIT = ord("p"), ord("q")
NO_KEY = -1
HELP = "→ ← step   p play   g G ends   ↑ ↓ scroll   q quit"
# Signs of a board by what they mean in most games: seats A B C D and 0 1 2 3, colours R G B W.
COLOURS = {
    curses.COLOR_RED: "AaR1",
    curses.COLOR_BLUE: "Bb4",
    curses.COLOR_GREEN: "CcG3",
    curses.COLOR_YELLOW: "DdW2",
}


@dataclass
class View:
    """What is shown of a film."""

    film: Film
    number: int = 0
    top: int = 0
    """The first line shown."""
    playing: bool = False
    hurrying: bool = False
    """On the way to the end, which a match that is being played has only when it has been."""

    @property
    def wait_ms(self) -> int:
        """How long to wait for a key; -1: until there is one."""
        return 0 if self.hurrying else FRAME_MS if self.playing else -1

    def press(self, key: int) -> bool:
        """Take a key; returns whether to go on."""
        if key in LAST or (key == NO_KEY and self.hurrying):
            self._hurry()
            return True
        self.hurrying = False
        if key in NEXT:
            self._step(1)
        elif key in BACK:
            self._step(-1)
        elif key == NO_KEY and self.playing:
            self._step(1, playing=True)
        elif key in FIRST:
            self._step(-sys.maxsize)
        elif key == PLAY:
            self.playing = not self.playing
        elif key in (curses.KEY_UP, curses.KEY_DOWN):
            self.top = max(0, self.top + (1 if key == curses.KEY_DOWN else -1))
        return key != QUIT

    def _hurry(self) -> None:
        until, moved = time.monotonic() + HURRY_SECONDS, True
        while moved and time.monotonic() < until:
            before = self.number
            self._step(1)
            moved = self.number != before
        self.hurrying = moved

    def _step(self, by: int, *, playing: bool = False) -> None:
        before = self.number
        self.number = self.film.reach(self.number + by)
        self.playing = playing and self.number != before


def show(window: curses.window, film: Film) -> None:
    """Show a film until the user leaves, or the terminal is closed."""
    paint = _paint()
    curses.curs_set(0)
    view = View(film)
    going = True
    while going:
        _draw(window, view, paint)
        window.timeout(view.wait_ms)
        key = window.getch()
        gone = key == NO_KEY and not sys.stdin.isatty()  # or it would be asked for ever, without a pause
        going = view.press(key) and not gone


def _paint() -> dict[str, int]:
    """Return the attribute of each coloured sign; none for who wants no colours, see https://no-color.org."""
    if os.environ.get("NO_COLOR") or not curses.has_colors():
        return {}
    curses.use_default_colors()
    for colour in COLOURS:
        curses.init_pair(colour, colour, -1)
    return {sign: curses.color_pair(colour) for colour, signs in COLOURS.items() for sign in signs}


def _fitting(line: str, width: int) -> str:
    """Return as much of a line as there are columns for."""
    ends = accumulate(map(columns, line[:width]))  # each takes one at least; a name in a replay may have a million
    return line[: sum(end <= width for end in ends)]


def _draw(window: curses.window, view: View, paint: dict[str, int]) -> None:
    window.erase()
    height, width = window.getmaxyx()
    for y, line in enumerate(view.film[view.number].split("\n")[view.top :][: height - 1]):
        window.addstr(y, 0, _fitting(line, width - 1))
        # A row of a board has no spaces, several side by side have two between them.
        board = " " not in line.replace("  ", "")
        for x, sign in enumerate(line[: width - 1] if board else ""):
            window.addstr(y, x, sign, paint.get(sign, 0))
    window.addnstr(height - 1, 0, HELP, width - 1, curses.A_REVERSE)
    window.refresh()
